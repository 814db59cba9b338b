//! The literal form of a schema: the tuples that the derive prints, and from which the runtime builds the schema.
//!
//! The compiler checks a constant of plain literals fastest. The schema is built from them at compile time too, but only
//! for keys that are used. An empty text or 0 means that an option is missing, or that a limit has its default.

use std::fmt;
use std::time::Duration;

use super::{
    Allowances, BloomOptions, CacheOptions, Expiry, JobOptions, Keep, LimitOptions, Limits, Parameters, Renew, Role,
    Schema,
};
use crate::Kind;
use crate::limits::MAX_KEY_BYTES;

/// The literals of every declaration: name, template, number of the type, parameters, value, source file,
/// documentation, milliseconds of expiry and of jitter, and source line.
pub type KeyLiterals<'s> = (&'s str, &'s str, u8, &'s str, &'s str, &'s str, &'s str, u64, u64, u32);

/// The options that only some declarations have: reason, rebuild, owner, type of the field names, `max_bytes`, renewal (1 for
/// writes, 2 for reads too, 3 below a threshold), the milliseconds of that threshold, and the other limits.
pub type OptionLiterals<'s> = (&'s str, &'s str, &'s str, &'s str, u64, u8, u64, LimitLiterals);

/// `max_len`, `max_member_bytes`, the number of elements that are kept, whether it is approximate, and `max_key_bytes`.
type LimitLiterals = (u64, u64, u64, bool, usize);

/// The role of a key and its options:
///
/// - 1, a cached value: the milliseconds of `null_ttl`; the milliseconds of `lease` in 24 bits, and of `stale` above
///   them; the percentage of `refresh` in 8 bits, and the milliseconds of `near` above them, each 0 if it is not given
/// - 2, a lock
/// - 3, a rate limit: its number, the milliseconds of its period, its burst
/// - 4, a queue of jobs: the milliseconds of `lease`, the number of tries
/// - 5, a Bloom filter: the number of items, the false positives per million, the number of bits
pub type RoleLiterals = (u8, u64, u64, u64);

/// The legacy text of a key, whether it is in use, and the function that writes the name under the template, if values
/// are bound to this name.
pub type LegacyLiterals<'s> = (&'s str, bool, Option<TemplateName>);

/// The function that returns the name under the template of a key that is given by its legacy text.
#[derive(Clone, Copy)]
pub struct TemplateName(fn(&[u8]) -> Option<String>);

#[doc(hidden)]
impl TemplateName {
    pub const fn new(name: fn(&[u8]) -> Option<String>) -> Self {
        Self(name)
    }

    /// Returns `None` if the text is not a key's text, or a parameter cannot be part of the template.
    pub fn of(self, text: &[u8]) -> Option<String> {
        (self.0)(text)
    }
}

/// Declarations with the same texts are the same.
impl PartialEq for TemplateName {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for TemplateName {}

impl fmt::Debug for TemplateName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TemplateName")
    }
}

impl Schema {
    /// The options of a declaration without these options.
    #[doc(hidden)]
    pub const NO_OPTIONS: OptionLiterals<'static> = ("", "", "", "", 0, 0, 0, (0, 0, 0, false, 0));

    /// The numbers of a key without a role.
    #[doc(hidden)]
    pub const NO_ROLE: RoleLiterals = (0, 0, 0, 0);

    /// The literals of a key without a legacy text.
    #[doc(hidden)]
    pub const NO_LEGACY: LegacyLiterals<'static> = ("", false, None);
}

impl<'s> Schema<&'s str> {
    /// Builds the schema from its literal form. `allowed` has a line `lint: reason` for each allowed lint.
    #[doc(hidden)]
    pub const fn from_literals(
        key: KeyLiterals<'s>,
        options: OptionLiterals<'s>,
        role: RoleLiterals,
        ttl_from_end_of: &'s str,
        allowed: &'s str,
        (legacy, is_in_use, template_name): LegacyLiterals<'s>,
    ) -> Self {
        let (name, template, kind, parameters, value, file, docs, ttl_ms, jitter_ms, line) = key;
        let (reason, rebuild, owner, field, max_bytes, renew, renew_below_ms, limits) = options;
        let (max_len, max_member_bytes, keep_count, keep_about, max_key_bytes) = limits;
        let kind = match Kind::from_number(kind) {
            Some(kind) => kind,
            None => Kind::String,
        };
        let (role, keep) = (read_role(role), read_keep(keep_count, keep_about, kind));
        let usual = Limits::usual(kind, role, keep);
        Self {
            name,
            template,
            kind,
            legacy: if is_in_use { non_empty(legacy) } else { None },
            formerly: if is_in_use { None } else { non_empty(legacy) },
            parameters: Parameters { lines: parameters },
            expiry: Expiry { ttl_ms, jitter_ms },
            ttl_from_end_of: non_empty(ttl_from_end_of),
            renew: read_renewal(renew, renew_below_ms),
            role,
            value: non_empty(value),
            field: non_empty(field),
            max_bytes: limit(max_bytes, usual.max_bytes),
            max_len: limit(max_len, usual.max_len),
            max_member_bytes: limit(max_member_bytes, usual.max_member_bytes),
            keep,
            max_key_bytes: if max_key_bytes == 0 { MAX_KEY_BYTES } else { max_key_bytes },
            reason: non_empty(reason),
            rebuild: non_empty(rebuild),
            owner: non_empty(owner),
            docs: non_empty(docs),
            allowed: Allowances { lines: allowed },
            file,
            line,
            template_name,
        }
    }
}

impl Schema<String> {
    /// Returns the literals of the key.
    #[doc(hidden)]
    pub fn key_literals(&self) -> KeyLiterals<'_> {
        let (ttl_ms, jitter_ms) = self.expiry.as_ms();
        (
            &self.name,
            &self.template,
            self.kind.number(),
            &self.parameters.lines,
            text(self.value.as_ref()),
            &self.file,
            text(self.docs.as_ref()),
            ttl_ms,
            jitter_ms,
            self.line,
        )
    }

    /// Returns the literals of the options.
    #[doc(hidden)]
    pub fn option_literals(&self) -> OptionLiterals<'_> {
        let usual = Limits::usual(self.kind, self.role, self.keep);
        let unusual = |limit: Option<u64>, usual| limit.filter(|_| limit != usual).unwrap_or_default();
        let (renew, below_ms) = match self.renew {
            None => (0, 0),
            Some(Renew::Write) => (1, 0),
            Some(Renew::Read) => (2, 0),
            Some(Renew::Below(left)) => (3, ms(left)),
        };
        let limits = (
            unusual(self.max_len, usual.max_len),
            unusual(self.max_member_bytes, usual.max_member_bytes),
            self.keep.map_or(0, Keep::count),
            matches!(self.keep, Some(Keep::AboutLast(_))),
            if self.max_key_bytes == MAX_KEY_BYTES { 0 } else { self.max_key_bytes },
        );
        let texts = [&self.reason, &self.rebuild, &self.owner, &self.field];
        let [reason, rebuild, owner, field] = texts.map(|given| text(given.as_ref()));
        (reason, rebuild, owner, field, unusual(self.max_bytes, usual.max_bytes), renew, below_ms, limits)
    }

    /// Returns the literals of the role.
    #[doc(hidden)]
    pub fn role_literals(&self) -> RoleLiterals {
        match self.role {
            None => Schema::NO_ROLE,
            Some(Role::Cache(CacheOptions { null_ttl, lease, refresh_percent, near, stale })) => {
                let (near, stale) = (near.map_or(0, ms) << 8, stale.map_or(0, ms) << 24);
                (1, ms(null_ttl), stale | ms(lease), near | u64::from(refresh_percent.unwrap_or_default()))
            }
            Some(Role::Lock) => (2, 0, 0, 0),
            Some(Role::Limit(LimitOptions { count, per, burst })) => (3, count, ms(per), burst),
            Some(Role::Jobs(JobOptions { lease, tries })) => (4, ms(lease), tries.into(), 0),
            Some(Role::Bloom(BloomOptions { expected, false_positives_per_million, bits })) => {
                (5, expected, false_positives_per_million.into(), bits)
            }
        }
    }

    /// Returns the literals of the legacy text.
    #[doc(hidden)]
    pub fn legacy_literals(&self) -> LegacyLiterals<'_> {
        (text(self.legacy.as_ref().or(self.formerly.as_ref())), self.legacy.is_some(), self.template_name)
    }

    /// Returns the lines of the allowed lints, empty if there are none.
    #[doc(hidden)]
    pub fn allowed_lines(&self) -> &str {
        &self.allowed.lines
    }

    /// Returns all literals as texts, for another process.
    #[doc(hidden)]
    pub fn to_texts(&self) -> Vec<String> {
        let (name, template, kind, parameters, value, file, docs, ttl, jitter, line) = self.key_literals();
        let (reason, rebuild, owner, field, max_bytes, renew, renew_below, limits) = self.option_literals();
        let (max_len, max_member_bytes, keep, keep_about, max_key_bytes) = limits;
        let (role, first, second, third) = self.role_literals();
        let (legacy, is_in_use, _) = self.legacy_literals();
        let (end_of, allowed) = (text(self.ttl_from_end_of.as_ref()), self.allowed_lines());
        let key = [name, template, parameters, value, file, docs];
        let options = [reason, rebuild, owner, field, end_of, allowed, legacy];
        let kind = [u64::from(kind), line.into(), ttl, jitter];
        let limits = [max_bytes, renew.into(), renew_below, max_len, max_member_bytes, keep, keep_about.into()];
        let role = [max_key_bytes as u64, role.into(), first, second, third, is_in_use.into()];
        let numbers = kind.into_iter().chain(limits).chain(role).map(|number| number.to_string());
        key.into_iter().chain(options).map(str::to_owned).chain(numbers).collect()
    }

    /// Reads the texts of [`to_texts`](Self::to_texts), or returns `None` for other texts.
    #[doc(hidden)]
    pub fn from_texts(texts: &[&str]) -> Option<Self> {
        let (texts, numbers) = texts.split_first_chunk()?;
        let &[name, template, parameters, value, file, docs, texts @ ..]: &[&str; 13] = texts;
        let [reason, rebuild, owner, field, end_of, allowed, legacy] = texts;
        let numbers: Vec<u64> = numbers.iter().map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let numbers: [u64; 17] = numbers.try_into().ok()?;
        let [kind, line, ttl, jitter, numbers @ ..] = numbers;
        let [max_bytes, renew, renew_below, max_len, max_member_bytes, keep, keep_about, numbers @ ..] = numbers;
        let [max_key_bytes, role, first, second, third, is_in_use] = numbers;
        let kind = u8::try_from(kind).ok()?;
        let key = (name, template, kind, parameters, value, file, docs, ttl, jitter, u32::try_from(line).ok()?);
        let limits = (max_len, max_member_bytes, keep, keep_about != 0, usize::try_from(max_key_bytes).ok()?);
        let options = (reason, rebuild, owner, field, max_bytes, u8::try_from(renew).ok()?, renew_below, limits);
        let role = (u8::try_from(role).ok()?, first, second, third);
        let legacy = (legacy, is_in_use != 0, None);
        Some(Schema::from_literals(key, options, role, end_of, allowed, legacy).into_owned())
    }
}

fn text(given: Option<&String>) -> &str {
    given.map_or("", String::as_str)
}

pub(super) fn ms(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

const fn non_empty(text: &str) -> Option<&str> {
    if text.is_empty() { None } else { Some(text) }
}

/// Returns the declared or the default limit, or `None` for keys without such a limit.
const fn limit(declared: u64, usual: Option<u64>) -> Option<u64> {
    match usual {
        Some(_) if declared != 0 => Some(declared),
        usual => usual,
    }
}

const fn read_keep(count: u64, about: bool, kind: Kind) -> Option<Keep> {
    match kind {
        _ if count == 0 => None,
        Kind::ZSet => Some(Keep::Top(count)),
        _ if about => Some(Keep::AboutLast(count)),
        _ => Some(Keep::Last(count)),
    }
}

#[allow(clippy::cast_possible_truncation, reason = "the derive allows no larger numbers")]
const fn read_role((role, first, second, third): RoleLiterals) -> Option<Role> {
    match role {
        1 => Some(Role::Cache(CacheOptions {
            null_ttl: Duration::from_millis(first),
            lease: Duration::from_millis(second & 0xff_ffff),
            refresh_percent: if third as u8 == 0 { None } else { Some(third as u8) },
            near: if third >> 8 == 0 { None } else { Some(Duration::from_millis(third >> 8)) },
            stale: if second >> 24 == 0 { None } else { Some(Duration::from_millis(second >> 24)) },
        })),
        2 => Some(Role::Lock),
        3 => Some(Role::Limit(LimitOptions { count: first, per: Duration::from_millis(second), burst: third })),
        4 => Some(Role::Jobs(JobOptions { lease: Duration::from_millis(first), tries: second as u8 })),
        5 => Some(Role::Bloom(BloomOptions::new(first, second as u32, third))),
        _ => None,
    }
}

const fn read_renewal(renewal: u8, below_ms: u64) -> Option<Renew> {
    match renewal {
        1 => Some(Renew::Write),
        2 => Some(Renew::Read),
        3 => Some(Renew::Below(Duration::from_millis(below_ms))),
        _ => None,
    }
}
