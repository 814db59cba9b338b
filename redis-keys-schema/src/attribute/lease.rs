//! Options for loading a cached key and for taking jobs: `lease`, `refresh` and `tries`.

use std::time::Duration;

use super::duration::suggested_duration;
use super::expiry::suggested_share;
use crate::Rule;
use crate::diagnostic::Diagnostics;
use crate::piece::Piece;

pub(crate) const SHORTEST_LEASE: Duration = Duration::from_millis(100);

/// Others wait that long for a process that dies while it loads a value.
pub(crate) const LONGEST_LEASE: Duration = Duration::from_secs(5 * 60);

pub(crate) const DEFAULT_LEASE: Duration = Duration::from_secs(10);

pub(crate) const SHORTEST_JOB_LEASE: Duration = Duration::from_secs(1);

/// The job of a worker that dies is taken again after that long.
pub(crate) const LONGEST_JOB_LEASE: Duration = Duration::from_secs(60 * 60);

pub(crate) const DEFAULT_JOB_LEASE: Duration = Duration::from_secs(60);

pub(crate) const DEFAULT_TRIES: u8 = 5;

/// The score of a job has six bits for its tries.
const MAX_TRIES: u8 = 60;

/// The least and the most of `refresh`, in percent.
const SHARES: (u32, u32) = (50, 95);

/// Reads `refresh`: a share of the ttl, in percent. What is wrong with it is reported when the ttl is known.
pub(super) fn read_refresh(text: &str) -> Option<u8> {
    let percent = text.strip_suffix('%')?.trim().parse::<u8>().ok()?;
    (SHARES.0..=SHARES.1).contains(&percent.into()).then_some(percent)
}

/// Returns the suggestion for a text that is no share of this ttl, after `name`.
pub(crate) fn suggested_refresh(name: &str, text: &str, ttl: Option<Duration>) -> String {
    let percent = suggested_percent(text).or_else(|| share_of(suggested_duration(text)?, ttl?));
    let (least, most) = SHARES;
    match percent {
        Some(percent) if (least..=most).contains(&percent) => format!("write `{name}{percent}%`"),
        Some(percent) if percent > most && percent <= 100 => format!("write `{name}{most}%`"),
        Some(left) if (100 - most..least).contains(&left) => {
            format!("write `{name}{}%`, which is when {left}% of the ttl is left", 100 - left)
        }
        _ => format!("write `{name}80%`"),
    }
}

/// The percents of `80`, `0.8` and `80pct`.
fn suggested_percent(text: &str) -> Option<u32> {
    suggested_share(text).map(u32::from).or_else(|| text.trim_end_matches('%').trim_end().parse().ok())
}

/// Returns the percentage of the ttl that a duration is, rounded.
fn share_of(duration: Duration, ttl: Duration) -> Option<u32> {
    let (part, whole) = (duration.as_millis().checked_mul(100)?, ttl.as_millis());
    u32::try_from((part + whole / 2).checked_div(whole)?).ok()
}

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
