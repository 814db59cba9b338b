//! What the manifest of a package says of its workspace.

use super::document;
use super::table::{Table, Value};

/// The workspace that a `Cargo.toml` declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workspace {
    /// The folders that are no part of it.
    pub exclude: Vec<String>,
    /// The folders, or patterns of folders, that are.
    pub members: Vec<String>,
}

impl Workspace {
    /// Reads the text of a `Cargo.toml`. `None` if it declares no workspace.
    ///
    /// ```
    /// use redis_keys_schema::Workspace;
    ///
    /// assert!(Workspace::of_manifest("[workspace]\nmembers = [\"app\"]").is_some());
    /// assert!(Workspace::of_manifest("[package]\nversion.workspace = true").is_none());
    /// ```
    pub fn of_manifest(text: &str) -> Option<Self> {
        // Most manifests need not be read.
        if !text.contains("workspace") {
            return None;
        }
        let manifest = document::read(text).table;
        let Value::Table(workspace) = entry(&manifest, "workspace")? else { return None };
        Some(Self { exclude: texts(workspace, "exclude"), members: texts(workspace, "members") })
    }

    /// Where a package says that its workspace is, from its own folder: cargo wants that of one that does not lie below it.
    ///
    /// ```
    /// use redis_keys_schema::Workspace;
    ///
    /// let manifest = "[package]\nname = \"app\"\nworkspace = \"../shop\"";
    /// assert_eq!(Workspace::said_by_package(manifest).as_deref(), Some("../shop"));
    /// assert_eq!(Workspace::said_by_package("[package]\nversion.workspace = true"), None);
    /// ```
    pub fn said_by_package(text: &str) -> Option<String> {
        if !text.contains("workspace") {
            return None;
        }
        let manifest = document::read(text).table;
        let Value::Table(package) = entry(&manifest, "package")? else { return None };
        if let Value::Text(folder) = entry(package, "workspace")? { Some(folder.clone()) } else { None }
    }
}

fn entry<'t>(table: &'t Table, name: &str) -> Option<&'t Value> {
    table.entries.iter().find(|entry| entry.name.text == name).map(|entry| &entry.node.value)
}

fn texts(table: &Table, name: &str) -> Vec<String> {
    let Some(Value::List(nodes)) = entry(table, name) else { return Vec::new() };
    let text = |value: &Value| if let Value::Text(text) = value { Some(text.clone()) } else { None };
    nodes.iter().filter_map(|node| text(&node.value)).collect()
}
