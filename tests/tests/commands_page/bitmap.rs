//! Keys of type `bitmap`.

use crate::row::rows;
use crate::section::{Section, keys, more};
use crate::server::int;

use redis_keys::prelude::*;
use redis_keys::types::bitmap::{BitInt, BitOffset, BitOverflow};

/// The days of a year on which a user signed in.
#[derive(RedisKey)]
#[redis_key(user:sign.in:{user}:{year}:bitmap, ttl = 400d, max_bytes = 46B)]
struct SignIns {
    user: u64,
    year: u16,
}

/// The stars for each level of a game, in five bits.
#[derive(RedisKey)]
#[redis_key(game:stars:{player}:bitmap, ttl = 30d)]
struct Stars {
    player: u64,
}

const STARS: BitInt = BitInt::u::<5>();

pub(crate) fn section() -> Section {
    let days = SignIns { user: 42, year: 2025 };
    let stars = Stars { player: 42 };
    let third = BitOffset::Element(3);

    let sliding = Sliding { user: 42 };
    let touched = Touched { user: 42 };
    let fading = Fading { user: 42 };
    let eternal = Eternal { user: 42 };
    Section {
        title: "bitmap",
        summary: "flags by number",
        about: "\
Flags by number, such as the days on which a user signed in, or small integers of any width. A write that would exceed `max_bytes`
is rejected.",
        file: include_str!("bitmap.rs"),
        schemas: vec![SignIns::SCHEMA, Stars::SCHEMA, Sliding::SCHEMA, Touched::SCHEMA, Fading::SCHEMA, Eternal::SCHEMA],
        types: &["BitmapKey", "BitField"],
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
            fading: fading.getbit(17) => [int(1), int(1000), int(1)];
            eternal: eternal.setbit(17, true);
            eternal: eternal.bitfield().set(STARS, 0, 31);
        },
    }
}

keys! {
    bitmap() Sliding sliding (ttl = 1h, renew = write);
    bitmap() Touched touched (ttl = 1h, renew = read);
    bitmap() Fading fading (ttl = 1h, renew = below(10m));
    bitmap() Eternal eternal (ttl = never, reason = "billing records", rebuild = "from the books");
}
