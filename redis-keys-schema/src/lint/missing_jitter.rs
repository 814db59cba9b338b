//! Cached keys without jitter expire at the same time.
//!
//! For keys of the module `cache`, and for cached keys of any module, which have the role `cache`.
//!
//! # Why
//!
//! After a deployment or a warm-up, thousands of keys are written in the same minute. An hour later all of them expire
//! in the same minute, every request misses, and the database gets the load that the cache was there to keep from it.
//!
//! # Wrong
//!
//! ```text
//! #[derive(RedisKey)]
//! #[redis_key(cache:page:{page_id}:string, value = String, ttl = 1h)]
//! struct Page {
//!     page_id: u64,
//! }
//! ```
//!
//! # Right
//!
//! ```rust
//! # use redis_keys::prelude::*;
//! #[derive(RedisKey)]
//! #[redis_key(cache:page:{page_id}:string, value = String, ttl = 1h, jitter = 10%)]
//! struct Page {
//!     page_id: u64,
//! }
//! ```
//!
//! # In the guide
//!
//! - flags: `cache` keys that expire, and cached keys of any module, which have the role `cache`, without `jitter`
//! - instead: `jitter = 10%`

use redis_keys_core::schema::Role;

use super::{Entry, Subject};
use crate::attribute::{GivenOption, Ttl};
use crate::edit::Suggestion;
use crate::warning::{Level, Lint, Warning};

pub(super) const LINT: Entry = Entry { level: Level::Warn, check: Some(check) };

fn check(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
    let (Some(module), declaration) = (subject.template.module(), subject.declaration) else { return };
    let options = &declaration.options;
    let Some(GivenOption { value: Some(Ttl::After(_)), range, .. }) = &options.ttl else { return };
    // Nothing is loaded again when a lock or a rate limit expires.
    if options.jitter.is_some() || declaration.is_lock() || declaration.limit().is_some() {
        return;
    }
    let is_cached = matches!(declaration.role(), Some(Role::Cache(_)));
    if is_cached || module == "cache" {
        let cached = if is_cached { "cached" } else { "`cache`" };
        let message = format!("{cached} keys without jitter expire at the same time");
        warnings.push(Warning::at(Lint::MissingJitter, range, message, Suggestion::add("jitter = 10%")));
    }
}

#[cfg(test)]
mod tests {
    use crate::Lint;
    use crate::lint::tests::warns;

    #[test]
    fn cached_keys_need_jitter() {
        let help = "add `jitter = 10%`";
        warns("", "cache:page:{id}:string, value = String, ttl = 1h", &[(Lint::MissingJitter, "1h", help)]);
        warns("", "cache:page:{id}:string, value = String, ttl = 1h, jitter = 1s", &[]);
        warns("", "caches:page:{id}:string, value = String, ttl = 1h", &[]);
    }

    #[test]
    fn every_cached_key_has_jitter() {
        let help = "add `jitter = 10%`";
        let key =
            |module: &str, options: &str| format!("{module}:name:{{id}}:string, value = u64, ttl = 1h, {options}");
        for (module, options) in
            [("cache", ""), ("cache", "cache(null_ttl = 5m)"), ("user", "cache(null_ttl = 5m, lease = 1s)")]
        {
            warns("", &key(module, options), &[(Lint::MissingJitter, "1h", help)]);
        }
        warns("", &key("user", ""), &[]);
        warns("", &key("user", "jitter = 5m, cache(null_ttl = 5m)"), &[]);
        warns("", &key("user", "cache(null_ttl = 5m), allow(missing_jitter, reason = \"x\")"), &[]);
    }
}
