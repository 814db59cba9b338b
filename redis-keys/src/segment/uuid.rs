//! `Uuid` as a parameter.

use uuid::{Uuid, fmt::Simple};

use super::{KeySegment, SegmentWriter};

/// 32 hexadecimal digits, without dashes.
#[diagnostic::do_not_recommend]
impl KeySegment for Uuid {
    const LONGEST: Option<usize> = Some(Simple::LENGTH);

    fn write(&self, out: &mut SegmentWriter<'_>) {
        out.digits(self.simple().encode_lower(&mut [0; Simple::LENGTH]));
    }
}
