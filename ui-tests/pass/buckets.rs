//! Spans of the calendar, and expiries that count from their ends.
#![no_implicit_prelude]
#![deny(warnings, missing_docs)]

/// A newtype.
#[derive(::redis_keys::KeySegment)]
pub struct Booked<T>(pub T);

/// An hour.
#[derive(::redis_keys::RedisKey)]
#[redis_key(shop:booked:{#id}:at.{hour}:hash, field = ::std::string::String, value = u64, ttl = 7d, jitter = 10%, ttl_from_end_of = hour)]
pub struct Bookings<'i> {
    /// Whose.
    pub id: &'i str,
    /// Which.
    pub hour: Booked<::redis_keys::bucket::Hour>,
}

/// All that can be said, and what is left open.
#[derive(::redis_keys::RedisKey)]
#[redis_key(
    user:tasks:{id}:{month}:set,
    value = u64,
    ttl = 90d,
    ttl_from_end_of = "month",
    max_len = 100,
    owner = "the web team",
    crate = ::redis_keys,
)]
pub struct Tasks<T, M>
where
    T: ::core::marker::Copy,
{
    /// Whose.
    pub id: T,
    /// Which.
    pub month: M,
}

#[test]
fn buckets_print() {
    let hour = ::redis_keys::bucket::Hour::now();
    let month = <::redis_keys::bucket::Month as ::core::convert::From<_>>::from(hour);
    crate::assert_key(&Bookings { id: "a7", hour: Booked(hour) }, &::std::format!("shop:booked:{{a7}}:at.{hour}:hash"));
    crate::assert_key(&Tasks { id: 7_u8, month }, &::std::format!("user:tasks:7:{month}:set"));
    ::std::assert_eq!(
        <Tasks<u8, ::redis_keys::bucket::Month> as ::redis_keys::RedisKey>::SCHEMA.ttl_from_end_of,
        ::core::option::Option::Some("month")
    );
}
