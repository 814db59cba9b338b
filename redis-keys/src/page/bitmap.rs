//! Keys of type `bitmap`.

use redis::Value;

use super::{
    row::rows,
    section::{Section, keys, more},
};

use redis_keys::{
    bitmap::{BitInt, BitOffset, BitOverflow},
    prelude::*,
};

/// One bit for each day of the year.
#[derive(RedisKey)]
#[redis_key(user:sign.in:{user}:{year}:bitmap, ttl = 400d, max_bytes = 46B)]
struct SignIns {
    user: u64,
    year: u16,
}

/// Five bits for each level of a game.
#[derive(RedisKey)]
#[redis_key(game:stars:{player}:bitmap, ttl = 30d)]
struct Stars {
    player: u64,
}

const STARS: BitInt = BitInt::u::<5>();

pub(super) fn section() -> Section {
    let days = SignIns { user: 42, year: 2025 };
    let stars = Stars { player: 42 };
    let third = BitOffset::Element(3);

    let sliding = Sliding { user: 42 };
    let touched = Touched { user: 42 };
    let fading = Fading { user: 42 };
    let eternal = Eternal { user: 42 };
    Section {
        title: "bitmap",
        about: "\
A yes or no by number: the days on which somebody has signed in, or small numbers of any width side by side. What would make it
longer than `max_bytes` is refused.",
        file: include_str!("bitmap.rs"),
        sources: &["types/bitmap/mod.rs", "types/bitmap/field.rs"],
        rows: rows! {
            days.setbit(17, true);
            days.getbit(17);
            days.bitcount();
            days.bitcount_range(0..4);
            days.bitpos(true);
            days.bitpos_range(true, 0..4);
            stars.bitfield().get(STARS, 0).get(STARS, third);
            stars.bitfield().set(STARS, third, 31);
            stars.bitfield().incr(STARS, third, 1);
            stars.bitfield().overflow(BitOverflow::Sat).incr(STARS, third, 1);
        },
        more: more! {
            sliding: sliding.setbit(17, true);
            touched: touched.getbit(17);
            fading: fading.getbit(17) => [Ok(Value::Int(1)), Ok(Value::Int(1000)), Ok(Value::Int(1))];
            eternal: eternal.setbit(17, true);
            eternal: eternal.bitfield().set(STARS, 0, 31);
        },
    }
}

keys! {
    bitmap() Sliding sliding (ttl = 1h, renew = write);
    bitmap() Touched touched (ttl = 1h, renew = read);
    bitmap() Fading fading (ttl = 1h, renew = below(10m));
    bitmap() Eternal eternal (ttl = never, reason = "the books");
}
