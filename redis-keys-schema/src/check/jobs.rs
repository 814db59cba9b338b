//! Job queues: `value = Job<F>` makes one, `lease` and `tries` need it, and a job lives until its last try.

use std::time::Duration;

use redis_keys_core::duration::render;

use super::options::refuse;
use crate::attribute::{Given, KeyOption, LONGEST_JOB_LEASE, Options, SHORTEST_JOB_LEASE, Ttl};
use crate::declaration::{Declaration, Jobs};
use crate::diagnostic::Diagnostics;
use crate::{Kind, Rule};

/// What a queue of jobs cannot have, and why.
const REFUSED: [(KeyOption, &str); 3] = [
    (KeyOption::Renew, "each job that is pushed or taken already restarts its ttl"),
    (KeyOption::TtlFromEndOf, "its ttl counts from the last job that is pushed or taken"),
    (KeyOption::KeepTop, "it would drop the jobs that are due next"),
];

/// Checks the options of a job queue. `text` is the attribute's, and `is_complete` says that no second attribute has other
/// options.
pub(super) fn check(text: &str, declaration: &Declaration, is_complete: bool, diagnostics: &mut Diagnostics) {
    let options = &declaration.options;
    if let Some(jobs) = declaration.jobs() {
        refuse(options, "a queue of jobs", &REFUSED, diagnostics);
        if let Some(Given { value: Some(Ttl::Never), range, .. }) = &options.ttl {
            let message = "a queue of jobs cannot have `ttl = never`: jobs that no worker takes would stay for ever";
            diagnostics.report(range.clone(), Rule::LongLived, message, "write `7d`");
        }
        if !check_lease(options, diagnostics) {
            check_last_try(declaration, jobs, diagnostics);
        }
    } else if is_complete && declaration.kind_meant() == Some(Kind::ZSet) {
        needs_job(text, options, diagnostics);
    }
}

/// Reports a lease that is too short or too long, and returns whether it is.
fn check_lease(options: &Options, diagnostics: &mut Diagnostics) -> bool {
    let Some(Given { value: Some(lease), range, .. }) = &options.lease else { return false };
    let written = render(*lease);
    let (message, help) = if *lease > LONGEST_JOB_LEASE {
        let most = render(LONGEST_JOB_LEASE);
        let why = "the job of a worker that dies waits that long";
        (format!("lease `{written}` exceeds the limit of {most}"), format!("write `{most}` or less: {why}"))
    } else if *lease < SHORTEST_JOB_LEASE {
        let shortest = render(SHORTEST_JOB_LEASE);
        (format!("lease `{written}` is shorter than {shortest}"), format!("write `{shortest}` or more"))
    } else {
        return false;
    };
    diagnostics.report(range.clone(), Rule::Jobs, message, help);
    true
}

/// A job that is not finished expires after its last try, not before.
fn check_last_try(declaration: &Declaration, Jobs { lease, tries }: Jobs, diagnostics: &mut Diagnostics) {
    let (options, Some(Ttl::After(ttl))) = (&declaration.options, declaration.ttl()) else { return };
    let all = lease * u32::from(tries);
    if all <= ttl {
        return;
    }
    let message = format!(
        "{tries} tries of `{}` take {}, which exceeds the ttl of `{}`",
        render(lease),
        render(all),
        render(ttl)
    );
    let shorter = ttl.as_millis() / u128::from(tries.max(1));
    let fewer = ttl.as_millis() / lease.as_millis().max(1);
    let longer = format!("`ttl = {}`", render(all));
    let (place, help) = match (&options.lease, &options.tries, &options.ttl) {
        (Some(lease), ..) if shorter >= SHORTEST_JOB_LEASE.as_millis() => {
            let shorter = Duration::from_millis(u64::try_from(shorter).unwrap_or(u64::MAX));
            (&lease.range, format!("write `{}` or less, or {longer}", render(shorter)))
        }
        (_, Some(tries), _) if fewer > 0 => (&tries.range, format!("write `{fewer}` or less, or {longer}")),
        (.., Some(ttl)) => (&ttl.range, format!("write `{}` or more", render(all))),
        _ => return,
    };
    diagnostics.report(place.clone(), Rule::Jobs, message, help);
}

/// Reports a `lease` or `tries` of a zset that is no queue of jobs: the first of the two, unless it has another error.
fn needs_job(text: &str, options: &Options, diagnostics: &mut Diagnostics) {
    let is_misread = options.value.as_ref().is_some_and(|given| given.value.is_none());
    if is_misread || options.value_pattern().is_some() {
        // What is wrong with the value is reported.
        return;
    }
    let lease = options.lease.as_ref().filter(|given| given.value.is_some()).map(|given| ("lease", &given.name));
    let tries = options.tries.as_ref().filter(|given| given.value.is_some()).map(|given| ("tries", &given.name));
    let Some((name, place)) = lease.into_iter().chain(tries).min_by_key(|(_, place)| place.start) else { return };
    let help = match &options.value {
        None => "add `value = Job<Json<Mail>>`".to_owned(),
        Some(given) => format!("write `value = Job<{}>`", text.get(given.range.clone()).unwrap_or("Json<Mail>")),
    };
    let message = format!("missing `Job<…>`: `{name}` of a zset is an option of job queues");
    diagnostics.report(place.clone(), Rule::Jobs, message, help);
}
