//! Types that people try as parameters, and what to write instead. Whether any other can be one the compiler finds out.

use crate::Rule;
use crate::diagnostic::{Diagnostics, Place};
use crate::item::Field;
use crate::rust_type::{head, shown_type};

/// Reports a type that cannot be a parameter. `for_bytes` is what to write for one that holds bytes.
pub(crate) fn check(number: usize, field: &Field<'_>, for_bytes: &str, diagnostics: &mut Diagnostics) {
    if let Some((reason, help)) = explain(field, for_bytes) {
        let message = format!("`{}` cannot be a key parameter: {reason}", shown_type(field.ty));
        diagnostics.report(Place::FieldType(number), Rule::Parameters, message, help);
    }
}

/// Why a type cannot be a parameter, and what to write instead.
fn explain(field: &Field<'_>, for_bytes: &str) -> Option<(&'static str, String)> {
    let Field { name, ty, .. } = field;
    // A field of a tuple struct is written without its number.
    let declared = |ty: &str| {
        let ty = shown_type(ty);
        if name.starts_with(|c: char| c.is_ascii_digit()) { format!("`{ty}`") } else { format!("`{name}: {ty}`") }
    };
    Some(match head(ty) {
        "f32" | "f64" => {
            ("floats have no canonical text", format!("scale it to an integer, as in {}", declared("u64")))
        }
        "Option" => {
            let inner = ty.split_once('<').and_then(|(_, inner)| inner.strip_suffix('>')).unwrap_or_default();
            let help = format!("write {}, and declare another key for `None`", declared(inner));
            ("`None` would name a different key", help)
        }
        "Vec" | "[" if ty.contains("u8") => ("bytes are not text", for_bytes.to_owned()),
        "Vec" | "HashMap" | "HashSet" | "BTreeMap" | "BTreeSet" => {
            let help = format!("write the type of one value, as in {}, with a key for each value", declared("u64"));
            ("it holds many values", help)
        }
        "char" => ("most characters are not allowed in keys", format!("write {}", declared("String"))),
        "(" if ty.contains(',') => ("it holds many values", "write a field for each of them".to_owned()),
        _ => return None,
    })
}
