//! A program that is talked to in lines. Threads read and write, so that a program that does neither holds nobody up.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

/// Lines that wait to be read on either side.
const WAITING: usize = 16;

/// It runs as long as this lives.
pub(super) struct Program {
    child: Child,
    input: SyncSender<String>,
    output: Receiver<String>,
}

impl Program {
    /// Words of a command are parted by spaces.
    pub(super) fn start(command: &str) -> Result<Program, String> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or("name a program, as in `exec:./mybot.py`")?;
        let explain = |error| format!("cannot run {program}: {error}");
        let spawned = Command::new(program).args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = spawned.map_err(explain)?;
        let (input, to_write) = sync_channel(WAITING);
        let (read, output) = sync_channel(WAITING);
        let stdin = child.stdin.take();
        let stdout = child.stdout.take();
        std::thread::spawn(move || stdin.map(|stdin| write_lines(stdin, &to_write)));
        std::thread::spawn(move || stdout.map(|stdout| read_lines(stdout, &read)));
        Ok(Program { child, input, output })
    }

    /// What the program does not come round to reading is lost.
    pub(super) fn tell(&self, line: &str) {
        let _ = self.input.try_send(format!("{line}\n"));
    }

    /// The next line that the program writes, or what it did in its place.
    pub(super) fn answer(&self, time: Duration) -> Result<String, String> {
        self.output.recv_timeout(time).map_err(|error| match error {
            RecvTimeoutError::Timeout => format!("did not answer within {} s", time.as_secs_f64()),
            RecvTimeoutError::Disconnected => "did not answer but ended".to_string(),
        })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Until the program is gone or nobody has anything to tell.
fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv() {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Until the program is gone or nobody listens.
fn read_lines(stdout: ChildStdout, lines: &SyncSender<String>) {
    for line in BufReader::new(stdout).lines().map_while(Result::ok) {
        if lines.send(line.trim().to_string()).is_err() {
            return;
        }
    }
}
