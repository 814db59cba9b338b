//! Commands and replies of the accessors of `hyperloglog` keys.
#![allow(deprecated, reason = "renewals are tested without the bounds that lints ask for")]

use redis::Value;

use crate::testing::text;
use crate::tests::mock::run;
use crate::{ErrorKind, HyperLogLogKey as _, RedisKey as _, Rule, SendStatus, lua};

macro_rules! keys {
    ($($name:ident $word:ident ($($option:tt)*);)*) => {$(
        #[derive(redis_keys_macros::RedisKey)]
        #[redis_key(page:$word:{name}:hyperloglog, value = String, $($option)*, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
        #[derive(Clone)]
        struct $name {
            name: &'static str,
        }
    )*};
}

keys! {
    Day day (ttl = 1h);
    Week week (ttl = 2h);
    Sliding sliding (ttl = 1h, renew = write);
    Touched touched (ttl = 1h, renew = read);
    Kept kept (ttl = never, reason = "the books", rebuild = "from the books");
}

const DAY: Day = Day { name: "a" };
const OTHERS: [Day; 2] = [Day { name: "b" }, Day { name: "c" }];

fn write(rest: &str) -> Vec<String> {
    vec![format!("EVALSHA {} 1 {rest}", lua::WRITE.file)]
}

#[test]
fn adding() {
    assert_eq!(text(DAY.pfadd("x")).unwrap(), write("page:day:a:hyperloglog 3600000 PFADD x"));
    assert_eq!(text(DAY.pfadd_many(["x", "y"])).unwrap(), write("page:day:a:hyperloglog 3600000 PFADD x y"));
    let sliding = Sliding { name: "a" };
    assert_eq!(text(sliding.pfadd("x")).unwrap(), write("page:sliding:a:hyperloglog -3600000 PFADD x"));
    assert_eq!(text(Kept { name: "a" }.pfadd("x")).unwrap(), ["PFADD page:kept:a:hyperloglog x"]);
    assert_eq!(text(Kept { name: "a" }.pfadd_many(["x"])).unwrap(), ["PFADD page:kept:a:hyperloglog x"]);
    assert!(run(|| DAY.pfadd("x"), [Ok(Value::Int(1))]).0.unwrap());
    assert!(!run(|| DAY.pfadd_many(["x"]), [Ok(Value::Int(0))]).0.unwrap());
}

#[test]
fn counting() {
    assert_eq!(text(DAY.pfcount()).unwrap(), ["PFCOUNT page:day:a:hyperloglog"]);
    let read = format!("EVALSHA {} 1 page:touched:a:hyperloglog 3600000 PFCOUNT", lua::READ.file);
    assert_eq!(text(Touched { name: "a" }.pfcount()).unwrap(), [read]);
    let together = "PFCOUNT page:day:a:hyperloglog page:day:b:hyperloglog page:day:c:hyperloglog";
    assert_eq!(text(DAY.pfcount_with(&OTHERS)).unwrap(), [together]);
    assert_eq!(text(DAY.pfcount_with::<Day>([])).unwrap(), ["PFCOUNT page:day:a:hyperloglog"]);
    assert_eq!(run(|| DAY.pfcount_with(&OTHERS), [Ok(Value::Int(7))]).0.unwrap(), 7);
}

#[test]
fn merging() {
    let week = Week { name: "a" };
    let keys = "page:week:a:hyperloglog page:day:b:hyperloglog page:day:c:hyperloglog";
    let merge = format!("EVALSHA {} 3 {keys} 7200000", lua::PFMERGE.file);
    assert_eq!(text(week.pfmerge(&OTHERS)).unwrap(), [merge]);
    let kept = "PFMERGE page:kept:a:hyperloglog page:day:b:hyperloglog page:day:c:hyperloglog";
    assert_eq!(text(Kept { name: "a" }.pfmerge(&OTHERS)).unwrap(), [kept]);
    run(|| week.pfmerge(&OTHERS), [Ok(Value::Okay)]).0.unwrap();
}

#[test]
fn an_atomic_group_checks_all_keys() {
    for group in
        [crate::atomic(Week { name: "a" }.pfmerge(&OTHERS)), crate::atomic(Kept { name: "a" }.pfmerge(&OTHERS))]
    {
        let mut con = crate::tests::mock::Mock::new([]);
        assert_eq!(group.query(&mut con).unwrap_err().kind(), ErrorKind::HashTag);
    }
}

#[test]
fn nothing_to_do_is_not_sent() {
    let no_members: [&str; 0] = [];
    assert!(!run(|| DAY.pfadd_many(no_members), []).0.unwrap());
    assert!(!run(|| Kept { name: "a" }.pfadd_many(no_members), []).0.unwrap());
    run(|| DAY.pfmerge::<Day>([]), []).0.unwrap();
}

#[test]
fn excess_and_invalid_keys_are_not_sent() {
    for refused in [text(DAY.pfadd_many((0..501).map(|n| n.to_string()))), text(DAY.pfadd_many(std::iter::repeat("a")))]
    {
        let error = refused.unwrap_err();
        assert_eq!((error.kind(), error.sent()), (ErrorKind::TooMany, SendStatus::No));
    }
    let days = |len| vec![Day { name: "b" }; len];
    assert!(text(DAY.pfcount_with(&days(100))).is_ok());
    assert!(text(DAY.pfmerge(&days(100))).is_ok());
    for refused in [text(DAY.pfcount_with(&days(101))), text(DAY.pfmerge(&days(101)))] {
        let error = refused.unwrap_err();
        assert_eq!((error.kind(), error.sent()), (ErrorKind::TooMany, SendStatus::No));
    }
    let error = text(Week { name: "a" }.pfmerge(&[Day { name: "B" }])).unwrap_err();
    assert_eq!((error.rule(), error.schema().name), (Some(Rule::LowerCase), Day::SCHEMA.name));
    assert_eq!(text(Week { name: "B" }.pfmerge(&OTHERS)).unwrap_err().rule(), Some(Rule::LowerCase));
}
