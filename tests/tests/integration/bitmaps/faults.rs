//! Keys of another type, and servers without memory.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys::types::bitmap::BitInt;
use redis_keys_tests::{errors, on_every_connection};

use super::{MINUTE, Plain, Touched};

const BITS: Plain = Plain { id: 1 };
const INT: BitInt = BitInt::u::<5>();

#[test]
fn every_accessor_rejects_a_key_of_another_type() {
    on_every_connection(|con| {
        for key in ["bits:plain:1:bitmap", "bits:touched:1:bitmap"] {
            let _: u64 = con.raw(&["RPUSH", key, "hidden"]);
            let _: bool = con.raw(&["EXPIRE", key, "60"]);
        }
        let errors = errors!(con, run: [
            BITS.setbit(1, true),
            BITS.getbit(1),
            BITS.bitcount(),
            BITS.bitcount_range(0..1),
            BITS.bitpos(true),
            BITS.bitfield().get(INT, 0),
            BITS.bitfield().set(INT, 0, 1),
            Touched { id: 1 }.getbit(1),
        ]);
        errors.assert_kind(ErrorKind::WrongType).assert_message("holds a list, but a bitmap is declared");
        con.assert_left("bits:touched:1:bitmap", MINUTE);
    });
}

#[test]
fn a_write_without_memory_changes_nothing() {
    on_every_connection(|con| {
        let errors =
            con.without_memory(|con| errors!(con, run: [BITS.setbit(1, true), BITS.bitfield().set(INT, 0, 1)]));
        errors.assert_message("OOM: the memory limit is reached");
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 0);
    });
}
