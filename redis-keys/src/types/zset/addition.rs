//! ZADD and GEOADD with their flags.

use redis::{Cmd, RedisWrite as _};

use crate::{
    Command, Error, RedisKey,
    command::{
        Decode, key_of,
        old_builder::{Amount, UNLIMITED, push_max_len, words, write_cmd},
    },
    error::Cause,
    lua::Script,
    schema::Schema,
};

/// An addition that is being put together.
pub(crate) struct Addition<R> {
    schema: &'static Schema,
    script: &'static Script,
    /// The call without flags; nothing where there is nothing to add.
    cmd: Result<Option<Cmd>, Error>,
    flags: Flags,
    decode: Decode<R>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Flags {
    /// NX or XX.
    pub(crate) condition: Option<&'static str>,
    /// GT or LT.
    pub(crate) comparison: Option<&'static str>,
    pub(crate) changed: bool,
}

impl<R: Default> Addition<R> {
    /// An addition by a script that takes the cap first. `push` adds the elements.
    pub(crate) fn new<K: RedisKey>(
        key: &K,
        script: &'static Script,
        (arguments, room): (usize, usize),
        push: impl FnOnce(&mut Cmd) -> Result<Amount, Cause>,
        decode: Decode<R>,
    ) -> Self {
        let schema = K::SCHEMA;
        let with_cap = |cmd: &mut Cmd| {
            push_cap(cmd, schema, None);
            push(cmd)
        };
        let cmd = write_cmd(key, script, (2 + arguments, 8 + room), with_cap);
        Self { schema, script, cmd, flags: Flags::default(), decode }
    }

    pub(crate) fn with(mut self, set: impl FnOnce(&mut Flags)) -> Self {
        set(&mut self.flags);
        self
    }

    /// The key, for `Debug`.
    pub(crate) fn key(&self) -> Result<Box<str>, &Error> {
        self.cmd.as_ref().map(|cmd| cmd.as_ref().and_then(|cmd| key_of(cmd, 0)).unwrap_or_default())
    }

    pub(crate) fn into_command(self) -> Command<R> {
        let Self { schema, script, cmd, flags, decode } = self;
        match cmd {
            Ok(Some(cmd)) if flags == Flags::default() => Command::script(schema, script, Ok(cmd), decode),
            Ok(Some(cmd)) => Command::script(schema, script, Ok(with_flags(&cmd, schema, flags)), decode),
            Ok(None) => Command::ready(R::default()),
            Err(error) => Command::refused(error),
        }
    }
}

/// What the scripts take about the cap, and about the flags of an addition that has one or none.
pub(crate) fn push_cap(cmd: &mut Cmd, schema: &Schema, flag: Option<&str>) {
    if let Some(keep) = schema.keep {
        // The members up to this rank, counted from the end, are too many.
        cmd.write_arg_fmt(format_args!("-{}", keep.count().saturating_add(1)));
    } else {
        push_max_len(cmd, schema);
        cmd.arg(usize::from(flag.is_some()));
    }
    if let Some(flag) = flag {
        cmd.write_arg(flag.as_bytes());
    }
}

/// EVALSHA, the SHA-1, the number of keys, the key, the expiry.
const BEFORE_CAP: usize = 5;

/// The same call with flags. They stand before the elements, which are in the command already.
fn with_flags(cmd: &Cmd, schema: &Schema, flags: Flags) -> Cmd {
    let given = [flags.condition, flags.comparison, flags.changed.then_some("CH")].into_iter().flatten();
    let mut whole = Cmd::with_capacity(cmd.args_iter().len() + 3, cmd.args_iter().len() * 16 + 128);
    let mut words = words(cmd);
    words.by_ref().take(BEFORE_CAP).for_each(|word| whole.write_arg(word));
    let cap = words.next().unwrap_or_default();
    if schema.keep.is_some() {
        whole.write_arg(cap);
    } else {
        // What adds no member cannot make it too large.
        if flags.condition == Some("XX") {
            whole.arg(UNLIMITED);
        } else {
            whole.write_arg(cap);
        }
        whole.arg(given.clone().count());
        words.next();
    }
    given.for_each(|flag| whole.write_arg(flag.as_bytes()));
    words.for_each(|word| whole.write_arg(word));
    whole
}
