//! Updates the file: what programs store now becomes the current shape, and what they stored before an older one.

use std::mem;

use super::declared::{Declared, Project, expiry};
use super::file::{Current, Entry, Older, ValuesFile};
use crate::date::Date;

/// The file with the shapes of a project's values. Shapes that no value can have any more are dropped.
pub(crate) fn updated(file: &ValuesFile, project: &Project, today: Date) -> ValuesFile {
    let mut updated = file.clone();
    for (template, declared) in &project.declared {
        if let Some(declared) = declared.first() {
            update(updated.entries.entry(template.clone()).or_default(), declared, today);
        }
    }
    for (template, entry) in &mut updated.entries {
        if !project.declared.contains_key(template) && project.is_gone(template) {
            entry.retire(today);
        }
    }
    without_expired(updated, today)
}

/// The file without the shapes that no value can have any more.
pub(crate) fn without_expired(mut file: ValuesFile, today: Date) -> ValuesFile {
    for entry in file.entries.values_mut() {
        entry.older.retain(|older| older.is_stored(today));
    }
    file.entries.retain(|_, entry| entry.current.is_some() || !entry.older.is_empty());
    file
}

fn update(entry: &mut Entry, declared: &Declared, today: Date) {
    let Ok(known) = &declared.values else {
        // The next change of them cannot be compared with this shape, but what is stored has it.
        entry.retire(today);
        return;
    };
    let expiry = expiry(&declared.key);
    let new = Current { expiry, shapes: known.shapes.clone() };
    match &mut entry.current {
        Some(current) if current.shapes == new.shapes => current.expiry = expiry,
        Some(current) => {
            // A changed expiry applies to values that are written from now on.
            current.expiry = current.expiry.max(expiry);
            entry.retire(today);
            entry.current = Some(new);
        }
        None => entry.current = Some(new),
    }
    // A shape that is written again is no older one.
    let current = entry.current.as_ref();
    entry.older.retain(|older| current.is_none_or(|current| current.shapes != older.shapes));
}

impl Entry {
    /// Makes the current shape an older one.
    fn retire(&mut self, today: Date) {
        let Some(Current { expiry, shapes }) = mem::take(&mut self.current) else { return };
        let until = expiry.last_day(today);
        self.older.insert(0, Older { until, shapes });
    }
}

/// The differences between two files, in numbers of declarations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    pub(crate) new: u64,
    pub(crate) changed: u64,
    pub(crate) removed: u64,
}

impl Changes {
    pub(crate) fn between(before: &ValuesFile, after: &ValuesFile) -> Self {
        let is_in = |file: &ValuesFile, template: &String| file.entries.contains_key(template);
        let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        let changed = before
            .entries
            .iter()
            .filter(|(template, entry)| after.entries.get(*template).is_some_and(|new| new != *entry));
        Self {
            new: count(after.entries.keys().filter(|template| !is_in(before, template)).count()),
            changed: count(changed.count()),
            removed: count(before.entries.keys().filter(|template| !is_in(after, template)).count()),
        }
    }
}
