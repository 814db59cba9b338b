//! Shards: a number modulo another one, which has to be less than what the number can be.

use crate::Rule;
use crate::diagnostic::Diagnostic;
use crate::item::Item;
use crate::template::{Placeholder, Template};

/// The largest numbers of types that shards can be too many for. Of a type that is not here nothing is told.
const LARGEST: [(&str, u32); 5] = [
    ("u8", u8::MAX as u32),
    ("u16", u16::MAX as u32),
    ("i8", i8::MAX as u32),
    ("i16", i16::MAX as u32),
    ("i32", i32::MAX as u32),
];

/// A shard that is always the number itself gathers nothing.
pub(super) fn check(item: &Item<'_>, template: &Template, diagnostics: &mut Vec<Diagnostic>) {
    for placeholder in template.placeholders() {
        let field = placeholder.field.and_then(|number| item.fields.get(number));
        let (Some(shards), Some(field)) = (placeholder.shards, field) else { continue };
        let Some(&(ty, largest)) = LARGEST.iter().find(|(ty, largest)| *ty == field.ty && shards > *largest) else {
            continue;
        };
        let message =
            format!("{a} `{ty}` is at most {largest}, so that `% {shards}` leaves it as it is", a = article(ty));
        let plain = Placeholder { shards: None, ..placeholder.clone() };
        let beside = |other: &Placeholder| other.name == placeholder.name && other.shards.is_none();
        let help = if template.placeholders().any(beside) {
            format!("write {largest} or less, or take `{placeholder}` out of the template")
        } else {
            format!("write {largest} or less, or `{plain}` for a key of each")
        };
        diagnostics.push(Diagnostic::at(placeholder.divisor.clone(), Rule::Parameters, message).help(help));
    }
}

fn article(ty: &str) -> &'static str {
    if ty.starts_with('i') { "an" } else { "a" }
}
