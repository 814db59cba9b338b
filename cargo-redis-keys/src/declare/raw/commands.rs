//! The commands of Redis that name keys, and the methods of clients that send them: the table `commands.txt`.

use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IntoDeserializer, value};

use super::expressions::is_one_of;
use crate::declare::redis_type::RedisType;

/// The effect of a command on its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Effect {
    /// It reads.
    Read,
    /// It changes or removes a key, or its expiry.
    Change,
    /// It can create a key.
    Create,
}

/// The arguments of a command that are keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Keys {
    /// The first argument.
    First,
    /// The second argument, behind a subcommand.
    Second,
    /// The first two.
    FirstTwo,
    /// All arguments.
    All,
    /// Every second argument: keys and values.
    Pairs,
    /// The first half of the arguments behind `STREAMS`.
    AfterStreams,
    /// As many as the second argument says, behind it.
    Counted,
}

/// The expiry of a key that a command creates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Expiry {
    /// It sets none.
    None,
    /// It always sets an expiry.
    Always,
    /// It sets an expiry if an argument such as `EX` says so.
    ByOption,
    /// It runs a script, which has the effect and sets the expiry.
    ByScript,
    /// It sets the expiry of a key that exists.
    OfExisting,
    /// It keeps another key's expiry, or calls a function of the server.
    Unknown,
}

/// A command that names keys.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Command {
    pub(super) name: &'static str,
    /// The type of the key that it creates or expects.
    pub(super) redis_type: Option<RedisType>,
    pub(super) effect: Effect,
    /// An option without which it has another effect.
    pub(super) effect_without: Option<(&'static str, Effect)>,
    pub(super) keys: Keys,
    pub(super) expiry: Expiry,
    /// The methods of redis-rs that send it, with the numbers of their arguments, and the method of fred.
    methods: Vec<&'static str>,
}

/// The table of commands.
static COMMANDS: LazyLock<Vec<Command>> = LazyLock::new(|| rows().filter_map(Command::of_row).collect());

/// The rows of the table, without comments.
fn rows() -> impl Iterator<Item = &'static str> {
    include_str!("commands.txt").lines().filter(|row| !row.is_empty() && !row.starts_with('#'))
}

/// The value of a word of a row.
fn value<T: DeserializeOwned>(word: &str) -> Option<T> {
    T::deserialize(IntoDeserializer::<value::Error>::into_deserializer(word)).ok()
}

impl Command {
    fn of_row(row: &'static str) -> Option<Self> {
        let mut words = row.split_whitespace();
        let mut next = || words.next();
        let (name, redis_type, effect, keys, expiry) = (next()?, next()?, next()?, next()?, next()?);
        let redis_type = if redis_type == "any" { None } else { Some(value(redis_type)?) };
        let (effect, effect_without) = match effect.split_once('+') {
            Some((otherwise, option)) => (Effect::Create, Some((option, value(otherwise)?))),
            None => (value(effect)?, None),
        };
        let (keys, expiry, methods) = (value(keys)?, value(expiry)?, words.collect());
        Some(Self { name, redis_type, effect, effect_without, keys, expiry, methods })
    }

    /// The command of a name, in whatever case.
    pub(super) fn of_name(name: &str) -> Option<&'static Self> {
        let name = name.split_whitespace().next()?;
        COMMANDS.iter().find(|command| command.name.eq_ignore_ascii_case(name))
    }

    /// The command that a method of redis-rs with this number of arguments sends.
    pub(super) fn of_method(method: &str, arguments: usize) -> Option<&'static Self> {
        Self::sent_by(&format!("{method}/{arguments}"))
    }

    /// The command that a method of fred sends. It is not known by the number of its arguments.
    pub(super) fn of_fred_method(method: &str) -> Option<&'static Self> {
        let same_name = || Self::of_name(method).filter(|_| !method.contains('_'));
        Self::sent_by(&format!("fred:{method}")).or_else(same_name)
    }

    fn sent_by(method: &str) -> Option<&'static Self> {
        COMMANDS.iter().find(|command| command.methods.contains(&method))
    }
}

/// The arguments of `SET` and of `GETEX` that set an expiry.
pub(super) const EXPIRY_OPTIONS: [&str; 4] = ["EX", "PX", "EXAT", "PXAT"];

/// Whether code or a script names an option such as `"EX"`.
pub(super) fn names_expiry_option(text: &str) -> bool {
    let text = text.to_uppercase();
    EXPIRY_OPTIONS.iter().any(|option| text.contains(&format!("\"{option}\"")) || text.contains(&format!("'{option}'")))
}

/// Whether collections and other types have a method of the same name and number of arguments.
pub(super) fn is_ambiguous(method: &str) -> bool {
    const METHODS: &str = "get set del exists append rename copy ttl touch incr decr expire persist key_type unlink \
        mget mset getset sort object_encoding expire_at set_nx get_del get_ex dump";
    is_one_of(METHODS, method)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on")]
mod tests {
    use super::*;

    #[test]
    fn a_method_is_known_by_the_number_of_its_arguments() {
        assert_eq!(Command::of_method("set", 2).unwrap().name, "SET");
        assert_eq!(Command::of_method("set", 1), None);
        assert_eq!(Command::of_method("insert", 2), None);
        assert_eq!(Command::of_fred_method("incr_by").unwrap().name, "INCRBY");
        assert_eq!(Command::of_fred_method("hincrby").unwrap().name, "HINCRBY");
        assert_eq!(Command::of_fred_method("as_str"), None);
        assert_eq!(Command::of_fred_method(""), None);
    }

    #[test]
    fn each_row_is_read_and_no_name_is_there_twice() {
        assert_eq!(rows().filter(|row| Command::of_row(row).is_none()).collect::<Vec<_>>(), [""; 0]);
        let names = COMMANDS.iter().map(|command| command.name);
        let methods = COMMANDS.iter().flat_map(|command| command.methods.iter().copied());
        assert!(methods.clone().all(|method| method.contains(['/', ':'])));
        let mut all: Vec<_> = names.chain(methods).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert_eq!(Command::of_name("hset").unwrap().effect, Effect::Create);
        assert_eq!(Command::of_name("PING"), None);
        assert_eq!(Command::of_name(""), None);
    }
}
