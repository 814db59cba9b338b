//! The hash tag is a calendar bucket: all keys of the current day or hour are in one slot.
//!
//! The calendar buckets are `Year`, `Month`, `Week`, `Day` and `Hour`, and the dates of other crates. It makes a
//! difference on a cluster only.
//!
//! # Why
//!
//! The hash tag alone determines the slot, and a slot is on one server. While the day lasts, that server takes the
//! writes of all pages, and the others are idle; at midnight the load moves to another one. More servers do not help.
//!
//! # Wrong
//!
//! ```text
//! #[derive(RedisKey)]
//! #[redis_key(page:views:{#day}:{page_id}:string, value = u64, ttl = 2d)]
//! struct Views {
//!     day: redis_keys::parameter::bucket::Day,
//!     page_id: u64,
//! }
//! ```
//!
//! # Right
//!
//! ```rust
//! # use redis_keys::prelude::*;
//! #[derive(RedisKey)]
//! #[redis_key(page:views:{day}:{#page_id}:string, value = u64, ttl = 2d)]
//! struct Views {
//!     day: redis_keys::parameter::bucket::Day,
//!     page_id: u64,
//! }
//! ```
//!
//! # In the guide
//!
//! - flags: a hash tag that is a calendar bucket, such as `{#day}`, which puts all current keys into one slot of a
//!   cluster
//! - instead: `{day}`, and an id as the hash tag: `{#page_id}`

use super::{Entry, Subject};
use crate::edit::Suggestion;
use crate::template::Placeholder;
use crate::warning::{Level, Lint, Warning};

pub(super) const LINT: Entry = Entry { level: Level::Warn, check: Some(check) };

fn check(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
    warnings.extend(warning(subject));
}

fn warning(subject: &Subject<'_>) -> Option<Warning> {
    let tag = subject.template.placeholders().find(|placeholder| placeholder.hash_tag)?;
    let bucket = subject.bucket(tag)?;
    let message = format!(
        "the hash tag `{tag}` is a calendar bucket: one server of a cluster takes all writes of the current {}",
        bucket.name()
    );
    let help = Suggestion::write(with_tag(tag, false)).at(tag.range.clone());
    let help = match id(subject) {
        Some(id) => {
            let tagged = with_tag(id, true);
            help.and(&format!(", and `{tagged}` as the hash tag")).with(id.range.clone(), tagged)
        }
        None => help,
    };
    Some(Warning::at(Lint::HotSlot, &subject.name_range(tag)?, message, help))
}

/// The parameter that can be the hash tag: of its values, many are in use at the same time.
fn id<'s>(subject: &Subject<'s>) -> Option<&'s Placeholder> {
    let parameters = subject.template.placeholders().filter(|placeholder| placeholder.copies.is_none());
    let ids = parameters.filter(|placeholder| placeholder.field.is_some() && subject.bucket(placeholder).is_none());
    ids.min_by_key(|placeholder| placeholder.shards.is_some())
}

/// A placeholder as the template has it, as the hash tag or not.
fn with_tag(placeholder: &Placeholder, hash_tag: bool) -> String {
    Placeholder { hash_tag, ..placeholder.clone() }.to_string()
}

#[cfg(test)]
mod tests {
    use crate::check::tests::underlined;
    use crate::lint::tests::{assert_avoided, item};
    use crate::{Field, Item, Lint, Policy, check};

    /// Asserts what is underlined, and the help.
    #[track_caller]
    fn flags<'t>(template: &str, fields: &[(&str, &'t str)], expected: Option<(&str, &str)>) {
        let attribute = format!("{template}:string, value = u64, ttl = 2d");
        let field =
            |(name, ty): &(&str, &'t str)| Field { name: (*name).to_owned(), ty, phantom: false, attributes: vec![] };
        let item = Item { fields: fields.iter().map(field).collect(), ..item(&attribute) };
        let checked = check(&item, &Policy::default());
        assert_eq!(*checked.diagnostics, [], "{attribute}");
        let found = checked.warnings.iter().map(|warning| {
            let underlined = underlined(&attribute, &warning.place);
            (warning.lint, underlined, warning.suggestion.as_str())
        });
        let expected = expected.map(|(underlined, help)| (Lint::HotSlot, underlined, help));
        assert_eq!(found.collect::<Vec<_>>(), Vec::from_iter(expected), "{attribute}");
        for warning in &checked.warnings {
            assert_avoided(&Policy::default(), &item, warning);
        }
    }

    #[test]
    fn a_bucket_is_no_hash_tag() {
        let help = "write `{day}`, and `{#page}` as the hash tag";
        for ty in ["Day", "&'a redis_keys::parameter::bucket::Day", "chrono::NaiveDate", "Year", "bucket::Hour"] {
            flags("page:views:{#day}:{page}", &[("day", ty), ("page", "u64")], Some(("day", help)));
            flags("page:views:{page}:{#day}", &[("day", ty), ("page", "u64")], Some(("day", help)));
        }
        flags("page:views:{ # day }:{page}", &[("day", "Day"), ("page", "PageId")], Some(("day", help)));
        flags("page:views:{#day}.{page}", &[("day", "Day"), ("page", "u64")], Some(("day", help)));
        flags(
            "page:views:{#0}:{1}",
            &[("0", "Day"), ("1", "u64")],
            Some(("0", "write `{0}`, and `{#1}` as the hash tag")),
        );
    }

    #[test]
    fn an_id_becomes_the_hash_tag() {
        let parameters = [("day", "Day"), ("hour", "Hour"), ("id", "u64"), ("name", "String")];
        let help = "write `{day}`, and `{#name}` as the hash tag";
        flags("page:views:{#day}:{hour}:{id % 16}:{name}", &parameters, Some(("day", help)));
        let help = "write `{day}`, and `{#id % 16}` as the hash tag";
        flags("page:views:{#day}:{hour}:{id % 16}", &parameters[..3], Some(("day", help)));
        flags("page:views:{hour}:{#day}", &parameters[..2], Some(("day", "write `{day}`")));
    }

    #[test]
    fn other_hash_tags_and_other_buckets_are_as_they_should_be() {
        let parameters = [("day", "Day"), ("id", "u64")];
        flags("page:views:{day}:{#id}", &parameters, None);
        flags("page:views:{day}:{id}", &parameters, None);
        flags("page:views:{#day}:{id}", &[("day", "u32"), ("id", "u64")], None);
    }
}
