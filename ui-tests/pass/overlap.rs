//! Similar keys that do not overlap.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::NonZero;

use redis_keys::KeySegment;
use redis_keys::parameter::bucket::Year;
use redis_keys::parameter::{SegmentWriter, ValueSet};
use redis_keys::prelude::*;

/// Names.
#[derive(KeySegment)]
pub enum Section {
    /// Of two words.
    BasicInfo,
    /// Of one.
    Orders,
}

/// Other names.
#[derive(KeySegment)]
pub enum Other {
    /// One of them.
    Basic,
    /// The other.
    Order,
}

/// A newtype of any type.
#[derive(KeySegment)]
pub struct Id<T>(pub T);

/// A type that renders numbers.
pub struct Number(u64);

impl KeySegment for Number {
    const LONGEST: Option<usize> = u64::LONGEST;
    const VALUES: ValueSet = u64::VALUES;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        self.0.write(out);
    }
}

/// A type known by an alias.
pub type Alias = u32;

macro_rules! keys {
    ($($name:ident $(<$life:lifetime>)? { $($field:ident: $type:ty),* } [$($template:tt)*])*) => {$(
        /// One of them.
        #[derive(RedisKey)]
        #[redis_key($($template)*, value = u64, ttl = 1h)]
        pub struct $name $(<$life>)? {
            $(
                /// Its parameter.
                pub $field: $type,
            )*
        }
    )*};
}

keys! {
    // Numbers are not words, whatever their type is.
    Me {} [overlap:me:string]
    Zeros {} [overlap:007:string]
    Hex {} [overlap:7f:string]
    ByNumber { id: u64 } [overlap:{id}:string]
    ByBool { id: bool } [overlap:{id}:list]
    TrueWord {} [overlap:yes:list]
    ByInt { id: i8 } [overlap:{id}:list]
    ByOwn { id: Number } [overlap:{id}:set]
    OwnWord {} [overlap:me:set]
    ByAlias { id: Alias } [overlap:{id}:hash, field = u8]
    AliasWord {} [overlap:me:hash, field = u8]
    ByNonZero<'n> { id: Cow<'n, NonZero<u64>> } [overlap:{id}:zset]
    NonZeroWord {} [overlap:me:zset]
    // Another module, another type, more segments, other words.
    OtherModule { id: String } [overlaps:{id}:string]
    OtherType { id: String } [overlap:{id}:geo]
    ThirdBool { id: bool } [overlap:{id}:words:geo]
    OneWord {} [overlap:1:words:geo]
    More { id: String, page: u8 } [overlap:{id}:{page}:string]
    MoreText { id: String } [overlap:{id}:page:string]
    Words { id: String } [overlap:v.{id}:string]
    OtherWords { id: String } [overlap:w.{id}:string]
    MoreWords { id: String } [overlap:v.{id}.of:string]
    // Numbers on one side, words on the other.
    Crossed { id: u64 } [overlap:{id}:words:list]
    Crossing { id: u64 } [overlap:words:{id}:list]
    // An enum has only its own names.
    BySection { section: Section } [names:{section}:string]
    ByOther { other: Other } [names:{other}:string]
    NoName {} [names:late:string]
    HalfAName {} [names:info:string]
    ById { id: Id<u64> } [names:{id}:string]
    NameAndWord { page: u8 } [names:basic.{page}:string]
    NameAndBool { all: bool } [names:{all}:string]
    // Numbers have their ranges, and digits their length.
    Small { id: u8 } [ranges:{id}:string]
    InYear { year: Year } [ranges:{year}:string]
    Large {} [ranges:256:string]
    NotZero { id: NonZero<u8> } [ranges:{id}:list]
    Zero {} [ranges:0:list]
    TenShards { id: u64 } [ranges:{id % 10}:set]
    NoShard {} [ranges:10:set]
    // IPv4 addresses have 8 digits, IPv6 addresses 32.
    ByIpv4 { address: Ipv4Addr } [address:{address}:string]
    ByIpv6 { address: Ipv6Addr } [address:{address}:string]
    Localhost {} [address:localhost:string]
    ByIp { address: IpAddr } [address:{address}:list]
    IpInYear { year: Year } [address:{year}:list]
    // The braces of a hash tag are not part of the text.
    Tagged { id: String } [tag:{#id}:list]
    Untagged { id: String } [tag:{id}:list]
    TaggedWord { id: String } [tag:{#id}.v:list]
    // A key that allows overlaps.
    Said {} [tag:me:list, allow(overlap, reason = "the old name of what is untagged")]
}

#[test]
fn their_keys_are_as_declared() {
    crate::assert_key(&ByNumber { id: 7 }, "overlap:7:string");
    crate::assert_key(&Tagged { id: "me".to_owned() }, "tag:{me}:list");
    crate::assert_key(&Untagged { id: "me".to_owned() }, "tag:me:list");
    crate::assert_key(&Said {}, "tag:me:list");
    crate::assert_key(&ByOwn { id: Number(7) }, "overlap:7:set");
}
