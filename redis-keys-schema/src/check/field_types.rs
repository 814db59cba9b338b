//! Types that people try as parameters, and what to do instead. Of all others the compiler knows whether they can be one.

use crate::Rule;
use crate::diagnostic::{Diagnostic, Place};
use crate::item::{Field, Item};
use crate::piece::is_name_char;
use crate::shown::shown_type;

const OF_BYTES: &str = "add `#[redis_key(digest)]` to the field, or `#[redis_key(base32)]` to read them back";

pub(super) fn check(item: &Item<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for (number, field) in item.fields.iter().enumerate() {
        if field.phantom || !field.attributes.is_empty() {
            continue;
        }
        check_type(number, field, OF_BYTES, diagnostics);
    }
}

/// Checks the type of one field. `of_bytes` is the help for one that holds bytes.
pub(crate) fn check_type(number: usize, field: &Field<'_>, of_bytes: &str, diagnostics: &mut Vec<Diagnostic>) {
    if let Some((why, help)) = refusal(field, of_bytes) {
        let message = format!("`{}` can't be a parameter of a key: {why}", shown_type(field.ty));
        diagnostics.push(Diagnostic::new(Place::FieldType(number), Rule::Parameters, message).help(help));
    }
}

/// Why a type can't be a parameter, and what to do instead.
fn refusal(field: &Field<'_>, of_bytes: &str) -> Option<(&'static str, String)> {
    let Field { name, ty, .. } = field;
    // A field of a tuple struct is written without its number.
    let declared = |ty: &str| {
        let ty = shown_type(ty);
        if name.starts_with(|c: char| c.is_ascii_digit()) { format!("`{ty}`") } else { format!("`{name}: {ty}`") }
    };
    Some(match head(ty) {
        "f32" | "f64" => (
            "a float has many texts, and a sign or a `.` in most of them",
            format!("scale it to a whole number, as in {}", declared("u64")),
        ),
        "Option" => {
            let inner = ty.split_once('<').and_then(|(_, inner)| inner.strip_suffix('>')).unwrap_or_default();
            (
                "with a value and without one it is two different keys",
                format!("write {}, and declare a key of its own for what has none", declared(inner)),
            )
        }
        "Vec" | "[" if ty.contains("u8") => ("bytes can be anything", of_bytes.to_owned()),
        "Vec" | "HashMap" | "HashSet" | "BTreeMap" | "BTreeSet" => (
            "it holds many values",
            format!("write the type of one of them, as in {}, and give each a key of its own", declared("u64")),
        ),
        "char" => ("most characters can't stand in a key", format!("write {}", declared("String"))),
        "(" if ty.contains(',') => ("it holds many values", "give each of them a field of its own".to_owned()),
        _ => return None,
    })
}

/// The name of a type without its path and its arguments, or the bracket that it starts with. A reference is what it refers
/// to.
fn head(ty: &str) -> &str {
    let ty = match ty.strip_prefix("&'") {
        Some(reference) => reference.trim_start_matches(is_name_char),
        None => ty,
    };
    let ty = ty.trim_start_matches(['&', ' ']);
    if ty.starts_with(['[', '(']) {
        return ty.get(..1).unwrap_or_default();
    }
    let path = ty.split('<').next().unwrap_or_default();
    // A type of another path only looks like one of the standard library's.
    match path.trim_start_matches("::").rsplit_once("::") {
        Some((path, name)) if ["std::", "core::", "alloc::"].iter().any(|root| path.starts_with(root)) => name,
        Some(_) => "",
        None => path,
    }
}
