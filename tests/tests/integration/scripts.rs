//! Scripts, and servers that do not know them.

use redis_keys::prelude::*;
use redis_keys_tests::everywhere;

use crate::records::keys::{Profile, ProfileOf, ReadProfile, ada};
use crate::strings::keys::{CountF64, CountI64, CountU8, Note};

#[test]
fn scripts_of_strings_are_sent_again_after_a_flush() {
    everywhere(|con| {
        for round in 1..=3_u8 {
            let _: String = con.raw(&["SCRIPT", "FLUSH"]);
            assert_eq!(con.ok(CountI64 { id: 1 }.incr()), i64::from(round));
            let _: String = con.raw(&["SCRIPT", "FLUSH"]);
            assert_eq!(con.ok(CountU8 { id: 1 }.incr()), round);
            let _: String = con.raw(&["SCRIPT", "FLUSH"]);
            assert!((con.ok(CountF64 { id: 1 }.incr_by_float(1.0)) - f64::from(round)).abs() < 1e-12);
            let _: String = con.raw(&["SCRIPT", "FLUSH"]);
            assert_eq!(con.ok(Note { id: 1 }.append("a")), u64::from(round));
            let _: String = con.raw(&["SCRIPT", "FLUSH"]);
            con.ok(Note { id: 2 }.set("a").keep_ttl());
        }
    });
}

#[test]
fn a_known_script_is_called_by_its_digest() {
    everywhere(|con| {
        con.ok(CountI64 { id: 1 }.incr());
        let _: String = con.raw(&["CONFIG", "RESETSTAT"]);
        for _ in 0..10 {
            con.ok(CountI64 { id: 1 }.incr());
        }
        let stats = con.info("commandstats");
        assert!(stats.contains("cmdstat_evalsha:calls=10,"), "{stats}");
        assert!(!stats.contains("cmdstat_eval:"), "{stats}");
    });
}

#[test]
fn scripts_of_records_are_sent_again_after_a_flush() {
    everywhere(|con| {
        let key = ProfileOf { id: 1 };
        for round in 1..=2_u64 {
            let _: String = con.raw(&["SCRIPT", "FLUSH"]);
            con.ok(key.store(&ada()));
            let _: String = con.raw(&["SCRIPT", "FLUSH"]);
            assert!(con.ok(key.hset(Profile::NAME, "x")));
            let _: String = con.raw(&["SCRIPT", "FLUSH"]);
            assert_eq!(con.ok(key.hincr(Profile::VISITS, round)), Some(7 + round));
            let _: String = con.raw(&["SCRIPT", "FLUSH"]);
            assert_eq!(con.ok(ReadProfile { id: 1 }.load()), None);
        }
    });
}
