//! From how long to how long keys live: `5m..30m`.

use std::fmt;
use std::time::Duration;

use crate::attribute::{DurationError, parse_duration};
use crate::limits::LONGEST_TTL;

const EXAMPLE: &str = "write, say, `\"5m..30m\"`, or `\"..30m\"` for no shortest time";

/// A shortest and a longest time, of which one may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The shortest.
    pub min: Option<Duration>,
    /// The longest.
    pub max: Option<Duration>,
}

impl Window {
    pub(crate) const fn new(min: Duration, max: Duration) -> Self {
        Self { min: Some(min), max: Some(max) }
    }

    /// Whether a time lies in it.
    pub fn holds(self, time: Duration) -> bool {
        self.min.is_none_or(|min| min <= time) && self.max.is_none_or(|max| time <= max)
    }

    /// The longest time that it speaks of.
    pub(super) fn longest(self) -> Duration {
        self.max.or(self.min).unwrap_or_default()
    }

    /// It without what is longer than a time.
    pub(crate) fn within(self, most: Duration) -> Self {
        if self.max.is_none() {
            return Self { min: self.min.map(|min| min.min(most)), max: None };
        }
        Self { min: self.min.filter(|min| *min <= most), max: self.max.map(|max| max.min(most)) }
    }

    /// What to write instead of one that goes beyond a time.
    pub(super) fn help_within(self, most: Duration) -> String {
        let less = if self.max.is_none() { " or less" } else { "" };
        format!("write `\"{}\"`{less}", self.within(most))
    }

    /// Reads it, or says what is wrong and what to write.
    pub(super) fn parse(text: &str) -> Result<Self, (String, String)> {
        let Some((start, end)) = text.split_once("..") else { return Err(without_dots(text)) };
        let dotless = end.trim_start_matches('.');
        if dotless.len() < end.len() {
            let message = format!("`{text}` is no window: two dots stand between its times");
            return Err((message, help(start, dotless)));
        }
        let end = end.strip_prefix('=').unwrap_or(end);
        let half = |written: &str| time(written).map_err(|fault| (fault.message, help(start, end)));
        match (half(start)?, half(end)?) {
            (None, None) => Err(("this window says nothing".to_owned(), EXAMPLE.to_owned())),
            (Some(min), Some(max)) if min > max => {
                Err(("this window ends before it starts".to_owned(), help(start, end)))
            }
            (min, max) if min.max(max).is_some_and(|time| time > LONGEST_TTL) => {
                let help = Self { min, max }.help_within(LONGEST_TTL);
                Err(("no key lives longer than ten years".to_owned(), help))
            }
            (min, max) => Ok(Self { min, max }),
        }
    }

    /// The window that two halves mean, in whatever way they are written.
    fn meant(start: &str, end: &str) -> Option<Self> {
        // No time at all is no shortest time, and as a longest nonsense.
        let min = if is_zero(start) { None } else { lenient(start).ok()? };
        let window = match (min, lenient(end).ok()?) {
            (None, None) => return None,
            (Some(min), Some(max)) if min > max => Self::new(max, min),
            (min, max) => Self { min, max },
        };
        Some(window.within(LONGEST_TTL))
    }
}

/// What is wrong with a text that has no `..`, and what to write.
fn without_dots(text: &str) -> (String, String) {
    let cuts = [" to ", "-", "–", "~", "…", ","];
    let halves = cuts.iter().find_map(|cut| text.split_once(cut));
    let meant = halves.and_then(|(start, end)| Window::meant(start, end));
    let help = match (meant, time(text)) {
        (Some(window), _) => format!("write `\"{window}\"`"),
        (None, Ok(Some(max))) => format!("write `\"..{0}\"` for at most {0}", render(max.min(LONGEST_TTL))),
        _ => EXAMPLE.to_owned(),
    };
    (format!("`{text}` is no window: it has a shortest and a longest time"), help)
}

fn help(start: &str, end: &str) -> String {
    Window::meant(start, end).map_or_else(|| EXAMPLE.to_owned(), |window| format!("write `\"{window}\"`"))
}

/// Nothing, or a length of time; or what is wrong with it.
fn time(text: &str) -> Result<Option<Duration>, DurationError> {
    match text.trim() {
        "" => Ok(None),
        text => parse_duration(text).map(Some),
    }
}

/// The same, in whatever way it is written.
fn lenient(text: &str) -> Result<Option<Duration>, DurationError> {
    time(text).or_else(|fault| match &fault.suggestion {
        _ if fault.overflow => Ok(Some(Duration::MAX)),
        Some(instead) if !is_zero(text) => time(instead),
        _ => Err(fault),
    })
}

/// Whether a text is no time at all, in any unit.
fn is_zero(text: &str) -> bool {
    text.trim().starts_with('0') && !text.contains(|c| matches!(c, '1'..='9'))
}

fn render(time: Duration) -> String {
    redis_keys_core::duration::render(time)
}

impl fmt::Display for Window {
    /// As it stands in the file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let half = |time: Option<Duration>| time.map(render).unwrap_or_default();
        write!(f, "{}..{}", half(self.min), half(self.max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        for text in ["5m..30m", "..30m", "1d..", "10s..10s", "1h30m..1d"] {
            assert_eq!(Window::parse(text).map(|window| window.to_string()), Ok(text.to_owned()));
        }
        assert_eq!(Window::parse("5m..=30m"), Window::parse("5m..30m"));
        assert_eq!(Window::parse("5m .. 30m"), Window::parse("5m..30m"));
    }

    #[test]
    fn says_what_to_write() {
        for (text, help) in [
            ("5m-30m", "write `\"5m..30m\"`"),
            ("5m to 30m", "write `\"5m..30m\"`"),
            ("5min - 1 hour", "write `\"5m..1h\"`"),
            ("30m", "write `\"..30m\"` for at most 30m"),
            ("30m..5m", "write `\"5m..30m\"`"),
            ("5min..30m", "write `\"5m..30m\"`"),
            ("300..30m", "write `\"5m..30m\"`"),
            ("..", EXAMPLE),
            ("soon", EXAMPLE),
            ("soon..30m", EXAMPLE),
            ("5m...1h", "write `\"5m..1h\"`"),
            ("5m....1h", "write `\"5m..1h\"`"),
            ("...1h", "write `\"..1h\"`"),
            ("5m...", "write `\"5m..\"`"),
            ("....", EXAMPLE),
            ("0s..1h", "write `\"..1h\"`"),
            ("0..1h", "write `\"..1h\"`"),
            ("0 - 1h", "write `\"..1h\"`"),
            ("0.5h..1h", "write `\"30m..1h\"`"),
            ("1h..0s", EXAMPLE),
            ("0s..", EXAMPLE),
            ("1h..4015d", "write `\"1h..3650d\"`"),
            ("..4015d", "write `\"..3650d\"`"),
            ("4000d..", "write `\"3650d..\"` or less"),
            ("4000d..5000d", "write `\"..3650d\"`"),
            ("5min..11y", "write `\"5m..3650d\"`"),
            ("5m to 11y", "write `\"5m..3650d\"`"),
            ("5m..99999999999999999999d", "write `\"5m..3650d\"`"),
            ("99999999999999999999d..", "write `\"3650d..\"`"),
            ("11y", EXAMPLE),
            ("4015d", "write `\"..3650d\"` for at most 3650d"),
        ] {
            assert_eq!(Window::parse(text).err().map(|(_, help)| help).as_deref(), Some(help), "{text}");
        }
    }

    #[test]
    fn says_what_is_wrong_with_which_half() {
        for (text, message) in [
            ("5m...1h", "`5m...1h` is no window: two dots stand between its times"),
            ("0s..1h", "expected a duration above zero, found `0s`"),
            ("5m.. 0m", "expected a duration above zero, found `0m`"),
            ("300..30m", "duration without a unit: `300`"),
            ("5m..soon", "expected a duration, found `soon`"),
            ("4000d..", "no key lives longer than ten years"),
        ] {
            assert_eq!(Window::parse(text).err().map(|(message, _)| message).as_deref(), Some(message), "{text}");
        }
    }

    #[test]
    fn holds_its_ends() {
        let window = Window::new(Duration::from_secs(10), Duration::from_secs(60));
        let holds = [9, 10, 60, 61].map(|seconds| window.holds(Duration::from_secs(seconds)));
        assert_eq!(holds, [false, true, true, false]);
    }
}
