//! Numbers that are read as numbers of another type.

use redis_keys_core::value_shape::Number;

use super::finding::Outcome;

/// What happens to numbers in a notation that keeps their value, whatever their type: JSON, `MessagePack`, and varints of
/// the same sign. `None` if nothing does.
pub(super) fn compare(written: Number, reader: Number) -> Option<(Outcome, String)> {
    let (from, to) = (written.name(), reader.name());
    match (range(written), range(reader)) {
        (Some((_, most)), Some((_, limit))) if most > limit => {
            Some((Outcome::Some, format!("`{from}` has numbers above {limit}, the largest `{to}`")))
        }
        (Some((least, _)), Some((limit, _))) if least < limit => {
            Some((Outcome::Some, format!("`{from}` has numbers below {limit}, the smallest `{to}`")))
        }
        (Some((_, most)), None) if most > exact_integers(reader) => {
            Some((Outcome::Notes, format!("large numbers are rounded to `{to}`")))
        }
        (None, Some(_)) => Some((Outcome::All, format!("`{from}` is written with a fraction, `{to}` is expected"))),
        (None, None) if written == Number::F64 && reader == Number::F32 => {
            Some((Outcome::Notes, "numbers are rounded to `f32`".to_owned()))
        }
        _ => None,
    }
}

/// The smallest and the largest integer of a type. `None` for floats.
fn range(number: Number) -> Option<(i128, u128)> {
    let signed = |bits: u32| {
        let most = u128::MAX >> (129 - bits);
        (i128::MIN >> (128 - bits), most)
    };
    Some(match number {
        Number::U8 => (0, u8::MAX.into()),
        Number::U16 => (0, u16::MAX.into()),
        Number::U32 => (0, u32::MAX.into()),
        Number::U64 => (0, u64::MAX.into()),
        Number::U128 => (0, u128::MAX),
        Number::I8 => signed(8),
        Number::I16 => signed(16),
        Number::I32 => signed(32),
        Number::I64 => signed(64),
        Number::I128 => signed(128),
        Number::F32 | Number::F64 => return None,
    })
}

/// The largest number up to which a float has each integer.
fn exact_integers(float: Number) -> u128 {
    if float == Number::F32 { 1 << 24 } else { 1 << 53 }
}

/// How Postcard writes a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    UnsignedVarint,
    SignedVarint,
    /// The bytes as they are, which each type has for itself.
    Fixed,
}

/// Whether Postcard writes equal numbers of both types as the same bytes, as far as both have them.
pub(super) fn are_varints_alike(written: Number, reader: Number) -> bool {
    let layout = |number| match number {
        Number::U16 | Number::U32 | Number::U64 | Number::U128 => Layout::UnsignedVarint,
        Number::I16 | Number::I32 | Number::I64 | Number::I128 => Layout::SignedVarint,
        Number::U8 | Number::I8 | Number::F32 | Number::F64 => Layout::Fixed,
    };
    layout(written) == layout(reader) && layout(written) != Layout::Fixed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_rust() {
        assert_eq!(range(Number::I8), Some((i8::MIN.into(), 127)));
        assert_eq!(range(Number::I64), Some((i64::MIN.into(), i64::MAX.unsigned_abs().into())));
        assert_eq!(range(Number::I128), Some((i128::MIN, i128::MAX.unsigned_abs())));
    }

    #[test]
    fn a_number_that_does_not_fit_is_named() {
        assert_eq!(compare(Number::U8, Number::I16), None);
        assert_eq!(
            compare(Number::U128, Number::I128),
            Some((Outcome::Some, format!("`u128` has numbers above {}, the largest `i128`", i128::MAX)))
        );
        assert_eq!(
            compare(Number::I8, Number::U64),
            Some((Outcome::Some, "`i8` has numbers below 0, the smallest `u64`".to_owned()))
        );
        assert_eq!(compare(Number::U32, Number::F64), None);
        assert_eq!(compare(Number::U32, Number::F32).map(|(outcome, _)| outcome), Some(Outcome::Notes));
        assert_eq!(compare(Number::F32, Number::F64), None);
    }
}
