mod hidden;
mod position;
mod rules;
