//! The whole numbers in a bitmap: how wide they are and where they begin.

use std::fmt;

/// The type of a whole number that [`bitfield`](crate::BitmapKey::bitfield) reads and writes: from 1 to 64 bits with a sign,
/// from 1 to 63 without.
///
/// The width is a parameter of the type, so that a wrong one does not compile:
///
/// ```
/// use redis_keys::bitmap::BitInt;
///
/// const LEVEL: BitInt = BitInt::u::<5>();
/// assert_eq!(LEVEL.to_string(), "u5");
/// assert_eq!(LEVEL.bits(), 5);
/// assert_eq!(BitInt::i::<64>().to_string(), "i64");
/// ```
///
/// ```compile_fail
/// redis_keys::bitmap::BitInt::u::<64>(); // Redis has no unsigned numbers of 64 bits
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitInt {
    signed: bool,
    bits: u8,
}

impl BitInt {
    /// A number without a sign, from 1 to 63 bits wide.
    pub const fn u<const BITS: u8>() -> Self {
        const { assert!(BITS >= 1 && BITS <= 63, "a number without a sign has from 1 to 63 bits") };
        Self { signed: false, bits: BITS }
    }

    /// A number with a sign, from 1 to 64 bits wide.
    pub const fn i<const BITS: u8>() -> Self {
        const { assert!(BITS >= 1 && BITS <= 64, "a number with a sign has from 1 to 64 bits") };
        Self { signed: true, bits: BITS }
    }

    /// How many bits it has.
    pub const fn bits(self) -> u8 {
        self.bits
    }

    /// The left half of a number that is read in two.
    pub(super) fn left_of(self, right: Self) -> Self {
        Self { bits: self.bits - right.bits, ..self }
    }

    /// Whether a number is one of this type.
    pub(super) fn holds(self, number: i64) -> bool {
        // What stands left of the number's own bits is nothing but its sign.
        if self.signed { matches!(number >> (self.bits - 1), 0 | -1) } else { number >= 0 && number >> self.bits == 0 }
    }
}

/// As Redis writes it: `u5`.
impl fmt::Display for BitInt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.signed { 'i' } else { 'u' }, self.bits)
    }
}

/// Where a whole number begins in a bitmap. A plain `u32` counts bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BitOffset {
    /// At this bit.
    Bit(u32),
    /// Where the number of this place begins if the bitmap is nothing but such numbers, one after the other.
    Element(u32),
}

impl BitOffset {
    /// The first bit of a number, and the last.
    pub(super) fn bits_of(self, int: BitInt) -> (u64, u64) {
        let bits = u64::from(int.bits);
        let first = match self {
            Self::Bit(bit) => bit.into(),
            Self::Element(number) => u64::from(number) * bits,
        };
        (first, first + bits - 1)
    }
}

impl From<u32> for BitOffset {
    fn from(bit: u32) -> Self {
        Self::Bit(bit)
    }
}

/// As Redis writes it: a number of bits, or `#` and a number of elements.
impl fmt::Display for BitOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bit(bit) => write!(f, "{bit}"),
            Self::Element(number) => write!(f, "#{number}"),
        }
    }
}
