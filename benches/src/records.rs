//! Records.

use redis::{Connection, Pipeline};
use redis_keys::prelude::*;

use crate::{Script, Workload};

const KEYS: u64 = 1_000;

/// A record of six fields.
#[derive(RedisHash)]
pub struct Profile {
    name: String,
    email: Option<String>,
    country: String,
    visits: u64,
    score: f64,
    active: bool,
}

#[derive(RedisKey)]
#[redis_key(user:profile:{user_id}:hash, value = Profile, ttl = 30d)]
struct UserProfile {
    user_id: u64,
}

const TTL_MS: u64 = 30 * 24 * 3_600_000;

fn key(id: u64) -> String {
    format!("user:profile:{}:hash", id % KEYS)
}

fn profile(id: u64) -> Profile {
    Profile {
        name: "Ada Lovelace".to_owned(),
        email: Some("ada@example.org".to_owned()),
        country: "United Kingdom".to_owned(),
        visits: id,
        score: 0.25,
        active: true,
    }
}

/// Reads a record; by hand HMGET of all fields.
pub struct Load;

type Fields = (Option<String>, Option<String>, Option<String>, Option<u64>, Option<f64>, Option<bool>);

fn parse(fields: Fields) -> Option<Profile> {
    match fields {
        (None, None, None, None, None, None) => None,
        (Some(name), email, Some(country), Some(visits), Some(score), Some(active)) => {
            Some(Profile { name, email, country, visits, score, active })
        }
        _ => panic!("the record lacks a field"),
    }
}

impl Workload for Load {
    type Ours = Command<Option<Profile>>;
    type Reply = Fields;

    fn ours(&self, id: u64) -> Self::Ours {
        UserProfile { user_id: id % KEYS }.load()
    }

    fn by_hand(&self, id: u64, pipe: &mut Pipeline) {
        pipe.cmd("HMGET").arg(key(id)).arg(&["name", "email", "country", "visits", "score", "active"]);
    }

    fn read(reply: Fields) -> impl Sized {
        parse(reply)
    }
}

/// Stores a record; by hand HSET, and PEXPIRE NX, which needs Redis 7, in MULTI.
pub struct Store;

/// Stores a record; by hand a script of HSET and PEXPIRE.
pub struct StoreByScript(Script);

fn store(id: u64) -> Command<()> {
    UserProfile { user_id: id % KEYS }.store(&profile(id))
}

fn add_fields(profile: &Profile, pipe: &mut Pipeline) {
    let Profile { name, email, country, visits, score, active } = profile;
    pipe.arg("name").arg(name).arg("country").arg(country).arg("visits").arg(visits);
    pipe.arg("score").arg(score).arg("active").arg(u8::from(*active));
    if let Some(email) = email {
        pipe.arg("email").arg(email);
    }
}

impl Workload for Store {
    type Ours = Command<()>;
    type Reply = (u64, bool);

    fn ours(&self, id: u64) -> Self::Ours {
        store(id)
    }

    fn by_hand(&self, id: u64, pipe: &mut Pipeline) {
        let (profile, key) = (profile(id), key(id));
        pipe.cmd("MULTI").ignore().cmd("HSET").arg(&key);
        add_fields(&profile, pipe);
        pipe.ignore();
        if profile.email.is_none() {
            pipe.cmd("HDEL").arg(&key).arg("email").ignore();
        }
        pipe.cmd("PEXPIRE").arg(&key).arg(TTL_MS).arg("NX").ignore().cmd("EXEC");
    }
}

impl StoreByScript {
    /// Loads the script.
    pub fn new(con: &mut Connection) -> Self {
        Self(Script::load(
            con,
            "\
redis.call('HSET', KEYS[1], unpack(ARGV, 3))
if ARGV[2] ~= '' then
  redis.call('HDEL', KEYS[1], ARGV[2])
end
if redis.call('PTTL', KEYS[1]) < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
",
        ))
    }
}

impl Workload for StoreByScript {
    type Ours = Command<()>;
    type Reply = ();

    fn ours(&self, id: u64) -> Self::Ours {
        store(id)
    }

    fn by_hand(&self, id: u64, pipe: &mut Pipeline) {
        let profile = profile(id);
        let absent = if profile.email.is_none() { "email" } else { "" };
        self.0.call(pipe, key(id)).arg(TTL_MS).arg(absent);
        add_fields(&profile, pipe);
    }
}
