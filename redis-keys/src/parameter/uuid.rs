//! `Uuid` as a parameter.

use uuid::{Uuid, fmt::Simple};

use super::{KeySegment, ParseSegment, SegmentWriter};
use crate::parameter::ValueSet;

/// 32 hexadecimal digits, without dashes.
#[diagnostic::do_not_recommend]
impl KeySegment for Uuid {
    const LONGEST: Option<usize> = Some(Simple::LENGTH);
    const VALUES: ValueSet = ValueSet::Hex { digits: 32 };

    fn write(&self, out: &mut SegmentWriter<'_>) {
        out.digits(self.simple().encode_lower(&mut [0; Simple::LENGTH]));
    }
}

#[diagnostic::do_not_recommend]
impl ParseSegment<'_> for Uuid {
    fn parse(text: &str) -> Result<Self, &'static str> {
        Self::try_parse(text).map_err(|_| "is no UUID of 32 hexadecimal digits")
    }
}
