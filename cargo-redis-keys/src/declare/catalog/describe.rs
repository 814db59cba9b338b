//! Descriptions of declarations in words.

use std::fmt::Write as _;
use std::time::Duration;

use redis_keys_core::encoding::read_base32;
use redis_keys_core::schema::{CacheOptions, JobOptions, Keep, LimitOptions, ParameterForm, Renew, Role};
use redis_keys_schema::Kind;

use super::{Key, Parameter, Values};
use crate::render::report::{Span, Text};
use crate::render::units;

/// A fact about a key, for a reviewer.
#[derive(Clone, Debug)]
pub(crate) struct Fact {
    pub(crate) label: &'static str,
    pub(crate) text: Text,
}

impl Fact {
    fn new<const SPANS: usize>(label: &'static str, spans: [Span; SPANS]) -> Self {
        Self { label, text: Text(spans.into()) }
    }
}

fn text(text: impl Into<String>) -> Span {
    Span::Text(text.into())
}

fn code(text: impl Into<String>) -> Span {
    Span::Code(text.into())
}

impl Key {
    /// All that a reviewer wants to know of the key, apart from the doc comment. It has no line, which other changes
    /// move.
    pub(crate) fn facts(&self) -> Vec<Fact> {
        let mut facts = vec![Fact::new(
            "declared",
            [code(self.path()), text(" in "), code(&self.file), text(format!(" ({}, {})", self.package, self.target))],
        )];
        let until = || text(", until programs write the template");
        facts.extend(self.legacy.iter().map(|legacy| Fact::new("text in use", [code(legacy), until()])));
        facts.extend(self.formerly.iter().map(|formerly| Fact::new("formerly", [code(formerly)])));
        let given = [("owner", &self.owner), ("reason", &self.reason), ("rebuild", &self.rebuild)];
        facts.extend(given.into_iter().filter_map(|(label, given)| Some(Fact::new(label, [text(given.as_ref()?)]))));
        facts.push(match self.stored() {
            Some(stored) => Fact::new("type", [code(self.kind.name()), text(" of "), code(stored)]),
            None => Fact::new("type", [code(self.kind.name())]),
        });
        let words = [("pattern", self.role_text()), ("expiry", Some(self.expiry())), ("size", self.size())];
        facts.extend(words.into_iter().filter_map(|(label, words)| Some(Fact::new(label, [text(words?)]))));
        let length = format!("{} bytes at most, of {}", self.longest, self.max_key_bytes);
        facts.extend((self.legacy.is_none()).then(|| match &self.example {
            Some(example) => Fact::new("key", [text(format!("{length}, such as ")), code(example)]),
            None => Fact::new("key", [text(length)]),
        }));
        facts.extend(self.parameters.iter().map(Parameter::fact));
        let allowed = self.allowed.as_str();
        facts.extend(allowed.iter().map(|it| Fact::new("allowed", [code(it.lint), text(format!(": {}", it.reason))])));
        facts.extend(self.condition.iter().map(|condition| Fact::new("declared if", [code(condition)])));
        facts.extend(self.made_by.iter().map(|made_by| Fact::new("declared by the macro", [code(made_by)])));
        facts
    }

    /// The text in use of a declaration that has two. `None` if the template is its only text.
    pub(crate) fn text_in_use(&self) -> Option<&str> {
        self.legacy.as_deref().or(self.formerly.as_ref().map(|_| self.template.as_str()))
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

    /// The name of the struct with its package and its module, such as `shop::keys::user::Name`.
    pub(crate) fn full_name(&self) -> String {
        format!("{}::{}", self.package, self.path())
    }

    /// The stored form: `String`, or for a hash with any field names `String → u64`.
    pub(crate) fn stored(&self) -> Option<String> {
        match (&self.field, &self.value) {
            (Some(field), Some(value)) => Some(format!("{field} → {value}")),
            (None, value) => value.clone(),
            (field, None) => field.clone(),
        }
    }

    /// Returns the word for an expiry that is missing: a channel stores nothing that could expire.
    pub(crate) fn without_ttl(&self) -> &'static str {
        if self.kind == Kind::Channel { "–" } else { "never" }
    }

    /// Returns the expiry, briefly: `1h + 5m`, `1h, stale 1d` or `never`.
    pub(crate) fn expiry_brief(&self) -> String {
        let Some(ttl) = self.ttl_ms() else { return self.without_ttl().to_owned() };
        let jitter = match self.jitter_ms() {
            0 => String::new(),
            jitter => format!(" + {}", units::duration(jitter)),
        };
        let end = self.ttl_from_end_of.as_ref().map(|parameter| format!(" after {parameter}")).unwrap_or_default();
        format!("{}{jitter}{end}{}", units::duration(ttl), self.stale_brief())
    }

    /// Returns the time for which an expired value stays, after other words: `, stale 1d`.
    pub(crate) fn stale_brief(&self) -> String {
        if self.stale_ms() == 0 { String::new() } else { format!(", stale {}", units::duration(self.stale_ms())) }
    }

    /// Returns the expiry: its time, its spread, and the events that restart it.
    pub(crate) fn expiry(&self) -> String {
        let Some(ttl) = self.ttl_ms() else { return self.without_ttl().to_owned() };
        let mut text = units::duration(ttl);
        if let Some(parameter) = &self.ttl_from_end_of {
            let _ = write!(text, " after the end of the {parameter}");
        }
        if self.jitter_ms() > 0 {
            let _ = write!(text, ", and up to {} at random", units::duration(self.jitter_ms()));
        }
        if self.stale_ms() > 0 {
            let _ = write!(text, ", and {} more in case loads fail", units::duration(self.stale_ms()));
        }
        match self.renew {
            Some(Renew::Below(left)) => {
                let _ = write!(text, ", restarted when less than {} are left", duration(left));
            }
            Some(Renew::Write) => text.push_str(", restarted by each write"),
            Some(Renew::Read) => text.push_str(", restarted by each read"),
            _ => {}
        }
        text
    }

    /// The role of the key, and its numbers.
    pub(crate) fn role_text(&self) -> Option<String> {
        Some(match self.role? {
            Role::Cache(cache) => {
                let refresh = match cache.refresh_percent {
                    Some(percent) => format!(", loaded again in advance after {percent} % of its time"),
                    None => String::new(),
                };
                let (absence, lease, near) = (duration(cache.null_ttl), duration(cache.lease), near_copies(cache));
                let stale = self.stale_brief();
                format!(
                    "cache: absence is remembered for {absence}, one load at a time, of {lease} at most{refresh}{near}{stale}"
                )
            }
            Role::Limit(limit) => format!("rate limit: {}", rate(limit)),
            Role::Jobs(JobOptions { lease, tries, .. }) => {
                format!("jobs: {} tries of {} at most", units::count(tries.into()), duration(lease))
            }
            Role::Lock => "lock: one owner at a time".to_owned(),
            Role::Bloom(filter) => {
                let (items, bytes) = (units::count(filter.expected), units::bytes(filter.bytes()));
                let percent = f64::from(filter.false_positives_per_million) / 10_000.0;
                format!("Bloom filter: {items} items with {percent} % of false positives, in {bytes}")
            }
            other => other.name().to_owned(),
        })
    }

    /// The limit of the content, or of the allowed number, or `None` if it has a fixed size.
    pub(crate) fn limit(&self) -> Option<String> {
        if let Some(Role::Limit(limit)) = self.role { Some(rate(limit)) } else { self.size() }
    }

    /// Whether it is a hash with a struct's fields, whose number is not limited.
    fn is_record(&self) -> bool {
        self.kind == Kind::Hash && self.field.is_none()
    }

    /// The limit of the content or the allowed number, briefly: `10KB`, `5,000 × 4KB`, `4KB a field` or `100 in 1m`.
    pub(crate) fn size_brief(&self) -> String {
        if let Some(Role::Limit(limit)) = self.role {
            return rate(limit);
        }
        let about = if matches!(self.keep, Some(Keep::AboutLast(_))) { "~" } else { "" };
        let number = self.keep.map(Keep::count).or(self.max_len);
        let number = number.map(|most| format!("{about}{}", units::count(most)));
        match (self.max_bytes, number, self.max_member_bytes) {
            (Some(most), ..) => size_of(most),
            (None, _, Some(each)) if self.is_record() => format!("{} a field", size_of(each)),
            (None, Some(number), Some(each)) => format!("{number} × {}", size_of(each)),
            (None, number, each) => number.or(each.map(size_of)).unwrap_or_default(),
        }
    }

    /// The limit of the content, or `None` if it has a fixed size.
    pub(crate) fn size(&self) -> Option<String> {
        let elements = |most| units::things(most, "element");
        let number = match self.keep {
            Some(Keep::Top(top)) => Some(format!("the top {}", elements(top))),
            Some(Keep::AboutLast(last)) => Some(format!("about the newest {}", elements(last))),
            Some(keep) => Some(format!("the newest {}", elements(keep.count()))),
            None => self.max_len.map(|most| format!("at most {}", elements(most))),
        };
        match (self.max_bytes, number, self.max_member_bytes) {
            (Some(most), ..) => Some(format!("at most {}", size_of(most))),
            (None, _, Some(each)) if self.is_record() => Some(format!("each field at most {}", size_of(each))),
            (None, Some(number), Some(each)) => Some(format!("{number}, each at most {}", size_of(each))),
            (None, Some(number), None) => Some(number),
            (None, None, Some(each)) => Some(format!("each at most {}", size_of(each))),
            (None, None, None) => None,
        }
    }
}

/// Returns the time for which copies are kept in memory, after other words: `, near 10s`.
pub(crate) fn near_copies(CacheOptions { near, .. }: CacheOptions) -> String {
    near.map(|near| format!(", near {}", duration(near))).unwrap_or_default()
}

/// The rate of a limit: `100 in 1m, 20 at once`.
fn rate(LimitOptions { count, per, burst, .. }: LimitOptions) -> String {
    format!("{} in {}, {} at once", units::count(count), duration(per), units::count(burst))
}

impl Parameter {
    fn fact(&self) -> Fact {
        let tag = if self.hash_tag { ", the hash tag" } else { "" };
        let texts = text(format!(": {}{tag}", self.texts()));
        Fact::new("parameter", [code(&self.name), text(", "), code(&self.type_name), texts])
    }

    /// Decodes a text of the parameter, if its encoding can be undone.
    pub(crate) fn decoded(&self, text: &[u8]) -> Option<Vec<u8>> {
        match self.form {
            ParameterForm::Base32 => {
                read_base32(str::from_utf8(text).ok()?, &mut vec![0; text.len()]).map(<[u8]>::to_vec)
            }
            ParameterForm::Slug(_) => Some(text.iter().map(|&byte| if byte == b'.' { b'-' } else { byte }).collect()),
            _ => None,
        }
    }

    /// The texts that it can have.
    pub(crate) fn texts(&self) -> String {
        let values = || self.values.as_ref().map_or_else(|| "unknown values".to_owned(), describe);
        match self.form {
            ParameterForm::Digest => "digest, 32 hexadecimal digits".to_owned(),
            ParameterForm::Base32 => "in base32, as mzxw6 for foo".to_owned(),
            ParameterForm::Slug(None) => "a slug, with `.` for `-`".to_owned(),
            ParameterForm::Slug(Some(bytes)) => format!("a slug of up to {bytes} bytes, with `.` for `-`"),
            ParameterForm::Shard(shards) => format!("one of {} shards, {}", units::count(shards.into()), values()),
            ParameterForm::Copy(copies) => format!("one of {} copies, {}", units::count(copies.into()), values()),
            _ => values(),
        }
    }
}

/// A parameter's texts.
pub(crate) fn describe(values: &Values) -> String {
    match values {
        Values::Number { from, to } => format!("{from} to {to}"),
        Values::Hex { digits } => format!("{digits} hexadecimal digits"),
        Values::IpAddr => "8 or 32 hexadecimal digits".to_owned(),
        Values::Base32 => "base32".to_owned(),
        Values::Years => "a year, YYYY".to_owned(),
        Values::Months => "a month, YYYYMM".to_owned(),
        Values::Weeks => "a week, YYYYwWW".to_owned(),
        Values::Days => "a day, YYYYMMDD".to_owned(),
        Values::Hours => "an hour, YYYYMMDDHH".to_owned(),
        Values::OneOf(texts) => format!("one of {}", texts.join(", ")),
        _ => "any text".to_owned(),
    }
}

/// A duration, as [`units`] writes it.
pub(crate) fn duration(duration: Duration) -> String {
    units::duration(units::millis(duration))
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
