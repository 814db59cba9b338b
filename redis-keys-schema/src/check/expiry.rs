//! Every key expires, or gives a reason why not; and the options of its expiry agree with it.

use std::ops::Range;
use std::time::Duration;

use redis_keys_core::duration::render;
use redis_keys_core::schema::{Renew, Role};

use crate::Rule;
use crate::attribute::{Given, Jitter, KeyOption, Options, Ttl};
use crate::bucket::Bucket;
use crate::declaration::Declaration;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::item::{Field, Item};
use crate::suggest::nearest;
use crate::template::Template;
use crate::usual_modules::usual_module;

/// Checks the expiry. `is_complete` says that no second attribute has other options.
pub(super) fn check(declaration: &Declaration, is_complete: bool, diagnostics: &mut Diagnostics) {
    let options = &declaration.options;
    if options.limit.is_some() || declaration.is_lock() && options.ttl.is_some() {
        // A rate limit has its own expiry, and a lock only a `ttl`.
        return;
    }
    // The limit that is missing is reported, and that a lock has no lease.
    let is_meant = options.burst.is_some() || declaration.is_lock() && options.lease.is_some();
    match (&options.ttl, &declaration.template) {
        (None, Ok(template)) if is_complete && !is_meant => {
            diagnostics.push(missing(template));
        }
        (Some(Given { value: Some(Ttl::Never), .. }), _) if matches!(declaration.role(), Some(Role::Jobs(_))) => {}
        (Some(Given { value: Some(Ttl::Never), range, .. }), _) => check_never(options, range, diagnostics),
        (Some(Given { value: Some(Ttl::After(ttl)), .. }), _) => check_shorter(options, *ttl, diagnostics),
        _ => {}
    }
}

/// Reports a key without an expiry. The suggestion depends on the module.
fn missing(template: &Template) -> Diagnostic {
    let module = template.text.split(':').next().and_then(usual_module);
    let usual = module.map_or("1h", |module| module.suggested_ttl);
    let message = "missing `ttl`: every key must expire";
    let help = format!("add `ttl = {usual}`, or `ttl = never, reason = \"…\"` for a key that must never expire");
    Diagnostic::new(template.range.clone(), Rule::Expiry, message, help)
}

fn check_never(options: &Options, never: &Range<usize>, diagnostics: &mut Diagnostics) {
    if options.reason.is_none() {
        let message = "missing `reason`: this key never expires";
        let help = "add `reason = \"…\"`";
        diagnostics.report(never.clone(), Rule::LongLived, message, help);
    }
    for option in [
        KeyOption::Jitter,
        KeyOption::Renew,
        KeyOption::NullTtl,
        KeyOption::Lease,
        KeyOption::Refresh,
        KeyOption::TtlFromEndOf,
    ] {
        let Some(place) = options.name_of(option) else { continue };
        let message = format!("a key that never expires cannot have `{}`", option.name());
        diagnostics.report(place.clone(), option.rule(), message, "remove it, or give the key a `ttl`");
    }
}

/// The other durations are at most the ttl.
fn check_shorter(options: &Options, ttl: Duration, diagnostics: &mut Diagnostics) {
    let mut check = |range: &Range<usize>, rule, name, time: Duration| {
        if time > ttl {
            let message = format!("{name} `{}` exceeds the ttl of `{}`", render(time), render(ttl));
            diagnostics.report(range.clone(), rule, message, format!("write `{}`", render(tenth(ttl))));
        }
    };
    if let Some(Given { value: Some(Jitter::Time(jitter)), range, .. }) = &options.jitter {
        check(range, Rule::Jitter, "jitter", *jitter);
    }
    if let Some(Given { value: Some(Renew::Below(left)), range, .. }) = &options.renew {
        check(range, Rule::Renewal, "threshold", *left);
    }
    if let Some(Given { value: Some(null_ttl), range, .. }) = &options.null_ttl {
        check(range, Rule::Expiry, "null_ttl", *null_ttl);
    }
}

/// A tenth of the ttl, in a round number of its largest unit.
pub(super) fn tenth(ttl: Duration) -> Duration {
    let millis = u64::try_from(ttl.as_millis() / 10).unwrap_or(u64::MAX).max(1);
    let round = [86_400_000, 3_600_000, 60_000, 1_000].into_iter().find(|unit| millis >= *unit).unwrap_or(1);
    Duration::from_millis(millis / round * round)
}

/// Checks `ttl_from_end_of`: the bucket is a field of the key that has its name. `text` is the attribute's.
pub(super) fn check_bucket(text: &str, item: &Item<'_>, declaration: &Declaration, diagnostics: &mut Diagnostics) {
    let options = &declaration.options;
    let Some(Given { value, range, .. }) = &options.ttl_from_end_of else { return };
    if options.limit.is_some() || options.value_role().is_some() {
        // They cannot have it.
        return;
    }
    let Some(bucket) = *value else {
        diagnostics.push(unknown_bucket(text.get(range.clone()).unwrap_or_default(), range, item));
        return;
    };
    let name = bucket.name();
    if let Some(renew) = &options.renew
        && !matches!(declaration.ttl(), Some(Ttl::Never))
    {
        let message =
            format!("`renew` cannot be combined with `ttl_from_end_of`, which counts from the end of the {name}");
        diagnostics.report(renew.name.clone(), Rule::Renewal, message, "keep one of `renew` and `ttl_from_end_of`");
    }
    let Ok(template) = &declaration.template else { return };
    let mut plain =
        template.placeholders().filter(|placeholder| placeholder.shards.is_none() && placeholder.encoding.is_none());
    if plain.any(|placeholder| placeholder.name == name) {
        return;
    }
    let help = match item.fields.iter().find(|field| Bucket::of_type(field.ty) == Some(bucket)) {
        Some(field) if field.name != name => rename(field, name),
        _ => format!("add a field `{name}` and `{{{name}}}` to the template"),
    };
    let message = format!("missing `{{{name}}}` in the template: the ttl counts from its end");
    diagnostics.report(range.clone(), Rule::Expiry, message, help);
}

/// Reports a name that is not that of a bucket, but may be that of a field.
fn unknown_bucket(written: &str, range: &Range<usize>, item: &Item<'_>) -> Diagnostic {
    let field = item.fields.iter().find(|field| field.name == written);
    let bucket = field.and_then(|field| Some((field, Bucket::of_type(field.ty)?.name())));
    let help = match (bucket, nearest(written, Bucket::ALL.map(Bucket::name))) {
        (Some((field, name)), _) => format!("write `{name}`, and {}", rename(field, name)),
        _ if field.is_some() => {
            "write `year`, `month`, `day` or `hour`, the name of the field that holds one".to_owned()
        }
        (None, Some(near)) => format!("did you mean `{near}`?"),
        (None, None) => "write `year`, `month`, `day` or `hour`".to_owned(),
    };
    let message = format!("unknown calendar bucket `{written}`");
    Diagnostic::new(range.clone(), Rule::Expiry, message, help)
}

fn rename(field: &Field<'_>, name: &str) -> String {
    format!("rename the field `{}` to `{name}`, with `{{{name}}}` in the template", field.name)
}
