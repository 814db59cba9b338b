//! `cargo xtask release`: checks and packs the packages that `.github/workflows/release.yml` then publishes.

use std::fs;

use serde_json::Value;

use crate::published::{PUBLISHED, array, metadata};
use crate::run::{Failure, Outcome, cargo, heading, program, root, run};

const CHANGELOG: &str = "CHANGELOG.md";

/// Fails if the packages cannot be published as they are, and packs them. Each is built from its packed files. A dry run
/// needs neither a tag nor a clean working tree.
pub(crate) fn release(is_dry_run: bool) -> Outcome {
    heading("Versions, order and changelog");
    let metadata = metadata()?;
    let packages = packages(&metadata);
    let version = version(&packages)?;
    let mut problems = wrong_versions(&packages, version);
    problems.extend(wrong_order(&packages, &PUBLISHED));
    let changelog = fs::read_to_string(root().join(CHANGELOG))?;
    if !has_entry(&changelog, version) {
        problems.push(format!("{CHANGELOG} has no entry for {version}"));
    }
    if !is_dry_run && !tags()?.contains(&format!("v{version}")) {
        problems.push(format!("this commit has no tag `v{version}`: `--dry-run` needs none"));
    }
    if !problems.is_empty() {
        return Err(Failure::new(problems.join("\n")));
    }
    heading(&format!("Packing {version}"));
    pack(is_dry_run)
}

/// The packages are packed together, because none of them need be on crates.io yet.
fn pack(is_dry_run: bool) -> Outcome {
    let names = PUBLISHED.iter().flat_map(|name| ["--package", name]);
    let changes = is_dry_run.then_some("--allow-dirty");
    run(cargo().args(["package", "--locked"]).args(names).args(changes))
}

/// A package of the workspace.
struct Package<'a> {
    name: &'a str,
    version: &'a str,
    is_published: bool,
    /// The packages of the workspace that crates.io must have first, with the version that each needs.
    dependencies: Vec<(&'a str, &'a str)>,
}

fn packages(metadata: &Value) -> Vec<Package<'_>> {
    let members = array(&metadata["packages"]).iter().filter(|package| package["source"].is_null());
    members.filter_map(package).collect()
}

fn package(package: &Value) -> Option<Package<'_>> {
    let local = array(&package["dependencies"]).iter().filter(|dependency| dependency["path"].is_string());
    let named = local.filter_map(|dependency| Some((dependency["name"].as_str()?, dependency["req"].as_str()?)));
    Some(Package {
        name: package["name"].as_str()?,
        version: package["version"].as_str()?,
        is_published: package["publish"].is_null(),
        // A packed manifest lacks a dependency of tests that has no version.
        dependencies: named.filter(|(_, version)| *version != "*").collect(),
    })
}

fn version<'a>(packages: &[Package<'a>]) -> Outcome<&'a str> {
    let library = packages.iter().find(|package| package.name == "redis-keys");
    Ok(library.ok_or_else(|| Failure::new("the workspace has no package redis-keys"))?.version)
}

/// The packages, and their dependencies on each other, that have another version.
fn wrong_versions(packages: &[Package<'_>], version: &str) -> Vec<String> {
    let published: Vec<_> = packages.iter().filter(|package| package.is_published).collect();
    let own = published.iter().filter(|package| package.version != version);
    let own = own.map(|package| format!("{} has version {}, expected {version}", package.name, package.version));
    let needed = packages.iter().flat_map(|package| package.dependencies.iter().map(move |needed| (package, needed)));
    let needed = needed.filter(|(_, (name, _))| published.iter().any(|package| package.name == *name));
    let needed = needed.filter(|(_, (_, needed))| needed.trim_start_matches(['=', '^']) != version);
    let needed = needed
        .map(|(package, (name, needed))| format!("{} depends on {name} {needed}, expected {version}", package.name));
    own.chain(needed).collect()
}

/// The packages that are missing in an order of publication, that stand in it without being published, or that come
/// before one of their dependencies.
fn wrong_order(packages: &[Package<'_>], order: &[&str]) -> Vec<String> {
    let place = |name: &str| order.iter().position(|entry| *entry == name);
    let mut problems = Vec::new();
    for package in packages.iter().filter(|package| place(package.name).is_some() != package.is_published) {
        let is = if package.is_published { "is published, but not in the order" } else { "is not published" };
        problems.push(format!("{} {is}", package.name));
    }
    for package in packages.iter().filter(|package| place(package.name).is_some()) {
        let late = package.dependencies.iter().filter(|(name, _)| place(name) > place(package.name));
        problems.extend(late.map(|(name, _)| format!("{} is published before {name}, which it needs", package.name)));
    }
    problems
}

fn has_entry(changelog: &str, version: &str) -> bool {
    let titles = changelog.lines().filter_map(|line| line.strip_prefix("## "));
    titles.filter_map(|title| title.strip_prefix(version)).any(|rest| rest.is_empty() || rest.starts_with([',', ' ']))
}

/// The tags of the commit that is checked out.
fn tags() -> Outcome<Vec<String>> {
    let output = program("git").args(["tag", "--points-at", "HEAD"]).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{Package, has_entry, packages, wrong_order, wrong_versions};
    use crate::published::metadata;
    use crate::run::root;

    fn package<'a>(name: &'a str, version: &'a str, dependencies: &[(&'a str, &'a str)]) -> Package<'a> {
        Package { name, version, is_published: name != "tests", dependencies: dependencies.to_vec() }
    }

    fn workflows() -> Vec<(String, String)> {
        let files = fs::read_dir(root().join(".github/workflows")).into_iter().flatten().flatten();
        let files = files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|end| end == "yml"));
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.map(|path| (name(&path), fs::read_to_string(&path).unwrap_or_default())).collect()
    }

    /// The action that a line uses, with its commit and the comment after it.
    fn used_action(line: &str) -> Option<&str> {
        line.trim_start().trim_start_matches("- ").strip_prefix("uses: ")
    }

    fn is_pinned(action: &str) -> bool {
        let Some((commit, version)) = action.split_once('@').and_then(|(_, rest)| rest.split_once(" # v")) else {
            return false;
        };
        let is_hex = commit.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        commit.len() == 40 && is_hex && version.starts_with(|digit: char| digit.is_ascii_digit())
    }

    #[test]
    fn each_action_is_pinned_to_a_commit_and_names_its_version() {
        let workflows = workflows();
        let actions: Vec<_> = workflows.iter().flat_map(|(_, text)| text.lines().filter_map(used_action)).collect();
        assert!(actions.len() > 5, "{actions:?}");
        for action in actions {
            assert!(is_pinned(action), "{action}");
        }
        let commit = "3d3c42e5aac5ba805825da76410c181273ba90b1";
        assert!(is_pinned(&format!("actions/checkout@{commit} # v7.0.1")));
        for wrong in ["v7", commit, "3d3c42e # v7", "3D3C42E5AAC5BA805825DA76410C181273BA90B1 # v7"] {
            assert!(!is_pinned(&format!("actions/checkout@{wrong}")), "{wrong}");
        }
    }

    #[test]
    fn each_workflow_limits_its_permissions() {
        let workflows = workflows();
        assert!(workflows.len() >= 2);
        for (name, text) in workflows {
            assert!(text.contains("\npermissions:\n  contents: read\n\n"), "{name}");
        }
    }

    #[test]
    fn the_workflow_publishes_each_package_after_its_dependencies() -> Result<(), String> {
        let metadata = metadata().map_err(|failure| failure.to_string())?;
        let workflows = workflows();
        let (_, text) = workflows.iter().find(|(name, _)| name == "release.yml").ok_or("no release.yml")?;
        let list = text.lines().find_map(|line| line.trim().strip_prefix("PACKAGES: ")).ok_or("no PACKAGES")?;
        let order: Vec<&str> = list.split(' ').collect();
        assert_eq!(wrong_order(&packages(&metadata), &order), Vec::<String>::new());
        assert_eq!(order, super::PUBLISHED);
        Ok(())
    }

    #[test]
    fn an_order_has_all_published_packages_and_no_other() {
        let packages = [
            package("a", "1.0.0", &[]),
            package("b", "1.0.0", &[("a", "=1.0.0")]),
            package("tests", "0.0.0", &[("b", "^1.0.0")]),
        ];
        assert_eq!(wrong_order(&packages, &["a", "b"]), Vec::<String>::new());
        assert_eq!(wrong_order(&packages, &["b", "a"]), ["b is published before a, which it needs"]);
        assert_eq!(wrong_order(&packages, &["a"]), ["b is published, but not in the order"]);
        assert_eq!(wrong_order(&packages, &["a", "b", "tests"]), ["tests is not published"]);
    }

    #[test]
    fn all_packages_have_one_version_and_need_it() {
        let packages = [
            package("a", "1.1.0", &[]),
            package("b", "1.0.0", &[("a", "=1.0.0")]),
            package("tests", "0.0.0", &[("b", "^1.1.0"), ("tests", "^0.0.0")]),
        ];
        let wrong = ["b has version 1.0.0, expected 1.1.0", "b depends on a =1.0.0, expected 1.1.0"];
        assert_eq!(wrong_versions(&packages, "1.1.0"), wrong);
    }

    #[test]
    fn the_changelog_has_an_entry_for_a_version() {
        for title in ["## 0.1.0", "## 0.1.0, initial release", "## 0.1.0 (2027-01-31)"] {
            assert!(has_entry(&format!("# Changelog\n\n{title}\n"), "0.1.0"), "{title}");
        }
        for title in ["## 0.1.01", "## 0.1.0-rc.1", "### 0.1.0", "0.1.0", "## 0.2.0"] {
            assert!(!has_entry(title, "0.1.0"), "{title}");
        }
    }
}
