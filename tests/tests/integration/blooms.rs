//! Bloom filters on servers: they never say no of what was added, whatever happens to them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::{Error, ErrorKind};
use redis_keys_tests::{Con, everywhere, on_every_connection, seed};

#[derive(RedisKey)]
#[redis_key(bloom:ids:{id}:bitmap, value = u64, ttl = 1h, bloom(expected = 1_000, false_positives = 1%))]
struct Ids {
    id: u32,
}

/// The same keys, declared in another way.
#[derive(RedisKey)]
#[redis_key(bloom:ids:{id}:bitmap, value = u64, ttl = 1h, bloom(expected = 2_000, false_positives = 1%), allow(overlap, reason = "a later release"))]
struct MoreIds {
    id: u32,
}

/// The same keys with items of another form.
#[derive(RedisKey)]
#[redis_key(bloom:ids:{id}:bitmap, value = String, ttl = 1h, bloom(expected = 1_000, false_positives = 1%), allow(overlap, reason = "a later release"))]
struct Texts {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(bloom:kept:{id}:bitmap, value = String, ttl = 1h, renew = write, bloom(expected = 100, false_positives = 0.1%))]
struct RenewedFilter {
    id: u32,
}

const IDS: Ids = Ids { id: 1 };
const KEY: &str = "bloom:ids:1:bitmap";

fn build(con: &mut Con, items: impl IntoIterator<Item = u64>) {
    let build = con.ok(IDS.begin());
    assert!(con.ok(IDS.finish(build, items)));
}

#[test]
fn a_built_filter_knows_its_items_and_few_others() {
    everywhere(|con| {
        build(con, 0..1_000);
        con.assert_left(KEY, 3_600_000);
        con.ok(IDS.add(&5_000));
        con.ok(IDS.add_many(6_000..6_100));
        for items in [0..100, 900..1_000, 6_000..6_100] {
            assert_eq!(con.ok(IDS.might_contain_many(items)), [true; 100]);
        }
        assert!(con.ok(IDS.might_contain(&5_000)));
        let positives: usize = (100..200)
            .map(|hundred| con.ok(IDS.might_contain_many(hundred * 100..hundred * 100 + 100)))
            .map(|answers| answers.into_iter().filter(|answer| *answer).count())
            .sum();
        assert!((30..400).contains(&positives), "{positives} of 10,000");
        let len: u64 = con.raw(&["STRLEN", KEY]);
        assert_eq!(Some(len), Ids::SCHEMA.max_bytes);
    });
}

#[derive(RedisKey)]
#[redis_key(bloom:golden:{id}:bitmap, value = u64, ttl = 1h, bloom(expected = 10, false_positives = 1%))]
struct Golden {
    id: u32,
}

/// Of 42: the hash of the declaration, the state, and seven bits. No later version may change them.
const GOLDEN: &[u8] = b"\x19\xC3\x9C\xF6\x04\x86\x4C\xB8\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\
    \0\0\x04\0\0\0\x20\0\0\x01\0\0\0\x08\0\0\0\0\0\0\0\0\0\x02\0\0\0\x10\0\0\0\x80";

#[test]
fn filters_are_stored_and_read_as_before() {
    everywhere(|con| {
        let (written, read) = (Golden { id: 1 }, Golden { id: 2 });
        let build = con.ok(written.begin());
        assert!(con.ok(written.finish(build, [42])));
        let stored: Vec<u8> = con.raw(&["GET", "bloom:golden:1:bitmap"]);
        assert_eq!(stored.escape_ascii().to_string(), GOLDEN.escape_ascii().to_string());
        // With an expiry, which `put` keeps.
        con.ok(read.add(&1));
        con.put("bloom:golden:2:bitmap", GOLDEN);
        assert_eq!(con.ok(read.might_contain_many([42, 43])), [true, false]);
    });
}

#[test]
fn a_filter_that_was_not_built_says_maybe() {
    everywhere(|con| {
        let maybe = |con: &mut Con| {
            assert!(con.ok(IDS.might_contain(&7)));
            assert_eq!(con.ok(IDS.might_contain_many([7, 8])), [true, true]);
        };
        maybe(con);
        con.ok(IDS.add(&1));
        con.assert_left(KEY, 3_600_000);
        maybe(con);
        let first = con.ok(IDS.begin());
        maybe(con);
        let second = con.ok(IDS.begin());
        assert!(!con.ok(IDS.finish(first, [1, 2])), "another build has begun");
        maybe(con);
        assert!(con.ok(IDS.finish(second, [1, 2])));
        assert!(!con.ok(IDS.might_contain(&7)));
        assert!(!con.ok(IDS.finish(second, [3])), "it is built already");
        assert!(con.ok(IDS.unlink()));
        maybe(con);
        con.ok(IDS.add(&1));
        maybe(con);
        let expired = con.ok(IDS.begin());
        let _: i64 = con.raw(&["PEXPIRE", KEY, "1"]);
        while con.raw::<bool>(&["EXISTS", KEY]) {}
        assert!(!con.ok(IDS.finish(expired, [1])), "it has expired");
        maybe(con);
    });
}

#[test]
fn a_filter_of_another_declaration_says_maybe() {
    everywhere(|con| {
        build(con, [1]);
        assert!(!con.ok(IDS.might_contain(&7)));
        assert!(con.ok(MoreIds { id: 1 }.might_contain(&7)));
        assert!(con.ok(Texts { id: 1 }.might_contain("7")));
        // An item of the later release would be missing for the earlier one.
        con.ok(Texts { id: 1 }.add("8"));
        con.assert_left(KEY, 3_600_000);
        assert!(con.ok(IDS.might_contain(&7)));
        assert!(con.ok(Texts { id: 1 }.might_contain("7")), "it was not built");
        let begun = con.ok(IDS.begin());
        con.ok(MoreIds { id: 1 }.add(&1));
        assert!(!con.ok(IDS.finish(begun, [1])), "another declaration has replaced it");
        assert!(con.ok(IDS.might_contain(&7)));
        for other in [&b"text"[..], &[255; 400], &[0; 16], b""] {
            con.put(KEY, other);
            assert!(con.ok(IDS.might_contain(&7)));
            con.ok(IDS.add(&1));
            assert!(con.ok(IDS.might_contain(&7)));
        }
        con.ok(IDS.expire());
    });
}

#[test]
fn another_type_is_an_error_and_expiries_are_declared() {
    on_every_connection(|con| {
        let _: i64 = con.raw(&["RPUSH", KEY, "a"]);
        let begun = con.ok(Ids { id: 2 }.begin());
        for error in [
            con.error(IDS.might_contain(&1)),
            con.error(IDS.add(&1)),
            con.run(IDS.finish(begun, [1])).expect_err("it is a list"),
        ] {
            assert_eq!(error.kind(), ErrorKind::WrongType, "{error}");
        }
        let _: i64 = con.raw(&["DEL", KEY]);

        let renewed = RenewedFilter { id: 1 };
        con.ok(renewed.add("a"));
        let _: i64 = con.raw(&["PEXPIRE", "bloom:kept:1:bitmap", "1000"]);
        con.ok(renewed.add("b"));
        con.assert_left("bloom:kept:1:bitmap", 3_600_000);
        con.ok(IDS.add(&1));
        let _: i64 = con.raw(&["PEXPIRE", KEY, "60000"]);
        con.ok(IDS.add(&2));
        con.assert_left(KEY, 60_000);
        let _: i64 = con.raw(&["PERSIST", KEY]);
        con.ok(IDS.add(&3));
        con.assert_left(KEY, 3_600_000);
    });
}

/// The `add` before an item is written to the database is not enough: a filter can be emptied in between.
#[test]
fn an_item_is_added_again_after_it_was_written() {
    everywhere(|con| {
        for is_added_again in [false, true] {
            con.ok(IDS.add(&1));
            let build = con.ok(IDS.begin());
            let read_from_the_database: [u64; 0] = [];
            // Now the item is written to the database.
            if is_added_again {
                con.ok(IDS.add(&1));
            }
            assert!(con.ok(IDS.finish(build, read_from_the_database)));
            assert_eq!(con.ok(IDS.might_contain(&1)), is_added_again);
        }
    });
}

/// Some clients add items, one builds the filter again and again from all that was there when it began, one deletes it.
#[test]
fn nothing_that_was_added_is_ever_missing() {
    const ADDERS: u64 = 3;
    const ITEMS: u64 = 400;
    let server = Server::start().expect("a server");
    let (url, start) = (server.url(), seed() * 10_000_000);
    let connect = || redis::Client::open(url.as_str()).and_then(|client| client.get_connection()).expect("it runs");
    // What the database has of each adder, and what is added again after it was written.
    let [known, added] = [(); 2].map(|()| (0..ADDERS).map(|_| AtomicU64::new(0)).collect::<Vec<_>>());
    let (is_over, no, builds) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    let item = |adder: u64, number: u64| start + adder * 1_000_000 + number;
    let items = |counts: &[AtomicU64]| -> Vec<u64> {
        let counts = (0..).zip(counts.iter().map(|count| count.load(Ordering::SeqCst)));
        counts.flat_map(|(adder, count)| (0..count).map(move |number| item(adder, number))).collect()
    };
    thread::scope(|scope| {
        let adders: Vec<_> = (0..ADDERS)
            .map(|adder| {
                let index = usize::try_from(adder).expect("it is small");
                let (known, added, mut con) = (&known[index], &added[index], connect());
                scope.spawn(move || {
                    for number in 0..ITEMS {
                        IDS.add(&item(adder, number)).query(&mut con).expect("it is added");
                        known.store(number + 1, Ordering::SeqCst);
                        IDS.add(&item(adder, number)).query(&mut con).expect("it is added");
                        added.store(number + 1, Ordering::SeqCst);
                    }
                })
            })
            .collect();
        scope.spawn(|| {
            let mut con = connect();
            while !is_over.load(Ordering::SeqCst) {
                let build = IDS.begin().query(&mut con).expect("it is begun");
                builds.fetch_add(
                    IDS.finish(build, items(&known)).query(&mut con).expect("it is built").into(),
                    Ordering::SeqCst,
                );
            }
        });
        scope.spawn(|| {
            let mut con = connect();
            while !is_over.load(Ordering::SeqCst) {
                for items in items(&added).chunks(100) {
                    let answers = IDS.might_contain_many(items).query(&mut con).expect("it answers");
                    assert!(answers.iter().all(|answer| *answer), "an item that was added is missing");
                }
                no.fetch_add((!IDS.might_contain(&7).query(&mut con).expect("it answers")).into(), Ordering::SeqCst);
            }
        });
        scope.spawn(|| {
            let mut con = connect();
            while !is_over.load(Ordering::SeqCst) {
                let deleted: Result<bool, Error> = IDS.unlink().query(&mut con);
                deleted.expect("it is deleted");
                thread::sleep(std::time::Duration::from_millis(3));
            }
        });
        for adder in adders {
            adder.join().expect("it adds");
        }
        is_over.store(true, Ordering::SeqCst);
    });
    println!("soak: {} builds, {} times no", builds.load(Ordering::SeqCst), no.load(Ordering::SeqCst));
    assert!(builds.load(Ordering::SeqCst) > 0, "it was built between two deletions");
}
