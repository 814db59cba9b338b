//! The notations of commands.

use super::{found, in_function, read, shown};

#[test]
fn each_notation_of_a_command_is_found() {
    for (body, expected) in [
        ("redis::cmd(\"SET\").arg(\"a:b\").arg(1).query(con)?;", vec!["SET for ever a:b"]),
        ("redis::cmd(\"set\").arg(\"a\").arg(1).arg(\"EX\").arg(5).exec(con)?;", vec!["SET expires a"]),
        ("redis::cmd(\"SET\").arg(&[\"a\", \"1\", \"px\", \"5\"]).exec(con)?;", vec!["SET expires a"]),
        ("redis::Cmd::new().arg(\"HSET\").arg(\"a\").arg(\"f\").arg(1).exec(con)?;", vec!["HSET for ever a"]),
        ("let mut c = redis::cmd(\"SET\"); c.arg(\"a\").arg(1); if x { c.arg(\"EX\").arg(5); }", vec!["SET expires a"]),
        ("Cmd::set(\"a\", 1).exec(con)?; Cmd::get(\"a\").query(con)", vec!["SET for ever a", "GET a"]),
        ("let mut c = Cmd::set(\"a\", 1); c.arg(\"PX\"); c.arg(5);", vec!["SET expires a"]),
        ("con.set(\"a\", 1).await?; con.set_ex(\"b\", 1, 5).await?;", vec!["SET for ever a", "SETEX expires b"]),
        ("con.set::<_, _, ()>(\"a\", 1).await.unwrap();", vec!["SET for ever a"]),
        ("let n: u64 = redis::AsyncCommands::incr(con, \"a\", 1).await?;", vec!["INCRBY for ever a"]),
        ("con.set_options(\"a\", 1, SetOptions::default())?;", vec!["SET for ever a"]),
        ("con.set_options(\"a\", 1, SetOptions::default().with_expiration(SetExpiry::EX(5)))?;", vec!["SET expires a"]),
        ("let o = SetOptions::default().with_expiration(x); con.set_options(\"a\", 1, o)?;", vec!["SET expires a"]),
        ("con.set_options(\"a\", 1, options)?;", vec!["SET perhaps a"]),
        ("redis::pipe().set(\"a\", 1).ignore().get(\"b\").query(con)?;", vec!["SET for ever a", "GET b"]),
        (
            "redis::pipe().atomic().cmd(\"SADD\").arg(\"a\").arg(1).ignore().cmd(\"EXPIRE\").arg(\"a\").arg(5).exec(con)",
            vec!["SADD expires a", "EXPIRE a"],
        ),
        ("let mut p = Pipeline::new(); p.hset(\"a\", \"f\", 1); p.exec(con)?;", vec!["HSET for ever a"]),
        ("redis::transaction(con, &[\"a\"], |con, pipe| pipe.set(\"a\", 1).query(con))?;", vec!["SET for ever a"]),
        ("con.mset(&[(\"a\", 1), (\"b\", 2)])?;", vec!["MSET for ever a", "MSET for ever b"]),
        (
            "redis::cmd(\"MSET\").arg(\"a\").arg(1).arg(\"b\").arg(2).exec(con)",
            vec!["MSET for ever a", "MSET for ever b"],
        ),
        ("con.del(&[\"a\", \"b\"])?; con.del((\"c\", \"d\"))?;", vec!["DEL a", "DEL b", "DEL c", "DEL d"]),
        ("con.rename(\"a\", \"b\")?;", vec!["RENAME perhaps a", "RENAME perhaps b"]),
        (
            "redis::cmd(\"XREAD\").arg(\"COUNT\").arg(1).arg(\"STREAMS\").arg(\"a\").arg(\"b\").arg(0).arg(0).exec(con)",
            vec!["XREAD a", "XREAD b"],
        ),
        ("con.xgroup_create_mkstream(\"a\", \"g\", 0)?;", vec!["XGROUP for ever a"]),
        ("redis::cmd(\"XGROUP\").arg(\"CREATE\").arg(\"a\").arg(\"g\").arg(0).exec(con)", vec!["XGROUP a"]),
        ("Script::new(\"return redis.call('INCR', KEYS[1])\").key(\"a\").invoke(con)?;", vec!["EVAL for ever a"]),
        ("Script::new(\"redis.call('SET', KEYS[1], 1, 'EX', 5)\").key(\"a\").invoke(con)?;", vec!["EVAL expires a"]),
        ("Script::new(\"return redis.call('GET', KEYS[1])\").key(\"a\").invoke(con)?;", vec!["EVAL a"]),
        ("let mut i = script.prepare_invoke(); i.key(\"a\").arg(1); i.invoke(con)?;", vec!["EVAL perhaps a"]),
        (
            "redis::cmd(\"EVAL\").arg(LUA).arg(2).arg(\"a\").arg(\"b\").arg(1).exec(con)",
            vec!["EVAL perhaps a", "EVAL perhaps b"],
        ),
        ("let n = con.incr(\"a\", 1)?; if n == 1 { con.expire(\"a\", 60)?; }", vec!["INCRBY expires a", "EXPIRE a"]),
        ("tokio::select! { _ = done => {} r = next => { con.set(\"a\", 1).await?; } }", vec!["SET for ever a"]),
        ("assert_eq!(con.get(\"a\")?, Some(1));", vec!["GET a"]),
        ("con.hgetall(\"a\").await?.get(\"b\");", vec!["HGETALL a"]),
        ("ids.iter().map(|id| con.hget(\"a\", id)).collect()", vec!["HGET a"]),
        ("redis::cmd(\"PING\").exec(con)?; redis::cmd(\"PUBLISH\").arg(\"a\").arg(1).exec(con)?;", vec![]),
    ] {
        assert_eq!(in_function("notations", body), expected, "{body}");
    }
}

#[test]
fn connections_are_known_by_type_name_and_origin() {
    for (function, is_found) in [
        ("fn f(x: &mut redis::Connection) { x.set(\"a\", 1); }", true),
        ("fn f(x: &mut impl AsyncCommands) { x.set(\"a\", 1); }", true),
        ("fn f<C: ConnectionLike + Send>(x: &mut C) { x.set(\"a\", 1); }", true),
        ("fn f<C>(x: &mut C) where C: AsyncCommands { x.set(\"a\", 1); }", true),
        ("async fn f(pool: &Pool) { let mut x = pool.get().await?; x.set(\"a\", 1); }", true),
        ("async fn f(pool: &bb8::Pool<M>) { pool.get().await?.set(\"a\", 1).await?; }", true),
        (
            "async fn f(c: redis::Client) { let mut x = c.get_multiplexed_async_connection().await?; x.set(\"a\", 1); }",
            true,
        ),
        ("fn open() -> redis::Connection { todo!() } fn f() { let mut x = open(); x.set(\"a\", 1); }", true),
        ("struct S { x: ConnectionManager } impl S { fn f(&self) { self.x.clone().set(\"a\", 1); } }", true),
        (
            "struct S { x: Arc<Mutex<MultiplexedConnection>> } impl S { fn f(&self) { self.x.lock().await.set(\"a\", 1); } }",
            true,
        ),
        ("fn f() { let redis = state(); redis.set(\"a\", 1); }", true),
        ("fn f(x: &mut HashMap<u8, u8>) { x.set(\"a\", 1); }", false),
        ("fn f() { let mut con_cells: Vec<u8> = Vec::new(); con_cells.set(\"a\", 1); }", false),
        ("fn f(x: &Gauge) { x.set(\"a\", 1); }", false),
        ("fn f() { GAUGE.set(\"a\", 1); }", false),
        ("struct S { x: Cell<u8> } impl S { fn f(&self) { self.x.set(\"a\", 1); } }", false),
        (
            "struct S { redis: RedisCache } impl S { fn f(&self) { self.redis.set(\"a\", 1); } } \
             impl RedisCache { fn set(&self, key: &str, value: u8) {} }",
            false,
        ),
    ] {
        let found = found("receivers", &format!("use redis::AsyncCommands;\n{function}"));
        assert_eq!(found == ["SET for ever a"], is_found, "{function}: {found:?}");
    }
}

#[test]
fn a_receiver_that_only_its_name_tells_is_a_guess() {
    const CONNECTION: &str = "`con` is taken for a connection by its name";
    for (function, expected) in [
        ("fn f() { let con = open(); con.set(\"a\", 1); }", CONNECTION),
        ("fn f() { con.clone().lock().await.set(\"a\", 1); }", CONNECTION),
        ("fn f(x: &X) { let x = x.con; x.set(\"a\", 1); }", CONNECTION),
        ("fn f(x: &X) { x.con().set(\"a\", 1); }", CONNECTION),
        ("fn f() { let x = other::con(); x.set(\"a\", 1); }", CONNECTION),
        ("fn f() { pipe.set(\"a\", 1).ignore(); }", "`pipe` is taken for a pipeline by its name"),
        // A type, a function of a client or a method that others do not have tells it as well.
        ("fn f(con: &mut redis::Connection) { con.set(\"a\", 1); }", ""),
        ("fn f() { let con = redis::Client::open(URL)?.get_connection()?; con.set(\"a\", 1); }", ""),
        ("struct S { con: MultiplexedConnection } fn f(s: &S) { s.con.set(\"a\", 1); }", ""),
        ("fn con() -> redis::Connection { todo!() } fn f() { con().set(\"a\", 1); }", ""),
        ("impl S { fn con(&self) -> redis::Connection { todo!() } fn f(&self) { self.con().set(\"a\", 1); } }", ""),
        ("fn f() { let pipe = redis::pipe(); pipe.set(\"a\", 1); }", ""),
        ("fn f() { con.set_ex(\"a\", 1, 5); }", ""),
        ("fn f() { redis::cmd(\"SET\").arg(\"a\").arg(1).exec(con); }", ""),
    ] {
        let (uses, _) = read("guesses", &[("main.rs", &format!("use redis::AsyncCommands;\n{function}"))]);
        let guesses: Vec<_> =
            uses.iter().map(|used| used.guess.as_ref().map_or_else(String::new, ToString::to_string)).collect();
        assert_eq!(guesses, [expected], "{function}");
    }
    let (uses, _) = read("fred-guess", &[("main.rs", "use fred::prelude::*; fn f() { client.get(\"a\"); }")]);
    assert_eq!(uses[0].guess.as_ref().unwrap().to_string(), "`client` is taken for a client by its name");
}

#[test]
fn files_without_redis_have_no_commands() {
    for text in [
        "fn f(con: &mut Connection) { con.set(\"a\", 1); con.hset(\"a\", 1, 2); }",
        "fn f() { cmd(\"SET\").arg(\"a\"); }",
        "use redis_keys::prelude::*; fn f(con: &mut C) { Profile { id }.set(&value).run(con); }",
    ] {
        assert_eq!(found("without", text), [""; 0], "{text}");
    }
}

#[test]
fn the_methods_of_fred_are_found() {
    let text = "use fred::prelude::*; async fn f(client: &Client) { \
                client.set(\"a\", 1, Some(Expiration::EX(5)), None, false).await?; \
                client.set(\"b\", 1, None, None, false).await?; client.incr_by(\"c\", 2).await?; \
                let pipeline = client.pipeline(); pipeline.hset(\"d\", values).await?; }";
    let expected = ["SET expires a", "SET for ever b", "INCRBY for ever c", "HSET for ever d"];
    assert_eq!(found("fred", text), expected);
}

#[test]
fn what_does_not_parse_ends_nothing() {
    let main = "mod broken; use redis::Commands; fn f(con: &mut redis::Connection) { con.set(\"a\", 1); }";
    let (uses, unparsable) = read("broken", &[("main.rs", main), ("broken.rs", "fn f( {")]);
    assert_eq!(uses.iter().map(shown).collect::<Vec<_>>(), ["SET for ever a"]);
    assert_eq!(unparsable, 1);
}

#[test]
fn the_name_of_the_command_is_underlined() {
    let text =
        "use redis::Commands;\nfn f(con: &mut redis::Connection) { con.set(\"ä\", 1); redis::cmd(\"GET\").arg(1); }";
    let (uses, _) = read("places", &[("main.rs", text)]);
    let places: Vec<_> = uses.iter().map(|used| &text[used.range.clone()]).collect();
    assert_eq!(places, ["set", "\"GET\""]);
}
