mod encoders;
mod rules;
mod suites;
mod worlds;
