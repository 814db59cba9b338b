//! The rules of the project's policy.

use std::ops::Range;

use redis_keys_core::duration::render;
use redis_keys_core::schema::Limits;

use crate::Rule;
use crate::attribute::{Ttl, render_bytes};
use crate::declaration::Declaration;
use crate::diagnostic::Diagnostics;
use crate::edit::Suggestion;
use crate::item::Item;
use crate::limits::MAX_KEY_BYTES;
use crate::place::Place;
use crate::policy::{POLICY_FILE, Policy, table_of_module};
use crate::suggest::{list, nearest};
use crate::template::Template;

/// Inherits limits that the key does not set. They never exceed the limits without a policy.
pub(super) fn inherit(policy: &Policy, declaration: &mut Declaration) {
    fn less(limit: Option<u64>, usual: Option<u64>) -> Option<u64> {
        limit.filter(|limit| usual.is_some_and(|usual| *limit < usual))
    }
    let Ok(template) = &declaration.template else { return };
    let limits = &policy.limits;
    let owner = template.module().and_then(|module| policy.of_module(module)?.owner.clone());
    let max_key_bytes = limits.max_key_bytes.filter(|most| *most < MAX_KEY_BYTES);
    let usual = template.kind.map(|kind| Limits::usual(kind, declaration.role(), declaration.options.keep()));
    let inherited = &mut declaration.inherited;
    if let Ok(usual) = usual {
        inherited.limits = Limits {
            max_bytes: less(limits.max_bytes, usual.max_bytes),
            max_len: less(limits.max_len, usual.max_len),
            max_member_bytes: less(limits.max_member_bytes, usual.max_member_bytes),
        };
    }
    (inherited.max_key_bytes, inherited.owner) = (max_key_bytes, owner);
}

/// Checks a key against the policy.
pub(super) fn check(policy: &Policy, item: &Item<'_>, declaration: &Declaration, diagnostics: &mut Diagnostics) {
    check_legacy(policy, item, declaration, diagnostics);
    let Ok(template) = &declaration.template else { return };
    check_module(policy, template, diagnostics);
    check_type(policy, template, diagnostics);
    check_limits(policy, declaration, diagnostics);
}

/// Only the listed declarations have a legacy text in use.
fn check_legacy(policy: &Policy, item: &Item<'_>, declaration: &Declaration, diagnostics: &mut Diagnostics) {
    let (Some(listed), Some(given)) = (&policy.legacy, &declaration.options.legacy) else { return };
    let name = &item.name;
    if !listed.lists(name) {
        let message = format!("`{name}` has a legacy text and is not in `[legacy]` of {POLICY_FILE}");
        let help =
            format!("declare new keys by their template alone; for one that exists today, add `\"{name}\"` to `keys`");
        diagnostics.report(given.name.clone(), Rule::Declaration, message, help);
    }
}

/// Each key belongs to a module of the project.
fn check_module(policy: &Policy, template: &Template, diagnostics: &mut Diagnostics) {
    let (Some(modules), Some(module), Some(first)) = (&policy.modules, template.module(), template.segments.first())
    else {
        return;
    };
    let place = Place::Attribute(first.range.clone());
    // A text that no module can have as its name is reported already.
    let is_reported = || diagnostics.iter().any(|diagnostic| diagnostic.place.touches(&place));
    if template.segments.len() < 2 || modules.iter().any(|known| known == module) || is_reported() {
        return;
    }
    let known = || modules.iter().map(String::as_str);
    let (near, named) = match nearest(module, known()) {
        Some(near) => (near, format!("`{near}`,")),
        None => (known().next().unwrap_or(module), format!("{},", list(known(), "or"))),
    };
    let help = format!("write {named} or add `\"{module}\"` to `modules` in {POLICY_FILE}");
    let help = Suggestion::write(near).saying(help);
    diagnostics.report(place, Rule::Modules, format!("unknown module `{module}`"), help);
}

/// A module's keys have the types that the policy lists.
fn check_type(policy: &Policy, template: &Template, diagnostics: &mut Diagnostics) {
    let (Some(module), Ok(kind)) = (template.module(), template.kind) else { return };
    let types = policy.of_module(module).and_then(|policy| policy.types.as_ref());
    if let Some(types) = types.filter(|types| !types.contains(&kind)) {
        let names = list(types.iter().map(|kind| kind.name()), "or");
        let message = format!("keys of `{module}` cannot be a {kind} in this project");
        let table = table_of_module(module);
        let help = format!("write {names}, or add `\"{kind}\"` to `types` of `{table}` in {POLICY_FILE}");
        let help = Suggestion::write(types.first().map_or("", |kind| kind.name())).saying(help);
        diagnostics.report(template.suffix.clone(), Rule::Modules, message, help);
    }
}

fn check_limits(policy: &Policy, declaration: &Declaration, diagnostics: &mut Diagnostics) {
    let (limits, options) = (&policy.limits, &declaration.options);
    for (name, given) in options.sizes() {
        let limit = if name == "max_bytes" { limits.max_bytes } else { limits.max_member_bytes };
        if let (Some(limit), Some(bytes)) = (limit, given.value)
            && bytes > limit
        {
            exceeds(&given.range, Rule::ValueSize, &format!("`{name}`"), &render_bytes(limit), name, diagnostics);
        }
    }
    for (option, count, range) in options.counts() {
        let name = option.name();
        if let Some(limit) = limits.max_len.filter(|limit| count > *limit) {
            exceeds(range, Rule::CollectionSize, &format!("`{name}`"), &limit.to_string(), "max_len", diagnostics);
        }
    }
    if let (Some(limit), Some((rate, burst)), Some(given)) = (limits.longest_ttl, declaration.limit(), &options.limit)
        && rate.time_of(burst) > limit
    {
        let ttl = rate.time_of(burst);
        let message = format!("ttl `{}` exceeds this project's limit of {}", render(ttl), render(limit));
        let help = format!("shorten the period, or lower `burst`: `longest_ttl` in {POLICY_FILE}");
        diagnostics.report(given.range.clone(), Rule::Expiry, message, help);
    }
    if let (Some(limit), Some(given), None) = (limits.longest_ttl, &options.ttl, &options.limit) {
        let ttl = match given.value {
            Some(Ttl::After(ttl)) if ttl > limit => render(ttl),
            Some(Ttl::Never) => "never".to_owned(),
            _ => return,
        };
        exceeds(&given.range, Rule::Expiry, &format!("ttl `{ttl}`"), &render(limit), "longest_ttl", diagnostics);
    }
}

/// Reports more than the policy allows, unless the same place is reported already for more than the rules allow.
fn exceeds(range: &Range<usize>, rule: Rule, what: &str, limit: &str, name: &str, diagnostics: &mut Diagnostics) {
    let place = Place::Attribute(range.clone());
    if !diagnostics.iter().any(|diagnostic| diagnostic.place == place) {
        let message = format!("{what} exceeds this project's limit of {limit}");
        let help = Suggestion::write(limit).and(&format!(" or less: `{name}` in {POLICY_FILE}"));
        diagnostics.report(place, rule, message, help);
    }
}
