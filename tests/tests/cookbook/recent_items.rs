use crate::recorder::Recorder;

recipe!("recent_items");

#[tokio::test]
async fn the_latest_articles_come_first_and_once() {
    let (mut recorder, con) = Recorder::start().await;
    view(&con, 42, 7).await.unwrap();
    assert_eq!(last_viewed(&con, 42).await.unwrap(), [7]);
    recorder.assert_sent_as_on("recent_items").await;

    for article in (1..=120).chain([115]) {
        view(&con, 42, article).await.unwrap();
    }
    assert_eq!(last_viewed(&con, 42).await.unwrap(), [115, 120, 119, 118, 117, 116, 114, 113, 112, 111]);
    assert_eq!(ViewedItems { user_id: 42 }.llen().run(&con).await.unwrap(), 100);
}
