//! Scripts and servers that do not know them.

use redis_keys::prelude::*;
use redis_keys_tests::everywhere;

use super::keys::{CountF64, CountI64, CountU8, Note};

#[test]
fn scripts_are_sent_again_when_the_server_forgot_them() {
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
fn a_known_script_goes_by_its_digest() {
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
