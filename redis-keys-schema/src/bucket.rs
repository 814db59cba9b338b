//! Calendar buckets, from whose end an expiry can count.

/// A calendar bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names explain themselves")]
pub enum Bucket {
    Year,
    Month,
    Week,
    Day,
    Hour,
}

impl Bucket {
    pub(crate) const ALL: [Self; 5] = [Self::Year, Self::Month, Self::Week, Self::Day, Self::Hour];

    /// The bucket of that name. Another name is reported where the fields are known, because it may be a field's name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|bucket| bucket.name() == name)
    }

    /// The name of the type in `redis_keys::parameter::bucket`.
    pub const fn type_name(self) -> &'static str {
        match self {
            Self::Year => "Year",
            Self::Month => "Month",
            Self::Week => "Week",
            Self::Day => "Day",
            Self::Hour => "Hour",
        }
    }

    /// The name of the bucket, and of the field that holds it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Year => "year",
            Self::Month => "month",
            Self::Week => "week",
            Self::Day => "day",
            Self::Hour => "hour",
        }
    }

    /// The calendar bucket that a type is, by its name. For a reference, the bucket of its target.
    pub(crate) fn of_type(ty: &str) -> Option<Self> {
        match ty.rsplit(['&', ' ', ':']).next().unwrap_or_default() {
            "Year" => Some(Self::Year),
            "Month" => Some(Self::Month),
            "Week" => Some(Self::Week),
            // Of `chrono`, `jiff` and `time`.
            "Day" | "Date" | "NaiveDate" => Some(Self::Day),
            "Hour" => Some(Self::Hour),
            _ => None,
        }
    }
}
