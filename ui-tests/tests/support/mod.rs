//! What all tests need that run cargo on crates of their own.

use std::path::{Path, PathBuf};
use std::{env, process};

use serde_json::Value;

/// The folder of this package, wherever it has been moved to since it was built.
pub(crate) fn manifest_dir() -> PathBuf {
    env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from)
}

/// What cargo says of this workspace.
pub(crate) fn workspace() -> Value {
    let output = cargo()
        .args(["metadata", "--no-deps", "--offline", "--format-version=1"])
        .current_dir(manifest_dir())
        .output()
        .unwrap_or_else(|error| panic!("cargo does not start: {error}"));
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// The cargo that tests us.
pub(crate) fn cargo() -> process::Command {
    process::Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// What must not fail.
pub(crate) fn must<T>(done: std::io::Result<T>, path: &Path) {
    if let Err(error) = done {
        panic!("{}: {error}", path.display());
    }
}
