//! PFCOUNT and PFMERGE of several keys.

use redis::{Cmd, RedisWrite as _};

use crate::{
    Command, Error, HyperLogLogKey, Key,
    command::{call_with, count, done, on_key, value},
    error::Cause,
    key::expiry::expiry_of,
    lua,
    schema::Expiry,
};

/// The most other keys in one command.
const MOST: usize = 100;

pub(crate) fn count_with<'o, K, O>(key: &K, others: impl IntoIterator<Item = &'o O>) -> Command<u64>
where
    K: HyperLogLogKey,
    O: HyperLogLogKey<Value = K::Value> + 'o,
{
    let cmd = keys_of::<K, O>(others).and_then(|others| {
        let mut cmd = on_key(key, "PFCOUNT", others.len(), 40 * others.len())?;
        push_keys(&mut cmd, &others);
        Ok(cmd)
    });
    Command::one(K::SCHEMA, cmd, count)
}

pub(crate) fn merge<'o, K, O>(key: &K, others: impl IntoIterator<Item = &'o O>) -> Command<()>
where
    K: HyperLogLogKey,
    O: HyperLogLogKey<Value = K::Value> + 'o,
{
    let (schema, native) = (K::SCHEMA, K::SCHEMA.expiry == Expiry::NEVER);
    match keys_of::<K, O>(others) {
        Ok(others) if others.is_empty() => Command::ready(()),
        Ok(others) if native => Command::one(schema, native_merge(key, &others), done),
        Ok(others) => Command::script(schema, &lua::PFMERGE, scripted_merge(key, &others), done),
        Err(error) => Command::refused(error),
    }
}

fn native_merge<K: HyperLogLogKey>(key: &K, others: &[Key]) -> Result<Cmd, Error> {
    let mut cmd = on_key(key, "PFMERGE", others.len(), 40 * others.len())?;
    push_keys(&mut cmd, others);
    Ok(cmd)
}

fn scripted_merge<K: HyperLogLogKey>(key: &K, others: &[Key]) -> Result<Cmd, Error> {
    let (key, expiry) = (key.key()?, expiry_of(key)?);
    let room = 1 + others.len();
    let mut cmd = call_with(&lua::PFMERGE, 1 + others.len(), key.as_str().as_bytes(), room, 40 * room);
    push_keys(&mut cmd, others);
    value::push_expiry(&mut cmd, expiry, K::SCHEMA);
    Ok(cmd)
}

fn push_keys(cmd: &mut Cmd, keys: &[Key]) {
    for key in keys {
        cmd.write_arg(key.as_str().as_bytes());
    }
}

/// The texts of the other keys. It is `K` whose command they are for.
fn keys_of<'o, K: HyperLogLogKey, O: HyperLogLogKey + 'o>(
    others: impl IntoIterator<Item = &'o O>,
) -> Result<Vec<Key>, Error> {
    let keys: Vec<Key> = others.into_iter().take(MOST + 1).map(O::key).collect::<Result<_, _>>()?;
    if keys.len() > MOST {
        return Err(Error::refused(K::SCHEMA, None, Cause::TooMany { most: MOST as u64 }));
    }
    Ok(keys)
}
