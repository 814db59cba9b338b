//! Strings.

use redis::{Cmd, Pipeline};
use redis_keys::command::TimeLeft;
use redis_keys::prelude::*;

use crate::Workload;

/// The value of every string.
pub const VALUE: &str = "Ada Lovelace";

/// The expiry of every string.
pub const TTL_MS: u64 = 3_600_000;

/// The number of different keys.
const KEYS: u64 = 10_000;

/// The number of keys in an MGET, by redis-keys and by hand.
const MGET_KEYS: u64 = 100;

/// The card of a user.
#[derive(RedisKey)]
#[redis_key(user:basic.info:{user_id}:string, value = String, ttl = 1h)]
pub struct BasicInfo {
    /// The user.
    pub user_id: u64,
}

/// The card of a user, under the text that it had before it was declared.
#[derive(RedisKey)]
#[redis_key(user:old.info:{user_id}:string, value = String, ttl = 1h, legacy = "user_basic_info:{user_id}:value")]
pub struct LegacyInfo {
    /// The user.
    pub user_id: u64,
}

/// A workload of one command, which can be sent without a pipeline.
pub trait SingleCommand: Workload {
    /// Builds the command by hand.
    fn command(&self, id: u64) -> Cmd;
}

/// GET.
#[derive(Clone, Copy)]
pub struct Get;

/// SET with an expiry.
#[derive(Clone, Copy)]
pub struct Set;

/// GET, EXISTS, SET with an expiry, PTTL and UNLINK.
pub struct MixedCommands;

/// Reads 1,000 keys.
pub struct GetMany;

/// The key of an id.
pub fn info(id: u64) -> BasicInfo {
    BasicInfo { user_id: id % KEYS }
}

fn key(id: u64) -> String {
    format!("user:basic.info:{}:string", id % KEYS)
}

impl Workload for Get {
    type Ours = Command<Option<String>>;
    type Reply = Option<String>;

    fn ours(&self, id: u64) -> Self::Ours {
        info(id).get()
    }

    fn by_hand(&self, id: u64, pipe: &mut Pipeline) {
        pipe.get(key(id));
    }
}

impl SingleCommand for Get {
    fn command(&self, id: u64) -> Cmd {
        let mut command = redis::cmd("GET");
        command.arg(key(id));
        command
    }
}

impl Workload for Set {
    type Ours = Command<()>;
    type Reply = ();

    fn ours(&self, id: u64) -> Self::Ours {
        info(id).set(VALUE).into()
    }

    fn by_hand(&self, id: u64, pipe: &mut Pipeline) {
        pipe.cmd("SET").arg(key(id)).arg(VALUE).arg("PX").arg(TTL_MS);
    }
}

impl SingleCommand for Set {
    fn command(&self, id: u64) -> Cmd {
        let mut command = redis::cmd("SET");
        command.arg(key(id)).arg(VALUE).arg("PX").arg(TTL_MS);
        command
    }
}

impl Workload for MixedCommands {
    const COMMANDS: u64 = 5;
    type Ours = (Command<Option<String>>, Command<bool>, Command<()>, Command<TimeLeft>, Command<bool>);
    type Reply = (Option<String>, bool, i64, bool);

    fn ours(&self, id: u64) -> Self::Ours {
        let (this, other) = (info(id), info(id + 1));
        (this.get(), this.exists(), this.set(VALUE).into(), this.ttl(), other.unlink())
    }

    fn by_hand(&self, id: u64, pipe: &mut Pipeline) {
        let (this, other) = (key(id), key(id + 1));
        pipe.get(&this).exists(&this);
        pipe.cmd("SET").arg(&this).arg(VALUE).arg("PX").arg(TTL_MS).ignore();
        pipe.pttl(&this).unlink(other);
    }
}

impl Workload for GetMany {
    const COMMANDS: u64 = 1_000;
    type Ours = Command<Vec<Option<String>>>;
    type Reply = Vec<Option<String>>;

    fn ours(&self, id: u64) -> Self::Ours {
        BasicInfo::get_many((0..Self::COMMANDS).map(|number| info(id * Self::COMMANDS + number)))
    }

    fn by_hand(&self, id: u64, pipe: &mut Pipeline) {
        let first = id * Self::COMMANDS;
        for chunk in 0..Self::COMMANDS / MGET_KEYS {
            let start = first + chunk * MGET_KEYS;
            pipe.mget((start..start + MGET_KEYS).map(key).collect::<Vec<_>>());
        }
    }

    fn read_all(replies: Vec<Self::Reply>) -> impl Sized {
        replies.into_iter().flatten().collect::<Vec<_>>()
    }

    fn one_by_one(&self, id: u64, pipe: &mut Pipeline) {
        (id * Self::COMMANDS..(id + 1) * Self::COMMANDS).for_each(|id| _ = pipe.get(key(id)));
    }
}
