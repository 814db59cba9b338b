//! GEOPOS, GEODIST and GEOHASH.

use std::borrow::Borrow;

use redis::{Cmd, RedisWrite as _, Value};

use super::{GeoPoint, GeoUnit};
use crate::{
    Command, GeoKey,
    command::{
        Decode, Fault, Replies, Sent, Step,
        old_builder::{expected, push_all, read, read_many},
        replies, value,
    },
    types::geo::Input,
};

/// A command on one member, whose reply is a list of one.
pub(crate) fn one<K: GeoKey, T>(key: &K, name: &str, member: &Input<K>, decode: Decode<T>) -> Command<T> {
    let schema = K::SCHEMA;
    let push = |cmd: &mut Cmd| value::push::<K::Value>(cmd, member, schema);
    read(key, name, (1, value::room::<K::Value>(member, schema)), push, decode)
}

/// A command on several members, whose reply is a list.
pub(crate) fn many<K, T, I>(key: &K, name: &str, members: I, decode: Decode<T>) -> Command<T>
where
    K: GeoKey,
    T: Default,
    I: IntoIterator,
    I::Item: Borrow<Input<K>>,
{
    let members = members.into_iter();
    let room = expected(&members);
    let push = |cmd: &mut Cmd| push_all::<K::Value, _>(cmd, members, K::SCHEMA);
    read_many(key, name, (room, 16 * room), push, decode)
}

pub(crate) fn geodist<K: GeoKey>(key: &K, from: &Input<K>, to: &Input<K>, unit: GeoUnit) -> Command<Option<f64>> {
    let schema = K::SCHEMA;
    let push = |cmd: &mut Cmd| {
        value::push::<K::Value>(cmd, from, schema)?;
        value::push::<K::Value>(cmd, to, schema)?;
        cmd.write_arg(unit.name().as_bytes());
        Ok(())
    };
    let room = value::room::<K::Value>(from, schema) + value::room::<K::Value>(to, schema);
    read(key, "GEODIST", (3, 2 + room), push, replies::optional_score)
}

/// A longitude and a latitude.
pub(super) fn point_of(reply: Value) -> Result<GeoPoint, Fault> {
    let [longitude, latitude] = replies::list(reply)?.try_into().map_err(|_| Fault::unexpected())?;
    Ok(GeoPoint { longitude: replies::score(&longitude)?, latitude: replies::score(&latitude)? })
}

fn optional_point(reply: Value) -> Result<Option<GeoPoint>, Fault> {
    if reply == Value::Nil { Ok(None) } else { point_of(reply).map(Some) }
}

fn optional_hash(reply: Value) -> Result<Option<String>, Fault> {
    value::read::<String>(reply)
}

fn only<T>(replies: Replies, read: fn(Value) -> Result<T, Fault>) -> Result<Step<T>, Fault> {
    let [reply] = replies::list(replies.one())?.try_into().map_err(|_| Fault::unexpected())?;
    read(reply).map(Step::Done)
}

fn all<T>(replies: Replies, sent: &Sent<'_>, read: fn(Value) -> Result<T, Fault>) -> Result<Step<Vec<T>>, Fault> {
    replies::all_asked(replies.one(), sent, 0)?.into_iter().map(read).collect::<Result<_, _>>().map(Step::Done)
}

pub(crate) fn point(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Option<GeoPoint>>, Fault> {
    only(replies, optional_point)
}

pub(crate) fn points(replies: Replies, sent: &Sent<'_>) -> Result<Step<Vec<Option<GeoPoint>>>, Fault> {
    all(replies, sent, optional_point)
}

pub(crate) fn hash(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Option<String>>, Fault> {
    only(replies, optional_hash)
}

pub(crate) fn hashes(replies: Replies, sent: &Sent<'_>) -> Result<Step<Vec<Option<String>>>, Fault> {
    all(replies, sent, optional_hash)
}
