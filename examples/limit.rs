//! A rate limit.

fn main() {}
