//! The key can exceed 30 bytes.
//!
//! Off by default: write `long_key = "warn"` below `[lints]`.
//!
//! # Why
//!
//! Short keys are for projects with many millions of them: with small values, such as counters and flags, the names
//! take more memory than the values.
//!
//! # Wrong
//!
//! ```toml
//! [lints]
//! long_key = "warn"
//! ```
//!
//! ```text
//! #[derive(RedisKey)]
//! #[redis_key(user:notifications.unread:{user_id}:string, value = u32, ttl = 1d)]
//! struct UnreadCount {
//!     user_id: u32,
//! }
//! ```
//!
//! # Right
//!
//! ```toml
//! [lints]
//! long_key = "warn"
//! ```
//!
//! ```rust
//! # use redis_keys::prelude::*;
//! #[derive(RedisKey)]
//! #[redis_key(user:unread:{user_id}:string, value = u32, ttl = 1d)]
//! struct UnreadCount {
//!     user_id: u32,
//! }
//! ```
//!
//! # In the guide
//!
//! - flags: a key that can exceed 30 bytes
//! - instead: shorter words, `[abbreviations]`

use super::{Entry, Subject};
use crate::warning::{Level, Lint, Warning};

pub(super) const LINT: Entry = Entry { level: Level::Allow, check: Some(check) };

/// The bytes of a short key.
const SHORT: usize = 30;

fn check(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
    if let Some(bytes) = subject.declaration.longest.filter(|bytes| *bytes > SHORT) {
        let message = format!("a key of up to {bytes} bytes exceeds the recommended {SHORT}");
        warnings.push(Warning::at(Lint::LongKey, &subject.template.range, message, "shorten its words"));
    }
}

#[cfg(test)]
mod tests {
    use crate::Lint;
    use crate::lint::tests::warns;

    #[test]
    fn long_keys_are_reported_if_enabled() {
        let policy = "lints.long_key = 'warn'";
        for template in ["user:names:{id}:set", "u:name:{id}:set"] {
            let key = format!("{template}, value = u64, ttl = 1h");
            warns(policy, &key, &[(Lint::LongKey, template, "shorten its words")]);
            warns("", &key, &[]);
        }
        warns(policy, "user:names:set, value = u64, ttl = 1h", &[]);
    }
}
