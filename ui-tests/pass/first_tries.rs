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
#[redis_key(lock:invoice:{id}:string, lock, ttl = 30s)]
struct Key46 {
    id: u64,
}

// rate:visit:{ip}, limit = 5, window = 60
#[derive(RedisKey)]
#[redis_key(rate:visit:{ip}:string, limit(5 / 1m))]
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
    at: redis_keys::parameter::bucket::Hour,
}

// shop:sales:{m}:string, value = u64, ttl = 1h, ttl_from_end_of = m, renew = write
#[derive(RedisKey)]
#[redis_key(shop:sales:{month}:string, value = u64, ttl = 1h, ttl_from_end_of = month)]
struct Key52 {
    month: redis_keys::parameter::bucket::Month,
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
#[redis_key(cache:item:{id}:string, value = u64, ttl = 1h, cache(null_ttl = 5m, refresh = 80%), allow(missing_jitter, reason = "…"), jitter = 6m)]
struct Key55 {
    id: u64,
}

// order:lock:{id}:string, value = Lock, lease = 10s, jitter = 1s, max_bytes = 1KB
#[derive(RedisKey)]
#[redis_key(order:lock:{id}:string, lock, ttl = 10s)]
struct Key56 {
    id: u64,
}

// queue:letter:{id}:list, value = Job<String>, max_tries = 99, ttl = never
#[derive(RedisKey)]
#[redis_key(queue:letter:{id}:zset, value = String, jobs(tries = 60), ttl = 7d, reason = "…")]
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
#[redis_key(rate:lookup:{id}:string, limit(100 / 1m, burst = 20))]
struct Key59 {
    id: u64,
}

// old:name:{user_id}:string, value = String, ttl = 1h, formerly = 'User:{user_id}'
#[derive(RedisKey)]
#[redis_key(old:name:{user_id}:string, value = String, ttl = 1h, formerly = "User:{user_id}")]
struct Key60 {
    user_id: u64,
}

// old:item:{shop}:{item}:string, value = String, ttl = 1h, formerly = format!("item{shop}_{item}")
#[derive(RedisKey)]
#[redis_key(old:item:{shop}:{item}:string, value = String, ttl = 1h, formerly = "item{shop}_{item}")]
struct Key61 {
    shop: u64,
    item: u64,
}

// old:part:{shop}:{item}:string, value = String, ttl = 1h, formerly = format!("part{}_{}", item, &self.shop)
#[derive(RedisKey)]
#[redis_key(old:part:{shop}:{item}:string, value = String, ttl = 1h, formerly = "part{item}_{shop}")]
struct Key62 {
    shop: u64,
    item: u64,
}

// old:mail:{user_id}:string, value = String, ttl = 1h, legacy = concat!("Mail:", "{user_id}")
#[derive(RedisKey)]
#[redis_key(old:mail:{user_id}:string, value = String, ttl = 1h, legacy = "Mail:{user_id}")]
struct Key63 {
    user_id: u64,
}

// old:city:{user_id}:string, value = String, ttl = 1h, legacy = "City:{user_id}".to_string()
#[derive(RedisKey)]
#[redis_key(old:city:{user_id}:string, value = String, ttl = 1h, legacy = "City:{user_id}")]
struct Key64 {
    user_id: u64,
}

// old:town:{user_id}:string, value = String, ttl = 1h, legacy = String::from("Town:{user_id}")
#[derive(RedisKey)]
#[redis_key(old:town:{user_id}:string, value = String, ttl = 1h, legacy = "Town:{user_id}")]
struct Key65 {
    user_id: u64,
}

// rate:calls:{user_id}:string, limit = 10 / 1s, legacy = "rl:{user_id}"
#[derive(RedisKey)]
#[redis_key(rate:calls:{user_id}:string, limit(10 / 1s))]
struct Key66 {
    user_id: u64,
}

// old:team:{user_id}:string, value = String, ttl = 1h, owner = "web".to_owned()
#[derive(RedisKey)]
#[redis_key(old:team:{user_id}:string, value = String, ttl = 1h, owner = "web")]
struct Key67 {
    user_id: u64,
}

// shop:page:{page}:string, value = String, ttl = 1h, slug
#[derive(RedisKey)]
#[redis_key(shop:page:{page}:string, value = String, ttl = 1h)]
struct Key68 {
    #[redis_key(slug)]
    page: String,
}

// shop:part:{page}:{n}:string, value = String, slug = 60, ttl = 1h
#[derive(RedisKey)]
#[redis_key(shop:part:{page}:{n}:string, value = String, ttl = 1h)]
struct Key69 {
    #[redis_key(slug = 60)]
    page: String,
    n: u64,
}

// shop:find:{one}:{other}:string, value = String, ttl = 1h, digest = other
#[derive(RedisKey)]
#[redis_key(shop:find:{one}:{other}:string, value = String, ttl = 1h)]
struct Key70 {
    one: String,
    #[redis_key(digest)]
    other: String,
}

// shop:file:{one}:{other}:string, value = String, digest(one), ttl = 1h
#[derive(RedisKey)]
#[redis_key(shop:file:{one}:{other}:string, value = String, ttl = 1h)]
struct Key71 {
    #[redis_key(digest)]
    one: String,
    other: String,
}

// user:login:{id}:string, value = String, secret, ttl = 1d
#[derive(RedisKey)]
#[redis_key(user:login:{id}:string, value = Secret<String>, ttl = 1d)]
struct Key72 {
    id: u64,
}

// user:token:{id}:string, encrypted = true, value = Json<Profile>, ttl = 1d
#[derive(RedisKey)]
#[redis_key(user:token:{id}:string, value = Secret<Json<Profile>>, ttl = 1d)]
struct Key73 {
    id: u64,
}

// user:json:{id}:string, value = Profile, json, ttl = 1d
#[derive(RedisKey)]
#[redis_key(user:json:{id}:string, value = Json<Profile>, ttl = 1d)]
struct Key74 {
    id: u64,
}

// user:plain:{id}:string, value = Json<Profile>, compress = false, ttl = 1d
#[derive(RedisKey)]
#[redis_key(user:plain:{id}:string, value = Json<Profile>, ttl = 1d)]
struct Key75 {
    id: u64,
}

// user:small:{id}:string, value = Json<Profile>, zstd, ttl = 1d
#[derive(RedisKey)]
#[redis_key(user:small:{id}:string, value = Zstd<Json<Profile>>, ttl = 1d)]
struct Key76 {
    id: u64,
}

// user:tiny:{id}:string, compress, value = String, ttl = 1d
#[derive(RedisKey)]
#[redis_key(user:tiny:{id}:string, value = Zstd<String>, ttl = 1d)]
struct Key77 {
    id: u64,
}

// user:map:{id}:hash, value = HashMap<String, u64>, ttl = 1h
#[derive(RedisKey)]
#[redis_key(user:map:{id}:hash, field = String, value = u64, ttl = 1h)]
struct Key78 {
    id: u64,
}

// "bare:name:{id}:string", String, "1h"
#[derive(RedisKey)]
#[redis_key("bare:name:{id}:string", value = String, ttl = 1h)]
struct Key79 {
    id: u64,
}

// "bare:data:{id}:string", Json<Profile>, 3600
#[derive(RedisKey)]
#[redis_key("bare:data:{id}:string", value = Json<Profile>, ttl = 3600s)]
struct Key80 {
    id: u64,
}

// bare:count:{id}:string, u64, 90 d
#[derive(RedisKey)]
#[redis_key(bare:count:{id}:string, value = u64, ttl = 90d)]
struct Key81 {
    id: u64,
}

// bare:text:{id}:string, value = String, 1h
#[derive(RedisKey)]
#[redis_key(bare:text:{id}:string, value = String, ttl = 1h)]
struct Key82 {
    id: u64,
}

// bare:map:{id}:hash, String, u64, 1d
#[derive(RedisKey)]
#[redis_key(bare:map:{id}:hash, field = String, value = u64, ttl = 1d)]
struct Key83 {
    id: u64,
}

// bare:time:{id}:string, value: String, ttl: 60 * 60
#[derive(RedisKey)]
#[redis_key(bare:time:{id}:string, value = String, ttl = 1h)]
struct Key84 {
    id: u64,
}

// lock:first:{id}:lock, ttl = 30s
#[derive(RedisKey)]
#[redis_key(lock:first:{id}:string, ttl = 30s, lock)]
struct Key85 {
    id: u64,
}

// lock:second:{id}:lock
#[derive(RedisKey)]
#[redis_key(lock:second:{id}:string, ttl = 30s, lock)]
struct Key86 {
    id: u64,
}

// lock:third:{id}:lock, value = Lock, ttl = 30s
#[derive(RedisKey)]
#[redis_key(lock:third:{id}:string, lock, ttl = 30s)]
struct Key87 {
    id: u64,
}

// data:profile:{id}:json, value = Profile, ttl = 1h
#[derive(RedisKey)]
#[redis_key(data:profile:{id}:string, value = Json<Profile>, ttl = 1h)]
struct Key88 {
    id: u64,
}

// data:small:{id}:zstd, value = Json<Profile>, ttl = 1h
#[derive(RedisKey)]
#[redis_key(data:small:{id}:string, value = Zstd<Json<Profile>>, ttl = 1h)]
struct Key89 {
    id: u64,
}

// data:any:{id}:json, ttl = 1h
#[derive(RedisKey)]
#[redis_key(data:any:{id}:string, ttl = 1h, value = Json<Profile>)]
struct Key90 {
    id: u64,
}

// data:seen:{id}:bloom, value = u64, expected = 1e4, false_positives = 0.01, ttl = 1d
#[derive(RedisKey)]
#[redis_key(data:seen:{id}:bitmap, value = u64, bloom(expected = 10000, false_positives = 1%), ttl = 1d)]
struct Key91 {
    id: u64,
}

// near:first:{user_id / 1000}:set, value = u64, ttl = 30d
#[derive(RedisKey)]
#[redis_key(near:first:{user_id % 1000}:set, value = u64, ttl = 30d)]
struct Key92 {
    user_id: u64,
}

// near:second:{user_id & 1023}:set, value = u64, ttl = 30d
#[derive(RedisKey)]
#[redis_key(near:second:{user_id % 1024}:set, value = u64, ttl = 30d)]
struct Key93 {
    user_id: u64,
}

// near:third:{self.user_id >> 4}:set, value = u64, ttl = 30d
#[derive(RedisKey)]
#[redis_key(near:third:{user_id % 16}:set, value = u64, ttl = 30d)]
struct Key94 {
    user_id: u64,
}

// near:fourth:{hash(user_id) % 16}:set, value = u64, ttl = 30d
#[derive(RedisKey)]
#[redis_key(near:fourth:{user_id % 16}:set, value = u64, ttl = 30d)]
struct Key95 {
    user_id: u64,
}

// near:fifth:{#user_id mod 16}:set, value = u64, ttl = 30d
#[derive(RedisKey)]
#[redis_key(near:fifth:{#user_id % 16}:set, value = u64, ttl = 30d)]
struct Key96 {
    user_id: u64,
}

// near:sixth:{id}:string, value = u64, hash_tag = id, ttl = 1d
#[derive(RedisKey)]
#[redis_key(near:sixth:{#id}:string, value = u64, ttl = 1d)]
struct Key97 {
    id: u64,
}

// other:lasts:{id}:string, value = String, persist
#[derive(RedisKey)]
#[redis_key(other:lasts:{id}:string, value = String, ttl = never, reason = "…")]
struct Key98 {
    id: u64,
}

// other:short:{id}:string, value = String, ttl = 1h, no_expiry
#[derive(RedisKey)]
#[redis_key(other:short:{id}:string, value = String, ttl = 1h)]
struct Key99 {
    id: u64,
}

// other:day:{id}:string, value = String, ttl = chrono::Duration::days(1)
#[derive(RedisKey)]
#[redis_key(other:day:{id}:string, value = String, ttl = 1d)]
struct Key100 {
    id: u64,
}

// other:space:{id}:string, value = String, ttl = 1h, namespace = "shop"
#[derive(RedisKey)]
#[redis_key(other:space:{id}:string, value = String, ttl = 1h)]
struct Key101 {
    id: u64,
}

// other:log:{id}:stream, value = Record, ttl = 1h, maxlen = ~1000
#[derive(RedisKey)]
#[redis_key(other:log:{id}:stream, value = Record, ttl = 1h, keep_last = ~1000)]
struct Key102 {
    id: u64,
}

// other:top:{id}:zset, value = u64, score = f64, top = 100, ttl = 1d
#[derive(RedisKey)]
#[redis_key(other:top:{id}:zset, value = u64, keep_top = 100, ttl = 1d)]
struct Key103 {
    id: u64,
}

// other:sales:{id}:{month}:string, value = u64, ttl = 1d, expire_at = month
#[derive(RedisKey)]
#[redis_key(other:sales:{id}:{month}:string, value = u64, ttl = 1d, ttl_from_end_of = month)]
struct Key104 {
    id: u64,
    month: redis_keys::parameter::bucket::Month,
}

// other:calls:{id}:string, limit = 100 per minute
#[derive(RedisKey)]
#[redis_key(other:calls:{id}:string, limit(100 / 1m))]
struct Key105 {
    id: u64,
}

// 'other:quoted:{id}:string', value = String, ttl = 1h
#[derive(RedisKey)]
#[redis_key(other:quoted:{id}:string, value = String, ttl = 1h)]
struct Key106 {
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
