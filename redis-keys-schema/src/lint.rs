//! Lints: valid but questionable declarations.
//!
//! Each has a module of its name: its documentation is the page that `cargo redis-keys explain` prints, followed by the
//! row of the guide's table; then come its level, its check and its tests.

mod allow;
mod big_collection;
mod hot_slot;
mod long_key;
mod long_word;
mod missing_jitter;
mod misspelt_module;
mod misused_module;
mod no_rebuild;
#[cfg(feature = "pages")]
mod page;
mod plain_secret;
mod sibling_fields;
mod sliding_ttl;
mod uncompressed;
mod undocumented;
mod unneeded_allow;
mod unusual_ttl;

use std::ops::Range;

pub(crate) use allow::check as check_allow;
#[cfg(feature = "pages")]
pub use page::LintPage;
pub use sibling_fields::{EarlierSibling, Sibling};

use crate::bucket::Bucket;
use crate::declaration::Declaration;
use crate::diagnostic::Diagnostic;
use crate::item::Item;
use crate::policy::Policy;
use crate::template::{Placeholder, SegmentPlace, Template};
use crate::warning::{Level, Lint, Warning};

/// The constants of a lint's module.
struct Entry {
    /// The level without a policy file.
    level: Level,
    /// The check of a key. `None` if the key alone does not decide.
    check: Option<fn(&Subject<'_>, &mut Vec<Warning>)>,
}

/// The lints and their modules, in the order of all lists of lints.
macro_rules! lints {
    ($($lint:ident: $module:ident,)*) => {
        impl Lint {
            /// Every lint.
            pub const ALL: [Self; [$(Self::$lint),*].len()] = [$(Self::$lint),*];

            /// The name in messages, in the policy file and in `allow(…)`.
            ///
            /// ```
            /// assert_eq!(redis_keys_schema::Lint::LongWord.name(), "long_word");
            /// ```
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$lint => stringify!($module),)*
                }
            }

            const fn entry(self) -> Entry {
                match self {
                    $(Self::$lint => $module::LINT,)*
                }
            }

            /// The source of the module.
            #[cfg(feature = "pages")]
            const fn source(self) -> &'static str {
                match self {
                    $(Self::$lint => include_str!(concat!("lint/", stringify!($module), ".rs")),)*
                }
            }
        }
    };
}

lints! {
    MisusedModule: misused_module,
    MisspeltModule: misspelt_module,
    UnusualTtl: unusual_ttl,
    MissingJitter: missing_jitter,
    BigCollection: big_collection,
    Uncompressed: uncompressed,
    HotSlot: hot_slot,
    PlainSecret: plain_secret,
    SlidingTtl: sliding_ttl,
    NoRebuild: no_rebuild,
    LongWord: long_word,
    SiblingFields: sibling_fields,
    UnneededAllow: unneeded_allow,
    LongKey: long_key,
    Undocumented: undocumented,
}

impl Lint {
    /// The level without a policy file.
    pub const fn default_level(self) -> Level {
        self.entry().level
    }
}

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

    /// The place of a parameter's name.
    fn name_range(&self, placeholder: &Placeholder) -> Option<Range<usize>> {
        let Placeholder { name, inner, .. } = placeholder;
        let start = inner.start + self.text_at(inner).find(name)?;
        Some(start..start + name.len())
    }

    /// The calendar bucket that a parameter is.
    fn bucket(&self, placeholder: &Placeholder) -> Option<Bucket> {
        Bucket::of_type(self.item.fields.get(placeholder.field?)?.ty)
    }

    /// Whether a parameter is a calendar bucket, so that the key holds the data of a time.
    fn has_bucket(&self) -> bool {
        self.template.placeholders().any(|placeholder| self.bucket(placeholder).is_some())
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
    for check in Lint::ALL.into_iter().filter_map(|lint| lint.entry().check) {
        check(&subject, &mut warnings);
    }
    warnings.retain(|warning| !diagnostics.iter().any(|diagnostic| diagnostic.place.touches(&warning.place)));
    let allowed = allow::allowed(declaration);
    if diagnostics.is_empty() {
        unneeded_allow::check(declaration, &mut warnings);
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
    let sibling = is_on(Lint::SiblingFields).then(|| sibling_fields::find(&subject)).flatten();
    Findings { warnings, sibling }
}

#[cfg(test)]
mod tests;
