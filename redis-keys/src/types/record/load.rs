//! HMGET of all fields.

use redis::{Cmd, RedisWrite as _};

use super::{RecordReader, RedisHash};
use crate::{
    Command, RecordKey,
    command::{Fault, Replies, Sent, Step, old_builder, replies},
};

pub(crate) fn load<K: RecordKey>(key: &K) -> Command<Option<K::Value>> {
    let fields = K::Value::FIELDS;
    let room = fields.iter().map(|field| field.name.len()).sum();
    let push = |cmd: &mut Cmd| {
        for field in fields {
            cmd.write_arg(field.name.as_bytes());
        }
        Ok(())
    };
    old_builder::read(key, "HMGET", (fields.len(), room), push, record::<K::Value>)
}

fn record<R: RedisHash>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Option<R>>, Fault> {
    RecordReader::read(replies::list(replies.one())?).map(Step::Done)
}
