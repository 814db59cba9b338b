//! Checks of what users build: with the oldest Rust, with any features, and with which dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Stdio;

use serde_json::Value;

use crate::run::{Failure, Outcome, cargo, program, run, succeeds};

/// The packages that users build.
const PACKAGES: [&str; 2] = ["redis-keys", "cargo-redis-keys"];

/// All packages that are published, each after its dependencies.
pub(crate) const PUBLISHED: [&str; 6] = [
    "redis-keys-core",
    "redis-keys-schema",
    "redis-keys-syntax",
    "redis-keys-macros",
    "redis-keys",
    "cargo-redis-keys",
];

/// A package that expands the derives. Tests and benchmarks may need a newer Rust.
const EXAMPLES: &str = "redis-keys-examples";

/// Features that report calls, and what a driver does.
const REPORTS: [&str; 2] = ["metrics", "tracing"];

/// Features with a driver.
const DRIVERS: [&str; 4] = ["cache", "jobs", "lock", "tower"];

/// The sets of features of cargo-redis-keys that are fewer than the default ones.
const TOOL_FEATURES: [&str; 2] = ["", "audit"];

/// Fails if the library, the tool or the examples do not build with the `rust-version` of `Cargo.toml`, or if one of
/// their dependencies declares a newer one.
pub(crate) fn oldest_rust() -> Outcome {
    let metadata = metadata()?;
    let version = library(&metadata)?["rust_version"].as_str().unwrap_or_default();
    let newer = newer_dependencies(&metadata, version);
    if !newer.is_empty() {
        return Err(Failure::new(format!("dependencies that need more than Rust {version}: {}", newer.join(", "))));
    }
    if !is_installed(version) {
        let _ = program("rustup").args(["toolchain", "install", version, "--profile", "minimal"]).status();
    }
    if !is_installed(version) {
        println!("Not built: Rust {version} is missing, and rustup cannot add it");
        return Ok(());
    }
    let packages = PACKAGES.iter().chain([&EXAMPLES]).flat_map(|package| ["--package", package]);
    run(program("rustup")
        .args(["run", version, "cargo", "check", "--locked", "--all-features", "--lib", "--bins", "--examples"])
        .args(packages)
        .env_remove("CARGO"))
}

/// Fails if a package would be published with its tests, or with a file that only this repository needs.
pub(crate) fn contents() -> Outcome {
    let mut unwanted = Vec::new();
    for package in PUBLISHED {
        let output = cargo().args(["package", "--list", "--allow-dirty", "--package", package]).output()?;
        if !output.status.success() {
            return Err(Failure::new(format!("cargo package --list: {}", String::from_utf8_lossy(&output.stderr))));
        }
        let files = String::from_utf8_lossy(&output.stdout);
        unwanted.extend(files.lines().filter(|file| is_unwanted(file)).map(|file| format!("{package}: {file}")));
    }
    if unwanted.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!("`exclude` in the Cargo.toml of a package lacks:\n{}", unwanted.join("\n"))))
}

fn is_unwanted(file: &str) -> bool {
    let mut parts = file.split(['/', '.']);
    parts.any(|part| ["tests", "golden", "snapshots", "expected_messages", "public-paths"].contains(&part))
}

fn is_installed(version: &str) -> bool {
    succeeds(program("rustup").args(["run", version, "cargo", "--version"]))
}

/// Fails if a dependency breaks a rule of `deny.toml`.
pub(crate) fn dependencies() -> Outcome {
    if succeeds(cargo().args(["deny", "--version"])) {
        return run(cargo().args(["deny", "--all-features", "check"]));
    }
    println!("Not checked: `cargo install cargo-deny` adds what reads deny.toml");
    Ok(())
}

/// Fails if redis-keys does not build without warnings with each feature alone, with none, and with each driver beside
/// what it can report, or cargo-redis-keys with fewer than its default features.
pub(crate) fn features() -> Outcome {
    let metadata = metadata()?;
    let all = library(&metadata)?["features"].as_object().into_iter().flat_map(|features| features.keys());
    for features in sets_of_features(all.map(String::as_str)) {
        must_build("redis-keys", &features)?;
    }
    for features in TOOL_FEATURES {
        must_build("cargo-redis-keys", features)?;
    }
    must_name_the_feature()
}

fn must_build(package: &str, features: &str) -> Outcome {
    println!("{package}: {}", if features.is_empty() { "no features" } else { features });
    let mut command = cargo();
    command.args(["check", "--quiet", "--package", package, "--no-default-features", "--features", features]);
    let output = command.stdin(Stdio::null()).output()?;
    if output.status.success() && output.stderr.is_empty() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    Err(Failure::new(format!("{text}\n{package} with the features `{features}` has errors or warnings")))
}

/// Fails if cargo-redis-keys without features does not say how to get a command that it lacks.
fn must_name_the_feature() -> Outcome {
    let left_out = [("purge", "audit"), ("adopt", "adopt"), ("completions", "completions"), ("generate", "generate")];
    for (name, feature) in left_out {
        println!("cargo-redis-keys: `{name}` without features");
        let mut command = cargo();
        command.args(["run", "--quiet", "--package", "cargo-redis-keys", "--no-default-features", "--", name]);
        // Its arguments are those of the command that it lacks.
        let output = command.args(["redis://localhost", "--json"]).stdin(Stdio::null()).output()?;
        let text = String::from_utf8_lossy(&output.stderr);
        let install = format!("`cargo install cargo-redis-keys --no-default-features --features {feature}`");
        if output.status.code() != Some(2) || !text.contains(&install) {
            return Err(Failure::new(format!("{text}\ncargo-redis-keys without features does not name {install}")));
        }
    }
    Ok(())
}

fn sets_of_features<'a>(all: impl Iterator<Item = &'a str>) -> Vec<String> {
    // `full` is the rest without TLS, which other checks build.
    let alone = all.filter(|feature| !["default", "full"].contains(feature)).map(str::to_owned);
    let reports = REPORTS.map(str::to_owned).into_iter().chain([REPORTS.join(",")]);
    let drivers = reports.flat_map(|reports| DRIVERS.map(|driver| format!("{driver},{reports}")));
    std::iter::once(String::new()).chain(alone).chain(drivers).collect()
}

/// The output of `cargo metadata`, with the dependencies of all features.
pub(crate) fn metadata() -> Outcome<Value> {
    let mut command = cargo();
    command.args(["metadata", "--format-version", "1", "--all-features", "--locked"]).stderr(Stdio::inherit());
    serde_json::from_slice(&command.output()?.stdout).map_err(|_| Failure::new("`cargo metadata --locked` failed"))
}

/// The names of the integration tests of all packages, in the order of the alphabet.
pub(crate) fn test_targets() -> Outcome<Vec<String>> {
    let metadata = metadata()?;
    let members = array(&metadata["workspace_members"]);
    let packages = array(&metadata["packages"]).iter().filter(|package| members.contains(&package["id"]));
    let targets = packages.flat_map(|package| array(&package["targets"]));
    let tests = targets.filter(|target| array(&target["kind"]).iter().any(|kind| kind == "test"));
    let names: BTreeSet<&str> = tests.filter_map(|target| target["name"].as_str()).collect();
    Ok(names.into_iter().map(str::to_owned).collect())
}

fn library(metadata: &Value) -> Outcome<&Value> {
    let packages = array(&metadata["packages"]);
    let found = packages.iter().find(|package| package["name"] == "redis-keys");
    found.ok_or_else(|| Failure::new("the workspace has no package redis-keys"))
}

pub(crate) fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The dependencies of what users build that declare a newer version of Rust.
fn newer_dependencies(metadata: &Value, version: &str) -> Vec<String> {
    let packages = by_identifier(&metadata["packages"]);
    let nodes = by_identifier(&metadata["resolve"]["nodes"]);
    let is_root = |package: &Value| PACKAGES.iter().any(|name| package["name"] == *name);
    let mut open: Vec<&str> = packages.iter().filter(|(_, package)| is_root(package)).map(|(id, _)| *id).collect();
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            let used = array(&nodes[id]["deps"]).iter().filter(|dependency| is_built(dependency));
            open.extend(used.filter_map(|dependency| dependency["pkg"].as_str()));
        }
    }
    let needed = |id: &&str| {
        let package = packages[*id];
        let needed = package["rust_version"].as_str().filter(|needed| numbers(needed) > numbers(version))?;
        Some(format!("{} {} ({needed})", package["name"].as_str()?, package["version"].as_str()?))
    };
    seen.iter().filter_map(needed).collect()
}

fn by_identifier(list: &Value) -> BTreeMap<&str, &Value> {
    array(list).iter().filter_map(|entry| Some((entry["id"].as_str()?, entry))).collect()
}

/// Whether a dependency is one of the package and not just of its tests.
fn is_built(dependency: &Value) -> bool {
    array(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"] != "dev")
}

/// A version as numbers, which can be compared: `1.88` is `1.88.0`.
fn numbers(version: &str) -> [u32; 3] {
    let mut numbers = version.split('.').map(|number| number.parse().unwrap_or(0));
    std::array::from_fn(|_| numbers.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use serde_json::{Value, json};

    use super::{array, library, metadata, newer_dependencies, numbers, sets_of_features};
    use crate::run::{cargo, root};

    const FEATURES: &str = "redis-keys/docs/guide/features.md";

    /// The features that `cargo add` lists. It counts the others if a crate has more.
    const LISTED: usize = 30;

    #[test]
    fn tests_and_expected_files_are_not_published() {
        assert!(super::contents().is_ok());
        for file in ["src/check/tests/cache.rs", "src/tests.rs", "public-paths.txt", "src/stored/golden/json"] {
            assert!(super::is_unwanted(file), "{file}");
        }
        assert!(!super::is_unwanted("src/testing/server.rs") && !super::is_unwanted("docs/guide/testing.md"));
    }

    #[test]
    fn versions_are_compared_by_number() {
        assert!(numbers("1.9") < numbers("1.88"));
        assert_eq!(numbers("1.88"), numbers("1.88.0"));
    }

    #[test]
    fn dependencies_are_found_through_others_but_not_through_tests() {
        let package = |name, needed| json!({ "id": name, "name": name, "version": "1.0.0", "rust_version": needed });
        let dependency = |name, kind| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        let metadata = json!({
            "packages": [
                package("redis-keys", Some("1.88")), package("a", None), package("b", Some("1.90")),
                package("c", Some("1.91")), package("d", Some("1.92"))
            ],
            "resolve": { "nodes": [
                { "id": "redis-keys", "deps": [dependency("a", None), dependency("c", Some("dev"))] },
                { "id": "a", "deps": [dependency("b", Some("build"))] },
                { "id": "b", "deps": [] }, { "id": "c", "deps": [] }, { "id": "d", "deps": [] }
            ] }
        });
        assert_eq!(newer_dependencies(&metadata, "1.88"), ["b 1.0.0 (1.90)"]);
    }

    /// The features of the guide's table, with what each enables.
    fn described(page: &str) -> BTreeMap<String, String> {
        let table = page.lines().skip_while(|line| !line.starts_with("| feature |")).skip(2);
        let rows = table.map_while(|line| line.strip_prefix("| ")?.strip_suffix('|'));
        let cells = rows.filter_map(|row| Some((row.split_once(" | ")?.0, row.rsplit_once('|')?.1)));
        cells.map(|(name, enables)| (name.to_owned(), enables.trim().replace('`', ""))).collect()
    }

    #[test]
    fn the_guide_describes_each_feature() -> Result<(), String> {
        let metadata = metadata().map_err(|failure| failure.to_string())?;
        let library = library(&metadata).map_err(|failure| failure.to_string())?;
        let features = &library["features"];
        let is_default = |name: &String| array(&features["default"]).iter().any(|default| default == name);
        let mut expected = BTreeMap::new();
        for (name, enables) in features.as_object().into_iter().flatten().filter(|(name, _)| *name != "default") {
            let enables = array(enables).iter().filter_map(Value::as_str).map(|name| name.trim_start_matches("dep:"));
            // `full` enables nearly all of the others.
            let enables = enables.filter(|_| name != "full").collect::<Vec<_>>().join(", ");
            expected.insert(format!("`{name}`{}", if is_default(name) { " (default)" } else { "" }), enables);
        }
        let page = fs::read_to_string(root().join(FEATURES)).unwrap_or_default();
        assert_eq!(described(&page), expected);
        assert!(expected.len() <= LISTED, "`cargo add` does not list {} features", expected.len());
        Ok(())
    }

    /// They include `num-bigint`, with which redis-rs needs seconds for a long number.
    #[test]
    fn redis_keys_enables_no_default_features_of_redis_rs() -> Result<(), String> {
        let mut tree = cargo();
        tree.args(["tree", "--locked", "--package", "redis-keys", "--all-features", "--edges", "normal"]);
        tree.args(["--invert", "redis", "--depth", "0", "--format", "{p} {f}"]);
        let output = tree.output().map_err(|error| error.to_string())?;
        let line = String::from_utf8_lossy(&output.stdout);
        let features: Vec<&str> = line.split([' ', ',', '\n']).collect();
        assert!(features.contains(&"aio"), "{line}");
        for feature in ["default", "num-bigint"] {
            assert!(!features.contains(&feature), "{line}");
        }
        Ok(())
    }

    #[test]
    fn each_feature_is_built_alone_and_each_driver_with_its_reports() {
        let sets = sets_of_features(["aio", "default", "full"].into_iter());
        assert_eq!(sets[..2], ["", "aio"]);
        assert!(sets.contains(&"tower,metrics,tracing".to_owned()));
        assert_eq!(sets.len(), 2 + 12);
    }
}
