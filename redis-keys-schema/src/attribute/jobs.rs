//! How a job queue tries its jobs: `tries`, and the limits of its `lease`.

use std::time::Duration;

use crate::Rule;
use crate::diagnostic::Diagnostics;
use crate::piece::Piece;

pub(crate) const SHORTEST_JOB_LEASE: Duration = Duration::from_secs(1);

/// The job of a worker that dies is taken again after that long.
pub(crate) const LONGEST_JOB_LEASE: Duration = Duration::from_secs(60 * 60);

pub(crate) const DEFAULT_JOB_LEASE: Duration = Duration::from_secs(60);

pub(crate) const DEFAULT_TRIES: u8 = 5;

/// The score of a job has six bits for its tries.
const MAX_TRIES: u8 = 60;

/// Reads a number of tries, or reports what is wrong with it.
pub(super) fn read_tries(value: Piece<'_>, diagnostics: &mut Diagnostics) -> Option<u8> {
    let tries = value.text.parse().ok().filter(|tries| (1..=MAX_TRIES).contains(tries));
    if tries.is_none() {
        let message = format!("expected 1 to {MAX_TRIES} tries, found `{}`", value.text);
        let is_more = value.text.parse::<u64>().is_ok_and(|tries| tries > MAX_TRIES.into());
        let usual = if is_more { MAX_TRIES } else { DEFAULT_TRIES };
        diagnostics.report(value.range(), Rule::Jobs, message, format!("write `{usual}`"));
    }
    tries
}
