//! Writes to collections with a limit and an expiry; by hand, scripts for just these writes.

use redis::{Connection, Pipeline};
use redis_keys::prelude::*;

use crate::{Script, Workload};

/// The number of collections that are written in turn.
const KEYS: u64 = 1_000;

const TTL_MS: u64 = 7 * 24 * 3_600_000;

/// The case in which a script by hand sets the expiry.
#[derive(Clone, Copy)]
pub enum SetsExpiry {
    /// If the key has none, as redis-keys does.
    IfMissing,
    /// If the script creates the key. A key that lost its expiry, or was created otherwise, never gets one.
    IfNew,
}

#[derive(RedisKey)]
#[redis_key(user:recent.views:{user_id}:list, value = u64, ttl = 7d, keep_last = 100)]
struct RecentViews {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(article:readers:{article_id}:set, value = u64, ttl = 7d)]
struct Readers {
    article_id: u64,
}

#[derive(RedisKey)]
#[redis_key(page:counts:{page_id}:hash, field = String, value = u64, ttl = 7d, max_len = 100)]
struct Counts {
    page_id: u64,
}

#[derive(RedisKey)]
#[redis_key(game:scores:{game_id}:zset, value = u64, ttl = 7d, keep_top = 100)]
struct Scores {
    game_id: u64,
}

/// LPUSH to a list that keeps 100 items.
pub struct Push(Script);

impl Push {
    /// Loads the script.
    pub fn new(con: &mut Connection, sets_expiry: SetsExpiry) -> Self {
        let new = match sets_expiry {
            SetsExpiry::IfMissing => "redis.call('PTTL', KEYS[1]) < 0",
            SetsExpiry::IfNew => "len == 1",
        };
        Self(Script::load(
            con,
            &format!(
                "\
local len = redis.call('LPUSH', KEYS[1], ARGV[3])
redis.call('LTRIM', KEYS[1], 0, ARGV[2])
if {new} then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
return len
"
            ),
        ))
    }

    /// The same for a mock.
    pub fn for_mock() -> Self {
        Self(Script::for_mock())
    }
}

impl Workload for Push {
    type Ours = Command<u64>;
    type Reply = i64;

    fn ours(&self, id: u64) -> Self::Ours {
        RecentViews { user_id: id % KEYS }.lpush(&id)
    }

    fn by_hand(&self, id: u64, pipe: &mut Pipeline) {
        self.0.call(pipe, format!("user:recent.views:{}:list", id % KEYS)).arg(TTL_MS).arg(99).arg(id);
    }
}

/// SADD to a set of at most 5,000 members.
pub struct Add(Script);

impl Add {
    /// Loads the script.
    pub fn new(con: &mut Connection, sets_expiry: SetsExpiry) -> Self {
        let new = match sets_expiry {
            SetsExpiry::IfMissing => "redis.call('PTTL', KEYS[1]) < 0",
            SetsExpiry::IfNew => "size == 0",
        };
        Self(Script::load(
            con,
            &format!(
                "\
local size = redis.call('SCARD', KEYS[1])
if size >= tonumber(ARGV[2]) and redis.call('SISMEMBER', KEYS[1], ARGV[3]) == 0 then
  return -1
end
local added = redis.call('SADD', KEYS[1], ARGV[3])
if {new} then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
return added
"
            ),
        ))
    }
}

impl Workload for Add {
    type Ours = Command<bool>;
    type Reply = i64;

    fn ours(&self, id: u64) -> Self::Ours {
        Readers { article_id: id % KEYS }.sadd(&id)
    }

    fn by_hand(&self, id: u64, pipe: &mut Pipeline) {
        self.0.call(pipe, format!("article:readers:{}:set", id % KEYS)).arg(TTL_MS).arg(5_000).arg(id);
    }
}

/// ZADD to a sorted set that keeps the 100 highest scores.
pub struct Score(Script);

impl Score {
    /// Loads the script.
    pub fn new(con: &mut Connection, sets_expiry: SetsExpiry) -> Self {
        let new = match sets_expiry {
            SetsExpiry::IfMissing => "redis.call('PTTL', KEYS[1]) < 0",
            SetsExpiry::IfNew => "added == 1 and redis.call('ZCARD', KEYS[1]) == 1",
        };
        Self(Script::load(
            con,
            &format!(
                "\
local added = redis.call('ZADD', KEYS[1], ARGV[3], ARGV[4])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, ARGV[2])
if {new} then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
return added
"
            ),
        ))
    }
}

impl Workload for Score {
    type Ours = Command<bool>;
    type Reply = i64;

    fn ours(&self, id: u64) -> Self::Ours {
        Scores { game_id: id % KEYS }.zadd(&id, score(id)).into()
    }

    fn by_hand(&self, id: u64, pipe: &mut Pipeline) {
        self.0.call(pipe, format!("game:scores:{}:zset", id % KEYS)).arg(TTL_MS).arg(-101).arg(score(id)).arg(id);
    }
}

/// HSET of four fields of at most 100.
pub struct Fields(Script);

impl Fields {
    /// Loads the script.
    pub fn new(con: &mut Connection, sets_expiry: SetsExpiry) -> Self {
        let new = match sets_expiry {
            SetsExpiry::IfMissing => "redis.call('PTTL', KEYS[1]) < 0",
            SetsExpiry::IfNew => "size == 0",
        };
        Self(Script::load(
            con,
            &format!(
                "\
local size = redis.call('HLEN', KEYS[1])
if size + 4 > tonumber(ARGV[2]) then
  local after = size
  for i = 3, #ARGV, 2 do
    after = after + 1 - redis.call('HEXISTS', KEYS[1], ARGV[i])
  end
  if after > size and after > tonumber(ARGV[2]) then
    return -after
  end
end
local added = redis.call('HSET', KEYS[1], unpack(ARGV, 3))
if {new} then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
return added
"
            ),
        ))
    }
}

impl Workload for Fields {
    type Ours = Command<u64>;
    type Reply = i64;

    fn ours(&self, id: u64) -> Self::Ours {
        Counts { page_id: id % KEYS }.hset_many(FIELDS.map(|field| (field, id)))
    }

    fn by_hand(&self, id: u64, pipe: &mut Pipeline) {
        let call = self.0.call(pipe, format!("page:counts:{}:hash", id % KEYS)).arg(TTL_MS).arg(100);
        for field in FIELDS {
            call.arg(field).arg(id);
        }
    }
}

const FIELDS: [&str; 4] = ["views", "likes", "shares", "comments"];

/// A score, unordered.
fn score(id: u64) -> f64 {
    const MIXED: u64 = 2_654_435_761;
    u32::try_from(id.wrapping_mul(MIXED) % 1_000_000).map_or(0.0, f64::from)
}
