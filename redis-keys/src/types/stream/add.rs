//! XADD.

use std::fmt;

use redis::{Cmd, RedisWrite as _, Value};

use super::EntryId;
use crate::{
    Command, Error, StreamKey,
    command::{
        Fault, Replies, Sent, Step,
        builder::{begin_write, push_max_len, with, words},
        key_of, on_key, runnable,
    },
    error::Cause,
    lua,
    lua::Script,
    schema::{Expiry, Keep, Schema},
    types::record::RecordWriter,
};

/// An XADD that is being put together: [`StreamKey::xadd`].
///
/// Run it with [`query`](Self::query) or `query_async`, or make it a [`Command`] by `into`.
///
/// ```
/// use redis_keys::{prelude::*, stream::EntryId, testing};
///
/// #[derive(RedisHash)]
/// struct Paid { order: u64, coupon: Option<String> }
///
/// #[derive(RedisKey)]
/// #[redis_key(shop:paid:{shop}:stream, value = Paid, ttl = never, reason = "the books", keep_last = ~5000)]
/// struct Payments { shop: u32 }
///
/// let payments = Payments { shop: 1 };
/// let paid = Paid { order: 42, coupon: None };
/// assert_eq!(testing::text(payments.xadd(&paid))?, ["XADD shop:paid:1:stream MAXLEN ~ 5000 * order 42"]);
/// let copied = payments.xadd(&paid).id(EntryId::new(7, 1));
/// assert_eq!(testing::text(copied)?, ["XADD shop:paid:1:stream MAXLEN ~ 5000 7-1 order 42"]);
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[must_use = "an XADD does nothing until `query` or `query_async` runs it"]
pub struct XAdd {
    schema: &'static Schema,
    script: Option<&'static Script>,
    cmd: Result<Cmd, Error>,
    /// Where the id stands among the words.
    id_at: usize,
}

pub(crate) fn xadd<K: StreamKey>(key: &K, entry: &K::Value) -> XAdd {
    let schema = K::SCHEMA;
    let script = script_of(schema);
    let entry_size = RecordWriter::measure(entry, schema);
    let room = (6 + entry_size.arguments, 32 + entry_size.bytes);
    let begun = match script {
        Some(script) => begin_write(key, script, room),
        None => on_key(key, "XADD", room.0, room.1),
    };
    let mut id_at = 0;
    let cmd = with(begun, schema, |cmd| {
        push_cap(cmd, schema, script.is_some());
        id_at = cmd.args_iter().len();
        cmd.write_arg(b"*");
        RecordWriter::write(entry, cmd, schema).map(drop)
    });
    XAdd { schema, script, cmd, id_at }
}

/// The script that refuses what is too much, or the one that gives the expiry; XADD trims by itself.
fn script_of(schema: &Schema) -> Option<&'static Script> {
    match schema.keep {
        None => Some(&lua::XADD_CAPPED),
        Some(_) if schema.expiry == Expiry::NEVER => None,
        Some(_) => Some(&lua::WRITE),
    }
}

fn push_cap(cmd: &mut Cmd, schema: &Schema, in_script: bool) {
    let Some(keep) = schema.keep else {
        push_max_len(cmd, schema);
        return;
    };
    if in_script {
        cmd.write_arg(b"XADD");
    }
    cmd.write_arg(b"MAXLEN");
    cmd.write_arg(if matches!(keep, Keep::AboutLast(_)) { b"~" } else { b"=" });
    cmd.arg(keep.count());
}

impl XAdd {
    /// Gives the entry this id, instead of one by the server's clock: for copies of a stream, and for producers that count.
    ///
    /// It has to be above those of all entries that there have been, or the server refuses it.
    pub fn id(mut self, id: EntryId) -> Self {
        self.cmd = self.cmd.and_then(|cmd| {
            if id == EntryId::MIN {
                let why = Cause::Argument("0-0 is not a valid entry ID");
                return Err(Error::refused(self.schema, key_of(&cmd, 0), why));
            }
            Ok(with_id(&cmd, self.id_at, id))
        });
        self
    }
}

/// The same command with another word at the place of the id, which stands before the fields.
fn with_id(cmd: &Cmd, id_at: usize, id: EntryId) -> Cmd {
    let bytes: usize = words(cmd).map(<[u8]>::len).sum();
    let mut whole = Cmd::with_capacity(cmd.args_iter().len(), bytes + 40);
    for (at, word) in words(cmd).enumerate() {
        if at == id_at {
            id.push(&mut whole);
        } else {
            whole.write_arg(word);
        }
    }
    whole
}

runnable!([] XAdd => EntryId);

impl From<XAdd> for Command<EntryId> {
    fn from(XAdd { schema, script, cmd, .. }: XAdd) -> Self {
        match script {
            Some(script) => Command::script(schema, script, cmd, added),
            None => Command::one(schema, cmd, added),
        }
    }
}

/// The id, or how many entries there would have been.
fn added(replies: Replies, _sent: &Sent<'_>) -> Result<Step<EntryId>, Fault> {
    match replies.one() {
        Value::Int(len) => Err(Fault::new(Cause::CollectionSize { len: len.unsigned_abs() })),
        reply => EntryId::read(&reply).map(Step::Done),
    }
}

/// Tells the key, and no field.
impl fmt::Debug for XAdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.cmd.as_ref().map(|cmd| key_of(cmd, 0).unwrap_or_default());
        f.debug_struct("XAdd").field("key", &key).finish_non_exhaustive()
    }
}
