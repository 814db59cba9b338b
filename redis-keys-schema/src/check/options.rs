//! Options that apply to the key's type, and do not contradict each other.

use std::ops::Range;

use redis_keys_core::schema::Keep;

use crate::attribute::{GivenOption, GivenRole, Holder, KeyOption, Options, RoleName, StoredForm, render_bytes};
use crate::declaration::Declaration;
use crate::diagnostic::{Diagnostic, Diagnostics, ReportedError};
use crate::edit::Suggestion;
use crate::limits::{MAX_MAX_BYTES, MAX_MAX_LEN, MAX_STREAM_KEEP_LAST};
use crate::rust_type::{self, shown_type};
use crate::suggest::list;
use crate::template::Template;
use crate::{Kind, Rule};

/// Checks the options. `is_complete` says that no second attribute has others.
pub(super) fn check(declaration: &mut Declaration, is_complete: bool, diagnostics: &mut Diagnostics) {
    let options = &mut declaration.options;
    let Ok(template) = &declaration.template else { return };
    if let Ok(kind) = template.kind {
        check_kind(options, kind, template, diagnostics);
        check_role(options, kind, &template.suffix, diagnostics);
        let has_value = match options.role_name() {
            Some(role) => role.has_value() && role.kind() == kind,
            None => KeyOption::Value.applies_to(kind),
        };
        if is_complete && options.value.is_none() && has_value {
            diagnostics.push(missing_value(options, kind, template.suffix.clone()));
        }
        let role = options.role_name();
        if let Some(value) = &mut options.value
            && value.value.as_ref().is_some_and(|form| check_element(form, kind, role, diagnostics).is_some())
        {
            // An element that is no stored form must not be reported as well.
            value.value = None;
        }
        check_record(options, kind, diagnostics);
        check_members(options, kind, diagnostics);
        check_caps(options, kind, diagnostics);
    }
    check_limits(options, template.kind.ok(), diagnostics);
}

/// Checks that each option applies to the key's type. The options of a role apply where the role does.
fn check_kind(options: &Options, kind: Kind, template: &Template, diagnostics: &mut Diagnostics) {
    let is_filter = options.role_name() == Some(RoleName::Bloom) || options.has_option_of(RoleName::Bloom);
    for option in KeyOption::all().filter(|option| !option.is_of_role() && !option.applies_to(kind)) {
        let Some(range) = options.name_of(option) else { continue };
        if option == KeyOption::Value && is_filter {
            // A filter has items.
            continue;
        }
        if kind == Kind::Channel
            && let Some(why) = option.why_not_of(Holder::Channel)
        {
            let message = format!("a channel cannot have `{}`: {why}", option.name());
            diagnostics.report(range.clone(), option.rule(), message, Suggestion::remove_option());
            continue;
        }
        let kinds = Kind::ALL.into_iter().filter(|kind| option.applies_to(*kind)).map(Kind::name);
        let message = format!("a {kind} cannot have `{}`, which is for {}", option.name(), list(kinds, "and"));
        let help = match option.counterpart(kind) {
            Some(other) if options.name_of(other).is_none() => Suggestion::write(other.name()).and(", or remove it"),
            None if option == KeyOption::Copies => {
                without(option, template).and(", and divide a large key into shards or buckets, as in `{id % 8}`")
            }
            None if option == KeyOption::Value => {
                Suggestion::remove_option().and(&format!(", or add `{}` for a Bloom filter", RoleName::Bloom.example()))
            }
            _ => Suggestion::remove_option(),
        };
        diagnostics.report(range.clone(), option.rule(), message, help);
    }
}

/// Checks that the role fits the key's type. An option that stands for a role is reported with the type that it needs.
fn check_role(options: &Options, kind: Kind, suffix: &Range<usize>, diagnostics: &mut Diagnostics) {
    let Some(role) = options.role.as_ref().filter(|role| role.is_written && role.name.kind() != kind) else { return };
    let right = role.name.kind();
    let message = format!("a {kind} cannot be {}, which is a {right}", role.name.noun());
    let help = Suggestion::from(format!("end the template with `:{right}`, or remove `{}`", role.name.name()));
    diagnostics.report(role.word.clone(), role.name.rule(), message, help.with(suffix.clone(), right.name()));
}

/// Reports options that a key of a role cannot have, each for its reason.
pub(super) fn refuse(declaration: &Declaration, role: &GivenRole, diagnostics: &mut Diagnostics) {
    for option in KeyOption::all() {
        let Some(why) = option.why_not_of(Holder::Role(role.name)) else { continue };
        if !role.is_written && matches!(option, KeyOption::Value | KeyOption::Ttl) {
            // The suggestion replaces them.
            continue;
        }
        let Some(place) = declaration.options.name_of(option) else { continue };
        let message = format!("{} cannot have `{}`: {why}", role.name.noun(), option.name());
        let help = match &declaration.template {
            Ok(template) => without(option, template),
            Err(_) => Suggestion::remove_option(),
        };
        diagnostics.report(place.clone(), option.rule(), message, help);
    }
}

/// The suggestion to remove an option, and the part of the template that belongs to it.
pub(super) fn without(option: KeyOption, template: &Template) -> Suggestion {
    let copies = template.placeholders().filter(|placeholder| placeholder.copies.is_some());
    let copies = copies.filter(|_| option == KeyOption::Copies);
    copies.fold(Suggestion::remove_option(), |help, copy| help.without_word(copy.range.clone()))
}

fn missing_value(options: &Options, kind: Kind, suffix: Range<usize>) -> Diagnostic {
    let does = if kind == Kind::Channel { "carries" } else { "stores" };
    let message = format!("missing `value`: the type that this {kind} {does}");
    let (value, others) = match kind {
        _ if options.role_name() == Some(RoleName::Jobs) => ("Json<Mail>", ", or another type of job"),
        _ if options.role_name() == Some(RoleName::Bloom) => ("u64", ", or another type of item"),
        Kind::Hash if options.field.is_some() => ("String", ", or `value = u64`"),
        Kind::Hash => ("Profile", " for a record, or `field = String, value = u64` for open fields"),
        Kind::List => ("String", ", or `value = Json<Job>` for an object"),
        Kind::Stream => ("Event", ", a record"),
        Kind::Channel => ("Json<Event>", ", or `value = u64`"),
        Kind::String => ("String", ", or `value = Json<Profile>` for an object"),
        _ => ("String", ", or `value = u64`"),
    };
    let help = Suggestion::add(format!("value = {value}")).and(others);
    Diagnostic::new(suffix, Rule::StoredForm, message, help)
}

/// Checks a collection's value, which is a single element, without a score or a position.
fn check_element(
    form: &StoredForm,
    kind: Kind,
    role: Option<RoleName>,
    diagnostics: &mut Diagnostics,
) -> Option<ReportedError> {
    let element_name = match kind {
        Kind::ZSet if role == Some(RoleName::Jobs) => "job",
        Kind::List => "element",
        Kind::Stream => "entry",
        Kind::Channel => "message",
        Kind::Set | Kind::ZSet | Kind::Geo | Kind::HyperLogLog => "member",
        _ => return None,
    };
    if !form.ours.is_empty() {
        // Inside a stored form, it is a single value.
        return None;
    }
    let written = form.inner.as_str();
    let element = rust_type::element(written);
    let scored = match kind {
        Kind::ZSet | Kind::Geo => rust_type::scored_member(element.unwrap_or(written)),
        _ => None,
    };
    let meant = shown_type(scored.or(element)?);
    let why = match kind {
        Kind::ZSet if scored.is_some() => ": its score is not part of `value`",
        Kind::Geo if scored.is_some() => ": its position is not part of `value`",
        _ => "",
    };
    let message = format!("expected the type of one {element_name}, found `{}`{why}", shown_type(written));
    Some(diagnostics.report(form.range.clone(), Rule::StoredForm, message, Suggestion::write(meant)))
}

/// A record has stored forms at its fields, and none for the whole.
fn check_record(options: &Options, kind: Kind, diagnostics: &mut Diagnostics) {
    let form = options.value.as_ref().and_then(|given| given.value.as_ref());
    if kind == Kind::Hash
        && options.field.is_none()
        && let Some(form) = form
        && let Some([field, value]) = rust_type::entries(&form.inner)
    {
        let message = format!("expected a record, found `{}`", shown_type(&form.inner));
        let help = Suggestion::write_option(format!("field = {field}, value = {value}"));
        diagnostics.report(form.range.clone(), Rule::StoredForm, message, help);
        return;
    }
    let help = match kind {
        Kind::Hash if options.field.is_none() => {
            const HELP: &str =
                "write the name of a struct with `#[derive(RedisHash)]`, or add `field = String` for open fields";
            Suggestion::add("field = String").saying(HELP)
        }
        Kind::Stream => "write the name of a struct with `#[derive(RedisHash)]`".into(),
        _ => return,
    };
    if let Some(form) = form.filter(|form| form.is_one_value()) {
        let message = "expected a record, found a single value";
        diagnostics.report(form.range.clone(), Rule::StoredForm, message, help);
    }
}

/// Checks that members, which are found by their bytes, are stored in one way only.
fn check_members(options: &Options, kind: Kind, diagnostics: &mut Diagnostics) {
    let (given, members) = match kind {
        Kind::Hash => (&options.field, "fields"),
        Kind::Set | Kind::ZSet | Kind::Geo | Kind::HyperLogLog => (&options.value, "members"),
        Kind::Bitmap => (&options.value, "items"),
        _ => return,
    };
    let Some(form) = given.as_ref().and_then(|given| given.value.as_ref()) else { return };
    if options.role_name() == Some(RoleName::Jobs) {
        // A job is found by its number.
        return;
    }
    if let Some((name, range)) = form.wrapping() {
        let message = if form.is_secret() {
            format!("{members} of a {kind} cannot be encrypted: they are found by their bytes, which differ each time")
        } else {
            format!(
                "{members} of a {kind} cannot be compressed by `{name}`: they are found by their bytes, which another \
                 version may compress in another way"
            )
        };
        let help = Suggestion::write(form.inner.as_str()).at(form.range.clone());
        diagnostics.report(range.clone(), Rule::StoredForm, message, help);
    }
}

/// A full collection either rejects elements or is trimmed, not both.
fn check_caps(options: &Options, kind: Kind, diagnostics: &mut Diagnostics) {
    if let Some(GivenOption { value: Some(Keep::AboutLast(count)), range, .. }) = &options.keep_last
        && kind == Kind::List
    {
        let message = "`~` is only available for streams";
        let help = Suggestion::write(count.to_string());
        diagnostics.report(range.clone(), Rule::CollectionSize, message, help);
    }
    let Some(max_len) = options.max_len.as_ref().filter(|_| options.role_name().is_none()) else { return };
    for option in [KeyOption::KeepLast, KeyOption::KeepTop] {
        if options.name_of(option).is_some() && option.applies_to(kind) {
            let message = format!("`max_len` cannot be combined with `{}`, which removes elements", option.name());
            let help = Suggestion::remove_option().saying("keep one of the two");
            diagnostics.report(max_len.name.clone(), Rule::CollectionSize, message, help);
        }
    }
}

fn check_limits(options: &Options, kind: Option<Kind>, diagnostics: &mut Diagnostics) {
    for (name, given) in options.sizes() {
        if given.value.is_some_and(|bytes| bytes > MAX_MAX_BYTES) {
            let most = render_bytes(MAX_MAX_BYTES);
            let message = format!("`{name}` exceeds the limit of {most}");
            let help = Suggestion::write(most).and(" or less, or divide the value into several keys");
            diagnostics.report(given.range.clone(), Rule::ValueSize, message, help);
        }
    }
    for (option, count, range) in options.counts() {
        let (name, is_log) = (option.name(), option.limits_log(kind));
        let limit = if is_log { MAX_STREAM_KEEP_LAST } else { MAX_MAX_LEN };
        if count > limit {
            let message = format!("`{name}` exceeds the limit of {limit} elements");
            let help = if is_log {
                " or less, or divide the log by time with a bucket, as in `{day}`"
            } else {
                " or less, or divide the collection into several keys: by shards, as in `{id % 8}`, or by time with a \
                 bucket, as in `{month}`"
            };
            let help = Suggestion::write(limit.to_string()).and(help);
            diagnostics.report(range.clone(), Rule::CollectionSize, message, help);
        }
    }
}
