//! Lengths of time: `90s`, `1h30m`, `7d`.

use std::time::Duration;

use redis_keys_core::duration::{self, UNITS};

/// Other ways to write the units.
const OTHER_UNITS: [(&str, &str); 25] = [
    ("millis", "ms"),
    ("milliseconds", "ms"),
    ("millisecond", "ms"),
    ("msec", "ms"),
    ("sec", "s"),
    ("secs", "s"),
    ("second", "s"),
    ("seconds", "s"),
    ("min", "m"),
    ("mins", "m"),
    ("minute", "m"),
    ("minutes", "m"),
    ("hr", "h"),
    ("hrs", "h"),
    ("hour", "h"),
    ("hours", "h"),
    ("day", "d"),
    ("days", "d"),
    ("wk", "w"),
    ("week", "w"),
    ("weeks", "w"),
    ("mo", "month"),
    ("months", "month"),
    ("y", "year"),
    ("years", "year"),
];

/// What is wrong with a length of time, and the text to write instead where it can be guessed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) message: String,
    pub(crate) instead: Option<String>,
    /// Whether it is more than can be counted.
    pub(crate) overflow: bool,
}

impl Fault {
    fn new(message: impl Into<String>, instead: Option<String>) -> Self {
        Self { message: message.into(), instead, overflow: false }
    }
}

/// Reads a length of time.
pub(crate) fn parse(text: &str) -> Result<Duration, Fault> {
    match strict(text) {
        Some(Ok(duration)) if duration.is_zero() => Err(Fault::new("no time at all", Some("1h".to_owned()))),
        Some(Ok(duration)) => Ok(duration),
        Some(Err(Overflow)) => Err(Fault { overflow: true, ..Fault::new("longer than can be counted", None) }),
        None => Err(explain(text)),
    }
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

/// Says what is wrong with a text that is no length of time, and writes the nearest that is one.
fn explain(text: &str) -> Fault {
    let plain: String = text.chars().filter(|c| !c.is_whitespace() && *c != '_').collect::<String>().to_lowercase();
    if plain.is_empty() {
        return Fault::new("nothing", Some("1h".to_owned()));
    }
    if !plain.bytes().any(|byte| !byte.is_ascii_digit()) {
        return Fault::new("a number without a unit", Some(format!("{plain}s")));
    }
    if plain.starts_with('-') {
        return Fault::new("less than no time", lenient(plain.trim_start_matches('-')));
    }
    if let Some(seconds) = product(&plain) {
        return Fault::new("an expression, not a length of time", Some(seconds));
    }
    if let Some(fixed) = constructor(&plain) {
        return Fault::new("an expression, not a length of time", Some(fixed));
    }
    Fault::new("no length of time", lenient(&plain))
}

/// `60*60` in seconds.
fn product(text: &str) -> Option<String> {
    let mut factors = text.split('*').map(|factor| factor.parse::<u64>().ok());
    let product = factors.try_fold(1_u64, |product, factor| product.checked_mul(factor?))?;
    Some(render(product.checked_mul(1000)?))
}

/// `Duration::from_secs(60)`, in lower case.
fn constructor(text: &str) -> Option<String> {
    let (_, call) = text.rsplit_once("from")?;
    let (unit, argument) = call.strip_suffix(')')?.split_once('(')?;
    let seconds = product(argument)?;
    if unit == "secs" { Some(seconds) } else { lenient(&format!("{argument}{unit}")) }
}

/// Reads numbers with any known way to write the units, also fractions, and writes them in the right form.
fn lenient(text: &str) -> Option<String> {
    let mut rest = text;
    let mut millis = 0_u64;
    while !rest.is_empty() {
        let (number, after) = split_at(rest, |c| !c.is_ascii_digit() && c != '.');
        let (unit, after) = split_at(after, |c| c.is_ascii_digit());
        millis = millis.checked_add(scaled(number, unit_millis(unit)?)?)?;
        rest = after;
    }
    (millis > 0).then(|| render(millis))
}

fn unit_millis(unit: &str) -> Option<u64> {
    let unit = OTHER_UNITS.iter().find(|(other, _)| *other == unit).map_or(unit, |(_, unit)| unit);
    match unit {
        "month" => Some(30 * 86_400_000),
        "year" => Some(365 * 86_400_000),
        "" => Some(1000),
        _ => UNITS.iter().find(|(name, _)| *name == unit).map(|&(_, millis)| millis),
    }
}

/// A decimal number of units, in milliseconds.
fn scaled(number: &str, millis: u64) -> Option<u64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let whole = if whole.is_empty() { 0 } else { whole.parse::<u64>().ok()?.checked_mul(millis)? };
    let digits = u32::try_from(fraction.len()).ok().filter(|digits| *digits < 9)?;
    let fraction = if fraction.is_empty() { 0 } else { fraction.parse::<u64>().ok()? };
    whole.checked_add(fraction.checked_mul(millis)? / 10_u64.pow(digits))
}

/// Milliseconds in the right form.
pub(super) fn render(millis: u64) -> String {
    duration::render(Duration::from_millis(millis))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_right_form() {
        for (text, millis) in
            [("1h30m", 5_400_000), ("500ms", 500), ("7d", 604_800_000), ("1w2d3h4m5s6ms", 788_645_006), ("90s", 90_000)]
        {
            assert_eq!(parse(text), Ok(Duration::from_millis(millis)), "{text}");
        }
    }

    #[test]
    fn writes_what_was_meant() {
        for (text, instead) in [
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
            assert_eq!(parse(text).err().and_then(|fault| fault.instead).as_deref(), Some(instead), "{text}");
        }
    }

    #[test]
    fn guesses_nothing_from_noise() {
        for text in ["soon", "1x", "h", "99999999999999999999w", "1..5h", "é"] {
            assert_eq!(parse(text).map_err(|fault| fault.instead), Err(None), "{text}");
        }
    }

    #[test]
    fn renders_what_it_reads() {
        for text in ["1h30m", "7d", "1w", "500ms", "365d"] {
            let millis = parse(text).map(|duration| duration.as_millis());
            let rendered = millis.map(|millis| render(u64::try_from(millis).unwrap_or(0)));
            assert_eq!(rendered.as_deref(), Ok(if text == "7d" { "1w" } else { text }));
        }
    }
}
