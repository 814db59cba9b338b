use redis_keys::parameter::bucket::Hour;
use redis_keys::testing::fix_clock;

use crate::recorder::Recorder;

recipe!("counters_and_limits");

#[tokio::test]
async fn views_are_counted_by_day() {
    let (mut recorder, con) = Recorder::start().await;
    let _clock = fix_clock(Hour::new(2026, 11, 21, 23).unwrap().start());
    assert_eq!(view(&con, 7).await.unwrap(), 1);
    assert_eq!(views(&con, 7, 3).await.unwrap(), [0, 0, 1]);
    assert!(may_log_in(&con, 42).await.unwrap());
    assert!(logged_in(&con, 42).await.unwrap());
    recorder.assert_sent_as_on("counters_and_limits").await;
}

#[tokio::test]
async fn the_sixth_attempt_is_too_many() {
    let (_recorder, con) = Recorder::start().await;
    for _ in 0..5 {
        assert!(may_log_in(&con, 42).await.unwrap());
    }
    assert!(!may_log_in(&con, 42).await.unwrap());
    assert!(may_log_in(&con, 43).await.unwrap());
    // A refused attempt does not count.
    let decision = Attempts { user_id: 42 }.take(1).run(&con).await.unwrap();
    assert!(decision.retry_after.unwrap().as_secs() < 12);
    assert!(logged_in(&con, 42).await.unwrap());
    assert!(may_log_in(&con, 42).await.unwrap());
}

#[tokio::test]
async fn a_count_beyond_the_range_changes_nothing() {
    let (_recorder, con) = Recorder::start().await;
    let (views, most) = (Views { page: 7, day: Day::now() }, i64::MAX.unsigned_abs());
    views.set(&most).run(&con).await.unwrap();
    view(&con, 7).await.unwrap_err();
    assert_eq!(views.get().run(&con).await.unwrap(), Some(most));
}
