//! What the project's policy says of its keys.

use std::ops::Range;

use redis_keys_core::duration;

use crate::Kind;
use crate::Rule;
use crate::declaration::Declaration;
use crate::diagnostic::Diagnostic;
use crate::limits::{DEFAULT_MAX_BYTES, DEFAULT_MAX_MEMBER_BYTES, MAX_KEY_BYTES, MAX_MAX_LEN};
use crate::options::{Given, Name, Ttl, render_bytes};
use crate::policy::{POLICY_FILE, Policy};
use crate::suggest::{list, nearest};
use crate::template::Template;

/// Takes over what the policy says where the key says nothing: never more than what holds without a policy.
pub(super) fn inherit(policy: &Policy, declaration: &mut Declaration) {
    fn less(limit: Option<u64>, usual: u64, applies: bool) -> Option<u64> {
        limit.filter(|limit| applies && *limit < usual)
    }
    let Some(template) = &declaration.template else { return };
    let (limits, options) = (&policy.limits, &declaration.options);
    let trimmed = options.keep_last.is_some() || options.keep_top.is_some();
    let collection = template.kind.is_some_and(Kind::is_collection);
    let bytes = template.kind.is_some_and(|kind| Name::MaxBytes.fits(kind));
    let owner = template.module().and_then(|module| policy.of_module(module)?.owner.clone());
    let inherited = &mut declaration.inherited;
    inherited.max_bytes = less(limits.max_bytes, DEFAULT_MAX_BYTES, bytes);
    inherited.max_len = less(limits.max_len, MAX_MAX_LEN, collection && !trimmed);
    inherited.max_member_bytes = less(limits.max_member_bytes, DEFAULT_MAX_MEMBER_BYTES, collection);
    inherited.max_key_bytes = limits.max_key_bytes.filter(|most| *most < MAX_KEY_BYTES);
    inherited.owner = owner;
}

/// Checks what the key says against what the policy says.
pub(super) fn check(policy: &Policy, declaration: &Declaration, diagnostics: &mut Vec<Diagnostic>) {
    let Some(template) = &declaration.template else { return };
    check_module(policy, template, diagnostics);
    check_type(policy, template, diagnostics);
    check_sizes(policy, declaration, diagnostics);
    check_ttl(policy, declaration, diagnostics);
}

/// Each key belongs to a module that the project has.
fn check_module(policy: &Policy, template: &Template, diagnostics: &mut Vec<Diagnostic>) {
    let (Some(modules), Some(module), Some(first)) = (&policy.modules, template.module(), template.segments.first())
    else {
        return;
    };
    // What is no name of a module at all is told already.
    let told = |diagnostic: &Diagnostic| {
        diagnostic.place.attribute().is_some_and(|told| told.start < first.range.end && first.range.start < told.end)
    };
    if template.segments.len() < 2 || modules.iter().any(|known| known == module) || diagnostics.iter().any(told) {
        return;
    }
    let known = modules.iter().map(String::as_str);
    let (message, help) = match nearest(module, known.clone()) {
        Some(near) => (
            format!("this project has no module `{module}`: did you mean `{near}`?"),
            format!("write `{near}`, or add `\"{module}\"` to `modules` in {POLICY_FILE}"),
        ),
        None => (
            format!("this project has no module `{module}`: it has {}", list(known, "and")),
            format!("write one of them, or add `\"{module}\"` to `modules` in {POLICY_FILE}"),
        ),
    };
    diagnostics.push(Diagnostic::at(first.range.clone(), Rule::Modules, message).help(help));
}

/// The keys of a module have the types that it is for.
fn check_type(policy: &Policy, template: &Template, diagnostics: &mut Vec<Diagnostic>) {
    let (Some(module), Some(kind)) = (template.module(), template.kind) else { return };
    let types = policy.of_module(module).and_then(|policy| policy.types.as_ref());
    if let Some(types) = types.filter(|types| !types.contains(&kind)) {
        let names = || list(types.iter().map(|kind| kind.name()), "or");
        let message = format!("a key of `{module}` is a {} in this project, and this is a {kind}", names());
        let help = format!("write {}, or add `\"{kind}\"` to `types` of `[module.{module}]` in {POLICY_FILE}", names());
        diagnostics.push(Diagnostic::at(template.suffix.clone(), Rule::Modules, message).help(help));
    }
}

fn check_sizes(policy: &Policy, declaration: &Declaration, diagnostics: &mut Vec<Diagnostic>) {
    let (limits, options) = (&policy.limits, &declaration.options);
    let sizes = [
        (limits.max_bytes, &options.max_bytes, "max_bytes"),
        (limits.max_member_bytes, &options.max_member_bytes, "max_member_bytes"),
    ];
    for (limit, given, name) in sizes {
        if let (Some(limit), Some(Given { value: Some(bytes), range, .. })) = (limit, given)
            && *bytes > limit
        {
            let fault = beyond(range, Rule::ValueSize, &render_bytes(*bytes), &render_bytes(limit), name);
            push(fault, diagnostics);
        }
    }
    let Some(limit) = limits.max_len else { return };
    let counts = [&options.max_len, &options.keep_top].into_iter().flatten().map(|given| (given.value, &given.range));
    let last = options.keep_last.iter().map(|given| (given.value.map(|keep| keep.count), &given.range));
    for (count, range) in counts.chain(last) {
        if let Some(count) = count.filter(|count| *count > limit) {
            let (count, limit) = (format!("{count} elements"), limit.to_string());
            push(beyond(range, Rule::CollectionSize, &count, &limit, "max_len"), diagnostics);
        }
    }
}

fn check_ttl(policy: &Policy, declaration: &Declaration, diagnostics: &mut Vec<Diagnostic>) {
    let (Some(limit), Some(given)) = (policy.limits.longest_ttl, &declaration.options.ttl) else { return };
    let written = match given.value {
        Some(Ttl::After(ttl)) if ttl > limit => duration::render(ttl),
        Some(Ttl::Never) => "never".to_owned(),
        _ => return,
    };
    push(beyond(&given.range, Rule::Expiry, &written, &duration::render(limit), "longest_ttl"), diagnostics);
}

/// More than what the project allows.
fn beyond(range: &Range<usize>, rule: Rule, written: &str, limit: &str, name: &str) -> Diagnostic {
    let message = match (rule, written) {
        (Rule::Expiry, "never") => format!("a key lives for {limit} at most in this project, and this one for ever"),
        (Rule::Expiry, _) => format!("a key lives for {limit} at most in this project, and this one for {written}"),
        (Rule::CollectionSize, _) => format!("{written} are too many for this project: the most is {limit}"),
        _ => format!("{written} is too much for this project: the most is {limit}"),
    };
    let help = format!("write `{limit}` or less: `{name}` stands in {POLICY_FILE}");
    Diagnostic::at(range.clone(), rule, message).help(help)
}

/// Tells it, unless something is told of the same place: what is more than the rules allow is told once.
fn push(fault: Diagnostic, diagnostics: &mut Vec<Diagnostic>) {
    if !diagnostics.iter().any(|told| told.place == fault.place) {
        diagnostics.push(fault);
    }
}
