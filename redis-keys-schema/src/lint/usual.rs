//! `misused_module`, `unusual_ttl` and `missing_jitter`: what is unusual for the keys of a module.

use std::ops::Range;
use std::time::Duration;

use redis_keys_core::duration;
use redis_keys_core::schema::{Renew, Role};

use super::Subject;
use crate::Kind;
use crate::attribute::{Given, Options, RoleName, Ttl};
use crate::edit::Suggestion;
use crate::limits::LONGEST_TTL;
use crate::policy::{POLICY_FILE, Window, table_of_module};
use crate::rust_type::is_integer;
use crate::suggest::list;
use crate::usual_modules::{UsualModule, usual_module};
use crate::warning::{Lint, Warning};

pub(super) fn check(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
    let Some(module) = subject.template.module() else { return };
    check_type(subject, module, warnings);
    check_expiry(subject, module, warnings);
}

/// `misused_module`.
fn check_type(subject: &Subject<'_>, module: &str, warnings: &mut Vec<Warning>) {
    let Ok(kind) = subject.template.kind else { return };
    let Some(usual @ UsualModule { holds, types, .. }) = usual_module(module) else { return };
    if types.is_empty() || types.contains(&kind) {
        check_counter(subject, usual, kind, warnings);
        check_value(subject, usual, kind, warnings);
        return;
    }
    // The types that a project lists replace the usual ones.
    if subject.policy.of_module(module).is_none_or(|policy| policy.types.is_none()) {
        let message = format!("unusual type `{kind}` for `{module}` keys, which hold {holds}");
        let lock = if module == "lock" { " with `lock`" } else { "" };
        let help = format!("write {}{lock}, or another module", list(types.iter().map(|kind| kind.name()), "or"));
        let kind = types.first().map_or("", |kind| kind.name());
        let help = with_role(&subject.declaration.options, module, Suggestion::write(kind).saying(help));
        warnings.push(Warning::at(Lint::MisusedModule, &subject.template.suffix, message, help));
    }
}

/// The suggestion with the role of a lock.
fn with_role(options: &Options, module: &str, help: Suggestion) -> Suggestion {
    match &options.value {
        Some(value) if module == "lock" => {
            let help = help.with_option(value.name.clone(), "lock");
            options.field.iter().fold(help, |help, field| help.with_option(field.name.clone(), ""))
        }
        _ => help,
    }
}

/// Counts are integers. Nothing is known of a user's own type.
fn check_counter(subject: &Subject<'_>, usual: &UsualModule, kind: Kind, warnings: &mut Vec<Warning>) {
    let options = &subject.declaration.options;
    let record = kind == Kind::Hash && options.field.is_none();
    if usual.name != "counter" || record || kind == Kind::HyperLogLog {
        return;
    }
    let form = options.value.as_ref().and_then(|given| given.value.as_ref());
    let Some(form) = form.filter(|form| form.is_one_value()) else { return };
    let text = subject.text_at(&form.range);
    if !is_integer(text) {
        let message = format!("unusual value `{text}` for `counter` keys, which hold {}", usual.holds);
        let help = Suggestion::write("u64").and(", or another module");
        warnings.push(Warning::at(Lint::MisusedModule, &form.range, message, help));
    }
}

/// A string for a lock or a rate limit is better one that this crate knows. Records, sets and the like have their own
/// way.
fn check_value(subject: &Subject<'_>, usual: &UsualModule, kind: Kind, warnings: &mut Vec<Warning>) {
    let options = &subject.declaration.options;
    let Some(value) = options.value.as_ref().filter(|given| given.value.is_some() && kind == Kind::String) else {
        return;
    };
    let help = match usual.name {
        "lock" if !subject.declaration.is_lock() => {
            let help = Suggestion::from("write `lock` in place of `value`, or another module");
            help.with_option(value.name.clone(), "lock")
        }
        "rate" if options.role_name() != Some(RoleName::Limit) => {
            let help = "write `limit(100 / 1m)` in place of `value` and `ttl`, or another module";
            let help = Suggestion::from(help).with_option(value.name.clone(), "limit(100 / 1m)");
            options.ttl.iter().fold(help, |help, ttl| help.with_option(ttl.name.clone(), ""))
        }
        _ => return,
    };
    let message = format!(
        "unusual value `{}` for `{}` keys, which hold {}",
        subject.text_at(&value.range),
        usual.name,
        usual.holds
    );
    warnings.push(Warning::at(Lint::MisusedModule, &value.range, message, help));
}

/// `unusual_ttl` and `missing_jitter`.
fn check_expiry(subject: &Subject<'_>, module: &str, warnings: &mut Vec<Warning>) {
    let options = &subject.declaration.options;
    if let (Some(given), Some((rate, burst))) = (&options.limit, subject.declaration.limit()) {
        return check_limit(subject, module, rate.time_of(burst), &given.range, warnings);
    }
    let Some(Given { value: Some(ttl), range, .. }) = &options.ttl else { return };
    if subject.declaration.is_lock() {
        return check_window(subject, "lock", *ttl, range, warnings);
    }
    // With `ttl_from_end_of` a key lives longer than its `ttl`.
    if options.ttl_from_end_of.is_none() {
        check_window(subject, module, *ttl, range, warnings);
    }
    let is_cached = matches!(subject.declaration.role(), Some(Role::Cache(_)));
    if (module == "cache" || is_cached) && options.jitter.is_none() && *ttl != Ttl::Never {
        let cached = if is_cached { "cached" } else { "`cache`" };
        let message = format!("{cached} keys without jitter expire at the same time");
        warnings.push(Warning::at(Lint::MissingJitter, range, message, Suggestion::add("jitter = 10%")));
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
    // What expires is not rebuilt.
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
