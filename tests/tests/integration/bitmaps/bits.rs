//! `setbit getbit bitcount bitpos`.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::{Con, everywhere, on_every_connection};

use super::{Fading, HOUR, Kept, MINUTE, Plain, Sliding, Small, Touched};

#[test]
fn setbit_sets_the_expiry_only_on_creation() {
    everywhere(|con| {
        let (bits, key) = (Plain { id: 1 }, "bits:plain:1:bitmap");
        con.forget_scripts();
        assert!(!con.ok(bits.setbit(7, true)));
        con.assert_left(key, HOUR);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        assert!(con.ok(bits.setbit(7, false)));
        assert!(!con.ok(bits.setbit(81_919, true)));
        con.assert_left(key, MINUTE);
        assert_eq!(con.raw::<u64>(&["STRLEN", key]), 10_240);
        con.ok(Kept { id: 1 }.setbit(1, true));
        assert_eq!(con.pttl("never:bits:1:bitmap"), -1);
        con.ok(Sliding { id: 1 }.setbit(1, true));
        let _: bool = con.raw(&["EXPIRE", "bits:sliding:1:bitmap", "60"]);
        con.ok(Sliding { id: 1 }.setbit(1, true));
        con.assert_left("bits:sliding:1:bitmap", HOUR);
    });
}

#[test]
fn setbit_adds_a_missing_expiry() {
    on_every_connection(|con| {
        let _: u64 = con.raw(&["SETBIT", "bits:plain:1:bitmap", "1", "1"]);
        assert!(con.ok(Plain { id: 1 }.setbit(1, true)));
        con.assert_left("bits:plain:1:bitmap", HOUR);
    });
}

#[test]
fn bitcount_and_bitpos_respect_their_ranges() {
    everywhere(|con| {
        let bits = Plain { id: 1 };
        assert_eq!((con.ok(bits.bitcount()), con.ok(bits.getbit(u32::MAX))), (0, false));
        assert_eq!((con.ok(bits.bitpos(true)), con.ok(bits.bitpos(false))), (None, Some(0)));
        for bit in [0, 1, 9, 20, 23] {
            con.ok(bits.setbit(bit, true));
        }
        assert!(con.ok(bits.getbit(9)) && !con.ok(bits.getbit(10)) && !con.ok(bits.getbit(1000)));
        assert_eq!(con.ok(bits.bitcount()), 5);
        for (bytes, count, first) in [
            (0..1, 2, Some(0)),
            (1..2, 1, Some(9)),
            (1..3, 3, Some(9)),
            (2..9, 2, Some(20)),
            (3..9, 0, None),
            (1..1, 0, None),
        ] {
            assert_eq!(con.ok(bits.bitcount_range(bytes.clone())), count, "{bytes:?}");
            assert_eq!(con.ok(bits.bitpos_range(true, bytes.clone())), first, "{bytes:?}");
        }
        assert_eq!((con.ok(bits.bitpos(true)), con.ok(bits.bitpos(false))), (Some(0), Some(2)));
        let ones = Plain { id: 2 };
        for bit in 0..8 {
            con.ok(ones.setbit(bit, true));
        }
        assert_eq!((con.ok(ones.bitpos(false)), con.ok(ones.bitpos_range(false, 0..9))), (Some(8), None));
    });
}

#[test]
fn offsets_beyond_max_bytes_are_rejected() {
    on_every_connection(|con| {
        let bits = Small { id: 1 };
        con.ok(bits.setbit(367, true));
        for error in [con.refused(bits.setbit(368, true)), con.refused(bits.setbit(u32::MAX, false))] {
            assert_eq!(error.kind(), ErrorKind::ValueSize, "{error}");
        }
        let message = con.refused(bits.setbit(368, false)).to_string();
        assert!(message.contains("exceeds `max_bytes`: 47 bytes, at most 46"), "{message}");
        assert_eq!(con.raw::<u64>(&["STRLEN", "bits:small:1:bitmap"]), 46);
    });
}

/// Runs every read with `seconds` left before it, and asserts the remaining time after it.
fn assert_reads_leave<K: BitmapKey>(con: &mut Con, bits: &K, key: &str, seconds: &str, left: i64) {
    let reads: [fn(&mut Con, &K); 5] = [
        |con, bits| assert!(con.ok(bits.getbit(9))),
        |con, bits| assert_eq!(con.ok(bits.bitcount()), 1),
        |con, bits| assert_eq!(con.ok(bits.bitcount_range(1..2)), 1),
        |con, bits| assert_eq!(con.ok(bits.bitpos(true)), Some(9)),
        |con, bits| assert_eq!(con.ok(bits.bitfield().get(redis_keys::types::bitmap::BitInt::u::<2>(), 8)), [Some(1)]),
    ];
    con.ok(bits.setbit(9, true));
    for read in reads {
        let _: bool = con.raw(&["EXPIRE", key, seconds]);
        con.forget_scripts();
        read(con, bits);
        con.assert_left(key, left);
    }
}

#[test]
fn reads_renew_the_expiry_as_declared() {
    everywhere(|con| {
        assert_reads_leave(con, &Plain { id: 1 }, "bits:plain:1:bitmap", "60", MINUTE);
        assert_reads_leave(con, &Sliding { id: 1 }, "bits:sliding:1:bitmap", "60", MINUTE);
        assert_reads_leave(con, &Touched { id: 1 }, "bits:touched:1:bitmap", "60", HOUR);
        assert_reads_leave(con, &Fading { id: 1 }, "bits:fading:1:bitmap", "60", HOUR);
        assert_reads_leave(con, &Fading { id: 1 }, "bits:fading:1:bitmap", "1200", 20 * MINUTE);
    });
}
