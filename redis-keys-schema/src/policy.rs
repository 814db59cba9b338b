//! The policy file of a project, `redis-keys.toml`: its modules, its limits and the levels of lints.

mod document;
mod error;
mod expect;
mod foreign;
mod legacy;
mod limits;
mod modules;
mod read;
mod syntax;
mod window;
mod workspace;

use std::ops::Range;
use std::time::Duration;

pub use error::PolicyError;
pub use foreign::FOREIGN_SYSTEMS;
pub use window::Window;
pub use workspace::Workspace;

use crate::Kind;
use crate::warning::Levels;

/// The file's name.
pub const POLICY_FILE: &str = "redis-keys.toml";

/// The largest size of the file. A larger file is no policy.
pub const MAX_POLICY_BYTES: u64 = 64 * 1024;

/// The header of a module's table: `[module.cache]`.
pub(crate) fn table_of_module(module: &str) -> String {
    // TOML reads a `.` without quotes as a nested table.
    if module.contains('.') { format!("[module.\"{module}\"]") } else { format!("[module.{module}]") }
}

/// The policy of a project for all of its keys. The default adds nothing to the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// The modules, if the file lists them.
    pub modules: Option<Vec<String>>,
    /// Limits below the rules' limits.
    pub limits: PolicyLimits,
    /// The level of each lint.
    pub lints: Levels,
    /// The declarations that can have a legacy text in use, if the file lists them.
    pub legacy: Option<LegacyPolicy>,
    /// The keys of other programs, if the file names them. Only the audit reads this.
    pub foreign: Option<ForeignPolicy>,
    /// Long words, and the abbreviation of each.
    pub abbreviations: Vec<(String, String)>,
    /// The settings of single modules, by name.
    pub module: Vec<(String, ModulePolicy)>,
    /// Valid names of modules that are probably typos, which the lint `misspelt_module` reports.
    pub misspelt: Vec<PolicyError>,
}

/// Limits below the rules' limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields have the names of the settings, which the guide explains")]
pub struct PolicyLimits {
    pub max_bytes: Option<u64>,
    pub max_len: Option<u64>,
    pub max_member_bytes: Option<u64>,
    pub max_key_bytes: Option<usize>,
    pub longest_ttl: Option<Duration>,
}

/// The declarations that can have a legacy text in use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LegacyPolicy {
    /// Their names, with or without paths, and the place of each in the file.
    pub keys: Vec<(String, Range<usize>)>,
}

impl LegacyPolicy {
    /// Whether a struct of this name is listed. The path of a listed name is for readers: a derive does not know it.
    pub fn lists(&self, name: &str) -> bool {
        self.keys.iter().any(|(listed, _)| listed.rsplit("::").next() == Some(name))
    }
}

/// The keys of other programs on the servers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForeignPolicy {
    /// Names of [`FOREIGN_SYSTEMS`].
    pub systems: Vec<String>,
    /// Patterns of keys, in which `*` is any text.
    pub patterns: Vec<String>,
}

/// The settings of one module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModulePolicy {
    /// The range of the time to live of its keys.
    pub ttl: Option<Window>,
    /// The types that its keys can have.
    pub types: Option<Vec<Kind>>,
    /// The owner of keys that name none.
    pub owner: Option<String>,
}

impl Policy {
    /// Parses a policy file, and collects its errors.
    ///
    /// ```
    /// use redis_keys_schema::Policy;
    ///
    /// let (policy, errors) = Policy::parse("modules = [\"user\", \"shop\"]\n[lints]\nunusal_ttl = \"deny\"");
    /// assert_eq!(policy.modules.as_deref(), Some(&["user".to_owned(), "shop".to_owned()][..]));
    /// assert_eq!(errors[0].suggestion, "did you mean `unusual_ttl`?");
    /// ```
    pub fn parse(text: &str) -> (Self, Vec<PolicyError>) {
        // Some editors start a file with a byte order mark.
        let (text, mark) = text.strip_prefix('\u{feff}').map_or((text, 0), |rest| (rest, '\u{feff}'.len_utf8()));
        let (table, mut errors) = document::read(text);
        let mut policy = read::policy(&table, &mut errors);
        errors.sort_by_key(|error| error.range.start);
        error::limit(&mut errors);
        policy.misspelt.truncate(error::MAX_ERRORS);
        for error in errors.iter_mut().chain(&mut policy.misspelt) {
            error.shorten();
            error.range = error.range.start + mark..error.range.end + mark;
        }
        for (_, range) in policy.legacy.iter_mut().flat_map(|legacy| &mut legacy.keys) {
            *range = range.start + mark..range.end + mark;
        }
        (policy, errors)
    }

    /// A module's settings.
    pub fn of_module(&self, name: &str) -> Option<&ModulePolicy> {
        self.module.iter().find(|(module, _)| module == name).map(|(_, policy)| policy)
    }
}

#[cfg(test)]
mod tests;
