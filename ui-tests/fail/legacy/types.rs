// The fields of a legacy text implement the traits of their formats.
use redis_keys::prelude::*;

#[derive(KeySegment)]
struct UserId(u64);

#[derive(RedisKey)]
#[redis_key(user:profile:{user_id}:string, value = String, ttl = 1d, legacy = "User:{user_id}:Profile")]
struct Profile {
    user_id: UserId,
}

#[derive(RedisKey)]
#[redis_key(user:inbox:{user_id}:string, value = String, ttl = 1d, formerly = "Inbox:{user_id:x}")]
struct Inbox {
    user_id: UserId,
}

#[derive(RedisKey)]
#[redis_key(user:theme:{user_id}:string, value = String, ttl = 1d)]
struct Theme {
    user_id: u64,
}

#[derive(RedisKey)]
#[redis_key(
    user:badge:{a}:{b}:string, value = String, ttl = 1d, legacy = "Badge:{a}{b}", allow(ambiguous_text, reason = "so"),
)]
struct Badge {
    a: u64,
    b: u64,
}

#[derive(KeySegment)]
struct Color(u64);

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{}", self.0)
    }
}

#[derive(RedisKey)]
#[redis_key(user:color:{color}:string, value = String, ttl = 1d, legacy = "Color:{color}")]
struct UserColor {
    color: Color,
}

fn uses(theme: Theme) {
    let _ = UserColor::parse("Color:#7");
    let _ = theme.take_over();
    let _ = Badge::parse("Badge:12");
}

fn main() {}
