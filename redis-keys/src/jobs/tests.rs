//! Replies to the accessors of queues, and the debug output of their types.

use std::time::{Duration, SystemTime};

use redis::Value;

use super::{Counts, Job, JobId, Receipt, RetryOutcome};
use crate::ErrorKind;
use crate::jobs::JobKey as _;
use crate::testing::fix_jitter;
use crate::tests::mock::{Mock, bulk, run};

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(queue:mail:{tenant}:zset, value = String, ttl = 1d, jobs, crate = crate)]
struct Mails {
    tenant: u32,
}

const MAILS: Mails = Mails { tenant: 7 };

/// The beginning of 2026 in microseconds, and the number 0.
const ID: &str = "06474846204000000000000000000000";

fn receipt(score: u64) -> Receipt {
    Receipt { member: format!("{ID}secret").into_bytes(), score }
}

fn array(values: impl IntoIterator<Item = Value>) -> Value {
    Value::Array(values.into_iter().collect())
}

fn text(text: &str) -> Value {
    Value::BulkString(text.into())
}

#[test]
fn an_id_says_when_its_job_was_pushed() {
    let id = JobId::of_member(format!("{ID}payload").as_bytes());
    assert_eq!((id.as_str(), id.to_string()), (ID, ID.to_owned()));
    assert_eq!(id.pushed_at(), SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600));
    for revived in ["r1:", "r10:"] {
        assert_eq!(JobId::of_member(format!("{revived}{ID}payload").as_bytes()), id);
    }
    for other in [&b""[..], b"r", b"r1", b"r1:", b"short", b"not hexadecimal digits", &[0xFF; 30]] {
        let id = JobId::of_member(other);
        assert_eq!((id.as_str(), id.pushed_at()), ("00000000000000000000000000000000", SystemTime::UNIX_EPOCH));
    }
    assert!(JobId::of_member(&[b'f'; 32]).pushed_at() > id.pushed_at());
}

#[test]
fn scores_are_read_from_both_protocols() {
    let member = || text(&format!("{ID}a"));
    for reply in [
        array([Value::Int(5), Value::Int(1), member(), text("113102442240003")]),
        array([Value::Int(5), Value::Int(1), array([member(), Value::Double(113_102_442_240_003.0)])]),
    ] {
        let taken = run(|| MAILS.take(1), [Ok(reply)]).0.unwrap();
        assert_eq!((taken.next_due, taken.died), (Some(Duration::from_millis(5)), 1));
        let [job] = &taken.jobs[..] else { panic!("{taken:?}") };
        assert_eq!((job.id().as_str(), job.tries(), job.value.as_deref().ok()), (ID, 3, Some("a")));
    }
    let revived = [text(&format!("r7:{ID}a")), text("113102442240001")];
    let taken =
        run(|| MAILS.take(1), [Ok(array([Value::Int(5), Value::Int(0)].into_iter().chain(revived)))]).0.unwrap();
    assert_eq!((taken.jobs[0].id().as_str(), taken.jobs[0].value.as_deref().ok()), (ID, Some("a")));
    for (score, tries) in [("4503599627370498", 2), ("inf", 63), ("1e300", 63), ("-5", 0), ("nan", 0)] {
        let dead = run(|| MAILS.dead(..1), [Ok(array([member(), text(score)]))]).0.unwrap();
        assert_eq!(dead[0].tries(), tries, "{score}");
    }
}

#[test]
fn replies_that_no_script_sends_are_errors() {
    let wrong = [
        Value::Nil,
        Value::Okay,
        Value::Int(i64::MIN),
        Value::Int(3),
        text("x"),
        array([text("x")]),
        array([Value::Int(1)]),
        array([Value::Int(1), Value::Int(1), text("a")]),
        array([Value::Int(1), Value::Int(1), text("a"), text("b")]),
        array([Value::Int(1), Value::Int(1), Value::Nil, text("1")]),
        array([Value::Int(1), Value::Int(1), Value::Int(-1)]),
    ];
    let (job, two) = (receipt(65), [receipt(65), receipt(66)]);
    for reply in wrong {
        macro_rules! assert_error {
            ($($command:expr),* $(,)?) => {$(
                let command = || {
                    // From the same number on.
                    let _fixed = fix_jitter(0.0);
                    $command.into()
                };
                match run(command, [Ok(reply.clone())]).0 {
                    // A size that would be too large.
                    Err(error) if reply == Value::Int(i64::MIN) => assert!(!error.to_string().is_empty()),
                    Err(error) => assert_eq!(error.kind(), ErrorKind::UnexpectedReply, "{reply:?}"),
                    Ok(found) => panic!("`{}` accepts {reply:?}: {found:?}", stringify!($command)),
                }
            )*};
        }
        assert_error!(MAILS.push("a"), MAILS.push_many(["a", "b"]));
        if reply != array([Value::Int(1), Value::Int(1), Value::Int(-1)]) {
            assert_error!(MAILS.take(1));
        }
        if reply != Value::Nil {
            assert_error!(MAILS.dead(..1));
        }
        if !matches!(reply, Value::Int(_)) {
            assert_error!(MAILS.extend(&job), MAILS.bury(&job));
        }
        assert_error!(MAILS.retry(&job, Duration::ZERO), MAILS.counts(), MAILS.ack_many(&two));
    }
    let negative = array([Value::Int(1), Value::Int(-1)]);
    assert_eq!(run(|| MAILS.take(1), [Ok(negative)]).0.unwrap_err().kind(), ErrorKind::UnexpectedReply);
    assert_eq!(run(|| MAILS.retry(&job, Duration::ZERO), [Ok(Value::Int(2))]).0.unwrap(), RetryOutcome::Dead);
    let counts = array([Value::Int(1), Value::Int(2), Value::Int(3)]);
    assert_eq!(run(|| MAILS.counts(), [Ok(counts)]).0.unwrap(), Counts { due: 1, later: 2, dead: 3 });
    assert_eq!(MAILS.push("a").query(&mut Mock::new([bulk(ID)])).unwrap().as_str(), ID);
}

#[test]
fn nothing_shows_a_job() {
    let job = Job::new("secret".to_owned(), receipt(65));
    assert_eq!(format!("{job:?}"), format!("Job {{ id: JobId({ID}), tries: 1, .. }}"));
    assert_eq!(format!("{:?}", job.receipt), format!("Receipt {{ id: JobId({ID}), tries: 1, .. }}"));
    assert_eq!(format!("{:?}", MAILS.push("secret")), "Push { key: Ok(\"queue:mail:7:zset\"), .. }");
}
