//! Options that apply to the type of the key, and do not contradict each other.

use std::ops::Range;

use crate::attribute::{Given, Keep, KeyOption, Options, StoredForm, ValuePattern, render_bytes};
use crate::declaration::Declaration;
use crate::diagnostic::{Diagnostic, Diagnostics, Reported};
use crate::limits::{MAX_MAX_BYTES, MAX_MAX_LEN, MAX_STREAM_KEEP_LAST};
use crate::rust_type::{self, shown_type};
use crate::suggest::list;
use crate::{Kind, Rule};

/// Checks the options. `is_complete` says that no second attribute has others.
pub(super) fn check(declaration: &mut Declaration, is_complete: bool, diagnostics: &mut Diagnostics) {
    let options = &mut declaration.options;
    let Ok(template) = &declaration.template else { return };
    if let Ok(kind) = template.kind {
        check_kind(options, kind, diagnostics);
        check_pattern(options, kind, diagnostics);
        // Options of patterns without a value have their own message.
        let is_job = options.tries.is_some() || options.lease.is_some() && kind == Kind::ZSet;
        let is_meant = is_job || options.limit.is_some() || options.burst.is_some();
        if is_complete && options.value.is_none() && KeyOption::Value.applies_to(kind) && !is_meant {
            diagnostics.push(missing_value(kind, template.suffix.clone()));
        }
        if let Some(value) = &mut options.value
            && value.value.as_ref().is_some_and(|form| check_element(form, kind, diagnostics).is_some())
        {
            // That it is not a stored form must not be reported as well.
            value.value = None;
        }
        check_record(options, kind, diagnostics);
        check_members(options, kind, diagnostics);
        check_caps(options, kind, diagnostics);
    }
    check_limits(options, template.kind.ok(), diagnostics);
}

/// Each option applies to the type of the key.
fn check_kind(options: &Options, kind: Kind, diagnostics: &mut Diagnostics) {
    // That the whole queue is of another type is reported once.
    let is_queue = options.value_pattern().is_some_and(|(pattern, _)| pattern == ValuePattern::Jobs);
    let is_reported = |option| is_queue && matches!(option, KeyOption::Lease | KeyOption::Tries);
    for option in KeyOption::ALL.into_iter().filter(|option| !option.applies_to(kind) && !is_reported(*option)) {
        let Some(range) = given_name(options, option) else { continue };
        let kinds = Kind::ALL.into_iter().filter(|kind| option.applies_to(*kind)).map(Kind::name);
        let message = format!("a {kind} cannot have `{}`, which is for {}", option.name(), list(kinds, "and"));
        let help = match option.counterpart(kind) {
            Some(other) => format!("write `{}`, or remove it", other.name()),
            None if option == KeyOption::Copies => {
                "remove it, and divide a large key into shards or buckets, as in `{id % 8}`".to_owned()
            }
            None if matches!(option, KeyOption::Limit | KeyOption::Burst) => {
                "end the template with `:string`, or remove it".to_owned()
            }
            None => "remove it".to_owned(),
        };
        diagnostics.report(range.clone(), option.rule(), message, help);
    }
}

/// `Lock` and `Job<…>` are values of one type of key.
fn check_pattern(options: &Options, kind: Kind, diagnostics: &mut Diagnostics) {
    let Some((pattern, place)) = options.value_pattern() else { return };
    let (shown, what, right) = match pattern {
        ValuePattern::Lock => ("Lock", "a lock is a string", Kind::String),
        ValuePattern::Jobs => ("Job<…>", "a queue of jobs is a zset", Kind::ZSet),
    };
    if kind != right && KeyOption::Value.applies_to(kind) {
        let message = format!("a {kind} cannot store `{shown}`: {what}");
        let word = pattern.word();
        let help = format!("end the template with `:{right}`, or write `self::{word}` for a type of your own");
        diagnostics.report(place, Rule::StoredForm, message, help);
    }
}

/// Reports options that a key of a pattern cannot have, each for its reason.
pub(super) fn refuse(options: &Options, what: &str, refused: &[(KeyOption, &str)], diagnostics: &mut Diagnostics) {
    for (option, why) in refused {
        let Some(place) = given_name(options, *option) else { continue };
        let message = format!("{what} cannot have `{}`: {why}", option.name());
        diagnostics.report(place.clone(), option.rule(), message, "remove it");
    }
}

/// The place of the name of an option that is given.
fn given_name(options: &Options, option: KeyOption) -> Option<&Range<usize>> {
    fn name<T>(given: Option<&Given<T>>) -> Option<&Range<usize>> {
        given.map(|given| &given.name)
    }
    match option {
        KeyOption::Value => name(options.value.as_ref()),
        KeyOption::Field => name(options.field.as_ref()),
        KeyOption::Ttl => name(options.ttl.as_ref()),
        KeyOption::Jitter => name(options.jitter.as_ref()),
        KeyOption::Renew => name(options.renew.as_ref()),
        KeyOption::TtlFromEndOf => name(options.ttl_from_end_of.as_ref()),
        KeyOption::NullTtl => name(options.null_ttl.as_ref()),
        KeyOption::Lease => name(options.lease.as_ref()),
        KeyOption::Refresh => name(options.refresh.as_ref()),
        KeyOption::Limit => name(options.limit.as_ref()),
        KeyOption::Burst => name(options.burst.as_ref()),
        KeyOption::Tries => name(options.tries.as_ref()),
        KeyOption::MaxBytes => name(options.max_bytes.as_ref()),
        KeyOption::MaxLen => name(options.max_len.as_ref()),
        KeyOption::MaxMemberBytes => name(options.max_member_bytes.as_ref()),
        KeyOption::KeepLast => name(options.keep_last.as_ref()),
        KeyOption::KeepTop => name(options.keep_top.as_ref()),
        KeyOption::Copies => name(options.copies.as_ref()),
        KeyOption::Reason => name(options.reason.as_ref()),
        KeyOption::Owner => name(options.owner.as_ref()),
        KeyOption::Allow => name(options.allow.first()),
        KeyOption::Crate => name(options.crate_path.as_ref()),
    }
}

fn missing_value(kind: Kind, suffix: Range<usize>) -> Diagnostic {
    let message = format!("missing `value`: the type that this {kind} stores");
    let help = match kind {
        Kind::Hash => "add `value = Profile` for a record, or `field = String, value = u64` for open fields",
        Kind::List => "add `value = String`, or `value = Json<Job>` for an object",
        Kind::Stream => "add `value = Event`, a record",
        Kind::String => "add `value = String`, or `value = Json<Profile>` for an object",
        _ => "add `value = String`, or `value = u64`",
    };
    Diagnostic::new(suffix, Rule::StoredForm, message, help)
}

/// The value of a collection is one of its elements, without a score or a position.
fn check_element(form: &StoredForm, kind: Kind, diagnostics: &mut Diagnostics) -> Option<Reported> {
    let element_name = match kind {
        Kind::ZSet if form.pattern == Some(ValuePattern::Jobs) => "job",
        Kind::List => "element",
        Kind::Stream => "entry",
        Kind::Set | Kind::ZSet | Kind::Geo | Kind::HyperLogLog => "member",
        _ => return None,
    };
    if !form.ours.is_empty() || form.pattern == Some(ValuePattern::Lock) {
        // Inside a stored form, it is one value.
        return None;
    }
    let written = form.uncompressed.as_str();
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
    Some(diagnostics.report(form.range.clone(), Rule::StoredForm, message, format!("write `{meant}`")))
}

/// A record has stored forms at its fields, and none for the whole.
fn check_record(options: &Options, kind: Kind, diagnostics: &mut Diagnostics) {
    let help = match kind {
        Kind::Hash if options.field.is_none() => {
            "write the name of a struct with `#[derive(RedisHash)]`, or add `field = String` for open fields"
        }
        Kind::Stream => "write the name of a struct with `#[derive(RedisHash)]`",
        _ => return,
    };
    let form = options.value.as_ref().and_then(|given| given.value.as_ref());
    if let Some(form) = form.filter(|form| form.is_one_value() && form.pattern.is_none()) {
        let message = "expected a record, found a single value";
        diagnostics.report(form.range.clone(), Rule::StoredForm, message, help);
    }
}

/// Members are found by their bytes, and so are stored in one way only.
fn check_members(options: &Options, kind: Kind, diagnostics: &mut Diagnostics) {
    let (given, members) = match kind {
        Kind::Hash => (&options.field, "fields"),
        Kind::Set | Kind::ZSet | Kind::Geo | Kind::HyperLogLog => (&options.value, "members"),
        _ => return,
    };
    let Some(form) = given.as_ref().and_then(|given| given.value.as_ref()) else { return };
    if form.pattern.is_some() {
        // A job is found by its number.
        return;
    }
    if let Some((name, range)) = form.compressing() {
        let message = format!(
            "{members} of a {kind} cannot be compressed by `{name}`: they are found by their bytes, which another version \
             may compress in another way"
        );
        let help = format!("write `{}`", form.uncompressed);
        diagnostics.report(range.clone(), Rule::StoredForm, message, help);
    }
}

/// A full collection either rejects elements or is trimmed, not both.
fn check_caps(options: &Options, kind: Kind, diagnostics: &mut Diagnostics) {
    if let Some(Given { value: Some(Keep { about: true, count }), range, .. }) = &options.keep_last
        && kind == Kind::List
    {
        let message = "`~` is only available for streams";
        let help = format!("write `{count}`");
        diagnostics.report(range.clone(), Rule::CollectionSize, message, help);
    }
    let Some(max_len) = options.max_len.as_ref().filter(|_| options.value_pattern().is_none()) else { return };
    let keeps = [(options.keep_last.is_some(), KeyOption::KeepLast), (options.keep_top.is_some(), KeyOption::KeepTop)];
    for (is_given, option) in keeps {
        if is_given && option.applies_to(kind) {
            let message = format!("`max_len` cannot be combined with `{}`, which removes elements", option.name());
            diagnostics.report(max_len.name.clone(), Rule::CollectionSize, message, "keep one of the two");
        }
    }
}

fn check_limits(options: &Options, kind: Option<Kind>, diagnostics: &mut Diagnostics) {
    for (name, given) in sizes(options) {
        if given.value.is_some_and(|bytes| bytes > MAX_MAX_BYTES) {
            let most = render_bytes(MAX_MAX_BYTES);
            let message = format!("`{name}` exceeds the limit of {most}");
            let help = format!("write `{most}` or less, or divide the value into several keys");
            diagnostics.report(given.range.clone(), Rule::ValueSize, message, help);
        }
    }
    for (name, count, range) in counts(options) {
        let is_log = is_log(name, kind);
        let limit = if is_log { MAX_STREAM_KEEP_LAST } else { MAX_MAX_LEN };
        if count > limit {
            let message = format!("`{name}` exceeds the limit of {limit} elements");
            let help = if is_log {
                format!("write `{limit}` or less, or divide the log by time with a bucket, as in `{{day}}`")
            } else {
                format!(
                    "write `{limit}` or less, or divide the collection into several keys: by shards, as in `{{id % 8}}`, or \
                     by time with a bucket, as in `{{month}}`"
                )
            };
            diagnostics.report(range.clone(), Rule::CollectionSize, message, help);
        }
    }
}

/// Whether an option limits a log, which is appended to and read in parts, and not a collection. A key of unknown type may be
/// one.
pub(crate) fn is_log(option: &str, kind: Option<Kind>) -> bool {
    option == KeyOption::KeepLast.name() && kind.is_none_or(|kind| kind == Kind::Stream)
}

/// The sizes that are given, with the names of their options.
pub(super) fn sizes(options: &Options) -> impl Iterator<Item = (&'static str, &Given<u64>)> {
    let sizes = [("max_bytes", &options.max_bytes), ("max_member_bytes", &options.max_member_bytes)];
    sizes.into_iter().filter_map(|(name, given)| Some((name, given.as_ref()?)))
}

/// The numbers of elements that are given, with the names of their options.
pub(crate) fn counts(options: &Options) -> impl Iterator<Item = (&'static str, u64, &Range<usize>)> {
    let count = |given: &Given<u64>| given.value;
    let keep_last = options.keep_last.as_ref().map(|given| (given.value.map(|keep| keep.count), &given.range));
    let counts = [
        ("max_len", options.max_len.as_ref().map(|given| (count(given), &given.range))),
        ("keep_top", options.keep_top.as_ref().map(|given| (count(given), &given.range))),
        ("keep_last", keep_last),
    ];
    counts.into_iter().filter_map(|(name, given)| given.and_then(|(count, range)| Some((name, count?, range))))
}
