//! Runs cargo, and reads the fields of its JSON that are needed here.

use std::collections::HashSet;
use std::env;
use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;

use super::Selection;
use crate::Failure;
use crate::password::SECRET_VARIABLES;

/// The packages of a workspace and their dependencies: the output of `cargo metadata`.
#[derive(Deserialize)]
pub(super) struct Metadata {
    pub(super) packages: Vec<CargoPackage>,
    pub(super) workspace_root: PathBuf,
    workspace_members: HashSet<String>,
    pub(super) resolve: Resolve,
}

/// A package, with its dependencies as its manifest names them.
#[derive(Deserialize)]
pub(super) struct CargoPackage {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) manifest_path: PathBuf,
    pub(super) dependencies: Vec<Dependency>,
    pub(super) targets: Vec<CargoTarget>,
}

#[derive(Deserialize)]
pub(super) struct Dependency {
    pub(super) name: String,
    pub(super) rename: Option<String>,
    /// Whether a feature enables it.
    pub(super) optional: bool,
    /// `dev` or `build`. `None` for what the targets themselves use.
    pub(super) kind: Option<String>,
}

/// A target of a package.
#[derive(Deserialize)]
pub(crate) struct CargoTarget {
    /// Such as `lib` or `cdylib`. A library can have several.
    pub(super) kind: Vec<String>,
    pub(super) name: String,
    pub(super) src_path: PathBuf,
    #[serde(default, rename = "required-features")]
    pub(super) required_features: Vec<String>,
    /// Whether its unit tests run.
    pub(super) test: bool,
}

#[derive(Deserialize)]
pub(super) struct Resolve {
    pub(super) nodes: Vec<Node>,
}

/// A package with its features and dependencies as cargo resolves them.
#[derive(Deserialize)]
pub(super) struct Node {
    pub(super) id: String,
    pub(super) dependencies: Vec<String>,
    pub(super) features: HashSet<String>,
}

/// A target that was compiled: the message `compiler-artifact`, the only one with these fields.
#[derive(Deserialize)]
pub(super) struct Artifact {
    pub(super) manifest_path: PathBuf,
    pub(super) target: CargoTarget,
    pub(super) profile: Profile,
    pub(super) filenames: Vec<PathBuf>,
    /// The program, if it can be run.
    pub(super) executable: Option<PathBuf>,
}

#[derive(Deserialize)]
pub(super) struct Profile {
    /// Whether it is compiled with `cfg(test)`.
    pub(super) test: bool,
}

impl Metadata {
    /// Asks cargo.
    pub(super) fn load(selection: &Selection) -> Result<Self, Failure> {
        let mut command = command("metadata", selection);
        let output = command.args(["--format-version", "1"]).output().map_err(Failure::running("cargo"))?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            let failure = Failure::new(format!("cargo cannot read the project\n{}", message.trim_end()));
            return Err(failure.help("run the command in the folder of a package, or name one with `--manifest-path`"));
        }
        serde_json::from_slice(&output.stdout)
            .map_err(|error| Failure::new(format!("cannot read the output of `cargo metadata`: {error}")))
    }

    pub(super) fn workspace_packages(&self) -> impl Iterator<Item = &CargoPackage> {
        self.packages.iter().filter(|package| self.workspace_members.contains(&package.id))
    }
}

/// A command of cargo with the features of a selection.
pub(super) fn command(name: &str, selection: &Selection) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Build scripts are other people's programs.
    for name in SECRET_VARIABLES {
        command.env_remove(name);
    }
    command.arg(name);
    if let Some(path) = &selection.manifest_path {
        command.arg("--manifest-path").arg(path);
    }
    for features in &selection.features {
        command.args(["--features", features]);
    }
    let options = [
        (selection.all_features, "--all-features"),
        (selection.no_default_features, "--no-default-features"),
        (selection.locked, "--locked"),
        (selection.offline, "--offline"),
    ];
    command.args(options.iter().filter(|(is_set, _)| *is_set).map(|(_, option)| option));
    command
}
