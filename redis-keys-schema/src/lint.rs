//! Lints: valid but questionable declarations.

mod allow;
mod expiry;
mod secrets;
mod siblings;
mod size;
mod usual;
mod words;

use std::ops::Range;

pub(crate) use allow::check as check_allow;
pub(crate) use secrets::is_secret;
pub use siblings::{EarlierSibling, Sibling};

use crate::bucket::Bucket;
use crate::declaration::Declaration;
use crate::diagnostic::Diagnostic;
use crate::item::Item;
use crate::policy::Policy;
use crate::template::{SegmentPlace, Template};
use crate::warning::{Level, Lint, Warning};

/// The declaration that the lints check.
struct Subject<'s> {
    /// The attribute that the ranges refer to.
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

    /// Whether a parameter is a calendar bucket, so that the key holds what belongs to a time.
    fn has_bucket(&self) -> bool {
        let mut fields =
            self.template.placeholders().filter_map(|placeholder| self.item.fields.get(placeholder.field?));
        fields.any(|field| Bucket::of_type(field.ty).is_some())
    }

    /// Whether code without the declaration reads and writes the same values, whose bytes must then stay.
    fn has_legacy_values(&self) -> bool {
        self.declaration.options.legacy.is_some() || self.declaration.options.formerly.is_some()
    }

    /// The segments between the module and the type.
    fn logic(&self) -> &'s [SegmentPlace] {
        match self.template.segments.as_slice() {
            [_, logic @ .., _] => logic,
            _ => &[],
        }
    }
}

/// The findings of the lints in a key.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) warnings: Vec<Warning>,
    pub(crate) sibling: Option<Sibling>,
}

/// Runs all lints. A part of the declaration that has an error gets no warnings.
pub(crate) fn check(
    text: &str,
    item: &Item<'_>,
    declaration: &Declaration,
    policy: &Policy,
    diagnostics: &[Diagnostic],
) -> Findings {
    let Ok(template) = &declaration.template else { return Findings::default() };
    if declaration.options.allow_is_wrong {
        // The key may opt out of any lint.
        return Findings::default();
    }
    let subject = Subject { text, item, declaration, template, policy };
    let mut warnings = Vec::new();
    usual::check(&subject, &mut warnings);
    expiry::check(&subject, &mut warnings);
    size::check(&subject, &mut warnings);
    secrets::check(&subject, &mut warnings);
    words::check(&subject, &mut warnings);
    warnings.retain(|warning| !diagnostics.iter().any(|diagnostic| diagnostic.place.touches(&warning.place)));
    let allowed = allow::allowed(declaration);
    if diagnostics.is_empty() {
        allow::check_unneeded(declaration, &mut warnings);
    }
    for warning in &mut warnings {
        warning.level = policy.lints.of(warning.lint);
        for edit in &mut warning.edits {
            edit.resolve(text, &declaration.options.places);
        }
    }
    let is_on = |lint: Lint| policy.lints.of(lint) != Level::Allow && !allowed.contains(&lint);
    warnings.retain(|warning| is_on(warning.lint));
    warnings.sort_by_key(|warning| warning.place.position());
    let sibling = is_on(Lint::SiblingFields).then(|| siblings::find(&subject)).flatten();
    Findings { warnings, sibling }
}

#[cfg(test)]
mod tests;
