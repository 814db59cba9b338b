//! The keys of a game's service, as they are written without declarations: texts in calls of redis-rs.
//!
//! `cargo redis-keys adopt` drafts declarations from this file and a server. A test compares what the service writes
//! with what the same service writes through the draft.

use redis::{Commands, Connection, RedisResult};

/// Guilds are removed by hand.
pub struct Guild<'a> {
    pub name: &'a str,
}

impl Guild<'_> {
    fn key(&self, what: &str) -> String {
        format!("guild.{}.{what}", self.name)
    }

    pub fn join(&self, con: &mut Connection, player: &str) -> RedisResult<()> {
        con.sadd(self.key("members"), player)
    }

    pub fn members(&self, con: &mut Connection) -> RedisResult<Vec<String>> {
        con.smembers(self.key("members"))
    }

    pub fn set_motd(&self, con: &mut Connection, text: &str) -> RedisResult<()> {
        con.set(self.key("motd"), text)
    }
}

pub fn score(con: &mut Connection, region: &str, week: &str, player: &str, points: f64) -> RedisResult<()> {
    let key = format!("lb:{region}:weekly:{week}");
    redis::pipe().zadd(&key, player, points).ignore().expire(&key, 90 * 86_400).ignore().query(con)
}

pub fn best(con: &mut Connection, region: &str, week: &str) -> RedisResult<Vec<String>> {
    con.zrevrange(format!("lb:{region}:weekly:{week}"), 0, 9)
}

pub fn save_player(con: &mut Connection, player_id: &str, name: &str, level: &str) -> RedisResult<()> {
    con.hset_multiple(format!("player_{player_id}"), &[("name", name), ("level", level)])
}

pub fn lock_match(con: &mut Connection, match_id: &str, owner: &str) -> RedisResult<bool> {
    let mut command = redis::cmd("SET");
    command.arg(format!("match:{match_id}:lock")).arg(owner).arg("NX").arg("EX").arg(30);
    Ok(command.query::<Option<String>>(con)?.is_some())
}

pub fn add_move(con: &mut Connection, match_id: &str, text: &str) -> RedisResult<()> {
    let key = format!("match:{match_id}:moves");
    redis::pipe().rpush(&key, text).ignore().expire(&key, 86_400).ignore().query(con)
}

pub fn is_online(con: &mut Connection, region: &str, player: &str) -> RedisResult<()> {
    con.set_ex(presence(region, player), "1", 120)
}

fn presence(region: &str, player: &str) -> String {
    ["presence", region, player].join("/")
}

pub fn count_attempt(con: &mut Connection, transaction: &str) -> RedisResult<u64> {
    let key = format!("otp_{transaction}_attempts");
    let (attempts,) = redis::pipe().incr(&key, 1).expire(&key, 300).ignore().query(con)?;
    Ok(attempts)
}

pub fn set_rate(con: &mut Connection, from: &str, to: &str, rate: &str) -> RedisResult<()> {
    let key = format!("fx_{from}_{to}");
    redis::pipe().hset(&key, "rate", rate).ignore().expire(&key, 3_600).ignore().query(con)
}

pub fn set_checked(con: &mut Connection, email: &str, status: &str) -> RedisResult<()> {
    con.set_ex(format!("kyc:{email}:status"), status, 86_400)
}

pub fn book(con: &mut Connection, iban: &str, cents: i64) -> RedisResult<String> {
    redis::cmd("XADD").arg(format!("ledger:{iban}")).arg("*").arg("cents").arg(cents).query(con)
}

pub fn save_basket(con: &mut Connection, basket_id: &str, json: &str) -> RedisResult<()> {
    con.set_ex(format!("Basket/{basket_id}"), json, 3_600)
}
