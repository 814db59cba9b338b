//! The roles of keys: cached keys, locks, rate limits and job queues.

use std::ops::Range;
use std::time::Duration;

use redis_keys_core::duration::render;
use redis_keys_core::schema::{BloomOptions, JobOptions, Renew, Role};

use super::options::{refuse, without};
use crate::Rule;
use crate::attribute::{
    DEFAULT_LEASE, GivenOption, GivenRole, KeyOption, Options, RoleName, Ttl, USUAL_NULL_TTL, is_renewal, render_bytes,
    render_percent, suggested_refresh, usual_null_ttl,
};
use crate::declaration::Declaration;
use crate::diagnostic::Diagnostics;
use crate::edit::Suggestion;
use crate::limits::{LONGEST_TTL, MAX_MAX_BYTES};
use crate::suggest::list;

/// Checks the options of a role. `text` is the attribute's, and `is_complete` says that no second attribute has other
/// options.
pub(super) fn check(text: &str, declaration: &Declaration, is_complete: bool, diagnostics: &mut Diagnostics) {
    let Some(role) = &declaration.options.role else { return };
    if declaration.guessed_kind().is_some_and(|kind| kind != role.name.kind()) {
        // The wrong type is reported already.
        return;
    }
    // An option that stands for a role has a suggestion with all that is missing.
    let is_complete = is_complete && role.is_written;
    refuse(declaration, role, diagnostics);
    match role.name {
        RoleName::Cache => check_cache(text, declaration, role, is_complete, diagnostics),
        RoleName::Lock => check_lock(declaration, diagnostics),
        RoleName::Limit => check_limit(text, declaration, role, is_complete, diagnostics),
        RoleName::Jobs => check_jobs(declaration, diagnostics),
        RoleName::Bloom => check_bloom(text, declaration, role, is_complete, diagnostics),
    }
}

/// The limits of a time that a role has.
struct TimeLimits {
    name: &'static str,
    rule: Rule,
    shortest: Duration,
    longest: Duration,
    /// Why it is not shorter, after a colon, and why it is not longer.
    why: [&'static str; 2],
}

const LOAD_LEASE: TimeLimits = TimeLimits {
    name: "lease",
    rule: Rule::Expiry,
    shortest: Duration::from_millis(100),
    longest: Duration::from_secs(300),
    why: ["", ": others wait that long for a process that dies while it loads a value"],
};

const NEAR: TimeLimits = TimeLimits {
    name: "near",
    rule: Rule::Expiry,
    shortest: Duration::from_secs(1),
    longest: Duration::from_secs(3600),
    why: [
        ": below that, most calls read Redis anyway",
        ": a copy can be that old where the server does not report that the key has changed",
    ],
};

const JOB_LEASE: TimeLimits = TimeLimits {
    name: "lease",
    rule: Rule::Jobs,
    shortest: Duration::from_secs(1),
    longest: Duration::from_secs(3600),
    why: ["", ": the job of a worker that dies waits that long"],
};

const USUAL_STALE: Duration = Duration::from_secs(3600);

impl TimeLimits {
    /// Reports a time beyond the limits or the ttl, if there is such a time, and returns whether there is.
    fn check(
        &self,
        given: Option<&GivenOption<Duration>>,
        ttl: Option<Duration>,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        let Some(GivenOption { value: Some(time), range, .. }) = given else { return false };
        let [written, shortest, longest] = [*time, self.shortest, self.longest].map(render);
        let (name, [why_not_shorter, why_not_longer]) = (self.name, self.why);
        let (message, help) = match ttl {
            Some(ttl) if *time > ttl => {
                let message = format!("{name} `{written}` exceeds the ttl of `{}`", render(ttl));
                (message, Suggestion::write(render(ttl.min(DEFAULT_LEASE))))
            }
            _ if *time > self.longest => {
                let message = format!("{name} `{written}` exceeds the limit of {longest}");
                (message, Suggestion::write(longest).and(" or less").and(why_not_longer))
            }
            _ if *time < self.shortest => {
                let message = format!("{name} `{written}` is shorter than {shortest}");
                (message, Suggestion::write(shortest).and(" or more").and(why_not_shorter))
            }
            _ => return false,
        };
        let help = if ttl.is_some_and(|ttl| ttl < self.shortest) {
            Suggestion::remove_option().and(": the ttl is too short for it")
        } else {
            help
        };
        diagnostics.report(range.clone(), self.rule, message, help);
        true
    }
}

/// Checks cached keys: absence has a separate ttl, and only a load prolongs a lease.
fn check_cache(
    text: &str,
    declaration: &Declaration,
    role: &GivenRole,
    is_complete: bool,
    diagnostics: &mut Diagnostics,
) {
    let options = &declaration.options;
    if declaration.ttl() == Some(Ttl::Never) {
        // It cannot be cached.
        return;
    }
    let ttl = match declaration.ttl() {
        Some(Ttl::After(ttl)) => Some(ttl),
        _ => None,
    };
    LOAD_LEASE.check(options.lease.as_ref(), ttl, diagnostics);
    NEAR.check(options.near.as_ref(), ttl, diagnostics);
    check_near(options, diagnostics);
    if let Some(ttl) = ttl {
        check_stale(options, ttl, diagnostics);
    }
    if let Some(GivenOption { value: None, range, .. }) = &options.refresh {
        wrong_refresh(text.get(range.clone()).unwrap_or_default(), range, ttl, diagnostics);
    }
    if is_complete && options.null_ttl.is_none() {
        let null_ttl = format!("null_ttl = {}", render(ttl.map_or(USUAL_NULL_TTL, usual_null_ttl)));
        let message = "missing `null_ttl`: a cached key declares for how long it remembers that there is no value";
        diagnostics.report(role.word.clone(), Rule::Expiry, message, role.adding(text, &null_ttl));
    }
    check_renew(options, diagnostics);
    check_copies(declaration, role, diagnostics);
    check_bucket(options, diagnostics);
}

/// A copy in memory is not encrypted.
fn check_near(options: &Options, diagnostics: &mut Diagnostics) {
    let (Some(near), Some(GivenOption { value: Some(form), .. })) = (&options.near, &options.value) else { return };
    if form.is_secret() {
        let message = "`near` cannot be combined with `Secret<…>`: the decrypted value would stay in memory";
        diagnostics.report(near.name.clone(), Rule::StoredForm, message, Suggestion::remove_option());
    }
}

/// An expired value must outlive the load that may fail, and with it the key lives no longer than others may.
fn check_stale(options: &Options, ttl: Duration, diagnostics: &mut Diagnostics) {
    let Some(GivenOption { value: Some(stale), range, .. }) = &options.stale else { return };
    let lease = GivenOption::value_of(&options.lease).unwrap_or(ttl.min(DEFAULT_LEASE));
    let jitter = GivenOption::value_of(&options.jitter).map_or(Duration::ZERO, |jitter| jitter.of(ttl));
    let left = LONGEST_TTL.saturating_sub(ttl.saturating_add(jitter));
    let written = render(*stale);
    let (rule, message, help) = if *stale > left {
        let message = format!("stale `{written}` exceeds the limit of {} beside this ttl", render(left));
        let sum = format!(" or less: ttl, jitter and stale are at most {}", render(LONGEST_TTL));
        (Rule::LongLived, message, Suggestion::write(render(left)).and(&sum))
    } else if *stale <= lease {
        let message = format!("stale `{written}` is not longer than the lease of `{}`", render(lease));
        let help = Suggestion::write(render(left.min(USUAL_STALE)));
        (Rule::Expiry, message, help.and(": an expired value must outlive the load that fails"))
    } else {
        return;
    };
    let help = if left <= lease { Suggestion::remove_option().and(": the ttl is too long for it") } else { help };
    diagnostics.report(range.clone(), rule, message, help);
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

/// Reports a renewal at reads, because only the caller that loads a value may prolong the lease: the lease of a dead
/// process must expire.
fn check_renew(options: &Options, diagnostics: &mut Diagnostics) {
    let Some(GivenOption { value: Some(renew), name, .. }) = &options.renew else { return };
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
        "`renew = {form}` cannot be combined with `cache`: if a process dies while it loads the value, reads would extend \
         its lease to the whole ttl"
    );
    let help = if options.refresh.is_some() {
        Suggestion::remove_option().and(": `refresh` loads a value again before it expires")
    } else {
        Suggestion::remove_option().and(", and add `refresh = 80%` to `cache` to load a value again before it expires")
    };
    diagnostics.report(name.clone(), Rule::Renewal, message, help);
}

fn check_copies(declaration: &Declaration, role: &GivenRole, diagnostics: &mut Diagnostics) {
    let (Ok(template), Some(copies)) = (&declaration.template, declaration.options.name_of(KeyOption::Copies)) else {
        return;
    };
    let message = "`cache` cannot be combined with `copies`: each copy would have a lease of its own";
    let help = without(KeyOption::Copies, template).at(copies.clone()).saying("keep one of `cache` and `copies`");
    diagnostics.report(role.word.clone(), Rule::Copies, message, help);
}

fn check_bucket(options: &Options, diagnostics: &mut Diagnostics) {
    let (Some(refresh), Some(_)) = (&options.refresh, &options.ttl_from_end_of) else { return };
    let message = "`refresh` cannot be combined with `ttl_from_end_of`: a key then lives longer than its ttl";
    let help = Suggestion::remove_option().saying("keep one of `refresh` and `ttl_from_end_of`");
    diagnostics.report(refresh.name.clone(), Rule::Expiry, message, help);
}

/// Checks locks: only a lock's owner may extend it, and it must end if its owner dies.
fn check_lock(declaration: &Declaration, diagnostics: &mut Diagnostics) {
    let options = &declaration.options;
    if let Some(GivenOption { value: Some(Ttl::Never), range, .. }) = &options.ttl {
        let message = "a lock cannot have `ttl = never`: if its owner dies, it would be held for ever";
        diagnostics.report(range.clone(), Rule::LongLived, message, Suggestion::write("30s"));
    }
}

/// Rate limits: a rate takes the place of `value` and `ttl`.
fn check_limit(
    text: &str,
    declaration: &Declaration,
    role: &GivenRole,
    is_complete: bool,
    diagnostics: &mut Diagnostics,
) {
    if declaration.options.limit.is_some() {
        check_burst(declaration, diagnostics);
    } else if is_complete {
        let message = "missing rate: a limit is a number in a period";
        diagnostics.report(role.word.clone(), Rule::RateLimit, message, role.adding(text, "100 / 1m"));
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

/// Job queues: a job lives until its last try.
fn check_jobs(declaration: &Declaration, diagnostics: &mut Diagnostics) {
    let options = &declaration.options;
    let Some(Role::Jobs(jobs)) = declaration.role() else { return };
    if let Some(GivenOption { value: Some(Ttl::Never), range, .. }) = &options.ttl {
        let message = "a queue of jobs cannot have `ttl = never`: jobs that no worker takes would stay for ever";
        diagnostics.report(range.clone(), Rule::LongLived, message, Suggestion::write("7d"));
    }
    if !JOB_LEASE.check(options.lease.as_ref(), None, diagnostics) {
        check_last_try(declaration, jobs, diagnostics);
    }
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
        (Some(lease), ..) if shorter >= JOB_LEASE.shortest.as_millis() => {
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

/// Bloom filters: the size follows from the number of items and the share of errors, and is limited.
fn check_bloom(
    text: &str,
    declaration: &Declaration,
    role: &GivenRole,
    is_complete: bool,
    diagnostics: &mut Diagnostics,
) {
    let options = &declaration.options;
    let needed = [(KeyOption::Expected, "100_000"), (KeyOption::FalsePositives, "1%")];
    let missing: Vec<_> = needed.into_iter().filter(|(option, _)| options.name_of(*option).is_none()).collect();
    if let Some((first, _)) = missing.first().filter(|_| is_complete) {
        let names = list(missing.iter().map(|(option, _)| option.name()), "and");
        let why =
            if *first == KeyOption::Expected { "the number of items that it is for" } else { "its share of errors" };
        let message = format!("missing {names}: a Bloom filter declares {why}");
        let write: Vec<_> = missing.iter().map(|(option, value)| format!("{} = {value}", option.name())).collect();
        diagnostics.report(role.word.clone(), Rule::BloomFilter, message, role.adding(text, &write.join(", ")));
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
