//! The command `cargo redis-keys`.

use std::process::ExitCode;

fn main() -> ExitCode {
    cargo_redis_keys::run(std::env::args_os())
}
