//! A key's declaration, as it was read.

use std::fmt::Write as _;
use std::time::Duration;

use redis_keys_core::duration::render;

use crate::Kind;
use crate::attribute::{
    DEFAULT_JOB_LEASE, DEFAULT_LEASE, DEFAULT_TRIES, Jitter, Options, Rate, Renew, Ttl, ValuePattern, render_bytes,
};
use crate::diagnostic::Reported;
use crate::template::Template;

/// A key's declaration, as far as it could be read.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The template, or the proof that its absence is reported.
    pub template: Result<Template, Reported>,
    /// The options.
    pub options: Options,
    /// Whether the types of the parameters prove that no key is too long.
    pub(crate) length_is_proved: bool,
    /// The length of the longest key, as far as the types of its parameters are known.
    pub(crate) longest: Option<usize>,
    /// The limits of the project's policy that the key does not set.
    pub(crate) inherited: Inherited,
}

/// The limits of the project's policy that a key does not set.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inherited {
    pub(crate) max_bytes: Option<u64>,
    pub(crate) max_len: Option<u64>,
    pub(crate) max_member_bytes: Option<u64>,
    pub(crate) max_key_bytes: Option<usize>,
    pub(crate) owner: Option<String>,
}

/// How the value of a cached key is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache {
    /// How long it is remembered that there is no value.
    pub null_ttl: Duration,
    /// How long others wait for one that loads the value.
    pub lease: Duration,
    /// After how much of its ttl a value is loaded again, in percent.
    pub refresh: Option<u8>,
}

/// What a rate limit allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// How much in which period.
    pub rate: Rate,
    /// How much at once.
    pub burst: u64,
}

/// How the jobs of a queue are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jobs {
    /// How long a job that was taken is nobody else's.
    pub lease: Duration,
    /// How often a job is taken before it is dead.
    pub tries: u8,
}

impl Declaration {
    pub(crate) fn new(template: Result<Template, Reported>, options: Options) -> Self {
        Self { template, options, length_is_proved: false, longest: None, inherited: Inherited::default() }
    }

    /// The template and the type that it names, which every valid declaration has.
    ///
    /// # Errors
    ///
    /// If one is missing, which is reported.
    pub fn template_and_kind(&self) -> Result<(&Template, Kind), Reported> {
        let template = self.template.as_ref().map_err(|reported| *reported)?;
        Ok((template, template.kind?))
    }

    /// The type that the template names or was meant to name.
    pub fn kind_meant(&self) -> Option<Kind> {
        self.template.as_ref().ok()?.kind_meant
    }

    /// Whether the types of the parameters prove that no key is too long. Otherwise the compiler proves it, or the key is
    /// checked when it is built.
    pub fn length_is_proved(&self) -> bool {
        self.length_is_proved
    }

    /// The limit of a string's bytes, where it is declared or less than usual.
    pub fn max_bytes(&self) -> Option<u64> {
        self.options.max_bytes.as_ref().and_then(|given| given.value).or(self.inherited.max_bytes)
    }

    /// The limit of a collection's elements, where it is declared or less than usual.
    pub fn max_len(&self) -> Option<u64> {
        self.options.max_len.as_ref().and_then(|given| given.value).or(self.inherited.max_len)
    }

    /// The limit of an element's bytes, where it is declared or less than usual.
    pub fn max_member_bytes(&self) -> Option<u64> {
        self.options.max_member_bytes.as_ref().and_then(|given| given.value).or(self.inherited.max_member_bytes)
    }

    /// The limit of the key's bytes, where it is less than usual.
    pub fn max_key_bytes(&self) -> Option<usize> {
        self.inherited.max_key_bytes
    }

    /// The owner of the key's module, for a key without an owner.
    pub fn inherited_owner(&self) -> Option<&str> {
        self.inherited.owner.as_deref()
    }

    /// The key's ttl, if it could be read. That of a rate limit follows from the limit.
    pub fn ttl(&self) -> Option<Ttl> {
        match self.limit() {
            Some(limit) => Some(Ttl::After(limit.rate.ttl(limit.burst))),
            None => self.options.ttl.as_ref().and_then(|given| given.value),
        }
    }

    /// The most that is added to the expiry.
    pub fn jitter(&self) -> Option<Duration> {
        let Some(Ttl::After(ttl)) = self.ttl() else { return None };
        let jitter = self.options.jitter.as_ref().and_then(|given| given.value);
        jitter.map(|jitter| jitter.of(ttl))
    }

    /// How the value is loaded, if the key is cached.
    pub fn cache(&self) -> Option<Cache> {
        let options = &self.options;
        let (Some(Kind::String), Some(Ttl::After(ttl))) = (self.kind_meant(), self.ttl()) else { return None };
        let null_ttl = options.null_ttl.as_ref()?.value?;
        let lease = options.lease.as_ref().and_then(|given| given.value).unwrap_or(ttl.min(DEFAULT_LEASE));
        Some(Cache { null_ttl, lease, refresh: options.refresh.as_ref().and_then(|given| given.value) })
    }

    /// What is allowed, if the key is a rate limit.
    pub fn limit(&self) -> Option<Limit> {
        let rate = self.options.limit.as_ref()?.value?;
        let burst = self.options.burst.as_ref().and_then(|given| given.value);
        Some(Limit { rate, burst: burst.unwrap_or(rate.count) }).filter(|_| self.kind_meant() == Some(Kind::String))
    }

    /// Whether the key is a lock.
    pub fn is_lock(&self) -> bool {
        self.value_pattern() == Some(ValuePattern::Lock) && self.kind_meant() == Some(Kind::String)
    }

    /// How jobs are tried, if the key is a job queue.
    pub fn jobs(&self) -> Option<Jobs> {
        if self.value_pattern() != Some(ValuePattern::Jobs) || self.kind_meant() != Some(Kind::ZSet) {
            return None;
        }
        let lease = self.options.lease.as_ref().and_then(|given| given.value).unwrap_or(DEFAULT_JOB_LEASE);
        let tries = self.options.tries.as_ref().and_then(|given| given.value).unwrap_or(DEFAULT_TRIES);
        Some(Jobs { lease, tries })
    }

    fn value_pattern(&self) -> Option<ValuePattern> {
        self.options.value_pattern().map(|(pattern, _)| pattern)
    }

    /// The key's type, or the pattern that it follows.
    fn what_it_is(&self, kind: Kind) -> String {
        if let Some(Limit { rate, burst }) = self.limit() {
            let burst = if burst == rate.count { String::new() } else { format!(" in bursts of up to {burst}") };
            return format!("a rate limit of {} per {}{burst}", rate.count, render(rate.per));
        }
        match self.jobs() {
            Some(_) => "a queue of jobs".to_owned(),
            None if self.is_lock() => "a lock".to_owned(),
            None => format!("a {kind}"),
        }
    }

    /// The declaration in one line, for the documentation of the generated items: template, type, expiry, sizes and owner.
    pub fn summary(&self) -> String {
        let options = &self.options;
        let mut line = String::new();
        if let Ok(template) = &self.template {
            let _ = write!(line, "`{}`", template.text);
            if let Ok(kind) = template.kind {
                let _ = write!(line, ", {}", self.what_it_is(kind));
            }
        }
        match self.ttl() {
            Some(Ttl::Never) => line.push_str(" that never expires"),
            Some(Ttl::After(ttl)) => {
                let _ = write!(line, " that expires after {}", render(ttl));
                if let Some(bucket) = options.ttl_from_end_of.as_ref().and_then(|given| given.value) {
                    let _ = write!(line, " from the end of its {}", bucket.name());
                }
                let _ = match options.jitter.as_ref().and_then(|given| given.value) {
                    Some(Jitter::Time(time)) => write!(line, ", plus up to {} of jitter", render(time)),
                    Some(Jitter::Percent(percent)) => write!(line, ", plus up to {percent}% of jitter"),
                    None => Ok(()),
                };
            }
            None => {}
        }
        let _ = match options.renew.as_ref().and_then(|given| given.value) {
            Some(Renew::Write) => write!(line, ", renewed at each write"),
            Some(Renew::Read) => write!(line, ", renewed at each read and write"),
            Some(Renew::Below(left)) => write!(line, ", renewed at a read that finds less than {} left", render(left)),
            None => Ok(()),
        };
        if let Some(cache) = self.cache() {
            let _ = write!(line, ", absence after {}", render(cache.null_ttl));
            if let Some(percent) = cache.refresh {
                let _ = write!(line, ", refreshed after {percent}% of the ttl");
            }
        }
        if let Some(jobs) = self.jobs() {
            let _ = write!(line, ", leased for {}, with up to {} tries", render(jobs.lease), jobs.tries);
        }
        if let Some(bytes) = self.max_bytes() {
            let _ = write!(line, ", of at most {}", render_bytes(bytes));
        }
        if let Some(count) = self.max_len() {
            let _ = write!(line, ", of at most {count} elements");
        }
        if let Some(keep) = options.keep_last.as_ref().and_then(|given| given.value) {
            let about = if keep.about { "about " } else { "" };
            let _ = write!(line, ", of which the last {about}{} are kept", keep.count);
        }
        if let Some(count) = options.keep_top.as_ref().and_then(|given| given.value) {
            let _ = write!(line, ", of which the top {count} are kept");
        }
        line.push('.');
        let owner = options.owner.as_ref().and_then(|given| given.value.as_deref());
        if let Some(owner) = owner.or(self.inherited_owner()) {
            let _ = write!(line, " Owner: {owner}.");
        }
        line
    }
}
