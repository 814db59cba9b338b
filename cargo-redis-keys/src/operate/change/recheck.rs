//! Checks the lines of a plan, which can be edited by hand: those that a plan made now would not contain stay.

use std::collections::HashSet;

use super::choice::NamedKeys;
use super::options::ChangeCommand;
use super::plan::PlannedKey;
use super::selector::Selector;

/// Checks the lines of a plan.
pub(super) struct Recheck {
    pub(super) command: ChangeCommand,
    pub(super) source: KeySource,
    /// Whether it must be known when a key was used last.
    pub(super) needs_last_use: bool,
}

/// The keys that a plan can contain.
pub(super) enum KeySource {
    /// Those that the declarations select.
    Selector(Box<Selector>),
    /// Those that the user has named.
    Named(HashSet<Vec<u8>>),
}

impl KeySource {
    pub(super) fn named(keys: &NamedKeys) -> Self {
        Self::Named(keys.0.iter().map(|key| key.0.clone()).collect())
    }
}

impl Recheck {
    /// The reason for which a plan that is made now would not contain this line.
    pub(super) fn objection(&self, planned: &PlannedKey) -> Option<&'static str> {
        let objection = match &self.source {
            KeySource::Named(keys) => {
                (!keys.contains(&planned.key.0)).then_some("it is not one of the keys that the plan was made of")
            }
            KeySource::Selector(selector) => selector.objection(planned),
        };
        let is_unknown = self.command == ChangeCommand::Purge && self.needs_last_use && planned.last_use.is_none();
        objection.or_else(|| is_unknown.then_some("its last use is unknown: see `--without-last-use`"))
    }

    /// The first bytes of a value that a key of this declaration can have. Empty if it can have any.
    pub(super) fn first_bytes(&self, key: &[u8]) -> &'static str {
        match &self.source {
            KeySource::Selector(selector) if selector.is_hyperloglog(key) => "HYLL",
            _ => "",
        }
    }
}
