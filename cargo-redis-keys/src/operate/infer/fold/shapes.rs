//! The comparison of labels.

use crate::operate::infer::mask::{MARK, form};

/// Adds bytes to a hash (FNV-1a).
pub(super) fn mixed(hash: u64, bytes: &[u8]) -> u64 {
    let start = hash ^ 0xcbf2_9ce4_8422_2325;
    bytes.iter().chain(&[0xff]).fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A label without the forms of its marks.
pub(super) fn skeleton(label: &str) -> String {
    let mut skeleton = String::with_capacity(label.len());
    let mut signs = label.chars();
    while let Some(sign) = signs.next() {
        skeleton.push(sign);
        if sign == MARK {
            signs.next();
        }
    }
    skeleton
}

/// The forms of the marks of a label.
fn forms(label: &str) -> impl Iterator<Item = char> {
    let mut signs = label.chars();
    std::iter::from_fn(move || signs.find(|sign| *sign == MARK).and_then(|_| signs.next()))
}

/// The label for the values of two labels with the same skeleton, if those of the second one look by chance as they do.
pub(super) fn is_special_case(main: &str, other: &str, main_keys: u64, other_keys: u64) -> Option<String> {
    let mut joined = String::with_capacity(main.len());
    let mut others = forms(other);
    let mut signs = main.chars();
    while let Some(sign) = signs.next() {
        joined.push(sign);
        if sign == MARK {
            let (one, other) = (signs.next()?, others.next()?);
            joined.push(general(one, other, main_keys, other_keys)?);
        }
    }
    Some(joined)
}

/// The form of all values of two forms, of which the second one is rarer.
fn general(one: char, other: char, one_keys: u64, other_keys: u64) -> Option<char> {
    let is_below = |percent: u64| other_keys.saturating_mul(100) <= one_keys.saturating_mul(percent);
    match (one, other) {
        _ if one == other => Some(one),
        (form::RANDOM | form::BASE64, form::RANDOM | form::BASE64) => Some(form::BASE64),
        // Digits that could be a date.
        (form::INTEGER, 'E' | 'N' | 'H' | 'I' | 'S') if is_below(25) => Some(one),
        (form::HEX, form::INTEGER | 'E' | 'N' | 'H' | 'I' | 'S')
        | (form::RANDOM | form::BASE64, form::INTEGER | form::HEX | form::ULID)
            if is_below(12) =>
        {
            Some(one)
        }
        _ => None,
    }
}
