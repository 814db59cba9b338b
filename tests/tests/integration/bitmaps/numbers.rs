//! `bitfield`.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys::types::bitmap::{BitInt, BitOffset, BitOverflow};
use redis_keys_tests::{Con, everywhere, on_every_connection};

use super::{Fading, HOUR, Kept, MINUTE, Plain, Sliding, Small, Touched};

const U5: BitInt = BitInt::u::<5>();
const I8: BitInt = BitInt::i::<8>();
const U63: BitInt = BitInt::u::<63>();
const I64: BitInt = BitInt::i::<64>();

#[test]
fn reading_a_missing_bitfield_creates_no_key() {
    everywhere(|con| {
        let bits = Plain { id: 1 };
        assert_eq!(con.ok(bits.bitfield().get(U5, 0).get(I64, BitOffset::Element(3))), [Some(0), Some(0)]);
        assert!(con.ok(bits.bitfield()).is_empty());
        assert!(!con.ok(bits.exists()));
    });
}

#[test]
fn bitfield_sets_the_expiry_only_on_creation() {
    everywhere(|con| {
        let (bits, key) = (Plain { id: 1 }, "bits:plain:1:bitmap");
        con.forget_scripts();
        assert_eq!(con.ok(bits.bitfield().set(U5, 0, 9).get(U5, 0)), [Some(0), Some(9)]);
        con.assert_left(key, HOUR);
        let _: bool = con.raw(&["EXPIRE", key, "60"]);
        assert_eq!(con.ok(bits.bitfield().incr(U5, 0, 1).set(U5, BitOffset::Element(1), 31)), [Some(10), Some(0)]);
        assert_eq!(con.ok(bits.bitfield().get(U5, 5).get(U5, BitOffset::Element(0))), [Some(31), Some(10)]);
        con.assert_left(key, MINUTE);
        con.ok(Kept { id: 1 }.bitfield().set(U5, 0, 9));
        assert_eq!(con.pttl("never:bits:1:bitmap"), -1);
        con.ok(Sliding { id: 1 }.bitfield().set(U5, 0, 9));
        let _: bool = con.raw(&["EXPIRE", "bits:sliding:1:bitmap", "60"]);
        con.ok(Sliding { id: 1 }.bitfield().set(U5, 0, 9));
        con.assert_left("bits:sliding:1:bitmap", HOUR);
    });
}

#[test]
fn integers_of_every_width_are_exact() {
    fn assert_exact(con: &mut Con, bits: &impl BitmapKey) {
        let (third, i1, u1) = (BitOffset::Element(2), BitInt::i::<1>(), BitInt::u::<1>());
        let u54 = BitInt::u::<54>();
        for offset in [BitOffset::Bit(3), third] {
            let ends =
                [(I64, i64::MIN), (I64, i64::MAX), (U63, i64::MAX), (I64, -1), (u54, (1 << 54) - 1), (i1, -1), (u1, 1)];
            for (int, number) in ends {
                con.ok(bits.unlink());
                let found = con.ok(bits.bitfield().set(int, offset, number).get(int, offset).set(int, offset, 0));
                assert_eq!(found, [Some(0), Some(number), Some(number)], "{int}");
            }
        }
        let field = || bits.bitfield().overflow(BitOverflow::Fail);
        let found = con.ok(field().set(I64, 0, i64::MAX - 1).incr(I64, 0, 1).incr(I64, 0, 1).incr(U63, third, 1 << 60));
        assert_eq!(found[1..], [Some(i64::MAX), None, Some(1 << 60)]);
        assert_eq!(con.ok(bits.bitfield().incr(I64, 0, 1)), [Some(i64::MIN)]);
        assert_eq!(con.ok(bits.bitfield().get(I64, 0).get(U63, third)), [Some(i64::MIN), Some(1 << 60)]);
    }
    everywhere(|con| {
        assert_exact(con, &Plain { id: 1 });
        assert_exact(con, &Touched { id: 1 });
        assert_exact(con, &Fading { id: 1 });
        assert_exact(con, &Kept { id: 1 });
    });
}

#[test]
fn five_hundred_operations_run_in_one_call() {
    on_every_connection(|con| {
        let bits = Plain { id: 1 };
        let counts = (0..500).fold(bits.bitfield(), |field, number| {
            let overflow = if number % 2 == 0 { BitOverflow::Fail } else { BitOverflow::Sat };
            field.overflow(overflow).incr(I64, BitOffset::Element(number), i64::from(number))
        });
        assert_eq!(con.ok(counts), (0..500).map(Some).collect::<Vec<_>>());
    });
}

#[test]
fn overflow_wraps_saturates_or_fails_as_requested() {
    everywhere(|con| {
        let bits = Plain { id: 1 };
        let full = || bits.bitfield().set(U5, 0, 31).set(I8, 8, -128);
        let counted = con.ok(full().incr(U5, 0, 2).incr(I8, 8, -1));
        assert_eq!(counted[2..], [Some(1), Some(127)]);
        let counted = con.ok(full().overflow(BitOverflow::Sat).incr(U5, 0, 2).incr(I8, 8, -1));
        assert_eq!(counted[2..], [Some(31), Some(-128)]);
        let failing =
            full().overflow(BitOverflow::Fail).incr(U5, 0, 2).get(U5, 0).overflow(BitOverflow::Wrap).incr(I8, 8, -1);
        assert_eq!(con.ok(failing)[2..], [None, Some(31), Some(127)]);
        con.ok(bits.unlink());
        assert_eq!(con.ok(bits.bitfield().overflow(BitOverflow::Fail).incr(U5, 0, -1)), [None]);
        con.assert_all_expire();
    });
}

#[test]
fn offsets_and_values_out_of_range_are_rejected() {
    on_every_connection(|con| {
        let bits = Small { id: 1 };
        assert_eq!(con.refused(bits.bitfield().set(U5, 364, 1)).kind(), ErrorKind::ValueSize);
        assert_eq!(con.refused(bits.bitfield().incr(I8, BitOffset::Element(46), 1)).kind(), ErrorKind::ValueSize);
        assert_eq!(con.refused(bits.bitfield().set(U5, 0, -1)).kind(), ErrorKind::Argument);
        con.ok(bits.bitfield().set(U5, 363, 1).incr(I8, BitOffset::Element(45), 1));
        assert_eq!(con.raw::<u64>(&["STRLEN", "bits:small:1:bitmap"]), 46);
        let far = con.error(bits.bitfield().get(I64, BitOffset::Element(u32::MAX)));
        assert!(far.to_string().contains("the bit offset is out of range"), "{far}");
    });
}

#[test]
fn bitmap_commands_run_in_a_batch() {
    everywhere(|con| {
        con.forget_scripts();
        let bits = Plain { id: 1 };
        let (before, found, count) = con
            .batch((bits.setbit(0, true), bits.bitfield().incr(U5, 0, 1), bits.bitcount()))
            .expect("the batch succeeds");
        assert_eq!((before, found, count), (false, vec![Some(17)], 2));
    });
}
