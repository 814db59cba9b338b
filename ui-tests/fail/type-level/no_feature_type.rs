// A type of another crate names the feature that it needs as a parameter.
use chrono::NaiveDate;
use redis_keys::prelude::*;
use uuid::Uuid;

// What the crates of these names have.
mod uuid {
    #[derive(Clone)]
    pub struct Uuid(pub [u8; 16]);
}
mod chrono {
    pub struct NaiveDate;
}
mod time {
    pub struct Date;
}
mod jiff {
    pub mod civil {
        pub struct Date;
    }
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:v.{day}:string, value = u64, ttl = 1h)]
struct DatedName {
    id: Uuid,
    day: NaiveDate,
}

#[derive(RedisKey)]
#[redis_key(user:login:{of_time}:{of_jiff}:string, value = u64, ttl = 1h)]
struct Dates {
    of_time: time::Date,
    of_jiff: jiff::civil::Date,
}

use time::Date;

// Of either crate.
#[derive(RedisKey)]
#[redis_key(user:visits:{day}:string, value = u64, ttl = 1h)]
struct OfEither<'a> {
    day: &'a Date,
}

// A newtype, and the keys that have it.
#[derive(KeySegment)]
struct UserId(Uuid);

#[derive(RedisKey)]
#[redis_key(user:orders:{user}:{shop}:string, value = u64, ttl = 1h)]
struct Orders {
    user: UserId,
    shop: u64,
}

// Also beside an error of the attribute.
#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = u64, ttl = 3600)]
struct Age {
    id: uuid::Uuid,
}

// A type of the same name that can be a parameter.
mod ids {
    #[derive(redis_keys::KeySegment)]
    pub struct Uuid(pub u64);

    #[derive(redis_keys::RedisKey)]
    #[redis_key(user:ids:{id}:string, value = u64, ttl = 1h)]
    pub struct OfOwnType {
        pub id: Uuid,
    }
}

fn main() {
    let _ = ids::OfOwnType { id: ids::Uuid(1) }.get();
    let _ = Orders { user: UserId(Uuid([0; 16])), shop: 1 }.get();
}
