//! The servers of all versions that must work.

use std::path::PathBuf;
use std::process::Stdio;

use crate::run::{Failure, Outcome, heading, program, root};

/// A script outside of this repository that puts servers of several versions on this machine, and prints `NAME=PATH   # VERSION`
/// for each.
const SCRIPT: &str = "../shared/servers/fetch";

/// The binaries of all servers that the script finds.
pub(crate) fn all() -> Outcome<Vec<PathBuf>> {
    if !root().join(SCRIPT).is_file() {
        return Err(Failure::new(format!(
            "--all-servers takes its servers from the script `{SCRIPT}`, and that is not here.\n\
             Run `cargo xtask test --server PATH` once for each server instead."
        )));
    }
    heading(&format!("servers, from {SCRIPT}"));
    let output = program(root().join(SCRIPT)).stderr(Stdio::inherit()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}");
    let paths: Vec<PathBuf> = text.lines().filter_map(path).collect();
    if paths.is_empty() || !output.status.success() {
        return Err(Failure::new(format!("`{SCRIPT}` found no servers")));
    }
    Ok(paths)
}

fn path(line: &str) -> Option<PathBuf> {
    let (_name, rest) = line.split_once('=')?;
    let path = rest.split("   #").next()?.trim();
    (!path.is_empty()).then(|| path.into())
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn lines_of_the_script() {
        assert_eq!(path("redis-6.2=/a b/redis-6.2   # Redis server v=6.2.14"), Some("/a b/redis-6.2".into()));
        assert_eq!(path("valkey-9.1=/a/valkey"), Some("/a/valkey".into()));
        assert_eq!(path("redis-8.2 is not to be had here"), None);
        assert_eq!(path("redis-8.2="), None);
    }
}
