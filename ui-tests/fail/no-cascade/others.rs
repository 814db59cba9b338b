// Wrong keys of other types, cached keys, locks, limits and queues, and uses of them, which are right.
use redis_keys::cache::Token;
use redis_keys::prelude::*;
use redis_keys::redis;

// A wrong collection causes no errors where the key is used.
#[derive(RedisKey)]
#[redis_key(user:recent:{id}:list, value = u64, keep_last = 9000)]
struct WrongCollection {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:tags:{id}, value = String, ttl = 1h, keep_last = 10)]
struct UnknownType {
    id: u64,
}

fn wrong_collection() {
    let mut con = redis::Client::open("redis://127.0.0.1/").unwrap().get_connection().unwrap();
    let key = WrongCollection { id: 42 };
    let len: u64 = key.lpush(&7).query(&mut con).unwrap() + key.llen().query(&mut con).unwrap();
    let items: Vec<u64> = key.lrange(0..10).query(&mut con).unwrap();
    println!("{len} {items:?} {:?}", key.purge().query(&mut con));
    let key = UnknownType { id: 42 };
    key.lpush("a").query(&mut con).unwrap();
    let items = key.lrange(0..10).query(&mut con).unwrap();
    println!("{} {:?}", items.len(), key.unlink().query(&mut con));
}

// Cached keys with one mistake each, and uses of them, which are right.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = String, ttl = 1h, jitter = 10%, cache(null_ttl = 300))]
struct Name {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:town:{id}:string, value = String, ttl = 1h, jitter = 10%, cache(negative_ttl = 5m))]
struct Town {
    id: u64,
}

fn cache() {
    let _ = Name { id: 42 }.get();
    let _ = Name { id: 42 }.claim(&Token::random());
    let _ = Town { id: 42 }.fill(&Token::random(), Some("Paris"));
}

// A wrong hot key causes no errors where it is used.
#[derive(RedisKey)]
#[redis_key(user:basicInfo:{id}:{copy}:string, value = u64, ttl = 1h, copies = 8)]
struct Hot {
    id: u64,
}

fn copies() {
    let hot = Hot { id: 1 };
    let _ = (hot.get(), hot.set(&1), hot.keys(), hot.copy(1).get());
}

// A key with a mistake is read back elsewhere, where nothing is wrong.
#[derive(RedisKey)]
#[redis_key(user:Name:{id}:string, value = String, ttl = 1h)]
struct ParseName<T> {
    id: T,
}

fn parse() {
    let name = ParseName::<u64>::parse("user:name:1:string").unwrap();
    let _: u64 = name.id;
}

// Locks, limits and queues of jobs with one mistake each, and bounds that they meet.
#[derive(RedisKey)]
#[redis_key(order:first:{id}:string, Lock, ttl = 30s)]
struct OrderLock {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(rate:api:{id}:string, limit("100/min"))]
struct ApiLimit {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(rate:login:{id}:string, rate = 5 / 1m)]
struct LoginLimit {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(queue:mail:{id}:zset, value = String, ttl = 7d, job)]
struct Mails {
    id: u64,
}

// Copies of what has no value.
#[derive(RedisKey)]
#[redis_key(order:held:{copy}:string, lock, ttl = 30s, copies = 8)]
struct Copies;

fn of_locks(_: impl LockKey) {}
fn of_limits(_: impl LimitKey) {}
fn of_jobs<K: JobKey<Value = String>>(_: K) {}

fn patterns() {
    of_locks(OrderLock { id: 42 });
    of_locks(Copies);
    of_limits(ApiLimit { id: 42 });
    of_limits(LoginLimit { id: 42 });
    of_jobs(Mails { id: 42 });
}

fn main() {}
