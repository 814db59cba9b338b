//! Workspaces of `tests/fixtures`, copied to a folder where cargo may write.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::command::Ran;

/// A copy of a workspace. There is only one at a time: to cargo, the packages of several copies are the same, and older
/// files than what it has compiled of another copy need not be compiled.
pub(crate) struct Fixture {
    folder: PathBuf,
    _only: MutexGuard<'static, ()>,
}

impl Fixture {
    /// Copies the workspace `name` to a folder of the test's own.
    pub(crate) fn new(name: &str, test: &str) -> Self {
        static ONLY: Mutex<()> = Mutex::new(());
        let only = ONLY.lock().unwrap_or_else(PoisonError::into_inner);
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fixtures").join(format!("{name}-{test}"));
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        copy(&manifest.join("tests").join("fixtures").join(name), &folder);
        // The versions of the project itself, so that nothing need be fetched.
        fs::copy(manifest.join("..").join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
        Self { folder, _only: only }
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Changes a file.
    pub(crate) fn change(&self, file: &str, change: impl FnOnce(String) -> String) {
        let path = self.folder.join(file);
        fs::write(&path, change(fs::read_to_string(&path).unwrap())).unwrap();
    }

    /// The command in the folder. What it compiles is kept for the next run of the tests.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-redis-keys"));
        command
            .args(arguments)
            .current_dir(&self.folder)
            .env("CARGO_TERM_QUIET", "true")
            .env("CARGO_NET_OFFLINE", "true");
        command.env("CARGO_TARGET_DIR", self.folder.with_file_name("target"));
        command
    }

    /// Runs the command in the folder.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(&mut self.command(arguments))
    }
}

/// Copies a folder, with the path to redis-keys in its manifests.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let copied = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &copied);
        } else {
            let redis_keys = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("redis-keys");
            let text = fs::read_to_string(&path).unwrap();
            fs::write(copied, text.replace("REDIS_KEYS", &redis_keys.to_string_lossy().replace('\\', "/"))).unwrap();
        }
    }
}
