//! What buckets are made of, and which lies in which.

use super::{Day, Hour, Month, Year, civil, civil::LAST_YEAR};

impl Year {
    /// The year of that number, from 0 to 9999.
    pub const fn new(year: u16) -> Option<Self> {
        if year as u32 <= LAST_YEAR { Some(Self(year as u32)) } else { None }
    }

    /// Its number.
    pub const fn year(self) -> u16 {
        narrow(self.0)
    }

    pub(super) fn from_number(number: u32) -> Option<Self> {
        Day::of(number, 1, 1).map(Self::from)
    }
}

impl Month {
    /// The month of a year from 0 to 9999, counted from 1.
    pub const fn new(year: u16, month: u8) -> Option<Self> {
        if civil::is_date(year as u32, month as u32, 1) { Some(Self(year as u32 * 100 + month as u32)) } else { None }
    }

    /// Its year.
    pub const fn year(self) -> u16 {
        narrow(self.0 / 100)
    }

    /// Which month of its year it is, from 1 to 12.
    pub const fn month(self) -> u8 {
        part(self.0)
    }

    pub(super) fn from_number(number: u32) -> Option<Self> {
        Day::of(number / 100, number % 100, 1).map(Self::from)
    }
}

impl Day {
    /// The day of a month, both counted from 1, in a year from 0 to 9999.
    pub const fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        Self::of(year as u32, month as u32, day as u32)
    }

    /// Its year.
    pub const fn year(self) -> u16 {
        narrow(self.0 / 10_000)
    }

    /// Which month of its year it is in, from 1 to 12.
    pub const fn month(self) -> u8 {
        part(self.0 / 100)
    }

    /// Which day of its month it is, from 1 on.
    pub const fn day(self) -> u8 {
        part(self.0)
    }

    pub(super) const fn of(year: u32, month: u32, day: u32) -> Option<Self> {
        if civil::is_date(year, month, day) { Some(Self(year * 10_000 + month * 100 + day)) } else { None }
    }

    pub(super) fn from_number(number: u32) -> Option<Self> {
        Self::of(number / 10_000, number / 100 % 100, number % 100)
    }
}

impl Hour {
    /// The hour of a day, from 0 to 23. Month and day are counted from 1, and the year is from 0 to 9999.
    pub const fn new(year: u16, month: u8, day: u8, hour: u8) -> Option<Self> {
        match Day::new(year, month, day) {
            Some(day) if hour < 24 => Some(Self(day.0 as u64 * 100 + hour as u64)),
            _ => None,
        }
    }

    /// Its year.
    pub const fn year(self) -> u16 {
        self.of().year()
    }

    /// Which month of its year it is in, from 1 to 12.
    pub const fn month(self) -> u8 {
        self.of().month()
    }

    /// Which day of its month it is in, from 1 on.
    pub const fn day(self) -> u8 {
        self.of().day()
    }

    /// Which hour of its day it is, from 0 to 23.
    pub const fn hour(self) -> u8 {
        (self.0 % 100) as u8
    }

    pub(super) const fn of(self) -> Day {
        #[allow(clippy::cast_possible_truncation, reason = "eight digits are left")]
        Day((self.0 / 100) as u32)
    }

    pub(super) fn from_number(number: u64) -> Option<Self> {
        let day = Day::from_number(u32::try_from(number / 100).ok()?)?;
        (number % 100 < 24).then_some(Self(u64::from(day.0) * 100 + number % 100))
    }
}

macro_rules! wider {
    ($($narrow:ident / $by:literal is $wide:ident($number:ty);)*) => {$(
        impl From<$narrow> for $wide {
            /// The one that it lies in.
            fn from(narrow: $narrow) -> Self {
                #[allow(clippy::cast_possible_truncation, reason = "fewer digits are left")]
                Self((narrow.0 / $by) as $number)
            }
        }
    )*};
}

wider! {
    Month / 100 is Year(u32);
    Day / 10_000 is Year(u32);
    Day / 100 is Month(u32);
    Hour / 1_000_000 is Year(u32);
    Hour / 10_000 is Month(u32);
    Hour / 100 is Day(u32);
}

#[allow(clippy::cast_possible_truncation, reason = "a year has four digits")]
const fn narrow(year: u32) -> u16 {
    year as u16
}

/// The last two digits.
#[allow(clippy::cast_possible_truncation, reason = "two digits fit")]
const fn part(number: u32) -> u8 {
    (number % 100) as u8
}
