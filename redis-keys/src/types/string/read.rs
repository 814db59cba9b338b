//! GET and its kin.

use redis::Cmd;

use crate::{
    Command, Error, StringKey,
    command::{Fault, Replies, Sent, Step, builder::Build as _, on_key, value},
    key::expiry,
    schema::Renew,
    stored::Stored,
    types::string::Output,
};

pub(crate) fn get<K: StringKey>(key: &K) -> Command<Option<Output<K>>> {
    match K::SCHEMA.renew {
        Some(Renew::Read) => get_ex(key),
        Some(Renew::Below(_)) => get_and_time_left(key),
        Some(Renew::Write) | None => key.native("GET", ()).reply(found::<K::Value>),
    }
}

pub(crate) fn get_del<K: StringKey>(key: &K) -> Command<Option<Output<K>>> {
    Command::one(K::SCHEMA, on_key(key, "GETDEL", 0, 0), found::<K::Value>)
}

pub(crate) fn get_ex<K: StringKey>(key: &K) -> Command<Option<Output<K>>> {
    Command::one(K::SCHEMA, get_ex_cmd(key), found::<K::Value>)
}

pub(super) fn get_ex_cmd<K: StringKey>(key: &K) -> Result<Cmd, Error> {
    let mut cmd = on_key(key, "GETEX", 2, 32)?;
    match expiry::draw(key)? {
        Some(ms) => cmd.arg("PX").arg(ms),
        None => cmd.arg("PERSIST"),
    };
    Ok(cmd)
}

/// GET and PTTL.
pub(super) fn get_and_time_left_cmds<K: StringKey>(key: &K) -> Result<[Cmd; 2], Error> {
    Ok([on_key(key, "GET", 0, 0)?, on_key(key, "PTTL", 0, 0)?])
}

fn get_and_time_left<K: StringKey>(key: &K) -> Command<Option<Output<K>>> {
    match get_and_time_left_cmds(key) {
        Ok(cmds) => Command::renewing(K::SCHEMA, cmds, found::<K::Value>),
        Err(error) => Command::refused(error),
    }
}

/// One value or none.
#[inline]
pub(super) fn found<V: Stored>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Option<V::Output>>, Fault> {
    value::read::<V>(replies.one()).map(Step::Done)
}
