//! `ttl_from_end_of`: the span of the calendar whose end the ttl counts from is a field of the key, and called as the span.

use std::ops::Range;

use crate::Rule;
use crate::declaration::Declaration;
use crate::diagnostic::Diagnostic;
use crate::item::{Field, Item};
use crate::options::{Bucket, Given, Ttl};
use crate::suggest::nearest;

/// Checks it against the fields. `text` is the attribute that the ranges count in.
pub(super) fn check(text: &str, item: &Item<'_>, declaration: &Declaration, diagnostics: &mut Vec<Diagnostic>) {
    let Some(Given { value, range, .. }) = &declaration.options.ttl_from_end_of else { return };
    let Some(bucket) = *value else {
        diagnostics.push(unknown(text.get(range.clone()).unwrap_or_default(), range, item));
        return;
    };
    if let Some(renew) = &declaration.options.renew
        && !matches!(declaration.ttl(), Some(Ttl::Never))
    {
        let message =
            format!("`renew` starts the expiry anew, and this one counts from the end of the {}", bucket.name());
        diagnostics.push(
            Diagnostic::at(renew.name.clone(), Rule::Renewal, message)
                .help("keep one of `renew` and `ttl_from_end_of`"),
        );
    }
    let Some(template) = &declaration.template else { return };
    let mut plain =
        template.placeholders().filter(|placeholder| placeholder.shards.is_none() && placeholder.encoding.is_none());
    if plain.any(|placeholder| placeholder.name == bucket.name()) {
        return;
    }
    let span = bucket.name();
    let message = format!("the key has no `{{{span}}}` whose end the ttl could count from");
    let help = match item.fields.iter().find(|field| span_of(field) == Some(bucket)) {
        Some(field) if field.name != span => rename(field, span),
        _ => format!("add a field `{span}` and `{{{span}}}` to the template"),
    };
    diagnostics.push(Diagnostic::at(range.clone(), Rule::Expiry, message).help(help));
}

/// What is written is no span. Perhaps it is the field that holds one.
fn unknown(written: &str, range: &Range<usize>, item: &Item<'_>) -> Diagnostic {
    let field = item.fields.iter().find(|field| field.name == written);
    let (message, help) = if let Some((field, span)) = field.and_then(|field| Some((field, span_of(field)?.name()))) {
        (
            format!(
                "the ttl counts from the end of a field that is called `{span}`, and this one is called `{written}`"
            ),
            format!("write `{span}`, and {}", rename(field, span)),
        )
    } else {
        let spans = "`year`, `month`, `day` or `hour`";
        let help = match nearest(written, Bucket::ALL.map(Bucket::name)) {
            _ if field.is_some() => format!("write {spans}, the name of the field that holds one"),
            Some(near) => format!("write `{near}`"),
            None => format!("write {spans}"),
        };
        (format!("`{written}` is no span of the calendar"), help)
    };
    Diagnostic::at(range.clone(), Rule::Expiry, message).help(help)
}

fn rename(field: &Field<'_>, span: &str) -> String {
    format!("rename the field `{}` to `{span}`, with `{{{span}}}` in the template", field.name)
}

/// The span of the calendar that a field's type is, as far as its name tells it. A reference is what it refers to.
fn span_of(field: &Field<'_>) -> Option<Bucket> {
    match field.ty.rsplit(['&', ' ', ':']).next().unwrap_or_default() {
        "Year" => Some(Bucket::Year),
        "Month" => Some(Bucket::Month),
        // Of `chrono`, `jiff` and `time`.
        "Day" | "Date" | "NaiveDate" => Some(Bucket::Day),
        "Hour" => Some(Bucket::Hour),
        _ => None,
    }
}
