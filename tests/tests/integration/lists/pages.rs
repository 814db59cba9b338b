//! `lpages`.

use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys_tests::on_every_connection;

use super::keys::Numbers;

#[test]
fn a_whole_list_in_its_order() {
    on_every_connection(|con| {
        let list = Numbers { id: 1 };
        assert!(con.scan(list.lpages(10)).expect("it is read").is_empty());
        for from in [0, 500] {
            con.ok(list.rpush_many(from..from + 500));
        }
        let all: Vec<i32> = (0..1000).collect();
        for page_len in [1, 7, 100, 250, 500] {
            assert_eq!(con.scan(list.lpages(page_len)).expect("it is read"), all);
        }
        assert_eq!(con.scan(list.lpages(501)).expect_err("it is refused").kind(), ErrorKind::TooMany);
    });
}

#[test]
fn an_item_that_does_not_decode_ends_it() {
    on_every_connection(|con| {
        con.ok(Numbers { id: 1 }.rpush_many(0..5));
        let _: u64 = con.raw(&["RPUSH", "line:numbers:1:list", "secret"]);
        let error = con.scan(Numbers { id: 1 }.lpages(2)).expect_err("it does not decode");
        assert_eq!((error.kind(), error.key()), (ErrorKind::Decode, Some("line:numbers:1:list")));
    });
}
