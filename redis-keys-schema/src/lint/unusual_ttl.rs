//! The expiry is outside the usual range of the module.
//!
//! The default ranges are those of `cache`, `session`, `lock`, `rate` and `tmp`; `ttl` below `[module.NAME]` sets the
//! range of any module.
//!
//! # Why
//!
//! A cached page that lives for 30 days is as good as never corrected. A lock that lives for an hour blocks the order
//! for an hour after its owner has crashed.
//!
//! # Wrong
//!
//! ```text
//! #[derive(RedisKey)]
//! #[redis_key(cache:page:{page_id}:string, value = String, ttl = 30d, jitter = 10%)]
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
//! - flags: an expiry outside the module's `ttl` or the default range below, except with `ttl_from_end_of`; of a rate
//!   limit, whose ttl follows, only one that is too long
//! - instead: another `ttl`, or another range: `ttl = "30m..1d"` below `[module.session]`

use std::ops::Range;
use std::time::Duration;

use redis_keys_core::duration;
use redis_keys_core::schema::{Renew, Role};

use super::{Entry, Subject};
use crate::attribute::{GivenOption, Ttl};
use crate::edit::Suggestion;
use crate::limits::LONGEST_TTL;
use crate::policy::{POLICY_FILE, Window, table_of_module};
use crate::usual_modules::usual_module;
use crate::warning::{Level, Lint, Warning};

pub(super) const LINT: Entry = Entry { level: Level::Warn, check: Some(check) };

fn check(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
    let Some(module) = subject.template.module() else { return };
    let options = &subject.declaration.options;
    if let (Some(given), Some((rate, burst))) = (&options.limit, subject.declaration.limit()) {
        return check_limit(subject, module, rate.time_of(burst), &given.range, warnings);
    }
    let Some(GivenOption { value: Some(ttl), range, .. }) = &options.ttl else { return };
    if subject.declaration.is_lock() {
        check_window(subject, "lock", *ttl, range, warnings);
    } else if options.ttl_from_end_of.is_none() {
        // With `ttl_from_end_of` a key lives longer than its `ttl`.
        check_window(subject, module, *ttl, range, warnings);
    }
}

/// The key of a rate limit lives no longer than it must, so that none lives too short.
fn check_limit(subject: &Subject<'_>, module: &str, ttl: Duration, range: &Range<usize>, warnings: &mut Vec<Warning>) {
    let project = subject.policy.of_module(module).and_then(|policy| policy.ttl);
    let Some(window) = project.or_else(|| default_window(subject, module, false)) else { return };
    // Above the longest ttl it is an error.
    let Some(max) = window.max.filter(|max| ttl > *max && ttl <= LONGEST_TTL) else { return };
    let (written, most) = (duration::render(ttl), duration::render(max));
    let message =
        format!("the ttl of this limit, `{written}`, is longer than usual for `{module}` keys, at most {most}");
    let wider = Window { max: Some(ttl), ..window };
    let table = table_of_module(module);
    let help = format!("shorten the period, or set `ttl = \"{wider}\"` below `{table}` in {POLICY_FILE}");
    warnings.push(Warning::at(Lint::UnusualTtl, range, message, help));
}

fn check_window(subject: &Subject<'_>, module: &str, ttl: Ttl, range: &Range<usize>, warnings: &mut Vec<Warning>) {
    let project = subject.policy.of_module(module).and_then(|policy| policy.ttl);
    let Some(window) = project.or_else(|| default_window(subject, module, renews_at_reads(subject))) else { return };
    let (written, nearest, wider) = match ttl {
        Ttl::After(ttl) if window.contains(ttl) => return,
        Ttl::After(ttl) if window.min.is_some_and(|min| ttl < min) => {
            (duration::render(ttl), window.min, Window { min: Some(ttl), ..window })
        }
        Ttl::After(ttl) => (duration::render(ttl), window.max, Window { max: Some(ttl), ..window }),
        // Never is longer than every shortest time.
        Ttl::Never if window.max.is_none() => return,
        Ttl::Never => ("never".to_owned(), window.max, Window { max: None, ..window }),
    };
    let whose = match project {
        Some(_) => format!("range of `{module}` keys in {POLICY_FILE}"),
        None => format!("default range of `{module}` keys"),
    };
    let message = format!("ttl `{written}` is outside the {whose}, {}", describe(window));
    let nearest = nearest.map(duration::render).unwrap_or_default();
    let mut help = format!("write `{nearest}`");
    // No read renews a cached key.
    let is_cached = matches!(subject.declaration.role(), Some(Role::Cache(_)));
    let renewed = default_window(subject, module, true).filter(|_| project.is_none() && !is_cached);
    if let (Some(renewed), Ttl::After(ttl)) = (renewed, ttl)
        && renewed.contains(ttl)
    {
        help += ", or `renew = read` to count from the last read";
    }
    // A lock in another module is none of that module's keys.
    let is_own = subject.template.module() == Some(module) || project.is_some();
    if is_own && wider.min.or(wider.max).is_some() {
        help = format!("{help}, or set `ttl = \"{wider}\"` below `{}` in {POLICY_FILE}", table_of_module(module));
    }
    // A key that expires is not rebuilt.
    let rebuild = subject.declaration.options.rebuild.iter();
    let help = rebuild
        .fold(Suggestion::write(nearest).saying(help), |help, rebuild| help.with_option(rebuild.name.clone(), ""));
    warnings.push(Warning::at(Lint::UnusualTtl, range, message, help));
}

/// The window without a policy, which ends at the project's `longest_ttl`. A project's own windows are checked against
/// that.
fn default_window(subject: &Subject<'_>, module: &str, renewed: bool) -> Option<Window> {
    let module = usual_module(module)?;
    let (min, max) = module.renewed_ttl.filter(|_| renewed).or(module.ttl)?;
    let window = Window::new(min, max);
    Some(subject.policy.limits.longest_ttl.map_or(window, |longest| window.within(longest)))
}

/// Whether reads restart the expiry.
fn renews_at_reads(subject: &Subject<'_>) -> bool {
    let renew = subject.declaration.options.renew.as_ref().and_then(|given| given.value);
    matches!(renew, Some(Renew::Read | Renew::Below(_)))
}

fn describe(window: Window) -> String {
    match (window.min.map(duration::render), window.max.map(duration::render)) {
        (Some(min), Some(max)) => format!("{min} to {max}"),
        (Some(min), None) => format!("at least {min}"),
        (None, Some(max)) => format!("at most {max}"),
        (None, None) => "any".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::Lint;
    use crate::lint::tests::{checked, warns};

    #[test]
    fn expiries_are_in_the_window_of_the_module() {
        let warns = |module: &str, ttl: &str, help: Option<&str>| {
            let options = match module {
                "lock" => "string, lock",
                "rate" => "hash, value = Rates",
                _ => "string, value = String, jitter = 1ms",
            };
            let attribute = format!("{module}:name:{{id}}:{options}, ttl = {ttl}");
            let expected: Vec<_> = help.into_iter().map(|help| (Lint::UnusualTtl, ttl, help)).collect();
            warns("module.report.ttl = '1d..'\nmodule.tmp.ttl = '..1m'", &attribute, &expected);
        };
        for (module, ttl) in
            [("cache", "5m"), ("cache", "1d"), ("session", "1d"), ("session", "1w"), ("lock", "10s"), ("lock", "1m")]
        {
            warns(module, ttl, None);
        }
        for (module, ttl) in
            [("rate", "1s"), ("rate", "1d"), ("tmp", "1s"), ("tmp", "1m"), ("report", "365d"), ("user", "1s")]
        {
            warns(module, ttl, None);
        }
        let helps = |module: &str, ttl: &str, nearest: &str, wider: &str| {
            let file = format!("set `ttl = \"{wider}\"` below `[module.{module}]` in redis-keys.toml");
            warns(module, ttl, Some(&format!("write `{nearest}`, or {file}")));
        };
        helps("cache", "4m59s", "5m", "4m59s..1d");
        helps("cache", "25h", "1d", "5m..1d1h");
        helps("session", "8d", "1w", "1d..8d");
        helps("session", "1m", "1d", "1m..1w");
        helps("lock", "9s", "10s", "9s..1m");
        helps("lock", "61s", "1m", "10s..1m1s");
        helps("rate", "500ms", "1s", "500ms..1d");
        helps("tmp", "5m", "1m", "..5m");
        helps("report", "1h", "1d", "1h..");
    }

    #[test]
    fn a_window_of_the_policy_replaces_the_usual_one() {
        warns("module.lock.ttl = '1m..1h'", "lock:order:{id}:string, lock, ttl = 1h", &[]);
    }

    #[test]
    fn a_lock_is_held_as_long_as_locks_usually_are() {
        let key = |module: &str, ttl: &str| format!("{module}:lock:{{id}}:string, lock, ttl = {ttl}");
        // Not as long as other keys of its module, nor with jitter.
        for module in ["cache", "order", "session"] {
            warns("module.order.ttl = '1d..2d'", &key(module, "30s"), &[]);
            warns("", &key(module, "2m"), &[(Lint::UnusualTtl, "2m", "write `1m`")]);
            warns("module.lock.ttl = '..5m'", &key(module, "2m"), &[]);
        }
        let help = "write `5m`, or set `ttl = \"..6m\"` below `[module.lock]` in redis-keys.toml";
        warns("module.lock.ttl = '..5m'", &key("order", "6m"), &[(Lint::UnusualTtl, "6m", help)]);
        warns("limits.longest_ttl = '30s'", &key("order", "5s"), &[(Lint::UnusualTtl, "5s", "write `10s`")]);
    }

    #[test]
    fn the_keys_of_a_limit_do_not_live_long() {
        let key = |module: &str, limit: &str| format!("{module}:api:{{id}}:string, limit({limit})");
        for module in ["rate", "cache", "session", "user"] {
            warns("", &key(module, "100 / 1s, burst = 1"), &[]);
            warns("", &key(module, "100 / 1d"), &[]);
            // A step of whole microseconds makes this one a little longer.
            warns("", &key(module, "7 / 1d"), &[]);
        }
        warns("module.rate.ttl = '1h..2h'", &key("rate", "100 / 1m"), &[]);
        let help = "shorten the period, or set `ttl = \"1s..30d\"` below `[module.rate]` in redis-keys.toml";
        warns("", &key("rate", "100 / 30d"), &[(Lint::UnusualTtl, "100 / 30d", help)]);
        warns("", &key("rate", "100 / 30d, burst = 3"), &[]);
        let help = "shorten the period, or set `ttl = \"..2h\"` below `[module.api]` in redis-keys.toml";
        warns("module.api.ttl = '..1h'", &key("api", "1 / 1h, burst = 2"), &[(Lint::UnusualTtl, "1 / 1h", help)]);
    }

    #[test]
    fn the_message_names_the_origin_of_the_window() {
        let messages = |policy: &str, module: &str| {
            let attribute = format!("{module}:name:{{id}}:string, value = String, ttl = 2w");
            checked(policy, &attribute).warnings.into_iter().map(|warning| warning.message).collect::<Vec<_>>()
        };
        let default = "ttl `2w` is outside the default range of `session` keys, 1d to 1w";
        assert_eq!(messages("", "session"), [default]);
        let of_the_file = "ttl `2w` is outside the range of `session` keys in redis-keys.toml, at most 2d";
        assert_eq!(messages("module.session.ttl = '..2d'", "session"), [of_the_file]);
        let dotted = "module.'user.admin'.ttl = '..2d'";
        let help = "write `2d`, or set `ttl = \"..2w\"` below `[module.\"user.admin\"]` in redis-keys.toml";
        let key = "user.admin:name:{id}:string, value = String, ttl = 2w";
        warns(dotted, key, &[(Lint::UnusualTtl, "2w", help)]);
    }

    #[test]
    fn sessions_that_reads_renew_may_be_short() {
        let key = |options: &str| format!("session:name:{{id}}:string, value = String, {options}");
        let file = |ttl: &str| format!("set `ttl = \"{ttl}\"` below `[module.session]` in redis-keys.toml");
        for renew in ["read", "below(10m)"] {
            warns("", &key(&format!("ttl = 30m, renew = {renew}")), &[]);
            warns("", &key(&format!("ttl = 1w, renew = {renew}")), &[]);
        }
        let slide = format!("write `1d`, or `renew = read` to count from the last read, or {}", file("30m..1w"));
        warns("", &key("ttl = 30m"), &[(Lint::UnusualTtl, "30m", &slide)]);
        warns("", &key("ttl = 30m, renew = write"), &[(Lint::UnusualTtl, "30m", &slide)]);
        let longer = format!("write `5m`, or {}", file("1m..1w"));
        warns("", &key("ttl = 1m, renew = read"), &[(Lint::UnusualTtl, "1m", &longer)]);
        // A range in the file applies to all sessions.
        let project = format!("write `1h`, or {}", file("30m..2h"));
        warns("module.session.ttl = '1h..2h'", &key("ttl = 30m, renew = read"), &[(Lint::UnusualTtl, "30m", &project)]);
    }

    #[test]
    fn the_ttl_of_a_cached_key_is_that_of_its_module() {
        let help = "write `1d`, or set `ttl = \"1h..1w\"` below `[module.session]` in redis-keys.toml";
        // No read renews it.
        let key = "session:name:{id}:string, value = u64, ttl = 1h, jitter = 5m, cache(null_ttl = 5m)";
        warns("", key, &[(Lint::UnusualTtl, "1h", help)]);
    }

    #[test]
    fn never_is_unusual_where_there_is_a_window() {
        let attribute =
            "session:name:{id}:string, value = String, ttl = never, reason = \"a test\", rebuild = \"it is none\"";
        let help = "write `1w`, or set `ttl = \"1d..\"` below `[module.session]` in redis-keys.toml";
        warns("", attribute, &[(Lint::UnusualTtl, "never", help)]);
        // A window without ends is none.
        warns("module.session.ttl = '..2d'", attribute, &[(Lint::UnusualTtl, "never", "write `2d`")]);
        // `never` is longer than every shortest time.
        warns("module.session.ttl = '1d..'", attribute, &[]);
    }

    #[test]
    fn default_windows_end_at_the_longest_ttl() {
        let key = |ttl: &str| format!("session:name:{{id}}:string, value = String, ttl = {ttl}");
        let longest = |ttl: &str| format!("limits.longest_ttl = '{ttl}'");
        warns(&longest("1h"), &key("1h"), &[]);
        warns(&longest("1h"), &key("1s"), &[]);
        warns(&longest("1d"), &key("1d"), &[]);
        let help = "write `1d`, or `renew = read` to count from the last read, or set `ttl = \"23h..1d\"` below \
                    `[module.session]` in redis-keys.toml";
        warns(&longest("1d"), &key("23h"), &[(Lint::UnusualTtl, "23h", help)]);
    }
}
