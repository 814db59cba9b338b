//! Secrets in plain text: of the template, of a stored type, as parameters, and as fields of records.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:reset.token:{id}:string, value = String, ttl = 1h)]
struct Reset {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key("user:api.keys:{id}:list", value = "String", ttl = 1h)]
struct ApiKeys {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:secrets:{id}:set, value = String, ttl = 1h)]
struct Secrets {
    id: u64,
}

type AccessToken = String;

#[derive(RedisKey)]
#[redis_key(user:access:{id}:string, value = Json<Vec<AccessToken>>, ttl = 1h)]
struct Access {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(session:login:{#session_id}:string, value = u64, ttl = 1d)]
struct Login<'a> {
    session_id: &'a str,
}

#[derive(RedisKey)]
#[redis_key("session:mail:{mail_token}:string", value = u64, ttl = 1d)]
struct Mail {
    mail_token: String,
}

#[derive(RedisHash)]
struct Account {
    name: String,
    password: String,
    #[redis_hash(value = Json<Vec<String>>)]
    api_keys: Vec<String>,
    token_count: u64,
    #[redis_hash(allow(plain_secret, reason = "it is on each page"))]
    csrf_token: Option<String>,
}

/// A count, a lock and what has a reason.
#[derive(RedisKey)]
#[redis_key(otp:attempts:{id}:string, value = u32, ttl = 1h)]
struct Attempts {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(lock:token:{id}:string, lock, ttl = 30s)]
struct TokenLock {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:token.names:{id}:string, value = String, ttl = 1h, allow(plain_secret, reason = "names that users see"))]
struct Names {
    id: u64,
}

fn main() {
    let _ = (Account::NAME, Account::PASSWORD, Account::API_KEYS, Account::TOKEN_COUNT, Account::CSRF_TOKEN);
    let _ = (Reset { id: 1 }.get(), ApiKeys { id: 1 }.llen(), Secrets { id: 1 }.scard(), Access { id: 1 }.get());
    let _ = (Login { session_id: "a" }.get(), Mail { mail_token: String::new() }.get());
    let _ = (Attempts { id: 1 }.get(), TokenLock { id: 1 }.exists(), Names { id: 1 }.get());
}
