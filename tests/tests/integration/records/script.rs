//! Scripts and servers that do not know them.

use redis_keys::prelude::*;
use redis_keys_tests::everywhere;

use super::keys::{Profile, ProfileOf, Read, ada};

#[test]
fn scripts_are_sent_again_when_the_server_forgot_them() {
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
            assert_eq!(con.ok(Read { id: 1 }.load()), None);
        }
    });
}
