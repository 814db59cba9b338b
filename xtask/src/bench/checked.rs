//! A workspace of generated crates, and how long `cargo check` takes for each.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::topic::fastest;
use crate::run::{Failure, Outcome, cargo, root, run, status, target};

/// A generated crate: its name and its source.
pub(super) struct Package {
    pub(super) name: &'static str,
    pub(super) source: String,
}

/// The workspace, in a folder of its own.
pub(super) struct Workspace {
    pub(super) folder: PathBuf,
    packages: Vec<Package>,
}

impl Workspace {
    pub(super) fn new(name: &str, packages: Vec<Package>) -> Outcome<Self> {
        let folder = target().join("bench").join(name);
        let library = root().join("redis-keys").canonicalize()?;
        for Package { name, source } in &packages {
            fs::create_dir_all(folder.join(name))?;
            fs::write(main_file(&folder, name), source)?;
            let manifest = format!(
                "[package]\nname = \"keys-{name}\"\nedition = \"2024\"\n[[bin]]\nname = \"{name}\"\npath = \"main.rs\"\n\
                 [dependencies]\nserde = {{ version = \"1\", features = [\"derive\"] }}\nredis-keys = {{ path = '{}' }}\n",
                library.display()
            );
            fs::write(folder.join(name).join("Cargo.toml"), manifest)?;
        }
        let members = packages.iter().map(|package| format!("'{}'", package.name)).collect::<Vec<_>>().join(", ");
        fs::write(folder.join("Cargo.toml"), format!("[workspace]\nresolver = \"3\"\nmembers = [{members}]\n"))?;
        fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
        Ok(Self { folder, packages })
    }

    /// The milliseconds that a check of each package takes, in turns, the fastest of so many runs.
    pub(super) fn measure(&self, runs: usize) -> Outcome<Vec<f64>> {
        let folder = &self.folder;
        run(cargo().args(["check", "--quiet"]).current_dir(folder).env("CARGO_TARGET_DIR", folder.join("target")))?;
        let mut times = vec![Vec::new(); self.packages.len()];
        for round in 1..=runs {
            let mut shown = Vec::new();
            for (package, times) in self.packages.iter().zip(&mut times) {
                let time = self.check(package)?;
                shown.push(format!("{} {:.3} s", package.name, time / 1_000.0));
                times.push(time);
            }
            println!("run {round} of {runs}: {}", shown.join(", "));
        }
        Ok(times.iter().map(|times| fastest(times)).collect())
    }

    fn check(&self, Package { name, source }: &Package) -> Outcome<f64> {
        let file = main_file(&self.folder, name);
        // A new file time makes cargo look again.
        fs::write(&file, source)?;
        let started = Instant::now();
        let mut command = cargo();
        command.args(["check", "--quiet", "--offline"]).current_dir(self.folder.join(name));
        command.env("CARGO_INCREMENTAL", "0").env("CARGO_TARGET_DIR", self.folder.join("target"));
        if !status(&mut command)?.success() {
            return Err(Failure::new(format!("the generated crate `{}` does not compile", file.display())));
        }
        Ok(started.elapsed().as_secs_f64() * 1_000.0)
    }
}

fn main_file(folder: &Path, name: &str) -> PathBuf {
    folder.join(name).join("main.rs")
}
