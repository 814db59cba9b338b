//! Shared code of the tests that run cargo on generated crates.

use std::path::{Path, PathBuf};
use std::{env, process};

use serde_json::Value;

/// Returns the folder of this package, even if it was moved after the build.
pub(crate) fn manifest_dir() -> PathBuf {
    env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from)
}

/// Returns the metadata of this workspace.
pub(crate) fn workspace() -> Value {
    let output = cargo()
        .args(["metadata", "--no-deps", "--offline", "--format-version=1"])
        .current_dir(manifest_dir())
        .output()
        .unwrap_or_else(|error| panic!("cargo does not start: {error}"));
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// Returns the cargo that runs the tests.
pub(crate) fn cargo() -> process::Command {
    process::Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Asserts that an operation on a file succeeded.
pub(crate) fn must<T>(result: std::io::Result<T>, path: &Path) {
    if let Err(error) = result {
        panic!("{}: {error}", path.display());
    }
}
