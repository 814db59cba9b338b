//! Scores and ranges of them, as Redis writes them.

use std::{
    fmt,
    ops::{Bound, RangeBounds},
};

use redis::{Cmd, RedisWrite as _};

use crate::error::Cause;

/// Adds a score to a command.
pub(crate) fn push_score(cmd: &mut Cmd, score: f64) -> Result<(), Cause> {
    if score.is_nan() {
        return Err(Cause::Argument("the score is NaN"));
    }
    cmd.write_arg_fmt(Score(score));
    Ok(())
}

/// The shortest text that reads as the same number.
pub(crate) struct Score(pub(crate) f64);

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(score) = *self;
        // Plain digits would be long where the number is very large or very small.
        let plain = score == 0.0 || (1e-5..1e16).contains(&score.abs());
        match score {
            f64::INFINITY => f.write_str("+inf"),
            f64::NEG_INFINITY => f.write_str("-inf"),
            _ if plain => write!(f, "{score}"),
            _ => write!(f, "{score:e}"),
        }
    }
}

/// A range of scores, of which there may be some.
#[derive(Clone, Copy)]
pub(crate) struct Scores {
    from: Bound<f64>,
    to: Bound<f64>,
}

/// The range, or nothing where no score can be in it.
pub(crate) fn scores(range: &impl RangeBounds<f64>) -> Result<Option<Scores>, Cause> {
    let (from, to) = (range.start_bound().cloned(), range.end_bound().cloned());
    let ends = [from, to].map(|end| match end {
        Bound::Included(score) | Bound::Excluded(score) => Some(score),
        Bound::Unbounded => None,
    });
    if ends.into_iter().flatten().any(f64::is_nan) {
        return Err(Cause::Argument("a bound of the score range is NaN"));
    }
    let both_in = matches!((from, to), (Bound::Included(_), Bound::Included(_)));
    let empty = match ends {
        [Some(from), Some(to)] => from > to || !both_in && from >= to,
        _ => false,
    };
    Ok((!empty).then_some(Scores { from, to }))
}

impl Scores {
    /// Adds the lower end and the upper end to a command.
    pub(crate) fn push(self, cmd: &mut Cmd) {
        push_end(cmd, self.from, f64::NEG_INFINITY);
        push_end(cmd, self.to, f64::INFINITY);
    }

    /// Adds the upper end and the lower end.
    pub(crate) fn push_reversed(self, cmd: &mut Cmd) {
        push_end(cmd, self.to, f64::INFINITY);
        push_end(cmd, self.from, f64::NEG_INFINITY);
    }
}

fn push_end(cmd: &mut Cmd, end: Bound<f64>, open: f64) {
    match end {
        Bound::Included(score) => cmd.write_arg_fmt(Score(score)),
        Bound::Excluded(score) => cmd.write_arg_fmt(format_args!("({}", Score(score))),
        Bound::Unbounded => cmd.write_arg_fmt(Score(open)),
    }
}
