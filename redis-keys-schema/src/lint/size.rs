//! `big_collection` and `uncompressed`: how much a key can hold.

use super::Subject;
use crate::Kind;
use crate::attribute::{StoredForm, compresses, render_bytes};
use crate::limits::DEFAULT_MAX_BYTES;
use crate::warning::{Lint, Warning};

const BIG: u64 = 1000;

pub(super) fn check(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
    check_elements(subject, warnings);
    check_compression(subject, warnings);
}

/// Only a declared size is checked: without one the limits of the rules apply. A stream is read and trimmed in parts.
fn check_elements(subject: &Subject<'_>, warnings: &mut Vec<Warning>) {
    if subject.template.kind == Ok(Kind::Stream) {
        return;
    }
    let options = &subject.declaration.options;
    let counts = [&options.max_len, &options.keep_top].into_iter().flatten().map(|given| (given.value, &given.range));
    let last = options.keep_last.iter().map(|given| (given.value.map(|keep| keep.count), &given.range));
    for (count, range) in counts.chain(last) {
        if let Some(count) = count.filter(|count| *count > BIG) {
            let message = format!("up to {count} elements make a big key: slow to move and to delete");
            let help = format!("write `{BIG}` or less and split the collection over several keys");
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
    if is_uncompressed_text(form, text) {
        let message = format!("values of up to {} are stored uncompressed", render_bytes(bytes));
        warnings.push(Warning::at(Lint::Uncompressed, &form.range, message, format!("write `Zstd<{text}>`")));
    }
}

fn is_uncompressed_text(form: &StoredForm, text: &str) -> bool {
    match form.ours.first() {
        Some((name, _)) => !compresses(name),
        None => text == "String",
    }
}
