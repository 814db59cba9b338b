//! `cargo xtask test`: all checks.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Instant;

use crate::run::{Failure, Outcome, cargo, heading, paint, program, run};
use crate::{docs, lua, server};

/// Packages without a public interface.
const UNDOCUMENTED: [&str; 4] = ["xtask", "redis-keys-tests", "redis-keys-ui-tests", "redis-keys-bench"];

/// What builds and runs the tests.
pub(crate) const TESTS: [&str; 3] = ["test", "--workspace", "--all-features"];

/// Runs all checks with the first server, and the integration tests with each of the others.
pub(crate) fn test(binaries: &[PathBuf]) -> Outcome {
    let [first, others @ ..] = binaries else {
        return Err(Failure::new("no server to test with"));
    };
    let started = Instant::now();
    components()?;

    heading("Formatting");
    run(cargo().args(["fmt", "--all", "--check"]))?;

    heading("Lua");
    lua::check()?;

    heading("Clippy");
    run(cargo().args(["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]))?;

    heading("Clippy, redis-keys without features");
    run(cargo().args(["clippy", "--package", "redis-keys", "--no-default-features", "--", "-D", "warnings"]))?;

    heading("Rustdoc");
    let excluded = UNDOCUMENTED.iter().flat_map(|package| ["--exclude", package]);
    run(cargo()
        .args(["doc", "--workspace", "--no-deps", "--all-features"])
        .args(excluded)
        .env("RUSTDOCFLAGS", "-D warnings"))?;

    heading("Rustdoc, redis-keys without features");
    run(cargo()
        .args(["doc", "--package", "redis-keys", "--no-deps", "--no-default-features"])
        .env("RUSTDOCFLAGS", "-D warnings"))?;

    heading("Generated files");
    docs::check()?;

    heading(&format!("Unit, doc, ui and integration tests, with {}", server::version(first).unwrap_or_default()));
    run(cargo().args(TESTS).env(server::VARIABLE, first))?;

    for other in others {
        heading(&format!("Integration tests, with {}", server::version(other).unwrap_or_default()));
        // The same packages and features as before, so that nothing is built again.
        run(cargo().args(TESTS).args(["--test", "integration"]).env(server::VARIABLE, other))?;
    }

    let seconds = started.elapsed().as_secs();
    println!("\n{}", paint("1;32", &format!("All checks passed in {} min {} s", seconds / 60, seconds % 60)));
    Ok(())
}

/// Adds rustfmt and clippy, which a minimal installation of Rust lacks.
fn components() -> Outcome {
    let installed = |name: &str| {
        cargo()
            .args([name, "--version"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|s| s.success())
    };
    if installed("fmt") && installed("clippy") {
        return Ok(());
    }
    heading("Adding rustfmt and clippy: rustup component add clippy rustfmt");
    let added =
        program("rustup").args(["component", "add", "clippy", "rustfmt"]).status().is_ok_and(|status| status.success());
    if added && installed("fmt") && installed("clippy") {
        return Ok(());
    }
    Err(Failure::new(
        "rustfmt or clippy is missing: run `rustup component add clippy rustfmt`, or install them with your Rust",
    ))
}
