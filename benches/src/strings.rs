//! Strings, many at once.

use redis::Pipeline;
use redis_keys::{TimeLeft, prelude::*};

use crate::{TTL_MS, VALUE, Work, hand, ours::BasicInfo};

/// So many different keys are read and written.
const KEYS: u64 = 10_000;

/// So many keys are in one MGET by hand, as in ours.
const MOST: u64 = 100;

/// GET.
pub struct Get;

/// SET with expiry.
pub struct Set;

/// GET, EXISTS, SET with expiry, PTTL, UNLINK.
pub struct Mixed;

/// 1,000 keys at once.
pub struct GetMany;

fn info(id: u64) -> BasicInfo {
    BasicInfo { user_id: id % KEYS }
}

fn key(id: u64) -> String {
    hand::key(id % KEYS)
}

impl Work for Get {
    type Ours = Command<Option<String>>;
    type Reply = Option<String>;

    fn ours(&self, id: u64) -> Self::Ours {
        info(id).get()
    }

    fn by_hand(&self, id: u64, pipe: &mut Pipeline) {
        pipe.get(key(id));
    }
}

impl Work for Set {
    type Ours = Command<()>;
    type Reply = ();

    fn ours(&self, id: u64) -> Self::Ours {
        info(id).set(VALUE).into()
    }

    fn by_hand(&self, id: u64, pipe: &mut Pipeline) {
        pipe.cmd("SET").arg(key(id)).arg(VALUE).arg("PX").arg(TTL_MS);
    }
}

impl Work for Mixed {
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

impl Work for GetMany {
    const COMMANDS: u64 = 1_000;
    type Ours = Command<Vec<Option<String>>>;
    type Reply = Vec<Option<String>>;

    fn ours(&self, id: u64) -> Self::Ours {
        BasicInfo::get_many((0..Self::COMMANDS).map(|at| info(id * Self::COMMANDS + at)))
    }

    fn by_hand(&self, id: u64, pipe: &mut Pipeline) {
        let first = id * Self::COMMANDS;
        for part in 0..Self::COMMANDS / MOST {
            let from = first + part * MOST;
            pipe.mget((from..from + MOST).map(key).collect::<Vec<_>>());
        }
    }

    fn read_all(replies: Vec<Self::Reply>) -> impl Sized {
        replies.into_iter().flatten().collect::<Vec<_>>()
    }

    fn one_by_one(&self, id: u64, pipe: &mut Pipeline) {
        (id * Self::COMMANDS..(id + 1) * Self::COMMANDS).for_each(|id| _ = pipe.get(key(id)));
    }
}
