//! Encrypted values before and after keys are installed, in a process of their own.

#![cfg(all(feature = "cache", feature = "secret", feature = "zstd"))]
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test cannot continue without them")]

use std::convert::Infallible;
use std::time::Duration;

use redis_keys::cache::{Cache, LoadError};
use redis_keys::prelude::*;
use redis_keys::redis::{Cmd, ConnectionLike, Pipeline, RedisFuture, RedisResult, Value};
use redis_keys::secret::{self, Keyring, KeyringError};
use redis_keys::{Error, ErrorKind, SendStatus};

#[derive(RedisKey)]
#[redis_key(user:token:{user}:string, value = Secret<String>, ttl = 1h)]
struct Token {
    user: u32,
}

#[derive(RedisHash)]
struct Account {
    #[redis_hash(value = Secret<String>)]
    refresh_token: String,
}

#[derive(RedisKey)]
#[redis_key(user:account:{user}:hash, value = Account, ttl = 1h)]
struct UserAccount {
    user: u32,
}

#[derive(RedisKey)]
#[redis_key(shop:token:{shop}:{copy}:string, value = Secret<String>, ttl = 1h, copies = 3)]
struct CopiedToken {
    shop: u32,
}

#[derive(RedisKey)]
#[redis_key(shop:word:{shop}.{copy}.of:string, value = Secret<String>, ttl = 1h, copies = 3)]
struct CopiedWord {
    shop: u32,
}

/// A form around an encrypted one, which the schema cannot see.
type HiddenForm = redis_keys::stored::Zstd<WrappedForm>;

struct WrappedForm;

impl redis_keys::stored::Stored for WrappedForm {
    type Input = str;
    type Output = String;

    fn encode(value: &str, out: &mut impl std::io::Write) -> Result<(), redis_keys::stored::StoredError> {
        redis_keys::stored::Secret::<String>::encode(value, out)
    }

    fn decode(bytes: Vec<u8>) -> Result<String, redis_keys::stored::StoredError> {
        redis_keys::stored::Secret::<String>::decode(bytes)
    }
}

#[derive(RedisKey)]
#[redis_key(user:wrapped:{user}:string, value = HiddenForm, ttl = 1h)]
struct InAnother {
    user: u32,
}

type EncryptedText = redis_keys::stored::Secret<String>;

#[derive(RedisKey)]
#[redis_key(user:members:{user}:set, value = EncryptedText, ttl = 1h)]
struct Members {
    user: u32,
}

#[derive(RedisKey)]
#[redis_key(user:alias:{user}:string, value = EncryptedText, ttl = 1h)]
struct Alias {
    user: u32,
}

#[derive(RedisKey)]
#[redis_key(user:fields:{user}:hash, field = EncryptedText, value = u64, ttl = 1h)]
struct Fields {
    user: u32,
}

#[derive(RedisKey)]
#[redis_key(user:codes:list, value = Secret<String>, ttl = 1h)]
struct Codes;

#[derive(RedisKey)]
#[redis_key(queue:mails:zset, value = Secret<String>, ttl = 7d, jobs(lease = 1m))]
struct Mails;

/// Encrypted items are other bytes each time.
#[test]
fn items_cannot_be_found_by_their_bytes() {
    let (removed, found) = (Codes.lrem(0, "hunter2").packed(), Codes.lpos("hunter2").packed());
    for error in [removed.unwrap_err(), found.unwrap_err()] {
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Encode, SendStatus::No));
        assert!(error.to_string().contains("cannot be found by their bytes"), "{error}");
    }
}

#[derive(RedisKey)]
#[redis_key(cache:token:{user}:string, value = Secret<String>, ttl = 1h, jitter = 5m, cache(null_ttl = 5m))]
struct CachedToken {
    user: u32,
}

/// A server that replies with a value.
#[derive(Clone)]
struct Reply(Value);

impl redis_keys::redis::aio::ConnectionLike for Reply {
    fn req_packed_command<'a>(&'a mut self, _: &'a Cmd) -> RedisFuture<'a, Value> {
        let reply = self.0.clone();
        Box::pin(async { Ok(reply) })
    }

    fn req_packed_commands<'a>(&'a mut self, _: &'a Pipeline, _: usize, count: usize) -> RedisFuture<'a, Vec<Value>> {
        let replies = vec![self.0.clone(); count];
        Box::pin(async { Ok(replies) })
    }

    fn get_db(&self) -> i64 {
        0
    }
}

impl ConnectionLike for Reply {
    fn req_packed_command(&mut self, _: &[u8]) -> RedisResult<Value> {
        Ok(self.0.clone())
    }

    fn req_packed_commands(&mut self, _: &[u8], _: usize, count: usize) -> RedisResult<Vec<Value>> {
        Ok(vec![self.0.clone(); count])
    }

    fn get_db(&self) -> i64 {
        0
    }

    fn check_connection(&mut self) -> bool {
        true
    }

    fn is_open(&self) -> bool {
        true
    }
}

/// Values that `PyNaCl` has encrypted with `crypto_aead_xchacha20poly1305_ietf_encrypt`: the key is 1 to 32, and the nonce 100 to
/// 123.
const OF_STRING: &str =
    "f56b3030316465666768696a6b6c6d6e6f707172737475767778797a7bd5b1d766eb29b015db888a61913db14c89ec9c027d0eb3";
const OF_FIELD: &str =
    "f56b3030316465666768696a6b6c6d6e6f707172737475767778797a7bd5b1d766eb29b0dca1b27e823e70d172d9357d2613d003";
const OF_COPY: &str =
    "f56b3030316465666768696a6b6c6d6e6f707172737475767778797a7bd5b1d766eb29b05900187b7ed70aa630f2897c2606b987";

fn bytes(hex: &str) -> Value {
    let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    Value::BulkString((0..hex.len()).step_by(2).map(byte).collect())
}

fn get(stored: &Value) -> Result<Option<String>, Error> {
    Token { user: 42 }.get().query(&mut Reply(stored.clone()))
}

#[test]
fn keys_are_installed_once() {
    // Before.
    let error = Token { user: 42 }.set("hunter2").packed().unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Encode, SendStatus::No));
    assert!(error.to_string().contains("call `redis_keys::secret::install` at program start"), "{error}");
    let error = get(&bytes(OF_STRING)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode);
    assert!(error.to_string().contains("call `redis_keys::secret::install` at program start"), "{error}");

    // Reads that would remove a value which cannot be decrypted.
    let removed = [
        Token { user: 42 }.get_del().packed().unwrap_err(),
        Codes.lpop().packed().unwrap_err(),
        Codes.rpop().packed().unwrap_err(),
        Codes.lpop_many(9).packed().unwrap_err(),
        Codes.rpop_many(9).packed().unwrap_err(),
        Mails.take(9).packed().unwrap_err(),
    ];
    for error in removed {
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Decode, SendStatus::No));
        assert!(error.to_string().contains("call `redis_keys::secret::install` at program start"), "{error}");
    }

    // No server is there to be asked.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let popped = runtime.block_on(async {
        let con = redis_keys::connect("redis://127.0.0.1:1/").unwrap();
        Codes.blpop(Duration::from_secs(1)).query_async(&mut con.blocking()).await
    });
    assert_eq!(popped.unwrap_err().kind(), ErrorKind::Decode);

    // Neither is a cached value replaced that others can read.
    let cache = Cache::new(Reply(bytes(OF_STRING)));
    let load = cache.get_or_load(&CachedToken { user: 42 }, async || -> Result<Option<String>, Infallible> {
        panic!("the loader does not run")
    });
    let Err(LoadError::Refused(error)) = runtime.block_on(load) else { panic!("it cannot be decrypted") };
    assert!(error.to_string().contains("call `redis_keys::secret::install` at program start"), "{error}");

    // What is no keyring.
    let key = std::array::from_fn(|index| u8::try_from(index).unwrap() + 1);
    let install = |keys: &[([u8; 4], [u8; 32])]| secret::install(Keyring::new(keys.iter().copied()));
    assert_eq!(install(&[]), Err(KeyringError::Empty));
    assert_eq!(install(&[(*b"k001", key), (*b"k001", [7; 32])]), Err(KeyringError::DuplicateId));
    assert_eq!(install(&[(*b"k001", key), (*b"k000", [0; 32])]), Err(KeyringError::ZeroKey));
    let digits = "ab".repeat(32);
    for text in [
        "",
        "k001",
        "k001:",
        "k1:00",
        &format!("k01:{digits}"),
        &format!("k001:{digits}0"),
        &format!("k001:{digits}00"),
        &format!("k001:{}", "g".repeat(64)),
        &format!("k001={digits}"),
        &format!("k001:{digits},"),
    ] {
        assert_eq!(Keyring::parse(text).err(), Some(KeyringError::Text), "{text}");
    }
    let parsed = Keyring::parse(&format!("k001:{digits}, k\x01ab:{digits}")).unwrap();
    assert_eq!(format!("{parsed:?}"), r#"Keyring(["k001", "k\\x01ab"])"#);

    // After.
    assert_eq!(install(&[(*b"k001", key)]), Ok(()));
    assert_eq!(install(&[(*b"k001", key)]), Err(KeyringError::Installed));
    assert!(Token { user: 42 }.set("hunter2").packed().is_ok());
    assert_eq!(get(&bytes(OF_STRING)).unwrap().as_deref(), Some("hunter2"));
    assert!(get(&bytes(OF_FIELD)).is_err());
    let account = UserAccount { user: 42 };
    let read = account.load().query(&mut Reply(Value::Array(vec![bytes(OF_FIELD)]))).unwrap().unwrap();
    assert_eq!(read.refresh_token, "hunter2");
    assert!(account.load().query(&mut Reply(Value::Array(vec![bytes(OF_STRING)]))).is_err());
    for copy in 0..3 {
        let get = |shop| CopiedToken { shop }.copy(copy).get().query(&mut Reply(bytes(OF_COPY)));
        assert_eq!(get(7).unwrap().as_deref(), Some("hunter2"));
        assert!(get(8).is_err());
    }
    let stored = CopiedWord { shop: 7 }.copy(0).set("hunter2").packed().unwrap();
    let start = stored.windows(5).position(|bytes| bytes == b"\xf5k001").unwrap();
    let stored = Value::BulkString(stored[start..start + 45 + 7].to_vec());
    let read = |shop, copy| CopiedWord { shop }.copy(copy).get().query(&mut Reply(stored.clone()));
    assert_eq!(read(7, 2).unwrap().as_deref(), Some("hunter2"));
    assert!(read(8, 2).is_err());

    // What the schema cannot see.
    assert!(Alias { user: 1 }.set("hunter2").packed().is_ok());
    for error in
        [Members { user: 1 }.sadd("a").packed().unwrap_err(), Members { user: 1 }.srem("a").packed().unwrap_err()]
    {
        assert!(error.to_string().contains("members cannot be encrypted"), "{error}");
    }
    assert!(Fields { user: 1 }.hset("a", &1).packed().is_err());
    let error = InAnother { user: 1 }.set("hunter2").packed().unwrap_err();
    assert!(error.to_string().contains("`Secret` is not the outermost form of the value"), "{error}");
}
