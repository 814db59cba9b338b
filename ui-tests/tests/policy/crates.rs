//! Generated crates in a workspace in the target folder, and the messages of the compiler about each.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{cargo, must, workspace};

/// A workspace of generated packages.
pub(crate) struct Crates {
    pub(crate) folder: PathBuf,
    /// A target folder that these crates share, apart from that of the workspace, whose builds stay valid.
    target: PathBuf,
    /// The folder of redis-keys.
    pub(crate) library: PathBuf,
}

impl Crates {
    pub(crate) fn new(name: &str) -> Self {
        let workspace = workspace();
        let target = PathBuf::from(workspace["target_directory"].as_str().unwrap_or_default());
        let tests = target.join("tests").join("redis-keys");
        let root = PathBuf::from(workspace["workspace_root"].as_str().unwrap_or_default());
        let folder = tests.join(name);
        // Removes the crates of an earlier run.
        if folder.exists() {
            must(fs::remove_dir_all(&folder), &folder);
        }
        must(fs::create_dir_all(&folder), &folder);
        // The versions of the workspace, which are already downloaded.
        must(fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")), &folder);
        let library = root.join("redis-keys");
        let manifest = format!(
            "[workspace]\nresolver = '3'\nmembers = ['[a-z]*']\n[profile.dev]\ndebug = false\n\
             [workspace.dependencies.redis-keys]\npath = '{}'\ndefault-features = false\nfeatures = ['json']\n",
            library.display()
        );
        must(fs::write(folder.join("Cargo.toml"), manifest), &folder);
        Self { folder, target: tests.join("target"), library }
    }

    /// Adds a package with one binary, and returns its folder.
    pub(crate) fn add(&self, name: &str) -> PathBuf {
        let folder = self.folder.join(name);
        must(fs::create_dir_all(&folder), &folder);
        let manifest = format!(
            "[package]\nname = '{name}'\nversion = '0.0.0'\nedition = '2024'\n\
             [[bin]]\nname = '{name}'\npath = 'main.rs'\n\
             [dependencies]\nredis-keys.workspace = true\n"
        );
        must(fs::write(folder.join("Cargo.toml"), manifest), &folder);
        folder
    }

    /// Adds lines to a file of the workspace.
    pub(crate) fn append(&self, file: &str, lines: &str) {
        let path = self.folder.join(file);
        let text = fs::read_to_string(&path).unwrap_or_default() + lines;
        write(&path, &text);
    }

    /// Returns the messages of the compiler by binary.
    pub(crate) fn check(&self) -> BTreeMap<String, String> {
        let output = cargo()
            .args(["check", "--workspace", "--offline", "--keep-going", "--quiet", "--message-format=json"])
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", &self.target)
            // The flags of the test run must not apply.
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env_remove("RUSTFLAGS")
            .env("CARGO_INCREMENTAL", "0")
            .output()
            .unwrap_or_else(|error| panic!("cargo does not start: {error}"));
        let text = String::from_utf8_lossy(&output.stdout);
        let messages: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let finished = messages.iter().any(|message| message["reason"] == "build-finished");
        assert!(finished, "cargo built nothing:\n{}", String::from_utf8_lossy(&output.stderr));
        let mut texts: BTreeMap<String, String> = BTreeMap::new();
        for message in messages.iter().filter(|message| message["reason"] == "compiler-message") {
            let name = message["target"]["name"].as_str().unwrap_or_default().to_owned();
            let message = &message["message"];
            let is_summary = message["spans"].as_array().is_none_or(Vec::is_empty) && message["code"].is_null();
            if !is_summary {
                texts.entry(name).or_default().push_str(message["rendered"].as_str().unwrap_or_default());
            }
        }
        texts
    }
}

/// Writes a file and creates its folders.
pub(crate) fn write(path: &Path, text: &str) {
    must(fs::create_dir_all(path.parent().unwrap_or(path)), path);
    must(fs::write(path, text), path);
}
