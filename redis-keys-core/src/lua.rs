//! The scripts that `cargo redis-keys generate` writes into other languages. The library has all others.

/// A script that other languages send as Rust does.
#[derive(Clone, Copy, Debug)]
pub struct SharedScript {
    /// The hash of its code, by which the server knows the script.
    pub sha1: &'static str,
    /// Its file.
    pub file: &'static str,
}

/// Adds jobs to a queue.
pub const JOB_PUSH: SharedScript =
    SharedScript { sha1: "b745608a607efd194ab6d2fb745c0892288971a7", file: include_str!("lua/job_push.lua") };

/// Takes from a rate limit.
pub const LIMIT: SharedScript =
    SharedScript { sha1: "a2f38c10a8649733d84995cd060d035fb36fc33b", file: include_str!("lua/limit.lua") };

/// Returns the code of a file, which is sent: its lines without comments and blank lines.
pub fn code(file: &str) -> impl Iterator<Item = &str> {
    let is_code = |line: &&str| !matches!(line.trim_start().as_bytes(), [] | [b'-', b'-', ..]);
    file.split_inclusive('\n').filter(is_code)
}
