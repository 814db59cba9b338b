//! Options that fit the type of the key, and each other.

use std::ops::Range;

use crate::declaration::Declaration;
use crate::diagnostic::Diagnostic;
use crate::limits::{MAX_MAX_BYTES, MAX_MAX_LEN};
use crate::options::{Given, Keep, Name, Options, render_bytes};
use crate::suggest::list;
use crate::{Kind, Rule};

pub(super) fn check(declaration: &Declaration, whole: bool, diagnostics: &mut Vec<Diagnostic>) {
    let options = &declaration.options;
    let Some(template) = &declaration.template else { return };
    if let Some(kind) = template.kind {
        for (name, range) in given(options) {
            if !name.fits(kind) {
                diagnostics.push(misfit(name, range, kind));
            }
        }
        if whole {
            check_value(options, kind, &template.suffix, diagnostics);
        }
        check_record(options, kind, diagnostics);
        check_members(options, kind, diagnostics);
        check_caps(options, kind, diagnostics);
    }
    check_sizes(options, diagnostics);
    if let Some(Given { value: Some(count), range, .. }) = &options.copies
        && !(2..=1000).contains(count)
    {
        let message = format!("{count} copies: a hot key has 2 to 1000");
        diagnostics.push(Diagnostic::at(range.clone(), Rule::Copies, message).help("write `8`"));
    }
}

/// The options that are there, with the places of their names.
fn given(options: &Options) -> Vec<(Name, Range<usize>)> {
    fn name<T>(given: Option<&Given<T>>) -> Option<Range<usize>> {
        given.map(|given| given.name.clone())
    }
    let names = [
        (Name::Value, name(options.value.as_ref())),
        (Name::Field, name(options.field.as_ref())),
        (Name::NullTtl, name(options.null_ttl.as_ref())),
        (Name::MaxBytes, name(options.max_bytes.as_ref())),
        (Name::MaxLen, name(options.max_len.as_ref())),
        (Name::MaxMemberBytes, name(options.max_member_bytes.as_ref())),
        (Name::KeepLast, name(options.keep_last.as_ref())),
        (Name::KeepTop, name(options.keep_top.as_ref())),
        (Name::Copies, name(options.copies.as_ref())),
    ];
    names.into_iter().filter_map(|(name, range)| range.map(|range| (name, range))).collect()
}

fn misfit(name: Name, range: Range<usize>, kind: Kind) -> Diagnostic {
    let fitting = Kind::ALL.into_iter().filter(|kind| name.fits(*kind)).map(Kind::name);
    let message = format!("`{}` is not for a {kind}: it is for {}", name.text(), list(fitting, "and"));
    let rule = match name {
        Name::Value | Name::Field => Rule::StoredForm,
        Name::NullTtl => Rule::Expiry,
        Name::MaxBytes => Rule::ValueSize,
        Name::Copies => Rule::Copies,
        _ => Rule::CollectionSize,
    };
    let diagnostic = Diagnostic::at(range, rule, message);
    match name.counterpart(kind) {
        Some(other) => diagnostic.help(format!("write `{}`, or remove it", other.text())),
        None if name == Name::Copies => {
            diagnostic.help("remove it, and cut the key into shards or buckets, as in `{id % 8}`, where it is large")
        }
        None => diagnostic.help("remove it"),
    }
}

fn check_value(options: &Options, kind: Kind, suffix: &Range<usize>, diagnostics: &mut Vec<Diagnostic>) {
    if options.value.is_some() || !Name::Value.fits(kind) {
        return;
    }
    let (what, help) = match kind {
        Kind::Hash => (
            "this hash's fields",
            "add `value = Profile` for a record, or `field = String, value = u64` for open fields",
        ),
        Kind::List => ("this list's items", "add `value = String`, or `value = Json<Job>` for an object"),
        Kind::Stream => ("this stream's entries", "add `value = Event`, a record"),
        Kind::String => ("this string", "add `value = String`, or `value = Json<Profile>` for an object"),
        _ => ("its members", "add `value = String`, or `value = u64`"),
    };
    let message = format!("nothing says what {what} hold");
    let message = if kind == Kind::String { message.replace(" hold", " holds") } else { message };
    diagnostics.push(Diagnostic::at(suffix.clone(), Rule::StoredForm, message).help(help));
}

/// A record has its stored forms at its own fields.
fn check_record(options: &Options, kind: Kind, diagnostics: &mut Vec<Diagnostic>) {
    let (what, help) = match kind {
        Kind::Hash if options.field.is_none() => (
            "a hash without `field` holds a record",
            "write the name of a struct with `#[derive(RedisHash)]`, or add `field = String` for open fields",
        ),
        Kind::Stream => ("a stream's entries are records", "write the name of a struct with `#[derive(RedisHash)]`"),
        _ => return,
    };
    let Some(form) = options.value.as_ref().and_then(|given| given.value.as_ref()) else { return };
    if form.is_one_value() {
        let message = format!("{what}, of which each field is stored by itself, and this is one value");
        diagnostics.push(Diagnostic::at(form.range.clone(), Rule::StoredForm, message).help(help));
    }
}

/// What is found by its bytes is stored in one way only.
fn check_members(options: &Options, kind: Kind, diagnostics: &mut Vec<Diagnostic>) {
    let (given, what) = match kind {
        Kind::Hash => (&options.field, "fields"),
        Kind::Set | Kind::ZSet | Kind::Geo | Kind::HyperLogLog => (&options.value, "members"),
        _ => return,
    };
    let Some(form) = given.as_ref().and_then(|given| given.value.as_ref()) else { return };
    if let Some((name, range)) = form.compressing() {
        let message = format!(
            "`{name}` is not for the {what} of a {kind}: they are found by their bytes, and the same one compressed \
             another way would be another one"
        );
        let help = format!("write `{}`", form.plain);
        diagnostics.push(Diagnostic::at(range, Rule::StoredForm, message).help(help));
    }
}

/// A collection is either refused more or trimmed, not both.
fn check_caps(options: &Options, kind: Kind, diagnostics: &mut Vec<Diagnostic>) {
    if let Some(Given { value: Some(Keep { about: true, count }), range, .. }) = &options.keep_last
        && kind == Kind::List
    {
        let message = "only a stream can keep about so many";
        let help = format!("write `{count}`");
        diagnostics.push(Diagnostic::at(range.clone(), Rule::CollectionSize, message).help(help));
    }
    let Some(max_len) = &options.max_len else { return };
    let keeps = [(options.keep_last.is_some(), Name::KeepLast), (options.keep_top.is_some(), Name::KeepTop)];
    for (given, name) in keeps {
        if given && name.fits(kind) {
            let message = format!("`max_len` refuses what `{}` makes room for", name.text());
            diagnostics
                .push(Diagnostic::at(max_len.name.clone(), Rule::CollectionSize, message).help("keep one of the two"));
        }
    }
}

fn check_sizes(options: &Options, diagnostics: &mut Vec<Diagnostic>) {
    for given in [&options.max_bytes, &options.max_member_bytes].into_iter().flatten() {
        if let Some(bytes) = given.value.filter(|bytes| *bytes > MAX_MAX_BYTES) {
            let message = format!("{} is too much for one value: the most is 1MB", render_bytes(bytes));
            let help = "write `1MB` or less, or split the value over several keys";
            diagnostics.push(Diagnostic::at(given.range.clone(), Rule::ValueSize, message).help(help));
        }
    }
    let counts = [&options.max_len, &options.keep_top].into_iter().flatten().map(|given| (given.value, &given.range));
    let last = options.keep_last.iter().map(|given| (given.value.map(|keep| keep.count), &given.range));
    for (count, range) in counts.chain(last) {
        if let Some(count) = count.filter(|count| *count > MAX_MAX_LEN) {
            let message = format!("{count} elements are too many for one key: the most is {MAX_MAX_LEN}");
            let help = format!("write `{MAX_MAX_LEN}` or less, or split the collection over several keys");
            diagnostics.push(Diagnostic::at(range.clone(), Rule::CollectionSize, message).help(help));
        }
    }
}
