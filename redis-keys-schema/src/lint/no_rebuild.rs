//! A key that never expires does not say how it is restored.
//!
//! `rebuild = "…"` beside `ttl = never` says it, for reviewers and for those who restore a server.
//!
//! # Why
//!
//! Redis can lose its keys: by a crash, by eviction, by a wrong command. What expires is written again anyway. A key
//! that never expires is written once, by a program that nobody remembers when it is gone.
//!
//! # Wrong
//!
//! ```text
//! #[derive(RedisKey)]
//! #[redis_key(shop:rates:{region}:string, value = u64, ttl = never, reason = "40 regions")]
//! struct Rates {
//!     region: u64,
//! }
//! ```
//!
//! # Right
//!
//! ```rust
//! # use redis_keys::prelude::*;
//! #[derive(RedisKey)]
//! #[redis_key(shop:rates:{region}:string, value = u64, ttl = never, reason = "40 regions", rebuild = "the nightly import")]
//! struct Rates {
//!     region: u64,
//! }
//! ```
//!
//! # In the guide
//!
//! - flags: `ttl = never` without `rebuild`
//! - instead: `rebuild = "from the database"`

use super::{Entry, Subject};
use crate::attribute::Ttl;
use crate::edit::Suggestion;
use crate::warning::{Level, Lint, Warning};

pub(super) const LINT: Entry = Entry { level: Level::Warn, check: Some(check) };

fn check(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
    let options = &subject.declaration.options;
    if let Some(ttl) = options.ttl.as_ref().filter(|ttl| ttl.value == Some(Ttl::Never) && options.rebuild.is_none()) {
        let message = "missing `rebuild`: nothing says how this key is restored if Redis loses it";
        warnings.push(Warning::at(Lint::NoRebuild, &ttl.range, message, Suggestion::add("rebuild = \"…\"")));
    }
}

#[cfg(test)]
mod tests {
    use crate::Lint;
    use crate::lint::tests::warns;

    #[test]
    fn a_key_that_never_expires_can_be_restored() {
        let key =
            |options: &str| format!("user:name:{{id}}:string, value = u64, ttl = never, reason = \"x\", {options}");
        warns("", &key(""), &[(Lint::NoRebuild, "never", "add `rebuild = \"…\"`")]);
        warns("", &key("rebuild = \"from the database\""), &[]);
        warns("", &key("allow(no_rebuild, reason = \"it is the only copy\")"), &[]);
        let both = key("rebuild = \"from the database\", allow(no_rebuild, reason = \"x\")");
        warns("", &both, &[(Lint::UnneededAllow, "no_rebuild", "remove it")]);
    }
}
