//! The arithmetic of the script, compared with that of the layer without a server. The script gets its time from the
//! test, which also sets it back.

use fastrand::Rng;
use redis_keys::Command;
use redis_keys::limit::Decision;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_core::limits::RateState;
use redis_keys_tests::{Con, seed};

const SCRIPT: &str = include_str!("../../../../redis-keys-core/src/lua/limit.lua");

/// In the year 2096, so that no key expires.
const START: u64 = 4_000_000_000_000_000;

macro_rules! limits {
    ($($name:ident $word:ident $step:literal $burst:literal ($($option:tt)*);)*) => {
        $(
            #[derive(RedisKey)]
            #[redis_key(exact:$word:string, $($option)*)]
            struct $name;
        )*

        const LIMITS: &[Limit] = &[$(Limit {
            name: stringify!($name),
            take: |n| $name.take(n),
            step: $step,
            burst: $burst,
        }),*];
    };
}

struct Limit {
    name: &'static str,
    take: fn(u64) -> Command<Decision>,
    /// In microseconds, rounded up.
    step: u64,
    burst: u64,
}

limits! {
    Usual usual 600_000 20 (limit(100 / 1m, burst = 20));
    Thirds thirds 333_334 3 (limit(3 / 1s));
    Sevenths sevenths 514_285_715 2 (limit(7 / 1h, burst = 2));
    Prime prime 101 9_999_991 (limit(9_999_991 / 1009s));
    Fastest fastest 1 1_000_000 (limit(1_000_000 / 1s));
    FastestOne single 1 1 (limit(1_000_000 / 1s, burst = 1));
    Slowest slowest 315_360_000_000_000 1 (limit(1 / 3650d));
    SlowestOfMany many 315_361 999_999_999 (limit(999_999_999 / 3650d));
    Odd odd 86_400 1_000 (limit(1_000_003 / 86400001ms, burst = 1_000));
}

/// Runs the script at a time. Returns the time until as many are allowed, and until a whole burst is.
fn take(con: &mut Con, limit: &Limit, now: u64, n: u64) -> (u64, u64) {
    let script = SCRIPT.replace("redis.call('TIME')", "{ KEYS[2], KEYS[3] }");
    assert_ne!(script, SCRIPT);
    let line = redis_keys::testing::text((limit.take)(n)).expect("it is no more than a burst").concat();
    let words: Vec<_> = line.split(' ').collect();
    let [_, _, _, key, cost, burst] = words.as_slice() else { panic!("{line}") };
    let (seconds, micros) = ((now / 1_000_000).to_string(), (now % 1_000_000).to_string());
    let (wait, until_full): (i64, u64) = con.raw(&["EVAL", &script, "3", key, &seconds, &micros, cost, burst]);
    (u64::try_from(wait).unwrap_or_default(), until_full)
}

/// A time that is later than the last one by up to a few bursts, rarely earlier.
fn next_time(rng: &mut Rng, limit: &Limit, now: u64) -> u64 {
    let burst = limit.step * limit.burst;
    let up_to = |rng: &mut Rng, most: u64| rng.u64(0..=most);
    match rng.u8(..20) {
        0..5 => now,
        5..8 => now + up_to(rng, 3),
        8..14 => now + up_to(rng, limit.step * 2),
        14..18 => now + up_to(rng, burst),
        18 => now + up_to(rng, burst * 3),
        _ => now.saturating_sub(up_to(rng, burst * 2)).max(START),
    }
}

/// No later version may change the text: programs of two versions share limits during an update.
#[test]
fn limits_are_stored_and_read_as_before() {
    const KEY: &str = "exact:usual:string";
    let server = Server::start().expect("a server starts");
    let mut con = Con::blocking(&server.url());
    let [usual, ..] = LIMITS else { panic!("there are limits") };
    assert_eq!(take(&mut con, usual, START, 1), (0, 600_000));
    assert_eq!(con.raw::<String>(&["GET", KEY]), "4000000000600000");
    con.raw::<()>(&["SET", KEY, "4000000001200000"]);
    assert_eq!(take(&mut con, usual, START, 0), (0, 1_200_000));
    assert_eq!(take(&mut con, usual, START, 19), (600_000, 1_200_000));
}

#[test]
fn the_script_computes_as_the_layer_does() {
    let server = Server::start().expect("a server starts");
    let (mut con, mut rng) = (Con::blocking(&server.url()), Rng::with_seed(seed()));
    for limit in LIMITS {
        let (mut state, mut now) = (RateState::default(), START);
        let (mut allowed, mut refused) = (0, 0);
        for step in 0..3_000 {
            now = next_time(&mut rng, limit, now);
            if now > 2 * START {
                // Beyond the year 2255, microseconds need more bits than a number of Lua has.
                con.raw::<()>(&["FLUSHALL"]);
                (state, now) = (RateState::default(), START);
            }
            let n = match rng.u8(..6) {
                0 => 0,
                1..4 => 1,
                4 => limit.burst,
                _ => rng.u64(0..=limit.burst),
            };
            let found = take(&mut con, limit, now, n);
            assert_eq!(
                found,
                state.take(now, n * limit.step, limit.burst * limit.step),
                "{}, step {step}: {n} at {now}",
                limit.name
            );
            if found.0 > 0 { refused += 1 } else { allowed += 1 }
        }
        println!("{}: {allowed} allowed, {refused} refused", limit.name);
        assert!(allowed > 300 && (refused > 300 || limit.name.starts_with("Fastest")), "{}", limit.name);
    }
    con.assert_all_expire();
}

/// A burst, and what has become allowed since: never more than declared, and less by the rounding of the step only.
#[test]
fn over_a_long_time_the_declared_number_is_allowed() {
    let server = Server::start().expect("a server starts");
    let mut con = Con::blocking(&server.url());
    for limit in LIMITS.iter().filter(|limit| ["Thirds", "Sevenths", "Usual"].contains(&limit.name)) {
        let mut allowed = 0;
        let end = START + limit.step * 500;
        let mut now = START;
        while now <= end {
            allowed += u64::from(take(&mut con, limit, now, 1).0 == 0);
            now += limit.step / 3 + 1;
        }
        // The last call is at most a third of one before the end.
        let expected = limit.burst + 500;
        assert!((expected - 1..=expected).contains(&allowed), "{}: {allowed}, not {expected}", limit.name);
    }
}
