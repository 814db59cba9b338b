//! Lints, their levels, and the warnings that they report.

use std::fmt;
use std::ops::Range;

use crate::diagnostic::drawing;
use crate::edit::{Edit, Suggestion};
use crate::place::Place;

/// The exception that `allow(…)` takes besides lints. Keys that overlap are an error, not a lint.
pub(crate) const OVERLAP: &str = "overlap";

/// The exception for a legacy text whose keys can stand for several values.
pub(crate) const AMBIGUOUS_TEXT: &str = "ambiguous_text";

/// A check for valid but questionable declarations, whose level a project can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Lint {
    /// A key type or a value that is unusual for a module such as `lock`.
    MisusedModule,
    /// A table of the policy file for a module whose name is probably a typo.
    MisspeltModule,
    /// An expiry outside the usual range of the module.
    UnusualTtl,
    /// Cached keys that expire at the same time.
    MissingJitter,
    /// A collection of many elements.
    BigCollection,
    /// A large value that is not compressed.
    Uncompressed,
    /// A hash tag that puts all current keys into one slot of a cluster.
    HotSlot,
    /// A secret in plain text, as a value or in a key's text.
    PlainSecret,
    /// A collection that is kept as long as it is used.
    SlidingTtl,
    /// A key that never expires, without a description how it can be restored.
    NoRebuild,
    /// A word that the project abbreviates.
    LongWord,
    /// String keys that could be the fields of one hash.
    SiblingFields,
    /// An `allow` of a lint that does not fire.
    UnneededAllow,
    /// A key of more than 30 bytes.
    LongKey,
    /// A key without a doc comment.
    Undocumented,
}

/// The level of a lint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Not reported.
    Allow,
    /// Reported as a warning.
    Warn,
    /// Reported as an error.
    Deny,
}

impl Lint {
    /// The lint of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lint| lint.name() == name)
    }
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The level of each lint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels([Level; Lint::ALL.len()]);

impl Levels {
    /// The level of a lint.
    pub fn of(&self, lint: Lint) -> Level {
        self.0.get(lint as usize).copied().unwrap_or(lint.default_level())
    }

    pub(crate) fn set(&mut self, lint: Lint, level: Level) {
        if let Some(slot) = self.0.get_mut(lint as usize) {
            *slot = level;
        }
    }
}

impl Default for Levels {
    fn default() -> Self {
        Self(Lint::ALL.map(Lint::default_level))
    }
}

/// A finding of a lint: its place, the problem and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The place to underline.
    pub place: Place,
    /// The lint that reports it.
    pub lint: Lint,
    /// The level of the lint.
    pub level: Level,
    /// The problem.
    pub message: String,
    /// The text to write instead.
    pub suggestion: String,
    /// The edits that follow the suggestion. None if it does not say which text to write.
    pub edits: Vec<Edit>,
}

impl Warning {
    pub(crate) fn new(lint: Lint, place: Place, message: impl Into<String>, suggestion: impl Into<Suggestion>) -> Self {
        let (suggestion, edits) = suggestion.into().edits(&place);
        Self { place, lint, level: lint.default_level(), message: message.into(), suggestion, edits }
    }

    pub(crate) fn at(
        lint: Lint,
        range: &Range<usize>,
        message: impl Into<String>,
        suggestion: impl Into<Suggestion>,
    ) -> Self {
        Self::new(lint, Place::Attribute(range.clone()), message, suggestion)
    }

    /// Draws the text at fault into the message, as [`Diagnostic::drawn`](crate::Diagnostic::drawn) does.
    #[must_use]
    pub fn drawn(mut self, text: &str, literal: Range<usize>) -> Self {
        if let Some(drawing) = drawing(&self.place, text, literal) {
            self.message.push_str(&drawing);
        }
        self
    }
}

impl Warning {
    /// Returns the text to write instead, and the way to opt out.
    pub fn help(&self) -> String {
        let Self { suggestion, lint, .. } = self;
        // No key opts out of these.
        if matches!(lint, Lint::UnneededAllow | Lint::MisspeltModule) {
            return suggestion.clone();
        }
        format!("{suggestion}, or opt out with `allow({lint}, reason = \"…\")`")
    }
}

impl fmt::Display for Warning {
    /// The message, then `help:` and `lint:` on separate lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\nhelp: {}\nlint: {}", self.message, self.help(), self.lint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_lint_has_a_level_of_its_own() {
        for lint in Lint::ALL {
            let mut levels = Levels::default();
            levels.set(lint, Level::Deny);
            for other in Lint::ALL {
                let expected = if other == lint { Level::Deny } else { other.default_level() };
                assert_eq!(levels.of(other), expected, "{lint} {other}");
            }
            assert_eq!(Lint::from_name(lint.name()), Some(lint));
        }
    }
}
