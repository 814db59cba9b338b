//! The roles of keys: cached keys, locks, rate limits and job queues.

use std::ops::Range;
use std::time::Duration;

use redis_keys_core::duration::render;
use redis_keys_core::schema::{BloomOptions, JobOptions, Renew, Role};

use super::options::{refuse, without};
use crate::attribute::{
    DEFAULT_LEASE, Given, KeyOption, LONGEST_JOB_LEASE, LONGEST_LEASE, Options, SHORTEST_JOB_LEASE, SHORTEST_LEASE,
    Ttl, USUAL_NULL_TTL, ValueRole, is_renewal, render_bytes, render_percent, suggested_refresh, usual_null_ttl,
};
use crate::declaration::Declaration;
use crate::diagnostic::Diagnostics;
use crate::edit::Suggestion;
use crate::limits::{LONGEST_TTL, MAX_MAX_BYTES};
use crate::suggest::list;
use crate::{Kind, Rule};

/// Checks the options of a role. `text` is the attribute's, and `is_complete` says that no second attribute has other
/// options.
pub(super) fn check(text: &str, declaration: &Declaration, is_complete: bool, diagnostics: &mut Diagnostics) {
    check_cache(text, declaration, is_complete, diagnostics);
    check_lock(declaration, diagnostics);
    check_limit(declaration, is_complete, diagnostics);
    check_jobs(text, declaration, is_complete, diagnostics);
    check_bloom(declaration, is_complete, diagnostics);
}

/// The problem of a lease beyond these limits, with what to write instead.
fn beyond(lease: Duration, shortest: Duration, longest: Duration, why: &str) -> Option<(String, Suggestion)> {
    let [written, minimum, maximum] = [lease, shortest, longest].map(render);
    if lease > longest {
        let message = format!("lease `{written}` exceeds the limit of {maximum}");
        Some((message, Suggestion::write(maximum).and(&format!(" or less: {why}"))))
    } else if lease < shortest {
        let message = format!("lease `{written}` is shorter than {minimum}");
        Some((message, Suggestion::write(minimum).and(" or more")))
    } else {
        None
    }
}

/// The name of an option, and its place.
type Named<'o> = (&'static str, &'o Range<usize>);

/// The first of two options in the text.
fn first<'o>(one: Option<Named<'o>>, other: Option<Named<'o>>) -> Option<Named<'o>> {
    one.into_iter().chain(other).min_by_key(|(_, place)| place.start)
}

/// Cached keys: `null_ttl` makes one, `lease` and `refresh` need it, and a lease is prolonged by nothing but a load.
fn check_cache(text: &str, declaration: &Declaration, is_complete: bool, diagnostics: &mut Diagnostics) {
    let options = &declaration.options;
    let other_type = declaration.guessed_kind().is_some_and(|kind| kind != Kind::String);
    let other_role = options.limit.is_some() || options.value_role().is_some();
    if other_type || other_role || declaration.ttl() == Some(Ttl::Never) {
        // It has none of the options.
        return;
    }
    let ttl = match declaration.ttl() {
        Some(Ttl::After(ttl)) => Some(ttl),
        _ => None,
    };
    check_load_lease(options, ttl, diagnostics);
    if let Some(Given { value: None, range, .. }) = &options.refresh {
        wrong_refresh(text.get(range.clone()).unwrap_or_default(), range, ttl, diagnostics);
    }
    if options.null_ttl.is_some() {
        check_renew(options, diagnostics);
        check_copies(declaration, diagnostics);
    } else if is_complete {
        needs_null_ttl(options, ttl, diagnostics);
    }
    check_bucket(options, diagnostics);
}

fn check_load_lease(options: &Options, ttl: Option<Duration>, diagnostics: &mut Diagnostics) {
    const WHY: &str = "others wait that long for a process that dies while it loads a value";
    let Some(Given { value: Some(lease), range, .. }) = &options.lease else { return };
    let problem = match ttl.filter(|ttl| lease > ttl) {
        Some(ttl) => Some((
            format!("lease `{}` exceeds the ttl of `{}`", render(*lease), render(ttl)),
            Suggestion::write(render(ttl.min(DEFAULT_LEASE))),
        )),
        None => beyond(*lease, SHORTEST_LEASE, LONGEST_LEASE, WHY),
    };
    if let Some((message, help)) = problem {
        diagnostics.report(range.clone(), Rule::Expiry, message, help);
    }
}

fn wrong_refresh(written: &str, range: &Range<usize>, ttl: Option<Duration>, diagnostics: &mut Diagnostics) {
    let help = if is_renewal(written) {
        Suggestion::write("80%").and(&format!(", or `renew = {written}` to restart the ttl"))
    } else {
        suggested_refresh("", written, ttl)
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
    let Some((name, place)) = first(lease, refresh) else { return };
    let null_ttl = ttl.map_or(USUAL_NULL_TTL, usual_null_ttl);
    let message = format!("missing `null_ttl`: `{name}` is an option of cached keys");
    diagnostics.report(
        place.clone(),
        Rule::Expiry,
        message,
        Suggestion::add(format!("null_ttl = {}", render(null_ttl))),
    );
}

/// Only the caller that loads a value may prolong the lease: what a dead process has left must expire.
fn check_renew(options: &Options, diagnostics: &mut Diagnostics) {
    let Some(Given { value: Some(renew), name, .. }) = &options.renew else { return };
    let form = match renew {
        Renew::Read => "read",
        Renew::Below(_) => "below(…)",
        _ => return,
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
        Suggestion::remove_option().and(": `refresh` loads a value again before it expires")
    } else {
        Suggestion::write_option("refresh = 80%").and(" to load a value again before it expires, or remove it")
    };
    diagnostics.report(name.clone(), Rule::Renewal, message, help);
}

fn check_copies(declaration: &Declaration, diagnostics: &mut Diagnostics) {
    let options = &declaration.options;
    let (Some(null_ttl), Some(_)) = (&options.null_ttl, &options.copies) else { return };
    let message = "`null_ttl` cannot be combined with `copies`: each copy would have a lease of its own";
    // Its other options need `null_ttl`.
    let is_cached = options.lease.is_some() || options.refresh.is_some();
    let help = match (&declaration.template, options.name_of(KeyOption::Copies)) {
        (Ok(template), Some(copies)) if is_cached => without(KeyOption::Copies, template).at(copies.clone()),
        _ => Suggestion::remove_option(),
    };
    let help = help.saying("keep one of `null_ttl` and `copies`");
    diagnostics.report(null_ttl.name.clone(), Rule::Copies, message, help);
}

fn check_bucket(options: &Options, diagnostics: &mut Diagnostics) {
    let (Some(refresh), Some(_)) = (&options.refresh, &options.ttl_from_end_of) else { return };
    let message = "`refresh` cannot be combined with `ttl_from_end_of`: a key then lives longer than its ttl";
    let help = Suggestion::remove_option().saying("keep one of `refresh` and `ttl_from_end_of`");
    diagnostics.report(refresh.name.clone(), Rule::Expiry, message, help);
}

/// The options that a lock cannot have, with reasons.
const REFUSED_OF_LOCKS: [(KeyOption, &str); 7] = [
    (KeyOption::Jitter, "its owner counts on the exact ttl"),
    (KeyOption::Renew, "only its owner extends it"),
    (KeyOption::TtlFromEndOf, "its ttl counts from when it is acquired"),
    (KeyOption::NullTtl, "that is an option of cached keys"),
    (KeyOption::Refresh, "that is an option of cached keys"),
    (KeyOption::Copies, "it would have an owner for each copy"),
    (KeyOption::MaxBytes, "it stores only its owner and its fence"),
];

/// Locks: `value = Lock`. Only its owner may extend one, and it must end although its owner dies.
fn check_lock(declaration: &Declaration, diagnostics: &mut Diagnostics) {
    let options = &declaration.options;
    if !declaration.is_lock() || options.limit.is_some() {
        return;
    }
    refuse(declaration, "a lock", &REFUSED_OF_LOCKS, diagnostics);
    if let Some(Given { value, name, .. }) = &options.lease {
        let help = match (&options.ttl, value) {
            (Some(_), _) => Suggestion::remove_option(),
            (None, lease) => {
                Suggestion::write_option(format!("ttl = {}", lease.map_or_else(|| "30s".to_owned(), render)))
            }
        };
        let message = "a lock cannot have `lease`: its ttl says how long it is held";
        diagnostics.report(name.clone(), Rule::Expiry, message, help);
    }
    if let Some(Given { value: Some(Ttl::Never), range, .. }) = &options.ttl {
        let message = "a lock cannot have `ttl = never`: if its owner dies, it would be held for ever";
        diagnostics.report(range.clone(), Rule::LongLived, message, Suggestion::write("30s"));
    }
}

/// The options that a rate limit cannot have, with reasons.
const REFUSED_OF_LIMITS: [(KeyOption, &str); 12] = [
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
    (KeyOption::Legacy, NO_COUNTER),
    (KeyOption::Formerly, NO_COUNTER),
];

const NO_COUNTER: &str = "it stores a time of its own, which would overwrite the count of other code";

/// Rate limits: `limit` takes the place of `value` and `ttl`, and `burst` needs it.
fn check_limit(declaration: &Declaration, is_complete: bool, diagnostics: &mut Diagnostics) {
    let options = &declaration.options;
    if declaration.guessed_kind().is_some_and(|kind| kind != Kind::String) {
        // The wrong type is reported already.
        return;
    }
    match &options.limit {
        Some(Given { value: Some(_), .. }) => {
            refuse(declaration, "a rate limit", &REFUSED_OF_LIMITS, diagnostics);
            check_burst(declaration, diagnostics);
        }
        None if is_complete => needs_limit(options, diagnostics),
        _ => {}
    }
}

/// The key of a rate limit lives until the last of a burst is allowed again.
fn check_burst(declaration: &Declaration, diagnostics: &mut Diagnostics) {
    let (Some((rate, burst)), Some(given)) = (declaration.limit(), &declaration.options.burst) else { return };
    let ttl = rate.time_of(burst);
    if given.value.is_some() && ttl > LONGEST_TTL {
        let most = LONGEST_TTL.as_millis() * u128::from(rate.count) / rate.per.as_millis().max(1);
        let (ttl, longest) = (render(ttl), render(LONGEST_TTL));
        let rate = format!("{} per {}", rate.count, render(rate.per));
        let message = format!("burst `{burst}` takes {ttl} at {rate}, which exceeds the limit of {longest}");
        diagnostics.report(
            given.range.clone(),
            Rule::LongLived,
            message,
            Suggestion::write(most.to_string()).and(" or less"),
        );
    }
}

fn needs_limit(options: &Options, diagnostics: &mut Diagnostics) {
    let Some(Given { value: Some(_), name, .. }) = &options.burst else { return };
    let message = "missing `limit`: `burst` is an option of rate limits";
    let limit = "limit = 100 / 1m";
    let in_place = |help: &str| Suggestion::from(format!("write `{limit}` in place of {help}"));
    let help = match [&options.value.as_ref().map(|given| &given.name), &options.ttl.as_ref().map(|given| &given.name)]
    {
        [Some(value), Some(ttl)] => {
            in_place("`value` and `ttl`").with_option((*value).clone(), limit).with_option((*ttl).clone(), "")
        }
        [Some(value), None] => in_place("`value`").with_option((*value).clone(), limit),
        [None, Some(ttl)] => in_place("`ttl`").with_option((*ttl).clone(), limit),
        [None, None] => Suggestion::add(limit),
    };
    diagnostics.report(name.clone(), Rule::RateLimit, message, help);
}

/// The options that a queue of jobs cannot have, with reasons.
const REFUSED_OF_JOBS: [(KeyOption, &str); 3] = [
    (KeyOption::Renew, "each job that is pushed or taken already restarts its ttl"),
    (KeyOption::TtlFromEndOf, "its ttl counts from the last job that is pushed or taken"),
    (KeyOption::KeepTop, "it would drop the jobs that are due next"),
];

/// Job queues: `value = Job<F>` makes one, `lease` and `tries` need it, and a job lives until its last try.
fn check_jobs(text: &str, declaration: &Declaration, is_complete: bool, diagnostics: &mut Diagnostics) {
    let options = &declaration.options;
    if let Some(Role::Jobs(jobs)) = declaration.role() {
        refuse(declaration, "a queue of jobs", &REFUSED_OF_JOBS, diagnostics);
        if let Some(Given { value: Some(Ttl::Never), range, .. }) = &options.ttl {
            let message = "a queue of jobs cannot have `ttl = never`: jobs that no worker takes would stay for ever";
            diagnostics.report(range.clone(), Rule::LongLived, message, Suggestion::write("7d"));
        }
        if !check_job_lease(options, diagnostics) {
            check_last_try(declaration, jobs, diagnostics);
        }
    } else if is_complete && declaration.guessed_kind() == Some(Kind::ZSet) {
        needs_job(text, options, diagnostics);
    }
}

/// Reports a lease that is too short or too long, and returns whether it is.
fn check_job_lease(options: &Options, diagnostics: &mut Diagnostics) -> bool {
    const WHY: &str = "the job of a worker that dies waits that long";
    let Some(Given { value: Some(lease), range, .. }) = &options.lease else { return false };
    let problem = beyond(*lease, SHORTEST_JOB_LEASE, LONGEST_JOB_LEASE, WHY);
    let Some((message, help)) = problem else { return false };
    diagnostics.report(range.clone(), Rule::Jobs, message, help);
    true
}

/// A job that is not finished expires after its last try, not before.
fn check_last_try(declaration: &Declaration, jobs: JobOptions, diagnostics: &mut Diagnostics) {
    let (options, Some(Ttl::After(ttl))) = (&declaration.options, declaration.ttl()) else { return };
    let JobOptions { lease, tries, .. } = jobs;
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
            (&lease.range, Suggestion::write(render(shorter)).and(&format!(" or less, or {longer}")))
        }
        (_, Some(tries), _) if fewer > 0 => {
            (&tries.range, Suggestion::write(fewer.to_string()).and(&format!(" or less, or {longer}")))
        }
        (.., Some(ttl)) => (&ttl.range, Suggestion::write(render(all)).and(" or more")),
        _ => return,
    };
    diagnostics.report(place.clone(), Rule::Jobs, message, help);
}

/// Reports a `lease` or `tries` of a zset that is no queue of jobs: the first of the two, unless it has another error.
fn needs_job(text: &str, options: &Options, diagnostics: &mut Diagnostics) {
    let is_misread = options.value.as_ref().is_some_and(|given| given.value.is_none());
    if is_misread || options.value_role().is_some() {
        // An error of the value is reported already.
        return;
    }
    let lease = options.lease.as_ref().filter(|given| given.value.is_some()).map(|given| ("lease", &given.name));
    let tries = options.tries.as_ref().filter(|given| given.value.is_some()).map(|given| ("tries", &given.name));
    let Some((name, place)) = first(lease, tries) else { return };
    let help = match &options.value {
        None => Suggestion::add("value = Job<Json<Mail>>"),
        Some(given) => {
            let job = format!("Job<{}>", text.get(given.range.clone()).unwrap_or("Json<Mail>"));
            Suggestion::from(format!("write `value = {job}`")).with(given.range.clone(), job)
        }
    };
    let message = format!("missing `Job<…>`: `{name}` of a zset is an option of job queues");
    diagnostics.report(place.clone(), Rule::Jobs, message, help);
}

/// The options that a Bloom filter cannot have, with reasons.
const REFUSED_OF_FILTERS: [(KeyOption, &str); 3] = [
    (KeyOption::MaxBytes, "its size follows from `expected` and `false_positives`"),
    (KeyOption::Legacy, TWO_FILTERS),
    (KeyOption::Formerly, TWO_FILTERS),
];

const TWO_FILTERS: &str = "two releases would add to two filters, and each would answer a wrong *no*";

/// Bloom filters: `value = Bloom<F>` makes one, `expected` and `false_positives` need it, and its size is limited.
fn check_bloom(declaration: &Declaration, is_complete: bool, diagnostics: &mut Diagnostics) {
    let options = &declaration.options;
    if declaration.guessed_kind() != Some(Kind::Bitmap) {
        // The wrong type is reported already.
        return;
    }
    let given = [(KeyOption::Expected, "100_000"), (KeyOption::FalsePositives, "1%")];
    let Some((ValueRole::Bloom, place)) = options.value_role() else {
        let is_misread = options.value.is_some();
        let named = given.iter().find_map(|(option, _)| Some((option.name(), options.name_of(*option)?)));
        if let Some((name, place)) = named.filter(|_| is_complete && !is_misread) {
            let message = format!("missing `Bloom<…>`: `{name}` is an option of Bloom filters");
            diagnostics.report(place.clone(), Rule::BloomFilter, message, Suggestion::add("value = Bloom<u64>"));
        }
        return;
    };
    refuse(declaration, "a Bloom filter", &REFUSED_OF_FILTERS, diagnostics);
    let missing: Vec<_> = given.into_iter().filter(|(option, _)| options.name_of(*option).is_none()).collect();
    if let Some((first, _)) = missing.first().filter(|_| is_complete) {
        let names = list(missing.iter().map(|(option, _)| option.name()), "and");
        let why =
            if *first == KeyOption::Expected { "the number of items that it is for" } else { "its share of errors" };
        let message = format!("missing {names}: a Bloom filter declares {why}");
        let write: Vec<_> = missing.iter().map(|(option, value)| format!("{} = {value}", option.name())).collect();
        diagnostics.report(place, Rule::BloomFilter, message, Suggestion::add(write.join(", ")));
    }
    if let Some(Role::Bloom(filter)) = declaration.role() {
        check_bytes(declaration, filter, diagnostics);
    }
}

fn check_bytes(declaration: &Declaration, filter: BloomOptions, diagnostics: &mut Diagnostics) {
    let Some(expected) = &declaration.options.expected else { return };
    let limit = declaration.inherited_max_bytes().unwrap_or(MAX_MAX_BYTES);
    if filter.bytes() <= limit {
        return;
    }
    let share = filter.false_positives_per_million;
    let message = format!(
        "a filter for {} items with {} of false positives takes {}KB, which exceeds the limit of {}",
        filter.expected,
        render_percent(share.into()),
        filter.bytes().div_ceil(1024),
        render_bytes(limit),
    );
    let shards = filter.bytes().div_ceil(limit.max(1)).next_power_of_two();
    let fewer = filter.expected.div_ceil(shards);
    let help = format!("divide it into {shards} shards, as in `{{id % {shards}}}`, each with `expected = {fewer}`");
    diagnostics.report(expected.range.clone(), Rule::BloomFilter, message, help);
}
