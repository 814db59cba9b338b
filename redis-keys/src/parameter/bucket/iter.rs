//! Several buckets in a row.

use std::{fmt, iter::FusedIterator, marker::PhantomData, ops::Range};

use super::place::Bucket;

/// Buckets one after the other, the oldest first: what `range` and `last` of a bucket give.
///
/// ```
/// use redis_keys::bucket::Month;
///
/// let (first, last) = ("202611".parse::<Month>()?, "202702".parse::<Month>()?);
/// let months = Month::range(first..=last);
/// assert_eq!(months.len(), 4);
/// assert_eq!(months.map(|month| month.to_string()).collect::<Vec<_>>(), ["202611", "202612", "202701", "202702"]);
/// # Ok::<(), redis_keys::bucket::BucketError>(())
/// ```
#[must_use = "iterators do nothing unless they are asked"]
pub struct Buckets<B> {
    /// Their places among all buckets of that type.
    places: Range<u32>,
    bucket: PhantomData<fn() -> B>,
}

impl<B: Bucket> Buckets<B> {
    pub(super) fn new(places: Range<u32>) -> Self {
        Self { places, bucket: PhantomData }
    }
}

impl<B: Bucket> Iterator for Buckets<B> {
    type Item = B;

    fn next(&mut self) -> Option<B> {
        self.places.next().map(B::from_place)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }

    fn nth(&mut self, number: usize) -> Option<B> {
        self.places.nth(number).map(B::from_place)
    }
}

impl<B: Bucket> DoubleEndedIterator for Buckets<B> {
    fn next_back(&mut self) -> Option<B> {
        self.places.next_back().map(B::from_place)
    }

    fn nth_back(&mut self, number: usize) -> Option<B> {
        self.places.nth_back(number).map(B::from_place)
    }
}

// `size_hint` of a `Range<u32>` is exact: there are fewer than 2^27 hours.
impl<B: Bucket> ExactSizeIterator for Buckets<B> {}

impl<B: Bucket> FusedIterator for Buckets<B> {}

impl<B> Clone for Buckets<B> {
    fn clone(&self) -> Self {
        Self { places: self.places.clone(), bucket: PhantomData }
    }
}

impl<B: Bucket> fmt::Debug for Buckets<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ends = self.clone();
        match (ends.next(), ends.next_back()) {
            (Some(first), Some(last)) => write!(f, "{first}..={last}"),
            (Some(only), None) => write!(f, "{only}..={only}"),
            _ => f.write_str("no buckets"),
        }
    }
}
