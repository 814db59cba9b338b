//! A generated crate in the target folder, and the errors of the compiler.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{cargo, must, workspace};

/// An error with its place: lines and columns counted from 1, columns in characters, the last one after the end.
#[derive(Debug)]
pub(crate) struct Error {
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The message, the label of the underline, the notes and the helps.
    pub(crate) text: String,
    /// The lines and columns in the same file that the notes show.
    pub(crate) shown: Vec<(usize, usize, usize)>,
}

impl Error {
    /// Returns `None` for other messages than errors, and for a summary of errors.
    fn read(message: &Value) -> Option<Self> {
        let places = message["spans"].as_array()?;
        if message["level"] != "error" || message["message"].as_str()?.starts_with("aborting due to") {
            return None;
        }
        let primary = places.iter().find(|place| place["is_primary"] == true);
        let label = primary.and_then(|place| place["label"].as_str()).unwrap_or_default();
        let mut text = format!("{}\n{label}", message["message"].as_str()?);
        for child in message["children"].as_array().into_iter().flatten() {
            let _ = write!(text, "\n{}: {}", child["level"].as_str()?, child["message"].as_str()?);
        }
        let file = primary.map(|place| &place["file_name"]);
        let shown = message["children"].as_array().into_iter().flatten().filter_map(|child| child["spans"].as_array());
        let shown = shown.flatten().filter(|place| Some(&place["file_name"]) == file).filter_map(|place| {
            let number = |name: &str| place[name].as_u64()?.try_into().ok();
            Some((number("line_start")?, number("column_start")?, number("column_end")?))
        });
        let shown = shown.collect();
        let number = |name: &str| primary.and_then(|place| place[name].as_u64()?.try_into().ok()).unwrap_or(0);
        let one_line = number("line_start") == number("line_end");
        Some(Self {
            file: primary.and_then(|place| place["file_name"].as_str()).unwrap_or_default().into(),
            line: number("line_start"),
            start: number("column_start"),
            end: if one_line { number("column_end") } else { usize::MAX },
            text,
            shown,
        })
    }

    pub(crate) fn heading(&self) -> &str {
        self.text.lines().next().unwrap_or_default()
    }

    pub(crate) fn is_in(&self, path: &Path) -> bool {
        let same = |file: &Path| Some(file.canonicalize().ok()? == path.canonicalize().ok()?);
        same(&self.file).unwrap_or(false)
    }
}

/// Only `Build` evaluates constants that depend on type parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Command {
    Check,
    Build,
}

/// A crate with one binary for each source.
pub(crate) struct Project {
    folder: PathBuf,
    /// A target folder that these crates share, apart from that of the workspace, whose builds stay valid.
    target: PathBuf,
    manifest: String,
}

impl Project {
    /// `library` is the name that redis-keys has in the crate.
    pub(crate) fn new(name: &str, library: &str, sources: &[&Path]) -> Self {
        let workspace = workspace();
        let target = PathBuf::from(workspace["target_directory"].as_str().unwrap_or_default());
        let tests = target.join("tests").join("redis-keys");
        let root = PathBuf::from(workspace["workspace_root"].as_str().unwrap_or_default());
        let folder = tests.join(name);
        must(fs::create_dir_all(&folder), &folder);
        // The versions of the workspace, which are already downloaded.
        must(fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")), &folder);
        let manifest = format!(
            "[package]\nname = '{name}'\nversion = '0.0.0'\nedition = '2024'\n[workspace]\n[profile.dev]\ndebug = false\n\
             [dependencies.{library}]\npackage = 'redis-keys'\npath = '{}'\n\
             default-features = false\nfeatures = ['json']\n",
            root.join("redis-keys").display()
        );
        sources.iter().fold(Self { folder, target: tests.join("target"), manifest }, |project, source| {
            project.with_binary(source)
        })
    }

    /// Adds a binary with a generated source.
    pub(crate) fn with_source(self, file: &str, text: &str) -> Self {
        let path = self.folder.join(file);
        must(fs::write(&path, text), &path);
        self.with_binary(&path)
    }

    /// Adds a library on which the binaries depend.
    pub(crate) fn with_library(mut self, text: &str) -> Self {
        let path = self.folder.join("lib.rs");
        must(fs::write(&path, text), &path);
        self.manifest.push_str("[lib]\npath = 'lib.rs'\n");
        self
    }

    fn with_binary(mut self, path: &Path) -> Self {
        let name = path.file_stem().unwrap_or_default().display();
        let _ = write!(self.manifest, "[[bin]]\nname = '{name}'\npath = '{}'\n", path.display());
        self
    }

    /// Runs cargo and returns the errors of all binaries.
    pub(crate) fn run(&self, command: Command) -> Vec<Error> {
        let manifest = self.folder.join("Cargo.toml");
        must(fs::write(&manifest, &self.manifest), &manifest);
        let command = match command {
            Command::Check => "check",
            Command::Build => "build",
        };
        let output = cargo()
            .args([command, "--offline", "--bins", "--keep-going", "--quiet", "--message-format=json"])
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", &self.target)
            // The flags of the test run must not apply.
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env("CARGO_INCREMENTAL", "0")
            .output()
            .unwrap_or_else(|error| panic!("cargo does not start: {error}"));
        let stdout = String::from_utf8_lossy(&output.stdout);
        let messages = stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let (mut errors, mut finished) = (Vec::new(), false);
        for message in messages {
            match message["reason"].as_str() {
                Some("compiler-message") => errors.extend(Error::read(&message["message"])),
                Some("build-finished") => finished = true,
                _ => {}
            }
        }
        assert!(finished, "cargo built nothing:\n{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.success(), errors.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        errors
    }
}
