//! The command of `take`, its reply, and the numbers of limits.

use std::time::Duration;

use proptest::prelude::*;
use redis::Value;

use super::Decision;
use super::decision::Rate;
use crate::limit::LimitKey as _;
use crate::schema::{LimitOptions, Role, Schema};
use crate::testing::text;
use crate::{ErrorKind, RedisKey, SendStatus};

macro_rules! limits {
    ($($name:ident $word:ident ($($option:tt)*);)*) => {$(
        #[derive(redis_keys_macros::RedisKey)]
        #[redis_key(rate:$word:{id}:string, $($option)*, crate = crate)]
        struct $name {
            id: u32,
        }
    )*};
}

limits! {
    Calls calls (limit(100 / 1m, burst = 20));
    Plain plain (limit(100 / 1m));
    Thirds thirds (limit(3 / 1s, burst = 2));
    Fastest fastest (limit(1_000_000 / 1s));
    Slowest slowest (limit(1 / 3650d), allow(unusual_ttl, reason = "the slowest"));
    Odd odd (limit(999_999_999 / 3600d), allow(unusual_ttl, reason = "one of the slowest"));
}

#[test]
fn a_call_sends_the_time_that_it_takes_and_that_of_a_burst() {
    let sent = |command| text(command).unwrap().join("; ");
    assert_eq!(sent(Calls { id: 1 }.take(1)), "EVALSHA limit.lua 1 rate:calls:1:string 600000 12000000");
    assert_eq!(sent(Calls { id: 1 }.take(0)), "EVALSHA limit.lua 1 rate:calls:1:string 0 12000000");
    assert_eq!(sent(Calls { id: 1 }.take(20)), "EVALSHA limit.lua 1 rate:calls:1:string 12000000 12000000");
    assert_eq!(sent(Plain { id: 1 }.take(1)), "EVALSHA limit.lua 1 rate:plain:1:string 600000 60000000");
    assert_eq!(sent(Thirds { id: 1 }.take(1)), "EVALSHA limit.lua 1 rate:thirds:1:string 333334 666668");
    assert_eq!(sent(Fastest { id: 1 }.take(1)), "EVALSHA limit.lua 1 rate:fastest:1:string 1 1000000");
    let ten_years = "315360000000000 315360000000000";
    assert_eq!(sent(Slowest { id: 1 }.take(1)), format!("EVALSHA limit.lua 1 rate:slowest:1:string {ten_years}"));
}

#[test]
fn more_than_a_burst_is_refused_before_it_is_sent() {
    for command in [Calls { id: 1 }.take(21), Plain { id: 1 }.take(101), Plain { id: 1 }.take(u64::MAX)] {
        let error = command.packed().unwrap_err();
        assert_eq!((error.kind(), error.sent(), error.rule()), (ErrorKind::Argument, SendStatus::No, None));
    }
    assert_eq!(
        Calls { id: 1 }.take(21).packed().unwrap_err().to_string(),
        "command on `Calls` (rate:calls:1:string) has an invalid argument: more than `burst` is never allowed at once"
    );
}

#[cfg(feature = "aio")]
mod replies {
    use super::*;
    use crate::tests::mock::run;

    #[allow(clippy::unnecessary_wraps, reason = "it is used beside other replies")]
    fn reply(numbers: &[i64]) -> redis::RedisResult<Value> {
        Ok(Value::Array(numbers.iter().copied().map(Value::Int).collect()))
    }

    fn decision(allowed: bool, remaining: u64, retry_after: Option<u64>, reset_after: u64) -> Decision {
        let retry_after = retry_after.map(Duration::from_micros);
        Decision { allowed, remaining, retry_after, reset_after: Duration::from_micros(reset_after) }
    }

    #[test]
    fn a_reply_is_read_as_a_decision() {
        for (numbers, expected) in [
            ([-12_000_000, 0], decision(true, 20, None, 0)),
            ([-11_400_000, 600_000], decision(true, 19, None, 600_000)),
            ([0, 12_000_000], decision(true, 0, None, 12_000_000)),
            ([1, 11_400_001], decision(false, 0, Some(1), 11_400_001)),
            ([600_000, 12_000_000], decision(false, 0, Some(600_000), 12_000_000)),
        ] {
            assert_eq!(run(|| Calls { id: 1 }.take(1), [reply(&numbers)]).0.unwrap(), expected, "{numbers:?}");
        }
        for (numbers, expected) in [
            ([-333_334, 333_334], decision(true, 1, None, 333_334)),
            ([0, 666_668], decision(true, 0, None, 666_668)),
            ([1, 333_335], decision(false, 0, Some(1), 333_335)),
        ] {
            assert_eq!(run(|| Thirds { id: 1 }.take(1), [reply(&numbers)]).0.unwrap(), expected, "{numbers:?}");
        }
    }

    #[test]
    fn a_value_that_is_no_time_is_named() {
        let error = run(|| Calls { id: 1 }.take(1), [Ok(Value::Int(3))]).0.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Decode);
        assert_eq!(
            error.to_string(),
            "value of `Calls` (rate:calls:1:string) cannot be decoded as `limit`: not a time in microseconds (3 bytes) [stored-form]"
        );
    }

    #[test]
    fn other_replies_are_unexpected() {
        let replies = [
            Ok(Value::Okay),
            Ok(Value::Nil),
            reply(&[]),
            reply(&[1]),
            reply(&[1, 2, 3]),
            reply(&[1, -2]),
            Ok(Value::Array(vec![Value::Okay; 2])),
        ];
        for reply in replies {
            let error = run(|| Calls { id: 1 }.take(1), [reply.clone()]).0.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UnexpectedReply, "{reply:?}");
        }
        for numbers in [[i64::MIN, i64::MAX], [i64::MAX, i64::MAX], [i64::MAX, 0]] {
            _ = run(|| Odd { id: 1 }.take(1), [reply(&numbers)]).0.unwrap();
        }
    }
}

/// The schema of a limit.
fn schema(count: u64, per_ms: u64, burst: u64) -> Schema {
    let options = LimitOptions::new(count, Duration::from_millis(per_ms), burst);
    let mut schema = *Calls::SCHEMA;
    schema.role = Some(Role::Limit(options));
    schema
}

const TEN_YEARS_MS: u64 = 3650 * 86_400_000;

proptest! {
    /// The step is rounded up to whole microseconds, and not by a whole one.
    #[test]
    fn steps_are_rounded_up(count in 1..=1_000_000_000_u64, per_ms in 1..=TEN_YEARS_MS, share in 0.0..=1.0) {
        let (per, most) = (per_ms * 1000, u128::from(TEN_YEARS_MS) * u128::from(count) / u128::from(per_ms));
        let burst = u64::try_from(most).unwrap_or(u64::MAX).clamp(1, 1_000_000_000);
        let rate = Rate::of(&schema(count, per_ms, burst));
        let step = rate.time_of(1);
        prop_assert!(step * count >= per && (step - 1) * count < per);
        #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "any number will do")]
        let taken = ((burst as f64 * share) as u64).min(burst);
        let time = rate.time_of(taken);
        prop_assert_eq!(time, step * taken);
        prop_assert_eq!(rate.remaining(time), burst - taken);
        if taken > 0 {
            prop_assert_eq!(rate.remaining(time - 1), burst - taken + u64::from(step == 1));
            prop_assert_eq!(rate.remaining(time - step), burst - taken + 1);
        }
    }
}
