//! Collections that are read whole by one command: `members`, `entries` and `items`. And `expire_in`.

use std::time::Duration;

use redis_keys::prelude::*;
use redis_keys::{ErrorKind, SendStatus, batch_iter};
use redis_keys_tests::{everywhere, on_every_connection};

#[derive(RedisKey)]
#[redis_key(whole:tags:{id}:set, value = String, ttl = 1h, max_len = 3)]
struct Tags {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(whole:touched:{id}:set, value = String, ttl = 1h, max_len = 3, renew = read)]
struct TouchedSet {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(whole:votes:{id}:hash, field = u32, value = i32, ttl = 1h, max_len = 3)]
struct Votes {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(whole:queue:{id}:list, value = u32, ttl = 1h, max_len = 3)]
struct Queue {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(whole:recent:{id}:list, value = u32, ttl = 1h, keep_last = 3)]
struct Recent {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(whole:cached:{id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m))]
struct CachedText {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(whole:hot:{id}:{copy}:string, value = String, ttl = 1h, copies = 3)]
struct Hot {
    id: u32,
}

fn sorted<T: Ord>(mut elements: Vec<T>) -> Vec<T> {
    elements.sort_unstable();
    elements
}

#[test]
fn all_elements_are_read() {
    everywhere(|con| {
        let (tags, votes, queue, recent) = (Tags { id: 1 }, Votes { id: 1 }, Queue { id: 1 }, Recent { id: 1 });
        let (members, entries, items) =
            con.batch((tags.members(), votes.entries(), queue.items())).expect("it succeeds");
        assert!(members.is_empty() && entries.is_empty() && items.is_empty());
        con.ok(tags.sadd_many(["tea", "mugs", "cups"]));
        con.ok(votes.hset_many([(7, 1), (8, -1), (9, 0)]));
        con.ok(queue.rpush_many([5, 6, 5]));
        con.ok(recent.rpush_many([1, 2, 3, 4]));
        assert_eq!(sorted(con.ok(tags.members())), ["cups", "mugs", "tea"]);
        assert_eq!(sorted(con.ok(votes.entries())), [(7, 1), (8, -1), (9, 0)]);
        assert_eq!(con.ok(queue.items()), [5, 6, 5]);
        assert_eq!(con.ok(recent.items()), [2, 3, 4]);
    });
}

#[test]
fn the_tags_of_fifty_users_are_one_batch() {
    everywhere(|con| {
        for id in 0..50 {
            con.ok(Tags { id }.sadd_many([format!("tag {id}"), "tea".to_owned()]));
        }
        let found = con.batch(batch_iter((0..50).map(|id| Tags { id }.members()))).expect("it succeeds");
        for (id, members) in found.into_iter().enumerate() {
            assert_eq!(sorted(members), [format!("tag {id}"), "tea".to_owned()]);
        }
    });
}

#[test]
fn more_elements_than_declared_are_an_error_that_names_the_key() {
    on_every_connection(|con| {
        let (tags, votes, queue, recent) = (Tags { id: 1 }, Votes { id: 1 }, Queue { id: 1 }, Recent { id: 1 });
        let _: u64 = con.raw(&["SADD", "whole:tags:1:set", "a", "b", "c", "d", "e"]);
        let _: u64 = con.raw(&["HSET", "whole:votes:1:hash", "1", "1", "2", "2", "3", "3", "4", "4"]);
        let _: u64 = con.raw(&["RPUSH", "whole:queue:1:list", "1", "2", "3", "4"]);
        let _: u64 = con.raw(&["RPUSH", "whole:recent:1:list", "1", "2", "3", "4"]);
        for (error, key, option) in [
            (con.error(tags.members()), "whole:tags:1:set", "`max_len`: more than 3 "),
            (con.error(votes.entries()), "whole:votes:1:hash", "`max_len`: more than 3 "),
            (con.error(queue.items()), "whole:queue:1:list", "`max_len`: more than 3 "),
            (con.error(recent.items()), "whole:recent:1:list", "`keep_last`: more than 3 "),
        ] {
            assert_eq!((error.kind(), error.sent()), (ErrorKind::CollectionSize, SendStatus::Yes), "{error}");
            let text = error.to_string();
            assert!(text.contains(key) && text.contains(option), "{text}");
        }
        // Nothing is cut off, and the others of a batch are read.
        con.ok(Tags { id: 2 }.sadd("tea"));
        let [first, second] = con.batch_each([tags.members(), Tags { id: 2 }.members()]);
        assert_eq!((first.is_err(), second.ok()), (true, Some(vec!["tea".to_owned()])));
        for key in ["whole:tags:1:set", "whole:votes:1:hash", "whole:queue:1:list", "whole:recent:1:list"] {
            let _: bool = con.raw(&["EXPIRE", key, "60"]);
        }
    });
}

#[test]
fn a_read_of_the_whole_renews() {
    on_every_connection(|con| {
        let touched = TouchedSet { id: 1 };
        con.ok(touched.sadd("tea"));
        let _: bool = con.raw(&["EXPIRE", "whole:touched:1:set", "60"]);
        assert_eq!(con.ok(touched.members()), ["tea"]);
        con.assert_left("whole:touched:1:set", 3_600_000);
    });
}

#[test]
fn expire_in_shortens_the_expiry() {
    on_every_connection(|con| {
        let (tags, cached, hot) = (Tags { id: 1 }, CachedText { id: 1 }, Hot { id: 1 });
        let minute = Duration::from_secs(60);
        assert!(!con.ok(tags.expire_in(minute)));
        con.ok(tags.sadd("tea"));
        assert!(con.ok(tags.expire_in(minute)));
        con.assert_left("whole:tags:1:set", 60_000);
        con.ok(cached.set("Ada"));
        assert!(con.ok(cached.expire_in(minute)));
        con.assert_left("whole:cached:1:string", 60_000);
        con.ok(hot.set("All must go"));
        assert_eq!(con.ok(hot.expire_in(minute)), 3);
        con.assert_left("whole:hot:1:2:string", 60_000);
        for time in [Duration::ZERO, Duration::from_secs(3601), Duration::MAX] {
            assert_eq!(con.refused(tags.expire_in(time)).kind(), ErrorKind::Expiry);
            assert_eq!(con.refused(cached.expire_in(time)).kind(), ErrorKind::Expiry);
            assert_eq!(con.refused(hot.expire_in(time)).kind(), ErrorKind::Expiry);
        }
        con.assert_left("whole:tags:1:set", 60_000);
    });
}
