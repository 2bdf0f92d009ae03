mod behaviours;
mod hidden;
mod position;
mod reference;
mod relatives;
mod rules;
mod script;
