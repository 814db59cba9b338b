//! `take`, on every connection.

use std::time::Duration;

use redis_keys::command::TimeLeft;
use redis_keys::limit::Decision;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::{ErrorKind, SendStatus};
use redis_keys_tests::{Con, errors, everywhere, on_a_cluster, on_every_connection, wait_until};

const HOUR: u64 = 3_600_000_000;

macro_rules! keys {
    ($($name:ident $word:ident ($($option:tt)*);)*) => {$(
        #[derive(RedisKey)]
        #[redis_key(rate:$word:{id}:string, $($option)*)]
        struct $name {
            id: u32,
        }
    )*};
}

keys! {
    // Within a test, nothing of it is allowed again.
    Slow slow (limit(3 / 3h));
    Burst burst (limit(100 / 100h, burst = 5));
    Quick quick (limit(1 / 50ms));
    Sevenths sevenths (limit(7 / 1h));
}

/// The same key in a later version of a program, with a shorter time of a burst.
#[derive(RedisKey)]
#[redis_key(rate:slow:{id}:string, limit(3 / 1m), allow(overlap, reason = "a later version of the same key"))]
struct Shorter {
    id: u32,
}

const SLOW: Slow = Slow { id: 1 };

/// Takes from a limit, and returns whether it was allowed and how many remain.
fn take<K: LimitKey>(con: &mut Con, key: &K, n: u64) -> (bool, u64) {
    let Decision { allowed, remaining, retry_after, .. } = con.ok(key.take(n));
    assert_eq!(allowed, retry_after.is_none());
    (allowed, remaining)
}

fn text(key: &impl RedisKey) -> String {
    key.key().expect("the key is valid").to_string()
}

/// What a key holds.
fn content(con: &mut Con, key: &impl RedisKey) -> Option<String> {
    con.raw(&["GET", &text(key)])
}

/// The time that a key holds, in microseconds.
fn time_of(con: &mut Con, key: &impl RedisKey) -> u64 {
    content(con, key).and_then(|content| content.parse().ok()).expect("the key holds a time")
}

/// The server's time, in microseconds.
fn now(con: &mut Con) -> u64 {
    let (seconds, micros): (u64, u64) = con.raw(&["EVAL", "return redis.call('TIME')", "1", "x"]);
    seconds * 1_000_000 + micros
}

/// Asserts the remaining time of a key, of which neither end need be at the start of a millisecond.
#[track_caller]
fn assert_left(con: &mut Con, key: &impl RedisKey, ms: i64) {
    con.assert_left(&text(key), ms + 1);
}

fn write(con: &mut Con, key: &impl RedisKey, content: &str) {
    let _: String = con.raw(&["SET", &text(key), content, "EX", "100000"]);
}

#[test]
fn a_burst_is_allowed_and_no_more() {
    everywhere(|con| {
        for remaining in [2, 1, 0] {
            assert_eq!(take(con, &SLOW, 1), (true, remaining));
        }
        let before = content(con, &SLOW);
        for _ in 0..3 {
            let refused = con.ok(SLOW.take(1));
            assert_eq!((refused.allowed, refused.remaining), (false, 0));
            let wait = refused.retry_after.expect("it is refused");
            assert!((Duration::from_secs(3540)..=Duration::from_secs(3600)).contains(&wait), "{wait:?}");
            assert_eq!(refused.reset_after, wait + Duration::from_secs(7200));
        }
        assert_eq!(content(con, &SLOW), before, "what is refused changes nothing");
        assert_eq!(take(con, &Slow { id: 2 }, 1), (true, 2), "another key has a limit of its own");
    });
}

#[test]
fn several_are_taken_together_or_not_at_all() {
    let burst = Burst { id: 1 };
    everywhere(|con| {
        assert_eq!(take(con, &burst, 2), (true, 3));
        assert_eq!(take(con, &burst, 4), (false, 3));
        assert_eq!(take(con, &burst, 3), (true, 0));
        assert_eq!(take(con, &burst, 5), (false, 0));
        let refused = con.ok(burst.take(5));
        assert_eq!(refused.retry_after, Some(refused.reset_after), "five are allowed when all are");
    });
}

#[test]
fn looking_takes_nothing() {
    everywhere(|con| {
        let whole = con.ok(SLOW.take(0));
        assert_eq!((whole.allowed, whole.remaining, whole.reset_after), (true, 3, Duration::ZERO));
        assert_eq!(content(con, &SLOW), None, "it writes nothing");
        take(con, &SLOW, 2);
        let before = content(con, &SLOW);
        assert_eq!(take(con, &SLOW, 0), (true, 1));
        assert_eq!(take(con, &SLOW, 0), (true, 1));
        assert_eq!(content(con, &SLOW), before);
        take(con, &SLOW, 1);
        assert_eq!(take(con, &SLOW, 0), (true, 0));
    });
}

#[test]
fn more_than_a_burst_is_refused_before_it_is_sent() {
    everywhere(|con| {
        for error in [con.refused(SLOW.take(4)), con.refused(SLOW.take(u64::MAX))] {
            assert_eq!((error.kind(), error.key()), (ErrorKind::Argument, Some(&*text(&SLOW))));
        }
    });
}

#[test]
fn unlink_resets_a_limit() {
    everywhere(|con| {
        take(con, &SLOW, 3);
        assert!(con.ok(SLOW.exists()));
        assert!(con.ok(SLOW.unlink()));
        assert_eq!(take(con, &SLOW, 3), (true, 0));
    });
}

#[test]
fn what_was_taken_is_allowed_again_after_its_time() {
    let quick = Quick { id: 1 };
    on_every_connection(|con| {
        assert!(con.ok(quick.take(1)).allowed);
        wait_until("one more is allowed", || con.ok(quick.take(1)).allowed);
        wait_until("the key expires", || con.ok(quick.ttl()) == TimeLeft::Missing);
    });
    // An hour of a burst of three has passed, so one is allowed again.
    everywhere(|con| {
        let time = now(con) + 2 * HOUR;
        write(con, &SLOW, &time.to_string());
        assert_eq!(take(con, &SLOW, 2), (false, 1));
        assert_eq!(take(con, &SLOW, 1), (true, 0));
        assert_eq!(time_of(con, &SLOW), time + HOUR);
    });
}

#[test]
fn a_key_holds_the_time_of_a_whole_burst_and_expires_then() {
    everywhere(|con| {
        for (number, key) in [1, 2, 3].map(|number| (number, Slow { id: number })) {
            take(con, &key, number.into());
            let (left, now, time) = (con.pttl(&text(&key)), now(con), time_of(con, &key));
            assert!(time <= now + u64::from(number) * HOUR);
            assert!(time > now + u64::from(number) * HOUR - HOUR / 60);
            // The time is asked for after PTTL, which rounds.
            let left = u64::try_from(left).expect("it expires") * 1000;
            assert!(now + left >= time && now + left < time + HOUR / 60, "{left} µs after {now} is not {time}");
        }
    });
}

#[test]
fn times_are_whole_microseconds() {
    let sevenths = Sevenths { id: 1 };
    everywhere(|con| {
        let mut first = 0;
        for number in 1..=7_u64 {
            assert_eq!(take(con, &sevenths, 1), (true, 7 - number));
            let time = time_of(con, &sevenths);
            if number == 1 {
                first = time;
            }
            assert_eq!(time, first + (number - 1) * (HOUR / 7 + 1));
        }
        assert_eq!(take(con, &sevenths, 1), (false, 0));
    });
}

#[test]
fn a_clock_that_is_set_back_makes_nobody_wait_longer_than_a_burst() {
    let days = [HOUR * 24, HOUR * 24 * 3650, 9_007_199_254_740_992, u64::MAX];
    everywhere(|con| {
        for (ahead, n) in days.into_iter().flat_map(|days| [(days, 1), (days, 0)]) {
            let time = now(con).saturating_add(ahead);
            write(con, &SLOW, &time.to_string());
            let first = con.ok(SLOW.take(n));
            assert_eq!((first.allowed, first.remaining, first.reset_after.as_secs()), (n == 0, 0, 3 * 3600), "{ahead}");
            // The time that is stored has become earlier, or each call would find it as far ahead as before.
            assert!(time_of(con, &SLOW) <= now(con) + 3 * HOUR);
            assert_left(con, &SLOW, 3 * 3_600_000);
            assert!(con.ok(SLOW.take(1)).reset_after < first.reset_after);
        }
        write(con, &SLOW, &"9".repeat(400));
        assert_eq!(take(con, &SLOW, 1), (false, 0));
        assert!(time_of(con, &SLOW) <= now(con) + 3 * HOUR);
    });
}

#[test]
fn a_shorter_limit_applies_at_once() {
    everywhere(|con| {
        take(con, &SLOW, 3);
        let refused = con.ok(Shorter { id: 1 }.take(1));
        assert_eq!((refused.retry_after, refused.remaining), (Some(Duration::from_secs(20)), 0));
        assert_left(con, &SLOW, 60_000);
        assert!(con.ok(Shorter { id: 1 }.take(1)).retry_after < refused.retry_after);
    });
}

#[test]
fn a_time_that_has_passed_allows_a_whole_burst() {
    everywhere(|con| {
        for content in ["0", "1", "1767225600000000", "000000"] {
            write(con, &SLOW, content);
            assert_eq!(take(con, &SLOW, 1), (true, 2), "{content}");
            assert_left(con, &SLOW, 3_600_000);
        }
    });
}

#[test]
fn a_value_that_is_no_time_is_an_error_until_the_time_of_a_burst_is_over() {
    everywhere(|con| {
        for content in ["", "hidden", "-1", "1.5e3", "12 hidden", "+1", "1767225600333333+1/3", "\0", "nan", "inf"] {
            let _: String = con.raw(&["SET", &text(&SLOW), content]);
            let errors = errors!(con, run: [SLOW.take(1), SLOW.take(0)]);
            errors.assert_kind(ErrorKind::Decode).assert_sent(&[SendStatus::Yes]).assert_key(&text(&SLOW));
            errors.assert_message(&format!("not a time in microseconds ({} bytes)", content.len()));
            assert_eq!(self::content(con, &SLOW).as_deref(), Some(content), "it is not overwritten");
            assert_left(con, &SLOW, 3 * 3_600_000);
            let _: bool = con.raw(&["PEXPIRE", &text(&SLOW), "60000"]);
            con.error(SLOW.take(1));
            assert_left(con, &SLOW, 60_000);
            let _: bool = con.raw(&["EXPIRE", &text(&SLOW), "100000"]);
            con.error(SLOW.take(1));
            assert_left(con, &SLOW, 3 * 3_600_000);
        }
        con.ok(SLOW.unlink());
        assert_eq!(take(con, &SLOW, 1), (true, 2));
    });
}

#[test]
fn a_key_of_another_type_is_an_error() {
    everywhere(|con| {
        let _: u64 = con.raw(&["LPUSH", &text(&SLOW), "hidden"]);
        let _: bool = con.raw(&["EXPIRE", &text(&SLOW), "60"]);
        let errors = errors!(con, run: [SLOW.take(1), SLOW.take(0)]);
        errors.assert_kind(ErrorKind::WrongType).assert_sent(&[SendStatus::Yes]).assert_key(&text(&SLOW));
        errors.assert_message("holds a list, but a string is declared");
        assert_left(con, &SLOW, 60_000);
    });
}

#[test]
fn a_full_server_allows_nothing_and_forgets_nothing() {
    on_every_connection(|con| {
        take(con, &SLOW, 1);
        let before = content(con, &SLOW);
        let error = con.without_memory(|con| con.error(SLOW.take(1)));
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Server, SendStatus::Yes));
        assert!(error.to_string().contains("OOM: the memory limit is reached"), "{error}");
        assert_eq!(content(con, &SLOW), before);
        // What is refused, and a look, need no memory.
        take(con, &SLOW, 2);
        let refused = con.without_memory(|con| con.ok(SLOW.take(1)));
        assert_eq!((refused.allowed, refused.remaining), (false, 0));
    });
}

#[test]
fn a_user_who_may_not_write_gets_an_error_and_changes_nothing() {
    let server = Server::start().expect("a server starts");
    let mut admin = Con::blocking(&server.url());
    for denied in ["-set", "-get", "-time", "~other:*"] {
        let keys = if denied.starts_with('~') { denied } else { "~*" };
        let rules = ["ACL", "SETUSER", "ada", "reset", "on", ">pw", keys, "+@all"];
        let rules: Vec<_> = rules.into_iter().chain(denied.starts_with('-').then_some(denied)).collect();
        let _: String = admin.raw(&rules);
        let mut user = Con::blocking(&format!("redis://ada:pw@127.0.0.1:{}/", server.port()));
        let error = user.error(SLOW.take(1));
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Server, SendStatus::Yes), "{denied}: {error}");
        assert!(error.to_string().contains("NOPERM: the user lacks a permission"), "{denied}: {error}");
        assert_eq!(content(&mut admin, &SLOW), None, "{denied}");
    }
}

#[test]
fn each_limit_of_a_batch_decides_for_itself() {
    let burst = Burst { id: 1 };
    everywhere(|con| {
        take(con, &SLOW, 2);
        let (slow, of_burst) = con.batch((SLOW.take(2), burst.take(2))).expect("they succeed");
        assert_eq!((slow.allowed, slow.remaining), (false, 1));
        assert_eq!((of_burst.allowed, of_burst.remaining), (true, 3));
        let ten: Vec<_> = (10..20).map(|id| Slow { id }.take(1)).collect();
        assert!(con.batch(ten).expect("they succeed").iter().all(|decision| decision.allowed));
        // On one key one after the other.
        let five = con.batch([(); 5].map(|()| Slow { id: 3 }.take(1))).expect("they succeed");
        assert_eq!(five.map(|decision| decision.allowed), [true, true, true, false, false]);
    });
}

#[test]
fn keys_of_a_cluster_lie_on_all_nodes() {
    on_a_cluster(|con| {
        let takes: Vec<_> = (0..60).map(|id| Slow { id }.take(3)).collect();
        let more: Vec<_> = (0..60).map(|id| Slow { id }.take(1)).collect();
        assert!(con.batch(takes).expect("they succeed").iter().all(|decision| decision.allowed));
        assert!(con.batch(more).expect("they succeed").iter().all(|decision| !decision.allowed));
    });
}

#[test]
fn a_server_that_forgets_scripts_still_counts_each_call_once() {
    on_every_connection(|con| {
        for remaining in [2, 1, 0] {
            con.forget_scripts();
            assert_eq!(take(con, &SLOW, 1), (true, remaining));
        }
    });
}
