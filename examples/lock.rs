//! A lock.

fn main() {}
