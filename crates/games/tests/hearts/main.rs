mod notation;
mod rules;
mod worlds;
