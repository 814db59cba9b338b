//! The command `cargo redis-keys`.

use std::process::ExitCode;
use std::thread;

/// The stack on which sources are read, in bytes: a parser recurses for each level of nested types, and the compiler
/// accepts thousands of levels. An unused part takes no memory.
const STACK: usize = 512 << 20;

fn main() -> ExitCode {
    let run = || cargo_redis_keys::run(std::env::args_os());
    match thread::Builder::new().stack_size(STACK).spawn(run) {
        // A panic is printed, and ends with the usual status.
        Ok(thread) => thread.join().unwrap_or(ExitCode::from(101)),
        Err(_) => run(),
    }
}
