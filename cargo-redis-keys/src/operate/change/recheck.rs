//! Checks the lines of a plan, which can be edited by hand: those that a plan made now would not contain stay.

use std::collections::HashSet;

use super::choice::NamedKeys;
use super::options::ChangeCommand;
use super::plan::PlannedKey;
use super::select::Selector;

/// Checks the lines of a plan.
pub(super) struct Recheck {
    command: ChangeCommand,
    selection: Selection,
    /// Whether it must be known when a key was used last.
    needs_last_use: bool,
}

/// The keys that a plan can contain.
enum Selection {
    Selected(Box<Selector>),
    Named(HashSet<Vec<u8>>),
}

impl Recheck {
    /// Checks against the declarations.
    pub(super) fn selected(selector: Selector, command: ChangeCommand, needs_last_use: bool) -> Self {
        Self { command, selection: Selection::Selected(Box::new(selector)), needs_last_use }
    }

    /// Checks against the keys that the user has named.
    pub(super) fn named(keys: &NamedKeys, command: ChangeCommand, needs_last_use: bool) -> Self {
        let keys = keys.0.iter().map(|key| key.0.clone()).collect();
        Self { command, selection: Selection::Named(keys), needs_last_use }
    }

    /// The reason for which a plan that is made now would not contain this line.
    pub(super) fn objection(&self, planned: &PlannedKey) -> Option<&'static str> {
        let objection = match &self.selection {
            Selection::Named(keys) => {
                (!keys.contains(&planned.key.0)).then_some("it is not one of the keys that the plan was made of")
            }
            Selection::Selected(selector) => selector.objection(planned),
        };
        let is_unknown = self.command == ChangeCommand::Purge && self.needs_last_use && planned.last_use.is_none();
        objection.or_else(|| is_unknown.then_some("its last use is unknown: see `--without-last-use`"))
    }

    /// The first bytes of a value that a key of this declaration can have. Empty if it can have any.
    pub(super) fn first_bytes(&self, key: &[u8]) -> &'static str {
        match &self.selection {
            Selection::Selected(selector) if selector.is_hyperloglog(key) => "HYLL",
            _ => "",
        }
    }
}
