//! The builder of `XADD`.

use redis::{Cmd, RedisWrite as _, Value};

use super::EntryId;
use crate::accessor::accessor;
use crate::command::arguments::{Amount, Capacity, MaxLen, with};
use crate::command::builder::Build as _;
use crate::command::table::words;
use crate::command::{DecodeResult, Replies, ReplyContext, ReplyError, Step, cmd_bytes, key_of};
use crate::error::Cause;
use crate::lua::{self, Script};
use crate::run::{debug_key, runnable};
use crate::schema::{Keep, Schema};
use crate::types::record::RecordWriter;
use crate::{Command, Error, StreamKey};

/// A builder of `XADD`: [`StreamKey::xadd`].
///
/// Run it with `run`, `query_async` or [`query`](Self::query), or convert it into a [`Command`].
///
/// ```
/// use redis_keys::{prelude::*, types::stream::EntryId, testing};
///
/// #[derive(RedisHash)]
/// struct Payment { order: u64, coupon: Option<String> }
///
/// #[derive(RedisKey)]
/// #[redis_key(shop:paid:{shop}:stream, value = Payment, ttl = never, reason = "the books", rebuild = "from the books", keep_last = ~5000)]
/// struct Payments { shop: u32 }
///
/// let payments = Payments { shop: 1 };
/// let paid = Payment { order: 42, coupon: None };
/// assert_eq!(testing::text(payments.xadd(&paid))?, ["XADD shop:paid:1:stream MAXLEN ~ 5000 * order 42"]);
/// let copied = payments.xadd(&paid).id(EntryId::new(7, 1));
/// assert_eq!(testing::text(copied)?, ["XADD shop:paid:1:stream MAXLEN ~ 5000 7-1 order 42"]);
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[must_use = "an XADD does nothing until `run` or `query` runs it"]
pub struct XAdd {
    schema: &'static Schema,
    script: Option<&'static Script>,
    /// The command with the ID `*`, which lets the server choose an ID.
    cmd: Result<Cmd, Error>,
    id: Option<EntryId>,
}

impl XAdd {
    pub(super) fn new<K: StreamKey>(key: &K, entry: &K::Value) -> Self {
        let size = RecordWriter::measure(entry, K::SCHEMA);
        let fields = with(Capacity::new(size.arguments, size.bytes), |cmd, _schema| {
            RecordWriter::write(entry, cmd, K::SCHEMA).map(|_absent| Amount::Some)
        });
        let built = if let Some(keep) = K::SCHEMA.keep {
            let operator = if matches!(keep, Keep::AboutLast(_)) { "~" } else { "=" };
            key.write_native("XADD", ("MAXLEN", operator, keep.count(), "*", fields))
        } else {
            key.write(&lua::XADD_CAPPED, (MaxLen, "*", fields))
        };
        let (script, cmd) = built.into_parts();
        Self { schema: K::SCHEMA, script, cmd, id: None }
    }

    /// Sets the entry's ID. By default the server chooses the ID by its clock.
    ///
    /// Use this to copy a stream, or if your producer numbers its entries. The server rejects an ID that is not greater
    /// than all previous IDs.
    pub fn id(self, id: EntryId) -> Self {
        Self { id: Some(id), ..self }
    }
}

runnable!([] XAdd => EntryId);

impl From<XAdd> for Command<EntryId> {
    fn from(XAdd { schema, script, cmd, id }: XAdd) -> Self {
        let cmd = match (cmd, id) {
            (Ok(cmd), Some(EntryId::MIN)) => {
                Err(Error::refused(schema, key_of(&cmd, 0), Cause::Argument("0-0 is not a valid entry ID")))
            }
            (Ok(cmd), Some(id)) => Ok(replace_id(&cmd, id)),
            (cmd, _) => cmd,
        };
        match script {
            Some(script) => Command::script(schema, script, cmd, added),
            None => Command::one(schema, cmd, added),
        }
        .named(accessor!("xadd"))
    }
}

/// Returns the same command with this ID instead of the first `*`. No earlier argument can be a `*`, and later
/// arguments are fields.
fn replace_id(cmd: &Cmd, id: EntryId) -> Cmd {
    let mut complete = Cmd::with_capacity(cmd.args_iter().len(), cmd_bytes(cmd).saturating_add(40));
    let mut replaced = false;
    for word in words(cmd) {
        if !replaced && word == b"*" {
            complete.write_arg_fmt(id);
            replaced = true;
        } else {
            complete.write_arg(word);
        }
    }
    complete
}

/// Reads the ID, or the number of entries that would have exceeded the cap.
fn added(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<EntryId> {
    match replies.one() {
        Value::Int(len) => Err(ReplyError::new(Cause::CollectionSize { len: len.unsigned_abs() })),
        reply => EntryId::read(&reply).map(Step::Done),
    }
}

debug_key!([] XAdd, "XAdd", |add| add.cmd.as_ref().map(|cmd| key_of(cmd, 0).unwrap_or_default()));
