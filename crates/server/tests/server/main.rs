//! The server as its clients see it, over loopback.

mod bots;
mod browser;
mod common;
mod description;
mod leaks;
mod safety;
mod tables;
