//! Locks: `value = Lock`. Nothing but its owner may extend one, and it must end although its owner dies.

use redis_keys_core::duration::render;

use super::options::refuse;
use crate::Rule;
use crate::attribute::{Given, KeyOption, Ttl};
use crate::declaration::Declaration;
use crate::diagnostic::Diagnostics;

/// What a lock cannot have, and why.
const REFUSED: [(KeyOption, &str); 7] = [
    (KeyOption::Jitter, "its owner counts on the exact ttl"),
    (KeyOption::Renew, "only its owner extends it"),
    (KeyOption::TtlFromEndOf, "its ttl counts from when it is acquired"),
    (KeyOption::NullTtl, "that is an option of cached keys"),
    (KeyOption::Refresh, "that is an option of cached keys"),
    (KeyOption::Copies, "it would have an owner for each copy"),
    (KeyOption::MaxBytes, "it stores only its owner and its fence"),
];

/// Checks the options of a lock.
pub(super) fn check(declaration: &Declaration, diagnostics: &mut Diagnostics) {
    let options = &declaration.options;
    if !declaration.is_lock() || options.limit.is_some() {
        return;
    }
    refuse(options, "a lock", &REFUSED, diagnostics);
    if let Some(Given { value, name, .. }) = &options.lease {
        let help = match (&options.ttl, value) {
            (Some(_), _) => "remove it".to_owned(),
            (None, lease) => format!("write `ttl = {}`", lease.map_or_else(|| "30s".to_owned(), render)),
        };
        let message = "a lock cannot have `lease`: its ttl says how long it is held";
        diagnostics.report(name.clone(), Rule::Expiry, message, help);
    }
    if let Some(Given { value: Some(Ttl::Never), range, .. }) = &options.ttl {
        let message = "a lock cannot have `ttl = never`: if its owner dies, it would be held for ever";
        diagnostics.report(range.clone(), Rule::LongLived, message, "write `30s`");
    }
}
