//! What a run costs.

/// Processor time of all threads of this process, finished ones included, in seconds, or 0 where the
/// system does not tell.
pub fn process_cpu_seconds() -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0; // Linux promises this to programs
    let Ok(stat) = std::fs::read_to_string("/proc/self/stat") else { return 0.0 };
    // Behind the name, which ends with the last parenthesis: user and system time are numbers 12 and 13.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / TICKS_PER_SECOND
}
