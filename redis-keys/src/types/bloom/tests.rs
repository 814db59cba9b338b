//! The bits of items, the share of false positives, and the commands and replies of the accessors.

use std::collections::HashSet;

use redis::Value;
use redis_keys_macros::RedisKey;

use super::{BloomOptions, HEADER_BITS, each_bit_of, fingerprint, header};
use crate::stored::Stored;
use crate::testing::text;
use crate::tests::mock::run;
use crate::types::bloom::BloomKey as _;
use crate::{ErrorKind, RedisKey as _};

#[derive(RedisKey)]
#[redis_key(user:names:{id}:bitmap, value = u64, ttl = 1h, bloom(expected = 10, false_positives = 1%), crate = crate)]
struct Names {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(user:renewed:{id}:bitmap, value = String, ttl = 1h, renew = read, bloom(expected = 10, false_positives = 25%), crate = crate)]
struct RenewedFilter {
    id: u32,
}

const NAMES: Names = Names { id: 1 };

fn bits<V: Stored>(options: BloomOptions, item: &V::Input) -> Vec<u64> {
    let mut bits = Vec::new();
    assert!(each_bit_of::<V>(options, item, |bit| bits.push(bit - HEADER_BITS)).is_ok());
    bits
}

#[test]
fn the_size_follows_from_the_items_and_the_share() {
    for (expected, share, bits, hashes) in [
        (10, 10_000, 256, 7),
        (1, 500_000, 80, 1),
        (1, 1, 6_064, 20),
        (1_000, 10_000, 9_592, 7),
        (100_000, 1_000, 1_437_760, 10),
        (100_000, 1, 2_875_520, 20),
        (100_000, 500_000, 144_272, 1),
    ] {
        let options = BloomOptions::with_bits(expected, share);
        assert_eq!((options.bits, options.hashes()), (bits, hashes), "{expected} {share}");
    }
    let largest = BloomOptions::with_bits(u64::MAX, 1);
    assert!(largest.bytes() > 1 << 40);
    assert_eq!(Names::SCHEMA.max_bytes, Some(32 + 16));
}

/// Other programs compute the same bits: `mmh3.hash64(item, signed=False)` in Python.
#[test]
fn the_bits_of_an_item_never_change() {
    let options = BloomOptions::with_bits(1_000, 10_000);
    assert_eq!(bits::<String>(options, "ada"), [5556, 8991, 2834, 5549, 8984, 2107, 5542]);
    assert_eq!(bits::<u64>(options, &42), [8316, 3615, 9226, 4525, 544, 5435, 1454]);
    assert_eq!(fingerprint(Names::SCHEMA), 0x19c3_9cf6_0486_4cb8);
}

#[test]
fn false_positives_are_as_rare_as_declared() {
    const PROBES: u64 = 1_000_000;
    // A small filter misses its share by its few items, so several of them are counted together.
    for (expected, share) in [(1, 1), (2, 1_000), (5, 10), (10, 100_000), (50, 10_000), (100, 1_000)] {
        let options = BloomOptions::with_bits(expected, share);
        let mut positives = 0;
        for filter in 0..100 {
            let items = (0..expected).map(|item| filter * (expected + PROBES) + item);
            let set: HashSet<u64> = items.clone().flat_map(|item| bits::<u64>(options, &item)).collect();
            let others = (0..PROBES / 100).map(|other| filter * (expected + PROBES) + expected + other);
            positives += others.filter(|item| bits::<u64>(options, item).iter().all(|bit| set.contains(bit))).count();
        }
        let declared = PROBES * u64::from(share) / 1_000_000;
        println!("{expected} items, {share} per million declared: {positives} of {PROBES}");
        assert!((positives as u64) <= declared * 11 / 10 + 3, "{expected} {share}: {positives}");
    }
    for (expected, share) in [(20_000, 10_000), (20_000, 1_000), (5_000, 50_000), (100_000, 10_000), (1_000, 250_000)] {
        let options = BloomOptions::with_bits(expected, share);
        let mut set = vec![false; usize::try_from(options.bits).unwrap()];
        let index = |bit: u64| usize::try_from(bit).unwrap();
        for item in 0..expected {
            for bit in bits::<u64>(options, &item) {
                set[index(bit)] = true;
            }
        }
        assert!((0..expected).all(|item| bits::<u64>(options, &item).into_iter().all(|bit| set[index(bit)])));
        let others = expected..expected + PROBES;
        let positives = others.filter(|item| bits::<u64>(options, item).into_iter().all(|bit| set[index(bit)])).count();
        let declared = PROBES * u64::from(share) / 1_000_000;
        println!("{expected} items, {share} per million declared: {positives} of {PROBES}");
        assert!((positives as u64) < declared * 11 / 10, "{expected} {share}: {positives}");
        assert!((positives as u64) > declared * 8 / 10, "{expected} {share}: {positives}");
    }
}

#[test]
fn commands() {
    let add = text(NAMES.add(&42)).unwrap();
    assert!(add[0].starts_with("EVALSHA bloom_add.lua 1 user:names:1:bitmap 3600000 "), "{add:?}");
    assert_eq!(add[0].split(' ').count(), 6 + 7, "{add:?}");
    let ask = text(NAMES.might_contain(&42)).unwrap();
    assert!(ask[0].starts_with("BITFIELD_RO user:names:1:bitmap GET i64 0 GET i64 64 GET u1 "), "{ask:?}");
    let ask = text(RenewedFilter { id: 1 }.might_contain("a")).unwrap();
    assert!(ask[0].starts_with("EVALSHA read.lua 1 user:renewed:1:bitmap 3600000 BITFIELD_RO GET i64 0 "), "{ask:?}");
    assert_eq!(text(NAMES.might_contain_many([0_u64; 0])).unwrap(), Vec::<String>::new());
    assert_eq!(text(NAMES.add_many([0_u64; 0])).unwrap(), Vec::<String>::new());
    for error in [text(NAMES.might_contain_many([1; 101])).unwrap_err(), text(NAMES.add_many([1; 101])).unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::TooMany, "{error}");
    }
}

/// The reply of a filter with this header, and all bits as given.
fn reply(header: [u8; 16], bits: &[i64]) -> Value {
    let number = |at: usize| Value::Int(i64::from_be_bytes(header[at..at + 8].try_into().unwrap()));
    Value::Array([number(0), number(8)].into_iter().chain(bits.iter().map(|bit| Value::Int(*bit))).collect())
}

#[test]
fn only_a_built_filter_of_this_declaration_says_no() {
    let built = header(Names::SCHEMA, u64::MAX);
    let ask = |header, bits: &[i64]| run(|| NAMES.might_contain(&42), [Ok(reply(header, bits))]).0;
    assert!(!ask(built, &[0; 7]).unwrap());
    assert!(!ask(built, &[1, 1, 1, 1, 1, 1, 0]).unwrap());
    assert!(ask(built, &[1; 7]).unwrap());
    for other in [
        [0; 16],
        header(Names::SCHEMA, 0),
        header(Names::SCHEMA, 7),
        header(RenewedFilter::SCHEMA, u64::MAX),
        [255; 16],
    ] {
        assert!(ask(other, &[0; 7]).unwrap(), "{other:?}");
    }
    for bits in [&[0; 6][..], &[0; 8], &[]] {
        assert_eq!(ask(built, bits).unwrap_err().kind(), ErrorKind::UnexpectedReply);
    }
    let many = |bits: &[i64]| run(|| NAMES.might_contain_many([1, 2]), [Ok(reply(built, bits))]).0;
    assert_eq!(many(&[[0; 7], [1; 7]].concat()).unwrap(), [false, true]);
    for wrong in [Value::Nil, Value::Okay, Value::Array(vec![]), Value::Array(vec![Value::Nil; 9]), Value::Int(1)] {
        let error = run(|| NAMES.might_contain(&42), [Ok(wrong)]).0.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedReply);
    }
}
