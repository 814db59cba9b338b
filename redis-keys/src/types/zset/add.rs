//! Additions to sorted sets: `ZADD` and `GEOADD` with their options.

use std::marker::PhantomData;

use redis::{Cmd, RedisWrite as _};
use zadd_state::{ComparedState, ExistingState, FreeState, SettledState, State};

use crate::accessor::Accessor;
use crate::command::arguments::{Amount, Arguments, Capacity, UNLIMITED};
use crate::command::builder::Build as _;
use crate::command::table::words;
use crate::command::{Decode, key_of_built};
use crate::error::Cause;
use crate::lua::{self, Script};
use crate::run::{debug_key, runnable};
use crate::schema::Schema;
use crate::{Command, Error, RedisKey};

/// A builder of `ZADD`: [`ZSetKey::zadd`](crate::ZSetKey::zadd), [`ZSetKey::zadd_many`](crate::ZSetKey::zadd_many).
///
/// Run it with `run`, `query_async` or [`query`](Self::query), or convert it into a [`Command`].
///
/// ```no_run
/// use redis_keys::{prelude::*, redis};
///
/// #[derive(RedisKey)]
/// #[redis_key(game:scores:{game}:zset, value = u64, ttl = 7d, keep_top = 100)]
/// struct Scores { game: u32 }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// // Changes the score only if it is better than the stored one.
/// let better: bool = Scores { game: 1 }.zadd(&42, 1234.5).gt().ch().query(&mut con)?;
/// # Ok(()) }
/// ```
///
/// Redis accepts only some options together, so other combinations do not compile. The last type parameter is the
/// state, which determines the remaining options:
///
/// ```compile_fail,E0599
/// use redis_keys::prelude::*;
///
/// #[derive(RedisKey)]
/// #[redis_key(game:scores:{game}:zset, value = u64, ttl = 7d)]
/// struct Scores { game: u32 }
///
/// let add = Scores { game: 1 }.zadd(&42, 1.0).nx().gt();
/// ```
#[must_use = "a ZADD does nothing until `run` or `query` runs it"]
pub struct ZAdd<R, S = FreeState> {
    addition: Addition<R>,
    state: State<S>,
}

/// The states of [`ZAdd`] and [`GeoAdd`](crate::types::geo::GeoAdd), which determine the remaining options.
pub(crate) mod zadd_state {
    use std::marker::PhantomData;

    /// Takes all options.
    #[derive(Clone, Copy, Debug)]
    pub enum FreeState {}

    /// After `xx`: takes `gt`, `lt` and `ch`.
    #[derive(Clone, Copy, Debug)]
    pub enum ExistingState {}

    /// After `gt` or `lt`: takes `xx` and `ch`.
    #[derive(Clone, Copy, Debug)]
    pub enum ComparedState {}

    /// Takes `ch` only.
    #[derive(Clone, Copy, Debug)]
    pub enum SettledState {}

    /// Marks a builder with a state. The states have no values.
    pub(crate) type State<S> = PhantomData<fn() -> S>;
}

impl<R: Default> ZAdd<R> {
    /// Creates an addition of `members`, which are pairs of a score and a member.
    pub(super) fn new<K: RedisKey, A: Arguments>(key: &K, accessor: Accessor, members: A, decode: Decode<R>) -> Self {
        Self { addition: Addition::new(key, accessor, zadd_script(K::SCHEMA), members, decode), state: PhantomData }
    }

    /// Adds new members only and changes no score (`NX`).
    pub fn nx(self) -> ZAdd<R, SettledState> {
        self.with_options(|options| options.condition = Some("NX"))
    }

    /// Changes scores only and adds no member (`XX`).
    pub fn xx(self) -> ZAdd<R, ExistingState> {
        self.with_options(|options| options.condition = Some("XX"))
    }

    /// Changes a score only if the new score is greater (`GT`). New members are added in any case.
    pub fn gt(self) -> ZAdd<R, ComparedState> {
        self.with_options(|options| options.comparison = Some("GT"))
    }

    /// Changes a score only if the new score is less (`LT`). New members are added in any case.
    pub fn lt(self) -> ZAdd<R, ComparedState> {
        self.with_options(|options| options.comparison = Some("LT"))
    }
}

impl<R: Default> ZAdd<R, ExistingState> {
    /// Changes a score only if the new score is greater (`GT`).
    pub fn gt(self) -> ZAdd<R, SettledState> {
        self.with_options(|options| options.comparison = Some("GT"))
    }

    /// Changes a score only if the new score is less (`LT`).
    pub fn lt(self) -> ZAdd<R, SettledState> {
        self.with_options(|options| options.comparison = Some("LT"))
    }
}

impl<R: Default> ZAdd<R, ComparedState> {
    /// Adds no member (`XX`).
    pub fn xx(self) -> ZAdd<R, SettledState> {
        self.with_options(|options| options.condition = Some("XX"))
    }
}

impl<R: Default, S> ZAdd<R, S> {
    /// Includes changed scores in the result, not only new members (`CH`).
    pub fn ch(self) -> Self {
        self.with_options(|options| options.changed = true)
    }

    fn with_options<T>(self, set: impl FnOnce(&mut AddOptions)) -> ZAdd<R, T> {
        ZAdd { addition: self.addition.with_options(set), state: PhantomData }
    }
}

runnable!([R: Default, S] ZAdd<R, S> => R);

impl<R: Default, S> From<ZAdd<R, S>> for Command<R> {
    fn from(add: ZAdd<R, S>) -> Self {
        add.addition.into_command()
    }
}

debug_key!([R: Default, S] ZAdd<R, S>, "ZAdd", |add| add.addition.key());

/// The script for additions: it rejects an addition to a full set, or removes the lowest scores.
pub(super) fn zadd_script(schema: &'static Schema) -> &'static Script {
    if schema.keep.is_some() { &lua::ZADD_KEEPING } else { &lua::ZADD_CAPPED }
}

/// An addition by a script, to which options can be added.
pub(crate) struct Addition<R> {
    schema: &'static Schema,
    script: &'static Script,
    /// The call without options; `None` if there is nothing to add.
    cmd: Result<Option<Cmd>, Error>,
    options: AddOptions,
    decode: Decode<R>,
    accessor: Accessor,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct AddOptions {
    /// NX or XX.
    pub(crate) condition: Option<&'static str>,
    /// GT or LT.
    pub(crate) comparison: Option<&'static str>,
    /// CH.
    pub(crate) changed: bool,
}

impl<R: Default> Addition<R> {
    pub(crate) fn new<K: RedisKey, A: Arguments>(
        key: &K,
        accessor: Accessor,
        script: &'static Script,
        members: A,
        decode: Decode<R>,
    ) -> Self {
        let cmd = key.write(script, (AddCap { option: None }, members)).cmd;
        Self { schema: K::SCHEMA, script, cmd, options: AddOptions::default(), decode, accessor }
    }

    pub(crate) fn with_options(mut self, set: impl FnOnce(&mut AddOptions)) -> Self {
        set(&mut self.options);
        self
    }

    /// The key, for `Debug`.
    pub(crate) fn key(&self) -> Result<Box<str>, &Error> {
        key_of_built(&self.cmd)
    }

    pub(crate) fn into_command(self) -> Command<R> {
        let Self { schema, script, cmd, options, decode, accessor } = self;
        match cmd {
            Ok(Some(cmd)) if options == AddOptions::default() => Command::script(schema, script, Ok(cmd), decode),
            Ok(Some(cmd)) => Command::script(schema, script, Ok(insert_options(&cmd, schema, options)), decode),
            Ok(None) => Command::ready(R::default()),
            Err(error) => Command::refused(error),
        }
        .named(accessor)
    }
}

/// The cap in the format of the addition scripts, with an addition's fixed option, such as `INCR`.
pub(super) struct AddCap {
    pub(super) option: Option<&'static str>,
}

impl Arguments for AddCap {
    #[inline]
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        Capacity::new(3, 12)
    }

    #[inline]
    fn push(self, cmd: &mut Cmd, schema: &'static Schema) -> Result<Amount, Cause> {
        if let Some(keep) = schema.keep {
            // The script removes the members up to this rank, which counts from the highest score.
            cmd.write_arg_fmt(format_args!("-{}", keep.count().saturating_add(1)));
        } else {
            cmd.arg(schema.max_len.unwrap_or(UNLIMITED)).arg(usize::from(self.option.is_some()));
        }
        if let Some(option) = self.option {
            cmd.write_arg(option.as_bytes());
        }
        Ok(Amount::Some)
    }
}

/// EVALSHA, the SHA-1, the number of keys, the key, the expiry.
const ARGUMENTS_BEFORE_CAP: usize = 5;

/// Returns the same call with options, which precede the members in the command.
fn insert_options(cmd: &Cmd, schema: &'static Schema, options: AddOptions) -> Cmd {
    let names = [options.condition, options.comparison, options.changed.then_some("CH")].into_iter().flatten();
    let len = cmd.args_iter().len();
    let mut complete = Cmd::with_capacity(len.saturating_add(3), len.saturating_mul(16).saturating_add(128));
    let mut words = words(cmd);
    words.by_ref().take(ARGUMENTS_BEFORE_CAP).for_each(|word| complete.write_arg(word));
    let cap = words.next().unwrap_or_default();
    if schema.keep.is_some() {
        complete.write_arg(cap);
    } else {
        // Without new members, the cap cannot be exceeded.
        if options.condition == Some("XX") {
            complete.arg(UNLIMITED);
        } else {
            complete.write_arg(cap);
        }
        complete.arg(names.clone().count());
        words.next();
    }
    names.for_each(|name| complete.write_arg(name.as_bytes()));
    words.for_each(|word| complete.write_arg(word));
    complete
}
