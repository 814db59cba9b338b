use redis_keys::parameter::bucket::Hour;
use redis_keys::testing::fix_clock;

use crate::recorder::Recorder;

recipe!("sign_ins");

#[tokio::test]
async fn days_and_streaks_are_counted() {
    let (mut recorder, con) = Recorder::start().await;
    let clock = fix_clock(Hour::new(2026, 11, 30, 23).unwrap().start());
    assert!(sign_in(&con, 42).await.unwrap());
    assert_eq!(days(&con, 42, Month::now()).await.unwrap(), 1);
    assert_eq!(streak(&con, 42).await.unwrap(), 1);
    recorder.assert_sent_as_on("sign_ins").await;
    assert!(!sign_in(&con, 42).await.unwrap());
    drop(clock);

    for day in [1, 3, 4, 31] {
        let _clock = fix_clock(Day::new(2026, 12, day).unwrap().start());
        assert_eq!(streak(&con, 42).await.unwrap(), 0);
        sign_in(&con, 42).await.unwrap();
        let expected = if day == 4 { 2 } else { 1 };
        assert_eq!((day, streak(&con, 42).await.unwrap()), (day, expected));
    }
    assert_eq!(days(&con, 42, Month::new(2026, 12).unwrap()).await.unwrap(), 4);
    assert!(SignIns { user_id: 42, month: Month::now() }.setbit(32, true).packed().is_err());
}
