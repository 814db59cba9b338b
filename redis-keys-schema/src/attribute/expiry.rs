//! Options for the expiry: `ttl`, `jitter`, `renew` and `ttl_from_end_of`.

use std::time::Duration;

use redis_keys_core::duration::render;
use redis_keys_core::schema::Renew;

use super::duration::{CONSTANT_HELP, DurationError, exceeds_longest_ttl, is_constant, parse_duration, read_duration};
use super::raw_option::RawOption;
use crate::Rule;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::edit::Suggestion;
use crate::limits::LONGEST_TTL;
use crate::piece::Piece;
use crate::suggest::nearest;

/// The time to live of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ttl {
    /// It expires this long after it was written.
    After(Duration),
    /// It never expires.
    Never,
}

/// The options of a key that never expires.
const NEVER: &str = "ttl = never, reason = \"…\"";

/// The limit of the random part of the expiry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jitter {
    /// A duration.
    Time(Duration),
    /// A share of the expiry, in percent.
    Percent(u8),
}

impl Ttl {
    /// Reads a `ttl`, or reports the problem. `has_reason` says whether the key has a `reason`.
    pub(super) fn read(option: RawOption<'_>, has_reason: bool, diagnostics: &mut Diagnostics) -> Option<Self> {
        let value = option.bare_value()?;
        let text = value.text;
        if text == "never" {
            return Some(Self::Never);
        }
        let parsed = parse_duration(text);
        if let Ok(duration) = parsed
            && duration <= LONGEST_TTL
        {
            return Some(Self::After(duration));
        }
        let never = ["none", "forever", "infinite", "never", "persist", "-1"].contains(&text.to_lowercase().as_str())
            || nearest(text, ["never"]).is_some();
        let exceeds_limit = match &parsed {
            Ok(_) => true,
            Err(error) => {
                let meant = error.suggestion.as_deref().and_then(|suggestion| parse_duration(suggestion).ok());
                error.overflow || meant.is_some_and(|duration| duration > LONGEST_TTL)
            }
        };
        let (message, help) = if never {
            let help = if has_reason {
                Suggestion::write("never")
            } else {
                // The quotes of the value are not the quotes of the reason.
                Suggestion::write_option(NEVER).saying("write `never, reason = \"…\"`")
            };
            (format!("expected a duration, found `{text}`"), help)
        } else if exceeds_limit {
            let never = format!(" or less, or `{NEVER}`");
            (exceeds_longest_ttl(text), Suggestion::write(render(LONGEST_TTL)).and(&never))
        } else {
            return read_duration(value, "1h", Rule::Expiry, diagnostics).map(Self::After);
        };
        diagnostics.report(value.range(), Rule::LongLived, message, help);
        None
    }
}

impl Jitter {
    pub(super) fn read(value: Piece<'_>, diagnostics: &mut Diagnostics) -> Option<Self> {
        let Some(percent) = value.text.strip_suffix('%') else {
            return match parse_duration(value.text) {
                Ok(duration) => Some(Self::Time(duration)),
                Err(error) => {
                    diagnostics.push(no_jitter(value, error));
                    None
                }
            };
        };
        if let Ok(percent @ 1..=100) = percent.trim().parse::<u8>() {
            return Some(Self::Percent(percent));
        }
        let message = format!("expected a share from `1%` to `100%`, found `{}`", value.text);
        diagnostics.report(value.range(), Rule::Jitter, message, Suggestion::write("10%"));
        None
    }

    /// The most that it adds to an expiry.
    pub fn of(self, ttl: Duration) -> Duration {
        match self {
            Self::Time(time) => time,
            Self::Percent(percent) => ttl * u32::from(percent) / 100,
        }
    }
}

/// Reports a jitter that is not a duration and not a share.
fn no_jitter(value: Piece<'_>, error: DurationError) -> Diagnostic {
    let help = match (suggested_share(value.text), error.suggestion) {
        (Some(percent), _) => Suggestion::write(format!("{percent}%")),
        (None, Some(duration)) => Suggestion::write(duration),
        (None, None) if is_constant(value.text) => CONSTANT_HELP.into(),
        (None, None) => "write a duration or a share of the ttl, as in `5m` or `10%`".into(),
    };
    let message = error.message.replacen("a duration,", "a duration or a share,", 1);
    Diagnostic::new(value.range(), Rule::Jitter, message, help)
}

/// The percents of `0.1` and `10pct`.
pub(super) fn suggested_share(text: &str) -> Option<u8> {
    let percent = match text.strip_prefix("0.") {
        Some(digits) => format!("{digits:0<2}").parse(),
        None => text.trim_end_matches("pct").trim_end_matches("percent").trim_end().parse(),
    };
    let is_share = text.contains(['.', 'p']);
    percent.ok().filter(|percent| is_share && (1..=100).contains(percent))
}

/// Whether a text is a value of `renew`.
pub(crate) fn is_renewal(text: &str) -> bool {
    matches!(text, "read" | "write") || text.starts_with("below(")
}

/// Reads a value of `renew`, or reports the problem.
pub(super) fn read_renewal(value: Piece<'_>, diagnostics: &mut Diagnostics) -> Option<Renew> {
    let word = value.leading_word();
    match (value.text, threshold(value)) {
        ("write", _) => return Some(Renew::Write),
        ("read", _) => return Some(Renew::Read),
        (_, Some(threshold)) if word.text == "below" && !threshold.is_empty() => {
            return read_duration(threshold, "10m", Rule::Renewal, diagnostics).map(Renew::Below);
        }
        _ => {}
    }
    let help = match word.text.to_lowercase().as_str() {
        "below" => Suggestion::write("below(10m)").and(", to renew when a read finds less than that left"),
        "true" | "always" | "sliding" | "access" | "touch" => {
            Suggestion::write("read").and(" for each read and write, or `write` for each write")
        }
        other => match nearest(other, ["write", "read", "below"]) {
            Some("below") => Suggestion::write("below(10m)"),
            Some(near) => Suggestion::write(near),
            None => Suggestion::write("write").and(", `read` or `below(10m)`"),
        },
    };
    let message = format!("expected `write`, `read` or `below(…)`, found `{}`", value.text);
    diagnostics.report(value.range(), Rule::Renewal, message, help);
    None
}

/// The text in the parentheses of `below(10m)`.
pub(super) fn threshold(value: Piece<'_>) -> Option<Piece<'_>> {
    let rest = value.from(value.leading_word().text.len()).trim();
    let inner = rest.text.strip_prefix('(')?.strip_suffix(')')?;
    Some(rest.part(1..1 + inner.len()).bare())
}
