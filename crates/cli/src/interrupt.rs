//! Ctrl-C: the first one ends the work in good order, the second one at once.

use meeple_arena::Stop;

/// The exit code of a program that was interrupted.
pub(crate) const INTERRUPTED: u8 = 130;

/// A request that the first Ctrl-C makes.
pub(crate) fn stop_on_interrupt() -> Stop {
    let stop = Stop::default();
    let requested = stop.clone();
    let handle = move || {
        if requested.is_requested() {
            std::process::exit(i32::from(INTERRUPTED));
        }
        eprintln!("\nstopping; Ctrl-C again ends at once");
        requested.request();
    };
    // Without a handler Ctrl-C still ends the program.
    let _ = ctrlc::set_handler(handle);
    stop
}
