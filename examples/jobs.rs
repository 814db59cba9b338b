//! A queue of jobs.

fn main() {}
