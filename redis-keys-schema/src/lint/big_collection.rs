//! The collection can have more than 1000 elements, or the stream more than 5000.
//!
//! Only a declared size is flagged: without one, at most 5000 elements are written.
//!
//! # Why
//!
//! A collection lives on one server as a whole. One of thousands of elements is slow to read, to move to another server
//! and to delete, and while that happens the server blocks all other clients.
//!
//! # Wrong
//!
//! ```text
//! #[derive(RedisKey)]
//! #[redis_key(user:follows:{user_id}:set, value = u64, ttl = 30d, max_len = 5000)]
//! struct Follows {
//!     user_id: u64,
//! }
//! ```
//!
//! # Right
//!
//! ```rust
//! # use redis_keys::prelude::*;
//! #[derive(RedisKey)]
//! #[redis_key(user:follows:{user_id}:{other_id % 16}:set, value = u64, ttl = 30d, max_len = 1000)]
//! struct Follows {
//!     user_id: u64,
//!     other_id: u64,
//! }
//! ```
//!
//! # In the guide
//!
//! - flags: `max_len`, `keep_last` or `keep_top` above 1000; of a stream, `keep_last` above 5000
//! - instead: `max_len = 1000`, and several keys: [shards][shards] or [buckets][buckets]

use super::{Entry, Subject};
use crate::Kind;
use crate::edit::Suggestion;
use crate::limits::MAX_MAX_LEN;
use crate::warning::{Level, Lint, Warning};

pub(super) const LINT: Entry = Entry { level: Level::Warn, check: Some(check) };

/// The number of elements that a collection usually has at most. A log has as many as the largest collection.
const BIG: u64 = 1000;

/// Only a declared size is checked: without one the limits of the rules apply.
fn check(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
    let kind = subject.template.kind.ok();
    for (option, count, range) in subject.declaration.options.counts() {
        let (most, divide) = match kind {
            // A log is appended to and read in parts.
            _ if option.limits_log(kind) && subject.has_bucket() => (MAX_MAX_LEN, "divide the log by a shorter bucket"),
            _ if option.limits_log(kind) => (MAX_MAX_LEN, "divide the log by time with a bucket, as in `{day}`"),
            Some(Kind::Stream) => continue,
            _ => (BIG, "split the collection over several keys"),
        };
        if count > most {
            let message = format!("up to {count} elements make a big key: slow to move and to delete");
            let help = Suggestion::write(most.to_string()).and(&format!(" or less and {divide}"));
            warnings.push(Warning::at(Lint::BigCollection, range, message, help));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::tests::{item, parsed, warns};
    use crate::{Lint, check as check_item};

    #[test]
    fn many_elements_are_reported() {
        let many = "write `1000` or less and split the collection over several keys";
        let collection =
            |kind: &str, options: &str| format!("user:names:{{id}}:{kind}, value = u64, ttl = 1h, {options}");
        warns("", &collection("set", "max_len = 1001"), &[(Lint::BigCollection, "1001", many)]);
        warns("", &collection("zset", "keep_top = 5000"), &[(Lint::BigCollection, "5000", many)]);
        warns("", &collection("list", "keep_last = 1000"), &[]);
        let stream = |options: &str| collection("stream", options).replace("u64", "Event");
        let log = "write `5000` or less and divide the log by time with a bucket, as in `{day}`";
        warns("", &stream("keep_last = ~5000"), &[]);
        warns("", &stream("keep_last = ~5001"), &[(Lint::BigCollection, "~5001", log)]);
        warns("", &stream("max_len = 5000"), &[]);
        warns("", &stream("keep_last = 1000000, allow(big_collection, reason = \"x\")"), &[]);
        let mut by_day = item("log:events:{page}:stream, value = Event, ttl = 1h, keep_last = ~5001");
        by_day.fields.iter_mut().for_each(|field| field.ty = "Day");
        let suggested = check_item(&by_day, &parsed("")).warnings.into_iter().map(|warning| warning.suggestion);
        assert_eq!(suggested.collect::<Vec<_>>(), ["write `5000` or less and divide the log by a shorter bucket"]);
    }
}
