use redis_keys::parameter::bucket::Hour;
use redis_keys::testing::fix_clock;

use crate::recorder::Recorder;

recipe!("unique_visitors");

#[tokio::test]
async fn a_visitor_counts_once_a_week() {
    let (mut recorder, con) = Recorder::start().await;
    let clock = fix_clock(Hour::new(2026, 11, 21, 23).unwrap().start());
    assert!(visit(&con, 7, 42).await.unwrap());
    assert_eq!(visitors(&con, 7, Day::now()).await.unwrap(), 1);
    assert_eq!(close_week(&con, 7).await.unwrap(), 1);
    recorder.assert_sent_as_on("unique_visitors").await;
    drop(clock);

    let _clock = fix_clock(Day::new(2026, 11, 22).unwrap().start());
    visit(&con, 7, 42).await.unwrap();
    visit(&con, 7, 43).await.unwrap();
    assert_eq!(close_week(&con, 7).await.unwrap(), 2);
    let [today, yesterday] = [22, 21].map(|day| Visitors { page: 7, day: Day::new(2026, 11, day).unwrap() });
    assert_eq!(today.pfcount_with([&yesterday]).run(&con).await.unwrap(), 2);
}
