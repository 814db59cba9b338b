//! `cargo xtask test`: everything that must hold.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Instant;

use crate::run::{Failure, Outcome, cargo, heading, paint, program, run as must};
use crate::{lua, server};

/// Packages without an interface that anybody reads.
const UNDOCUMENTED: [&str; 4] = ["xtask", "redis-keys-tests", "redis-keys-ui-tests", "redis-keys-bench"];

const TESTS: [&str; 3] = ["test", "--workspace", "--all-features"];

/// Everything that knows of servers runs once with each, and the rest with the first.
pub(crate) fn run(binaries: &[PathBuf]) -> Outcome {
    let [first, others @ ..] = binaries else {
        return Err(Failure::new("a server is needed"));
    };
    let started = Instant::now();
    components()?;

    heading("formatting");
    must(cargo().args(["fmt", "--all", "--check"]))?;

    heading("Lua");
    lua::check()?;

    heading("clippy");
    must(cargo().args(["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]))?;

    heading("clippy, redis-keys without its features");
    must(cargo().args(["clippy", "--package", "redis-keys", "--no-default-features", "--", "-D", "warnings"]))?;

    heading("rustdoc");
    let excluded = UNDOCUMENTED.iter().flat_map(|package| ["--exclude", package]);
    must(
        cargo()
            .args(["doc", "--workspace", "--no-deps", "--all-features"])
            .args(excluded)
            .env("RUSTDOCFLAGS", "-D warnings"),
    )?;

    heading("rustdoc, redis-keys without its features");
    must(
        cargo()
            .args(["doc", "--package", "redis-keys", "--no-deps", "--no-default-features"])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )?;

    heading(&format!("unit, doc, ui and integration tests, with {}", server::version(first).unwrap_or_default()));
    must(cargo().args(TESTS).env(server::VARIABLE, first))?;

    for other in others {
        heading(&format!("integration tests, with {}", server::version(other).unwrap_or_default()));
        // Chosen out of the whole, so that nothing has to be built again.
        must(cargo().args(TESTS).args(["--test", "integration"]).env(server::VARIABLE, other))?;
    }

    let seconds = started.elapsed().as_secs();
    println!("\n{}", paint("1;32", &format!("all passed, in {} min {} s", seconds / 60, seconds % 60)));
    Ok(())
}

/// A minimal installation of Rust has neither rustfmt nor clippy.
fn components() -> Outcome {
    let here = |name: &str| {
        cargo()
            .args([name, "--version"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|s| s.success())
    };
    if here("fmt") && here("clippy") {
        return Ok(());
    }
    heading("rustfmt or clippy is missing: rustup component add clippy rustfmt");
    let added =
        program("rustup").args(["component", "add", "clippy", "rustfmt"]).status().is_ok_and(|status| status.success());
    if added && here("fmt") && here("clippy") {
        return Ok(());
    }
    Err(Failure::new(
        "rustfmt and clippy are needed: run `rustup component add clippy rustfmt`, or install them with your Rust",
    ))
}
