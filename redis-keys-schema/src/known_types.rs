//! What the name of a parameter type says about it.

use redis_keys_core::ValueSet;

/// The values of a type that is known by name.
pub(crate) fn values_of(ty: &str) -> Option<ValueSet> {
    Some(match ty {
        "u8" => ValueSet::up_to(u8::MAX.into()),
        "u16" => ValueSet::up_to(u16::MAX.into()),
        "u32" => ValueSet::up_to(u32::MAX.into()),
        // The numbers of the machine that it is built for are not known here.
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
