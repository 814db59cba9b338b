//! Keys that look much alike, of which no two can be the same.

use std::borrow::Cow;
use std::num::NonZero;

use redis_keys::{
    KeySegment,
    bucket::Year,
    parameter::{SegmentWriter, ValueSet},
    prelude::*,
};

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

/// A number that tells so.
pub struct Number(u64);

impl KeySegment for Number {
    const LONGEST: Option<usize> = u64::LONGEST;
    const VALUES: ValueSet = u64::VALUES;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        self.0.write(out);
    }
}

/// A type that is known by its own name alone.
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
    // Numbers are no words, whatever type holds them.
    Me {} [meet:me:string]
    Zeros {} [meet:007:string]
    Hex {} [meet:7f:string]
    ByNumber { id: u64 } [meet:{id}:string]
    ByBool { id: bool } [meet:{id}:list]
    TrueWord {} [meet:yes:list]
    ByInt { id: i8 } [meet:{id}:list]
    ByOwn { id: Number } [meet:{id}:set]
    OwnWord {} [meet:me:set]
    ByAlias { id: Alias } [meet:{id}:hash, field = u8]
    AliasWord {} [meet:me:hash, field = u8]
    ByNonZero<'n> { id: Cow<'n, NonZero<u64>> } [meet:{id}:zset]
    NonZeroWord {} [meet:me:zset]
    // Another module, another type, more segments, other words.
    OtherModule { id: String } [meets:{id}:string]
    OtherType { id: String } [meet:{id}:geo]
    ThirdBool { id: bool } [meet:{id}:words:geo]
    OneWord {} [meet:1:words:geo]
    More { id: String, page: u8 } [meet:{id}:{page}:string]
    MoreText { id: String } [meet:{id}:page:string]
    Words { id: String } [meet:v.{id}:string]
    OtherWords { id: String } [meet:w.{id}:string]
    MoreWords { id: String } [meet:v.{id}.of:string]
    // Numbers on one side, words on the other.
    Crossed { id: u64 } [meet:{id}:words:list]
    Crossing { id: u64 } [meet:words:{id}:list]
    // Names are these and no others.
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
    // A tag's braces are no text.
    Tagged { id: String } [tag:{#id}:list]
    Untagged { id: String } [tag:{id}:list]
    TaggedWord { id: String } [tag:{#id}.v:list]
    // What says that it may be the same is left out.
    Said {} [tag:me:list, allow(overlap, reason = "the old name of what is untagged")]
}

#[test]
fn their_keys_are_as_declared() {
    crate::assert_key(&ByNumber { id: 7 }, "meet:7:string");
    crate::assert_key(&Tagged { id: "me".to_owned() }, "tag:{me}:list");
    crate::assert_key(&Untagged { id: "me".to_owned() }, "tag:me:list");
    crate::assert_key(&Said {}, "tag:me:list");
    crate::assert_key(&ByOwn { id: Number(7) }, "meet:7:set");
}
