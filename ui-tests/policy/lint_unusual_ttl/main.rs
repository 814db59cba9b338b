//! Keys whose expiry is outside the range of their module.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(session:login:{id}:string, value = String, ttl = 5m)]
struct Session {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:page:{id}:string, value = String, ttl = "2d", jitter = 10%)]
struct Cache {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(rate:calls:{id}:string, limit(100 / 1w))]
struct Rate {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(tmp:upload:{id}:string, value = String, ttl = never, reason = "it is small", rebuild = "by another upload")]
struct Temporary {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(lock:order:{id}:string, lock, ttl = 5m)]
struct InTheProjectsWindow {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:lock:{id}:string, lock, ttl = 1h)]
struct LockOfAUser {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(mail:reset:{id}:string, value = String, ttl = 2h)]
struct Reset {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:month:{id}:string, value = String, ttl = 1h)]
struct Report {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:year:{id}:string, value = String, ttl = never, reason = "kept by law", rebuild = "from the books")]
struct LongEnough {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(session:cart:{id}:string, value = String, ttl = 30m, renew = read)]
struct Sliding {
    id: u64,
}

fn main() {
    let _ = Sliding { id: 1 }.get();
    let _ = LongEnough { id: 1 }.get();
    let _ = (Session { id: 1 }.get(), Cache { id: 1 }.get(), Rate { id: 1 }.exists(), Temporary { id: 1 }.get());
    let _ = LockOfAUser { id: 1 }.exists();
    let _ = (InTheProjectsWindow { id: 1 }.exists(), Reset { id: 1 }.get(), Report { id: 1 }.get());
}
