//! The tests of accessors, run as the user that `cargo redis-keys acl` prints for the declarations of these tests.

use std::fs;
use std::path::{Path, PathBuf};

use crate::run::{Failure, Outcome, built_tool, cargo, run, target};
use crate::server;
use crate::test::{TESTS, WAITING};

/// The tests of accessors. The others inspect and change servers, or make connections for users of their own.
const ACCESSORS: [&str; 20] = [
    "batches::",
    "bitmaps::",
    "blooms::",
    "cache::accessors::",
    "channels::",
    "copies::",
    "geo::",
    "hashes::",
    "hyperloglogs::",
    "jobs::",
    "limit::",
    "lists::",
    "lock::",
    "records::",
    "secrets::",
    "sets::",
    "streams::",
    "strings::",
    "whole::",
    "zsets::",
];

/// It changes what the default user may do.
const LEFT_OUT: &str = "batches::atomic::a_forbidden_command_prevents_the_whole_group";

/// Runs the tests on a server.
pub(crate) fn check(binary: &Path) -> Outcome {
    let file = rules(binary)?;
    let mut command = cargo();
    command.args(TESTS).args(["--test", WAITING, "--"]).args(ACCESSORS).args(["--skip", LEFT_OUT]);
    run(command.env(server::VARIABLE, binary).env("REDIS_KEYS_TEST_USER", std::path::absolute(file)?))
}

/// The file with the user's rules. Macros write many of the declarations, so the project is compiled.
fn rules(binary: &Path) -> Outcome<PathBuf> {
    let version = version(&server::version(binary).unwrap_or_default());
    let mut tool = built_tool()?;
    tool.args(["acl", "--user", "tests", "--server", version]);
    tool.args(["--package", "redis-keys-tests", "--all-features", "--tests", "--built"]);
    let output = tool.output()?;
    if !output.status.success() {
        return Err(Failure::new(String::from_utf8_lossy(&output.stderr)));
    }
    let file = target().join(format!("server-user-{version}"));
    fs::write(&file, output.stdout)?;
    Ok(file)
}

/// The version as `acl` names it.
fn version(text: &str) -> &'static str {
    let number = text.split("v=").nth(1).unwrap_or_default();
    match number.split('.').next().and_then(|major| major.parse().ok()) {
        Some(..7) => "6.2",
        Some(7) if number.starts_with("7.0") => "7.0",
        Some(7) if number.starts_with("7.2") => "7.2",
        _ if text.starts_with("Valkey") && number.starts_with('8') => "7.2",
        _ => "7.4",
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn servers_have_the_version_of_their_commands() {
        for (text, version) in [
            ("Redis server v=6.2.14", "6.2"),
            ("Redis server v=7.0.15", "7.0"),
            ("Redis server v=7.4.1", "7.4"),
            ("Redis server v=8.2.3", "7.4"),
            ("Valkey server v=7.2.5", "7.2"),
            ("Valkey server v=8.1.0", "7.2"),
            ("Valkey server v=9.1.2", "7.4"),
        ] {
            assert_eq!(super::version(text), version, "{text}");
        }
    }
}
