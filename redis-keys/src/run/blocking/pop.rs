//! BLPOP, BRPOP, BZPOPMIN, BZPOPMAX, and BLMOVE.

use std::time::Duration;

use redis::{RedisWrite as _, Value};

use super::{
    Blocking,
    way::{Taking, Way},
};
use crate::{
    Error, ListKey, ZSetKey,
    command::{Fault, Replies, Sent, Step, on_key, replies, value},
    lua,
    stored::Stored,
    types::{
        list,
        list::{ListEnd, move_cmd, moved},
        zset,
    },
};

/// BLPOP or BRPOP.
pub(crate) fn from_list<K: ListKey>(key: &K, name: &str, wait: Duration) -> Blocking<list::Output<K>> {
    let pop = |cmd| Way::Pop { schema: K::SCHEMA, cmd, decode: item::<K::Value> };
    Blocking::new(K::SCHEMA, wait, on_key(key, name, 1, 8).map(pop))
}

/// BZPOPMIN or BZPOPMAX.
pub(crate) fn from_zset<K: ZSetKey>(key: &K, name: &str, wait: Duration) -> Blocking<(zset::Output<K>, f64)> {
    let pop = |cmd| Way::Pop { schema: K::SCHEMA, cmd, decode: member::<K::Value> };
    Blocking::new(K::SCHEMA, wait, on_key(key, name, 1, 8).map(pop))
}

/// LMOVE by its script, which sees to the other list's expiry and caps, after BLMOVE of the first list's first item to where
/// it is. That waits until there is one, and changes nothing.
pub(crate) fn from_list_to_list<K, D>(
    source: &K,
    destination: &D,
    (from, to): (ListEnd, ListEnd),
    wait: Duration,
) -> Blocking<list::Output<K>>
where
    K: ListKey,
    D: ListKey<Value = K::Value>,
{
    let way = || -> Result<_, Error> {
        let cmd = move_cmd(source, destination, from, to)?;
        let mut watch = on_key(source, "BLMOVE", 4, 64 + 16)?;
        for word in [source.key()?.as_str(), "LEFT", "LEFT"] {
            watch.write_arg(word.as_bytes());
        }
        let taking = Taking { schema: D::SCHEMA, script: &lua::MOVE, cmd, decode: moved::<K::Value> };
        Ok(Way::Watch { taking, schema: K::SCHEMA, watch })
    };
    Blocking::new(K::SCHEMA, wait, way())
}

/// The key and the item, or nothing.
fn item<V: Stored>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Option<V::Output>>, Fault> {
    let reply = replies.one();
    if reply == Value::Nil {
        return Ok(Step::Done(None));
    }
    let [_key, item] = replies::list(reply)?.try_into().map_err(|_| Fault::unexpected())?;
    value::read_one::<V>(item).map(|item| Step::Done(Some(item)))
}

/// A member and its score, if there is one.
type Ranked<V> = Option<(<V as Stored>::Output, f64)>;

/// The key, the member and its score, or nothing.
fn member<V: Stored>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Ranked<V>>, Fault> {
    let reply = replies.one();
    if reply == Value::Nil {
        return Ok(Step::Done(None));
    }
    let [_key, member, score] = replies::list(reply)?.try_into().map_err(|_| Fault::unexpected())?;
    Ok(Step::Done(Some((value::read_one::<V>(member)?, replies::score(&score)?))))
}
