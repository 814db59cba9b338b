//! What a key is warned of, though no rule is broken.

mod allow;
mod expiry;
mod modules;
mod name;
mod siblings;
mod size;
mod warning;
mod words;

use std::ops::Range;

use crate::declaration::Declaration;
use crate::diagnostic::Diagnostic;
use crate::item::Item;
use crate::policy::Policy;
use crate::template::{SegmentPlace, Template};

pub use name::{Level, Levels, Lint};
pub use siblings::{Elder, Sibling};
pub use warning::Warning;

pub(crate) use allow::check as check_allow;

/// What `allow(…)` takes beside the lints: keys that can be the same are an error, which a pair of keys may be an exception to.
pub(crate) const OVERLAP: &str = "overlap";

/// A declaration as the lints see it.
struct Subject<'s> {
    /// The attribute that the ranges count in.
    text: &'s str,
    item: &'s Item<'s>,
    declaration: &'s Declaration,
    template: &'s Template,
    policy: &'s Policy,
}

impl<'s> Subject<'s> {
    fn text_at(&self, range: &Range<usize>) -> &'s str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// The segments between the module and the type.
    fn logic(&self) -> &'s [SegmentPlace] {
        match self.template.segments.as_slice() {
            [_, logic @ .., _] => logic,
            _ => &[],
        }
    }
}

/// What is told of a key beside its errors.
pub(crate) struct Told {
    pub(crate) warnings: Vec<Warning>,
    pub(crate) sibling: Option<Sibling>,
}

/// All warnings of a key. What an error speaks of is put right first.
pub(crate) fn check(
    text: &str,
    item: &Item<'_>,
    declaration: &Declaration,
    policy: &Policy,
    diagnostics: &[Diagnostic],
) -> Told {
    let nothing = Told { warnings: Vec::new(), sibling: None };
    let Some(template) = &declaration.template else { return nothing };
    if declaration.options.allow_is_wrong {
        // What it opts out of is not known, and must not be told beside that.
        return nothing;
    }
    let subject = Subject { text, item, declaration, template, policy };
    let mut found = Vec::new();
    modules::check(&subject, &mut found);
    expiry::check(&subject, &mut found);
    size::check(&subject, &mut found);
    words::check(&subject, &mut found);
    let told = |warning: &Warning| diagnostics.iter().any(|told| told.place.touches(&warning.place));
    found.retain(|warning| !told(warning));
    let allowed = allow::allowed(declaration);
    if diagnostics.is_empty() {
        allow::check_unneeded(declaration, &mut found);
    }
    for warning in &mut found {
        warning.level = policy.lints.of(warning.lint);
    }
    let said = |lint: Lint| policy.lints.of(lint) != Level::Allow && !allowed.contains(&lint);
    found.retain(|warning| said(warning.lint));
    found.sort_by_key(|warning| warning.place.position());
    let sibling = said(Lint::SiblingFields).then(|| siblings::find(&subject)).flatten();
    Told { warnings: found, sibling }
}

#[cfg(test)]
mod tests;
