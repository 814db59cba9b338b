//! Spans of the calendar, and expiries that count from their ends.
#![no_implicit_prelude]
#![deny(warnings, missing_docs)]

/// A newtype.
#[derive(::redis_keys::KeySegment)]
pub struct BookedTime<T>(pub T);

/// An hour.
#[derive(::redis_keys::RedisKey)]
#[redis_key(shop:booked:{#id}:at.{hour}:hash, field = ::std::string::String, value = u64, ttl = 7d, jitter = 10%, ttl_from_end_of = hour)]
pub struct Bookings<'i> {
    /// Whose.
    pub id: &'i str,
    /// The hour.
    pub hour: BookedTime<::redis_keys::parameter::bucket::Hour>,
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
    /// The month.
    pub month: M,
}

/// Of references, by themselves and in a newtype.
#[derive(::redis_keys::RedisKey)]
#[redis_key(shop:lent:{day}:{hour}:set, value = u64, ttl = 90d, ttl_from_end_of = day)]
pub struct LentItems<'d, H> {
    /// The day.
    pub day: &'d ::redis_keys::parameter::bucket::Day,
    /// The hour.
    pub hour: BookedTime<&'d H>,
}

/// The same of a newtype.
#[derive(::redis_keys::RedisKey)]
#[redis_key(shop:lent.by:{hour}:set, value = u64, ttl = 90d, ttl_from_end_of = hour)]
pub struct LentBy<'d, H> {
    /// The hour.
    pub hour: &'d BookedTime<H>,
}

/// An hour that is lent.
#[derive(::redis_keys::KeySegment)]
pub struct LentHour<'d>(pub &'d ::redis_keys::parameter::bucket::Hour);

/// A key of it.
#[derive(::redis_keys::RedisKey)]
#[redis_key(shop:lent.own:{hour}:set, value = u64, ttl = 90d, ttl_from_end_of = hour)]
pub struct LentOwn<'d> {
    /// The hour.
    pub hour: LentHour<'d>,
}

#[test]
fn references_print() {
    let hour = ::redis_keys::parameter::bucket::Hour::now();
    let day = <::redis_keys::parameter::bucket::Day as ::core::convert::From<_>>::from(hour);
    crate::assert_key(&LentItems { day: &day, hour: BookedTime(&hour) }, &::std::format!("shop:lent:{day}:{hour}:set"));
    crate::assert_key(&LentBy { hour: &BookedTime(hour) }, &::std::format!("shop:lent.by:{hour}:set"));
    crate::assert_key(&LentOwn { hour: LentHour(&hour) }, &::std::format!("shop:lent.own:{hour}:set"));
    ::std::assert_eq!(
        <LentItems<'_, ::redis_keys::parameter::bucket::Hour> as ::redis_keys::RedisKey>::SCHEMA.ttl_from_end_of,
        ::core::option::Option::Some("day")
    );
}

#[test]
fn buckets_print() {
    let hour = ::redis_keys::parameter::bucket::Hour::now();
    let month = <::redis_keys::parameter::bucket::Month as ::core::convert::From<_>>::from(hour);
    crate::assert_key(
        &Bookings { id: "a7", hour: BookedTime(hour) },
        &::std::format!("shop:booked:{{a7}}:at.{hour}:hash"),
    );
    crate::assert_key(&Tasks { id: 7_u8, month }, &::std::format!("user:tasks:7:{month}:set"));
    ::std::assert_eq!(
        <Tasks<u8, ::redis_keys::parameter::bucket::Month> as ::redis_keys::RedisKey>::SCHEMA.ttl_from_end_of,
        ::core::option::Option::Some("month")
    );
}
