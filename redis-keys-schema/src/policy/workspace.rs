//! The workspace of a package, from its manifest.

use super::document::{self, Table, Value};

/// The workspace that a `Cargo.toml` declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workspace {
    /// The folders that do not belong to it.
    pub exclude: Vec<String>,
    /// The folders, or patterns of folders, that belong to it.
    pub members: Vec<String>,
}

impl Workspace {
    /// Reads the workspace that a `Cargo.toml` declares, if it declares a workspace.
    ///
    /// ```
    /// use redis_keys_schema::Workspace;
    ///
    /// assert!(Workspace::of_manifest("[workspace]\nmembers = [\"app\"]").is_some());
    /// assert!(Workspace::of_manifest("[package]\nversion.workspace = true").is_none());
    /// ```
    pub fn of_manifest(text: &str) -> Option<Self> {
        // Skips parsing for most manifests.
        if !text.contains("workspace") {
            return None;
        }
        let (manifest, _) = document::read(text);
        let workspace = manifest.get("workspace")?.value.as_table()?;
        Some(Self { exclude: strings(workspace, "exclude"), members: strings(workspace, "members") })
    }

    /// Reads `package.workspace`, the path from a package to a workspace that is not in a folder above it.
    ///
    /// ```
    /// use redis_keys_schema::Workspace;
    ///
    /// let manifest = "[package]\nname = \"app\"\nworkspace = \"../shop\"";
    /// assert_eq!(Workspace::path_in_package(manifest).as_deref(), Some("../shop"));
    /// assert_eq!(Workspace::path_in_package("[package]\nversion.workspace = true"), None);
    /// ```
    pub fn path_in_package(text: &str) -> Option<String> {
        if !text.contains("workspace") {
            return None;
        }
        let (manifest, _) = document::read(text);
        let package = manifest.get("package")?.value.as_table()?;
        package.get("workspace")?.value.as_str().map(str::to_owned)
    }
}

fn strings(table: &Table, name: &str) -> Vec<String> {
    let Some(Value::Array(nodes)) = table.get(name).map(|node| &node.value) else { return Vec::new() };
    nodes.iter().filter_map(|node| node.value.as_str().map(str::to_owned)).collect()
}
