//! Workspaces that a test writes.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{Ran, run_in};

/// A workspace in a folder of its own, which is removed at the end.
pub(crate) struct Workspace {
    folder: PathBuf,
}

impl Workspace {
    /// A workspace with these packages, each with its files besides `Cargo.toml`. All depend on a package that is
    /// called redis-keys, so that no registry is needed.
    pub(crate) fn new(name: &str, packages: &[(&str, &[(&str, &str)])]) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let workspace = Self { folder };
        workspace.write("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"packages/*\"]\n");
        workspace.package("redis-keys", "", &[("src/lib.rs", "")]);
        for (package, files) in packages {
            workspace.package(package, "\n[dependencies]\nredis-keys = { path = \"../redis-keys\" }\n", files);
        }
        workspace
    }

    fn package(&self, name: &str, more: &str, files: &[(&str, &str)]) {
        let manifest = format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{more}");
        self.write(&format!("packages/{name}/Cargo.toml"), &manifest);
        for (file, text) in files {
            self.write(&format!("packages/{name}/{file}"), text);
        }
    }

    /// Writes a file.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Makes a symbolic link, which need not lead anywhere.
    #[cfg(unix)]
    pub(crate) fn link(&self, to: &str, path: &str) {
        std::os::unix::fs::symlink(to, self.folder.join(path)).unwrap();
    }

    /// The text of a file.
    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.folder.join(path)).unwrap()
    }

    /// Runs the command in the folder of the workspace.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        run_in(&self.folder, arguments)
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
