//! Keys with every kind of parameter. Tests compile this file, and read it as a source.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::{NonZero, NonZeroI64, NonZeroU32};
use std::sync::Arc;

use redis_keys::parameter::bucket::{Day, Hour, Month, Week, Year};
use redis_keys::prelude::*;
use redis_keys::stored::Json;
use uuid::Uuid;

/// The id of a user, with a text of its own.
#[derive(Clone, Debug, KeySegment)]
pub(crate) struct UserId(pub(crate) u64);

impl std::fmt::Display for UserId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "U{:06}", self.0)
    }
}

/// A newtype of a newtype.
#[derive(Clone, Debug, KeySegment)]
pub(crate) struct AccountId(pub(crate) UserId);

#[derive(Clone, Debug, KeySegment)]
pub(crate) struct Email(pub(crate) String);

#[derive(Clone, Copy, Debug, KeySegment)]
pub(crate) enum Section {
    BasicInfo,
    HTTPSession,
    #[redis_key(rename = "ipv6")]
    IPv6,
    Top10,
}

#[derive(Clone, Copy, Debug, KeySegment)]
pub(crate) enum Level {
    Gold,
    Silver,
}

/// A parameter type without a derive.
#[derive(Clone, Debug)]
pub(crate) struct Version(pub(crate) u16);

impl redis_keys::KeySegment for Version {
    const LONGEST: Option<usize> = Some(6);

    fn write(&self, out: &mut redis_keys::parameter::SegmentWriter<'_>) {
        out.text("v");
        out.number(self.0.into());
    }
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Profile {
    pub(crate) name: String,
}

#[derive(Clone, Debug, RedisHash)]
pub(crate) struct Settings {
    pub(crate) theme: String,
    pub(crate) email: Option<String>,
    #[redis_hash(default)]
    pub(crate) visits: u32,
    #[redis_hash(rename = "p", value = Stored)]
    pub(crate) profile: Option<Profile>,
}

pub(crate) type ShopId = u32;
pub(crate) type Stored = Json<Profile>;

/// The data of the profile card.
#[derive(Clone, RedisKey)]
#[redis_key(user:card:{user_id}:string, value = Stored, ttl = 1h, jitter = 10%, owner = "web \"team\"")]
pub(crate) struct Card {
    /// The user's number.
    pub(crate) user_id: u64,
}

/// Odd text: */ """ \ ` ${x} 'quoted' and a separator of lines.
#[doc = "Behind\u{2028}it, and \t a tab."]
#[derive(Clone, RedisKey)]
#[redis_key(odd:names:{class}:{bytes}:{r#type}:string, value = u8, ttl = 1h)]
pub(crate) struct Private {
    pub(crate) class: u8,
    pub(crate) bytes: bool,
    pub(crate) r#type: String,
}

#[derive(Clone, RedisKey)]
#[redis_key(odd:raw:{str}:{key}:string, value = u8, ttl = 1h)]
#[allow(non_camel_case_types)]
pub(crate) struct r#struct {
    pub(crate) str: u8,
    pub(crate) key: u8,
}

#[derive(Clone, RedisKey)]
#[redis_key(int:u:{a}:{b}:{c}:{d}:{e}:string, value = u64, ttl = 1h)]
pub(crate) struct Unsigned {
    pub(crate) a: u8,
    pub(crate) b: u16,
    pub(crate) c: u32,
    pub(crate) d: u64,
    pub(crate) e: usize,
}

#[derive(Clone, RedisKey)]
#[redis_key(int:i:{a}:{b}:{c}:{d}:{e}:string, value = i64, ttl = 1h)]
pub(crate) struct Signed {
    pub(crate) a: i8,
    pub(crate) b: i16,
    pub(crate) c: i32,
    pub(crate) d: i64,
    pub(crate) e: isize,
}

#[derive(Clone, RedisKey)]
#[redis_key(int:wide:{a}:{b}:string, value = i64, ttl = 1h)]
pub(crate) struct Wide {
    pub(crate) a: u128,
    pub(crate) b: i128,
}

#[derive(Clone, RedisKey)]
#[redis_key(int:nonzero:{a}:{b}:{c}:string, value = bool, ttl = 1h)]
pub(crate) struct NonZeros {
    pub(crate) a: NonZeroU32,
    pub(crate) b: NonZeroI64,
    pub(crate) c: NonZero<u8>,
}

/// The stock of an item in a shop.
#[derive(Clone, RedisKey)]
#[redis_key(shop:stock:{shop}:{item}:{on}:string, value = u32, ttl = 1d)]
pub(crate) struct Stock<'a> {
    pub(crate) shop: ShopId,
    pub(crate) item: &'a str,
    pub(crate) on: bool,
}

#[derive(Clone, RedisKey)]
#[redis_key(word:v.{name}.{number}:{other}:string, value = String, ttl = 1d)]
pub(crate) struct Words {
    pub(crate) name: String,
    pub(crate) number: u16,
    pub(crate) other: Box<str>,
}

#[derive(Clone, RedisKey)]
#[redis_key(text:cow:{a}:{b}:list, value = String, ttl = 1d, keep_last = 100)]
pub(crate) struct Texts<'a> {
    pub(crate) a: Cow<'a, str>,
    pub(crate) b: Arc<str>,
}

/// A page of a shop, by the text in its address.
#[derive(Clone, RedisKey)]
#[redis_key(shop:page:{slug}:string, value = String, ttl = 1h, jitter = 10%, cache(null_ttl = 5m))]
pub(crate) struct Page {
    #[redis_key(slug = 60)]
    pub(crate) slug: String,
}

#[derive(Clone, RedisKey)]
#[redis_key(shop:post:{slug}:string, value = Json<Profile>, ttl = 1h, renew = below(10m))]
pub(crate) struct Post {
    #[redis_key(slug)]
    pub(crate) slug: String,
}

#[derive(Clone, RedisKey)]
#[redis_key(file:bytes:{path}:{a}:{b}:string, value = Vec<u8>, ttl = 1d)]
pub(crate) struct FileBytes {
    #[redis_key(base32)]
    pub(crate) path: String,
    #[redis_key(base32)]
    pub(crate) a: Vec<u8>,
    #[redis_key(base32)]
    pub(crate) b: [u8; 16],
}

/// The result of a search for any text.
#[derive(Clone, RedisKey)]
#[redis_key(search:results:{query}:{blob}:string, value = Zstd<Json<Vec<u64>>>, ttl = 10m)]
pub(crate) struct Results<'a> {
    #[redis_key(digest)]
    pub(crate) query: &'a str,
    #[redis_key(digest)]
    pub(crate) blob: Vec<u8>,
}

#[derive(Clone, RedisKey)]
#[redis_key(mail:state:{hash}:{email}:string, value = f32, ttl = 10m)]
pub(crate) struct MailState {
    #[redis_key(digest)]
    pub(crate) hash: [u8; 32],
    #[redis_key(digest)]
    pub(crate) email: Email,
}

#[derive(Clone, RedisKey)]
#[redis_key(session:{id}:hash, value = Settings, ttl = 1w, renew = write)]
pub(crate) struct Session {
    pub(crate) id: Uuid,
}

#[derive(Clone, RedisKey)]
#[redis_key(net:hits:{ip}:{a}:{b}:string, value = u64, ttl = 1m)]
pub(crate) struct Hits {
    pub(crate) ip: IpAddr,
    pub(crate) a: Ipv4Addr,
    pub(crate) b: Ipv6Addr,
}

#[derive(Clone, RedisKey)]
#[redis_key(date:all:{a}:{b}:{c}:string, value = u64, ttl = 1d)]
pub(crate) struct Dates {
    pub(crate) a: chrono::NaiveDate,
    pub(crate) b: time::Date,
    pub(crate) c: jiff::civil::Date,
}

/// The tasks that a user has completed in a month, kept for 90 days after its end.
#[derive(Clone, RedisKey)]
#[redis_key(user:tasks:{user_id}:{month}:set, value = u64, ttl = 90d, ttl_from_end_of = month)]
pub(crate) struct Tasks {
    pub(crate) user_id: u64,
    pub(crate) month: Month,
}

#[derive(Clone, RedisKey)]
#[redis_key(cal:all:{year}:{month}:{week}:{day}:{hour}:zset, value = u64, ttl = 1d, keep_top = 100)]
pub(crate) struct Calendar {
    pub(crate) year: Year,
    pub(crate) month: Month,
    pub(crate) week: Week,
    pub(crate) day: Day,
    pub(crate) hour: Hour,
}

#[derive(Clone, RedisKey)]
#[redis_key(cal:year:{year}:string, value = u64, ttl = 1d, ttl_from_end_of = year)]
pub(crate) struct OfYear {
    pub(crate) year: Year,
}

#[derive(Clone, RedisKey)]
#[redis_key(cal:week:{week}:string, value = u64, ttl = 1d, jitter = 1h, ttl_from_end_of = week)]
pub(crate) struct OfWeek {
    pub(crate) week: Week,
}

#[derive(Clone, RedisKey)]
#[redis_key(cal:day:{day}:string, value = u64, ttl = 1d, ttl_from_end_of = day)]
pub(crate) struct OfDay {
    pub(crate) day: chrono::NaiveDate,
}

#[derive(Clone, RedisKey)]
#[redis_key(cal:hour:{hour}:string, value = u64, ttl = 1d, ttl_from_end_of = hour)]
pub(crate) struct OfHour {
    pub(crate) hour: Hour,
}

/// The users that a user follows, split into 1000 sets.
#[derive(Clone, RedisKey)]
#[redis_key(user:follows:{user_id % 1000}:set, value = u64, ttl = 30d)]
pub(crate) struct Follows {
    pub(crate) user_id: u64,
}

#[derive(Clone, RedisKey)]
#[redis_key(user:sharded:{user_id % 16}:{user_id}:set, value = u64, ttl = 30d)]
pub(crate) struct Sharded {
    pub(crate) user_id: i64,
}

#[derive(Clone, RedisKey)]
#[redis_key(user:spread:{id % 97}:{wide % 4294967295}:hash, field = u64, value = String, ttl = 30d, max_len = 50)]
pub(crate) struct Spread {
    pub(crate) id: Uuid,
    pub(crate) wide: u128,
}

#[derive(Clone, RedisKey)]
#[redis_key(user:part:{section}:s.{level}:{id}:{email}:string, value = String, ttl = 1h)]
pub(crate) struct Part {
    pub(crate) section: Section,
    pub(crate) level: Level,
    pub(crate) id: AccountId,
    pub(crate) email: Email,
}

#[derive(Clone, RedisKey)]
#[redis_key(cart:{#user_id}:goods:list, value = u64, ttl = 7d, max_len = 100)]
pub(crate) struct Goods {
    pub(crate) user_id: UserId,
}

#[derive(Clone, RedisKey)]
#[redis_key(cart:{#user_id % 8}:total:{user_id}:string, value = f64, ttl = 7d)]
pub(crate) struct Total {
    pub(crate) user_id: u64,
}

#[derive(Clone, RedisKey)]
#[redis_key(page:hot:{id}:{copy}:string, value = String, ttl = 1h, copies = 8)]
pub(crate) struct Hot {
    pub(crate) id: u64,
}

#[derive(Clone, RedisKey)]
#[redis_key(user:preferences:{user_id}:hash, field = String, value = String, ttl = 30d, legacy = "User:{user_id}:Settings")]
pub(crate) struct Preferences {
    pub(crate) user_id: u64,
}

#[derive(Clone, RedisKey)]
#[redis_key(old:formats:{a}:{b}:{c}:{d}:string, value = u64, ttl = 1d, legacy = "Old/{a:x}-{b:05}_{c:016X}:{d:02}")]
pub(crate) struct Formats {
    pub(crate) a: u32,
    pub(crate) b: u64,
    pub(crate) c: u64,
    pub(crate) d: i32,
}

#[derive(Clone, RedisKey)]
#[redis_key(old:signs:{e}:{f}:{g}:{h}:string, value = u64, ttl = 1d, legacy = "signs {e:x}/{f:05}/{g:04X}/{h:?}")]
pub(crate) struct Signs {
    pub(crate) e: i16,
    pub(crate) f: i32,
    pub(crate) g: i64,
    pub(crate) h: i8,
}

#[derive(Clone, RedisKey)]
#[redis_key(old:zeros:{a}:{b}:string, value = u64, ttl = 1d, legacy = "zeros{{{a:07}}}-{b}")]
pub(crate) struct Zeros {
    pub(crate) a: i32,
    pub(crate) b: NonZeroI64,
}

#[derive(Clone, RedisKey)]
#[redis_key(old:kinds:{id}:{ip}:{flag}:{day}:{week}:string, value = u64, ttl = 1d, legacy = "kinds|{id}|{ip}|{flag}|{day}|{week}")]
pub(crate) struct OldKinds {
    pub(crate) id: Uuid,
    pub(crate) ip: IpAddr,
    pub(crate) flag: bool,
    pub(crate) day: chrono::NaiveDate,
    pub(crate) week: Week,
}

#[derive(Clone, RedisKey)]
#[redis_key(old:session:{tenant}:{session_id}:string, value = u64, ttl = 1d, legacy = "sess/{tenant}/Session-{session_id}")]
pub(crate) struct OldSession<'a> {
    pub(crate) tenant: &'a str,
    #[redis_key(digest)]
    pub(crate) session_id: &'a str,
}

#[derive(Clone, RedisKey)]
#[redis_key(old:twice:{a}:{b}:string, value = u64, ttl = 1d, legacy = "twice::{a}::{b}::{a}")]
pub(crate) struct Twice<'a> {
    pub(crate) a: &'a str,
    pub(crate) b: u8,
}

/// The name can contain the `/` behind it, because a number cannot.
#[derive(Clone, RedisKey)]
#[redis_key(old:tail:{name}:{number}:string, value = u64, ttl = 1d, legacy = "tail/{name}/{number}")]
pub(crate) struct Tail<'a> {
    pub(crate) name: &'a str,
    pub(crate) number: u8,
}

#[derive(Clone, RedisKey)]
#[redis_key(relayer:settings:{relayer}:string, value = String, ttl = 30d, legacy = "relayer:{relayer}")]
pub(crate) struct Relayer<'a> {
    #[redis_key(no_colon)]
    pub(crate) relayer: &'a str,
}

#[derive(Clone, RedisKey)]
#[redis_key(label:text:{group}:{name}:string, value = String, ttl = 30d, legacy = "label_{group}_{name}",
    allow(ambiguous_text, reason = "groups with `_` have been in use for years"))]
pub(crate) struct Label<'a> {
    pub(crate) group: &'a str,
    pub(crate) name: &'a str,
}

/// How often a user has logged in.
#[derive(Clone, RedisKey)]
#[redis_key(user:logins:{user_id}:string, value = u64, ttl = 30d, formerly = "User:{user_id}:Logins")]
pub(crate) struct Logins {
    pub(crate) user_id: u64,
}

#[derive(Clone, RedisKey)]
#[redis_key(chat:room:{room}:channel, value = Json<Profile>)]
pub(crate) struct Room {
    pub(crate) room: u64,
}

#[derive(Clone, RedisKey)]
#[redis_key(mail:jobs:{queue}:zset, value = Json<Profile>, ttl = 1d, jobs(lease = 2m, tries = 3))]
pub(crate) struct Mails {
    pub(crate) queue: String,
}

/// Small jobs, of which a shop has few.
#[derive(Clone, RedisKey)]
#[redis_key(mail:batch:{#shop}:{id}:zset, value = String, ttl = 1h, jitter = 10m, max_len = 1000, max_member_bytes = 64,
    jobs(lease = 10s, tries = 60))]
pub(crate) struct Batches {
    pub(crate) shop: u32,
    pub(crate) id: Uuid,
}

#[derive(Clone, RedisKey)]
#[redis_key(mail:reports:zset, value = String, ttl = 1d, jobs)]
pub(crate) struct Reports {}

/// A queue with two names, whose scripts only redis-keys sends.
#[derive(Clone, RedisKey)]
#[redis_key(mail:renamed:{queue}:zset, value = String, ttl = 1d, jobs, formerly = "mails/{queue}")]
pub(crate) struct RenamedMails {
    pub(crate) queue: String,
}

/// A limit whose times are rounded.
#[derive(Clone, RedisKey)]
#[redis_key(rate:thirds:string, limit(3 / 1s))]
pub(crate) struct Thirds {}

#[derive(Clone, RedisKey)]
#[redis_key(rate:requests:{id}:string, limit(100 / 1h, burst = 20))]
pub(crate) struct Requests {
    pub(crate) id: u64,
}

#[derive(Clone, RedisKey)]
#[redis_key(visit:unique:{0}:hyperloglog, value = u64, ttl = 1d)]
pub(crate) struct Unique(pub(crate) Day);

#[derive(Clone, RedisKey)]
#[redis_key(event:log:stream, value = Settings, ttl = 1d, keep_last = ~1000)]
pub(crate) struct Events {}

/// Left out: its type is not in the sources.
#[derive(Clone, RedisKey)]
#[redis_key(app:notes:{version}:string, value = String, ttl = 1d)]
pub(crate) struct Notes {
    pub(crate) version: Version,
}

/// Left out: its type depends on the use.
#[derive(Clone, RedisKey)]
#[redis_key(gen:any:{id}:string, value = String, ttl = 1d)]
pub(crate) struct Generic<T: redis_keys::KeySegment> {
    pub(crate) id: T,
}

/// Left out: a newtype writes its legacy text.
#[derive(Clone, RedisKey)]
#[redis_key(cart:old.items:{#user_id}:hash, field = u64, value = u32, ttl = 7d, legacy = "cart.{{{user_id}}}")]
pub(crate) struct OldItems {
    pub(crate) user_id: UserId,
}
