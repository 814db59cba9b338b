//! Numbers modulo the number of shards.

use std::num::NonZero;

use super::{Balance, UserId, UserIdOr};
use crate::{RedisKey as _, parameter::Sharded, schema::ParameterForm};

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(user:follows:{id % 1000}:of.{id}:{#of % 2}:set, value = u64, ttl = 1h, crate = crate)]
struct Follows<T> {
    id: T,
    of: Balance,
}

#[test]
fn shards_are_remainders() {
    let key = |id, of| Follows { id: UserId(id), of: Balance(UserIdOr(of)) }.key().unwrap();
    assert_eq!(key(42, 7), "user:follows:42:of.42:{1}:set");
    assert_eq!(key(1_000, 0), "user:follows:0:of.1000:{0}:set");
    assert_eq!(key(u64::MAX, i64::MAX), "user:follows:615:of.18446744073709551615:{1}:set");
    let error = Follows { id: -1_i8, of: Balance(UserIdOr(1)) }.key().unwrap_err().to_string();
    assert!(error.starts_with("parameter `id`"), "{error}");
    let error = Follows { id: 1_u8, of: Balance(UserIdOr(-1)) }.key().unwrap_err().to_string();
    assert!(error.starts_with("parameter `of`"), "{error}");
}

#[test]
fn every_number_has_its_shard() {
    fn shard(number: &impl Sharded) -> Option<u32> {
        number.remainder(1000)
    }
    assert_eq!(
        (shard(&u8::MAX), shard(&u16::MAX), shard(&u32::MAX), shard(&u64::MAX)),
        (Some(255), Some(535), Some(295), Some(615))
    );
    assert_eq!((shard(&u128::MAX), shard(&usize::MAX)), (Some(455), Some(615)));
    assert_eq!(
        (shard(&i8::MAX), shard(&i64::MAX), shard(&i128::MAX), shard(&isize::MAX)),
        (Some(127), Some(807), Some(727), Some(807))
    );
    assert_eq!((shard(&i8::MIN), shard(&-1_i128), shard(&0_i16), shard(&0_i32)), (None, None, Some(0), Some(0)));
    assert_eq!((shard(&NonZero::<u64>::MAX), shard(&NonZero::<i32>::MIN)), (Some(615), None));
    assert_eq!((u64::MAX.remainder(u32::MAX), 5_u8.remainder(u32::MAX), 5_u8.remainder(0)), (Some(0), Some(5), None));
    #[cfg(feature = "uuid")]
    assert_eq!(shard(&uuid::Uuid::from_u128(u128::MAX)), Some(455));
}

/// What the catalogue knows of them.
#[test]
fn parameters_say_how_they_stand_in_the_key() {
    let parameters: Vec<_> = Follows::<u64>::SCHEMA.parameters.iter().collect();
    let told = parameters.iter().map(|one| (one.name, one.type_name, one.hash_tag, one.form)).collect::<Vec<_>>();
    assert_eq!(
        told,
        [
            ("id", "T", false, ParameterForm::Shard(1000)),
            ("id", "T", false, ParameterForm::Plain),
            ("of", "Balance", true, ParameterForm::Shard(2)),
        ]
    );
}
