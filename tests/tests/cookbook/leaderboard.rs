use redis_keys::parameter::bucket::Hour;
use redis_keys::testing::fix_clock;

use crate::recorder::Recorder;

recipe!("leaderboard");

#[tokio::test]
async fn the_best_score_counts() {
    let (mut recorder, con) = Recorder::start().await;
    let _clock = fix_clock(Hour::new(2026, 11, 30, 23).unwrap().start());
    assert!(finish(&con, 1, 42, 12.5).await.unwrap());
    assert_eq!(top_ten(&con, 1).await.unwrap(), [(42, 12.5)]);
    assert_eq!(place(&con, 1, 42).await.unwrap(), Some((1, 12.5)));
    recorder.assert_sent_as_on("leaderboard").await;

    assert!(!finish(&con, 1, 42, 7.0).await.unwrap());
    assert!(finish(&con, 1, 43, 13.0).await.unwrap());
    assert_eq!(place(&con, 1, 42).await.unwrap(), Some((2, 12.5)));
    assert_eq!(place(&con, 1, 44).await.unwrap(), None);
}

#[tokio::test]
async fn only_the_best_are_kept() {
    let (_recorder, con) = Recorder::start().await;
    let _clock = fix_clock(Hour::new(2026, 11, 30, 23).unwrap().start());
    let best = Best::of_this_month(1);
    for start in [0_u64, 500] {
        best.zadd_many((start..start + 500).map(|player| (player, 100.0))).run(&con).await.unwrap();
    }
    finish(&con, 1, 1000, 1.0).await.unwrap();
    assert_eq!(place(&con, 1, 1000).await.unwrap(), None);
    // Equal scores are ordered by the bytes of the member.
    finish(&con, 2, 9, 1.0).await.unwrap();
    finish(&con, 2, 10, 1.0).await.unwrap();
    assert_eq!(top_ten(&con, 2).await.unwrap(), [(9, 1.0), (10, 1.0)]);
}
