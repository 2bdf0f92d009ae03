//! The program as scripts use it.

#![allow(dead_code)] // each test program uses a part

use std::process::{Command, Output};

use serde_json::Value;

pub(crate) fn meeple(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_meeple")).args(arguments).output().unwrap()
}

/// What a command that succeeds prints, one JSON value.
pub(crate) fn json(arguments: &[&str]) -> Value {
    let output = meeple(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Why a command is refused as bad usage.
pub(crate) fn refused(arguments: &[&str]) -> String {
    let output = meeple(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}
