//! Days as parameters: `20260131`.

use super::{KeySegment, ParseSegment, SegmentWriter};
use crate::parameter::ValueSet;

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

/// Year, month and day of a text of eight digits, if there can be such a day.
fn parse_day<T>(text: &str, day: impl FnOnce(u16, u8, u8) -> Option<T>) -> Result<T, &'static str> {
    let parts = || {
        let text = Some(text).filter(|text| text.len() == 8)?;
        let (year, rest) = text.split_at_checked(4)?;
        let (month, rest) = rest.split_at_checked(2)?;
        day(year.parse().ok()?, month.parse().ok()?, rest.parse().ok()?)
    };
    parts().ok_or("is no day, such as `20260131`")
}

#[cfg(feature = "chrono")]
#[diagnostic::do_not_recommend]
impl KeySegment for chrono::NaiveDate {
    const LONGEST: Option<usize> = DAY;
    const VALUES: ValueSet = ValueSet::Days;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        use chrono::Datelike as _;
        write_day(out, self.year(), self.month(), self.day());
    }
}

#[cfg(feature = "chrono")]
#[diagnostic::do_not_recommend]
impl ParseSegment<'_> for chrono::NaiveDate {
    fn parse(text: &str) -> Result<Self, &'static str> {
        parse_day(text, |year, month, day| Self::from_ymd_opt(year.into(), month.into(), day.into()))
    }
}

#[cfg(feature = "jiff")]
#[diagnostic::do_not_recommend]
impl KeySegment for jiff::civil::Date {
    const LONGEST: Option<usize> = DAY;
    const VALUES: ValueSet = ValueSet::Days;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        write_day(out, self.year().into(), self.month().unsigned_abs().into(), self.day().unsigned_abs().into());
    }
}

#[cfg(feature = "jiff")]
#[diagnostic::do_not_recommend]
impl ParseSegment<'_> for jiff::civil::Date {
    fn parse(text: &str) -> Result<Self, &'static str> {
        parse_day(text, |year, month, day| {
            Self::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?).ok()
        })
    }
}

#[cfg(feature = "time")]
#[diagnostic::do_not_recommend]
impl KeySegment for time::Date {
    const LONGEST: Option<usize> = DAY;
    const VALUES: ValueSet = ValueSet::Days;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        write_day(out, self.year(), u8::from(self.month()).into(), self.day().into());
    }
}

#[cfg(feature = "time")]
#[diagnostic::do_not_recommend]
impl ParseSegment<'_> for time::Date {
    fn parse(text: &str) -> Result<Self, &'static str> {
        parse_day(text, |year, month, day| Self::from_calendar_date(year.into(), month.try_into().ok()?, day).ok())
    }
}
