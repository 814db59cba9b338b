//! First tries, as they are when only the suggestions of the compiler are followed.
//!
//! A test of `redis-keys-schema` writes this file.
#![allow(dead_code, reason = "each item is of interest by itself")]
#![allow(deprecated, reason = "some of the keys could be fields of one hash")]

use redis_keys::KeySegment;
use redis_keys::prelude::*;

#[derive(serde::Serialize, serde::Deserialize)]
struct Profile {
    name: String,
}

// userProfile:{userId}, value = String, ttl = 3600
#[derive(RedisKey)]
#[redis_key(user.profile:{user_id}:string, value = String, ttl = 3600s)]
struct Key0 {
    user_id: u64,
}

// USER:ORDERS:{ID}, value = u64, ttl = 1h
#[derive(RedisKey)]
#[redis_key(user:orders:{id}:string, value = u64, ttl = 1h)]
struct Key1 {
    id: u64,
}

// User:LastLogin:{userId}:String, value = u64, ttl = 1h
#[derive(RedisKey)]
#[redis_key(user:last.login:{user_id}:string, value = u64, ttl = 1h)]
struct Key2 {
    user_id: u64,
}

// my-app:user-data:{id}, value = String, ttl = 1h
#[derive(RedisKey)]
#[redis_key(my.app:user.data:{id}:string, value = String, ttl = 1h)]
struct Key3 {
    id: u64,
}

// user.settings.{id}, value = String, ttl = 1h
#[derive(RedisKey)]
#[redis_key(user:settings:{id}:string, value = String, ttl = 1h)]
struct Key4 {
    id: u64,
}

// user/avatar/{id}, value = Vec<u8>, ttl = 60 * 60
#[derive(RedisKey)]
#[redis_key(user:avatar:{id}:string, value = Vec<u8>, ttl = 1h)]
struct Key5 {
    id: u64,
}

// "/users/{id}/orders", value = String, ttl = 1h
#[derive(RedisKey)]
#[redis_key("users:{id}:orders:string", value = String, ttl = 1h)]
struct Key6 {
    id: u64,
}

// sess_{token}, value = String, ttl = 30min
#[derive(RedisKey)]
#[redis_key(sess:{token}:string, value = String, ttl = 30m)]
struct Key7 {
    token: String,
}

// cart-{id}, value = String, ttl = 1d
#[derive(RedisKey)]
#[redis_key(cart:{id}:string, value = String, ttl = 1d)]
struct Key8 {
    id: u64,
}

// feature_flag.{name}, value = bool, ttl = 1h
#[derive(RedisKey)]
#[redis_key(feature.flag:{name}:string, value = bool, ttl = 1h)]
struct Key9 {
    name: String,
}

// user:name:{a}-{b}:string, value = u64, ttl = 1h
#[derive(RedisKey)]
#[redis_key(user:name:{a}.{b}:string, value = u64, ttl = 1h)]
struct Key10 {
    a: u64,
    b: u64,
}

// "user history {id}", value = String, ttl = 1h
#[derive(RedisKey)]
#[redis_key("user:history:{id}:string", value = String, ttl = 1h)]
struct Key11 {
    id: u64,
}

// user::devices::{id}, value = String, ttl = 1h
#[derive(RedisKey)]
#[redis_key(user:devices:{id}:string, value = String, ttl = 1h)]
struct Key12 {
    id: u64,
}

// "user:prefs:{id}:", value = String, ttl = 1h
#[derive(RedisKey)]
#[redis_key("user:prefs:{id}:string", value = String, ttl = 1h)]
struct Key13 {
    id: u64,
}

// user-session:{user-id}, value = String, ttl = 1h
#[derive(RedisKey)]
#[redis_key(user.session:{user_id}:string, value = String, ttl = 1h)]
struct Key14 {
    user_id: u64,
}

// "user:%s:email", value = String, ttl = "1 hour"
#[derive(RedisKey)]
#[redis_key("user:{id}:email:string", value = String, ttl = "1h")]
struct Key15 {
    id: u64,
}

// "user:{}:phone", value = String, expire = 3600
#[derive(RedisKey)]
#[redis_key("user:{id}:phone:string", value = String, ttl = 3600s)]
struct Key16 {
    id: u64,
}

// "user:%(id)s:city", value = String, ex = 600
#[derive(RedisKey)]
#[redis_key("user:{id}:city:string", value = String, ttl = 600s)]
struct Key17 {
    id: u64,
}

// "users/:id/name", value = String, ttl = 1h
#[derive(RedisKey)]
#[redis_key("users:{id}:name:string", value = String, ttl = 1h)]
struct Key18 {
    id: u64,
}

// user:$id:lang, value = String, ttl = 1h
#[derive(RedisKey)]
#[redis_key(user:{id}:lang:string, value = String, ttl = 1h)]
struct Key19 {
    id: u64,
}

// user:<id>:zone, value = String, ttl = 1h
#[derive(RedisKey)]
#[redis_key(user:{id}:zone:string, value = String, ttl = 1h)]
struct Key20 {
    id: u64,
}

// user:[id]:mail, value = String, ttl = 1h
#[derive(RedisKey)]
#[redis_key(user:{id}:mail:string, value = String, ttl = 1h)]
struct Key21 {
    id: u64,
}

// user:{{id}}:bio, value = String, ttl = 1h
#[derive(RedisKey)]
#[redis_key(user:{id}:bio:string, value = String, ttl = 1h)]
struct Key22 {
    id: u64,
}

// "user:${user.id}:theme", value = String, ttl = 1h
#[derive(RedisKey)]
#[redis_key("user:{id}:theme:string", value = String, ttl = 1h)]
struct Key23 {
    id: u64,
}

// "user:#{id}:nick", value = String, ttl = 1h
#[derive(RedisKey)]
#[redis_key("user:{#id}:nick:string", value = String, ttl = 1h)]
struct Key24 {
    id: u64,
}

// "user:{0}:{1}", value = u64, ttl = 1h
#[derive(RedisKey)]
#[redis_key("user:{user_id}:{page}:string", value = u64, ttl = 1h)]
struct Key25 {
    user_id: u64,
    page: u32,
}

// "hits_%d_%d", value = u64, ttl = 1h
#[derive(RedisKey)]
#[redis_key("hits:{user_id}:{page}:string", value = u64, ttl = 1h)]
struct Key26 {
    user_id: u64,
    page: u32,
}

// "user:{id!r}:file", value = String, ttl = 1h
#[derive(RedisKey)]
#[redis_key("user:{id}:file:string", value = String, ttl = 1h)]
struct Key27 {
    id: u64,
}

// "order:{order.id:05}:items", value = String, ttl = 1h
#[derive(RedisKey)]
#[redis_key("order:{id}:items:string", value = String, ttl = 1h)]
struct Key28 {
    id: u64,
}

// user:*:views, value = u64, ttl = none
#[derive(RedisKey)]
#[redis_key(user:{id}:views:string, value = u64, ttl = never, reason = "…")]
struct Key29 {
    id: u64,
}

// user:id:address:string, value = String, ttl = 1h
#[derive(RedisKey)]
#[redis_key(user:{id}:address:string, value = String, ttl = 1h)]
struct Key30 {
    id: u64,
}

// {id}:status, value = String, ttl = 1h
#[derive(RedisKey)]
#[redis_key(user:{id}:status:string, value = String, ttl = 1h)]
struct Key31 {
    id: u64,
}

// 12:invoice:{id}:string, value = String, ttl = 1h
#[derive(RedisKey)]
#[redis_key(user:12:invoice:{id}:string, value = String, ttl = 1h)]
struct Key32 {
    id: u64,
}

// user:tags:{id}:sorted_set, value = (String, f64), ttl = 1h
#[derive(RedisKey)]
#[redis_key(user:tags:{id}:zset, value = String, ttl = 1h)]
struct Key33 {
    id: u64,
}

// user:friends:{id}:HashSet, value = HashSet<u64>, ttl = 1h
#[derive(RedisKey)]
#[redis_key(user:friends:{id}:set, value = u64, ttl = 1h)]
struct Key34 {
    id: u64,
}

// queue:mail:list, value = Vec<String>, max_len = 1k, ttl = 1day
#[derive(RedisKey)]
#[redis_key(queue:mail:list, value = String, max_len = 1000, ttl = 1d)]
struct Key35;

// user:score:{id}:string, value = Option<u64>, ttl = Duration::from_secs(60)
#[derive(RedisKey)]
#[redis_key(user:score:{id}:string, value = u64, ttl = 1m)]
struct Key36 {
    id: u64,
}

// user:login:{id}:hash, value = Json<Profile>, ttl = 1d
#[derive(RedisKey)]
#[redis_key(user:login:{id}:hash, value = Json<Profile>, ttl = 1d, field = String)]
struct Key37 {
    id: u64,
}

// user:flags:{id}:string, codec = json, value = Profile, ttl = 1h;
#[derive(RedisKey)]
#[redis_key(user:flags:{id}:string, value = Json<Profile>, ttl = 1h,)]
struct Key38 {
    id: u64,
}

// user:count:{id}, type = hash, field = String, value = u64, ttl = 1h
#[derive(RedisKey)]
#[redis_key(user:count:{id}:hash, field = String, value = u64, ttl = 1h)]
struct Key39 {
    id: u64,
}

// user:seen:{id}:string
#[derive(RedisKey)]
#[redis_key(user:seen:{id}:string, ttl = 1h, value = String)]
struct Key40 {
    id: u64,
}

// key = "user:{id}:alias", ttl = 3600, type = String
#[derive(RedisKey)]
#[redis_key("user:{id}:alias:string", ttl = 3600s, value = String)]
struct Key41 {
    id: u64,
}

// prefix = "user:plan", ttl = 1h, value = String
#[derive(RedisKey)]
#[redis_key("user:plan:{id}:string", ttl = 1h, value = String)]
struct Key42 {
    id: u64,
}

// value = String, ttl = 1h, "user:{id}:motto:string"
#[derive(RedisKey)]
#[redis_key("user:{id}:motto:string", value = String, ttl = 1h)]
struct Key43 {
    id: u64,
}

// user:visit:{id}:string value = u64 ttl = 1h
#[derive(RedisKey)]
#[redis_key(user:visit:{id}:string , value = u64 , ttl = 1h)]
struct Key44 {
    id: u64,
}

// "user:{}:quota", id, value = u64, ttl = 1h
#[derive(RedisKey)]
#[redis_key("user:{id}:quota:string", value = u64, ttl = 1h)]
struct Key45 {
    id: u64,
}

// lock:invoice:{id}, value = lock, ttl = 30
#[derive(RedisKey)]
#[redis_key(lock:invoice:{id}:string, value = Lock, ttl = 30s)]
struct Key46 {
    id: u64,
}

// rate:visit:{ip}, limit = 5, window = 60
#[derive(RedisKey)]
#[redis_key(rate:visit:{ip}:string, limit = 5 / 1m)]
struct Key47 {
    ip: String,
}

// shop:price:{price}:string, value = u64, ttl = 1h
#[derive(RedisKey)]
#[redis_key(shop:price:{price}:string, value = u64, ttl = 1h)]
struct Key48 {
    price: u64,
}

// shop:name:{name}:string, value = u64, ttl = 1h
#[derive(RedisKey)]
#[redis_key(shop:name:{name}:string, value = u64, ttl = 1h)]
struct Key49 {
    name: String,
}

// shop:bytes:{bytes}:string, value = u64, ttl = 1h
#[derive(RedisKey)]
#[redis_key(shop:bytes:{bytes}:string, value = u64, ttl = 1h)]
struct Key50 {
    #[redis_key(digest)]
    bytes: Vec<u8>,
}

// shop:at:{at}:string, value = u64, ttl = 1h
#[derive(RedisKey)]
#[redis_key(shop:at:{at}:string, value = u64, ttl = 1h)]
struct Key51 {
    at: redis_keys::bucket::Hour,
}

// shop:sales:{m}:string, value = u64, ttl = 1h, ttl_from_end_of = m, renew = write
#[derive(RedisKey)]
#[redis_key(shop:sales:{month}:string, value = u64, ttl = 1h, ttl_from_end_of = month)]
struct Key52 {
    month: redis_keys::bucket::Month,
}

// shop:hot:{id}:string, value = u64, ttl = 1h, copies = 8
#[derive(RedisKey)]
#[redis_key(shop:hot:{id}:{copy}:string, value = u64, ttl = 1h, copies = 8)]
struct Key53 {
    id: u64,
}

// shop:tags:{id}:string, value = u64, ttl = 1h, shards = 10, copies = 1
#[derive(RedisKey)]
#[redis_key(shop:tags:{id % 10}:{copy}:string, value = u64, ttl = 1h, copies = 8)]
struct Key54 {
    id: u64,
}

// cache:item:{id}:string, value = u64, ttl = 1h, refresh_ahead = 0.8, allow = missing_jitter, jitter = 2h
#[derive(RedisKey)]
#[redis_key(cache:item:{id}:string, value = u64, ttl = 1h, null_ttl = 5m, refresh = 80%, allow(missing_jitter, reason = "…"), jitter = 6m)]
struct Key55 {
    id: u64,
}

// order:lock:{id}:string, value = Lock, lease = 10s, jitter = 1s, max_bytes = 1KB
#[derive(RedisKey)]
#[redis_key(order:lock:{id}:string, value = Lock, ttl = 10s)]
struct Key56 {
    id: u64,
}

// queue:letter:{id}:list, value = Job<String>, max_tries = 99, ttl = never
#[derive(RedisKey)]
#[redis_key(queue:letter:{id}:zset, value = Job<String>, tries = 60, ttl = 7d, reason = "…")]
struct Key57 {
    id: u64,
}

// feed:news:{id}:list, value = &str, max_len = 10, keep_last = ~20, ttl = 1h, ttl = 2h, owner = web
#[derive(RedisKey)]
#[redis_key(feed:news:{id}:list, value = String, keep_last = 20, ttl = 1h, owner = "web")]
struct Key58 {
    id: u64,
}

// rate:lookup:{id}:string, value = u64, ttl = 1h, burst = 20
#[derive(RedisKey)]
#[redis_key(rate:lookup:{id}:string, limit = 100 / 1m, burst = 20)]
struct Key59 {
    id: u64,
}

#[derive(RedisHash)]
struct Record {
    id: u64,
    #[redis_hash(rename = "full_name")]
    name: String,
    #[redis_hash(ttl = 600s)]
    age: Option<u8>,
    nick: Option<String>,
    #[redis_hash(value = Json<Profile>, rename = me )]
    profile: Profile,
    #[redis_hash(value = Json<Profile>)]
    other: Profile,
    mail: Option<String>,
    visits: Option<u64>,
}

#[derive(KeySegment)]
enum Segment {
    Fields,
    #[redis_key(rename = "basic.info")]
    Renamed,
    #[redis_key(rename = "other")]
    Named,
    #[redis_key(rename = "third")]
    Quoted,
    #[redis_key(rename = "one")]
    Twice,
}
