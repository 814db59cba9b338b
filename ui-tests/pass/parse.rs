//! Keys that are read back, and keys that cannot be.

#[cfg(test)]
use std::borrow::Cow;
use std::marker::PhantomData;

use redis_keys::KeySegment;
use redis_keys::parameter::{ParseSegment, SegmentWriter};
use redis_keys::prelude::*;

#[cfg(test)]
use crate::generics::{AnyId, AnyValue, BorrowedName, BoundedKey, Cell, TwoLifetimes};
#[cfg(test)]
use crate::shapes::{Empty, EmptyTuple, Phantom, PhantomTuple, Tuple, Unit};

/// A parameter type of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserId(u64);

impl KeySegment for UserId {
    const LONGEST: Option<usize> = u64::LONGEST;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        self.0.write(out);
    }
}

impl ParseSegment<'_> for UserId {
    fn parse(text: &str) -> Result<Self, &'static str> {
        u64::parse(text).map(Self)
    }
}

/// A key of it.
#[derive(RedisKey)]
#[redis_key(parse:own:{id}:string, value = u64, ttl = 1h)]
pub struct Own {
    /// Its id.
    pub id: UserId,
}

/// A parameter type that cannot be read back.
#[derive(Clone, Copy, Debug)]
pub struct OneWay(u8);

impl KeySegment for OneWay {
    const LONGEST: Option<usize> = u8::LONGEST;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        self.0.write(out);
    }
}

/// A key of it, which can do all else.
#[derive(RedisKey)]
#[redis_key(parse:one.way:{id}:{page}:string, value = u64, ttl = 1h)]
pub struct OneWayKey {
    /// Its id.
    pub id: OneWay,
    /// The page.
    pub page: u64,
}

/// A newtype of it.
#[derive(Clone, Copy, Debug, KeySegment)]
pub struct WrappedSegment(OneWay);

/// A key of that.
#[derive(RedisKey)]
#[redis_key(parse:wrapped:{id}:string, value = u64, ttl = 1h)]
pub struct WrappedKey {
    /// Its id.
    pub id: WrappedSegment,
}

/// A private parameter type.
struct HiddenSegment(u8);

impl KeySegment for HiddenSegment {
    const LONGEST: Option<usize> = u8::LONGEST;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        self.0.write(out);
    }
}

impl ParseSegment<'_> for HiddenSegment {
    fn parse(text: &str) -> Result<Self, &'static str> {
        u8::parse(text).map(Self)
    }
}

/// A key that others see.
#[derive(RedisKey)]
#[redis_key(parse:hidden:{id}:string, value = u64, ttl = 1h)]
pub struct HiddenKey {
    id: HiddenSegment,
}

/// A private number.
#[derive(KeySegment)]
struct HiddenNumber(u64);

/// A key that others see, of its shard and itself.
#[derive(RedisKey)]
#[redis_key(parse:hidden.shard:{id % 8}:{id}:string, value = u64, ttl = 1h)]
pub struct HiddenShardKey {
    id: HiddenNumber,
}

/// The same with parameters of all kinds.
#[derive(RedisKey)]
#[redis_key(parse:hidden:{id}:{name}:{any}:string, value = u64, ttl = 1h)]
pub struct HiddenAny<'n, I: Copy = u8, const N: usize = 0, M = ()>
where
    M: Copy,
{
    name: &'n str,
    any: I,
    id: HiddenSegment,
    about: PhantomData<fn() -> M>,
}

/// A private parameter type that cannot be read back.
struct HiddenOneWay(u8);

impl KeySegment for HiddenOneWay {
    const LONGEST: Option<usize> = u8::LONGEST;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        self.0.write(out);
    }
}

/// A key of it that others see.
#[derive(RedisKey)]
#[redis_key(parse:hidden.way:{id}:string, value = u64, ttl = 1h)]
pub struct HiddenOneWayKey {
    id: HiddenOneWay,
}

/// Reads any key.
pub fn read<'k, K: ParseKey<'k>>(text: &'k str) -> Option<K> {
    K::parse(text).ok()
}

#[test]
fn every_form_is_read_back() {
    assert_eq!(read::<Own>("parse:own:42:string").map(|key| key.id), Some(UserId(42)));
    assert_eq!(read::<BorrowedName<'_>>("generics:name:ada:string").map(|key| key.name), Some("ada"));
    assert_eq!(read::<AnyId<u8>>("generics:by.any:42:string").map(|key| key.id), Some(42));
    assert_eq!(read::<AnyId<Cow<'_, str>>>("generics:by.any:a.b:string").map(|key| key.id), Some("a.b".into()));
    assert_eq!(read::<AnyValue<String>>("shop:any:42:string").map(|key| key.id), Some(42));
    let bounded: Option<BoundedKey<'_>> = read("generics:bounded:ada:string");
    assert_eq!(bounded.map(|BoundedKey { id, about: PhantomData }| id), Some("ada"));
    assert_eq!(read::<Cell<80>>("grid:cell:7:string").map(|key| key.row), Some(7));
    let tuple = read::<Tuple>("shapes:name:ada:v.7:string").map(|Tuple(version, name)| (version, name));
    assert_eq!(tuple, Some((7, "ada".to_owned())));
    assert_eq!(read::<Phantom<f64>>("shapes:name:42:string").map(|key| key.id), Some(42));
    assert_eq!(read::<PhantomTuple<f64>>("shapes:tuple:42:string").map(|key| key.1), Some(42));
    assert_eq!(read::<HiddenKey>("parse:hidden:7:string").map(|key| key.id.0), Some(7));
    assert_eq!(read::<HiddenShardKey>("parse:hidden.shard:2:42:string").map(|key| key.id.0), Some(42));
    assert!(read::<HiddenShardKey>("parse:hidden.shard:3:42:string").is_none());
    let any = read::<HiddenAny<'_, u16>>("parse:hidden:7:ada:9:string");
    assert_eq!(any.map(|key| (key.id.0, key.name, key.any, key.about)), Some((7, "ada", 9, PhantomData)));
    assert!(read::<Unit>("shapes:count:all:string").is_some());
    assert!(read::<Empty>("shapes:count:empty:string").is_some());
    assert!(read::<EmptyTuple>("shapes:count:tuple:string").is_some());
}

#[test]
fn a_key_that_cannot_be_read_back_can_do_all_else() {
    crate::assert_key(&OneWayKey { id: OneWay(1), page: 2 }, "parse:one.way:1:2:string");
    crate::assert_key(&WrappedKey { id: WrappedSegment(OneWay(1)) }, "parse:wrapped:1:string");
    crate::assert_key(&HiddenKey { id: HiddenSegment(1) }, "parse:hidden:1:string");
    crate::assert_key(&HiddenOneWayKey { id: HiddenOneWay(1) }, "parse:hidden.way:1:string");
    let key = TwoLifetimes { name: "ada".into(), mail: &"x" };
    crate::assert_key(&key, "generics:name:ada:x:string");
}
