//! Keys with a legacy text, on real servers.

use std::io::{self, Read as _};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::thread;

use redis::Client;
use redis_keys::cache::Cache;
use redis_keys::legacy_key::{OtherName, TakenOver};
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::{ErrorKind, SendStatus, batch_iter};
use redis_keys_tests::{Con, everywhere, on_a_cluster, on_every_connection, wait_until};

mod injectivity;
mod texts;

/// What the release that adopts the keys declares: today's text stays in use.
mod adopted {
    use redis_keys::prelude::*;

    #[derive(Clone, RedisKey)]
    #[redis_key(user:logins:{id}:string, value = u64, ttl = 1h, legacy = "User:{id}:Logins")]
    pub(super) struct Logins {
        pub(super) id: u64,
    }

    #[derive(Clone, RedisKey)]
    #[redis_key(user:scores:{id}:hash, field = String, value = u64, ttl = 1h, legacy = "User:{id}:Scores")]
    pub(super) struct Scores {
        pub(super) id: u64,
    }

    #[derive(Clone, RedisKey)]
    #[redis_key(cart:items:{#id}:hash, field = u64, value = u64, ttl = 1h, legacy = "Cart{{{id}}}")]
    pub(super) struct Cart {
        pub(super) id: u64,
    }

    #[derive(Clone, RedisKey)]
    #[redis_key(
        person:name:{id}:string, value = String, ttl = 1h, jitter = 1m, cache(null_ttl = 5m),
        legacy = "Name/{id}",
    )]
    pub(super) struct Name {
        pub(super) id: u64,
    }
}

/// What the release after it declares: the names of the templates.
mod renamed {
    use redis_keys::prelude::*;

    #[derive(Clone, RedisKey)]
    #[redis_key(
        user:logins:{id}:string, value = u64, ttl = 1h, formerly = "User:{id}:Logins",
        allow(overlap, reason = "both releases are in one program here"),
    )]
    pub(super) struct Logins {
        pub(super) id: u64,
    }

    #[derive(Clone, RedisKey)]
    #[redis_key(
        user:scores:{id}:hash, field = String, value = u64, ttl = 1h, formerly = "User:{id}:Scores",
        allow(overlap, reason = "both releases are in one program here"),
    )]
    pub(super) struct Scores {
        pub(super) id: u64,
    }

    #[derive(Clone, RedisKey)]
    #[redis_key(
        cart:items:{#id}:hash, field = u64, value = u64, ttl = 1h, formerly = "Cart{{{id}}}",
        allow(overlap, reason = "both releases are in one program here"),
    )]
    pub(super) struct Cart {
        pub(super) id: u64,
    }

    #[derive(Clone, RedisKey)]
    #[redis_key(
        person:name:{id}:string, value = String, ttl = 1h, jitter = 1m, cache(null_ttl = 5m),
        formerly = "Name/{id}", allow(overlap, reason = "both releases are in one program here"),
    )]
    pub(super) struct Name {
        pub(super) id: u64,
    }
}

const OLD: &str = "User:7:Logins";
const NEW: &str = "user:logins:7:string";

#[test]
fn a_key_is_renamed_to_the_name_in_use() {
    on_every_connection(|con| {
        let (adopted, renamed) = (adopted::Logins { id: 7 }, renamed::Logins { id: 7 });
        assert_eq!(con.ok(renamed.take_over()), TakenOver::Missing);
        // A value without an expiry, as hand-written code leaves it.
        let _: String = con.raw(&["SET", OLD, "5"]);
        assert_eq!(con.ok(adopted.take_over()), TakenOver::Here);
        assert_eq!(con.pttl(OLD), -1);
        assert_eq!(con.ok(renamed.take_over()), TakenOver::Moved);
        con.assert_left(NEW, 3_600_000);
        assert_eq!(con.ok(renamed.take_over()), TakenOver::Here);
        assert_eq!((con.ok(renamed.get()), con.ok(renamed.clone().other_name().get())), (Some(5), None));
        // The release before it moves it back, with the expiry that it has.
        let _: i64 = con.raw(&["PEXPIRE", NEW, "60000"]);
        let (taken, count) = con.take_over_and(&adopted, adopted.incr());
        assert_eq!((taken, count), (TakenOver::Moved, 6));
        assert!(!con.ok(renamed.exists()));
        con.ok(renamed.set(&1));
        assert_eq!(con.ok(renamed.take_over()), TakenOver::Both);
        assert_eq!((con.ok(adopted.get()), con.ok(renamed.get())), (Some(6), Some(1)));
        assert!(con.ok(renamed.unlink()) && con.ok(adopted.unlink()));
    });
}

#[test]
fn a_key_of_another_type_stays() {
    on_every_connection(|con| {
        let _: i64 = con.raw(&["RPUSH", OLD, "x"]);
        let error = con.run(renamed::Logins { id: 7 }.take_over()).expect_err("the command fails");
        assert_eq!(error.kind(), ErrorKind::WrongType);
        assert_eq!((con.raw::<i64>(&["LLEN", OLD]), con.pttl(OLD)), (1, -1));
        assert_eq!((con.raw::<i64>(&["EXISTS", NEW]), con.raw::<i64>(&["DEL", OLD])), (0, 1));
    });
}

#[test]
fn a_command_does_not_run_if_its_key_cannot_be_taken_over() {
    on_every_connection(|con| {
        let _: i64 = con.raw(&["RPUSH", OLD, "x"]);
        let logins = renamed::Logins { id: 7 };
        let (taken, count) = con.batch_each(logins.take_over_and(logins.incr()));
        assert_eq!(taken.expect_err("the key is a list").kind(), ErrorKind::WrongType);
        let error = count.expect_err("it has not run");
        assert_eq!(error.sent(), SendStatus::No, "{error}");
        assert_eq!((con.raw::<i64>(&["LLEN", OLD]), con.ok(logins.get())), (1, None));
        // Neither does one whose key is taken over in the same step as another key.
        let other = renamed::Logins { id: 8 };
        let both = other.take_over_and((logins.take_over_and((logins.incr(), logins.incr())), other.incr()));
        let (taken, ((inner, (first, second)), count)) = con.batch_each(both);
        assert_eq!((taken.expect("there is no such key"), count.expect("it has run")), (TakenOver::Missing, 1));
        assert_eq!(inner.expect_err("the key is a list").kind(), ErrorKind::WrongType);
        for error in [first, second].map(|skipped| skipped.expect_err("it has not run")) {
            assert_eq!(error.sent(), SendStatus::No, "{error}");
        }
        assert_eq!((con.ok(logins.get()), con.ok(other.unlink())), (None, true));
        // A transaction does not stop at a command that fails.
        let error = con.atomic((logins.take_over(), logins.incr())).expect_err("the key is a list");
        assert_eq!(error.kind(), ErrorKind::WrongType);
        assert_eq!((con.ok(logins.get()), con.raw::<i64>(&["DEL", OLD])), (Some(1), 1));
    });
}

/// Only the first access that writes starts an expiry.
#[test]
fn a_key_that_is_only_read_gets_no_expiry() {
    on_every_connection(|con| {
        let logins = adopted::Logins { id: 7 };
        let _: String = con.raw(&["SET", OLD, "5"]);
        assert_eq!(con.ok(logins.get()), Some(5));
        assert_eq!(con.ok(logins.take_over()), TakenOver::Here);
        assert_eq!(con.take_over_and(&logins, logins.get()), (TakenOver::Here, Some(5)));
        assert_eq!(con.pttl(OLD), -1);
        assert_eq!(con.ok(logins.incr()), 6);
        con.assert_left(OLD, 3_600_000);
        let _: i64 = con.raw(&["DEL", OLD]);
    });
}

/// With `Both`, the command runs on the name in use.
#[test]
fn a_command_runs_although_the_key_has_both_names() {
    on_every_connection(|con| {
        let logins = renamed::Logins { id: 7 };
        let _: String = con.raw(&["SET", OLD, "5", "EX", "60"]);
        let _: String = con.raw(&["SET", NEW, "1", "EX", "60"]);
        assert_eq!(con.take_over_and(&logins, logins.incr()), (TakenOver::Both, 2));
        assert_eq!(
            (con.raw::<String>(&["GETDEL", OLD]), con.raw::<String>(&["GETDEL", NEW])),
            ("5".into(), "2".into())
        );
    });
}

/// Several keys in one round trip, in batches and in atomic groups.
#[test]
fn several_keys_are_taken_over_together() {
    everywhere(|con| {
        for id in 0..9_u64 {
            let _: i64 = con.raw(&["HSET", &format!("Cart{{{id}}}"), "1", &id.to_string()]);
        }
        let carts: Vec<_> = (0..9).map(|id| renamed::Cart { id }).collect();
        let added = batch_iter(carts.iter().map(|cart| cart.take_over_and((cart.hset(&2, &7), cart.hget(&1)))));
        let found = con.batch((carts[0].take_over_and(carts[0].hincr(&1, 1)), added)).expect("the server replies");
        let (first, rest) = found;
        assert_eq!(first, (TakenOver::Moved, 1));
        let expected = |id: u64| (if id == 0 { TakenOver::Here } else { TakenOver::Moved }, (true, Some(id.max(1))));
        assert_eq!(rest, (0..9).map(expected).collect::<Vec<_>>());
        for cart in &carts {
            assert_eq!(con.ok(cart.hlen()), 2);
            assert!(con.pttl(&cart.key().expect("it is valid")) > 0);
        }
        if con.has_pipelines() {
            let cart = adopted::Cart { id: 3 };
            let group = (cart.take_over_and(cart.hincr(&1, 4)), cart.hget(&2));
            assert_eq!(con.atomic(group).expect("the server replies"), ((TakenOver::Moved, 7), Some(7)));
        }
        for key in (0..9).flat_map(|id| [format!("Cart{{{id}}}"), format!("cart:items:{{{id}}}:hash")]) {
            let _: i64 = con.raw(&["DEL", &key]);
        }
    });
}

/// The replies are those of the commands alone: nothing, lists, text, errors, and what is sent because of them.
#[test]
fn commands_of_a_script_have_their_own_replies() {
    on_every_connection(|con| {
        let (logins, scores) = (renamed::Logins { id: 7 }, renamed::Scores { id: 7 });
        let group = logins.take_over_and((logins.get(), logins.set(&3), logins.exists(), logins.get_del()));
        let (taken, (before, (), exists, value)) = con.batch(group).expect("the server replies");
        assert_eq!((taken, before, exists, value), (TakenOver::Missing, None, true, Some(3)));
        let group = scores.take_over_and((
            scores.hset_many([("a", &1), ("b", &2)]),
            scores.hmget(["a", "x", "b"]),
            scores.hget("x"),
            batch_iter((0..3).map(|_| scores.hincr("a", 1))),
        ));
        let (_, (_, many, none, counts)) = con.batch(group).expect("the server replies");
        assert_eq!((many, none, counts), (vec![Some(1), None, Some(2)], None, vec![2, 3, 4]));
        let _: i64 = con.raw(&["HSET", "user:scores:7:hash", "b", "x"]);
        let (taken, (error, value)) = con.batch_each(scores.take_over_and((scores.hincr("b", 1), scores.hget("a"))));
        assert_eq!((taken.expect("it is here"), value.expect("it is a number")), (TakenOver::Here, Some(4)));
        assert_eq!(error.expect_err("it is no number").kind(), ErrorKind::Decode);
        con.ok(scores.unlink());
    });
}

/// The hash tag of the text has more than the field, so no template has the same.
#[test]
fn names_with_other_hash_tags_are_taken_over_on_a_single_server() {
    #[derive(RedisKey)]
    #[redis_key(basket:items:{#user}:string, value = u64, ttl = 1h, formerly = "{{user:{user}}}:basket")]
    struct Basket {
        user: u64,
    }
    let basket = Basket { user: 7 };
    on_every_connection(|con| {
        let _: String = con.raw(&["SET", "{user:7}:basket", "5"]);
        let moved = con.atomic((basket.take_over(), basket.incr())).expect("the server replies");
        assert_eq!(moved, (TakenOver::Moved, 6));
        con.ok(basket.unlink());
        let error = con.atomic((basket.incr(), Basket { user: 8 }.incr())).expect_err("two hash tags");
        let message = "key of `Basket` (basket:items:{8}:string) has another hash tag than the keys before it in the \
                       atomic group: its name is `basket:items:{#user}:string`, of which the text in braces counts, and \
                       without braces all of it";
        assert!(error.to_string().starts_with(message), "{error}");
    });
    on_a_cluster(|con| {
        if !con.has_pipelines() {
            return;
        }
        let _: String = con.raw(&["SET", "{user:7}:basket", "5"]);
        let message = "its two names are in different slots, and nothing was changed";
        for error in [
            con.atomic((basket.take_over(), basket.incr())).expect_err("two slots"),
            con.batch(basket.take_over_and(basket.incr())).expect_err("two slots"),
        ] {
            assert!(error.to_string().contains(message), "{error}");
        }
        assert_eq!((con.ok(basket.get()), con.raw::<String>(&["GETDEL", "{user:7}:basket"])), (None, "5".into()));
    });
}

#[test]
fn errors_show_no_control_characters() {
    #[derive(RedisKey)]
    #[redis_key(user:title:{title}:string, value = u64, ttl = 1h, legacy = "Title/{title}")]
    struct Title {
        title: String,
    }
    on_every_connection(|con| {
        let _: i64 = con.raw(&["RPUSH", "Title/a\n\u{1b}[31mé", "x"]);
        let error = con.run(Title { title: "a\n\u{1b}[31mé".to_owned() }.get()).expect_err("the command fails");
        assert!(error.to_string().contains(r"`Title` (Title/a\n\u{1b}[31mé) holds a list"), "{error}");
        assert_eq!(con.raw::<i64>(&["DEL", "Title/a\n\u{1b}[31mé"]), 1);
    });
}

#[test]
fn keys_are_found_under_both_names() {
    everywhere(|con| {
        for id in 0..20 {
            let _: String = con.raw(&["SET", &format!("User:{id}:Logins"), "1", "EX", "60"]);
            con.ok(renamed::Logins { id: id + 100 }.set(&2));
        }
        let _: String = con.raw(&["SET", "User:x:Logins", "1", "EX", "60"]);
        let mut old = con
            .scan_keys(adopted::Logins::scan())
            .expect("the server replies")
            .into_iter()
            .map(|key| key.id)
            .collect::<Vec<_>>();
        let other = con
            .scan_keys(<OtherName<renamed::Logins>>::scan())
            .expect("the server replies")
            .into_iter()
            .map(|key| key.into_inner().id);
        let mut other = other.collect::<Vec<_>>();
        let mut new = con
            .scan_keys(renamed::Logins::scan())
            .expect("the server replies")
            .into_iter()
            .map(|key| key.id)
            .collect::<Vec<_>>();
        for ids in [&mut old, &mut other, &mut new] {
            ids.sort_unstable();
        }
        assert_eq!((&old, &other), (&(0..20).collect(), &(0..20).collect()));
        assert_eq!(new, (100..120).collect::<Vec<_>>());
    });
}

#[test]
fn on_a_cluster_both_names_need_one_slot() {
    on_a_cluster(|con| {
        let _: String = con.raw(&["SET", OLD, "5"]);
        let error = con.run(renamed::Logins { id: 7 }.take_over()).expect_err("the command fails");
        assert!(error.to_string().contains("its two names are in different slots, and nothing was changed"), "{error}");
        assert_eq!(con.raw::<String>(&["GETDEL", OLD]), "5");
        let _: i64 = con.raw(&["HSET", "Cart{7}", "1", "2"]);
        let cart = renamed::Cart { id: 7 };
        assert_eq!(con.ok(cart.take_over()), TakenOver::Moved);
        assert_eq!(con.ok(cart.hget(&1)), Some(2));
    });
}

/// Programs of both releases at once: each takes over what the other has.
#[test]
fn nothing_is_lost_while_two_releases_run() {
    const ROUNDS: u64 = 500;
    let server = Server::start().expect("a server starts");
    let mut con = Con::blocking(&server.url());
    let _: String = con.raw(&["SET", OLD, "100"]);
    thread::scope(|scope| {
        for thread in 0..4_u64 {
            let url = server.url();
            scope.spawn(move || {
                let mut con = Client::open(url).and_then(|client| client.get_connection()).expect("the server replies");
                let (adopted, renamed) = (adopted::Logins { id: 7 }, renamed::Logins { id: 7 });
                let (old, new) = (adopted::Scores { id: 7 }, renamed::Scores { id: 7 });
                for round in 0..ROUNDS {
                    let field = format!("{thread}.{round}");
                    if thread % 2 == 0 {
                        adopted.take_over_and(adopted.incr()).query(&mut con).expect("the server replies");
                        old.take_over_and(old.hset(&field, &round)).query(&mut con).expect("the server replies");
                    } else {
                        renamed.take_over_and(renamed.incr()).query(&mut con).expect("the server replies");
                        new.take_over_and(new.hset(&field, &round)).query(&mut con).expect("the server replies");
                    }
                }
            });
        }
    });
    let renamed = renamed::Logins { id: 7 };
    let (_, count) = con.take_over_and(&renamed, renamed.get());
    assert_eq!(count, Some(100 + 4 * ROUNDS));
    let scores = renamed::Scores { id: 7 };
    let (_, len) = con.take_over_and(&scores, scores.hlen());
    assert_eq!(len, 4 * ROUNDS);
    assert_eq!((con.raw::<i64>(&["DBSIZE"]), con.raw::<i64>(&["EXISTS", OLD])), (2, 0));
    assert!(con.pttl(NEW) > 0 && con.pttl("user:scores:7:hash") > 0);
}

/// Accepts one client, and passes this many bytes of it to the server. Returns its address.
fn cut_after(bytes: u64, server: u16) -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
    let url = format!("redis://{}/", listener.local_addr().expect("it is bound"));
    thread::spawn(move || -> io::Result<()> {
        let (client, _) = listener.accept()?;
        let server = TcpStream::connect((Ipv4Addr::LOCALHOST, server))?;
        let (mut replies, mut to_client) = (server.try_clone()?, client.try_clone()?);
        let back = thread::spawn(move || io::copy(&mut replies, &mut to_client));
        io::copy(&mut (&client).take(bytes), &mut &server)?;
        server.shutdown(Shutdown::Both)?;
        _ = back.join();
        client.shutdown(Shutdown::Both)
    });
    url
}

/// The client is lost after each byte that it sends.
#[test]
fn a_client_that_is_cut_off_leaves_a_whole_key() {
    let server = Server::start().expect("a server starts");
    let mut con = Con::blocking(&server.url());
    let logins = renamed::Logins { id: 7 };
    con.take_over_and(&logins, logins.incr());
    let clients = con.info("clients").lines().nth(1).map(str::to_owned);
    let mut outcomes = [0, 0];
    for bytes in 1.. {
        let _: i64 = con.raw(&["DEL", NEW]);
        let _: String = con.raw(&["SET", OLD, "5"]);
        let url = cut_after(bytes, server.port());
        let client = Client::open(url).expect("the address is valid").get_connection();
        let result = client.map(|mut client| logins.take_over_and(logins.incr()).query(&mut client));
        wait_until("the server has noticed", || con.info("clients").lines().nth(1).map(str::to_owned) == clients);
        let counts = [OLD, NEW].map(|name| con.raw::<Option<u64>>(&["GET", name]));
        match counts {
            [Some(5), None] => assert_eq!(con.pttl(OLD), -1),
            [None, Some(6)] => con.assert_left(NEW, 3_600_000),
            _ => panic!("{counts:?} after {bytes} bytes"),
        }
        outcomes[usize::from(counts[1].is_some())] += 1;
        if matches!(result, Ok(Ok(_))) {
            break;
        }
    }
    assert!(outcomes[0] > 300 && outcomes[1] > 0, "{outcomes:?}");
    con.ok(logins.unlink());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cache_forgets_both_names() {
    let server = Server::start().expect("a server starts");
    let mut con = Con::blocking(&server.url());
    let cache = Cache::new(redis_keys::connect(server.url()).expect("the address is valid"));
    let mut forgets = |release: &str, exists: bool, result: Result<bool, redis_keys::Error>| {
        assert_eq!(result.ok(), Some(exists), "{release}");
        assert_eq!(con.raw::<i64>(&["EXISTS", "Name/7", "person:name:7:string"]), 0, "{release}");
        let _: String = con.raw(&["SET", "Name/7", "Ada"]);
        let _: String = con.raw(&["SET", "person:name:7:string", "Ada"]);
    };
    forgets("none", false, cache.invalidate(&adopted::Name { id: 7 }).await);
    forgets("legacy", true, cache.invalidate(&adopted::Name { id: 7 }).await);
    forgets("formerly", true, cache.invalidate(&renamed::Name { id: 7 }).await);
    forgets("the other name", true, cache.invalidate(&renamed::Name { id: 7 }.other_name()).await);
}
