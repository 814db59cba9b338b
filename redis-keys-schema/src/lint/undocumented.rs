//! The key has no doc comment.
//!
//! Off by default: write `undocumented = "warn"` below `[lints]`. The doc comment is in the catalogue and in `SCHEMA`.
//!
//! # Why
//!
//! Before you delete `shop:ec:42:string` from a full server, you have to know what it is for. The name of the struct
//! rarely says it.
//!
//! # Wrong
//!
//! ```toml
//! [lints]
//! undocumented = "warn"
//! ```
//!
//! ```text
//! #[derive(RedisKey)]
//! #[redis_key(shop:ec:{shop_id}:string, value = u64, ttl = 1d)]
//! struct Ec {
//!     shop_id: u64,
//! }
//! ```
//!
//! # Right
//!
//! ```toml
//! [lints]
//! undocumented = "warn"
//! ```
//!
//! ```rust
//! # use redis_keys::prelude::*;
//! /// The turnover of a shop today, in cents.
//! #[derive(RedisKey)]
//! #[redis_key(shop:ec:{shop_id}:string, value = u64, ttl = 1d)]
//! struct Ec {
//!     shop_id: u64,
//! }
//! ```
//!
//! # In the guide
//!
//! - flags: a key without a doc comment
//! - instead: a doc comment on the struct

use super::{Entry, Subject};
use crate::place::Place;
use crate::warning::{Level, Lint, Warning};

pub(super) const LINT: Entry = Entry { level: Level::Allow, check: Some(check) };

fn check(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
    if !subject.item.documented {
        let help = "write a doc comment above the struct";
        warnings.push(Warning::new(Lint::Undocumented, Place::Item, "missing documentation", help));
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::tests::{checked, item, parsed, warns};
    use crate::{Item, Level, Lint, check as check_item};

    #[test]
    fn undocumented_keys_are_reported_if_enabled() {
        let key = "user:names:{id}:set, value = u64, ttl = 1h";
        let policy = "lints.undocumented = 'deny'";
        warns(policy, key, &[(Lint::Undocumented, "the item", "write a doc comment above the struct")]);
        let levels = checked(policy, key).warnings.into_iter().map(|warning| warning.level);
        assert_eq!(levels.collect::<Vec<_>>(), [Level::Deny]);
        assert_eq!(check_item(&Item { documented: true, ..item(key) }, &parsed(policy)).warnings, []);
        warns("", key, &[]);
    }
}
