// Queues of jobs: what is stored, the lease and the tries, and other options.
use redis_keys::prelude::*;

// No stored form.
#[derive(RedisKey)]
#[redis_key(queue:first:{id}:zset, ttl = 7d, jobs)]
struct Empty {
    id: u64,
}

// The stored form as an option.
#[derive(RedisKey)]
#[redis_key(queue:second:{id}:zset, ttl = 7d, jobs(value = Json<Vec<u8>>))]
struct FormInRole {
    id: u64,
}

// Upper case.
#[derive(RedisKey)]
#[redis_key(queue:third:{id}:zset, value = String, ttl = 7d, Jobs)]
struct UpperCase {
    id: u64,
}

// A form in lower case.
#[derive(RedisKey)]
#[redis_key(queue:fourth:{id}:zset, value = json<Vec<u8>>, ttl = 7d, jobs)]
struct FormInLowerCase {
    id: u64,
}

// Many.
#[derive(RedisKey)]
#[redis_key(queue:fifth:{id}:zset, value = Vec<String>, ttl = 7d, jobs)]
struct Many {
    id: u64,
}

// A short lease.
#[derive(RedisKey)]
#[redis_key(queue:first:{id}:zset, value = String, ttl = 7d, jobs(lease = 500ms))]
struct Short {
    id: u64,
}

// A long one.
#[derive(RedisKey)]
#[redis_key(queue:second:{id}:zset, value = String, ttl = 7d, jobs(lease = 2h))]
struct Long {
    id: u64,
}

// Many tries.
#[derive(RedisKey)]
#[redis_key(queue:third:{id}:zset, value = String, ttl = 7d, jobs(tries = 100))]
struct Often {
    id: u64,
}

// More than the ttl, by the lease.
#[derive(RedisKey)]
#[redis_key(queue:fourth:{id}:zset, value = String, ttl = 7m, jobs(lease = 2m, tries = 5))]
struct LongerThanTtl {
    id: u64,
}

// By the tries.
#[derive(RedisKey)]
#[redis_key(queue:fifth:{id}:zset, value = String, ttl = 30m, jobs(tries = 40))]
struct MoreThanTtl {
    id: u64,
}

// By what they usually are.
#[derive(RedisKey)]
#[redis_key(queue:sixth:{id}:zset, value = String, ttl = 1m, jobs)]
struct ShortTtl {
    id: u64,
}

// Outside of the role.
#[derive(RedisKey)]
#[redis_key(queue:seventh:{id}:zset, value = String, ttl = 7d, lease = 1m, tries = 5)]
struct NoRole {
    id: u64,
}

// The names of other libraries.
#[derive(RedisKey)]
#[redis_key(queue:eighth:{id}:zset, value = String, ttl = 7d, jobs(visibility_timeout = 30, max_attempts = 3))]
struct OtherNames {
    id: u64,
}

// A list.
#[derive(RedisKey)]
#[redis_key(queue:first:{id}:list, value = Json<Vec<u8>>, ttl = 7d, jobs(lease = 1m, tries = 5))]
struct OfAList {
    id: u64,
}

// A stream.
#[derive(RedisKey)]
#[redis_key(queue:second:{id}:stream, value = String, ttl = 7d, jobs)]
struct OfAStream {
    id: u64,
}

// It is renewed already.
#[derive(RedisKey)]
#[redis_key(queue:first:{id}:zset, value = String, ttl = 7d, renew = write, jobs)]
struct RenewedQueue {
    id: u64,
}

// It would drop what is due.
#[derive(RedisKey)]
#[redis_key(queue:second:{id}:zset, value = String, ttl = 7d, keep_top = 100, jobs)]
struct KeepTop {
    id: u64,
}

// The end of a month.
#[derive(RedisKey)]
#[redis_key(queue:third:{month}:zset, value = String, ttl = 7d, ttl_from_end_of = month, jobs)]
struct EndOfMonth {
    month: redis_keys::parameter::bucket::Month,
}

// No end.
#[derive(RedisKey)]
#[redis_key(queue:fourth:{id}:zset, value = String, ttl = never, reason = "all are done", jobs)]
struct Never {
    id: u64,
}

fn main() {}
