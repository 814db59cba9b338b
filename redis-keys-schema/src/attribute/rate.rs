//! A rate limit: `100 / 1m`.

use std::fmt;
use std::time::Duration;

use redis_keys_core::duration::render;

use super::duration::{exceeds_longest_ttl, parse_duration, suggested_duration};
use crate::Rule;
use crate::diagnostic::Diagnostics;
use crate::edit::Suggestion;
use crate::limits::{LONGEST_TTL, rate_step};
use crate::piece::Piece;

/// The largest `limit` and the largest `burst`.
const MAX_COUNT: u64 = 1_000_000_000;

/// The same as a text that can be read.
const MAX_COUNT_TEXT: &str = "1_000_000_000";

/// The number that is allowed in a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// The number, from 1 to a billion.
    pub count: u64,
    /// The period, up to ten years.
    pub per: Duration,
}

/// From this step on, in microseconds, rounding makes no rate more than 1% slower.
const ACCURATE_STEP: u64 = 100;

impl Rate {
    /// The microseconds after which another call is allowed, rounded up.
    pub(crate) fn step(self) -> u64 {
        rate_step(self.count, self.per)
    }

    /// The time that a key lives after `burst` at once, rounded up to a millisecond: until the whole burst is allowed
    /// again.
    pub(crate) fn ttl(self, burst: u64) -> Duration {
        Duration::from_millis(self.step().saturating_mul(burst).div_ceil(1000))
    }

    /// The time in which `burst` is allowed again as declared, without the rounding of the step.
    pub(crate) fn time_of(self, burst: u64) -> Duration {
        let millis = (self.per.as_millis() * u128::from(burst)).div_ceil(u128::from(self.count.max(1)));
        Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
    }

    /// Whether the rounded step makes the rate no more than 1% slower.
    fn is_accurate(self) -> bool {
        u128::from(self.step()) * u128::from(self.count) * 100 <= self.per.as_micros() * 101
    }

    /// The same rate, or the next slower rate that is accurate.
    fn accurate(self) -> Self {
        if self.is_accurate() {
            return self;
        }
        // The count of a step is rounded up in the same way.
        let slower = |step| Self { count: rate_step(step, self.per), ..self };
        (self.step()..=ACCURATE_STEP).map(slower).find(|rate| rate.is_accurate()).unwrap_or(self)
    }

    /// Reads a limit, or reports the problem.
    pub(super) fn read(value: Piece<'_>, diagnostics: &mut Diagnostics) -> Option<Self> {
        let (number, per) = split(value.text);
        let (count, period) = (read_number(number), parse_duration(per));
        let is_too_long = period.as_ref().map_or_else(|error| error.overflow, |period| *period > LONGEST_TTL);
        let suggestion = Suggestion::write(suggested_rate(number, per));
        let (message, help) = match (count, period) {
            (Some(count @ 1..=MAX_COUNT), Ok(period)) if !is_too_long && value.text.contains('/') => {
                let rate = Self { count, per: period };
                if rate.is_accurate() {
                    return Some(rate);
                }
                let problem = format!("`{number} / {per}` is too fast for whole microseconds");
                (format!("{problem}: one every {} µs allows over 1% less", rate.step()), suggestion)
            }
            (Some(0), _) => (format!("expected a limit above zero, found `{number}`"), suggestion),
            (Some(count), Ok(per)) if count > MAX_COUNT => {
                let most = Self { count: MAX_COUNT, per }.accurate();
                (
                    format!("`{number}` exceeds the limit of {MAX_COUNT_TEXT}"),
                    Suggestion::write(most.to_string()).and(" or less"),
                )
            }
            (Some(count), _) if is_too_long => {
                let longest = format!("{count} / {}", render(LONGEST_TTL));
                (exceeds_longest_ttl(per), Suggestion::write(longest).and(" or less"))
            }
            (Some(_), _) if per.is_empty() => {
                ("missing period: a limit is a number in a period".to_owned(), suggestion)
            }
            _ => (format!("expected a number and a period, found `{}`", value.text), suggestion),
        };
        diagnostics.report(value.range(), Rule::RateLimit, message, help);
        None
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} / {}", self.count, render(self.per))
    }
}

/// Reads a burst, or reports the problem.
pub(super) fn read_burst(value: Piece<'_>, diagnostics: &mut Diagnostics) -> Option<u64> {
    let burst = read_number(value.text).filter(|burst| (1..=MAX_COUNT).contains(burst));
    if burst.is_none() {
        let message = format!("expected a burst from 1 to {MAX_COUNT_TEXT}, found `{}`", value.text);
        let help = Suggestion::write(suggested_count(value.text).unwrap_or(20).to_string());
        diagnostics.report(value.range(), Rule::RateLimit, message, help);
    }
    burst
}

fn read_number(text: &str) -> Option<u64> {
    text.replace('_', "").parse().ok()
}

/// The number and the period, however they are separated.
fn split(text: &str) -> (&str, &str) {
    let parts = ["/", " per ", " in ", " every ", ","].into_iter().find_map(|sign| text.split_once(sign));
    let (count, per) = parts.unwrap_or((text, ""));
    (count.trim(), per.trim())
}

/// The limit that a text of another library means, such as `100/min`. It has a period of 1m if the text has none.
pub(super) fn suggested_rate_of(text: &str) -> String {
    let (count, per) = split(text);
    suggested_rate(count, per)
}

/// The limit that a text is, or means.
pub(super) fn written_or_suggested(value: Piece<'_>) -> String {
    let is_right = Rate::read(value, &mut Diagnostics::default()).is_some();
    if is_right { spaced(value.text) } else { suggested_rate_of(value.text) }
}

/// A limit with spaces, which the compiler does not hand over.
pub(super) fn spaced(text: &str) -> String {
    let parts = text.split_once('/').map(|(count, per)| format!("{} / {}", count.trim(), per.trim()));
    parts.unwrap_or_else(|| text.to_owned())
}

/// The limit that a number and a period mean, which can be written in other ways.
pub(super) fn suggested_rate(count: &str, per: &str) -> String {
    let count = suggested_count(count).unwrap_or(100);
    // `100/m` means one minute.
    let one = if per.starts_with(|c: char| c.is_ascii_digit()) { per.to_owned() } else { format!("1{per}") };
    let per = suggested_duration(&one).filter(|period| !per.is_empty() && *period <= LONGEST_TTL);
    Rate { count, per: per.unwrap_or(Duration::from_secs(60)) }.accurate().to_string()
}

/// The number that a text starts with, also `10k`.
fn suggested_count(text: &str) -> Option<u64> {
    let plain = text.replace(['_', '\'', ' '], "");
    let digits = plain.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    let factor = match plain.get(digits.len()..) {
        Some("k" | "K") => 1000,
        Some("M") => 1_000_000,
        _ => 1,
    };
    let count = digits.parse::<u64>().ok()?.checked_mul(factor)?;
    (1..=MAX_COUNT).contains(&count).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ttl_is_that_of_a_whole_burst() {
        for (count, per, burst, millis) in [
            (100, 60_000, 20, 12_000),
            (100, 60_000, 100, 60_000),
            (3, 1000, 1, 334),
            // The step is rounded up.
            (3, 1000, 3, 1001),
            (1_000_000, 1000, 1, 1),
            (1, 60_000, 10, 600_000),
        ] {
            let rate = Rate { count, per: Duration::from_millis(per) };
            assert_eq!(rate.ttl(burst), Duration::from_millis(millis), "{count} / {per}ms, {burst}");
        }
        assert!(Rate { count: 1, per: LONGEST_TTL }.ttl(MAX_COUNT) > LONGEST_TTL);
    }

    #[test]
    fn an_accurate_rate_is_1_percent_slower_at_most() {
        let slower = |count, per| Rate { count, per: Duration::from_millis(per) }.accurate().count;
        for (count, per, accurate) in [
            (10_001, 1000, 10_001),
            (19_608, 1000, 19_608),
            (30_000, 1000, 29_412),
            (30_000_000, 1_000_000, 29_411_765),
            (999_999, 1000, 500_000),
            (MAX_COUNT, 1000, 1_000_000),
            (30, 1, 28),
            (1_000, 1, 1_000),
            (1_011, 1, 1_000),
            (MAX_COUNT, 100_000_000, MAX_COUNT),
        ] {
            assert_eq!(slower(count, per), accurate, "{count} / {per}ms");
        }
        // Up to 10,000 a second, every rate is accurate.
        for count in 1..10_000 {
            assert!((1..20).all(|per| slower(count * per, per * 1000) == count * per), "{count}");
        }
        // There is always such a number, and it is not much slower.
        for count in (1..3_000_000).step_by(977) {
            assert!(slower(count, 1000) >= count.min(1_000_000) * 49 / 100, "{count}");
        }
    }

    #[test]
    fn finds_the_limit_that_is_meant() {
        for (text, meant) in [
            ("100/min", "100 / 1m"),
            ("100/m", "100 / 1m"),
            ("100 / minute", "100 / 1m"),
            ("100 per 1m", "100 / 1m"),
            ("100 per hour", "100 / 1h"),
            ("10_000 in 60 seconds", "10000 / 1m"),
            ("5/60", "5 / 1m"),
            ("10k / 1d", "10000 / 1d"),
            ("30k/s", "29412 / 1s"),
            ("100, 1m", "100 / 1m"),
            ("100", "100 / 1m"),
            ("0 / 1s", "100 / 1s"),
            ("5 / 0s", "5 / 1h"),
            ("many / often", "100 / 1m"),
            ("5 / 20y", "5 / 1m"),
            ("", "100 / 1m"),
        ] {
            assert_eq!(suggested_rate_of(text), meant, "{text}");
        }
    }
}
