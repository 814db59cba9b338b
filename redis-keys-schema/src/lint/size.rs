//! `big_collection` and `uncompressed`: how much a key may hold.

use super::{Lint, Subject, Warning};
use crate::Kind;
use crate::attribute::{StoredForm, compresses, render_bytes};
use crate::limits::DEFAULT_MAX_BYTES;

/// How many elements are best.
const MANY: u64 = 1000;

pub(super) fn check(subject: &Subject<'_>, found: &mut Vec<Warning>) {
    check_elements(subject, found);
    check_compression(subject, found);
}

/// A key that says nothing is not told: nobody has thought of its size as yet, and the rules bound it anyhow. Nor is a
/// stream, which is read in parts and loses its oldest entries in pieces.
fn check_elements(subject: &Subject<'_>, found: &mut Vec<Warning>) {
    if subject.template.kind == Some(Kind::Stream) {
        return;
    }
    let options = &subject.declaration.options;
    let counts = [&options.max_len, &options.keep_top].into_iter().flatten().map(|given| (given.value, &given.range));
    let last = options.keep_last.iter().map(|given| (given.value.map(|keep| keep.count), &given.range));
    for (count, range) in counts.chain(last) {
        if let Some(count) = count.filter(|count| *count > MANY) {
            let message = format!("{count} elements make a big key, which a server is slow to move and to remove");
            let help = format!("write `{MANY}` or less, and split what is more over several keys");
            found.push(Warning::at(Lint::BigCollection, range, message, help));
        }
    }
}

/// A large value is smaller when it is compressed, unless it is bytes, which may be so already.
fn check_compression(subject: &Subject<'_>, found: &mut Vec<Warning>) {
    let options = &subject.declaration.options;
    let Some(bytes) =
        options.max_bytes.as_ref().and_then(|given| given.value).filter(|bytes| *bytes > DEFAULT_MAX_BYTES)
    else {
        return;
    };
    let Some(form) = options.value.as_ref().and_then(|given| given.value.as_ref()) else { return };
    let text = subject.text_at(&form.range);
    if is_plain(form, text) {
        let message = format!("up to {} of `{text}` are stored as they are", render_bytes(bytes));
        found.push(Warning::at(Lint::Uncompressed, &form.range, message, format!("write `Zstd<{text}>`")));
    }
}

/// Whether a form has text in it, and nothing around it that compresses.
fn is_plain(form: &StoredForm, text: &str) -> bool {
    match form.ours.first() {
        Some((name, _)) => !compresses(name),
        None => text == "String",
    }
}
