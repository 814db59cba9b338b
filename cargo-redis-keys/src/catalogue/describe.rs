//! What a declaration says, in words.

use std::fmt::Write as _;

use super::{Key, Parameter, Values};
use crate::output::units;

/// A fact about a key, for a reviewer.
#[derive(Clone, Debug)]
pub(crate) struct Fact {
    pub(crate) label: &'static str,
    pub(crate) spans: Vec<Span>,
}

/// A part of a fact.
#[derive(Clone, Debug)]
pub(crate) enum Span {
    /// Words.
    Text(String),
    /// Code.
    Code(String),
}

impl Fact {
    fn new<const SPANS: usize>(label: &'static str, spans: [Span; SPANS]) -> Self {
        Self { label, spans: spans.into() }
    }
}

fn text(text: impl Into<String>) -> Span {
    Span::Text(text.into())
}

fn code(text: impl Into<String>) -> Span {
    Span::Code(text.into())
}

impl Key {
    /// All that a reviewer wants to know of the key, apart from the doc comment. It has no line, which other changes move.
    pub(crate) fn facts(&self) -> Vec<Fact> {
        let mut facts = vec![Fact::new(
            "declared",
            [code(self.path()), text(" in "), code(&self.file), text(format!(" ({}, {})", self.package, self.target))],
        )];
        let mut add = |label, given: &Option<String>| {
            if let Some(given) = given {
                facts.push(Fact::new(label, [text(given)]));
            }
        };
        add("owner", &self.owner);
        add("reason", &self.reason);
        facts.push(match self.stored() {
            Some(stored) => Fact::new("type", [code(&self.kind), text(" of "), code(stored)]),
            None => Fact::new("type", [code(&self.kind)]),
        });
        let words = [("pattern", self.pattern_text()), ("expiry", Some(self.expiry())), ("size", self.size())];
        facts.extend(words.into_iter().filter_map(|(label, words)| Some(Fact::new(label, [text(words?)]))));
        let length = format!("{} bytes at most, of {}", self.longest, self.max_key_bytes);
        facts.push(match &self.example {
            Some(example) => Fact::new("key", [text(format!("{length}, such as ")), code(example)]),
            None => Fact::new("key", [text(length)]),
        });
        facts.extend(self.parameters.iter().map(Parameter::fact));
        facts.extend(
            self.allowed
                .iter()
                .map(|allowed| Fact::new("allowed", [code(&allowed.lint), text(format!(": {}", allowed.reason))])),
        );
        if let Some(condition) = &self.condition {
            facts.push(Fact::new("declared if", [code(condition)]));
        }
        if let Some(made_by) = &self.made_by {
            facts.push(Fact::new("declared by the macro", [code(made_by)]));
        }
        facts
    }

    /// The purpose: the first paragraph of the doc comment, in one line.
    pub(crate) fn purpose(&self) -> Option<String> {
        let paragraph = self.docs.as_deref()?.trim().split("\n\n").next()?;
        let purpose = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        (!purpose.is_empty()).then_some(purpose)
    }

    /// The name of the struct with its module, such as `keys::user::Name`.
    pub(crate) fn path(&self) -> String {
        match self.module.as_deref() {
            None | Some("") => self.name.clone(),
            Some(module) => format!("{module}::{}", self.name),
        }
    }

    /// The stored form: `String`, or for a hash with any field names `String → u64`.
    pub(crate) fn stored(&self) -> Option<String> {
        match (&self.field, &self.value) {
            (Some(field), Some(value)) => Some(format!("{field} → {value}")),
            (None, value) => value.clone(),
            (field, None) => field.clone(),
        }
    }

    /// When the key expires, briefly: `1h + 5m`, or `never`.
    pub(crate) fn expiry_brief(&self) -> String {
        let Some(ttl) = self.ttl_ms else { return "never".to_owned() };
        let jitter =
            if self.jitter_ms == 0 { String::new() } else { format!(" + {}", units::duration(self.jitter_ms)) };
        let end = self.ttl_from_end_of.as_ref().map(|parameter| format!(" after {parameter}")).unwrap_or_default();
        format!("{}{jitter}{end}", units::duration(ttl))
    }

    /// When the key expires: after what, spread over how long, and what restarts it.
    pub(crate) fn expiry(&self) -> String {
        let Some(ttl) = self.ttl_ms else { return "never".to_owned() };
        let mut text = units::duration(ttl);
        if let Some(parameter) = &self.ttl_from_end_of {
            let _ = write!(text, " after the end of the {parameter}");
        }
        if self.jitter_ms > 0 {
            let _ = write!(text, ", and up to {} at random", units::duration(self.jitter_ms));
        }
        match (self.renew.as_deref(), self.renew_below_ms) {
            (None, _) => {}
            (Some("below"), Some(rest)) => {
                let _ = write!(text, ", restarted when less than {} are left", units::duration(rest));
            }
            (Some(on), _) => {
                let _ = write!(text, ", restarted by each {on}");
            }
        }
        text
    }

    /// The pattern that the key follows, and its numbers.
    pub(crate) fn pattern_text(&self) -> Option<String> {
        let duration = |ms: Option<u64>| ms.map_or("?".to_owned(), units::duration);
        let number = |number: Option<u64>| number.map_or("?".to_owned(), units::count);
        Some(match self.pattern.as_deref()? {
            "cache" => {
                let refresh = match self.refresh_percent {
                    Some(percent) => format!(", loaded again in advance after {percent} % of its time"),
                    None => String::new(),
                };
                let (absence, lease) = (duration(self.null_ttl_ms), duration(self.lease_ms));
                format!("cache: absence is remembered for {absence}, one load at a time, of {lease} at most{refresh}")
            }
            "limit" => {
                let (limit, per) = (number(self.limit), duration(self.limit_per_ms));
                format!("rate limit: {limit} in {per}, {} at once", number(self.burst))
            }
            "jobs" => format!("jobs: {} tries of {} at most", number(self.tries), duration(self.lease_ms)),
            "lock" => "lock: one owner at a time".to_owned(),
            other => other.to_owned(),
        })
    }

    /// The limit of what the key stores, briefly: `10KB`, or `5,000 × 4KB`.
    pub(crate) fn size_brief(&self) -> String {
        let about = if self.keep_about { "~" } else { "" };
        let number =
            (self.keep_last.or(self.keep_top).or(self.max_len)).map(|most| format!("{about}{}", units::count(most)));
        match (self.max_bytes, number, self.max_member_bytes) {
            (Some(most), ..) => size_of(most),
            (None, Some(number), Some(each)) => format!("{number} × {}", size_of(each)),
            (None, number, each) => number.or(each.map(size_of)).unwrap_or_default(),
        }
    }

    /// The limit of what the key stores, or `None` if it has a fixed size.
    pub(crate) fn size(&self) -> Option<String> {
        let about = if self.keep_about { "about " } else { "" };
        let elements = |most| units::things(most, "element");
        let number = self
            .keep_last
            .map(|last| format!("{about}the newest {}", elements(last)))
            .or_else(|| self.keep_top.map(|top| format!("the top {}", elements(top))))
            .or_else(|| self.max_len.map(|most| format!("at most {}", elements(most))));
        let bytes = |bytes: u64| size_of(bytes);
        match (self.max_bytes, number, self.max_member_bytes) {
            (Some(most), ..) => Some(format!("at most {}", bytes(most))),
            (None, Some(number), Some(each)) => Some(format!("{number}, each at most {}", bytes(each))),
            (None, Some(number), None) => Some(number),
            (None, None, Some(each)) => Some(format!("each at most {}", bytes(each))),
            (None, None, None) => None,
        }
    }
}

impl Parameter {
    fn fact(&self) -> Fact {
        let tag = if self.hash_tag { ", the hash tag" } else { "" };
        let texts = text(format!(": {}{tag}", self.texts()));
        Fact::new("parameter", [code(&self.name), text(", "), code(&self.type_name), texts])
    }

    /// The texts that it can have.
    pub(crate) fn texts(&self) -> String {
        match self.form.as_str() {
            "digest" => return "digest, 32 hexadecimal digits".to_owned(),
            "base32" => return "in base32".to_owned(),
            _ => {}
        }
        let texts = match &self.values {
            None => return "unknown values".to_owned(),
            Some(values) => values.describe(),
        };
        match (self.shards, self.copies) {
            (Some(shards), _) => format!("one of {} shards, {texts}", units::count(shards)),
            (None, Some(copies)) => format!("one of {} copies, {texts}", units::count(copies)),
            (None, None) => texts,
        }
    }
}

impl Values {
    /// The texts.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Any => "any text".to_owned(),
            Self::Number { from, to } => format!("{from} to {to}"),
            Self::Hex { digits } => format!("{digits} hexadecimal digits"),
            Self::IpAddr => "8 or 32 hexadecimal digits".to_owned(),
            Self::Base32 => "base32".to_owned(),
            Self::Years => "a year, YYYY".to_owned(),
            Self::Months => "a month, YYYYMM".to_owned(),
            Self::Days => "a day, YYYYMMDD".to_owned(),
            Self::Hours => "an hour, YYYYMMDDHH".to_owned(),
            Self::OneOf(texts) => format!("one of {}", texts.join(", ")),
        }
    }
}

/// A size as declarations write it: `10KB`.
fn size_of(bytes: u64) -> String {
    match bytes {
        0 => "0B".to_owned(),
        bytes if bytes.is_multiple_of(1 << 20) => format!("{}MB", units::count(bytes >> 20)),
        bytes if bytes.is_multiple_of(1 << 10) => format!("{}KB", units::count(bytes >> 10)),
        bytes => format!("{}B", units::count(bytes)),
    }
}
