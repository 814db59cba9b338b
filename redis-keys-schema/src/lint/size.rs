//! `big_collection` and `uncompressed`: how much a key can hold.

use super::Subject;
use crate::Kind;
use crate::attribute::{SECRET, StoredForm, render_bytes};
use crate::edit::Suggestion;
use crate::limits::{DEFAULT_MAX_BYTES, MAX_MAX_LEN};
use crate::warning::{Lint, Warning};

/// The number of elements that a collection usually has at most. A log has as many as the largest collection.
const BIG: u64 = 1000;

pub(super) fn check(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
    check_elements(subject, warnings);
    check_compression(subject, warnings);
}

/// Only a declared size is checked: without one the limits of the rules apply.
fn check_elements(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
    let kind = subject.template.kind.ok();
    for (option, count, range) in subject.declaration.options.counts() {
        let (most, divide) = match kind {
            // A log is appended to and read in parts.
            _ if option.limits_log(kind) && subject.has_bucket() => (MAX_MAX_LEN, "divide the log by a shorter bucket"),
            _ if option.limits_log(kind) => (MAX_MAX_LEN, "divide the log by time with a bucket, as in `{day}`"),
            Some(Kind::Stream) => continue,
            _ => (BIG, "split the collection over several keys"),
        };
        if count > most {
            let message = format!("up to {count} elements make a big key: slow to move and to delete");
            let help = Suggestion::write(most.to_string()).and(&format!(" or less and {divide}"));
            warnings.push(Warning::at(Lint::BigCollection, range, message, help));
        }
    }
}

/// Compression makes a large value smaller, unless it is bytes, which may be compressed already.
fn check_compression(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
    let options = &subject.declaration.options;
    let bytes = options.max_bytes.as_ref().and_then(|given| given.value);
    let Some(bytes) = bytes.filter(|bytes| *bytes > DEFAULT_MAX_BYTES) else { return };
    let Some(form) = options.value.as_ref().and_then(|given| given.value.as_ref()) else { return };
    let text = subject.text_at(&form.range);
    if is_uncompressed_text(form, text) && !subject.has_legacy_values() {
        let message = format!("values of up to {} are stored uncompressed", render_bytes(bytes));
        warnings.push(Warning::at(Lint::Uncompressed, &form.range, message, Suggestion::write(compressed(form, text))));
    }
}

fn is_uncompressed_text(form: &StoredForm, text: &str) -> bool {
    match form.ours.last() {
        Some(_) if form.is_compressed() => false,
        Some((name, _)) if *name == SECRET => form.inner == "String",
        Some(_) => true,
        None => text == "String",
    }
}

/// The form, compressed: before it is encrypted.
fn compressed(form: &StoredForm, text: &str) -> String {
    if form.is_secret() { format!("{SECRET}<Zstd<{}>>", form.inner) } else { format!("Zstd<{text}>") }
}
