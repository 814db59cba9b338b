//! The catalogue: all keys of a project as data.
//!
//! Sources, compiled declarations and catalogue files all become a [`Catalogue`], and every command starts from one.

mod describe;
mod key;
mod matcher;
mod nearest;
mod template;
#[cfg(test)]
mod tests;
mod values;

use serde::{Deserialize, Serialize};

pub(crate) use describe::Span;
pub use key::{Allowed, Key, Parameter};
pub use matcher::Matcher;
pub(crate) use nearest::{Difference, nearest, parameters};
pub use values::Values;

use crate::Failure;

/// The version of the JSON form.
pub const FORMAT: u32 = 1;

/// All keys of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Catalogue {
    /// The version of the JSON form.
    pub format: u32,
    /// The keys, sorted by template.
    pub keys: Vec<Key>,
    /// The places that may declare keys and could not be read.
    pub unread: Vec<Unread>,
}

/// A place in the sources that may declare keys and could not be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Unread {
    /// The file, relative to the workspace.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// Why it could not be read.
    pub why: String,
}

impl Unread {
    const ERRORS: &str = "has errors";

    /// The place of a declaration with errors.
    pub(crate) fn with_errors(file: String, line: usize, name: &str) -> Self {
        Self { file, line, why: format!("the declaration of `{name}` {}", Self::ERRORS) }
    }

    /// Whether it is a declaration with errors, which a compilation does not read either.
    pub(crate) fn has_errors(&self) -> bool {
        self.why.ends_with(Self::ERRORS)
    }
}

impl Catalogue {
    /// A catalogue of these keys, which are sorted here.
    pub fn new(mut keys: Vec<Key>, mut unread: Vec<Unread>) -> Self {
        keys.sort_by(|one, other| one.order().cmp(&other.order()));
        unread.sort();
        Self { format: FORMAT, keys, unread }
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    ///
    /// If it is not a catalogue, or one of a later version.
    pub fn from_json(text: &str) -> Result<Self, Failure> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        const HELP: &str = "write one with `cargo redis-keys catalog --format json --out FILE`";
        let not_one = |error: serde_json::Error| Failure::new(format!("not a catalogue: {error}")).help(HELP);
        let Version { format } = serde_json::from_str(text).map_err(not_one)?;
        if format != FORMAT {
            let message = format!("the catalogue has format {format}, expected {FORMAT}");
            return Err(
                Failure::new(message).help("update cargo-redis-keys, or write the catalogue again with this version")
            );
        }
        serde_json::from_str(text).map_err(not_one)
    }

    /// The JSON form: one key in each line, so that differences are easy to read.
    pub fn to_json(&self) -> String {
        let lines = |values: Vec<String>| {
            if values.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", values.join(",\n")) }
        };
        let keys = lines(self.keys.iter().filter_map(|key| serde_json::to_string(key).ok()).collect());
        let unread = lines(self.unread.iter().filter_map(|place| serde_json::to_string(place).ok()).collect());
        format!("{{\"format\":{},\"keys\":{keys},\"unread\":{unread}}}\n", self.format)
    }
}
