//! The range of a module's expiry: `5m..30m`.

use std::fmt;
use std::time::Duration;

use redis_keys_core::duration;

use crate::attribute::{DurationError, exceeds_longest_ttl, parse_duration};
use crate::limits::LONGEST_TTL;

const EXAMPLE: &str = "write a range such as `\"5m..30m\"`, or `\"..30m\"` without a shortest time";

/// A shortest and a longest duration, either of which can be open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The shortest duration.
    pub min: Option<Duration>,
    /// The longest duration.
    pub max: Option<Duration>,
}

impl Window {
    pub(crate) const fn new(min: Duration, max: Duration) -> Self {
        Self { min: Some(min), max: Some(max) }
    }

    /// Whether a duration is in it.
    pub fn contains(self, duration: Duration) -> bool {
        self.min.is_none_or(|min| min <= duration) && self.max.is_none_or(|max| duration <= max)
    }

    /// The longest duration that it names.
    pub(super) fn longest(self) -> Duration {
        self.max.or(self.min).unwrap_or_default()
    }

    /// The window without durations longer than `longest`.
    pub(crate) fn within(self, longest: Duration) -> Self {
        if self.max.is_none() {
            return Self { min: self.min.map(|min| min.min(longest)), max: None };
        }
        Self { min: self.min.filter(|min| *min <= longest), max: self.max.map(|max| max.min(longest)) }
    }

    /// The help for a window with durations longer than `longest`.
    pub(super) fn help_within(self, longest: Duration) -> String {
        let less = if self.max.is_none() { " or less" } else { "" };
        format!("write `\"{}\"`{less}", self.within(longest))
    }

    /// Parses a window. The error is a message and a help.
    pub(super) fn parse(text: &str) -> Result<Self, (String, String)> {
        let Some((start, end)) = text.split_once("..") else {
            return Err((format!("expected a range, found `{text}`"), help_without_dots(text)));
        };
        let help = help(start, end.trim_start_matches(['.', '=']));
        let half = |written: &str| match written.trim() {
            "" => Ok(None),
            written => parse_duration(written).map(Some).map_err(|error| error.message),
        };
        match (half(start), half(end.strip_prefix('=').unwrap_or(end))) {
            (Err(message), _) | (_, Err(message)) => Err((message, help)),
            (Ok(None), Ok(None)) => Err(("empty range".to_owned(), EXAMPLE.to_owned())),
            (Ok(Some(min)), Ok(Some(max))) if min > max => Err(("range ends before it starts".to_owned(), help)),
            (Ok(min), Ok(max)) => {
                let window = Self { min, max };
                if min.max(max).is_some_and(|longest| longest > LONGEST_TTL) {
                    return Err((exceeds_longest_ttl(text), window.help_within(LONGEST_TTL)));
                }
                Ok(window)
            }
        }
    }
}

/// The help for a text without `..`.
fn help_without_dots(text: &str) -> String {
    let separators = [" to ", "-", "–", ","];
    match separators.iter().find_map(|separator| text.split_once(separator)) {
        Some((start, end)) => help(start, end),
        None => help("", text),
    }
}

/// The help with the window that two halves mean, whatever their form.
fn help(start: &str, end: &str) -> String {
    let window = match (lenient(start), lenient(end)) {
        (Ok(None), Ok(None)) | (Err(_), _) | (_, Err(_)) => return EXAMPLE.to_owned(),
        (Ok(Some(min)), Ok(Some(max))) if min > max => Window::new(max, min),
        (Ok(min), Ok(max)) => Window { min, max },
    };
    format!("write `\"{}\"`", window.within(LONGEST_TTL))
}

/// The duration that a text means. Nothing, and zero in any unit, leave the window open.
fn lenient(text: &str) -> Result<Option<Duration>, DurationError> {
    let text = text.trim();
    if text.is_empty() || text.starts_with('0') && !text.contains(|c| matches!(c, '1'..='9')) {
        return Ok(None);
    }
    parse_duration(text).map(Some).or_else(|error| match &error.suggestion {
        _ if error.overflow => Ok(Some(Duration::MAX)),
        Some(suggestion) => parse_duration(suggestion).map(Some),
        None => Err(error),
    })
}

impl fmt::Display for Window {
    /// Writes it as in the file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let half = |duration: Option<Duration>| duration.map(duration::render).unwrap_or_default();
        write!(f, "{}..{}", half(self.min), half(self.max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_what_it_writes() {
        for text in ["5m..30m", "..30m", "1d..", "10s..10s", "1h30m..1d"] {
            assert_eq!(Window::parse(text).map(|window| window.to_string()), Ok(text.to_owned()));
        }
        assert_eq!(Window::parse("5m..=30m"), Window::parse("5m..30m"));
        assert_eq!(Window::parse("5m .. 30m"), Window::parse("5m..30m"));
    }

    #[test]
    fn errors_say_what_to_write() {
        let beyond = |text: &str| format!("`{text}` exceeds the limit of 3650d");
        for (text, message, help) in [
            ("5m-30m", "expected a range, found `5m-30m`", "write `\"5m..30m\"`"),
            ("5min to 1 hour", "expected a range, found `5min to 1 hour`", "write `\"5m..1h\"`"),
            ("30m", "expected a range, found `30m`", "write `\"..30m\"`"),
            ("soon", "expected a range, found `soon`", EXAMPLE),
            ("..", "empty range", EXAMPLE),
            ("30m..5m", "range ends before it starts", "write `\"5m..30m\"`"),
            ("5min..30m", "expected a duration, found `5min`", "write `\"5m..30m\"`"),
            ("300..30m", "duration without a unit: `300`", "write `\"5m..30m\"`"),
            ("5m..soon", "expected a duration, found `soon`", EXAMPLE),
            ("5m...1h", "expected a duration, found `.1h`", "write `\"5m..1h\"`"),
            ("0s..1h", "expected a duration above zero, found `0s`", "write `\"..1h\"`"),
            ("1h..4015d", &beyond("1h..4015d"), "write `\"1h..3650d\"`"),
            ("4000d..", &beyond("4000d.."), "write `\"3650d..\"` or less"),
            ("4000d..5000d", &beyond("4000d..5000d"), "write `\"..3650d\"`"),
            (
                "5m..99999999999999999999d",
                "`99999999999999999999d` exceeds the limit of 3650d",
                "write `\"5m..3650d\"`",
            ),
        ] {
            let expected = Err((message.to_owned(), help.to_owned()));
            assert_eq!(Window::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn contains_its_ends() {
        let window = Window::new(Duration::from_secs(10), Duration::from_secs(60));
        let contains = [9, 10, 60, 61].map(|seconds| window.contains(Duration::from_secs(seconds)));
        assert_eq!(contains, [false, true, true, false]);
    }
}
