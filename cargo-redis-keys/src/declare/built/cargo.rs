//! Runs `cargo check`, or compiles unit tests.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::wrapper;
use crate::Failure;
use crate::declare::Selection;
use crate::declare::cargo::{self, Artifact};
use crate::declare::sources::{Project, TargetKind};

/// A target that was compiled, and the output of its derives.
pub(super) struct Artefact {
    /// The package's name.
    pub(super) package: String,
    /// The target, as in `lib:shop`.
    pub(super) target: String,
    /// The file to which the derives have written.
    pub(super) file: PathBuf,
    /// Whether its keys are wanted. The types of the other packages are used.
    pub(super) is_selected: bool,
    /// Whether it is compiled with `cfg(test)`, as unit tests are.
    pub(super) is_test: bool,
    /// The program, if it can be run.
    pub(super) program: Option<PathBuf>,
    /// The package's folder.
    pub(super) folder: PathBuf,
}

/// Checks the selected targets, and names the targets that were compiled, now or before.
pub(super) fn check(selection: &Selection, project: &Project) -> Result<Vec<Artefact>, Failure> {
    let failure = || {
        Failure::new("the project does not compile, so its keys are not known")
            .help("mend the errors above, or leave out `--built` to read the sources alone")
    };
    compile(command("check", selection, project)?, failure, selection, project)
}

/// Compiles the unit tests of the selected targets, with tests that the derives write.
pub(super) fn test(selection: &Selection, project: &Project) -> Result<Vec<Artefact>, Failure> {
    let packages = project.naming_redis_keys();
    let help = if packages.is_empty() {
        "mend the errors above; add `redis-keys` to the package's `[dependencies]`, even if another package re-exports \
         it: otherwise cargo cannot enable its feature `values` here"
    } else {
        "mend the errors above"
    };
    let failure = || Failure::new("the project's unit tests do not compile, so its values are not known").help(help);
    let mut command = command("test", selection, project)?;
    command.arg("--no-run").env(wrapper::VALUES, "1");
    // Cargo enables features only in the manifests of the packages that it is asked for.
    for package in packages.iter().filter(|package| !package.is_selected) {
        command.args(["--package", &package.name]);
    }
    let features: BTreeSet<_> = packages.iter().filter_map(|package| package.feature_of_redis_keys("values")).collect();
    for feature in features {
        command.args(["--features", &feature]);
    }
    compile(command, failure, selection, project)
}

/// Runs a command of cargo that compiles, and names the artefacts.
fn compile(
    mut command: Command,
    failure: impl Fn() -> Failure,
    selection: &Selection,
    project: &Project,
) -> Result<Vec<Artefact>, Failure> {
    let mut child = command.stdout(Stdio::piped()).stdin(Stdio::null()).spawn().map_err(Failure::running("cargo"))?;
    let mut artifacts: Vec<Artifact> = Vec::new();
    for line in child.stdout.take().into_iter().flat_map(|stdout| BufReader::new(stdout).lines()) {
        artifacts.extend(serde_json::from_str(&line.map_err(Failure::running("cargo"))?).ok());
    }
    if !child.wait().map_err(Failure::running("cargo"))?.success() {
        return Err(failure());
    }
    let mut found = Vec::new();
    for artifact in artifacts {
        found.extend(named(selection, project, artifact)?);
    }
    // A key that is also compiled without `cfg(test)` belongs to the other artefact.
    found.sort_by_key(|artefact| artefact.is_test);
    Ok(found)
}

/// The artefact of a target that matters.
fn named(selection: &Selection, project: &Project, artifact: Artifact) -> Result<Option<Artefact>, Failure> {
    let folder = artifact.manifest_path.parent();
    let package = project.packages.iter().find(|package| folder == Some(&package.folder));
    let (Some(package), Some(kind)) = (package, TargetKind::of(&artifact.target)) else { return Ok(None) };
    let Some(file) = artifact.filenames.iter().find_map(|file| wrapper::beside(file)) else {
        let message = format!("the catalogue of {} `{}` is missing", kind.name(), artifact.target.name);
        return Err(Failure::new(message).help(format!("run `cargo clean -p {}`, and try again", package.name)));
    };
    Ok(Some(Artefact {
        package: package.name.clone(),
        target: format!("{}:{}", kind.name(), artifact.target.name),
        file,
        is_selected: kind.is_selected(selection) && package.is_selected,
        is_test: artifact.profile.test,
        program: artifact.executable,
        folder: package.folder.clone(),
    }))
}

fn command(name: &str, selection: &Selection, project: &Project) -> Result<Command, Failure> {
    let own = env::current_exe().map_err(|error| Failure::new(format!("cannot find this program: {error}")))?;
    let mut command = cargo::command(name, selection);
    command.args(["--message-format=json-render-diagnostics", "--bins"]);
    // Cargo rejects `--lib` if there is none.
    let has_library = project.targets.iter().any(|target| target.kind == TargetKind::Lib && target.package.is_selected);
    for (is_set, option) in [
        (has_library, "--lib"),
        (selection.package.is_empty(), "--workspace"),
        (selection.tests, "--tests"),
        (selection.examples, "--examples"),
        (selection.benches, "--benches"),
    ] {
        if is_set {
            command.arg(option);
        }
    }
    for package in &selection.package {
        command.args(["--package", package]);
    }
    command.env("RUSTC_WORKSPACE_WRAPPER", own).env(wrapper::WRAPPER, "1");
    // A cache such as sccache would skip the derives. Cargo takes an empty wrapper for none.
    command.env("RUSTC_WRAPPER", "");
    match env::var_os("RUSTC_WORKSPACE_WRAPPER").filter(|inner| *inner != OsString::new()) {
        Some(inner) => command.env(wrapper::INNER, inner),
        None => command.env_remove(wrapper::INNER),
    };
    Ok(command)
}
