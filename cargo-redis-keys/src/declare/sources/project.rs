//! The packages of a workspace and their targets, as cargo names them.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use redis_keys_syntax::policy::{self, Document, PolicyFile};

use crate::Failure;
use crate::declare::Selection;
use crate::declare::cargo::{CargoPackage, CargoTarget, Dependency, Metadata};

/// The packages of a workspace and their targets.
pub(crate) struct Project {
    /// The workspace's folder.
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
    /// Whether declarations of other features and platforms are read as well.
    pub(super) any_condition: bool,
    /// The name of each dependency in the sources, and its name as a crate.
    pub(super) dependencies: HashMap<String, String>,
    /// Whether it depends on redis-keys, directly or through other packages.
    pub(super) uses_redis_keys: bool,
    /// The name of redis-keys in the manifest as the part of a feature's name, if it is a dependency: `redis-keys`, or
    /// `redis-keys?` if it is optional. `None` for a package that is neither selected nor used by a selected package.
    pub(super) redis_keys: Option<String>,
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

/// A target's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum TargetKind {
    /// A library, including a library of derives.
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
    pub(crate) fn of(target: &CargoTarget) -> Option<Self> {
        target.kind.iter().find_map(|kind| match kind.as_str() {
            "lib" | "rlib" | "dylib" | "cdylib" | "staticlib" | "proc-macro" => Some(Self::Lib),
            kind => [Self::Bin, Self::Test, Self::Example, Self::Bench].into_iter().find(|known| known.name() == kind),
        })
    }

    /// Whether the targets of this kind are selected, in the packages that are.
    pub(crate) fn is_selected(self, selection: &Selection) -> bool {
        match self {
            Self::Lib | Self::Bin => true,
            Self::Test => selection.tests,
            Self::Example => selection.examples,
            Self::Bench => selection.benches,
        }
    }
}

impl Package {
    /// The name of a feature of redis-keys for cargo, as the package's manifest names the dependency.
    pub(crate) fn feature_of_redis_keys(&self, feature: &str) -> Option<String> {
        Some(format!("{}/{feature}", self.redis_keys.as_ref()?))
    }

    /// The client of Redis that it depends on, if it sends commands by itself.
    pub(crate) fn redis_client(&self) -> Option<&str> {
        const CLIENTS: [&str; 6] = ["redis", "deadpool_redis", "bb8_redis", "r2d2_redis", "mobc_redis", "fred"];
        CLIENTS.into_iter().find(|client| self.dependencies.values().any(|dependency| dependency == client))
    }
}

impl Target {
    /// The target, if it can declare something that the command needs.
    fn new(data: &CargoTarget, package: &Rc<Package>, selection: &Selection) -> Option<Self> {
        let kind = TargetKind::of(data)?;
        let is_wanted = match kind {
            TargetKind::Lib | TargetKind::Bin => true,
            _ => package.is_selected && kind.is_selected(selection),
        };
        let is_enabled = |feature: &String| selection.any_condition || package.features.contains(feature);
        (is_wanted && data.required_features.iter().all(is_enabled)).then(|| Self {
            package: Rc::clone(package),
            kind,
            name: data.name.clone(),
            root: data.src_path.clone(),
            has_tests: selection.tests && package.is_selected && data.test,
        })
    }

    /// The text that names it in the catalog: `lib:shop`.
    pub(crate) fn id(&self) -> String {
        format!("{}:{}", self.kind.name(), self.name)
    }
}

impl Project {
    /// Asks cargo for the packages.
    pub(crate) fn load(selection: &Selection) -> Result<Self, Failure> {
        let metadata = Metadata::load(selection)?;
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
        Ok(Self { root: metadata.workspace_root, packages, targets })
    }

    /// The packages whose manifests name redis-keys: those that are selected, or else those that re-export it to them.
    pub(crate) fn naming_redis_keys(&self) -> Vec<&Package> {
        let named = self.packages.iter().map(Rc::as_ref).filter(|package| package.redis_keys.is_some());
        let (selected, others): (Vec<_>, Vec<_>) = named.partition(|package| package.is_selected);
        if selected.is_empty() { others } else { selected }
    }
}

/// Rejects the name of a package that is not there.
fn check_names(selection: &Selection, metadata: &Metadata) -> Result<(), Failure> {
    let names: Vec<_> = metadata.workspace_packages().map(|package| package.name.as_str()).collect();
    match selection.package.iter().find(|name| !names.contains(&name.as_str())) {
        Some(unknown) => Err(Failure::new(format!("no package `{unknown}` in the workspace"))
            .help(format!("the packages are {}", names.join(", ")))),
        None => Ok(()),
    }
}

fn package(data: &CargoPackage, metadata: &Metadata, selection: &Selection, users: &HashSet<&str>) -> Package {
    let folder = data.manifest_path.parent().map(Path::to_owned).unwrap_or_default();
    let node = metadata.resolve.nodes.iter().find(|node| node.id == data.id);
    // `redis-keys` as `redis_keys`, and a renamed crate under both of its names.
    let crate_name = |name: &str| name.replace('-', "_");
    let dependency = |dependency: &Dependency| {
        let name = crate_name(&dependency.name);
        (dependency.rename.as_deref().map_or_else(|| name.clone(), crate_name), name)
    };
    let is_selected = selection.package.is_empty() || selection.package.contains(&data.name);
    let redis_keys = data.dependencies.iter().find_map(redis_keys_in_features);
    let policy_file = policy::find(&folder);
    let policy = policy_file.as_ref().map(policy::read).unwrap_or_default();
    Package {
        name: data.name.clone(),
        policy_file,
        policy,
        is_selected,
        features: node.map(|node| node.features.clone()).unwrap_or_default(),
        any_condition: selection.any_condition,
        dependencies: data.dependencies.iter().map(dependency).collect(),
        uses_redis_keys: users.contains(data.id.as_str()),
        redis_keys: redis_keys.filter(|_| is_selected || is_dependency(data, metadata, selection)),
        folder,
    }
}

/// The dependency redis-keys as the part of a feature's name.
fn redis_keys_in_features(dependency: &Dependency) -> Option<String> {
    if dependency.name != "redis-keys" || dependency.kind.is_some() {
        return None;
    }
    let name = dependency.rename.as_ref().unwrap_or(&dependency.name);
    Some(if dependency.optional { format!("{name}?") } else { name.clone() })
}

/// The packages that depend on redis-keys, directly or through others, and redis-keys itself.
fn users_of_redis_keys(metadata: &Metadata) -> HashSet<&str> {
    let named = metadata.packages.iter().filter(|package| package.name == "redis-keys");
    with_dependents(named.map(|package| &*package.id).collect(), &nodes(metadata))
}

/// Whether a package that the selection names depends on this one, directly or through others.
fn is_dependency(data: &CargoPackage, metadata: &Metadata, selection: &Selection) -> bool {
    let dependents = with_dependents([&*data.id].into(), &nodes(metadata));
    let mut named = metadata.workspace_packages().filter(|package| selection.package.contains(&package.name));
    named.any(|package| dependents.contains(&*package.id))
}

/// The packages, each with the packages that it depends on.
fn nodes(metadata: &Metadata) -> impl Iterator<Item = (&str, &[String])> + Clone {
    metadata.resolve.nodes.iter().map(|node| (&*node.id, &*node.dependencies))
}

/// These names, and names that depend on them, directly or through others.
pub(super) fn with_dependents<'n>(
    mut names: HashSet<&'n str>,
    nodes: &(impl Iterator<Item = (&'n str, &'n [String])> + Clone),
) -> HashSet<&'n str> {
    loop {
        let before = names.len();
        for (name, dependencies) in nodes.clone() {
            if dependencies.iter().any(|dependency| names.contains(&**dependency)) {
                names.insert(name);
            }
        }
        if names.len() == before {
            return names;
        }
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
