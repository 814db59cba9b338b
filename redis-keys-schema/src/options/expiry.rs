//! When a key expires: `ttl`, `jitter`, `renew`, `ttl_from_end_of`, `null_ttl`.

use std::time::Duration;

use super::duration::{self, Fault};
use crate::Rule;
use crate::diagnostic::Diagnostic;
use crate::limits::LONGEST_TTL;
use crate::piece::Piece;
use crate::suggest::nearest;

/// How long a key lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ttl {
    /// It expires so long after it was written.
    After(Duration),
    /// It never expires.
    Never,
}

/// How much is added to the expiry at most, at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jitter {
    /// So long.
    Time(Duration),
    /// So many hundredths of the expiry.
    Percent(u8),
}

/// When the expiry starts anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renew {
    /// At each write.
    Write,
    /// At each write and each read.
    Read,
    /// At a read that finds less than that left.
    Below(Duration),
}

/// A span of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "they are what they are called")]
pub enum Bucket {
    Year,
    Month,
    Day,
    Hour,
}

impl Ttl {
    pub(super) fn parse(value: Piece<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Self> {
        let text = value.text;
        if text == "never" {
            return Some(Self::Never);
        }
        let read = duration::parse(text);
        if let Ok(length) = read
            && length <= LONGEST_TTL
        {
            return Some(Self::After(length));
        }
        let forever =
            matches!(text.to_lowercase().as_str(), "none" | "forever" | "infinite" | "never" | "persist" | "-1");
        if forever || nearest(text, ["never"]).is_some() {
            let message = format!("`{text}` is no length of time: a key that never expires says `never`, and why");
            diagnostics
                .push(Diagnostic::at(value.range(), Rule::LongLived, message).help("write `never, reason = \"…\"`"));
            return None;
        }
        let meant = match read {
            Err(Fault { instead: Some(instead), .. }) => duration::parse(&instead),
            read => read,
        };
        let too_long = match meant {
            Ok(length) => length > LONGEST_TTL,
            Err(fault) => fault.overflow,
        };
        if too_long {
            let message = format!("`{text}` is longer than ten years, which is as good as never");
            diagnostics
                .push(Diagnostic::at(value.range(), Rule::LongLived, message).help("write `never, reason = \"…\"`"));
            return None;
        }
        length(value, Rule::Expiry, diagnostics).map(Self::After)
    }
}

impl Jitter {
    pub(super) fn parse(value: Piece<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Self> {
        let Some(percent) = value.text.strip_suffix('%') else {
            return length(value, Rule::Jitter, diagnostics).map(Self::Time);
        };
        if let Ok(percent @ 1..=100) = percent.trim().parse::<u8>() {
            return Some(Self::Percent(percent));
        }
        let message = format!("`{}` is no share of the ttl: it is `1%` to `100%`, in whole numbers", value.text);
        diagnostics.push(Diagnostic::at(value.range(), Rule::Jitter, message).help("write `10%`"));
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

impl Renew {
    pub(super) fn parse(value: Piece<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Self> {
        let word = value.leading_word();
        let argument = value.from(word.text.len()).trim();
        let inner = argument.text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
        match (word.text, inner) {
            ("write", None) if argument.is_empty() => return Some(Self::Write),
            ("read", None) if argument.is_empty() => return Some(Self::Read),
            ("below", Some(inner)) => {
                let inner = argument.part(1..1 + inner.len()).bare();
                if !inner.is_empty() {
                    return length(inner, Rule::Renewal, diagnostics).map(Self::Below);
                }
            }
            _ => {}
        }
        let help = match (word.text.to_lowercase().as_str(), inner) {
            ("below", _) => "write `below(10m)`, with the time that a read must find left".to_owned(),
            ("write", _) => "write `write`".to_owned(),
            ("read", _) => "write `read`".to_owned(),
            ("true" | "always" | "sliding" | "access" | "touch", _) => {
                "write `read` (each read and write) or `write` (each write)".to_owned()
            }
            (other, _) => match nearest(other, ["write", "read", "below"]) {
                Some("below") => "write `below(10m)`".to_owned(),
                Some(near) => format!("write `{near}`"),
                None => "write `write`, `read` or `below(10m)`".to_owned(),
            },
        };
        let message = format!("`{}` doesn't say when the expiry starts anew", value.text);
        diagnostics.push(Diagnostic::at(value.range(), Rule::Renewal, message).help(help));
        None
    }
}

impl Bucket {
    pub(crate) const ALL: [Self; 4] = [Self::Year, Self::Month, Self::Day, Self::Hour];

    /// What is none may be a field that holds one, which is told where the fields are known.
    pub(super) fn parse(value: Piece<'_>) -> Option<Self> {
        Self::ALL.into_iter().find(|bucket| bucket.name() == value.text)
    }

    /// The name of the type in `redis_keys::bucket`.
    pub const fn type_name(self) -> &'static str {
        match self {
            Self::Year => "Year",
            Self::Month => "Month",
            Self::Day => "Day",
            Self::Hour => "Hour",
        }
    }

    /// Its name, which is also the name of the field that holds it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Year => "year",
            Self::Month => "month",
            Self::Day => "day",
            Self::Hour => "hour",
        }
    }
}

pub(super) fn null_ttl(value: Piece<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Duration> {
    length(value, Rule::Expiry, diagnostics)
}

pub(crate) fn length(value: Piece<'_>, rule: Rule, diagnostics: &mut Vec<Diagnostic>) -> Option<Duration> {
    let Fault { message, instead, .. } = match duration::parse(value.text) {
        Ok(length) => return Some(length),
        Err(fault) => fault,
    };
    let help = match instead {
        Some(instead) => format!("write `{instead}`"),
        None => "write whole numbers with the units `ms` `s` `m` `h` `d` `w`, as in `1h30m`".to_owned(),
    };
    diagnostics.push(Diagnostic::at(value.range(), rule, format!("`{}` is {message}", value.text)).help(help));
    None
}
