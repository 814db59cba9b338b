use crate::recorder::Recorder;

recipe!("sessions");

#[tokio::test]
async fn a_session_is_changed_until_it_ends() {
    let (mut recorder, con) = Recorder::start().await;
    let new = Session { user_id: 42, language: None, unread: 3 };

    log_in(&con, "token", &new).await.unwrap();
    let found = session(&con, "token").await.unwrap().unwrap();
    assert_eq!((found.user_id, found.language, found.unread), (42, None, 3));
    assert!(set_language(&con, "token", "en").await.unwrap());
    assert!(log_out(&con, "token").await.unwrap());
    recorder.assert_sent_as_on("sessions").await;

    assert!(!set_language(&con, "token", "de").await.unwrap());
    assert!(session(&con, "token").await.unwrap().is_none());
}

#[tokio::test]
async fn a_read_restarts_the_expiry_once_a_day() {
    let (_recorder, mut con) = Recorder::start().await;
    log_in(&con, "token", &Session { user_id: 42, language: None, unread: 0 }).await.unwrap();
    let login = Login { token: "token" };
    let key = login.key().unwrap().to_string();
    for (left_before, renewed) in [(6 * 86_400 + 3_600, false), (6 * 86_400 - 3_600, true)] {
        redis::cmd("EXPIRE").arg(&key).arg(left_before).exec_async(&mut con).await.unwrap();
        session(&con, "token").await.unwrap();
        let left = login.ttl().run(&con).await.unwrap().left().unwrap();
        assert_eq!(left.as_secs() > left_before, renewed);
    }
}
