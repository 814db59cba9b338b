//! What is doubtful, where, and what to write instead.

use std::fmt;
use std::ops::Range;

use super::{Level, Lint};
use crate::diagnostic::{Place, drawing};

/// One thing that a lint has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What to underline.
    pub place: Place,
    /// The lint that has found it.
    pub lint: Lint,
    /// What comes of it.
    pub level: Level,
    /// What is doubtful, in plain words.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

impl Warning {
    pub(super) fn new(lint: Lint, place: Place, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { place, lint, level: lint.default_level(), message: message.into(), help: help.into() }
    }

    pub(super) fn at(lint: Lint, range: &Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::new(lint, Place::Attribute(range.clone()), message, help)
    }

    /// The same with the text that it speaks of drawn into the message, as [`Diagnostic::drawn`](crate::Diagnostic::drawn)
    /// has it.
    #[must_use]
    pub fn drawn(mut self, text: &str, literal: Range<usize>) -> Self {
        if let Some(drawing) = drawing(&self.place, text, literal) {
            self.message.push_str(&drawing);
        }
        self
    }
}

impl fmt::Display for Warning {
    /// The message, then `help:` and `lint:` on lines of their own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { message, help, lint, .. } = self;
        write!(f, "{message}\nhelp: {help}")?;
        // Of these no key says why not.
        if !matches!(lint, Lint::UnneededAllow | Lint::MisspeltModule) {
            write!(f, "; or say why not: `allow({lint}, reason = \"…\")`")?;
        }
        write!(f, "\nlint: {lint}")
    }
}
