// A template in quotes cannot be empty.
use redis_keys::RedisKey;

#[derive(RedisKey)]
#[redis_key("")]
struct Empty;

#[derive(RedisKey)]
#[redis_key(" ", value = u64, ttl = 1h)]
struct Blank;

#[derive(RedisKey)]
#[redis_key(":", value = u64, ttl = 1h)]
struct Separator;

fn main() {}
