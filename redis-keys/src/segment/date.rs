//! Days as parameters: `20260131`.

use super::{KeySegment, SegmentWriter};

const DAY: Option<usize> = Some("20260131".len());

/// A year of four digits always, so that keys sort by day and no two days read the same.
fn write_day(out: &mut SegmentWriter<'_>, year: i32, month: u32, day: u32) {
    let Some(year) = u32::try_from(year).ok().filter(|year| *year <= 9999) else {
        return out.refuse("has a year outside 0 to 9999");
    };
    let number = year * 10_000 + month * 100 + day;
    // The leading 1 keeps the zeros behind it.
    let mut buffer = itoa::Buffer::new();
    out.digits(buffer.format(100_000_000 + number).split_at(1).1);
}

#[cfg(feature = "chrono")]
#[diagnostic::do_not_recommend]
impl KeySegment for chrono::NaiveDate {
    const LONGEST: Option<usize> = DAY;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        use chrono::Datelike as _;
        write_day(out, self.year(), self.month(), self.day());
    }
}

#[cfg(feature = "jiff")]
#[diagnostic::do_not_recommend]
impl KeySegment for jiff::civil::Date {
    const LONGEST: Option<usize> = DAY;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        write_day(out, self.year().into(), self.month().unsigned_abs().into(), self.day().unsigned_abs().into());
    }
}

#[cfg(feature = "time")]
#[diagnostic::do_not_recommend]
impl KeySegment for time::Date {
    const LONGEST: Option<usize> = DAY;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        write_day(out, self.year(), u8::from(self.month()).into(), self.day().into());
    }
}
