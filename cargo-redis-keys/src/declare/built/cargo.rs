//! Runs `cargo check`.

use std::env;
use std::ffi::OsString;
use std::io::BufReader;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use cargo_metadata::Message;

use super::wrapper;
use crate::Failure;
use crate::declare::Selection;
use crate::declare::sources::{Project, TargetKind, cargo_options};
use crate::password::SECRET_VARIABLES;

/// A target that was compiled, and the output of its derives.
pub(super) struct Artefact {
    /// The name of the package.
    pub(super) package: String,
    /// The target, as in `lib:shop`.
    pub(super) target: String,
    /// The file to which the derives have written.
    pub(super) file: PathBuf,
    /// Whether its keys are wanted. The types of the other packages are used.
    pub(super) is_selected: bool,
    /// Whether it is compiled with `cfg(test)`, as unit tests are.
    pub(super) is_test: bool,
}

/// Checks the selected targets, and names what has been compiled, now or before.
pub(super) fn check(selection: &Selection, project: &Project) -> Result<Vec<Artefact>, Failure> {
    let mut command = command(selection, project)?;
    let cannot = |error: std::io::Error| Failure::new(format!("cannot run cargo: {error}"));
    let mut child = command.stdout(Stdio::piped()).stdin(Stdio::null()).spawn().map_err(cannot)?;
    let mut artefacts = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        for message in Message::parse_stream(BufReader::new(stdout)) {
            if let Message::CompilerArtifact(artefact) = message.map_err(cannot)? {
                artefacts.push(artefact);
            }
        }
    }
    if !child.wait().map_err(cannot)?.success() {
        return Err(Failure::new("the project does not compile, so its keys are not known")
            .help("mend the errors above, or leave out `--built` to read the sources alone"));
    }
    let mut found = Vec::new();
    for artefact in artefacts {
        found.extend(named(selection, project, &artefact)?);
    }
    // A key that is also compiled without `cfg(test)` is that of the other artefact.
    found.sort_by_key(|artefact| artefact.is_test);
    Ok(found)
}

/// The artefact of a target that matters.
fn named(
    selection: &Selection,
    project: &Project,
    artefact: &cargo_metadata::Artifact,
) -> Result<Option<Artefact>, Failure> {
    let manifest = artefact.manifest_path.as_std_path();
    let package = project.packages.iter().find(|package| manifest.parent() == Some(&package.folder));
    let (Some(package), Some(kind)) = (package, TargetKind::of(&artefact.target)) else { return Ok(None) };
    let is_wanted = match kind {
        TargetKind::Lib | TargetKind::Bin => true,
        TargetKind::Test => selection.tests,
        TargetKind::Example => selection.examples,
        TargetKind::Bench => selection.benches,
    };
    let file = artefact.filenames.iter().find_map(|file| wrapper::beside(file.as_std_path()));
    let Some(file) = file else {
        let message = format!("the catalogue of {} `{}` is missing", kind.name(), artefact.target.name);
        return Err(Failure::new(message).help(format!("run `cargo clean -p {}`, and try again", package.name)));
    };
    Ok(Some(Artefact {
        package: package.name.clone(),
        target: format!("{}:{}", kind.name(), artefact.target.name),
        file,
        is_selected: is_wanted && package.is_selected,
        is_test: artefact.profile.test,
    }))
}

fn command(selection: &Selection, project: &Project) -> Result<Command, Failure> {
    let own = env::current_exe().map_err(|error| Failure::new(format!("cannot find this program: {error}")))?;
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Build scripts are other people's programs.
    for name in SECRET_VARIABLES {
        command.env_remove(name);
    }
    command.args(["check", "--message-format=json-render-diagnostics", "--bins"]);
    // Cargo rejects the option if there is none.
    if project.targets.iter().any(|target| target.kind == TargetKind::Lib && target.package.is_selected) {
        command.arg("--lib");
    }
    if let Some(path) = &selection.manifest_path {
        command.arg("--manifest-path").arg(path);
    }
    if selection.package.is_empty() {
        command.arg("--workspace");
    }
    command.args(cargo_options(selection));
    for package in &selection.package {
        command.args(["--package", package]);
    }
    for features in &selection.features {
        command.args(["--features", features]);
    }
    for (is_set, option) in [
        (selection.all_features, "--all-features"),
        (selection.no_default_features, "--no-default-features"),
        (selection.tests, "--tests"),
        (selection.examples, "--examples"),
        (selection.benches, "--benches"),
    ] {
        if is_set {
            command.arg(option);
        }
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
