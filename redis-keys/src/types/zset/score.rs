//! Scores and ranges of scores as arguments of commands.

use std::ops::{Bound, RangeBounds};

use redis::{Cmd, RedisWrite as _};
use redis_keys_core::limits::MAX_MAX_LEN;

use crate::command::arguments::{Amount, Arguments, Capacity, Float};
use crate::error::Cause;
use crate::schema::Schema;

/// A score, which must not be NaN.
pub(super) struct Score(pub(super) f64);

impl Arguments for Score {
    #[inline]
    fn capacity(&self, schema: &'static Schema) -> Capacity {
        Float(self.0).capacity(schema)
    }

    #[inline]
    fn push(self, cmd: &mut Cmd, schema: &'static Schema) -> Result<Amount, Cause> {
        if self.0.is_nan() {
            return Err(Cause::Argument("the score is NaN"));
        }
        Float(self.0).push(cmd, schema)
    }
}

/// The two bounds of a range of scores. For an empty range there is nothing to do.
pub(super) struct ScoreRange {
    lower: Bound<f64>,
    upper: Bound<f64>,
    order: Order,
}

/// The bound that comes first.
enum Order {
    Ascending,
    Descending,
}

impl ScoreRange {
    /// The range for a command that starts at the lowest score.
    pub(super) fn ascending(range: impl RangeBounds<f64>) -> Self {
        Self { lower: range.start_bound().cloned(), upper: range.end_bound().cloned(), order: Order::Ascending }
    }

    /// The range for a command that starts at the highest score.
    pub(super) fn descending(range: impl RangeBounds<f64>) -> Self {
        Self { order: Order::Descending, ..Self::ascending(range) }
    }
}

impl Arguments for ScoreRange {
    #[inline]
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        Capacity::new(2, 50)
    }

    fn push(self, cmd: &mut Cmd, _schema: &'static Schema) -> Result<Amount, Cause> {
        let Self { lower, upper, order } = self;
        let scores = [lower, upper].map(|bound| match bound {
            Bound::Included(score) | Bound::Excluded(score) => Some(score),
            Bound::Unbounded => None,
        });
        if scores.into_iter().flatten().any(f64::is_nan) {
            return Err(Cause::Argument("a bound of the score range is NaN"));
        }
        if let [Some(lowest), Some(highest)] = scores {
            let includes_both = matches!((lower, upper), (Bound::Included(_), Bound::Included(_)));
            if lowest > highest || !includes_both && lowest >= highest {
                return Ok(Amount::Nothing);
            }
        }
        let (lower, upper) = ((lower, f64::NEG_INFINITY), (upper, f64::INFINITY));
        let bounds = match order {
            Order::Ascending => [lower, upper],
            Order::Descending => [upper, lower],
        };
        for (bound, unbounded) in bounds {
            match bound {
                Bound::Included(score) => cmd.write_arg_fmt(Float(score)),
                Bound::Excluded(score) => cmd.write_arg_fmt(format_args!("({}", Float(score))),
                Bound::Unbounded => cmd.write_arg_fmt(Float(unbounded)),
            }
        }
        Ok(Amount::Some)
    }
}

/// The maximum number of members that a range of scores returns. With 0 there is nothing to do.
pub(super) struct Limit(pub(super) u32);

impl Arguments for Limit {
    #[inline]
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        Capacity::new(3, 12)
    }

    fn push(self, cmd: &mut Cmd, _schema: &'static Schema) -> Result<Amount, Cause> {
        let Self(limit) = self;
        if u64::from(limit) > MAX_MAX_LEN {
            return Err(Cause::TooMany { most: MAX_MAX_LEN });
        }
        cmd.write_arg(b"LIMIT");
        cmd.write_arg(b"0");
        cmd.arg(limit);
        Ok(if limit == 0 { Amount::Nothing } else { Amount::Some })
    }
}
