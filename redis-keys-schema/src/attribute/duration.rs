//! Durations: `90s`, `1h30m`, `7d`.

use std::time::Duration;

use redis_keys_core::duration::{UNITS, render};

use crate::Rule;
use crate::diagnostic::Diagnostics;
use crate::edit::Suggestion;
use crate::limits::LONGEST_TTL;
use crate::piece::{Piece, is_name_char};

/// Other ways to write the units.
const OTHER_UNITS: [(&str, &[&str]); 6] = [
    ("ms", &["millis", "milliseconds", "millisecond", "msec"]),
    ("s", &["", "sec", "secs", "second", "seconds"]),
    ("m", &["min", "mins", "minute", "minutes"]),
    ("h", &["hr", "hrs", "hour", "hours"]),
    ("d", &["day", "days"]),
    ("w", &["wk", "week", "weeks"]),
];

/// Units that a declaration cannot have, in milliseconds.
const LONG_UNITS: [(&[&str], u64); 2] =
    [(&["mo", "month", "months"], 30 * 86_400_000), (&["y", "year", "years"], 365 * 86_400_000)];

/// The suggestion in place of a constant.
pub(super) const CONSTANT_HELP: &str =
    "write the duration itself, as in `1h30m`: a derive cannot read a constant's value";

/// The reason why a text is not a duration.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DurationError {
    pub(crate) message: String,
    /// The duration to write instead, where it can be guessed.
    pub(crate) suggestion: Option<String>,
    /// Whether it is longer than any duration.
    pub(crate) overflow: bool,
}

impl DurationError {
    fn new(message: String, suggestion: Option<String>) -> Self {
        Self { message, suggestion, overflow: false }
    }
}

/// Reads a duration of an option, or reports the problem. `usual` is the suggestion instead of zero.
pub(crate) fn read_duration(
    value: Piece<'_>,
    usual: &str,
    rule: Rule,
    diagnostics: &mut Diagnostics,
) -> Option<Duration> {
    let error = match parse_duration(value.text) {
        Ok(duration) => return Some(duration),
        Err(error) => error,
    };
    let help = match error.suggestion {
        Some(_) if is_zero(value.text) => Suggestion::write(usual),
        Some(suggestion) => Suggestion::write(suggestion),
        None if is_constant(value.text) => CONSTANT_HELP.into(),
        None => "write whole numbers with the units `ms`, `s`, `m`, `h`, `d` and `w`, as in `1h30m`".into(),
    };
    diagnostics.report(value.range(), rule, error.message, help);
    None
}

fn is_zero(text: &str) -> bool {
    matches!(strict(text), Some(Ok(duration)) if duration.is_zero())
}

/// Reads a duration.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, DurationError> {
    match strict(text) {
        Some(Ok(duration)) if duration.is_zero() => {
            let message = format!("expected a duration above zero, found `{text}`");
            Err(DurationError::new(message, Some("1h".to_owned())))
        }
        Some(Ok(duration)) => Ok(duration),
        Some(Err(Overflow)) => {
            Err(DurationError { message: exceeds_longest_ttl(text), suggestion: None, overflow: true })
        }
        None => Err(explain(text)),
    }
}

/// The duration of a text, or the duration that it means.
pub(super) fn suggested_duration(text: &str) -> Option<Duration> {
    parse_duration(text).or_else(|error| parse_duration(&error.suggestion.unwrap_or_default())).ok()
}

/// The message for a duration that no key lives.
pub(crate) fn exceeds_longest_ttl(text: &str) -> String {
    format!("`{text}` exceeds the limit of {}", render(LONGEST_TTL))
}

struct Overflow;

/// Reads the one right form: whole numbers with units, each unit once, longest first.
fn strict(text: &str) -> Option<Result<Duration, Overflow>> {
    let mut rest = text;
    let mut millis = Some(0_u64);
    let mut units = UNITS.iter();
    while !rest.is_empty() {
        let (number, after) = split_at(rest, |c| !c.is_ascii_digit());
        let (unit, after) = split_at(after, |c| c.is_ascii_digit());
        let (_, factor) = units.find(|(name, _)| *name == unit)?;
        if number.is_empty() {
            return None;
        }
        let part = number.parse::<u64>().ok().and_then(|number| number.checked_mul(*factor));
        millis = millis.zip(part).and_then(|(sum, part)| sum.checked_add(part));
        rest = after;
    }
    (!text.is_empty()).then(|| millis.map(Duration::from_millis).ok_or(Overflow))
}

fn split_at(text: &str, ends: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(ends).unwrap_or(text.len()))
}

/// Explains why a text is not a duration, and guesses the duration that is meant.
fn explain(text: &str) -> DurationError {
    let plain: String = text.chars().filter(|c| !c.is_whitespace() && *c != '_').collect::<String>().to_lowercase();
    if plain.is_empty() {
        return DurationError::new("missing duration".to_owned(), Some("1h".to_owned()));
    }
    if plain.bytes().all(|byte| byte.is_ascii_digit()) {
        return DurationError::new(format!("duration without a unit: `{text}`"), Some(format!("{plain}s")));
    }
    if plain.starts_with('-') {
        let suggestion = lenient(plain.trim_start_matches('-'));
        return DurationError::new(format!("expected a duration above zero, found `{text}`"), suggestion);
    }
    if is_constant(text) {
        return DurationError::new(format!("expected a duration, found the constant `{text}`"), None);
    }
    let suggestion = product(&plain).or_else(|| constructor(&plain)).or_else(|| lenient(&plain));
    DurationError::new(format!("expected a duration, found `{text}`"), suggestion)
}

/// Whether a text is the path of a constant: `TTL`, `config::SESSION_TTL`.
pub(super) fn is_constant(text: &str) -> bool {
    let (path, name) = text.rsplit_once("::").unwrap_or(("", text));
    name.len() > 1
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c == '_' || c.is_ascii_uppercase() || c.is_ascii_digit())
        && path.chars().all(|c| c == ':' || is_name_char(c))
}

/// `60*60` in seconds.
fn product(text: &str) -> Option<String> {
    let mut factors = text.split('*').map(|factor| factor.parse::<u64>().ok());
    let product = factors.try_fold(1_u64, |product, factor| product.checked_mul(factor?))?;
    Some(render_millis(product.checked_mul(1000)?))
}

/// `Duration::from_secs(60)` or `TimeDelta::seconds(60)`, in lower case.
fn constructor(text: &str) -> Option<String> {
    let (_, call) = text.rsplit_once("::")?;
    let call = call.strip_prefix("from").unwrap_or(call);
    let (unit, argument) = call.strip_suffix(')')?.split_once('(')?;
    let seconds = product(argument)?;
    if unit == "secs" { Some(seconds) } else { lenient(&format!("{argument}{unit}")) }
}

/// Reads numbers, also fractions, with any known way to write the units, and writes them in the right form.
fn lenient(text: &str) -> Option<String> {
    let mut rest = text;
    let mut millis = 0_u64;
    let mut last = None;
    while !rest.is_empty() {
        let (number, after) = split_at(rest, |c| !c.is_ascii_digit() && c != '.');
        let (unit, after) = split_at(after, |c| c.is_ascii_digit());
        let factor = match last.filter(|_| unit.is_empty()) {
            // The minutes of `1h30`.
            Some(last) => UNITS.iter().map(|&(_, millis)| millis).find(|millis| *millis < last)?,
            None => unit_millis(unit)?,
        };
        millis = millis.checked_add(scaled(number, factor)?)?;
        last = Some(factor);
        rest = after;
    }
    (millis > 0).then(|| render_millis(millis))
}

fn unit_millis(unit: &str) -> Option<u64> {
    if let Some((_, millis)) = LONG_UNITS.iter().find(|(names, _)| names.contains(&unit)) {
        return Some(*millis);
    }
    let unit = OTHER_UNITS.iter().find(|(_, others)| others.contains(&unit)).map_or(unit, |(unit, _)| unit);
    UNITS.iter().find(|(name, _)| *name == unit).map(|&(_, millis)| millis)
}

/// A decimal number of units, in milliseconds.
fn scaled(number: &str, millis: u64) -> Option<u64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let whole = if whole.is_empty() { 0 } else { whole.parse::<u64>().ok()?.checked_mul(millis)? };
    let digits = u32::try_from(fraction.len()).ok().filter(|digits| *digits < 9)?;
    let fraction = if fraction.is_empty() { 0 } else { fraction.parse::<u64>().ok()? };
    whole.checked_add(fraction.checked_mul(millis)? / 10_u64.pow(digits))
}

fn render_millis(millis: u64) -> String {
    render(Duration::from_millis(millis))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_right_form() {
        for (text, millis) in
            [("1h30m", 5_400_000), ("500ms", 500), ("7d", 604_800_000), ("1w2d3h4m5s6ms", 788_645_006), ("90s", 90_000)]
        {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
    }

    #[test]
    fn suggests_what_was_meant() {
        for (text, suggestion) in [
            ("3600", "3600s"),
            ("3_600", "3600s"),
            ("1hour", "1h"),
            ("1 h", "1h"),
            ("1H", "1h"),
            ("30m1h", "1h30m"),
            ("1.5h", "1h30m"),
            ("90min", "1h30m"),
            ("2weeks", "2w"),
            ("1y", "365d"),
            ("60 * 60", "1h"),
            ("Duration::from_secs(60)", "1m"),
            ("Duration::from_millis(1500)", "1s500ms"),
            ("-5m", "5m"),
            ("0s", "1h"),
            ("", "1h"),
        ] {
            let suggested = parse_duration(text).err().and_then(|error| error.suggestion);
            assert_eq!(suggested.as_deref(), Some(suggestion), "{text}");
        }
        for text in ["soon", "1x", "h", "99999999999999999999w", "1..5h", "é"] {
            assert_eq!(parse_duration(text).map_err(|error| error.suggestion), Err(None), "{text}");
        }
    }
}
