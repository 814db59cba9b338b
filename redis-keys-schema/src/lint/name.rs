//! The names of the lints and how loud each is.

use std::fmt;

/// What a key or the policy file is warned of: no rule is broken, and a project may see it in another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Lint {
    /// A module such as `lock` that holds something else.
    MisusedModule,
    /// A table of the policy file for a module whose name is nearly a usual one.
    MisspeltModule,
    /// An expiry outside of what the module usually has.
    UnusualTtl,
    /// Cached keys that expire together.
    MissingJitter,
    /// A collection that may have many elements.
    BigCollection,
    /// A large value that is stored as it is.
    Uncompressed,
    /// A word that the project abbreviates.
    LongWord,
    /// Keys that would be the fields of one hash.
    SiblingFields,
    /// An `allow` of a lint that says nothing.
    UnneededAllow,
    /// A key of more than 30 bytes.
    LongKey,
    /// A key without a doc comment.
    Undocumented,
}

/// What comes of a lint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Nothing.
    Allow,
    /// A warning.
    Warn,
    /// An error.
    Deny,
}

impl Lint {
    /// Every lint.
    pub const ALL: [Self; 11] = [
        Self::MisusedModule,
        Self::MisspeltModule,
        Self::UnusualTtl,
        Self::MissingJitter,
        Self::BigCollection,
        Self::Uncompressed,
        Self::LongWord,
        Self::SiblingFields,
        Self::UnneededAllow,
        Self::LongKey,
        Self::Undocumented,
    ];

    /// The name that stands in messages, in the policy file and in `allow(…)`.
    ///
    /// ```
    /// assert_eq!(redis_keys_schema::Lint::LongWord.name(), "long_word");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::MisusedModule => "misused_module",
            Self::MisspeltModule => "misspelt_module",
            Self::UnusualTtl => "unusual_ttl",
            Self::MissingJitter => "missing_jitter",
            Self::BigCollection => "big_collection",
            Self::Uncompressed => "uncompressed",
            Self::LongWord => "long_word",
            Self::SiblingFields => "sibling_fields",
            Self::UnneededAllow => "unneeded_allow",
            Self::LongKey => "long_key",
            Self::Undocumented => "undocumented",
        }
    }

    /// The lint of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lint| lint.name() == name)
    }

    /// What comes of it where the policy file says nothing.
    pub const fn default_level(self) -> Level {
        match self {
            Self::LongKey | Self::Undocumented => Level::Allow,
            _ => Level::Warn,
        }
    }
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What comes of each lint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels([Level; Lint::ALL.len()]);

impl Levels {
    /// What comes of a lint.
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
