mod rules;
mod suites;
mod worlds;
