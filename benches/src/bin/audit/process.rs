//! The processor time and the memory of processes.

use std::fs;

/// The processor time and the waiting time of a process's main thread so far, in nanoseconds.
pub(crate) fn server_time(pid: u32) -> Option<(u64, u64)> {
    let text = fs::read_to_string(format!("/proc/{pid}/schedstat")).ok()?;
    let mut figures = text.split_whitespace().map(str::parse);
    Some((figures.next()?.ok()?, figures.next()?.ok()?))
}

/// The processor time of all children that have ended, in seconds.
pub(crate) fn children_seconds() -> f64 {
    // Without the name of the program, which may contain spaces.
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    // The kernel counts hundredths of a second for programs, whatever its own clock is.
    let ticks = |field: usize| fields.get(field).and_then(|ticks| ticks.parse().ok()).unwrap_or(0.0);
    (ticks(13) + ticks(14)) / 100.0
}

/// The most memory that a process had so far, in KB.
pub(crate) fn peak_memory(pid: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
