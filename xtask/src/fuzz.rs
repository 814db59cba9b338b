//! `cargo xtask fuzz`: the targets of `fuzz`, which libFuzzer runs with inputs that it changes.
//!
//! The bodies of the targets are in `fuzz/src`. `tests/tests/fuzz_corpora.rs` runs them on the committed inputs with
//! any compiler.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::run::{Failure, Outcome, heading, installed, program, root, run, succeeds, target};

const PACKAGE: &str = "cargo-fuzz@0.13.2";

/// The most seconds for one input.
const INPUT_SECONDS: u32 = 20;

/// Runs one target, or all of them in turn, each for as many minutes.
pub(crate) fn fuzz(name: Option<&str>, minutes: u32) -> Outcome {
    let all = targets()?;
    let names = match name {
        None => all,
        Some(name) if all.iter().any(|target| target == name) => vec![name.to_owned()],
        Some(name) => return Err(Failure::usage(&format!("no target `{name}`: there are {}", all.join(", ")))),
    };
    // The versions that the workspace uses. Cargo adds the library of libFuzzer.
    fs::copy(root().join("Cargo.lock"), root().join("fuzz/Cargo.lock"))?;
    let has_nightly = succeeds(program("rustup").args(["run", "nightly", "rustc", "--version"]));
    println!("Compiler: {}", if has_nightly { "nightly" } else { "the usual one, with RUSTC_BOOTSTRAP=1" });
    let mut failed = Vec::new();
    for name in names {
        heading(&format!("{name}, {minutes} min"));
        let mut command = cargo_fuzz()?;
        // `cargo-fuzz` calls the cargo on the `PATH`, which is rustup's.
        command.env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
        command.envs(if has_nightly { [("RUSTUP_TOOLCHAIN", "nightly")] } else { [("RUSTC_BOOTSTRAP", "1")] });
        if run(with_arguments(&mut command, &name, minutes)?).is_err() {
            failed.push(name);
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    let names = failed.join(", ");
    Err(Failure::new(format!(
        "findings or build errors of {names}: the inputs are in `fuzz/artifacts`; move them to `fuzz/regressions/TARGET`"
    )))
}

/// What libFuzzer finds is kept in the target folder. It only reads the committed inputs.
fn with_arguments<'c>(command: &'c mut Command, name: &str, minutes: u32) -> Outcome<&'c mut Command> {
    let corpus = std::path::absolute(target())?.join("fuzz/corpus").join(name);
    fs::create_dir_all(&corpus)?;
    let committed = ["seeds", "regressions"].map(|folder| root().join("fuzz").join(folder).join(name));
    command.args(["fuzz", "run", "--target-dir"]).arg(std::path::absolute(target())?.join("fuzz/build"));
    command.arg(name).arg(corpus).args(committed.iter().filter(|folder| folder.is_dir()));
    let seconds = minutes.saturating_mul(60);
    Ok(command.args(["--", &format!("-max_total_time={seconds}"), &format!("-timeout={INPUT_SECONDS}")]))
}

/// `cargo-fuzz` on the `PATH`, or else in the target folder.
fn cargo_fuzz() -> Outcome<Command> {
    if succeeds(program("cargo-fuzz").arg("--version")) { Ok(program("cargo-fuzz")) } else { installed(PACKAGE) }
}

/// The names of the targets, in the order of the alphabet.
fn targets() -> Outcome<Vec<String>> {
    let files = fs::read_dir(root().join("fuzz/fuzz_targets"))?.collect::<Result<Vec<_>, _>>()?;
    let name = |file: &Path| file.file_stem().and_then(OsStr::to_str).map(str::to_owned);
    let mut names: Vec<_> = files.iter().filter_map(|file| name(&file.path())).collect();
    names.sort();
    Ok(names)
}
