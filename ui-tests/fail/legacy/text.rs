// A legacy text is a format string of the fields.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:profile:{user_id}:string, value = String, ttl = 1d, legacy = "User:{uesr_id}:Profile")]
struct Misspelt {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:inbox:{user_id}:string, value = String, ttl = 1d, legacy = "{PREFIX}:inbox:{user_id}")]
struct Constant {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:theme:{user_id}:string, value = String, ttl = 1d, legacy = r#"Theme:{self.user_id}"#)]
struct Expression {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:badge:{user_id}:{badge}:string, value = String, ttl = 1d, legacy = "Badge:{user_id}{badge}")]
struct NotApart {
    user_id: u64,
    badge: String,
}

#[derive(RedisKey)]
#[redis_key(user:level:{user_id}:{level}:string, value = String, ttl = 1d, formerly = "Level:{level:>5}")]
struct Format {
    user_id: u64,
    level: u8,
}

#[derive(RedisKey)]
#[redis_key(user:quota:{user_id}:string, value = String, ttl = 1d, formerly = "Quota:{user_id")]
struct UnclosedPlaceholder {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:quote:{user_id}:string, value = String, ttl = 1d, legacy = User:{user_id}:Quote)]
struct Bare {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:mood:{user_id}:string, value = String, ttl = 1d, legacy = "Mood:{user_id}", formerly = "M:{user_id}")]
struct Both {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:tone:{user_id}:string, value = String, ttl = 1d)]
struct Flag {
    #[redis_key(no_colon)]
    user_id: String,
}

#[derive(RedisKey)]
#[redis_key(user:note:{user_id}:string, value = String, ttl = 1d, formerly = "user:note:{user_id}")]
struct OwnTemplate {
    user_id: String,
}

/// An invalid declaration has all methods, so that its uses have no error of their own.
fn uses(key: Misspelt, other: Both) -> Result<(), redis_keys::Error> {
    key.take_over_and(key.get()).query(&mut connection())?;
    Misspelt::parse("User:7:Profile")?.other_name().key()?;
    other.take_over().query(&mut connection())?;
    Ok(())
}

fn connection() -> redis_keys::redis::Connection {
    loop {}
}

fn main() {}
