//! Commands that wait, and their results.

use std::time::Duration;

use redis::Value;

use crate::command::Blocking;
use crate::command::blocking::{Next, WaitStrategy};
use crate::testing::text;
use crate::tests::mock::{bulk, run};
use crate::types::list::ListEnd;
use crate::{BlockingConnection, ErrorKind, ListKey as _, Rule, SendStatus, ZSetKey as _, lua};

macro_rules! keys {
    ($($name:ident $word:ident $kind:ident ($($option:tt)*);)*) => {$(
        #[derive(redis_keys_macros::RedisKey)]
        #[redis_key(mail:$word:{name}:$kind, value = u64, $($option)*, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
        struct $name {
            name: &'static str,
        }
    )*};
}

keys! {
    Jobs jobs list (ttl = 1h);
    Taken taken list (ttl = 2h, max_len = 5);
    Ranks ranks zset (ttl = 1h);
}

const JOBS: Jobs = Jobs { name: "a" };
const TAKEN: Taken = Taken { name: "a" };
const RANKS: Ranks = Ranks { name: "a" };
const MINUTE: Duration = Duration::from_secs(60);

fn strategy<T>(blocking: Blocking<T>) -> WaitStrategy<T> {
    blocking.strategy.unwrap()
}

fn taking<T>(blocking: Blocking<T>) -> Vec<String> {
    let wait = blocking.wait;
    text(strategy(blocking).take(wait)).unwrap()
}

#[test]
fn the_wait_is_in_seconds() {
    assert_eq!(taking(JOBS.blpop(MINUTE)), ["BLPOP mail:jobs:a:list 60.000"]);
    assert_eq!(taking(JOBS.brpop(Duration::from_millis(1500))), ["BRPOP mail:jobs:a:list 1.500"]);
    assert_eq!(taking(RANKS.bzpopmin(Duration::from_micros(10_001))), ["BZPOPMIN mail:ranks:a:zset 0.011"]);
    assert_eq!(taking(RANKS.bzpopmax(60 * MINUTE)), ["BZPOPMAX mail:ranks:a:zset 3600.000"]);
    // 0 would be forever.
    assert_eq!(taking(JOBS.blpop(Duration::from_nanos(1))), ["BLPOP mail:jobs:a:list 0.002"]);
    let packed = redis::cmd("BLPOP").arg("mail:jobs:a:list").arg("60.000").get_packed_command();
    assert_eq!(JOBS.blpop(MINUTE).packed().unwrap(), packed);
}

#[test]
fn a_move_waits_without_taking() {
    let blmove = || strategy(JOBS.blmove(&TAKEN, ListEnd::Right, ListEnd::Left, MINUTE));
    let lmove = text(JOBS.lmove(&TAKEN, ListEnd::Right, ListEnd::Left)).unwrap();
    assert!(lmove[0].starts_with(&format!("EVALSHA {} 2 ", lua::MOVE.file)));
    assert_eq!(text(blmove().take(MINUTE)).unwrap(), lmove);
    let watch = |left| match blmove().next(left) {
        Some(Next::Watch(watch)) => watch,
        _ => panic!("it waits without taking"),
    };
    assert_eq!(text(watch(MINUTE)).unwrap(), ["BLMOVE mail:jobs:a:list mail:jobs:a:list LEFT LEFT 60.000"]);
    assert!(blmove().next(Duration::ZERO).is_none(), "the wait is over");
    assert!(strategy(JOBS.blpop(MINUTE)).next(MINUTE).is_none(), "the server has waited");
    assert!(run(|| watch(MINUTE), [bulk("7")]).0.unwrap());
    assert!(!run(|| watch(MINUTE), [Ok(Value::Nil)]).0.unwrap());
}

#[test]
fn what_is_taken() {
    let array = |words: Vec<Value>| Ok(Value::Array(words));
    let word = |text: &str| Value::BulkString(text.into());
    let pop = |reply| run(|| strategy(JOBS.blpop(MINUTE)).take(MINUTE), [reply]).0;
    assert_eq!(pop(array(vec![word("mail:jobs:a:list"), word("7")])).unwrap(), Some(7));
    assert_eq!(pop(Ok(Value::Nil)).unwrap(), None);
    assert_eq!(pop(array(vec![word("mail:jobs:a:list"), word("secret")])).unwrap_err().kind(), ErrorKind::Decode);
    assert_eq!(pop(array(vec![word("7")])).unwrap_err().kind(), ErrorKind::UnexpectedReply);
    let ranked = |score| {
        let reply = array(vec![word("mail:ranks:a:zset"), word("7"), score]);
        run(|| strategy(RANKS.bzpopmin(MINUTE)).take(MINUTE), [reply]).0.unwrap()
    };
    assert_eq!((ranked(word("1.5")), ranked(Value::Double(1.5))), (Some((7, 1.5)), Some((7, 1.5))));
    assert_eq!(run(|| strategy(RANKS.bzpopmin(MINUTE)).take(MINUTE), [Ok(Value::Nil)]).0.unwrap(), None);
}

#[test]
fn a_wait_has_an_end() {
    fn refused<T>(blocking: Blocking<T>) -> crate::Error {
        blocking.packed().unwrap_err()
    }
    for wait in [Duration::ZERO, Duration::from_secs(3601)] {
        for error in [
            refused(JOBS.blpop(wait)),
            refused(JOBS.brpop(wait)),
            refused(JOBS.blmove(&TAKEN, ListEnd::Left, ListEnd::Left, wait)),
        ] {
            assert_eq!((error.kind(), error.sent()), (ErrorKind::Argument, SendStatus::No));
            let message = "command on `Jobs` (mail:jobs:a:list) has an invalid argument: the wait must be longer than zero \
                 and at most one hour";
            assert_eq!(error.to_string(), message);
        }
        assert_eq!(refused(RANKS.bzpopmax(wait)).kind(), ErrorKind::Argument);
    }
    assert_eq!(refused(Jobs { name: "A" }.blpop(Duration::ZERO)).rule(), Some(Rule::LowerCase));
    assert_eq!(
        refused(JOBS.blmove(&Taken { name: "A" }, ListEnd::Left, ListEnd::Left, MINUTE)).rule(),
        Some(Rule::LowerCase)
    );
}

#[test]
fn debug_shows_no_secret() {
    let text = format!("{:?}", JOBS.blpop(MINUTE));
    assert!(text.contains("mail:jobs:a:list") && text.contains("60s"), "{text}");
    let con = BlockingConnection::new(redis::Client::open("redis://:secret@127.0.0.1/").unwrap());
    assert!(!format!("{con:?}").contains("secret"));
}

#[test]
fn futures_are_send() {
    fn sendable<T: Send>(_: T) {}
    let mut con = BlockingConnection::new(redis::Client::open("redis://127.0.0.1/").unwrap());
    sendable(JOBS.blpop(MINUTE).query_async(&mut con));
    sendable(JOBS.blmove(&TAKEN, ListEnd::Left, ListEnd::Left, MINUTE).query_async(&mut con));
    sendable(RANKS.bzpopmin(MINUTE).query_async(&mut con));
}
