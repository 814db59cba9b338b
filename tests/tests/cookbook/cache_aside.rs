use redis_keys::testing::fix_jitter;

use crate::recorder::Recorder;

recipe!("cache_aside");

#[tokio::test]
async fn reads_load_once_and_changes_delete() {
    let (mut recorder, mut con) = Recorder::start().await;
    let _no_jitter = fix_jitter(0.0);
    let tea = || async { Ok::<_, ()>(Some(Article { title: "Tea".to_owned(), cents: 450 })) };
    let unused = || async { Err::<Option<Article>, _>(()) };

    assert_eq!(article(&mut con, 7, tea()).await.unwrap().unwrap().cents, 450);
    assert_eq!(article(&mut con, 7, unused()).await.unwrap().unwrap().title, "Tea");
    assert!(forget(&mut con, 7).await.unwrap());
    let none = async { Ok::<_, ()>(None) };
    assert!(article(&mut con, 8, none).await.unwrap().is_none());
    recorder.assert_sent_as_on("cache_aside").await;
}

#[tokio::test]
async fn absence_is_cached() {
    let (_recorder, mut con) = Recorder::start().await;
    assert!(article(&mut con, 8, async { Ok::<_, ()>(None) }).await.unwrap().is_none());
    assert!(article(&mut con, 8, async { Err(()) }).await.unwrap().is_none());
}

#[tokio::test]
async fn the_database_answers_if_the_cache_cannot() {
    let (_recorder, mut con) = Recorder::start().await;
    redis::cmd("HSET").arg("cache:article:7:string").arg(1).arg(1).exec_async(&mut con).await.unwrap();
    assert!(article(&mut con, 7, async { Err(()) }).await.is_err());
    assert!(article(&mut con, 7, async { Ok::<_, ()>(None) }).await.unwrap().is_none());
}
