//! Rate limits: `limit` takes the place of `value` and `ttl`, and `burst` needs it.

use redis_keys_core::duration::render;

use super::options::refuse;
use crate::attribute::{Given, KeyOption, Options};
use crate::declaration::{Declaration, Limit};
use crate::diagnostic::Diagnostics;
use crate::limits::LONGEST_TTL;
use crate::{Kind, Rule};

/// What a rate limit cannot have, and why.
const REFUSED: [(KeyOption, &str); 10] = [
    (KeyOption::Value, "it stores only a time of its own"),
    (KeyOption::Ttl, "its ttl follows from `limit` and `burst`"),
    (KeyOption::Jitter, "it expires exactly when all of it is allowed again"),
    (KeyOption::Renew, "each use already extends its expiry"),
    (KeyOption::TtlFromEndOf, "its ttl counts from its last use"),
    (KeyOption::NullTtl, "that is an option of cached keys"),
    (KeyOption::Lease, "that is an option of cached keys"),
    (KeyOption::Refresh, "that is an option of cached keys"),
    (KeyOption::Copies, "each copy would allow the whole limit"),
    (KeyOption::MaxBytes, "it stores only a time of its own"),
];

/// Checks the options of a rate limit. `is_complete` says that no second attribute has other options.
pub(super) fn check(declaration: &Declaration, is_complete: bool, diagnostics: &mut Diagnostics) {
    let options = &declaration.options;
    if declaration.kind_meant().is_some_and(|kind| kind != Kind::String) {
        // That it is of another type is reported.
        return;
    }
    match &options.limit {
        Some(Given { value: Some(_), .. }) => {
            refuse(options, "a rate limit", &REFUSED, diagnostics);
            check_burst(declaration, diagnostics);
        }
        None if is_complete => needs_limit(options, diagnostics),
        _ => {}
    }
}

/// The key of a rate limit lives until the last of a burst is allowed again.
fn check_burst(declaration: &Declaration, diagnostics: &mut Diagnostics) {
    let (Some(Limit { rate, burst }), Some(given)) = (declaration.limit(), &declaration.options.burst) else { return };
    let ttl = rate.ttl(burst);
    if given.value.is_some() && ttl > LONGEST_TTL {
        let most = LONGEST_TTL.as_millis() * u128::from(rate.count) / rate.per.as_millis().max(1);
        let message = format!(
            "burst `{burst}` takes {} at {} per {}, which exceeds the limit of {}",
            render(ttl),
            rate.count,
            render(rate.per),
            render(LONGEST_TTL)
        );
        diagnostics.report(given.range.clone(), Rule::LongLived, message, format!("write `{most}` or less"));
    }
}

fn needs_limit(options: &Options, diagnostics: &mut Diagnostics) {
    let Some(Given { value: Some(_), name, .. }) = &options.burst else { return };
    let message = "missing `limit`: `burst` is an option of rate limits";
    let help = if options.value.is_some() || options.ttl.is_some() {
        "write `limit = 100 / 1m` in place of `value` and `ttl`"
    } else {
        "add `limit = 100 / 1m`"
    };
    diagnostics.report(name.clone(), Rule::RateLimit, message, help);
}
