//! The copies of a hot key.

mod copy;
mod get;
#[cfg(all(test, feature = "aio"))]
mod tests;

use redis::{Cmd, RedisWrite as _, Value};

use crate::{
    Command, CopiedKey, Error,
    access::words,
    chance,
    command::{Decode, Fault, Replies, Sent, Step, on_key},
    copied_key::Input,
    redis_key, string,
};

pub use copy::KeyCopy;
pub use get::GetCopy;
pub(crate) use get::get;

/// The number of a copy, at random.
pub(crate) fn any<K: CopiedKey>() -> u32 {
    at_random(K::COPIES)
}

/// A number below that.
fn at_random(end: u32) -> u32 {
    u32::try_from(chance::up_to(end.saturating_sub(1).into())).unwrap_or_default()
}

pub(crate) fn set<K: CopiedKey>(key: &K, value: &Input<K>) -> Command<()> {
    many(key, set_cmds(key, value), all_done)
}

/// The value is encoded once, and copied.
fn set_cmds<K: CopiedKey>(key: &K, value: &Input<K>) -> Result<Vec<Cmd>, Error> {
    let first = string::set::set_cmd(&key.copy(0), value)?;
    let bytes = words(&first).nth(2).unwrap_or_default();
    let copies = (0..K::COPIES).map(|number| {
        let copy = key.copy(number);
        let mut cmd = on_key(&copy, "SET", 3, bytes.len() + 32)?;
        cmd.write_arg(bytes);
        string::set::push_declared(&mut cmd, &copy)?;
        Ok(cmd)
    });
    copies.collect()
}

pub(crate) fn expire<K: CopiedKey>(key: &K) -> Command<u64> {
    let cmds = (0..K::COPIES).map(|number| redis_key::expire(&key.copy(number))).collect();
    many(key, cmds, total)
}

/// A command that has no arguments, on each copy.
pub(crate) fn each<K: CopiedKey, T>(key: &K, name: &str, decode: Decode<T>) -> Command<T> {
    let cmds = (0..K::COPIES).map(|number| on_key(&key.copy(number), name, 0, 0)).collect();
    many(key, cmds, decode)
}

fn many<K: CopiedKey, T>(_key: &K, cmds: Result<Vec<Cmd>, Error>, decode: Decode<T>) -> Command<T> {
    match cmds {
        Ok(cmds) => Command::many(K::SCHEMA, cmds, decode),
        Err(error) => Command::refused(error),
    }
}

fn all_done(replies: Replies, _sent: &Sent<'_>) -> Result<Step<()>, Fault> {
    for (command, reply) in replies.all().enumerate() {
        if reply != Value::Okay {
            return Err(Fault::unexpected().of(command, 0));
        }
    }
    Ok(Step::Done(()))
}

/// The numbers together.
pub(crate) fn total(replies: Replies, _sent: &Sent<'_>) -> Result<Step<u64>, Fault> {
    let mut total = 0;
    for (command, reply) in replies.all().enumerate() {
        let Value::Int(number) = reply else { return Err(Fault::unexpected().of(command, 0)) };
        total += u64::try_from(number).map_err(|_| Fault::unexpected().of(command, 0))?;
    }
    Ok(Step::Done(total))
}
