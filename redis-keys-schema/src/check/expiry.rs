//! Every key expires, or gives a reason why not; and the options of its expiry agree with it.

use std::ops::Range;
use std::time::Duration;

use redis_keys_core::duration::render;
use redis_keys_core::schema::{Renew, Role};

use crate::attribute::{GivenOption, Jitter, KeyOption, Options, RoleName, Ttl, tenth};
use crate::bucket::Bucket;
use crate::declaration::Declaration;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::edit::Suggestion;
use crate::item::{Field, Item};
use crate::place::Place;
use crate::suggest::nearest;
use crate::template::{Placeholder, Template};
use crate::usual_modules::usual_module;
use crate::{Kind, Rule};

/// Checks the expiry. `is_complete` says that no second attribute has other options.
pub(super) fn check(declaration: &Declaration, is_complete: bool, diagnostics: &mut Diagnostics) {
    let options = &declaration.options;
    if declaration.guessed_kind() == Some(Kind::Channel) {
        // It stores nothing.
        return;
    }
    check_rebuild(declaration, diagnostics);
    let is_lock = options.role_name() == Some(RoleName::Lock);
    if options.role_name() == Some(RoleName::Limit) || is_lock && options.ttl.is_some() {
        // A rate limit computes its expiry, and a lock has only a `ttl`.
        return;
    }
    // That a lock has no lease is reported.
    let is_meant = is_lock && options.lease.is_some();
    match (&options.ttl, &declaration.template) {
        (None, Ok(template)) if is_complete && !is_meant => {
            diagnostics.push(missing(declaration, template));
        }
        (Some(GivenOption { value: Some(Ttl::Never), .. }), _) if matches!(declaration.role(), Some(Role::Jobs(_))) => {
        }
        (Some(GivenOption { value: Some(Ttl::Never), range, .. }), _) => check_never(options, range, diagnostics),
        (Some(GivenOption { value: Some(Ttl::After(ttl)), .. }), _) => {
            check_shorter(options, *ttl, diagnostics);
            check_copies(declaration, diagnostics);
        }
        _ => {}
    }
}

/// Copies expire together. A read restarts the expiry of one copy only: it would outlive the others, and get all reads.
fn check_copies(declaration: &Declaration, diagnostics: &mut Diagnostics) {
    let Options { copies: Some(_), renew: Some(GivenOption { value: Some(renew), name, .. }), .. } =
        &declaration.options
    else {
        return;
    };
    let is_other = declaration.guessed_kind() != Some(Kind::String) || declaration.role().is_some();
    let form = match renew {
        Renew::Read => "read",
        Renew::Below(_) => "below(…)",
        _ => return,
    };
    if is_other || declaration.options.ttl_from_end_of.is_some() {
        // That has a separate message.
        return;
    }
    let message =
        format!("`renew = {form}` cannot be combined with `copies`: a read renews one copy, and all expire together");
    let help = Suggestion::write_option("renew = write").and(", or remove it");
    diagnostics.report(name.clone(), Rule::Copies, message, help);
}

/// Reports a key without an expiry. The suggestion depends on the module.
fn missing(declaration: &Declaration, template: &Template) -> Diagnostic {
    let module = template.text.split(':').next().and_then(usual_module);
    let usual = module.map_or("1h", |module| module.suggested_ttl);
    let message = "missing `ttl`: every key must expire";
    let never = ", or `ttl = never, reason = \"…\"` for a key that must never expire";
    let help = match declaration.options.role_name() {
        // These must end.
        Some(RoleName::Lock) => Suggestion::add("ttl = 30s"),
        Some(RoleName::Jobs) => Suggestion::add("ttl = 7d"),
        _ => Suggestion::add(format!("ttl = {usual}")).and(never),
    };
    Diagnostic::new(template.range.clone(), Rule::Expiry, message, help)
}

fn check_never(options: &Options, never: &Range<usize>, diagnostics: &mut Diagnostics) {
    if options.reason.is_none() {
        let message = "missing `reason`: this key never expires";
        let help = Suggestion::add("reason = \"…\"");
        diagnostics.report(never.clone(), Rule::LongLived, message, help);
    }
    let cached = options.role.as_ref().filter(|role| role.name == RoleName::Cache);
    let cached = cached.map(|role| (role.name.name(), role.name.rule(), role.word.clone()));
    let timed = [KeyOption::Jitter, KeyOption::Renew, KeyOption::TtlFromEndOf];
    let timed =
        timed.into_iter().filter_map(|option| Some((option.name(), option.rule(), options.name_of(option)?.clone())));
    for (name, rule, place) in timed.chain(cached) {
        let message = format!("a key that never expires cannot have `{name}`");
        let help = Suggestion::remove_option().and(", or give the key a `ttl`");
        diagnostics.report(place, rule, message, help);
    }
}

/// Reports `rebuild` of a key that expires, which is lost anyway. Without a ttl, that is reported instead.
fn check_rebuild(declaration: &Declaration, diagnostics: &mut Diagnostics) {
    let (Some(rebuild), Some(Ttl::After(_))) = (&declaration.options.rebuild, declaration.ttl()) else { return };
    let message = "`rebuild` has no effect on a key that expires";
    // These must end.
    let must_expire = matches!(declaration.role(), Some(Role::Lock | Role::Limit(_) | Role::Jobs(_)));
    let help = Suggestion::remove_option().and(if must_expire { "" } else { ", or write `ttl = never`" });
    diagnostics.report(rebuild.name.clone(), Rule::LongLived, message, help);
}

/// The other durations are at most the ttl.
fn check_shorter(options: &Options, ttl: Duration, diagnostics: &mut Diagnostics) {
    let mut check = |range: &Range<usize>, rule, name, time: Duration| {
        if time > ttl {
            let message = format!("{name} `{}` exceeds the ttl of `{}`", render(time), render(ttl));
            diagnostics.report(range.clone(), rule, message, Suggestion::write(render(tenth(ttl))));
        }
    };
    if let Some(GivenOption { value: Some(Jitter::Time(jitter)), range, .. }) = &options.jitter {
        check(range, Rule::Jitter, "jitter", *jitter);
    }
    if let Some(GivenOption { value: Some(Renew::Below(left)), range, .. }) = &options.renew {
        check(range, Rule::Renewal, "threshold", *left);
    }
    if let Some(GivenOption { value: Some(null_ttl), range, .. }) = &options.null_ttl {
        check(range, Rule::Expiry, "null_ttl", *null_ttl);
    }
}

/// Checks `ttl_from_end_of`: the bucket is a field of the key that has its name. `text` is the attribute's.
pub(super) fn check_bucket(text: &str, item: &Item<'_>, declaration: &Declaration, diagnostics: &mut Diagnostics) {
    let options = &declaration.options;
    let Some(GivenOption { value, range, .. }) = &options.ttl_from_end_of else { return };
    let is_channel = declaration.guessed_kind() == Some(Kind::Channel);
    let is_refused = options.role_name().is_some_and(|role| role != RoleName::Cache && role != RoleName::Bloom);
    if is_refused || is_channel {
        // They cannot have it.
        return;
    }
    let Some(bucket) = *value else {
        let written = text.get(range.clone()).unwrap_or_default();
        diagnostics.push(unknown_bucket(written, range, item, declaration.template.as_ref().ok()));
        return;
    };
    let name = bucket.name();
    if let Some(renew) = &options.renew
        && !matches!(declaration.ttl(), Some(Ttl::Never))
    {
        let message =
            format!("`renew` cannot be combined with `ttl_from_end_of`, which counts from the end of the {name}");
        let help = Suggestion::remove_option().saying("keep one of `renew` and `ttl_from_end_of`");
        diagnostics.report(renew.name.clone(), Rule::Renewal, message, help);
    }
    let Ok(template) = &declaration.template else { return };
    let mut plain =
        template.placeholders().filter(|placeholder| placeholder.shards.is_none() && placeholder.encoding.is_none());
    if plain.any(|placeholder| placeholder.name == name) {
        return;
    }
    let index = item.fields.iter().position(|field| Bucket::of_type(field.ty) == Some(bucket));
    let field = index.and_then(|index| Some((index, item.fields.get(index)?)));
    let help = match field.filter(|(_, field)| field.name != name) {
        Some((index, field)) => rename(Suggestion::from(renamed(field, name)), index, field, name, Some(template)),
        None => format!("add a field `{name}` and `{{{name}}}` to the template").into(),
    };
    let message = format!("missing `{{{name}}}` in the template: the ttl counts from its end");
    diagnostics.report(range.clone(), Rule::Expiry, message, help);
}

/// Reports a name that is not a bucket's, but may be a field's.
fn unknown_bucket(written: &str, range: &Range<usize>, item: &Item<'_>, template: Option<&Template>) -> Diagnostic {
    let index = item.fields.iter().position(|field| field.name == written);
    let field = index.and_then(|index| Some((index, item.fields.get(index)?)));
    let bucket = field.and_then(|(_, field)| Some(Bucket::of_type(field.ty)?.name()));
    let help = match (field.zip(bucket), nearest(written, Bucket::ALL.map(Bucket::name))) {
        (Some(((index, field), name)), _) => {
            let help = Suggestion::write(name).and(", and ").and(&renamed(field, name));
            rename(help, index, field, name, template)
        }
        _ if field.is_some() => {
            "use `year`, `month`, `week`, `day` or `hour`, the name of the field that holds one".into()
        }
        (None, Some(near)) => Suggestion::did_you_mean(near),
        (None, None) => "use `year`, `month`, `week`, `day` or `hour`".into(),
    };
    let message = format!("unknown calendar bucket `{written}`");
    Diagnostic::new(range.clone(), Rule::Expiry, message, help)
}

fn renamed(field: &Field<'_>, name: &str) -> String {
    format!("rename the field `{}` to `{name}`, with `{{{name}}}` in the template", field.name)
}

/// The suggestion with the edits that rename a field.
fn rename(help: Suggestion, index: usize, field: &Field<'_>, name: &str, template: Option<&Template>) -> Suggestion {
    let placeholders = template.into_iter().flat_map(Template::placeholders);
    let named = placeholders.filter(|placeholder| placeholder.name == field.name);
    let renamed = named.map(|placeholder| (placeholder, Placeholder { name: name.to_owned(), ..placeholder.clone() }));
    let help = help.with(Place::Field(index), name);
    renamed.fold(help, |help, (placeholder, renamed)| help.with(placeholder.range.clone(), renamed.to_string()))
}
