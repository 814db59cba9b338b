//! What is no bucket.

use std::{error, fmt};

/// A text that is no bucket, or a date whose year is outside 0 to 9999. It does not hold the text.
///
/// ```
/// use redis_keys::bucket::Month;
///
/// let error = "202613".parse::<Month>().unwrap_err();
/// assert_eq!(error.to_string(), "not a month such as `202611`");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BucketError {
    message: &'static str,
}

impl BucketError {
    #[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
    pub(super) const YEAR: Self = Self::new("the year is outside 0 to 9999");

    pub(super) const fn new(message: &'static str) -> Self {
        Self { message }
    }
}

impl fmt::Display for BucketError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message)
    }
}

impl error::Error for BucketError {}
