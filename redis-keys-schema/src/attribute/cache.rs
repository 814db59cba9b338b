//! How a cached key is loaded: `lease` and `refresh`.

use std::time::Duration;

use super::duration::duration_meant;
use super::expiry::share_meant;

pub(crate) const SHORTEST_LEASE: Duration = Duration::from_millis(100);

/// Others wait that long for a process that dies while it loads a value.
pub(crate) const LONGEST_LEASE: Duration = Duration::from_secs(5 * 60);

pub(crate) const DEFAULT_LEASE: Duration = Duration::from_secs(10);

/// The least and the most of `refresh`, in percent.
const SHARES: (u32, u32) = (50, 95);

/// Reads `refresh`: a share of the ttl, in percent. What is wrong with it is reported when the ttl is known.
pub(super) fn read_refresh(text: &str) -> Option<u8> {
    let percent = text.strip_suffix('%')?.trim().parse::<u8>().ok()?;
    (SHARES.0..=SHARES.1).contains(&percent.into()).then_some(percent)
}

/// What to write instead of a text that is no share of this ttl, after `name`.
pub(crate) fn refresh_meant(name: &str, text: &str, ttl: Option<Duration>) -> String {
    let percent = percent_meant(text).or_else(|| share_of(duration_meant(text)?, ttl?));
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
fn percent_meant(text: &str) -> Option<u32> {
    share_meant(text).map(u32::from).or_else(|| text.trim_end_matches('%').trim_end().parse().ok())
}

/// How many percent of the ttl a duration is, rounded.
fn share_of(duration: Duration, ttl: Duration) -> Option<u32> {
    let (part, whole) = (duration.as_millis().checked_mul(100)?, ttl.as_millis());
    u32::try_from((part + whole / 2).checked_div(whole)?).ok()
}
