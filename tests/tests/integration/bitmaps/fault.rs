//! What is not as declared, on the server.

use redis_keys::prelude::*;
use redis_keys::{Error, ErrorKind, bitmap::BitInt};
use redis_keys_tests::on_every_connection;

use super::keys::{MINUTE, Plain, Touched};

#[track_caller]
fn assert_wrong_type(error: &Error) {
    let text = error.to_string();
    assert_eq!(error.kind(), ErrorKind::WrongType, "{text}");
    assert!(text.contains("holds a list, but a bitmap is declared"), "{text}");
    assert!(!text.contains("hidden"), "{text}");
}

#[test]
fn another_type_under_the_key_is_named() {
    on_every_connection(|con| {
        for key in ["bits:plain:1:bitmap", "bits:touched:1:bitmap"] {
            let _: u64 = con.raw(&["RPUSH", key, "hidden"]);
            let _: bool = con.raw(&["EXPIRE", key, "60"]);
        }
        let (bits, int) = (Plain { id: 1 }, BitInt::u::<5>());
        assert_wrong_type(&con.error(bits.setbit(1, true)));
        assert_wrong_type(&con.error(bits.getbit(1)));
        assert_wrong_type(&con.error(bits.bitcount()));
        assert_wrong_type(&con.error(bits.bitcount_range(0..1)));
        assert_wrong_type(&con.error(bits.bitpos(true)));
        assert_wrong_type(&con.error(bits.bitfield().get(int, 0)));
        assert_wrong_type(&con.error(bits.bitfield().set(int, 0, 1)));
        assert_wrong_type(&con.error(Touched { id: 1 }.getbit(1)));
        con.assert_left("bits:touched:1:bitmap", MINUTE);
    });
}

#[test]
fn a_server_without_memory_takes_no_part_of_a_write() {
    on_every_connection(|con| {
        let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "1"]);
        let errors = [
            con.error(Plain { id: 1 }.setbit(1, true)),
            con.error(Plain { id: 1 }.bitfield().set(BitInt::u::<5>(), 0, 1)),
        ];
        let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "0"]);
        for error in errors {
            assert!(error.to_string().contains("OOM: the memory limit is reached"), "{error}");
        }
        assert_eq!(con.raw::<u64>(&["DBSIZE"]), 0);
    });
}
