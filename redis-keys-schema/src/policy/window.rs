//! From how long to how long keys live: `5m..30m`.

use std::fmt;
use std::time::Duration;

use crate::limits::LONGEST_TTL;
use crate::options::{parse_duration, render_duration};

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

    /// Reads it, or says what is wrong and what to write.
    pub(super) fn parse(text: &str) -> Result<Self, (String, String)> {
        let Some((start, end)) = text.split_once("..") else {
            let cuts = [" to ", "-", "–", "~", "…", ","];
            let halves = cuts.iter().find_map(|cut| text.split_once(cut));
            let meant = halves.and_then(|(start, end)| Some((lenient(start)?, lenient(end)?)));
            let help = match (meant, time(text)) {
                (Some((min, max)), _) => format!("write `\"{}..{}\"`", render(min), render(max)),
                (None, Ok(Some(max))) => format!("write `\"..{0}\"` for at most {0}", render(max)),
                _ => EXAMPLE.to_owned(),
            };
            return Err((format!("`{text}` is no window: it has a shortest and a longest time"), help));
        };
        let end = end.strip_prefix('=').unwrap_or(end);
        let half = |written: &str| {
            time(written).map_err(|_| {
                let meant = |written: &str| match time(written) {
                    Ok(time) => Some(time.map(render).unwrap_or_default()),
                    Err(instead) => instead,
                };
                let help = match meant(start).zip(meant(end)) {
                    Some((min, max)) => format!("write `\"{min}..{max}\"`"),
                    None => EXAMPLE.to_owned(),
                };
                (format!("`{}` is no length of time", written.trim()), help)
            })
        };
        let (min, max) = (half(start)?, half(end)?);
        let help = |window: Self| format!("write `\"{window}\"`");
        match (min, max) {
            (None, None) => Err(("this window says nothing".to_owned(), EXAMPLE.to_owned())),
            (Some(min), Some(max)) if min > max => {
                Err(("this window ends before it starts".to_owned(), help(Self::new(max, min))))
            }
            (min, max) if min.max(max).is_some_and(|time| time > LONGEST_TTL) => {
                let longest = Self { min: min.filter(|min| *min <= LONGEST_TTL), max: Some(LONGEST_TTL) };
                Err(("no key lives longer than ten years".to_owned(), help(longest)))
            }
            (min, max) => Ok(Self { min, max }),
        }
    }
}

/// Nothing, or a length of time; or what to write instead.
fn time(text: &str) -> Result<Option<Duration>, Option<String>> {
    match text.trim() {
        "" => Ok(None),
        text => parse_duration(text).map(Some).map_err(|(_, instead)| instead),
    }
}

/// The length of time that a text means, in whatever way it is written.
fn lenient(text: &str) -> Option<Duration> {
    match time(text) {
        Ok(time) => time,
        Err(instead) => parse_duration(&instead?).ok(),
    }
}

fn render(time: Duration) -> String {
    render_duration(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
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
            ("300..30m", "write `\"300s..30m\"`"),
            ("..", EXAMPLE),
            ("soon", EXAMPLE),
            ("soon..30m", EXAMPLE),
            ("1h..4015d", "write `\"1h..3650d\"`"),
        ] {
            assert_eq!(Window::parse(text).err().map(|(_, help)| help).as_deref(), Some(help), "{text}");
        }
    }

    #[test]
    fn holds_its_ends() {
        let window = Window::new(Duration::from_secs(10), Duration::from_secs(60));
        let holds = [9, 10, 60, 61].map(|seconds| window.holds(Duration::from_secs(seconds)));
        assert_eq!(holds, [false, true, true, false]);
    }
}
