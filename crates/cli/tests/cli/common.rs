//! The program as scripts use it, and files for it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use serde_json::Value;

pub(crate) fn meeple(arguments: &[&str]) -> Output {
    fed(arguments, "")
}

/// A command with this standard input.
pub(crate) fn fed(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_meeple"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read its input may be gone already.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    child.wait_with_output().unwrap()
}

/// Standard output and standard error of a command that must end with this code.
pub(crate) fn outputs(arguments: &[&str], input: impl AsRef<[u8]>, code: i32) -> (String, String) {
    let output = fed(arguments, input);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "meeple {arguments:?}: {errors}");
    (String::from_utf8(output.stdout).unwrap(), errors)
}

/// Standard output of a command that succeeds.
pub(crate) fn output(arguments: &[&str]) -> String {
    outputs(arguments, "", 0).0
}

/// What a command prints with `--json`, one value.
pub(crate) fn json(arguments: &[&str]) -> Value {
    let text = output(&[arguments, &["--json"]].concat());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("meeple {arguments:?}: {error}: {text}"))
}

/// Why a command is refused as bad usage.
pub(crate) fn refused(arguments: &[&str]) -> String {
    outputs(arguments, "", 2).1
}

/// The same without what depends on the clock.
pub(crate) fn result(arguments: &[&str]) -> Value {
    timeless(json(arguments))
}

/// A result without what depends on the clock.
pub(crate) fn timeless(mut result: Value) -> Value {
    match &mut result {
        Value::Object(fields) => {
            fields.retain(|name, _| name != "seconds" && name != "decisions_per_s");
            fields.values_mut().for_each(|value| *value = timeless(value.take()));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| *value = timeless(value.take())),
        _ => (),
    }
    result
}

/// An empty folder that stays for a look at it; its name belongs to one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A file that is gone after the test; nothing else has its path.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Relaxed);
        Scratch(std::env::temp_dir().join(format!("meeple-{}-{count}-{name}", std::process::id())))
    }

    pub(crate) fn with(name: &str, text: &str) -> Scratch {
        let scratch = Scratch::new(name);
        scratch.write(text);
        scratch
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    pub(crate) fn text(&self) -> String {
        fs::read_to_string(&self.0).unwrap()
    }

    pub(crate) fn write(&self, text: &str) {
        fs::write(&self.0, text).unwrap();
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
