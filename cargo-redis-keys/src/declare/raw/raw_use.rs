//! A command on Redis outside of declarations.

use std::fmt;
use std::ops::Range;
use std::rc::Rc;

use super::commands::Effect;
use super::key_text::KeyText;
use crate::declare::redis_type::RedisType;
use crate::declare::sources::SourceFile;

/// A command on Redis outside of declarations.
#[derive(Clone)]
pub(crate) struct RawUse {
    pub(crate) file: Rc<SourceFile>,
    /// The bytes of the command's name in the file.
    pub(crate) range: Range<usize>,
    /// The command, such as `SET`. `EVAL` is a script.
    pub(crate) command: &'static str,
    /// The text of the key. `None` if no part is known.
    pub(crate) key: Option<KeyText>,
    pub(crate) effect: Effect,
    /// Whether a key that it creates gets an expiry.
    pub(crate) expiry: SetsExpiry,
    /// The key's type, if the command tells it.
    pub(crate) redis_type: Option<RedisType>,
    /// The receiver, if only its name says that its method sends a command.
    pub(crate) guess: Option<Guess>,
}

/// A receiver that is known by its name only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guess {
    /// The name of a variable, a field or a function.
    pub(crate) name: String,
    /// The noun for the thing that it is taken for.
    pub(crate) taken_for: &'static str,
}

impl fmt::Display for Guess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is taken for a {} by its name", self.name, self.taken_for)
    }
}

/// Whether a key that is created gets an expiry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SetsExpiry {
    No,
    /// The sources do not say.
    Unknown,
    Yes,
}

impl RawUse {
    /// Whether it creates keys that never expire, as far as the sources say.
    pub(crate) fn creates_without_expiry(&self) -> bool {
        self.effect == Effect::Create && self.expiry == SetsExpiry::No
    }
}
