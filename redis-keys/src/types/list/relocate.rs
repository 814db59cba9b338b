//! LMOVE.

use redis::{Cmd, RedisWrite as _, Value};

use super::{ListEnd, push::push_kept};
use crate::{
    Command, Error, ListKey,
    command::{Fault, Replies, Sent, Step, builder::push_max_len, call_with, push_key, value},
    error::Cause,
    key::{KeyWriter, expiry::expiry_of},
    lua,
    stored::Stored,
    types::list::Output,
};

pub(crate) fn lmove<K, D>(source: &K, destination: &D, from: ListEnd, to: ListEnd) -> Command<Option<Output<K>>>
where
    K: ListKey,
    D: ListKey<Value = K::Value>,
{
    // It is the destination whose expiry and caps have to be kept.
    Command::script(D::SCHEMA, &lua::MOVE, move_cmd(source, destination, from, to), moved::<K::Value>)
}

pub(crate) fn move_cmd<K: ListKey, D: ListKey>(
    source: &K,
    destination: &D,
    from: ListEnd,
    to: ListEnd,
) -> Result<Cmd, Error> {
    let mut writer = KeyWriter::new();
    writer.write(destination);
    let key = writer.bytes().map_err(|fault| Error::refused(D::SCHEMA, None, Cause::Key(fault)))?;
    let mut cmd = call_with(&lua::MOVE, 2, key, 7, 256);
    push_key(&mut cmd, source)?;
    value::push_expiry(&mut cmd, expiry_of(destination)?, D::SCHEMA);
    if let Some(keep) = D::SCHEMA.keep {
        cmd.write_arg(b"");
        push_kept(&mut cmd, keep, to);
    } else {
        push_max_len(&mut cmd, D::SCHEMA);
        cmd.write_arg(b"");
        cmd.write_arg(b"");
    }
    for end in [from, to] {
        cmd.write_arg(match end {
            ListEnd::Left => b"LEFT",
            ListEnd::Right => b"RIGHT",
        });
    }
    Ok(cmd)
}

/// The item, nothing where there was none, or how many items there would have been.
pub(crate) fn moved<V: Stored>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Option<V::Output>>, Fault> {
    match replies.one() {
        Value::Int(len) => {
            let len = u64::try_from(len).map_err(|_| Fault::unexpected())?;
            Err(Fault::new(Cause::CollectionSize { len }))
        }
        reply => value::read::<V>(reply).map(Step::Done),
    }
}
