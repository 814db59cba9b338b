//! Parameter types that are known by their names.

use redis_keys_core::ValueSet;

/// The values of a type that is known by name.
pub(crate) fn values_of(ty: &str) -> Option<ValueSet> {
    Some(match ty {
        "u8" => ValueSet::up_to(u8::MAX.into()),
        "u16" => ValueSet::up_to(u16::MAX.into()),
        "u32" => ValueSet::up_to(u32::MAX.into()),
        // The width of the target is not known here.
        "u64" | "usize" => ValueSet::up_to(u64::MAX.into()),
        "u128" => ValueSet::up_to(u128::MAX),
        "i8" => ValueSet::up_to(i8::MAX.unsigned_abs().into()),
        "i16" => ValueSet::up_to(i16::MAX.unsigned_abs().into()),
        "i32" => ValueSet::up_to(i32::MAX.unsigned_abs().into()),
        "i64" | "isize" => ValueSet::up_to(i64::MAX.unsigned_abs().into()),
        "i128" => ValueSet::up_to(i128::MAX.unsigned_abs()),
        "bool" => ValueSet::BOOL,
        "String" => ValueSet::Any,
        _ => return None,
    })
}

/// Whether a type is text, behind any pointer.
pub(crate) fn is_text(ty: &str) -> bool {
    matches!(pointee(ty), "String" | "str")
}

/// The `str` behind `&'a str`, `Cow<'a, str>`, `Box<str>` and `Arc<str>`. Any other type is returned as it is.
pub(crate) fn pointee(ty: &str) -> &str {
    let is_pointer = ["&", "Cow<", "Box<", "Arc<"].iter().any(|pointer| ty.starts_with(pointer));
    let inner = ty.trim_end_matches('>');
    let bare = inner.strip_suffix("str").is_some_and(|before| before.ends_with(['&', ' ', ',', '<']));
    if is_pointer && bare { "str" } else { ty }
}
