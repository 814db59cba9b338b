//! A key's declaration, as it was read.

use std::fmt::Write as _;
use std::time::Duration;

use redis_keys_core::duration::render;
use redis_keys_core::schema::{
    BloomOptions, CacheOptions, Expiry, JobOptions, Keep, LimitOptions, Limits, Parameter, ParameterForm, Renew, Role,
    Schema,
};

use crate::Kind;
use crate::attribute::{
    DEFAULT_JOB_LEASE, DEFAULT_LEASE, DEFAULT_TRIES, GivenOption, Jitter, Options, Rate, RoleName, Ttl, render_bytes,
    render_percent,
};
use crate::diagnostic::ReportedError;
use crate::item::Item;
use crate::legacy::Legacy;
use crate::rust_type::shown_type;
use crate::template::{Placeholder, Template};

/// A key's declaration, as far as it could be read.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The template, or the proof that its absence is reported.
    pub template: Result<Template, ReportedError>,
    /// The options.
    pub options: Options,
    /// The legacy text, if there is a text without an error.
    pub legacy: Option<Legacy>,
    /// Whether the types of the parameters prove that no key is too long.
    pub(crate) length_is_proved: bool,
    /// The length of the longest key, as far as its parameters' types are known.
    pub(crate) longest: Option<usize>,
    /// The limits of the project's policy that the key does not set.
    pub(crate) inherited: InheritedOptions,
}

/// The limits of the project's policy that a key does not set.
#[derive(Clone, Debug)]
pub(crate) struct InheritedOptions {
    pub(crate) limits: Limits,
    pub(crate) max_key_bytes: Option<usize>,
    pub(crate) owner: Option<String>,
}

impl Declaration {
    pub(crate) fn new(template: Result<Template, ReportedError>, options: Options) -> Self {
        let limits = Limits { max_bytes: None, max_len: None, max_member_bytes: None };
        let inherited = InheritedOptions { limits, max_key_bytes: None, owner: None };
        Self { template, options, legacy: None, length_is_proved: false, longest: None, inherited }
    }

    /// The template and the type that it names, which every valid declaration has.
    ///
    /// # Errors
    ///
    /// Returns an error if the template or the type is missing, which is reported already.
    pub fn template_and_kind(&self) -> Result<(&Template, Kind), ReportedError> {
        let template = self.template.as_ref().map_err(|reported| *reported)?;
        Ok((template, template.kind?))
    }

    /// The type that the template names or was meant to name.
    pub fn guessed_kind(&self) -> Option<Kind> {
        self.template.as_ref().ok()?.guessed_kind
    }

    /// Whether the types of the parameters prove that no key is too long. Otherwise the compiler proves it, or the key
    /// is checked when it is built.
    pub fn length_is_proved(&self) -> bool {
        self.length_is_proved
    }

    /// The limits that are declared or less than usual.
    pub(crate) fn limits(&self) -> Limits {
        let (options, inherited) = (&self.options, &self.inherited.limits);
        Limits {
            max_bytes: GivenOption::value_of(&options.max_bytes).or(inherited.max_bytes),
            max_len: GivenOption::value_of(&options.max_len).or(inherited.max_len),
            max_member_bytes: GivenOption::value_of(&options.max_member_bytes).or(inherited.max_member_bytes),
        }
    }

    /// The limit of the value's bytes, where the policy's limit is less than usual.
    pub(crate) fn inherited_max_bytes(&self) -> Option<u64> {
        self.inherited.limits.max_bytes
    }

    /// The limit of the key's bytes, where it is less than usual.
    pub fn max_key_bytes(&self) -> Option<usize> {
        self.inherited.max_key_bytes
    }

    /// The owner of the key's module, for a key without an owner.
    pub fn inherited_owner(&self) -> Option<&str> {
        self.inherited.owner.as_deref()
    }

    /// The key's ttl, if it could be read. A rate limit's ttl follows from the limit.
    pub fn ttl(&self) -> Option<Ttl> {
        match self.limit() {
            Some((rate, burst)) => Some(Ttl::After(rate.ttl(burst))),
            None => GivenOption::value_of(&self.options.ttl),
        }
    }

    /// The rate and the burst, if the key is a rate limit.
    pub(crate) fn limit(&self) -> Option<(Rate, u64)> {
        let rate = GivenOption::value_of(&self.options.limit).filter(|_| self.guessed_kind() == Some(Kind::String))?;
        Some((rate, GivenOption::value_of(&self.options.burst).unwrap_or(rate.count)))
    }

    /// The expiry of a valid declaration.
    pub(crate) fn expiry(&self) -> Expiry {
        let Some(Ttl::After(ttl)) = self.ttl() else { return Expiry::NEVER };
        Expiry::new(ttl, GivenOption::value_of(&self.options.jitter).map_or(Duration::ZERO, |jitter| jitter.of(ttl)))
    }

    /// The role of the key, as far as it could be read.
    pub fn role(&self) -> Option<Role> {
        let options = &self.options;
        let lease = GivenOption::value_of(&options.lease);
        let role = options.role_name().filter(|role| self.guessed_kind() == Some(role.kind()))?;
        Some(match role {
            RoleName::Cache => {
                let Some(Ttl::After(ttl)) = GivenOption::value_of(&options.ttl) else { return None };
                let null_ttl = GivenOption::value_of(&options.null_ttl)?;
                let (lease, refresh) =
                    (lease.unwrap_or(ttl.min(DEFAULT_LEASE)), GivenOption::value_of(&options.refresh));
                let [near, stale] = [&options.near, &options.stale].map(GivenOption::value_of);
                Role::Cache(CacheOptions::new(null_ttl, lease, refresh).with_near(near).with_stale(stale))
            }
            RoleName::Lock => Role::Lock,
            RoleName::Limit => {
                let (rate, burst) = self.limit()?;
                Role::Limit(LimitOptions::new(rate.count, rate.per, burst))
            }
            RoleName::Jobs => {
                let tries = GivenOption::value_of(&options.tries).unwrap_or(DEFAULT_TRIES);
                Role::Jobs(JobOptions::new(lease.unwrap_or(DEFAULT_JOB_LEASE), tries))
            }
            RoleName::Bloom => {
                let share = GivenOption::value_of(&options.false_positives)?;
                Role::Bloom(BloomOptions::with_bits(GivenOption::value_of(&options.expected)?, share))
            }
        })
    }

    /// Whether the key is a lock.
    pub fn is_lock(&self) -> bool {
        self.role() == Some(Role::Lock)
    }

    /// The schema of a valid declaration, without the texts that only a parser of Rust can read: texts of strings and
    /// types.
    ///
    /// # Errors
    ///
    /// If the declaration has no template or no type, which is reported.
    pub fn schema(&self, item: &Item<'_>) -> Result<Schema<String>, ReportedError> {
        let (template, kind) = self.template_and_kind()?;
        let options = &self.options;
        let parameters = template.placeholders().filter_map(|placeholder| parameter(placeholder, item));
        let mut schema = Schema::new(&item.name, &template.text, kind, &parameters.collect());
        schema.expiry = self.expiry();
        schema.ttl_from_end_of = GivenOption::value_of(&options.ttl_from_end_of).map(|bucket| bucket.name().to_owned());
        schema.renew = GivenOption::value_of(&options.renew);
        schema.role = self.role();
        schema.keep = options.keep();
        let (usual, limits) = (Limits::usual(kind, schema.role, schema.keep), self.limits());
        // The size of a filter follows from its options.
        let declared = limits.max_bytes.filter(|_| !matches!(schema.role, Some(Role::Bloom(_))));
        schema.max_bytes = usual.max_bytes.map(|usual| declared.unwrap_or(usual));
        schema.max_len = usual.max_len.map(|usual| limits.max_len.unwrap_or(usual));
        schema.max_member_bytes = usual.max_member_bytes.map(|usual| limits.max_member_bytes.unwrap_or(usual));
        if let Some(legacy) = &self.legacy {
            *(if legacy.in_use { &mut schema.legacy } else { &mut schema.formerly }) = Some(legacy.text.clone());
        }
        schema.max_key_bytes = self.max_key_bytes().unwrap_or(schema.max_key_bytes);
        Ok(schema)
    }

    /// The key's type, or its role.
    fn what_it_is(&self, kind: Kind) -> String {
        match self.role() {
            Some(Role::Limit(LimitOptions { count, per, burst, .. })) => {
                let burst = if burst == count { String::new() } else { format!(" in bursts of up to {burst}") };
                format!("a rate limit of {count} per {}{burst}", render(per))
            }
            Some(Role::Jobs(_)) => "a queue of jobs".to_owned(),
            Some(Role::Bloom(BloomOptions { expected, false_positives_per_million: share, .. })) => {
                format!("a Bloom filter for {expected} items with {} of false positives", render_percent(share.into()))
            }
            Some(Role::Lock) => "a lock".to_owned(),
            _ => format!("a {kind}"),
        }
    }

    /// The declaration in one line, for the documentation of the generated items: template, type, expiry, sizes and
    /// owner.
    pub fn summary(&self) -> String {
        let options = &self.options;
        let mut line = String::new();
        if let Ok(template) = &self.template {
            let _ = write!(line, "`{}`", template.text);
            if let Ok(kind) = template.kind {
                let _ = write!(line, ", {}", self.what_it_is(kind));
            }
            if let Some(legacy) = &self.legacy {
                let now = if legacy.in_use { "called" } else { "formerly called" };
                let _ = write!(line, " {now} `{}`", legacy.text);
            }
        }
        match self.ttl() {
            Some(Ttl::Never) => line.push_str(" that never expires"),
            Some(Ttl::After(ttl)) => {
                let _ = write!(line, " that expires after {}", render(ttl));
                if let Some(bucket) = GivenOption::value_of(&options.ttl_from_end_of) {
                    let _ = write!(line, " from the end of its {}", bucket.name());
                }
                let _ = match GivenOption::value_of(&options.jitter) {
                    Some(Jitter::Time(time)) => write!(line, ", plus up to {} of jitter", render(time)),
                    Some(Jitter::Percent(percent)) => write!(line, ", plus up to {percent}% of jitter"),
                    None => Ok(()),
                };
            }
            None => {}
        }
        let _ = match GivenOption::value_of(&options.renew) {
            Some(Renew::Write) => write!(line, ", renewed at each write"),
            Some(Renew::Read) => write!(line, ", renewed at each read and write"),
            Some(Renew::Below(left)) => write!(line, ", renewed at a read that finds less than {} left", render(left)),
            _ => Ok(()),
        };
        match self.role() {
            Some(Role::Cache(CacheOptions { null_ttl, refresh_percent, near, stale, .. })) => {
                let _ = write!(line, ", absence after {}", render(null_ttl));
                if let Some(percent) = refresh_percent {
                    let _ = write!(line, ", refreshed after {percent}% of the ttl");
                }
                if let Some(time) = near {
                    let _ = write!(line, ", with near copies of up to {}", render(time));
                }
                if let Some(time) = stale {
                    let _ = write!(line, ", with expired values for up to {} when a load fails", render(time));
                }
            }
            Some(Role::Jobs(JobOptions { lease, tries, .. })) => {
                let _ = write!(line, ", leased for {}, with up to {tries} tries", render(lease));
            }
            _ => {}
        }
        let limits = self.limits();
        if let Some(bytes) = limits.max_bytes {
            let _ = write!(line, ", of at most {}", render_bytes(bytes));
        }
        if let Some(count) = limits.max_len {
            let _ = write!(line, ", of at most {count} elements");
        }
        let _ = match options.keep() {
            Some(Keep::Top(count)) => write!(line, ", of which the top {count} are kept"),
            Some(Keep::AboutLast(count)) => write!(line, ", of which the last about {count} are kept"),
            Some(keep) => write!(line, ", of which the last {} are kept", keep.count()),
            None => Ok(()),
        };
        line.push('.');
        let owner = options.owner.as_ref().and_then(|given| given.value.as_deref());
        if let Some(owner) = owner.or(self.inherited_owner()) {
            let _ = write!(line, " Owner: {owner}.");
        }
        line
    }
}

/// The parameter in a placeholder, unless its field is missing.
fn parameter(placeholder: &Placeholder, item: &Item<'_>) -> Option<Parameter<String>> {
    let form = placeholder.form();
    if let ParameterForm::Copy(_) = form {
        // The runtime has no hash tag for it.
        return Some(Parameter::new(placeholder.name.clone(), "u32".to_owned(), false, form));
    }
    let field = item.fields.get(placeholder.field?)?;
    let mut parameter = Parameter::new(field.name.clone(), shown_type(field.ty), placeholder.hash_tag, form);
    parameter.no_colon = placeholder.no_colon;
    Some(parameter)
}
