//! A collection is renewed for as long as it is used, and nothing else removes its elements.
//!
//! Flagged is `renew` of a hash with open fields, a list, set, zset, geo, stream, hyperloglog or bitmap, unless it has
//! `keep_last`, `keep_top` or a calendar bucket as a parameter. If the program removes the elements, say so in an
//! `allow`.
//!
//! # Why
//!
//! An expiry bounds a collection only if it comes. The visitors of a busy shop renew it every second: the set of a day
//! becomes the set of three years, until it is full and rejects every new member.
//!
//! # Wrong
//!
//! ```text
//! #[derive(RedisKey)]
//! #[redis_key(shop:visitors:{shop_id}:set, value = u64, ttl = 1d, renew = write)]
//! struct Visitors {
//!     shop_id: u64,
//! }
//! ```
//!
//! # Right
//!
//! ```rust
//! # use redis_keys::prelude::*;
//! #[derive(RedisKey)]
//! #[redis_key(shop:visitors:{shop_id}:{month}:set, value = u64, ttl = 31d)]
//! struct Visitors {
//!     shop_id: u64,
//!     month: redis_keys::parameter::bucket::Month,
//! }
//! ```
//!
//! # In the guide
//!
//! - flags: `renew` of a collection, which then lives and grows for as long as it is used, without `keep_last`,
//!   `keep_top` or a calendar bucket
//! - instead: [a bucket][buckets], or no `renew`

use redis_keys_core::schema::Renew;

use super::{Entry, Subject};
use crate::Kind;
use crate::attribute::{GivenOption, KeyOption};
use crate::edit::Suggestion;
use crate::warning::{Level, Lint, Warning};

pub(super) const LINT: Entry = Entry { level: Level::Warn, check: Some(check) };

fn check(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
    warnings.extend(warning(subject));
}

/// A collection that is renewed must lose its elements in another way: it is trimmed, or the next bucket begins.
fn warning(subject: &Subject<'_>) -> Option<Warning> {
    let options = &subject.declaration.options;
    let Some(GivenOption { value: Some(renew), name, .. }) = &options.renew else { return None };
    let kind = subject.template.kind.ok().filter(|kind| match kind {
        Kind::String => false,
        // A record has a fixed number of fields.
        Kind::Hash => options.field.is_some(),
        // A Bloom filter has a fixed size.
        Kind::Bitmap => options.role_name().is_none(),
        _ => true,
    })?;
    if options.keep().is_some() || subject.has_bucket() {
        return None;
    }
    let commands = match renew {
        Renew::Write => "each write restarts",
        Renew::Read => "each read and write restarts",
        _ => "reads restart",
    };
    let growth = if options.max_len.is_some() { "fills up to its `max_len`" } else { "only grows" };
    let message = format!("a {kind} in use never expires, and {growth}: {commands} its ttl");
    // The lowest scores of a queue are due first.
    let is_queue = kind == Kind::ZSet && subject.template.module() == Some("queue");
    let keep = [KeyOption::KeepLast, KeyOption::KeepTop];
    let keep = keep.into_iter().find(|option| option.applies_to(kind) && !is_queue);
    let keep = keep.map(|option| format!(", or add `{}`", option.example())).unwrap_or_default();
    let help = format!("remove it, or divide the {kind} by time with a bucket, as in `{{month}}`{keep}");
    Some(Warning::at(Lint::SlidingTtl, name, message, Suggestion::remove_option().saying(help)))
}

#[cfg(test)]
mod tests {
    use crate::lint::tests::{checked, item, warns};
    use crate::{Field, Item, Lint, Policy, check as check_item};

    #[test]
    fn a_renewed_collection_must_lose_its_elements() {
        let key = |kind: &str, options: &str| format!("user:names:{{id}}:{kind}, {options}, ttl = 1h");
        let help = |kind: &str, keep: &str| {
            format!("remove it, or divide the {kind} by time with a bucket, as in `{{month}}`{keep}")
        };
        for (kind, value) in [
            ("set", "value = u64"),
            ("geo", "value = u64"),
            ("hyperloglog", "value = u64"),
            ("bitmap", "max_bytes = 1KB"),
            ("hash", "field = u64, value = u64"),
        ] {
            for renew in ["write", "read", "below(10m)"] {
                let key = key(kind, &format!("{value}, renew = {renew}"));
                warns("", &key, &[(Lint::SlidingTtl, "renew", &help(kind, ""))]);
            }
            warns("", &key(kind, value), &[]);
            warns("", &key(kind, &format!("{value}, renew = write, allow(sliding_ttl, reason = \"x\")")), &[]);
        }
        for (kind, value, keep) in
            [("list", "u64", "keep_last"), ("stream", "Event", "keep_last"), ("zset", "u64", "keep_top")]
        {
            let options = format!("value = {value}, renew = read");
            let add = help(kind, &format!(", or add `{keep} = 1000`"));
            warns("", &key(kind, &options), &[(Lint::SlidingTtl, "renew", &add)]);
            // A full collection rejects elements, which is no bound in time.
            let full = key(kind, &format!("{options}, max_len = 10"));
            warns("", &full, &[(Lint::SlidingTtl, "renew", &add)]);
            let message = format!("a {kind} in use never expires, and fills up to its `max_len`: ");
            assert!(checked("", &full).warnings.iter().any(|warning| warning.message.starts_with(&message)), "{full}");
            warns("", &key(kind, &format!("{options}, {keep} = 10")), &[]);
        }
        // The lowest scores of a queue are due first.
        let queue = "queue:mail:{id}:zset, value = u64, renew = write, ttl = 1d";
        warns("", queue, &[(Lint::SlidingTtl, "renew", &help("zset", ""))]);
        // A string and a record do not grow with each write.
        warns("", &key("string", "value = u64, renew = write"), &[]);
        warns("", &key("hash", "value = Profile, renew = write"), &[]);
        let filter = "value = u64, renew = write, bloom(expected = 10, false_positives = 1%)";
        warns("", &key("bitmap", filter), &[]);
    }

    #[test]
    fn a_bucket_ends_a_renewed_collection() {
        let attribute = "user:names:{day}:set, value = u64, renew = write, ttl = 1d";
        let lints = |ty| {
            let fields = vec![Field { name: "day".to_owned(), ty, phantom: false, attributes: vec![] }];
            let checked = check_item(&Item { fields, ..item(attribute) }, &Policy::default());
            assert_eq!(*checked.diagnostics, []);
            checked.warnings.into_iter().map(|warning| warning.lint).collect::<Vec<_>>()
        };
        for ty in ["redis_keys::parameter::bucket::Day", "&'a bucket::Year", "Hour", "chrono::NaiveDate", "time::Date"]
        {
            assert_eq!(lints(ty), [], "{ty}");
        }
        assert_eq!(lints("u64"), [Lint::SlidingTtl]);
    }
}
