//! The parts of clients that a file imports.

use super::expressions::is_one_of;
use crate::declare::sources::{Code, SourceFile};

/// The parts of clients that a file imports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Imports {
    /// The traits with the commands.
    pub(super) traits: bool,
    /// The client fred.
    pub(super) fred: bool,
}

impl Imports {
    /// The imports of a file. `None` if it does not use a client.
    pub(super) fn of(code: &Code, file: &SourceFile) -> Option<Self> {
        let mut imports = Self::default();
        // Paths such as `redis::cmd` need no import.
        let mut is_client_named = file.text.contains("redis::");
        for path in code.imports.get(&file.shown).into_iter().flatten() {
            let (first, last) = (path.first().map_or("", String::as_str), path.last().map_or("", String::as_str));
            let names_client = path.iter().any(|name| is_client(name));
            is_client_named |= names_client;
            imports.fred |= first == "fred";
            // All names of a prelude, or of the module around.
            imports.traits |= is_command_trait(last) || last == "*" && (names_client || path.len() > 1);
        }
        (is_client_named || imports.traits).then_some(imports)
    }
}

fn is_client(name: &str) -> bool {
    name.contains("redis") && !name.contains("redis_keys") || name == "fred"
}

/// Whether the methods of a trait of redis-rs are commands.
pub(super) fn is_command_trait(name: &str) -> bool {
    const TRAITS: &str = "Commands AsyncCommands TypedCommands AsyncTypedCommands JsonCommands JsonAsyncCommands";
    is_one_of(TRAITS, name)
}
