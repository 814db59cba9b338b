//! Cached keys: `null_ttl` makes one, `lease` and `refresh` need it, and a lease is prolonged by nothing but a load.

use std::ops::Range;
use std::time::Duration;

use redis_keys_core::duration::render;

use super::expiry::tenth;
use crate::attribute::{
    DEFAULT_LEASE, Given, LONGEST_LEASE, Options, Renew, SHORTEST_LEASE, Ttl, is_renewal, refresh_meant,
};
use crate::declaration::Declaration;
use crate::diagnostic::Diagnostics;
use crate::{Kind, Rule};

const USUAL_NULL_TTL: Duration = Duration::from_secs(5 * 60);

/// Checks the options of a cached key. `text` is the attribute's, and `is_complete` says that no second attribute has other
/// options.
pub(super) fn check(text: &str, declaration: &Declaration, is_complete: bool, diagnostics: &mut Diagnostics) {
    let options = &declaration.options;
    let other_type = declaration.kind_meant().is_some_and(|kind| kind != Kind::String);
    let other_pattern = options.limit.is_some() || options.value_pattern().is_some();
    if other_type || other_pattern || declaration.ttl() == Some(Ttl::Never) {
        // It has none of the options.
        return;
    }
    let ttl = match declaration.ttl() {
        Some(Ttl::After(ttl)) => Some(ttl),
        _ => None,
    };
    check_lease(options, ttl, diagnostics);
    if let Some(Given { value: None, range, .. }) = &options.refresh {
        wrong_refresh(text.get(range.clone()).unwrap_or_default(), range, ttl, diagnostics);
    }
    if options.null_ttl.is_some() {
        check_renew(options, diagnostics);
        check_copies(options, diagnostics);
    } else if is_complete {
        needs_null_ttl(options, ttl, diagnostics);
    }
    check_bucket(options, diagnostics);
}

fn check_lease(options: &Options, ttl: Option<Duration>, diagnostics: &mut Diagnostics) {
    let Some(Given { value: Some(lease), range, .. }) = &options.lease else { return };
    let written = render(*lease);
    let (message, help) = match ttl.filter(|ttl| lease > ttl) {
        Some(ttl) => (
            format!("lease `{written}` exceeds the ttl of `{}`", render(ttl)),
            format!("write `{}`", render(ttl.min(DEFAULT_LEASE))),
        ),
        None if *lease > LONGEST_LEASE => {
            let most = render(LONGEST_LEASE);
            let why = "others wait that long for a process that dies while it loads a value";
            (format!("lease `{written}` exceeds the limit of {most}"), format!("write `{most}` or less: {why}"))
        }
        None if *lease < SHORTEST_LEASE => {
            let shortest = render(SHORTEST_LEASE);
            (format!("lease `{written}` is shorter than {shortest}"), format!("write `{shortest}` or more"))
        }
        None => return,
    };
    diagnostics.report(range.clone(), Rule::Expiry, message, help);
}

fn wrong_refresh(written: &str, range: &Range<usize>, ttl: Option<Duration>, diagnostics: &mut Diagnostics) {
    let help = if is_renewal(written) {
        format!("write `80%`, or `renew = {written}` to restart the ttl")
    } else {
        refresh_meant("", written, ttl)
    };
    let message = format!("expected a share of the ttl from `50%` to `95%`, found `{written}`");
    diagnostics.report(range.clone(), Rule::Expiry, message, help);
}

/// Reports a `lease` or a `refresh` of a key that is not cached: the first of the two, unless it has another error.
fn needs_null_ttl(options: &Options, ttl: Option<Duration>, diagnostics: &mut Diagnostics) {
    let lease = options.lease.as_ref().filter(|given| given.value.is_some());
    let refresh = options.refresh.as_ref().filter(|given| given.value.is_some() && options.ttl_from_end_of.is_none());
    let lease = lease.map(|given| ("lease", &given.name));
    let refresh = refresh.map(|given| ("refresh", &given.name));
    let Some((name, place)) = lease.into_iter().chain(refresh).min_by_key(|(_, place)| place.start) else { return };
    let null_ttl = ttl.map_or(USUAL_NULL_TTL, |ttl| tenth(ttl).min(USUAL_NULL_TTL));
    let message = format!("missing `null_ttl`: `{name}` is an option of cached keys");
    diagnostics.report(place.clone(), Rule::Expiry, message, format!("add `null_ttl = {}`", render(null_ttl)));
}

/// Only who loads a value may prolong the lease: what a dead process has left must expire.
fn check_renew(options: &Options, diagnostics: &mut Diagnostics) {
    let Some(Given { value: Some(renew), name, .. }) = &options.renew else { return };
    let form = match renew {
        Renew::Read => "read",
        Renew::Below(_) => "below(…)",
        Renew::Write => return,
    };
    if options.ttl_from_end_of.is_some() {
        // No renewal is possible then, which is reported.
        return;
    }
    let message = format!(
        "`renew = {form}` cannot be combined with `null_ttl`: if a process dies while it loads the value, reads would extend \
         its lease to the whole ttl"
    );
    let help = if options.refresh.is_some() {
        "remove it: `refresh` loads a value again before it expires"
    } else {
        "write `refresh = 80%` to load a value again before it expires, or remove it"
    };
    diagnostics.report(name.clone(), Rule::Renewal, message, help);
}

fn check_copies(options: &Options, diagnostics: &mut Diagnostics) {
    let (Some(null_ttl), Some(_)) = (&options.null_ttl, &options.copies) else { return };
    let message = "`null_ttl` cannot be combined with `copies`: each copy would have a lease of its own";
    let help = "keep one of `null_ttl` and `copies`";
    diagnostics.report(null_ttl.name.clone(), Rule::Copies, message, help);
}

fn check_bucket(options: &Options, diagnostics: &mut Diagnostics) {
    let (Some(refresh), Some(_)) = (&options.refresh, &options.ttl_from_end_of) else { return };
    let message = "`refresh` cannot be combined with `ttl_from_end_of`: a key then lives longer than its ttl";
    let help = "keep one of `refresh` and `ttl_from_end_of`";
    diagnostics.report(refresh.name.clone(), Rule::Expiry, message, help);
}
