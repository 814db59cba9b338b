//! The policy file of a project, `redis-keys.toml`: which modules there are, and how much its keys may be.

mod agreement;
mod document;
mod fault;
mod limits;
mod read;
mod slip;
mod syntax;
mod table;
mod tables;
mod window;
mod workspace;

use std::collections::BTreeSet;
use std::time::Duration;

use crate::Kind;
use crate::lint::Levels;
#[cfg(test)]
use crate::lint::{Level, Lint};

use document::Document;
use fault::Lines;
pub use fault::PolicyFault;
pub use window::Window;
pub use workspace::Workspace;

/// The name of the file.
pub const POLICY_FILE: &str = "redis-keys.toml";

/// How many bytes the file may have: no project has so much to say, and what is larger is something else.
pub const MAX_POLICY_BYTES: u64 = 64 * 1024;

/// How many mistakes are told at once: of more nobody reads all.
const MOST_FAULTS: usize = 20;

/// What a project says of all of its keys. The default says nothing beyond the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// The modules that there are, where they are listed.
    pub modules: Option<Vec<String>>,
    /// What is less than what the rules allow.
    pub limits: PolicyLimits,
    /// What comes of each lint.
    pub lints: Levels,
    /// Long words and what is written for each.
    pub abbreviations: Vec<(String, String)>,
    /// What holds for one module, by its name.
    pub module: Vec<(String, ModulePolicy)>,
    /// What no rule is against, and was likely meant otherwise: what the lint `misspelt_module` speaks of.
    pub doubts: Vec<PolicyFault>,
}

/// The most that a key may be where it is less than what the rules allow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields bear the names that stand in the file, which the guide explains")]
pub struct PolicyLimits {
    pub max_bytes: Option<u64>,
    pub max_len: Option<u64>,
    pub max_member_bytes: Option<u64>,
    pub max_key_bytes: Option<usize>,
    pub longest_ttl: Option<Duration>,
}

/// What holds for the keys of one module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModulePolicy {
    /// How long they live.
    pub ttl: Option<Window>,
    /// The types that they may have.
    pub types: Option<Vec<Kind>>,
    /// Who answers for those that name nobody.
    pub owner: Option<String>,
}

impl Policy {
    /// Reads the text of a policy file, as far as it can be read, and says everything that is wrong with it.
    ///
    /// ```
    /// use redis_keys_schema::Policy;
    ///
    /// let (policy, faults) = Policy::parse("modules = [\"user\", \"shop\"]\n[lints]\nunusal_ttl = \"deny\"");
    /// assert_eq!(policy.modules.as_deref(), Some(&["user".to_owned(), "shop".to_owned()][..]));
    /// assert_eq!(faults[0].help, "write `unusual_ttl`");
    /// ```
    pub fn parse(text: &str) -> (Self, Vec<PolicyFault>) {
        // What Windows' editors put before a text is none of it.
        let (text, mark) = text.strip_prefix('\u{feff}').map_or((text, 0), |rest| (rest, '\u{feff}'.len_utf8()));
        let Document { table, mut faults, cut } = document::read(text);
        let lines = Lines::of(text);
        let unread: BTreeSet<_> = faults.iter().map(|fault| lines.of_fault(fault)).collect();
        let (mut policy, misread) = read::policy(&table);
        // What can't be read is told already.
        faults.extend(misread.into_iter().filter(|fault| !unread.contains(&lines.of_fault(fault))));
        syntax::once(&mut faults);
        faults.sort_by_key(|fault| fault.range.start);
        let open = faults.iter().position(PolicyFault::is_last);
        faults.truncate(open.map_or(faults.len(), |open| open + 1));
        fault::tell_most(&mut faults, MOST_FAULTS, cut && open.is_none());
        policy.doubts.truncate(MOST_FAULTS);
        for fault in faults.iter_mut().chain(&mut policy.doubts) {
            fault.shorten();
            fault.range = fault.range.start + mark..fault.range.end + mark;
        }
        (policy, faults)
    }

    /// What holds for the keys of a module.
    pub fn of_module(&self, name: &str) -> Option<&ModulePolicy> {
        self.module.iter().find(|(module, _)| module == name).map(|(_, policy)| policy)
    }
}

#[cfg(test)]
mod tests;
