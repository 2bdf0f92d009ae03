mod hidden;
mod position;
mod relatives;
mod rules;
