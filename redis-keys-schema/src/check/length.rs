//! No key is longer than 128 bytes, whatever its parameters are.

use std::fmt::Write as _;

use crate::Rule;
use crate::declaration::Declaration;
use crate::diagnostic::Diagnostics;
use crate::item::Item;
use crate::limits::MAX_KEY_BYTES;
use crate::rust_type::longest_text;
use crate::template::{Encoding, Placeholder};

/// 128 bits in hexadecimal digits.
const DIGEST: usize = 32;

/// The shortest text has one byte.
const ONE_BYTE_IN_BASE32: usize = 2;

pub(super) fn check(item: &Item<'_>, declaration: &mut Declaration, diagnostics: &mut Diagnostics) {
    let Ok(template) = &declaration.template else { return };
    let literal = template.literal_bytes();
    let mut total = literal;
    let mut is_known = true;
    for placeholder in template.placeholders() {
        let longest = longest(item, placeholder);
        // An unknown length counts as one byte, the minimum.
        total += longest.unwrap_or(1);
        is_known &= longest.is_some();
    }
    let most = declaration.max_key_bytes().unwrap_or(MAX_KEY_BYTES);
    if total > most {
        let mut help = format!("shorten it: the literal text has {literal} bytes");
        for placeholder in template.placeholders() {
            if let Some(longest) = longest(item, placeholder) {
                let field = placeholder.field.and_then(|index| item.fields.get(index));
                let name = field.map_or(&placeholder.name, |field| &field.name);
                let _ = write!(help, ", `{name}` up to {longest}");
            }
        }
        let limit = if most < MAX_KEY_BYTES { "this project's limit" } else { "the limit" };
        let message = format!("a key of up to {total} bytes exceeds {limit} of {most}");
        diagnostics.report(template.range.clone(), Rule::KeyLength, message, help);
    }
    declaration.longest = Some(total);
    declaration.length_is_proved = total <= most && is_known;
}

/// The length of the longest text of a parameter, where its type has a known length.
fn longest(item: &Item<'_>, placeholder: &Placeholder) -> Option<usize> {
    if placeholder.copies.is_some() {
        return placeholder.longest_number();
    }
    let field = item.fields.get(placeholder.field?)?;
    match placeholder.encoding {
        Some(Encoding::Digest) => Some(DIGEST),
        Some(Encoding::Base32) => longest_text(field.ty).map(|_| ONE_BYTE_IN_BASE32),
        Some(Encoding::Slug(Some(max_bytes))) => usize::try_from(max_bytes).ok(),
        Some(Encoding::Slug(None)) | None => placeholder.longest_number().or_else(|| longest_text(field.ty)),
    }
}
