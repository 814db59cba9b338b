//! The file `redis-keys.values.toml`: the shapes of the values that programs store, for reviews and for CI.
//!
//! Each declaration has a table with the shape that programs write now. A shape that was replaced stays as `older` until
//! the values that have it must have expired, because programs still read them.

mod damage;
mod read;
mod toml;
mod write;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;
use std::{fmt, fs};

use redis_keys_core::value_shape::Form;

use crate::Failure;
use crate::date::Date;
use crate::declare::if_exists;
use crate::file::{Access, replace};

/// The name of the file, in the folder of the workspace, unless the user gives another.
pub(crate) const NAME: &str = "redis-keys.values.toml";

/// The version of the file's form.
const VERSION: i64 = 1;

/// The shapes of all declarations, by template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ValuesFile {
    pub(crate) entries: BTreeMap<String, Entry>,
}

/// The shapes of a declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The shapes that programs write now. `None` if the declaration is gone, or its values are not known any more.
    pub(crate) current: Option<Current>,
    /// The shapes that may still be stored, the last replaced first.
    pub(crate) older: Vec<Older>,
}

/// The shapes that programs write now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Current {
    /// How long values can be read after another shape has replaced theirs.
    pub(crate) expiry: Expiry,
    pub(crate) shapes: Shapes,
}

/// The shapes of values that can still be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Older {
    /// The last day on which a program can read such a value. `None` if there is no last day.
    pub(crate) until: Option<Date>,
    pub(crate) shapes: Shapes,
}

/// The forms of a declaration's parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shapes {
    pub(crate) value: Option<Form>,
    /// The names of a hash's fields.
    pub(crate) field: Option<Form>,
}

/// How long values can be read after another shape has replaced theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Expiry {
    /// The days.
    Days(u64),
    /// For ever.
    Never,
}

/// A part of a declaration that is stored in a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Value,
    Field,
}

impl Part {
    pub(crate) const ALL: [Self; 2] = [Self::Value, Self::Field];

    /// The name in the file and in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Field => "field",
        }
    }
}

impl Shapes {
    pub(crate) fn part(&self, part: Part) -> Option<&Form> {
        match part {
            Part::Value => self.value.as_ref(),
            Part::Field => self.field.as_ref(),
        }
    }

    /// The place of a part.
    pub(crate) fn slot(&mut self, part: Part) -> &mut Option<Form> {
        match part {
            Part::Value => &mut self.value,
            Part::Field => &mut self.field,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        Part::ALL.iter().all(|part| self.part(*part).is_none())
    }
}

impl Expiry {
    /// The last day on which a value that is written today can be read. `None` if there is no last day.
    pub(crate) fn last_day(self, today: Date) -> Option<Date> {
        match self {
            Self::Days(days) => Some(today.plus_days(days)),
            Self::Never => None,
        }
    }
}

impl fmt::Display for Expiry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Days(days) => write!(f, "{days}d"),
            Self::Never => f.write_str("never"),
        }
    }
}

impl Older {
    /// Whether a program can still read such a value.
    pub(crate) fn is_stored(&self, today: Date) -> bool {
        self.until.is_none_or(|until| until >= today)
    }
}

impl Entry {
    /// The forms of a part that can still be stored, the current form first.
    pub(crate) fn stored(&self, part: Part, today: Date) -> Vec<&Form> {
        let current = self.current.iter().map(|current| &current.shapes);
        let older = self.older.iter().filter(|older| older.is_stored(today)).map(|older| &older.shapes);
        let mut forms: Vec<&Form> = Vec::new();
        for form in current.chain(older).filter_map(|shapes| shapes.part(part)) {
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        forms
    }
}

/// Reads a file that is shown by this name, with its text. `None` if there is none.
pub(crate) fn load(path: &Path, name: &str) -> Result<Option<(String, ValuesFile)>, Failure> {
    let Some(text) = if_exists(path, fs::read_to_string(path))? else { return Ok(None) };
    let file = ValuesFile::parse(&text).map_err(|damage| damage.into_failure(name))?;
    Ok(Some((text, file)))
}

/// Writes a file.
pub(crate) fn save(path: &Path, file: &ValuesFile) -> Result<(), Failure> {
    replace(path, file.to_string().as_bytes(), Access::Usual)
}
