use std::future::{Ready, ready};

use redis_keys::testing::fix_jitter;

use crate::recorder::Recorder;

recipe!("cache_aside");

async fn start() -> (Recorder, Cache<Connection>) {
    let (recorder, _) = Recorder::start().await;
    let con = redis_keys::connect(recorder.client.get_connection_info().clone()).unwrap();
    (recorder, Cache::new(con))
}

fn tea() -> Ready<Result<Option<Article>, ()>> {
    ready(Ok(Some(Article { title: "Tea".to_owned(), cents: 450 })))
}

fn none() -> Ready<Result<Option<Article>, ()>> {
    ready(Ok(None))
}

/// A database that must not be asked.
fn unused() -> Ready<Result<Option<Article>, ()>> {
    ready(Err(()))
}

#[tokio::test]
async fn reads_load_once_and_changes_delete() {
    let (mut recorder, cache) = start().await;
    let _no_jitter = fix_jitter(0.0);

    assert_eq!(article(&cache, 7, tea()).await.unwrap().unwrap().cents, 450);
    assert_eq!(article(&cache, 7, unused()).await.unwrap().unwrap().title, "Tea");
    assert!(forget(&cache, 7).await.unwrap());
    assert!(article(&cache, 8, none()).await.unwrap().is_none());
    assert!(article(&cache, 8, unused()).await.unwrap().is_none());
    let load = async |missing: Vec<u64>| {
        assert_eq!(missing, [7]);
        Ok::<_, ()>(vec![(7, tea().await.unwrap().unwrap())])
    };
    let found = articles(&cache, &[8, 7], load).await.unwrap();
    assert!(matches!(&found[..], [None, Some(article)] if article.title == "Tea"));
    recorder.assert_sent_as_on("cache_aside").await;
}

#[tokio::test]
async fn a_load_that_began_before_a_change_is_not_stored() {
    let (_recorder, cache) = start().await;
    let old = async {
        forget(&cache, 7).await.unwrap();
        tea().await
    };
    assert_eq!(article(&cache, 7, old).await.unwrap().unwrap().cents, 450);
    assert!(article(&cache, 7, none()).await.unwrap().is_none());
}

#[tokio::test]
async fn the_database_answers_if_the_cache_cannot() {
    let (recorder, cache) = start().await;
    let mut con = recorder.client.get_multiplexed_async_connection().await.unwrap();
    redis::cmd("HSET").arg("cache:article:7:string").arg(1).arg(1).exec_async(&mut con).await.unwrap();
    redis::cmd("SET").arg("cache:article:8:string").arg("{").exec_async(&mut con).await.unwrap();
    assert!(article(&cache, 7, unused()).await.is_err());
    assert!(article(&cache, 7, none()).await.unwrap().is_none());
    assert_eq!(article(&cache, 8, tea()).await.unwrap().unwrap().title, "Tea");
    drop(recorder);
    assert_eq!(article(&cache, 9, tea()).await.unwrap().unwrap().title, "Tea");
}

mod blocking {
    use redis_keys::testing::Server;

    recipe!("cache_aside", 2);

    fn start() -> (Server, redis::Connection) {
        let server = Server::start().unwrap();
        let con = redis::Client::open(server.url()).unwrap().get_connection().unwrap();
        (server, con)
    }

    #[allow(clippy::unnecessary_wraps, reason = "it is a loader")]
    fn tea() -> Result<Option<String>, ()> {
        Ok(Some("Tea".to_owned()))
    }

    /// A database that must not be asked, or fails.
    fn unused() -> Result<Option<String>, ()> {
        Err(())
    }

    #[test]
    fn reads_load_once_and_remember_absence() {
        let (_server, mut con) = start();
        assert_eq!(title(&mut con, 7, tea), tea());
        assert_eq!(title(&mut con, 7, unused), tea());
        assert_eq!(title(&mut con, 8, || Ok::<_, ()>(None)), Ok(None));
        assert_eq!(title(&mut con, 8, unused), Ok(None));
    }

    #[test]
    fn others_load_after_an_error() {
        let (_server, mut con) = start();
        assert_eq!(title(&mut con, 7, unused), Err(()));
        assert_eq!(title(&mut con, 7, tea), tea());
    }

    #[test]
    fn several_threads_load_once() {
        let (server, mut con) = start();
        let client = redis::Client::open(server.url()).unwrap();
        let mut others = Vec::new();
        let loaded = title(&mut con, 7, || {
            let cons = [(); 4].map(|()| client.get_connection().unwrap());
            others.extend(cons.map(|mut con| thread::spawn(move || title(&mut con, 7, unused))));
            tea()
        });
        assert_eq!(loaded, tea());
        for other in others {
            assert_eq!(other.join().unwrap(), tea());
        }
    }

    #[test]
    fn the_database_answers_if_the_cache_cannot() {
        let (server, mut con) = start();
        drop(server);
        assert_eq!(title(&mut con, 7, tea), tea());
    }
}
