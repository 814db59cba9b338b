//! The declaration opts out of a lint that does not fire.
//!
//! `allow(sibling_fields)` and `allow(overlap)` are not flagged, since they depend on other keys. Keys cannot opt out.
//!
//! # Why
//!
//! An exception that is no longer needed hides the next mistake: the key got its jitter, a later change removes it
//! again, and the lint that would have warned is still off for the reason of two years ago.
//!
//! # Wrong
//!
//! ```text
//! #[derive(RedisKey)]
//! #[redis_key(cache:page:{page_id}:string, value = String, ttl = 1h, jitter = 10%, allow(missing_jitter, reason = "few pages"))]
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
//! - flags: `allow` of a lint that does not fire, except for `sibling_fields` and `overlap`, which depend on other keys
//! - instead: remove it

use super::Entry;
use super::allow::without_lint;
use crate::declaration::Declaration;
use crate::warning::{Level, Lint, Warning};

// Runs after the others, because [`check`] reads their findings.
pub(super) const LINT: Entry = Entry { level: Level::Warn, check: None };

/// Reports `allow`s of lints that do not fire. `overlap` and `sibling_fields` depend on other keys, which are not known
/// here.
pub(super) fn check(declaration: &Declaration, warnings: &mut Vec<Warning>) {
    for given in &declaration.options.allow {
        let lint = given.value.as_deref().and_then(Lint::from_name);
        let Some(lint) = lint.filter(|lint| !matches!(lint, Lint::SiblingFields | Lint::UnneededAllow)) else {
            continue;
        };
        if !warnings.iter().any(|warning| warning.lint == lint) {
            let message = format!("unused `allow({lint})`: the lint does not fire for this key");
            let remove = without_lint(declaration, given);
            warnings.push(Warning::at(Lint::UnneededAllow, &given.range, message, remove));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Lint;
    use crate::lint::tests::warns;

    #[test]
    fn an_allow_is_needed_where_its_lint_fires() {
        let key = |allow: &str| format!("cache:page:{{id}}:string, value = String, ttl = 2d, {allow}");
        let unneeded = |what: &'static str| (Lint::UnneededAllow, what, "remove it");
        let three = key("allow(unusual_ttl, missing_jitter, long_word, reason = \"x\")");
        warns("", &three, &[unneeded("long_word")]);
        warns("", &three.replace("long_word", "long_word, unneeded_allow"), &[]);
        // The level makes no difference.
        warns("lints.unusual_ttl = 'allow'", &key("allow(unusual_ttl, missing_jitter, reason = \"x\")"), &[]);
        // These depend on other keys.
        warns(
            "",
            "user:page:{id}:string, value = String, ttl = 2d, allow(overlap, sibling_fields, reason = \"x\")",
            &[],
        );
    }
}
