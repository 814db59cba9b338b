//! The packages of a workspace and their targets, as cargo names them.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::rc::Rc;

use cargo_metadata::{CargoOpt, Metadata, MetadataCommand, PackageId};
use redis_keys_syntax::policy::{self, Document, PolicyFile};

use crate::Failure;
use crate::declare::Selection;

/// The packages of a workspace and their targets.
pub(crate) struct Project {
    /// The folder of the workspace.
    pub(crate) root: PathBuf,
    /// All packages of the workspace.
    pub(crate) packages: Vec<Rc<Package>>,
    /// The libraries and programs of all packages, which can declare macros and types of parameters, and the other
    /// selected targets.
    pub(crate) targets: Vec<Rc<Target>>,
}

/// A package of the workspace.
#[derive(Default)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    /// The policy file that applies to it.
    pub(crate) policy_file: Option<PolicyFile>,
    pub(crate) policy: Document,
    /// Whether the command is about it.
    pub(crate) is_selected: bool,
    /// The features that are enabled.
    pub(super) features: HashSet<String>,
    /// Whether what other features and platforms declare is read as well.
    pub(super) any_condition: bool,
    /// The name of each dependency in the sources, and its name as a crate.
    pub(super) dependencies: HashMap<String, String>,
    /// Whether it depends on redis-keys, directly or through other packages.
    pub(super) uses_redis_keys: bool,
}

/// A target of a package.
pub(crate) struct Target {
    pub(crate) package: Rc<Package>,
    pub(crate) kind: TargetKind,
    pub(crate) name: String,
    /// The root file.
    pub(super) root: PathBuf,
    /// Whether its unit tests are read as well, in a second walk. A test is read once, with `cfg(test)`.
    pub(super) has_tests: bool,
}

/// The kind of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum TargetKind {
    /// A library, also one of derives.
    Lib,
    /// A program.
    Bin,
    /// An integration test.
    Test,
    /// An example.
    Example,
    /// A benchmark.
    Bench,
}

impl TargetKind {
    /// The name, as in `lib:shop`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Lib => "lib",
            Self::Bin => "bin",
            Self::Test => "test",
            Self::Example => "example",
            Self::Bench => "bench",
        }
    }

    /// The kind of a target of cargo. `None` for build scripts.
    pub(crate) fn of(target: &cargo_metadata::Target) -> Option<Self> {
        use cargo_metadata::TargetKind as Kind;
        target.kind.iter().find_map(|kind| match kind {
            Kind::Lib | Kind::RLib | Kind::DyLib | Kind::CDyLib | Kind::StaticLib | Kind::ProcMacro => Some(Self::Lib),
            Kind::Bin => Some(Self::Bin),
            Kind::Test => Some(Self::Test),
            Kind::Example => Some(Self::Example),
            Kind::Bench => Some(Self::Bench),
            _ => None,
        })
    }
}

impl Package {
    /// The client of Redis that it depends on, if it sends commands by itself.
    pub(crate) fn redis_client(&self) -> Option<&str> {
        const CLIENTS: [&str; 6] = ["redis", "deadpool_redis", "bb8_redis", "r2d2_redis", "mobc_redis", "fred"];
        CLIENTS.into_iter().find(|client| self.dependencies.values().any(|dependency| dependency == client))
    }
}

impl Target {
    /// The text that names it in the catalog: `lib:shop`.
    pub(crate) fn id(&self) -> String {
        format!("{}:{}", self.kind.name(), self.name)
    }
}

impl Project {
    /// Asks cargo for the packages.
    pub(crate) fn load(selection: &Selection) -> Result<Self, Failure> {
        let metadata = metadata(selection)?;
        check_names(selection, &metadata)?;
        let users = users_of_redis_keys(&metadata);
        let (mut packages, mut targets) = (Vec::new(), Vec::new());
        for data in metadata.workspace_packages() {
            let package = Rc::new(package(data, &metadata, selection, &users));
            for target in &data.targets {
                targets.extend(Target::new(target, &package, selection).map(Rc::new));
            }
            packages.push(package);
        }
        Ok(Self { root: metadata.workspace_root.into_std_path_buf(), packages, targets })
    }
}

fn metadata(selection: &Selection) -> Result<Metadata, Failure> {
    let mut command = MetadataCommand::new();
    if let Some(path) = &selection.manifest_path {
        command.manifest_path(path);
    }
    if !selection.features.is_empty() {
        command.features(CargoOpt::SomeFeatures(selection.features.clone()));
    }
    if selection.all_features {
        command.features(CargoOpt::AllFeatures);
    }
    if selection.no_default_features {
        command.features(CargoOpt::NoDefaultFeatures);
    }
    command.other_options(cargo_options(selection));
    command.exec().map_err(|error| match error {
        cargo_metadata::Error::CargoMetadata { stderr } => {
            let failure = Failure::new(format!("cargo cannot read the project\n{}", stderr.trim_end()));
            failure.help("run the command in the folder of a package, or name one with `--manifest-path`")
        }
        error => Failure::new(format!("cannot run cargo: {error}")),
    })
}

/// The options that say how cargo resolves dependencies.
pub(crate) fn cargo_options(selection: &Selection) -> Vec<String> {
    let options = [(selection.locked, "--locked"), (selection.offline, "--offline")];
    options.into_iter().filter(|(is_set, _)| *is_set).map(|(_, option)| option.to_owned()).collect()
}

/// Rejects the name of a package that is not there.
fn check_names(selection: &Selection, metadata: &Metadata) -> Result<(), Failure> {
    let names: Vec<_> = metadata.workspace_packages().into_iter().map(|package| package.name.as_str()).collect();
    match selection.package.iter().find(|name| !names.contains(&name.as_str())) {
        Some(unknown) => Err(Failure::new(format!("no package `{unknown}` in the workspace"))
            .help(format!("the packages are {}", names.join(", ")))),
        None => Ok(()),
    }
}

fn package(
    data: &cargo_metadata::Package,
    metadata: &Metadata,
    selection: &Selection,
    users: &HashSet<PackageId>,
) -> Package {
    let folder = data.manifest_path.parent().map(|folder| folder.as_std_path().to_owned()).unwrap_or_default();
    let node = metadata.resolve.iter().flat_map(|resolve| &resolve.nodes).find(|node| node.id == data.id);
    let features = node.map(|node| node.features.iter().map(ToString::to_string).collect()).unwrap_or_default();
    // `redis-keys` as `redis_keys`, and one that is renamed under both of its names.
    let crate_name = |name: &str| name.replace('-', "_");
    let dependency = |dependency: &cargo_metadata::Dependency| {
        let name = crate_name(&dependency.name);
        (dependency.rename.as_deref().map_or_else(|| name.clone(), crate_name), name)
    };
    let policy_file = policy::find(&folder);
    let policy = policy_file.as_ref().map(policy::read).unwrap_or_default();
    Package {
        name: data.name.to_string(),
        policy_file,
        policy,
        is_selected: selection.package.is_empty() || selection.package.iter().any(|name| *name == *data.name),
        features,
        any_condition: selection.any_condition,
        dependencies: data.dependencies.iter().map(dependency).collect(),
        uses_redis_keys: users.contains(&data.id),
        folder,
    }
}

/// The packages that depend on redis-keys, directly or through others, and redis-keys itself.
fn users_of_redis_keys(metadata: &Metadata) -> HashSet<PackageId> {
    let named = metadata.packages.iter().filter(|package| package.name.as_str() == "redis-keys");
    let mut users: HashSet<_> = named.map(|package| package.id.clone()).collect();
    let nodes: Vec<_> = metadata.resolve.iter().flat_map(|resolve| &resolve.nodes).collect();
    loop {
        let depends = |node: &&&cargo_metadata::Node| {
            !users.contains(&node.id) && node.dependencies.iter().any(|dependency| users.contains(dependency))
        };
        let more: Vec<_> = nodes.iter().filter(depends).map(|node| node.id.clone()).collect();
        if more.is_empty() {
            return users;
        }
        users.extend(more);
    }
}

impl Target {
    /// The target, if it can declare something that the command needs.
    fn new(data: &cargo_metadata::Target, package: &Rc<Package>, selection: &Selection) -> Option<Self> {
        let kind = TargetKind::of(data)?;
        let is_wanted = match kind {
            TargetKind::Lib | TargetKind::Bin => true,
            TargetKind::Test => selection.tests && package.is_selected,
            TargetKind::Example => selection.examples && package.is_selected,
            TargetKind::Bench => selection.benches && package.is_selected,
        };
        let is_enabled = |feature: &String| selection.any_condition || package.features.contains(feature);
        (is_wanted && data.required_features.iter().all(is_enabled)).then(|| Self {
            package: Rc::clone(package),
            kind,
            name: data.name.clone(),
            root: data.src_path.clone().into_std_path_buf(),
            has_tests: selection.tests && package.is_selected && data.test,
        })
    }
}

#[cfg(test)]
impl Target {
    /// The program of a package of the same name.
    pub(super) fn program(name: &str, root: PathBuf) -> Self {
        let package = Rc::new(Package::named(name, []));
        Self { package, kind: TargetKind::Bin, name: name.to_owned(), root, has_tests: false }
    }
}

#[cfg(test)]
impl Package {
    /// A package with these features.
    pub(super) fn named<const N: usize>(name: &str, features: [&str; N]) -> Self {
        let (name, features) = (name.to_owned(), features.map(str::to_owned).into());
        Self { name, features, is_selected: true, uses_redis_keys: true, ..Self::default() }
    }
}
