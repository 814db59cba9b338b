//! The migration from redis-rs.

mod check;
mod new_text;
mod stored;

use std::error::Error as StdError;
use std::fs;

use futures_util::TryStreamExt as _;
use redis::{AsyncCommands as _, cmd, pipe};
use redis_keys::{Connection, ErrorKind, testing};

use crate::recorder::Recorder;

recipe!("migration");

type Outcome = Result<(), Box<dyn StdError>>;

/// Returns the content of a key, without its expiry.
async fn dump(con: &mut Connection, key: &str) -> Option<Vec<u8>> {
    cmd("DUMP").arg(key).query_async(con).await.unwrap()
}

async fn reset(con: &mut Connection, key: &str, state: Option<&Vec<u8>>) {
    cmd("DEL").arg(key).exec_async(con).await.unwrap();
    if let Some(state) = state {
        cmd("RESTORE").arg(key).arg(0).arg(state).exec_async(con).await.unwrap();
    }
}

/// Runs both calls of each row, and returns the rows as the page shows them. Both start with the same key. Their
/// results and what is stored afterwards must be the same.
///
/// The call of redis-rs is awaited (`call`) or sent (`send`). `call_only` and `send_only` are calls whose results have
/// different types, which are not compared.
macro_rules! rows {
    ($con:ident, $key:ident; $($kind:ident $result:ty: $before:expr => $after:expr;)*) => {{
        let mut rows: Vec<String> = Vec::new();
        $(
            let state = dump(&mut $con, $key).await;
            let before: $result = rows!(@ before $kind $con $before);
            let stored_before = dump(&mut $con, $key).await;
            reset(&mut $con, $key, state.as_ref()).await;
            let after: $result = rows!(@ after $kind $con $after);
            assert_eq!(before, after, stringify!($after));
            assert_eq!(stored_before, dump(&mut $con, $key).await, stringify!($after));
            rows.push(format!("| `{}` | `{}` |", stringify!($before), stringify!($after)));
        )*
        rows
    }};
    (@ before call $con:ident $before:expr) => { $before.await? };
    (@ before scan $con:ident $before:expr) => { $before.await? };
    (@ before send $con:ident $before:expr) => { $before.query_async(&mut $con).await? };
    (@ before call_only $con:ident $before:expr) => {{ let _: redis::Value = $before.await?; }};
    (@ before send_only $con:ident $before:expr) => { $before.exec_async(&mut $con).await? };
    (@ after scan $con:ident $after:expr) => { $after.stream(&$con).try_collect().await? };
    (@ after send_only $con:ident $after:expr) => {{ let _ = $after.run(&$con).await?; }};
    (@ after call_only $con:ident $after:expr) => {{ let _ = $after.run(&$con).await?; }};
    (@ after $kind:ident $con:ident $after:expr) => { $after.run(&$con).await? };
}

async fn strings(mut con: Connection) -> Result<Vec<String>, Box<dyn StdError>> {
    let (nick, ben) = (Nick { user_id: 42 }, Nick { user_id: 43 });
    let (key, other) = ("user:nick:42:string", "user:nick:43:string");
    let mut rows = rows! { con, key;
        call_only (): con.set(key, "ada") => nick.set("ada");
        call_only (): con.set_ex(key, "ada", 3600) => nick.set("ada");
        call Option<String>: con.get(key) => nick.get();
        call Vec<Option<String>>: con.mget(&[key, other]) => Nick::get_many([&nick, &ben]);
        call bool: con.exists(key) => nick.exists();
        call_only (): con.ttl(key) => nick.ttl();
        call bool: con.expire(key, 3600) => nick.expire();
        send (Option<String>, bool): pipe().get(key).exists(other) => batch((nick.get(), ben.exists()));
        call Option<String>: con.get_del(key) => nick.get_del();
        send bool: cmd("SET").arg(key).arg("ada").arg("NX").arg("EX").arg(3600) => nick.set_nx("ada");
        call bool: con.del(key) => nick.unlink();
    };
    let (key, hits) = ("page:hits:7:string", Hits { page: 7 });
    rows.extend(rows! { con, key;
        send_only (): pipe().incr(key, 1).expire(key, 86400) => hits.incr();
        send_only (): pipe().incr(key, 1).expire(key, 86400) => hits.incr();
    });
    let (key, card) = ("user:card:42:string", UserCard { user_id: 42 });
    let ada = Card { name: "Ada".to_owned() };
    rows.extend(rows! { con, key;
        call_only (): con.set_ex(key, serde_json::to_string(&ada)?, 3600) => card.set(&ada);
    });
    assert_eq!(card.get().run(&con).await?, Some(ada));
    Ok(rows)
}

async fn collections(mut con: Connection) -> Result<Vec<String>, Box<dyn StdError>> {
    let (key, profile) = ("user:profile:42:hash", Profile { user_id: 42 });
    let user = User { name: "Ada".to_owned(), visits: 1 };
    let mut rows = rows! { con, key;
        call_only (): con.hset_multiple(key, &[("name", "Ada"), ("visits", "1")]) => profile.store(&user);
        call Option<String>: con.hget(key, "name") => profile.hget(User::NAME);
        call_only (): con.hset(key, "name", "Eve") => profile.hset(User::NAME, "Eve");
        call Option<u32>: con.hincr(key, "visits", 1) => profile.hincr(User::VISITS, 1);
    };
    let before: std::collections::BTreeMap<String, String> = con.hgetall(key).await?;
    let after = profile.load().run(&con).await?.unwrap();
    assert_eq!((&before["name"], before["visits"].parse()), (&after.name, Ok(after.visits)));
    rows.push("| `con.hgetall(key)` | `profile.load()` |".to_owned());

    let (key, recent) = ("user:recent:42:list", Recent { user_id: 42 });
    rows.extend(rows! { con, key;
        send_only (): pipe().lpush(key, 7).ltrim(key, 0, 99) => recent.lpush(&7);
        call Vec<u64>: con.lrange(key, 0, 9) => recent.lrange(0..10);
    });
    let (key, tags) = ("user:tags:42:set", Tags { user_id: 42 });
    rows.extend(rows! { con, key;
        call bool: con.sadd(key, "tea") => tags.sadd("tea");
        call bool: con.sismember(key, "tea") => tags.sismember("tea");
        scan Vec<String>: con.smembers(key) => tags.sscan();
    });
    let (key, scores) = ("game:scores:1:zset", Scores { game: 1 });
    rows.extend(rows! { con, key;
        call bool: con.zadd(key, 42, 12.5) => scores.zadd(&42, 12.5);
        call_only (): con.zincr(key, 42, 0.5) => scores.zincr(&42, 0.5);
        call Vec<(u64, f64)>: con.zrevrange_withscores(key, 0, 9) => scores.zrevrange_withscores(0..10);
        call Option<u64>: con.zrevrank(key, 42) => scores.zrevrank(&42);
    });
    Ok(rows)
}

#[tokio::test]
async fn each_call_and_its_counterpart_do_the_same() -> Outcome {
    let (_recorder, mut con) = Recorder::start().await;
    let mut tried = strings(con.clone()).await?;
    tried.extend(collections(con.clone()).await?);

    con.set_ex::<_, _, ()>("user:nick:42:string", "ada", 3600).await?;
    let texts: Vec<String> = con.scan_match::<_, String>("user:nick:*").await?.try_collect().await?;
    let found: Vec<_> = Nick::scan().stream(&con).map_ok(|nick| nick.key().unwrap().to_string()).try_collect().await?;
    assert_eq!(texts, found);
    tried.push(r#"| `con.scan_match("user:nick:*")` | `Nick::scan()` |"#.to_owned());

    let page = fs::read_to_string(format!("{}/docs/guide/cookbook/migration.md", crate::CRATE))?;
    let (_, table) = page.split_once("| redis-rs | redis-keys |\n|---|---|\n").unwrap();
    let (table, _) = table.split_once("\n\n").unwrap();
    let mut shown: Vec<_> = table.lines().collect();
    tried.sort();
    tried.dedup();
    shown.sort_unstable();
    assert_eq!(shown, tried);
    Ok(())
}

#[tokio::test]
async fn a_write_gives_an_old_key_an_expiry() -> Outcome {
    let (_recorder, mut con) = Recorder::start().await;
    let _: () = con.set("user:nick:42:string", "ada").await?;
    let _: () = con.set("page:hits:7:string", 5).await?;
    let _: () = con.hset_multiple("user:profile:42:hash", &[("name", "Ada"), ("visits", "1")]).await?;
    let _: () = con.lpush("user:recent:42:list", 7).await?;
    let _: () = con.sadd("user:tags:42:set", "tea").await?;
    let _: () = con.zadd("game:scores:1:zset", 42, 12.5).await?;
    assert_eq!(testing::without_expiry_async(&con, "").await?.len(), 6);

    Nick { user_id: 42 }.set("ben").run(&con).await?;
    assert_eq!(Hits { page: 7 }.incr().run(&con).await?, 6);
    Profile { user_id: 42 }.hincr(User::VISITS, 1).run(&con).await?;
    Recent { user_id: 42 }.lpush(&8).run(&con).await?;
    Tags { user_id: 42 }.sadd("tea").run(&con).await?;
    Scores { game: 1 }.zincr(&42, 1.0).run(&con).await?;
    testing::assert_all_expire_async(&con, "").await;
    Ok(())
}

#[tokio::test]
async fn limits_apply_to_writes_only() -> Outcome {
    let (_recorder, mut con) = Recorder::start().await;
    let (nick, tags) = (Nick { user_id: 42 }, Tags { user_id: 42 });
    let long = "a".repeat(20_000);
    let _: () = con.set("user:nick:42:string", &long).await?;
    let _: () = con.sadd("user:tags:42:set", (0..6000).collect::<Vec<_>>()).await?;

    assert_eq!(nick.get().run(&con).await?.as_ref(), Some(&long));
    assert_eq!(nick.set(&long).run(&con).await.unwrap_err().kind(), ErrorKind::ValueSize);
    assert_eq!(tags.sscan().stream(&con).try_collect::<Vec<_>>().await?.len(), 6000);
    assert_eq!(tags.sadd("tea").run(&con).await.unwrap_err().kind(), ErrorKind::CollectionSize);
    Ok(())
}

#[tokio::test]
async fn another_form_and_a_missing_record_are_no_surprise() -> Outcome {
    let (_recorder, mut con) = Recorder::start().await;
    let (card, profile) = (UserCard { user_id: 42 }, Profile { user_id: 42 });
    let _: () = con.set("user:card:42:string", "Ada").await?;
    assert_eq!(card.get().run(&con).await.unwrap_err().kind(), ErrorKind::Decode);
    assert!(!profile.hset(User::NAME, "Eve").run(&con).await?);
    assert_eq!(profile.hincr(User::VISITS, 1).run(&con).await?, None);
    assert!(!profile.exists().run(&con).await?);
    Ok(())
}
