//! Every key expires, or says why not; and what belongs to its expiry agrees with it.

use std::ops::Range;
use std::time::Duration;

use redis_keys_core::duration;

use crate::Rule;
use crate::declaration::Declaration;
use crate::diagnostic::Diagnostic;
use crate::options::{Given, Jitter, Options, Renew, Ttl};
use crate::template::Template;
use crate::usual_modules::usual_module;

pub(super) fn check(declaration: &Declaration, whole: bool, diagnostics: &mut Vec<Diagnostic>) {
    let options = &declaration.options;
    match (&options.ttl, &declaration.template) {
        (None, Some(template)) if whole => diagnostics.push(missing(template)),
        (Some(Given { value: Some(Ttl::Never), range, .. }), _) => check_never(options, range, diagnostics),
        (Some(Given { value: Some(Ttl::After(ttl)), .. }), _) => check_shares(options, *ttl, diagnostics),
        _ => {}
    }
}

/// No key without an expiry. What to write depends on what the module is for.
fn missing(template: &Template) -> Diagnostic {
    let module = template.text.split(':').next().unwrap_or_default();
    let usual = usual_module(module).map_or("1h", |module| module.suggested_ttl);
    let message = "nothing says when this key expires, and every key does";
    Diagnostic::at(template.range.clone(), Rule::Expiry, message)
        .help(format!("add `ttl = {usual}`, or `ttl = never, reason = \"…\"` for a key that must live for ever"))
}

fn check_never(options: &Options, never: &Range<usize>, diagnostics: &mut Vec<Diagnostic>) {
    if options.reason.is_none() {
        let message = "a key that never expires says why";
        diagnostics.push(Diagnostic::at(never.clone(), Rule::LongLived, message).help("write `never, reason = \"…\"`"));
    }
    let useless = [
        ("jitter", Rule::Jitter, options.jitter.as_ref().map(|given| &given.name)),
        ("renew", Rule::Renewal, options.renew.as_ref().map(|given| &given.name)),
        ("null_ttl", Rule::Expiry, options.null_ttl.as_ref().map(|given| &given.name)),
        ("ttl_from_end_of", Rule::Expiry, options.ttl_from_end_of.as_ref().map(|given| &given.name)),
    ];
    for (name, rule, place) in useless {
        if let Some(place) = place {
            let message = format!("`{name}` says nothing of a key that never expires");
            diagnostics.push(Diagnostic::at(place.clone(), rule, message).help("remove it, or give the key a `ttl`"));
        }
    }
}

/// What is given beside the ttl is at most the ttl.
fn check_shares(options: &Options, ttl: Duration, diagnostics: &mut Vec<Diagnostic>) {
    if let Some(Given { value: Some(Jitter::Time(jitter)), range, .. }) = &options.jitter
        && *jitter > ttl
    {
        diagnostics
            .push(too_long(range, Rule::Jitter, "a jitter of", *jitter, ttl).help(format!("write `{}`", tenth(ttl))));
    }
    if let Some(Given { value: Some(Renew::Below(left)), range, .. }) = &options.renew
        && *left > ttl
    {
        let help = format!("write `below({})`", tenth(ttl));
        diagnostics.push(too_long(range, Rule::Renewal, "a threshold of", *left, ttl).help(help));
    }
    if let Some(Given { value: Some(null_ttl), range, .. }) = &options.null_ttl
        && *null_ttl > ttl
    {
        let help = format!("write `{}`", tenth(ttl));
        diagnostics.push(too_long(range, Rule::Expiry, "a null_ttl of", *null_ttl, ttl).help(help));
    }
}

fn too_long(range: &Range<usize>, rule: Rule, what: &str, time: Duration, ttl: Duration) -> Diagnostic {
    let message = format!("{what} {} is longer than the ttl of {}", duration::render(time), duration::render(ttl));
    Diagnostic::at(range.clone(), rule, message)
}

/// A tenth of the ttl, in a round number of its largest unit.
fn tenth(ttl: Duration) -> String {
    let millis = u64::try_from(ttl.as_millis() / 10).unwrap_or(u64::MAX).max(1);
    let round = [86_400_000, 3_600_000, 60_000, 1_000].into_iter().find(|unit| millis >= *unit).unwrap_or(1);
    duration::render(Duration::from_millis(millis / round * round))
}
