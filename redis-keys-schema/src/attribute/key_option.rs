//! The options of a key, a row for each: how it is written, the roles and types that it is for, and why not for others.

use super::foreign_option::{EXPIRY, Elsewhere, OF_NO_KEY, Replacement, Translation, WHILE_REVALIDATING};
use super::grammar::Grammar;
use super::role_name::RoleName;
use crate::{Kind, Rule};

/// The grammar of `#[redis_key(…)]` on a key, after its template.
pub(super) const GRAMMAR: Grammar =
    Grammar { attribute: "redis_key", options: &OUTER, inner: &INNER, flags: &[], foreign: meant };

/// The meaning of a word of other libraries.
fn meant(word: &str) -> Option<Translation> {
    let options = ROWS.iter().map(|row| (row.name, row.elsewhere));
    let roles = RoleName::ALL.into_iter().map(|role| (role.name(), role.elsewhere()));
    let of = |(name, elsewhere): (_, &'static [Elsewhere])| {
        elsewhere.iter().find_map(|names| Translation::of(name, names, word))
    };
    options.chain(roles).find_map(of).or_else(|| Translation::find(OF_NO_KEY, word))
}

/// An option of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyOption {
    Value,
    Field,
    Ttl,
    Jitter,
    TtlFromEndOf,
    Renew,
    NullTtl,
    Lease,
    Refresh,
    Near,
    Stale,
    Burst,
    Tries,
    Expected,
    FalsePositives,
    Copies,
    Legacy,
    Formerly,
    MaxBytes,
    MaxLen,
    MaxMemberBytes,
    KeepLast,
    KeepTop,
    Reason,
    Rebuild,
    Owner,
    Allow,
    Crate,
}

/// A kind of key that cannot have an option although its type can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    Channel,
    Role(RoleName),
}

/// An option: the data that reading, checking and the documentation share.
struct Row {
    option: KeyOption,
    name: &'static str,
    /// An example of the option.
    example: &'static str,
    /// All ways to write it, for the documentation.
    forms: &'static str,
    /// Its meaning, unless a role defines the meaning.
    meaning: &'static str,
    /// The roles in whose parentheses it stands, with its meaning there, which is empty where the role's own explains
    /// it. None for an option of the key itself.
    roles: &'static [(RoleName, &'static str)],
    /// The types of keys that it is for.
    kinds: &'static [Kind],
    /// The rule that is broken where it does not apply.
    rule: Rule,
    /// Its names in other libraries.
    elsewhere: &'static [Elsewhere],
    /// The kinds of keys that cannot have it although the type can, with the reasons.
    not_of: &'static [(Holder, &'static str)],
}

/// The types of keys but channels.
const STORED: &[Kind] = &[
    Kind::String,
    Kind::Hash,
    Kind::List,
    Kind::Set,
    Kind::ZSet,
    Kind::Bitmap,
    Kind::HyperLogLog,
    Kind::Geo,
    Kind::Stream,
];

/// The types of keys with a `value`. A bitmap has a value as a Bloom filter.
const WITH_VALUE: &[Kind] = &[
    Kind::String,
    Kind::Hash,
    Kind::List,
    Kind::Set,
    Kind::ZSet,
    Kind::HyperLogLog,
    Kind::Geo,
    Kind::Stream,
    Kind::Channel,
];

const COLLECTIONS: &[Kind] = &[Kind::Hash, Kind::List, Kind::Set, Kind::ZSet, Kind::Geo, Kind::Stream];

const NOTHING_STORED: &str = "it stores nothing";

const ONE_NAME: &str = "it has one name, by which publishers and subscribers meet";

const NO_COUNTER: &str = "it stores a time of its own, which would overwrite the count of other code";

const TWO_FILTERS: &str = "two releases would add to two filters, and each would answer a wrong *no*";

const ROWS: [Row; 28] = [
    Row {
        option: KeyOption::Value,
        name: "value",
        example: "value = Json<Profile>",
        forms: "`value = T`",
        meaning: "the [stored form][stored_forms] of the value or message, in a collection of each element, such as \
                  `u64`, `String` or `Json<Profile>`. A stream, and a hash without `field`, has a \
                  [record][stored_forms]: a struct with `#[derive(RedisHash)]`",
        roles: &[],
        kinds: WITH_VALUE,
        rule: Rule::StoredForm,
        elsewhere: &[
            (
                Replacement::StoredForm,
                &["codec", "format", "encoding", "encode", "serializer", "serialize", "serde", "stored_as"],
            ),
            (
                Replacement::StoredForm,
                &["compress", "compression", "compressed", "compressor", "zstd", "gzip", "snappy", "lz4"],
            ),
            (Replacement::StoredForm, &["json", "msgpack", "messagepack", "postcard", "protobuf"]),
            (Replacement::StoredForm, &["secret", "encrypt", "encrypted", "encryption"]),
            (Replacement::SameValue, &["value_type", "values", "val", "ty", "typ"]),
        ],
        not_of: &[
            (Holder::Role(RoleName::Lock), "it stores only its owner and its fence"),
            (Holder::Role(RoleName::Limit), "it stores only a time of its own"),
        ],
    },
    Row {
        option: KeyOption::Field,
        name: "field",
        example: "field = String",
        forms: "`field = F`",
        meaning: "the stored form of a hash's field names, unless the hash is a record",
        roles: &[],
        kinds: &[Kind::Hash],
        rule: Rule::StoredForm,
        elsewhere: &[],
        not_of: &[],
    },
    Row {
        option: KeyOption::Ttl,
        name: "ttl",
        example: "ttl = 1h",
        forms: "`ttl = 1h30m`",
        meaning: "the expiry, in `ms` `s` `m` `h` `d` `w`, up to ten years, never a constant; mandatory except for \
                  a channel. `ttl = never` requires a `reason`",
        roles: &[],
        kinds: STORED,
        rule: Rule::Expiry,
        elsewhere: &[
            (Replacement::Duration("s"), EXPIRY),
            (Replacement::Duration("ms"), &["ttl_ms", "px", "pexpire"]),
            (
                Replacement::Example("ttl = never, reason = \"…\"", "write `ttl = never, reason = \"…\"`"),
                &["no_expiry", "no_ttl", "persist", "persistent", "permanent"],
            ),
        ],
        not_of: &[
            (Holder::Channel, NOTHING_STORED),
            (Holder::Role(RoleName::Limit), "its ttl follows from its rate and `burst`"),
        ],
    },
    Row {
        option: KeyOption::Jitter,
        name: "jitter",
        example: "jitter = 5m",
        forms: "`jitter = 5m`, `jitter = 10%`",
        meaning: "adds a random delay of up to this to the expiry, so that keys do not expire together",
        roles: &[],
        kinds: STORED,
        rule: Rule::Jitter,
        elsewhere: &[(Replacement::SameValue, &["spread", "random", "ttl_jitter"])],
        not_of: &[
            (Holder::Channel, NOTHING_STORED),
            (Holder::Role(RoleName::Lock), "its owner counts on the exact ttl"),
            (Holder::Role(RoleName::Limit), "it expires exactly when all of it is allowed again"),
        ],
    },
    Row {
        option: KeyOption::TtlFromEndOf,
        name: "ttl_from_end_of",
        example: "ttl_from_end_of = month",
        forms: "`ttl_from_end_of = month`",
        meaning: "the ttl starts at the end of the field `year`, `month`, `week`, `day` or `hour`, whose type is \
                  the bucket of that name in `redis_keys::parameter::bucket`, or for a `day` a date of `chrono`, \
                  `jiff` or `time`. A write is rejected if the key would already have expired, or would live longer \
                  than ten years",
        roles: &[],
        kinds: STORED,
        rule: Rule::Expiry,
        elsewhere: &[(Replacement::SameValue, &["expire_at", "expires_at", "expireat", "end_of", "until"])],
        not_of: &[
            (Holder::Channel, NOTHING_STORED),
            (Holder::Role(RoleName::Lock), "its ttl counts from when it is acquired"),
            (Holder::Role(RoleName::Limit), "its ttl counts from its last use"),
            (Holder::Role(RoleName::Jobs), "its ttl counts from the last job that is pushed or taken"),
        ],
    },
    Row {
        option: KeyOption::Renew,
        name: "renew",
        example: "renew = write",
        forms: "`renew = write`, `read`, `below(10m)`",
        meaning: "restarts the expiry at each write, at each write and read, or at a read that finds less than this \
                  left",
        roles: &[],
        kinds: STORED,
        rule: Rule::Renewal,
        elsewhere: &[(Replacement::SameValue, &["sliding", "slide", "touch"])],
        not_of: &[
            (Holder::Channel, NOTHING_STORED),
            (Holder::Role(RoleName::Lock), "only its owner extends it"),
            (Holder::Role(RoleName::Limit), "each use already extends its expiry"),
            (Holder::Role(RoleName::Jobs), "each job that is pushed or taken already restarts its ttl"),
        ],
    },
    Row {
        option: KeyOption::NullTtl,
        name: "null_ttl",
        example: "null_ttl = 5m",
        forms: "`null_ttl = 5m`",
        meaning: "",
        roles: &[(RoleName::Cache, "")],
        kinds: &[Kind::String],
        rule: Rule::Expiry,
        elsewhere: &[(Replacement::Duration("s"), &["negative_ttl", "not_found_ttl", "empty_ttl", "none_ttl"])],
        not_of: &[],
    },
    Row {
        option: KeyOption::Lease,
        name: "lease",
        example: "lease = 10s",
        forms: "`lease = 10s`",
        meaning: "",
        roles: &[
            (
                RoleName::Cache,
                "how long other callers wait for the loading caller: 10s by default, 100ms to 5m, at most the ttl",
            ),
            (RoleName::Jobs, "how long a worker owns a job: 1m by default, 1s to 1h"),
        ],
        kinds: &[Kind::String, Kind::ZSet],
        rule: Rule::Expiry,
        elsewhere: &[
            (Replacement::Duration("s"), &["lock_ttl", "lock_timeout", "load_timeout"]),
            (
                Replacement::Duration("s"),
                &["visibility_timeout", "visibility", "ack_wait", "ack_deadline", "job_timeout"],
            ),
        ],
        not_of: &[],
    },
    Row {
        option: KeyOption::Refresh,
        name: "refresh",
        example: "refresh = 80%",
        forms: "`refresh = 80%`",
        meaning: "",
        roles: &[(
            RoleName::Cache,
            "loads the value again after this share of its ttl, 50% to 95%; other callers read the old value until \
             then",
        )],
        kinds: &[Kind::String],
        rule: Rule::Expiry,
        elsewhere: &[
            (Replacement::Refresh, &["refresh_ahead", "refresh_at", "early_refresh"]),
            (WHILE_REVALIDATING, &["stale_while_revalidate", "beta"]),
        ],
        not_of: &[],
    },
    Row {
        option: KeyOption::Near,
        name: "near",
        example: "near = 10s",
        forms: "`near = 10s`",
        meaning: "",
        roles: &[(
            RoleName::Cache,
            "each process keeps a copy in memory, and returns it for up to this time or until the server reports a \
             change: 1s to 1h, at most the ttl. For types that are `Clone`, and not for `Secret<F>`",
        )],
        kinds: &[Kind::String],
        rule: Rule::Expiry,
        elsewhere: &[(
            Replacement::Duration("s"),
            &["near_ttl", "local", "local_ttl", "client_side", "client_ttl", "memory", "in_memory", "l1", "l1_ttl"],
        )],
        not_of: &[],
    },
    Row {
        option: KeyOption::Stale,
        name: "stale",
        example: "stale = 1h",
        forms: "`stale = 1h`",
        meaning: "",
        roles: &[(
            RoleName::Cache,
            "if the loader fails, returns the expired value for up to this time, longer than `lease`; at most ten \
             years with the ttl and the jitter. Redis keeps every value that much longer",
        )],
        kinds: &[Kind::String],
        rule: Rule::Expiry,
        elsewhere: &[(
            Replacement::Duration("s"),
            &["stale_ttl", "stale_if_error", "stale_on_error", "max_stale", "grace", "grace_period", "fail_safe"],
        )],
        not_of: &[],
    },
    Row {
        option: KeyOption::Burst,
        name: "burst",
        example: "burst = 20",
        forms: "`burst = 20`",
        meaning: "",
        roles: &[(RoleName::Limit, "the number that is allowed at once: all by default")],
        kinds: &[Kind::String],
        rule: Rule::RateLimit,
        elsewhere: &[(Replacement::SameValue, &["max_burst", "burst_size", "bucket_size"])],
        not_of: &[],
    },
    Row {
        option: KeyOption::Tries,
        name: "tries",
        example: "tries = 5",
        forms: "`tries = 5`",
        meaning: "",
        roles: &[(
            RoleName::Jobs,
            "how often a job is taken before it is dead: 5 by default, 1 to 60. All tries take at most the ttl",
        )],
        kinds: &[Kind::ZSet],
        rule: Rule::Jobs,
        elsewhere: &[(Replacement::SameValue, &["max_tries", "attempts", "max_attempts", "retries", "max_retries"])],
        not_of: &[],
    },
    Row {
        option: KeyOption::Expected,
        name: "expected",
        example: "expected = 100_000",
        forms: "`expected = 100_000`",
        meaning: "",
        roles: &[(RoleName::Bloom, "")],
        kinds: &[Kind::Bitmap],
        rule: Rule::BloomFilter,
        elsewhere: &[],
        not_of: &[],
    },
    Row {
        option: KeyOption::FalsePositives,
        name: "false_positives",
        example: "false_positives = 1%",
        forms: "`false_positives = 1%`",
        meaning: "",
        roles: &[(
            RoleName::Bloom,
            "the false-positive rate once the filter holds the expected items: `0.0001%` to `50%`. Both determine the \
             filter's size, at most 1MB",
        )],
        kinds: &[Kind::Bitmap],
        rule: Rule::BloomFilter,
        elsewhere: &[],
        not_of: &[],
    },
    Row {
        option: KeyOption::Copies,
        name: "copies",
        example: "copies = 8",
        forms: "`copies = 8`",
        meaning: "stores a hot string under 8 keys, 2 to 1000, with `{copy}` or the hash tag `{#copy}` in the \
                  template. A write goes to all copies, which expire together; a read picks one at random, or \
                  another if that is missing",
        roles: &[],
        kinds: &[Kind::String],
        rule: Rule::Copies,
        elsewhere: &[(Replacement::SameValue, &["replicas"])],
        not_of: &[
            (Holder::Role(RoleName::Lock), "it would have an owner for each copy"),
            (Holder::Role(RoleName::Limit), "each copy would allow the whole limit"),
        ],
    },
    Row {
        option: KeyOption::Legacy,
        name: "legacy",
        example: "legacy = \"User:{id}:Profile\"",
        forms: "`legacy = \"User:{user_id}:Profile\"`",
        meaning: "today's key text, in `format!` syntax. The key keeps this text, without the namespace; the \
                  template is its future name",
        roles: &[],
        kinds: STORED,
        rule: Rule::Declaration,
        elsewhere: &[],
        not_of: &[
            (Holder::Channel, ONE_NAME),
            (Holder::Role(RoleName::Limit), NO_COUNTER),
            (Holder::Role(RoleName::Bloom), TWO_FILTERS),
        ],
    },
    Row {
        option: KeyOption::Formerly,
        name: "formerly",
        example: "formerly = \"User:{id}:Profile\"",
        forms: "`formerly = \"User:{user_id}:Profile\"`",
        meaning: "the key's previous text, in `format!` syntax; the template is in use",
        roles: &[],
        kinds: STORED,
        rule: Rule::Declaration,
        elsewhere: &[],
        not_of: &[
            (Holder::Channel, ONE_NAME),
            (Holder::Role(RoleName::Limit), NO_COUNTER),
            (Holder::Role(RoleName::Bloom), TWO_FILTERS),
        ],
    },
    Row {
        option: KeyOption::MaxBytes,
        name: "max_bytes",
        example: "max_bytes = 64KB",
        forms: "`max_bytes = 64KB`",
        meaning: "rejects larger strings, bitmaps and messages: 10KB by default, at most 1MB",
        roles: &[],
        kinds: &[Kind::String, Kind::Bitmap, Kind::Channel],
        rule: Rule::ValueSize,
        elsewhere: &[(Replacement::SameValue, &["max_size", "size"])],
        not_of: &[
            (Holder::Role(RoleName::Lock), "it stores only its owner and its fence"),
            (Holder::Role(RoleName::Limit), "it stores only a time of its own"),
            (Holder::Role(RoleName::Bloom), "its size follows from `expected` and `false_positives`"),
        ],
    },
    Row {
        option: KeyOption::MaxLen,
        name: "max_len",
        example: "max_len = 1000",
        forms: "`max_len = 1000`",
        meaning: "rejects further elements: 5000 by default, which is also the maximum",
        roles: &[],
        kinds: COLLECTIONS,
        rule: Rule::CollectionSize,
        elsewhere: &[(Replacement::SameValue, &["capacity", "max_items", "max_elements", "maxlen", "max_length"])],
        not_of: &[],
    },
    Row {
        option: KeyOption::MaxMemberBytes,
        name: "max_member_bytes",
        example: "max_member_bytes = 1KB",
        forms: "`max_member_bytes = 1KB`",
        meaning: "rejects larger elements: 4KB by default, at most 1MB",
        roles: &[],
        kinds: COLLECTIONS,
        rule: Rule::CollectionSize,
        elsewhere: &[],
        not_of: &[],
    },
    Row {
        option: KeyOption::KeepLast,
        name: "keep_last",
        example: "keep_last = 1000",
        forms: "`keep_last = 100`",
        meaning: "instead of `max_len`, drops the oldest elements beyond this number: up to 5000 in a list, \
                  1,000,000 in a stream, where the lint `big_collection` asks for a reason above 5000. `~100` lets a \
                  stream keep a few more, which is faster",
        roles: &[],
        kinds: &[Kind::List, Kind::Stream],
        rule: Rule::CollectionSize,
        elsewhere: &[(Replacement::SameValue, &["keep"])],
        not_of: &[],
    },
    Row {
        option: KeyOption::KeepTop,
        name: "keep_top",
        example: "keep_top = 1000",
        forms: "`keep_top = 100`",
        meaning: "instead of `max_len`, drops a zset's lowest scores beyond this number: up to 5000",
        roles: &[],
        kinds: &[Kind::ZSet],
        rule: Rule::CollectionSize,
        elsewhere: &[(Replacement::SameValue, &["top"])],
        not_of: &[(Holder::Role(RoleName::Jobs), "it would drop the jobs that are due next")],
    },
    Row {
        option: KeyOption::Reason,
        name: "reason",
        example: "reason = \"…\"",
        forms: "`reason = \"…\"`",
        meaning: "the reason for the declaration, for example why the key never expires; part of the schema",
        roles: &[],
        kinds: &Kind::ALL,
        rule: Rule::Declaration,
        elsewhere: &[(Replacement::SameValue, &["why", "because"])],
        not_of: &[],
    },
    Row {
        option: KeyOption::Rebuild,
        name: "rebuild",
        example: "rebuild = \"…\"",
        forms: "`rebuild = \"…\"`",
        meaning: "how to restore a key that never expires if Redis loses it, for example from the database; only \
                  with `ttl = never`, where the lint `no_rebuild` asks for it",
        roles: &[],
        kinds: STORED,
        rule: Rule::LongLived,
        elsewhere: &[(Replacement::SameValue, &["rebuilt", "rebuilt_by", "restore", "restored_by"])],
        not_of: &[(Holder::Channel, NOTHING_STORED)],
    },
    Row {
        option: KeyOption::Owner,
        name: "owner",
        example: "owner = \"…\"",
        forms: "`owner = \"…\"`",
        meaning: "the person or team responsible for the key; part of the schema",
        roles: &[],
        kinds: &Kind::ALL,
        rule: Rule::Declaration,
        elsewhere: &[(Replacement::SameValue, &["team"])],
        not_of: &[],
    },
    Row {
        option: KeyOption::Allow,
        name: "allow",
        example: "allow(lint, reason = \"…\")",
        forms: "`allow(lint, reason = \"…\")`",
        meaning: "opts out of a [lint][policy]",
        roles: &[],
        kinds: &Kind::ALL,
        rule: Rule::Declaration,
        elsewhere: &[],
        not_of: &[],
    },
    Row {
        option: KeyOption::Crate,
        name: "crate",
        example: "crate = path::to::redis_keys",
        forms: "`crate = path`",
        meaning: "the path to redis-keys, if renamed",
        roles: &[],
        kinds: &Kind::ALL,
        rule: Rule::Declaration,
        elsewhere: &[],
        not_of: &[],
    },
];

/// The number of options in the parentheses of roles.
const INNER_COUNT: usize = count_of_inner();

const fn count_of_inner() -> usize {
    let (mut count, mut index) = (0, 0);
    while index < ROWS.len() {
        count += !ROWS[index].roles.is_empty() as usize;
        index += 1;
    }
    count
}

/// The key's options, then the roles, each with its example.
const OUTER: [(&str, &str); ROWS.len() - INNER_COUNT + RoleName::ALL.len()] = {
    let mut words = rows::<{ ROWS.len() - INNER_COUNT + RoleName::ALL.len() }>(false);
    let mut index = 0;
    while index < RoleName::ALL.len() {
        let role = RoleName::ALL[index];
        words[ROWS.len() - INNER_COUNT + index] = (role.name(), role.example());
        index += 1;
    }
    words
};

/// The options in the parentheses of roles, each with its example.
const INNER: [(&str, &str); INNER_COUNT] = rows::<INNER_COUNT>(true);

/// The names and the examples of the rows that are of a role, or are not.
const fn rows<const N: usize>(of_role: bool) -> [(&'static str, &'static str); N] {
    let mut words = [("", ""); N];
    let (mut count, mut index) = (0, 0);
    while index < ROWS.len() {
        let row = &ROWS[index];
        if row.roles.is_empty() != of_role {
            words[count] = (row.name, row.example);
            count += 1;
        }
        index += 1;
    }
    words
}

impl KeyOption {
    /// All options, in the order of the variants.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|row| row.option)
    }

    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    pub(crate) fn name(self) -> &'static str {
        self.row().name
    }

    pub(crate) fn example(self) -> &'static str {
        self.row().example
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        ROWS.iter().find(|row| row.name == name).map(|row| row.option)
    }

    /// The roles in whose parentheses it stands. None for an option of the key itself.
    pub(super) fn roles(self) -> impl Iterator<Item = RoleName> {
        self.row().roles.iter().map(|(role, _)| *role)
    }

    /// Whether it is an option of a role, and not of the key itself.
    pub(crate) fn is_of_role(self) -> bool {
        !self.row().roles.is_empty()
    }

    /// Whether it is an option of this role.
    pub(super) fn is_of(self, role: RoleName) -> bool {
        self.roles().any(|of| of == role)
    }

    /// Whether keys of that type can have it.
    pub(crate) fn applies_to(self, kind: Kind) -> bool {
        self.row().kinds.contains(&kind)
    }

    /// The reason why a channel or a key of a role cannot have it, although its type can.
    pub(crate) fn why_not_of(self, holder: Holder) -> Option<&'static str> {
        self.row().not_of.iter().find(|(other, _)| *other == holder).map(|(_, why)| *why)
    }

    /// Whether it limits a log, which is appended to and read in parts, and not a collection. A key of unknown type may
    /// be a log.
    pub(crate) fn limits_log(self, kind: Option<Kind>) -> bool {
        self == Self::KeepLast && kind.is_none_or(|kind| kind == Kind::Stream)
    }

    /// The rule that is broken where it does not apply.
    pub(crate) fn rule(self) -> Rule {
        self.row().rule
    }

    /// The option that does the same for keys of that type.
    pub(crate) fn counterpart(self, kind: Kind) -> Option<Self> {
        let other = match self {
            Self::MaxBytes => Self::MaxMemberBytes,
            Self::MaxLen | Self::MaxMemberBytes => Self::MaxBytes,
            Self::KeepLast => Self::KeepTop,
            Self::KeepTop => Self::KeepLast,
            _ => return None,
        };
        other.applies_to(kind).then_some(other)
    }
}

/// An option or a role, as the documentation explains it.
#[derive(Clone, Copy, Debug)]
pub struct OptionText {
    /// Its name.
    pub name: &'static str,
    /// The role in whose parentheses it stands.
    pub role: Option<RoleName>,
    /// The ways in which it is written, as Markdown.
    pub forms: &'static str,
    /// Its meaning, as Markdown with references to pages.
    pub meaning: &'static str,
}

/// The options of a key, each role followed by the role's options, in the order of the documentation.
pub fn option_texts() -> Vec<OptionText> {
    let of_role = |role: RoleName| {
        let own = OptionText { name: role.name(), role: None, forms: role.forms(), meaning: role.meaning() };
        let inside = ROWS.iter().filter_map(move |row| {
            let text = row.roles.iter().find(|(of, meaning)| *of == role && !meaning.is_empty());
            text.map(|(_, meaning)| OptionText { name: row.name, role: Some(role), forms: row.forms, meaning })
        });
        [own].into_iter().chain(inside)
    };
    let mut texts = Vec::new();
    for row in ROWS.iter().filter(|row| row.roles.is_empty()) {
        if row.option == KeyOption::Copies {
            texts.extend(RoleName::ALL.into_iter().flat_map(of_role));
        }
        texts.push(OptionText { name: row.name, role: None, forms: row.forms, meaning: row.meaning });
    }
    texts
}

/// The words that an editor completes: a key's words, or the words inside a role's parentheses.
pub fn option_names(role: Option<RoleName>) -> Vec<&'static str> {
    let named = ROWS.iter().filter(|row| match role {
        // `crate` is no option of the key itself.
        None => row.roles.is_empty() && row.option != KeyOption::Crate,
        Some(role) => row.option.is_of(role),
    });
    let roles = RoleName::ALL.into_iter().filter(|_| role.is_none()).map(RoleName::name);
    named.map(|row| row.name).chain(roles).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_option_is_written_with_its_own_name() {
        for (index, row) in ROWS.iter().enumerate() {
            assert!(row.option as usize == index && row.example.starts_with(row.name), "{}", row.name);
            assert!(KeyOption::from_name(row.name) == Some(row.option), "{}", row.name);
        }
        for role in RoleName::ALL {
            assert!(role.example().starts_with(role.name()) && role.forms().contains(role.name()), "{}", role.name());
            assert_eq!(RoleName::from_name(role.name()), Some(role));
        }
    }

    #[test]
    fn each_option_has_a_meaning_in_the_documentation() {
        let texts = option_texts();
        for row in &ROWS {
            let is_needed = row.roles.iter().any(|(_, meaning)| meaning.is_empty());
            assert_eq!(texts.iter().any(|text| text.name == row.name), !is_needed, "{}", row.name);
        }
        assert!(texts.iter().all(|text| !text.meaning.is_empty() && text.forms.contains(text.name)));
    }
}
