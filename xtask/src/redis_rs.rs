//! `cargo xtask test --redis-rs 2`: the library and its tests with the next version of redis-rs.
//!
//! A copy of the workspace in the target folder gets that version. Items with `#[cfg(not(redis_rs_2))]` are left out there:
//! they need other crates, or constructors, that do not exist for it yet.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{Failure, Outcome, cargo, heading, program, root, run, target};
use crate::server;

/// The parts of lines that change, with their files. With TLS, version 2 has no certificates unless a feature names them. The tool
/// builds with version 1 only.
const LINES: [(&str, &str, &str); 6] = [
    (
        "Cargo.toml",
        "redis = { version = \"1.8\", default-features = false }",
        "redis = { version = \"=2.0.0-rc.2\", default-features = false, features = [\"tls-rustls-webpki-roots\"] }",
    ),
    (
        "Cargo.toml",
        "redis-test = { version = \"1.0.4\", default-features = false }",
        "redis-test = { version = \"=2.0.0-rc.1\", default-features = false }",
    ),
    (
        "tests/Cargo.toml",
        "cargo-redis-keys = { workspace = true, features = [\"audit\"] }",
        "cargo-redis-keys = { workspace = true }",
    ),
    (
        "tests/tests/integration/connections/tls.rs",
        "TlsCertificates { client_tls: None, root_cert: Some(AUTHORITY.to_vec()) }",
        "TlsCertificates::new().root_cert(AUTHORITY.to_vec())",
    ),
    ("tests/tests/integration/batches/by_node.rs", "(RandomReplicaStrategy)", "(RandomReplicaStrategy::new())"),
    ("tests/tests/integration/scan.rs", "(RandomReplicaStrategy)", "(RandomReplicaStrategy::new())"),
];

/// The mark of items that are left out.
const LEFT_OUT: &str = "#[cfg(not(redis_rs_2))]";

/// Runs the library's unit tests and the integration tests with the next version.
pub(crate) fn test(server: &Path) -> Outcome {
    let copy = copy()?;
    heading("Unit tests of the library, with redis-rs 2");
    run(cargo_in(&copy).args(["test", "--package", "redis-keys", "--all-features", "--lib"]))?;
    heading("Integration tests, with redis-rs 2");
    run(cargo_in(&copy)
        .args(["test", "--package", "redis-keys-tests", "--all-features", "--test", "integration"])
        .env(server::VARIABLE, server))
}

fn cargo_in(folder: &Path) -> Command {
    let mut command = cargo();
    command.current_dir(folder).env("CARGO_TARGET_DIR", target().join("redis-rs-2-target"));
    command
}

/// Copies the files of the repository, in place of an earlier copy.
fn copy() -> Outcome<PathBuf> {
    let copy = target().join("redis-rs-2");
    if copy.exists() {
        fs::remove_dir_all(&copy)?;
    }
    let output = program("git").args(["ls-files", "-z"]).output()?;
    if !output.status.success() {
        return Err(Failure::new("failed: git ls-files"));
    }
    for name in String::from_utf8_lossy(&output.stdout).split_terminator('\0') {
        let (from, to) = (root().join(name), copy.join(name));
        let Ok(mut content) = fs::read(&from) else { continue };
        if let Ok(text) = str::from_utf8(&content) {
            content = with_lines(name, text)?.replace(LEFT_OUT, "#[cfg(any())]").into_bytes();
        }
        fs::create_dir_all(to.parent().unwrap_or(&copy))?;
        // The copy keeps the permissions: some files are programs.
        fs::copy(&from, &to)?;
        fs::write(to, content)?;
    }
    Ok(copy)
}

/// The text of a file with the lines of version 2.
fn with_lines(name: &str, text: &str) -> Outcome<String> {
    let mut text = text.to_owned();
    for (_, line, other) in LINES.iter().filter(|(file, ..)| *file == name) {
        if !text.contains(line) {
            return Err(Failure::new(format!("{name} lacks `{line}`")));
        }
        text = text.replace(line, other);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_have_the_lines_that_change() {
        for (name, _, other) in LINES {
            let manifest = fs::read_to_string(root().join(name)).map_err(|error| error.to_string());
            let changed =
                manifest.and_then(|manifest| with_lines(name, &manifest).map_err(|failure| failure.to_string()));
            assert!(changed.is_ok_and(|manifest| manifest.contains(other)), "{name}");
        }
    }
}
