use redis_keys::prelude::*;
use uuid::Uuid;

#[derive(Clone, RedisKey)]
#[redis_key(
    user:profile:{#user_id}:{name}:hash, field = String, value = String, ttl = 1d,
    legacy = "User:{{{user_id:05}}}:Profile/{name}",
)]
pub(super) struct Profile {
    pub(super) user_id: u32,
    pub(super) name: String,
}

#[derive(Clone, RedisKey)]
#[redis_key(order:item:{id % 100}:{id}:{hash}:{paid}:string, value = u64, ttl = 1d, legacy = "Order-{id}-{hash:04x}-{paid}")]
pub(super) struct Item {
    pub(super) id: u64,
    pub(super) hash: u16,
    pub(super) paid: bool,
}

#[derive(Clone, RedisKey)]
#[redis_key(session:user:{session}:{shop}:string, value = u64, ttl = 1d, formerly = "sess_{session}_{shop}")]
pub(super) struct Session {
    pub(super) session: Uuid,
    pub(super) shop: i64,
}

#[derive(Clone, RedisKey)]
#[redis_key(page:text:{slug}:{path}:string, value = u64, ttl = 1d, formerly = "Page|{slug}|{path}")]
pub(super) struct Page {
    #[redis_key(slug)]
    pub(super) slug: String,
    #[redis_key(base32)]
    pub(super) path: String,
}

#[derive(Clone, RedisKey)]
#[redis_key(mail:sent:{address}:string, value = u64, ttl = 1d, formerly = "mail:{address}:sent")]
pub(super) struct Mail {
    #[redis_key(digest)]
    pub(super) address: String,
}
