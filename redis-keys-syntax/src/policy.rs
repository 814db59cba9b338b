//! The policy file of a project: its place and its content.

mod read;

use std::path::{Component, Path, PathBuf};
use std::{fs, io};

pub use read::{Document, Stamp, Unreadable, read, stamp};
use redis_keys_schema::{POLICY_FILE, Workspace};

/// Files that mark sources fetched by cargo, from a registry or git, or vendored.
const FETCHED: [&str; 2] = [".cargo-ok", ".cargo-checksum.json"];

/// A policy file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyFile {
    /// The path to it.
    pub path: PathBuf,
    /// The path as rustc shows it: relative to the workspace.
    pub shown: String,
}

/// Finds the policy file in the folder of a package or above it, up to the folder of its workspace. For a package
/// outside its workspace's folder, the file is in the package's or the workspace's folder. Fetched packages have none,
/// because a project's policy does not apply to its dependencies, and a dependency's policy not to the project.
pub fn find(package: &Path) -> Option<PolicyFile> {
    let named = named_workspace(package);
    let mut root = named.as_deref();
    for folder in package.ancestors() {
        if FETCHED.iter().any(|mark| exists(&folder.join(mark))) {
            return None;
        }
        if root.is_none() && is_workspace(folder, package) {
            root = Some(folder);
        }
    }
    let root = root.unwrap_or(package);
    let inside = package.ancestors().take_while(|folder| folder.starts_with(root) || *folder == package);
    let folders = inside.chain([root]);
    let path = folders.map(|folder| folder.join(POLICY_FILE)).find(|path| exists(path))?;
    let shown = path.strip_prefix(root).unwrap_or(&path).display().to_string();
    Some(PolicyFile { path, shown })
}

/// The folder of the workspace that the package names.
fn named_workspace(package: &Path) -> Option<PathBuf> {
    let manifest = fs::read_to_string(package.join("Cargo.toml")).ok()?;
    let named = package.join(Workspace::path_in_package(&manifest)?);
    // Without `..`, so that paths can be compared.
    let mut folder = PathBuf::new();
    for part in named.components() {
        match part {
            Component::ParentDir => drop(folder.pop()),
            part => folder.push(part),
        }
    }
    Some(folder)
}

/// Whether a path exists, even as a broken link.
fn exists(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(_) => true,
        Err(error) => error.kind() == io::ErrorKind::PermissionDenied,
    }
}

/// Whether a folder is the folder of the package's workspace.
fn is_workspace(folder: &Path, package: &Path) -> bool {
    let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) else { return false };
    let Some(workspace) = Workspace::of_manifest(&manifest) else { return false };
    let within = |path: &String| package.starts_with(folder.join(path));
    package == folder || !workspace.exclude.iter().any(within) || workspace.members.iter().any(within)
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test that cannot go on")]
mod tests {
    use super::*;

    /// A folder for this test, with files.
    fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("redis-keys-find-{}-{name}", std::process::id()));
        for (file, text) in files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap_or(&folder)).expect("a folder can be made");
            fs::write(path, text).expect("a file can be written");
        }
        folder
    }

    /// Returns the file found for the package `app` of these files.
    fn found(name: &str, files: &[(&str, &str)]) -> Option<String> {
        let folder = folder(name, files);
        let found = find(&folder.join("app"));
        fs::remove_dir_all(&folder).expect("a folder can be removed");
        found.map(|found| found.shown)
    }

    const APP: (&str, &str) = ("app/Cargo.toml", "[package]\nname = \"app\"");
    const WORKSPACE: (&str, &str) = ("Cargo.toml", "[workspace]\nmembers = [\"*\"]");
    const ABOVE: (&str, &str) = (POLICY_FILE, "");
    const OWN: (&str, &str) = ("app/redis-keys.toml", "");

    #[test]
    fn it_is_in_the_package_or_above_it_up_to_the_workspace() {
        assert_eq!(found("none", &[APP, WORKSPACE]), None);
        assert_eq!(found("own", &[APP, OWN]).as_deref(), Some("redis-keys.toml"));
        assert_eq!(found("nearest", &[APP, OWN, WORKSPACE, ABOVE]).as_deref(), Some("app/redis-keys.toml"));
        assert_eq!(found("above", &[APP, WORKSPACE, ABOVE]).as_deref(), Some("redis-keys.toml"));
        assert_eq!(found("no-workspace", &[APP, ABOVE]), None);
        let alone = ("app/Cargo.toml", "[package]\nname = \"app\"\n[workspace]");
        assert_eq!(found("never-further", &[alone, WORKSPACE, ABOVE]), None);
        let dotted = ("Cargo.toml", "workspace.members = [\"app\"]");
        assert_eq!(found("dotted", &[APP, dotted, ABOVE]).as_deref(), Some("redis-keys.toml"));
        let inherits = ("app/Cargo.toml", "[package]\nname = \"app\"\nversion.workspace = true");
        assert_eq!(found("inherits", &[inherits, WORKSPACE, ABOVE]).as_deref(), Some("redis-keys.toml"));
    }

    #[test]
    fn a_package_can_lie_beside_its_workspace() {
        let beside = ("app/Cargo.toml", "[package]\nname = \"app\"\nworkspace = \"../shop\"");
        let shop = ("shop/Cargo.toml", "[workspace]\nmembers = [\"../app\"]");
        let policy = ("shop/redis-keys.toml", "");
        assert_eq!(found("beside", &[beside, shop, policy]).as_deref(), Some("redis-keys.toml"));
        // A file above both folders does not belong to the package.
        assert_eq!(found("beside-above", &[beside, shop, ABOVE]), None);
        let own = found("beside-own", &[beside, shop, policy, OWN]).unwrap_or_default();
        assert!(Path::new(&own).is_absolute() && own.ends_with(OWN.0), "{own}");
        assert_eq!(found("fetched-beside", &[beside, shop, policy, ("app/.cargo-ok", "")]), None);
    }

    #[test]
    fn a_package_can_name_the_workspace_that_it_lies_in() {
        let within = ("crates/app/Cargo.toml", "[package]\nname = \"app\"\nworkspace = \"../..\"");
        let folder = folder("named", &[within, WORKSPACE, ("crates/redis-keys.toml", "")]);
        let found = find(&folder.join("crates").join("app"));
        fs::remove_dir_all(&folder).expect("a folder can be removed");
        assert_eq!(found.map(|found| found.shown).as_deref(), Some("crates/redis-keys.toml"));
    }

    #[test]
    fn a_package_that_a_workspace_excludes_is_none_of_it() {
        let excludes = ("Cargo.toml", "[workspace]\nexclude = [\"app\"]");
        assert_eq!(found("excluded", &[APP, excludes, ABOVE]), None);
        let but = ("Cargo.toml", "[workspace]\nexclude = [\"app\"]\nmembers = [\"app\"]");
        assert_eq!(found("included", &[APP, but, ABOVE]).as_deref(), Some("redis-keys.toml"));
    }

    #[test]
    fn what_cargo_has_fetched_has_none() {
        let ok = |file: &'static str| (file, "{\"v\":1}");
        assert_eq!(found("registry", &[APP, OWN, ok("app/.cargo-ok")]), None);
        assert_eq!(found("vendored", &[APP, OWN, WORKSPACE, ABOVE, ok("app/.cargo-checksum.json")]), None);
        assert_eq!(found("git", &[APP, OWN, WORKSPACE, ABOVE, ok(".cargo-ok")]), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_nowhere_is_found() {
        let folder = folder("link", &[APP]);
        std::os::unix::fs::symlink("nowhere", folder.join("app").join(POLICY_FILE)).expect("a link can be made");
        let found = find(&folder.join("app"));
        fs::remove_dir_all(&folder).expect("a folder can be removed");
        assert!(found.is_some());
    }
}
