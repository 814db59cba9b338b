//! Encrypted values on a server: what can be read there, and what an attacker with access to the server can do.

use std::collections::HashSet;
use std::sync::Once;

use redis_keys::cache::Cache;
use redis_keys::legacy_key::TakenOver;
use redis_keys::prelude::*;
use redis_keys::secret::{self, Keyring};
use redis_keys::subscriber::{ChannelEvent, Subscriber};
use redis_keys::testing::Server;
use redis_keys::types::list::ListEnd;
use redis_keys::types::stream::EntryId;
use redis_keys::{ErrorKind, SendStatus};
use redis_keys_tests::{Con, everywhere, on_every_connection};
use serde::{Deserialize, Serialize};

const KEY: [u8; 32] = [7; 32];

/// Installs the keyring of this process.
pub(crate) fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| secret::install(Keyring::new([(*b"k002", KEY), (*b"k001", [1; 32])])).expect("the first"));
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Login {
    user: u64,
    token: String,
}

fn login(user: u64) -> Login {
    Login { user, token: "hidden".to_owned() }
}

#[derive(RedisKey)]
#[redis_key(account:login:{#id}:string, value = Secret<Json<Login>>, ttl = 1h)]
struct Session {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(account:other:{#id}:string, value = Secret<Zstd<Json<Login>>>, ttl = 1h, max_bytes = 20KB)]
struct Other {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(account:renewed:{id}:string, value = Secret<String>, ttl = 1h, renew = below(30m))]
struct RenewedSecret {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(account:plain:{#id}:string, value = Json<Login>, ttl = 1h)]
struct Plain {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(shop:code:{shop}:{copy}:string, value = Secret<String>, ttl = 1h, copies = 3)]
struct Code {
    shop: u32,
}

#[derive(RedisKey)]
#[redis_key(user:notes:{#user}:hash, field = String, value = Secret<String>, ttl = 1h)]
struct Notes {
    user: u32,
}

#[derive(Clone, Debug, PartialEq, RedisHash)]
struct Account {
    name: String,
    #[redis_hash(value = Secret<String>)]
    refresh: String,
    #[redis_hash(value = Secret<String>)]
    access: Option<String>,
}

#[derive(RedisKey)]
#[redis_key(user:account:{#user}:hash, value = Account, ttl = 1h)]
struct UserAccount {
    user: u32,
}

#[derive(RedisKey)]
#[redis_key(user:accounts:{#user}:stream, value = Account, ttl = 1h)]
struct Accounts {
    user: u32,
}

#[derive(RedisKey)]
#[redis_key(mail:codes:{#user}:list, value = Secret<String>, ttl = 1h)]
struct Codes {
    user: u32,
}

#[derive(RedisKey)]
#[redis_key(queue:codes:{#user}:zset, value = Secret<String>, ttl = 1h, jobs)]
struct CodeJobs {
    user: u32,
}

#[derive(RedisKey)]
#[redis_key(cache:login:{id}:string, value = Secret<Json<Login>>, ttl = 1h, jitter = 1m, cache(null_ttl = 1m))]
struct CachedLogin {
    id: u32,
}

/// The bytes that a command returns.
fn bytes(con: &mut Con, words: &[&str]) -> Vec<u8> {
    con.raw(words)
}

fn assert_encrypted(stored: &[u8]) {
    assert_eq!(stored.get(..5), Some(b"\xf5k002".as_slice()));
    assert!(!stored.windows(6).any(|window| window == b"hidden"), "{}", stored.escape_ascii());
}

#[test]
fn every_type_decrypts_what_it_has_encrypted() {
    install();
    everywhere(|con| {
        let session = Session { id: 1 };
        con.ok(session.set(&login(1)));
        assert_encrypted(&bytes(con, &["GET", "account:login:{1}:string"]));
        assert_eq!(con.ok(session.get()), Some(login(1)));
        let sessions = con.ok(Session::get_many([1, 2].map(|id| Session { id })));
        assert_eq!(sessions, [Some(login(1)), None]);
        assert_eq!(con.ok(session.set(&login(2)).returning_old()), Some(login(1)));
        assert_eq!(con.ok(session.get_ex()), Some(login(2)));
        let updated = con.update(session.update(|old| login(old.map_or(0, |old| old.user + 1))));
        assert_eq!(updated.ok(), Some(login(3)));
        let many = con.ok(Session::get_many([session, Session { id: 9 }]));
        assert_eq!(many, [Some(login(3)), None]);

        let other = Other { id: 1 };
        let long = Login { user: 1, token: "hidden".repeat(10_000) };
        con.ok(other.set(&long));
        assert!(con.ok(other.strlen()) < 1_000, "it is compressed before it is encrypted");
        assert_eq!(con.ok(other.get()), Some(long));

        let renewed = [1, 2].map(|id| RenewedSecret { id });
        con.ok(renewed[0].set("hidden"));
        assert_eq!(con.ok(RenewedSecret::get_many(renewed)), [Some("hidden".to_owned()), None]);

        let (codes, code) = (Codes { user: 1 }, "hidden".to_owned());
        con.ok(codes.rpush_many(["hidden", "b", "c"]));
        assert_encrypted(&bytes(con, &["LINDEX", "mail:codes:{1}:list", "0"]));
        assert_eq!(con.ok(codes.lindex(0)), Some(code.clone()));
        assert_eq!(con.ok(codes.lrange(0..2)), [code.as_str(), "b"]);
        assert_eq!(con.ok(codes.lmove(&codes, ListEnd::Left, ListEnd::Right)), Some(code.clone()));
        assert_eq!(con.ok(codes.rpop()), Some(code.clone()));
        let other = Codes { user: 2 };
        let error = con.refused(codes.lmove(&other, ListEnd::Left, ListEnd::Left));
        assert!(error.to_string().contains("does not decrypt under another key"), "{error}");

        let jobs = CodeJobs { user: 1 };
        con.ok(jobs.push("hidden"));
        let taken = con.ok(jobs.take(1));
        assert_eq!(taken.jobs[0].value.as_ref().ok(), Some(&code));
    });
}

#[test]
fn fields_and_copies_decrypt() {
    install();
    everywhere(|con| {
        let notes = Notes { user: 1 };
        con.ok(notes.hset_many([("a", "hidden"), ("b", "other")]));
        con.ok(notes.hset("c", "third"));
        assert_encrypted(&bytes(con, &["HGET", "user:notes:{1}:hash", "a"]));
        assert_eq!(con.ok(notes.hget("a")).as_deref(), Some("hidden"));
        let read = con.ok(notes.hmget(["c", "x", "a"]));
        assert_eq!(read, [Some("third".to_owned()), None, Some("hidden".to_owned())]);
        let mut all = con.scan(notes.hscan()).expect("they decrypt");
        all.sort();
        assert_eq!(all, [("a", "hidden"), ("b", "other"), ("c", "third")].map(|(a, b)| (a.to_owned(), b.to_owned())));

        let (account, name) = (UserAccount { user: 1 }, "Ada".to_owned());
        let stored = Account { name, refresh: "hidden".to_owned(), access: None };
        con.ok(account.store(&stored));
        assert_encrypted(&bytes(con, &["HGET", "user:account:{1}:hash", "refresh"]));
        assert_eq!(con.ok(account.load()), Some(stored.clone()));
        assert!(con.ok(account.hset(Account::ACCESS, "hidden")));
        assert_eq!(con.ok(account.hget(Account::ACCESS)).as_deref(), Some("hidden"));
        assert_eq!(con.ok(account.hget(Account::REFRESH)).as_deref(), Some("hidden"));

        let accounts = Accounts { user: 1 };
        con.ok(accounts.xadd(&stored));
        let entries = con.ok(accounts.xrange(EntryId::MIN.., 10));
        assert_eq!(entries[0].value.as_ref().ok(), Some(&stored));

        let code = Code { shop: 1 };
        con.ok(code.set("hidden"));
        for number in 0..Code::COPIES {
            assert_eq!(con.ok(code.copy(number).get()).as_deref(), Some("hidden"));
        }
        let _: i64 = con.raw(&["DEL", "shop:code:1:0:string"]);
        assert_eq!(con.get_copy(code.get()).ok().flatten().as_deref(), Some("hidden"));
    });
}

/// Attacks of someone who can write to the server: each is an error that shows nothing of the value.
#[test]
fn values_that_were_moved_or_changed_do_not_decrypt() {
    install();
    everywhere(|con| {
        con.ok(Session { id: 1 }.set(&login(1)));
        con.ok(Session { id: 2 }.set(&login(2)));
        con.ok(Other { id: 1 }.set(&login(1)));
        con.ok(Plain { id: 1 }.set(&login(1)));
        let [one, other] = ["account:login:{1}:string", "account:other:{1}:string"];
        let [first, second] = [one, "account:login:{2}:string"].map(|key| bytes(con, &["GET", key]));
        let plain = bytes(con, &["GET", "account:plain:{1}:string"]);
        let another_form = bytes(con, &["GET", other]);
        let mut attacks = vec![second, plain, another_form, Vec::new(), b"\xf5".to_vec(), b"\xf5k00".to_vec()];
        attacks.extend((0..first.len()).map(|len| first[..len].to_vec()));
        attacks.extend((0..first.len()).map(|at| {
            let mut changed = first.clone();
            changed[at] ^= 1;
            changed
        }));
        attacks.push([first.as_slice(), b"\0"].concat());
        for attack in attacks {
            con.put(one, &attack);
            let error = con.error(Session { id: 1 }.get());
            assert_eq!(error.kind(), ErrorKind::Decode, "{}", attack.escape_ascii());
            assert!(!format!("{error}{error:?}").contains("hidden"), "{error}");
            let each = con.batch_each((Session { id: 1 }.get(), Session { id: 2 }.get()));
            assert_eq!((each.0.is_err(), each.1.ok().flatten()), (true, Some(login(2))));
        }
        con.put(one, &first);
        assert_eq!(con.ok(Session { id: 1 }.get()), Some(login(1)));
    });
}

#[test]
fn fields_that_were_swapped_do_not_decrypt() {
    install();
    on_every_connection(|con| {
        let account = UserAccount { user: 1 };
        let stored = Account { name: "Ada".to_owned(), refresh: "hidden".to_owned(), access: Some("b".to_owned()) };
        con.ok(account.store(&stored));
        con.ok(UserAccount { user: 2 }.store(&stored));
        let swap = "local a = redis.call('HGET', KEYS[1], 'refresh') \
                    redis.call('HSET', KEYS[1], 'refresh', redis.call('HGET', KEYS[1], 'access'), 'access', a)";
        let _: Option<i64> = con.raw(&["EVAL", swap, "1", "user:account:{1}:hash"]);
        assert_eq!(con.error(account.load()).kind(), ErrorKind::Decode);
        assert_eq!(con.error(account.hget(Account::REFRESH)).kind(), ErrorKind::Decode);
        assert_eq!(con.error(account.hget(Account::ACCESS)).kind(), ErrorKind::Decode);
        let copy = "redis.call('HSET', KEYS[1], 'refresh', redis.call('HGET', KEYS[2], 'refresh'))";
        let keys = ["user:account:{1}:hash", "user:account:{2}:hash"];
        let _: Option<i64> = con.raw(&["EVAL", copy, "2", keys[0], keys[1]]);
        assert_eq!(con.error(account.hget(Account::REFRESH)).kind(), ErrorKind::Decode, "of another user");

        let notes = Notes { user: 1 };
        con.ok(notes.hset_many([("refresh", "hidden"), ("access", "b")]));
        let _: Option<i64> = con.raw(&["EVAL", swap, "1", "user:notes:{1}:hash"]);
        assert_eq!(con.error(notes.hget("refresh")).kind(), ErrorKind::Decode);
        assert_eq!(con.error(notes.hmget(["x", "access"])).kind(), ErrorKind::Decode);
        assert!(con.scan(notes.hscan()).is_err());
    });
}

#[test]
fn no_two_values_are_encrypted_alike() {
    install();
    let session = Session { id: 1 };
    let values: HashSet<Vec<u8>> =
        (0..20_000).map(|_| session.set(&login(1)).packed().expect("it is encrypted")).collect();
    assert_eq!(values.len(), 20_000);
}

/// A key that has two names, one after the other, as in the releases of an adoption.
mod renamed {
    use super::*;

    pub(super) mod before {
        use super::*;

        #[derive(Clone, RedisKey)]
        #[redis_key(
        account:token:{tenant}:{#user}:string, value = Secret<String>, ttl = 1h, legacy = "Secret+{tenant}/{{{user}}}",
        allow(overlap, reason = "two releases of one key"),
    )]
        pub(crate) struct Token<'a> {
            pub(crate) tenant: &'a str,
            pub(crate) user: u32,
        }
    }

    #[derive(Clone, RedisKey)]
    #[redis_key(
        account:token:{tenant}:{#user}:string, value = Secret<String>, ttl = 1h, formerly = "Secret+{tenant}/{{{user}}}",
        allow(overlap, reason = "two releases of one key"),
    )]
    pub(super) struct Token<'a> {
        pub(super) tenant: &'a str,
        pub(super) user: u32,
    }
}

#[test]
fn a_value_decrypts_under_both_names_of_its_key() {
    install();
    everywhere(|con| {
        let (a, b) = (renamed::before::Token { tenant: "eu", user: 1 }, renamed::Token { tenant: "eu", user: 1 });
        con.ok(a.set("hidden"));
        assert_encrypted(&bytes(con, &["GET", "Secret+eu/{1}"]));
        assert_eq!(con.ok(a.get()).as_deref(), Some("hidden"));
        assert_eq!(con.ok(b.clone().other_name().get()).as_deref(), Some("hidden"));
        assert_eq!((con.ok(b.take_over()), con.ok(b.get())), (TakenOver::Moved, Some("hidden".to_owned())));
        assert_eq!(con.ok(a.clone().other_name().get()).as_deref(), Some("hidden"));
        con.ok(b.set("hidden again"));
        assert_eq!((con.ok(a.take_over()), con.ok(a.get())), (TakenOver::Moved, Some("hidden again".to_owned())));
        // The template refuses this value, so there is no name to bind to.
        let error = con.refused(renamed::before::Token { tenant: "EU", user: 1 }.set("hidden"));
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Encode, SendStatus::No), "{error}");
    });
}

#[tokio::test]
async fn cached_values_that_do_not_decrypt_are_loaded_again() {
    install();
    let server = Server::start().expect("a server");
    let mut con = Con::blocking(&server.url());
    let cache = Cache::new(redis_keys::connect(server.url()).expect("it runs"));
    let load = |user| async move { Ok::<_, std::io::Error>(Some(login(user))) };
    let key = CachedLogin { id: 1 };
    assert_eq!(cache.get_or_load(&key, || load(1)).await.expect("it is loaded"), Some(login(1)));
    assert_eq!(cache.get_or_load(&key, || load(2)).await.expect("it is cached"), Some(login(1)));
    let stored = bytes(&mut con, &["GET", "cache:login:1:string"]);
    assert_encrypted(&stored);
    con.put("cache:login:1:string", &stored[..stored.len() - 1]);
    assert_eq!(cache.get_or_load(&key, || load(3)).await.expect("it is loaded"), Some(login(3)));
    // That of another key, and a plain one.
    assert_eq!(cache.get_or_load(&CachedLogin { id: 2 }, || load(4)).await.expect("it is loaded"), Some(login(4)));
    con.put("cache:login:2:string", &stored);
    assert_eq!(cache.get_or_load(&CachedLogin { id: 2 }, || load(5)).await.expect("it is loaded"), Some(login(5)));
    con.put("cache:login:2:string", br#"{"user":6,"token":"hidden"}"#);
    let keys = [1, 2, 3].map(|id| CachedLogin { id });
    let load = |missing: Vec<&CachedLogin>| {
        let loaded: Vec<_> = missing.into_iter().map(|key| (CachedLogin { id: key.id }, login(7))).collect();
        async move { Ok::<_, std::io::Error>(loaded) }
    };
    let many = cache.get_or_load_many(&keys, load).await.expect("they are loaded");
    assert_eq!(many, [Some(login(3)), Some(login(7)), Some(login(7))]);
}

#[test]
fn the_first_key_encrypts_and_all_decrypt() {
    install();
    on_every_connection(|con| {
        con.ok(RenewedSecret { id: 1 }.set("hidden"));
        // `hidden` of `account:renewed:1:string`, as another program has encrypted it with the second key.
        let old = include_bytes!("secrets/k001.bin");
        con.put("account:renewed:1:string", old);
        assert_eq!(con.ok(RenewedSecret { id: 1 }.get()).as_deref(), Some("hidden"));
        let mut unknown = old.to_vec();
        unknown[1..5].copy_from_slice(b"k009");
        con.put("account:renewed:1:string", &unknown);
        let error = con.error(RenewedSecret { id: 1 }.get());
        assert!(error.to_string().contains("not in the keyring"), "{error}");
    });
}

#[derive(Clone, Debug, PartialEq, RedisKey)]
#[redis_key(account:changes:{id}:channel, value = Secret<String>)]
struct Changes {
    id: u32,
}

/// The same channels, as a program without the keys sees them.
#[derive(Clone, RedisKey)]
#[redis_key(account:changes:{id}:channel, value = Vec<u8>, allow(overlap, reason = "another program"))]
struct Listener {
    id: u32,
}

#[tokio::test]
async fn messages_decrypt_on_their_channel_only() {
    install();
    let server = Server::start().expect("a server starts");
    let mut con = redis_keys::connect(server.url()).expect("the address is valid");
    let mut changes = Subscriber::connect(&con, [1, 2].map(|id| Changes { id })).await.expect("the server replies");
    let mut listener = Subscriber::connect(&con, [Listener { id: 1 }]).await.expect("the server replies");
    Changes { id: 1 }.publish("hidden").query_async(&mut con).await.expect("the server replies");
    let Some(ChannelEvent::Message(_, bytes)) = listener.next().await else { panic!("it is published") };
    assert_encrypted(&bytes);
    assert!(matches!(changes.next().await, Some(ChannelEvent::Message(Changes { id: 1 }, text)) if text == "hidden"));
    Listener { id: 2 }.publish(&bytes).query_async(&mut con).await.expect("the server replies");
    let Some(ChannelEvent::Undecodable(channel, error)) = changes.next().await else {
        panic!("it was for another channel")
    };
    assert_eq!((channel, error.kind()), (Changes { id: 2 }, ErrorKind::Decode));
}
