//! The arithmetic of the script, beside exact fractions. The script gets its time from the test, which also sets it back.

use fastrand::Rng;
use redis_keys::{Command, limit::Decision, prelude::*, testing::Server};
use redis_keys_tests::{Con, seed};

const SCRIPT: &str = include_str!("../../../../redis-keys/src/lua/limit.lua");

/// In the year 2096, so that no key expires, and the fractions must make up for it.
const START: i128 = 4_000_000_000_000_000;

macro_rules! limits {
    ($($name:ident $word:ident $count:literal $per_ms:literal $burst:literal ($($option:tt)*);)*) => {
        $(
            #[derive(RedisKey)]
            #[redis_key(exact:$word:string, $($option)*)]
            struct $name;
        )*

        const LIMITS: &[Limit] = &[$(Limit {
            name: stringify!($name),
            take: |n| $name.take(n),
            count: $count,
            period: $per_ms * 1000,
            burst: $burst,
        }),*];
    };
}

struct Limit {
    name: &'static str,
    take: fn(u64) -> Command<Decision>,
    count: i128,
    /// In microseconds.
    period: i128,
    burst: u64,
}

limits! {
    Usual usual 100 60_000 20 (limit = 100 / 1m, burst = 20);
    Thirds thirds 3 1_000 3 (limit = 3 / 1s);
    Sevenths sevenths 7 3_600_000 2 (limit = 7 / 1h, burst = 2);
    Prime prime 999_999_937 1_009 999_999_937 (limit = 999_999_937 / 1009ms);
    Fastest fastest 1_000_000_000 1 1_000_000_000 (limit = 1_000_000_000 / 1ms);
    FastestOne single 1_000_000_000 1 1 (limit = 1_000_000_000 / 1ms, burst = 1);
    Slowest slowest 1 315_360_000_000 1 (limit = 1 / 3650d);
    SlowestOfMany many 999_999_999 315_360_000_000 999_999_999 (limit = 999_999_999 / 3650d);
    Odd odd 1_000_003 86_400_001 1_000 (limit = 1_000_003 / 86400001ms, burst = 1_000);
}

/// A limit that is computed in fractions of a microsecond, by `count`.
struct Model<'l> {
    limit: &'l Limit,
    /// When a whole burst is allowed again.
    full: i128,
}

impl Model<'_> {
    /// Takes `n`, and returns what the script replies, with the rest of a microsecond as a fraction by `count`.
    fn take(&mut self, now: i128, n: u64) -> (i128, i128, i128) {
        let Limit { count, period, burst, .. } = *self.limit;
        let last = now * count + i128::from(burst) * period;
        self.full = self.full.min(last);
        let before = self.full.max(now * count);
        let after = before + i128::from(n) * period;
        // Rounded up.
        let wait = -(last - after).div_euclid(count);
        let is_taken = after <= last && n > 0;
        if is_taken {
            self.full = after;
        }
        let ahead = if is_taken { after } else { before } - now * count;
        (wait, ahead.div_euclid(count), ahead.rem_euclid(count))
    }
}

/// Runs the script at a time.
fn take(con: &mut Con, limit: &Limit, now: i128, n: u64) -> (i128, i128, i128) {
    let script = SCRIPT.replace("redis.call('TIME')", "{ KEYS[2], KEYS[3] }");
    assert_ne!(script, SCRIPT);
    let line = redis_keys::testing::text((limit.take)(n)).expect("it is no more than a burst").concat();
    let words: Vec<_> = line.split(' ').collect();
    let [_, _, _, key, arguments @ ..] = words.as_slice() else { panic!("{line}") };
    let (seconds, micros) = ((now / 1_000_000).to_string(), (now % 1_000_000).to_string());
    let call = ["EVAL", &script, "3", key, &seconds, &micros];
    let (wait, ahead, part): (i128, i128, i128) =
        con.raw(&call.into_iter().chain(arguments.iter().copied()).collect::<Vec<_>>());
    let parts: i128 = arguments.get(2).map_or(1, |parts| parts.parse().expect("it is a number"));
    (wait, ahead, part * (limit.count / parts))
}

/// A time that is later than the last one by up to a few bursts, rarely earlier.
fn next_time(rng: &mut Rng, limit: &Limit, now: i128) -> i128 {
    let one = limit.period / limit.count;
    let burst = limit.period * i128::from(limit.burst) / limit.count;
    let up_to = |rng: &mut Rng, most: i128| rng.i128(0..=most);
    match rng.u8(..20) {
        0..5 => now,
        5..8 => now + up_to(rng, 3),
        8..14 => now + up_to(rng, one * 2),
        14..18 => now + up_to(rng, burst),
        18 => now + up_to(rng, burst * 3),
        _ => (now - up_to(rng, burst * 2)).max(START),
    }
}

#[test]
fn the_script_computes_as_fractions_do() {
    let server = Server::start().expect("a server starts");
    let (mut con, mut rng) = (Con::blocking(&server.url()), Rng::with_seed(seed()));
    for limit in LIMITS {
        let (mut model, mut now) = (Model { limit, full: 0 }, START);
        let (mut allowed, mut refused) = (0, 0);
        for step in 0..3_000 {
            now = next_time(&mut rng, limit, now);
            if now > 2 * START {
                // Beyond the year 2255, microseconds need more bits than a number of Lua has.
                con.raw::<()>(&["FLUSHALL"]);
                (model.full, now) = (0, START);
            }
            let n = match rng.u8(..6) {
                0 => 0,
                1..4 => 1,
                4 => limit.burst,
                _ => rng.u64(0..=limit.burst),
            };
            let found = take(&mut con, limit, now, n);
            assert_eq!(found, model.take(now, n), "{}, step {step}: {n} at {now}", limit.name);
            if found.0 > 0 { refused += 1 } else { allowed += 1 }
        }
        println!("{}: {allowed} allowed, {refused} refused", limit.name);
        assert!(allowed > 300 && (refused > 300 || limit.name.starts_with("Fastest")), "{}", limit.name);
    }
    con.assert_all_expire();
}

/// Nobody gets more than a burst and what has become allowed since, over many calls, and nobody gets less.
#[test]
fn over_a_long_time_exactly_the_declared_number_is_allowed() {
    let server = Server::start().expect("a server starts");
    let mut con = Con::blocking(&server.url());
    for limit in LIMITS.iter().filter(|limit| ["Thirds", "Sevenths", "Usual"].contains(&limit.name)) {
        let one = limit.period / limit.count;
        let mut allowed = 0;
        let end = START + limit.period * 100;
        let mut now = START;
        while now <= end {
            allowed += i128::from(take(&mut con, limit, now, 1).0 <= 0);
            now += one / 3 + 1;
        }
        // The last call is at most a third of one before the end.
        let expected = i128::from(limit.burst) + limit.count * 100;
        assert!((expected - 1..=expected).contains(&allowed), "{}: {allowed}, not {expected}", limit.name);
    }
}
