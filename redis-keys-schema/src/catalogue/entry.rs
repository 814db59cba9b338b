//! The entry of a key.

use std::time::Duration;

use super::json::{Json, Object};
use super::parameter::Parameter;
use crate::attribute::{Keep, Renew, Ttl};
use crate::declaration::{Cache, Declaration, Jobs, Limit};
use crate::diagnostic::Reported;
use crate::item::Item;
use crate::limits::{DEFAULT_MAX_BYTES, DEFAULT_MAX_MEMBER_BYTES, MAX_KEY_BYTES, MAX_MAX_LEN};
use crate::template::{Part, Template};
use crate::{Bucket, Kind};

/// A key's declaration as data: what `SCHEMA` of the runtime has, with all defaults, and what follows from it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The template, in canonical form without spaces.
    pub template: String,
    /// The type of the key.
    pub kind: Kind,
    /// The parameters, in the order of the template.
    pub parameters: Vec<Parameter>,
    /// The time to live without jitter, or `None` if the key never expires.
    pub ttl: Option<Duration>,
    /// The most that is added to the time to live.
    pub jitter: Duration,
    /// The calendar parameter from whose end the expiry counts.
    pub ttl_from_end_of: Option<&'static str>,
    /// What restarts the expiry.
    pub renew: Option<Renew>,
    /// The pattern that the key follows.
    pub pattern: Option<Pattern>,
    /// The maximum size of a string or a bitmap.
    pub max_bytes: Option<u64>,
    /// The maximum number of elements of a collection, unless it is trimmed.
    pub max_len: Option<u64>,
    /// The maximum size of each element.
    pub max_member_bytes: Option<u64>,
    /// How many of the newest elements are kept.
    pub keep_last: Option<Keep>,
    /// How many members with the highest scores are kept.
    pub keep_top: Option<u64>,
    /// The maximum length of the key itself.
    pub max_key_bytes: usize,
    /// What the declaration has as text.
    pub texts: Texts,
    /// The parts of the template.
    parts: Vec<Part>,
}

/// What a declaration has as text, with the escapes of string literals resolved. Empty where it is not given.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// The name of the struct.
    pub name: String,
    /// The stored form of the value.
    pub value: String,
    /// The stored form of a hash's field names.
    pub field: String,
    /// The reason for the declaration.
    pub reason: String,
    /// The owner of the key.
    pub owner: String,
    /// The doc comment.
    pub docs: String,
    /// The lints that the declaration allows.
    pub allowed: Vec<Allowed>,
    /// The source file.
    pub file: String,
    /// The source line.
    pub line: usize,
}

/// A lint that a declaration allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// The name of the lint.
    pub lint: String,
    /// The reason.
    pub reason: String,
}

/// A pattern that a key follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// A cached value.
    Cache(Cache),
    /// A lock.
    Lock,
    /// A rate limit.
    Limit(Limit),
    /// A queue of jobs.
    Jobs(Jobs),
}

impl Pattern {
    /// The pattern of a declaration.
    pub fn of(declaration: &Declaration) -> Option<Self> {
        if declaration.is_lock() {
            return Some(Self::Lock);
        }
        let cache = declaration.cache().map(Self::Cache);
        cache.or_else(|| declaration.limit().map(Self::Limit)).or_else(|| declaration.jobs().map(Self::Jobs))
    }
}

impl Entry {
    /// The entry of a valid declaration.
    ///
    /// # Errors
    ///
    /// If the declaration has no template or no type, which is reported.
    pub fn new(item: &Item<'_>, declaration: &Declaration, texts: Texts) -> Result<Self, Reported> {
        let (template, kind) = declaration.template_and_kind()?;
        let options = &declaration.options;
        let pattern = Pattern::of(declaration);
        let ttl = match declaration.ttl() {
            Some(Ttl::After(ttl)) => Some(ttl),
            _ => None,
        };
        let keep_last = options.keep_last.as_ref().and_then(|given| given.value);
        let keep_top = options.keep_top.as_ref().and_then(|given| given.value);
        let is_trimmed = keep_last.is_some() || keep_top.is_some();
        // Nobody chooses what a lock or a rate limit stores.
        let is_single =
            matches!(kind, Kind::String | Kind::Bitmap) && !matches!(pattern, Some(Pattern::Lock | Pattern::Limit(_)));
        let limit = |declared: Option<u64>, default, applies: bool| applies.then(|| declared.unwrap_or(default));
        let is_collection = kind.is_collection();
        Ok(Self {
            template: template.text.clone(),
            kind,
            parameters: parameters(template, item),
            ttl,
            jitter: declaration.jitter().unwrap_or_default(),
            ttl_from_end_of: options.ttl_from_end_of.as_ref().and_then(|given| given.value).map(Bucket::name),
            renew: options.renew.as_ref().and_then(|given| given.value),
            pattern,
            max_bytes: limit(declaration.max_bytes(), DEFAULT_MAX_BYTES, is_single),
            max_len: limit(declaration.max_len(), MAX_MAX_LEN, is_collection && !is_trimmed),
            max_member_bytes: limit(declaration.max_member_bytes(), DEFAULT_MAX_MEMBER_BYTES, is_collection),
            keep_last,
            keep_top,
            max_key_bytes: declaration.max_key_bytes().unwrap_or(MAX_KEY_BYTES),
            texts,
            parts: template.parts.clone(),
        })
    }

    /// The length of the longest key: the limit, if a parameter has no longest text or only the compiler knows it.
    pub fn longest(&self) -> usize {
        let literal: usize =
            self.parts.iter().map(|part| if let Part::Literal(text) = part { text.len() } else { 0 }).sum();
        let parameters = self.parameters.iter().map(|parameter| parameter.values.longest()).sum::<Option<usize>>();
        parameters.map_or(self.max_key_bytes, |parameters| (literal + parameters).min(self.max_key_bytes))
    }

    /// An example of a key, or `None` if no text of a parameter is known.
    pub fn example(&self) -> Option<String> {
        let mut parameters = self.parameters.iter();
        let texts = self.parts.iter().map(|part| match part {
            Part::Literal(text) => Some(text.clone()),
            Part::Placeholder(_) => parameters.next()?.values.example(),
        });
        texts.collect()
    }

    /// The entry as an object, to which fields can be added. The names of its fields are those of a serialized `SCHEMA`.
    pub fn object(&self) -> Object {
        let texts = &self.texts;
        let (renew, renew_below) = match self.renew {
            None => (None, None),
            Some(Renew::Write) => (Some("write"), None),
            Some(Renew::Read) => (Some("read"), None),
            Some(Renew::Below(left)) => (Some("below"), Some(left)),
        };
        let object = Object::new()
            .field("name", &texts.name)
            .field("template", &self.template)
            .field("type", self.kind.name())
            .field("parameters", &self.parameters)
            .field("ttl_ms", &self.ttl.map(ms))
            .field("jitter_ms", &ms(self.jitter))
            .field("ttl_from_end_of", &self.ttl_from_end_of)
            .field("renew", &renew)
            .field("renew_below_ms", &renew_below.map(ms));
        pattern_fields(self.pattern, object)
            .field("value", &given(&texts.value))
            .field("field", &given(&texts.field))
            .field("max_bytes", &self.max_bytes)
            .field("max_len", &self.max_len)
            .field("max_member_bytes", &self.max_member_bytes)
            .field("keep_last", &self.keep_last.map(|keep| keep.count))
            .field("keep_about", &self.keep_last.is_some_and(|keep| keep.about))
            .field("keep_top", &self.keep_top)
            .field("max_key_bytes", &number(self.max_key_bytes))
            .field("reason", &given(&texts.reason))
            .field("owner", &given(&texts.owner))
            .field("docs", &given(&texts.docs))
            .field("allowed", &texts.allowed)
            .field("file", &texts.file)
            .field("line", &number(texts.line))
            .field("longest", &number(self.longest()))
            .field("example", &self.example())
    }
}

/// The fields of all patterns.
fn pattern_fields(pattern: Option<Pattern>, object: Object) -> Object {
    let cache = if let Some(Pattern::Cache(cache)) = pattern { Some(cache) } else { None };
    let limit = if let Some(Pattern::Limit(limit)) = pattern { Some(limit) } else { None };
    let jobs = if let Some(Pattern::Jobs(jobs)) = pattern { Some(jobs) } else { None };
    let name = pattern.map(|pattern| match pattern {
        Pattern::Cache(_) => "cache",
        Pattern::Lock => "lock",
        Pattern::Limit(_) => "limit",
        Pattern::Jobs(_) => "jobs",
    });
    let lease = cache.map(|cache| cache.lease).or(jobs.map(|jobs| jobs.lease));
    object
        .field("pattern", &name)
        .field("null_ttl_ms", &cache.map(|cache| ms(cache.null_ttl)))
        .field("lease_ms", &lease.map(ms))
        .field("refresh_percent", &cache.and_then(|cache| cache.refresh).map(u64::from))
        .field("limit", &limit.map(|limit| limit.rate.count))
        .field("limit_per_ms", &limit.map(|limit| ms(limit.rate.per)))
        .field("burst", &limit.map(|limit| limit.burst))
        .field("tries", &jobs.map(|jobs| u64::from(jobs.tries)))
}

impl Json for Allowed {
    fn write(&self, out: &mut String) {
        Object::new().field("lint", &self.lint).field("reason", &self.reason).write(out);
    }
}

impl Json for Entry {
    fn write(&self, out: &mut String) {
        self.object().write(out);
    }
}

fn parameters(template: &Template, item: &Item<'_>) -> Vec<Parameter> {
    template.placeholders().filter_map(|placeholder| Parameter::of(placeholder, item)).collect()
}

fn given(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

fn ms(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn number(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
