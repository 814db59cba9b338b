use crate::recorder::Recorder;

recipe!("several_keys");

#[tokio::test]
async fn several_keys_are_read_and_written_together() {
    let (mut recorder, con) = Recorder::start().await;
    assert_eq!(header(&con, 42).await.unwrap(), (None, 0, None));
    assert_eq!(add(&con, 42, 7, 1999).await.unwrap(), 1999);
    assert_eq!(names(&con, &[42, 43]).await.unwrap(), [None, None]);
    let totals: Vec<_> = totals(&con, &[42, 43]).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(totals, [Some(1999), None]);
    recorder.assert_sent_as_on("several_keys").await;
}

#[tokio::test]
async fn a_failure_does_not_affect_the_other_commands() {
    let (_recorder, mut con) = Recorder::start().await;
    let wrong = ["cart:items:{42}:hash", "cart:total:{43}:string"];
    for key in wrong {
        redis::cmd("SADD").arg(key).arg(1).exec_async(&mut con).await.unwrap();
    }
    add(&con, 42, 7, 1999).await.unwrap_err();
    let totals = totals(&con, &[42, 43]).await;
    assert!(matches!(totals[..], [Ok(Some(1999)), Err(_)]), "{totals:?}");
}
