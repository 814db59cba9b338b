//! No key is longer than 128 bytes, whatever its parameters are.

use crate::Rule;
use crate::declaration::Declaration;
use crate::diagnostic::Diagnostic;
use crate::item::Item;
use crate::known_types::pointee;
use crate::limits::MAX_KEY_BYTES;
use crate::template::Encoding;

/// How many bytes the parameters of the usual types take at most. A type that is not here is known to the compiler alone.
const LONGEST: [(&str, usize); 15] = [
    ("u8", 3),
    ("u16", 5),
    ("u32", 10),
    ("u64", 20),
    ("u128", 39),
    ("usize", 20),
    ("i8", 3),
    ("i16", 5),
    ("i32", 10),
    ("i64", 19),
    ("i128", 39),
    ("isize", 19),
    ("bool", 5),
    // Text has no bound: its shortest form counts, and what is longer is refused when the key is built.
    ("String", 1),
    ("str", 1),
];

/// 128 bits in hexadecimal digits.
const DIGEST: usize = 32;

/// The shortest text has one byte.
const ONE_BYTE_IN_BASE32: usize = 2;

pub(super) fn check(item: &Item<'_>, declaration: &mut Declaration, diagnostics: &mut Vec<Diagnostic>) {
    let Some(template) = &declaration.template else { return };
    let parameters = template.placeholders().map(|placeholder| {
        if placeholder.copies.is_some() {
            return Some((placeholder.name.as_str(), placeholder.longest_number()?));
        }
        let field = item.fields.get(placeholder.field?)?;
        let of_the_type = || LONGEST.iter().find(|(ty, _)| *ty == pointee(field.ty)).map(|(_, longest)| *longest);
        let longest = match placeholder.encoding {
            Some(Encoding::Digest) => Some(DIGEST),
            Some(Encoding::Base32) => of_the_type().map(|_| ONE_BYTE_IN_BASE32),
            None => placeholder.longest_number().or_else(of_the_type),
        };
        Some((field.name.as_str(), longest?))
    });
    // What is not known counts as the one byte that it has at least.
    let parameters: Vec<_> = parameters.collect();
    let literal = template.literal_bytes();
    let total = literal + parameters.iter().map(|parameter| parameter.map_or(1, |(_, longest)| longest)).sum::<usize>();
    let most = declaration.max_key_bytes().unwrap_or(MAX_KEY_BYTES);
    declaration.longest = Some(total);
    declaration.fits = total <= most && parameters.iter().all(Option::is_some);
    if total > most {
        let shares = parameters.iter().flatten().map(|(name, longest)| format!(", `{name}` up to {longest}"));
        let help = format!("shorten it: the literal text has {literal} bytes{}", shares.collect::<String>());
        let whose = if most < MAX_KEY_BYTES { " in this project" } else { "" };
        let message = format!("this key can be {total} bytes long, and a key has at most {most}{whose}");
        diagnostics.push(Diagnostic::at(template.range.clone(), Rule::KeyLength, message).help(help));
    }
}
