//! Stored forms on a server.

use redis_keys::prelude::*;
use redis_keys::stored::{Stored, StoredError};
use redis_keys::{ErrorKind, Rule};
use redis_keys_tests::{Con, on_every_connection};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Article {
    title: String,
    text: String,
    words: Option<u32>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Message {
    #[prost(string, tag = "1")]
    title: String,
    #[prost(string, tag = "2")]
    text: String,
}

/// A custom form: reversed text.
struct Backwards;

impl Stored for Backwards {
    type Input = str;
    type Output = String;

    fn encode(value: &str, out: &mut impl std::io::Write) -> Result<(), StoredError> {
        String::encode(&value.chars().rev().collect::<String>(), out)
    }

    fn decode(bytes: Vec<u8>) -> Result<String, StoredError> {
        String::decode(bytes).map(|text| text.chars().rev().collect())
    }
}

macro_rules! keys {
    ($($name:ident $template:literal $value:ty;)*) => {$(
        #[derive(RedisKey)]
        #[redis_key($template, value = $value, ttl = 1h)]
        struct $name {
            id: u32,
        }
    )*};
}

keys! {
    InJson "form:json:{id}:string" Json<Article>;
    InMessagePack "form:messagepack:{id}:string" MessagePack<Article>;
    InPostcard "form:postcard:{id}:string" Postcard<Article>;
    InProtobuf "form:protobuf:{id}:string" Protobuf<Message>;
    InZstd "form:zstd:{id}:string" Zstd<Json<Article>>;
    InGzip "form:gzip:{id}:string" Gzip<Protobuf<Message>>;
    InSnappy "form:snappy:{id}:string" Snappy<Postcard<Article>>;
    InLz4 "form:lz4:{id}:string" Lz4<MessagePack<Article>>;
    OwnInZstd "form:own.zstd:{id}:string" Zstd<Backwards>;
    TextInGzip "form:text.gzip:{id}:string" Gzip<String>;
    BytesInLz4 "form:bytes.lz4:{id}:string" Lz4<Vec<u8>>;
}

fn article(lines: usize) -> Article {
    Article { title: "Less".to_owned(), text: "less is more\n".repeat(lines), words: Some(3) }
}

fn message(lines: usize) -> Message {
    Message { title: "Less".to_owned(), text: "less is more\n".repeat(lines) }
}

fn stored(con: &mut Con, key: &impl RedisKey) -> Vec<u8> {
    con.raw(&["GET", key.key().expect("the key is valid").as_str()])
}

/// Sets and gets a value, and asserts its stored size and its expiry.
macro_rules! round_trip {
    ($con:ident $($name:ident $value:expr, $most:literal;)*) => {$({
        let (key, value) = ($name { id: 42 }, $value);
        $con.ok(key.set(&value));
        assert_eq!($con.ok(key.get()).as_ref(), Some(&value), stringify!($name));
        let stored = stored($con, &key);
        assert!(stored.len() <= $most, "{} takes {} bytes", stringify!($name), stored.len());
        $con.assert_left(key.key().expect("the key is valid").as_str(), 3_600_000);
        assert_eq!($con.ok(key.get_del()), Some(value));
    })*};
}

#[test]
fn every_stored_form_decodes_what_it_encodes() {
    on_every_connection(|con| {
        round_trip! { con
            InJson article(1), 56;
            InMessagePack article(1), 42;
            InPostcard article(1), 22;
            InProtobuf message(1), 21;
            InZstd article(1), 57;
            InGzip message(1), 22;
            InSnappy article(1), 23;
            InLz4 article(1), 43;
            InZstd article(10_000), 100;
            InGzip message(10_000), 700;
            InSnappy article(10_000), 7_000;
            InLz4 article(10_000), 700;
            OwnInZstd "less is more\n".repeat(10_000), 100;
            TextInGzip "less is more\n".repeat(10_000), 700;
            BytesInLz4 vec![7; 200_000], 1_000;
        }
    });
}

/// Text that cannot be compressed much.
fn noise(len: usize) -> String {
    let mut state = 42u64;
    let letter = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(b' ' + state.to_be_bytes()[0] % 64)
    };
    std::iter::repeat_with(letter).take(len).collect()
}

#[test]
fn size_limits_apply_to_the_stored_form() {
    on_every_connection(|con| {
        let key = InZstd { id: 7 };
        con.ok(key.set(&article(1)));
        // Larger than the limit of 10 KB before compression, and smaller after it.
        let large = article(100_000);
        con.ok(key.set(&large));
        assert_eq!(con.ok(key.strlen()), stored(con, &key).len() as u64);
        let noise = noise(20_000);
        let error = con.refused(key.set(&Article { text: noise, ..article(1) }));
        assert_eq!((error.kind(), error.rule()), (ErrorKind::ValueSize, Some(Rule::ValueSize)));
        assert!(
            error.to_string().contains("at most 10240; declare `max_bytes = 16KB` to allow it [value-size]"),
            "{error}"
        );
        let error = con.refused(key.set(&Article { text: "a".repeat(17 << 20), ..article(1) }));
        assert_eq!(error.kind(), ErrorKind::Encode);
        assert!(error.to_string().contains("exceeds 16MB before compression"), "{error}");
        assert_eq!(con.ok(key.get()), Some(large));
    });
}

#[test]
fn undecodable_values_are_reported_without_their_text() {
    on_every_connection(|con| {
        let store = |con: &mut Con, name: &str, text: &str| {
            let _: () = con.raw(&["SET", &format!("form:{name}:3:string"), text, "EX", "60"]);
        };
        store(con, "zstd", r#"{"title":"secret"}"#);
        let error = con.error(InZstd { id: 3 }.get());
        assert_eq!((error.kind(), error.rule()), (ErrorKind::Decode, Some(Rule::StoredForm)));
        assert_eq!(
            error.to_string(),
            "value of `InZstd` (form:zstd:3:string) cannot be decoded as `Zstd<Json<Article>>`: missing compression \
             marker (18 bytes) [stored-form]"
        );
        for name in ["messagepack", "postcard", "protobuf", "gzip", "snappy", "lz4"] {
            store(con, name, "secret\u{7f}");
        }
        for error in [
            con.error(InMessagePack { id: 3 }.get()),
            con.error(InPostcard { id: 3 }.get()),
            con.error(InProtobuf { id: 3 }.get()),
            con.error(InGzip { id: 3 }.get()),
            con.error(InSnappy { id: 3 }.get()),
            con.error(InLz4 { id: 3 }.get()),
        ] {
            assert_eq!(error.kind(), ErrorKind::Decode, "{error}");
            assert!(!format!("{error} {error:?}").contains("secret"), "{error}");
        }
    });
}

#[derive(KeySegment, Clone, Copy, Debug, PartialEq)]
enum Color {
    LightBlue,
    Red,
}

#[derive(RedisKey)]
#[redis_key(form:color:{id}:string, value = Color, ttl = 1h)]
struct OfColor {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(form:devices:{id}:set, value = uuid::Uuid, ttl = 1h)]
struct Devices {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(form:seen:{id}:hash, field = std::net::IpAddr, value = redis_keys::parameter::bucket::Day, ttl = 1h)]
struct VisitDays {
    id: u32,
}

#[derive(Debug, PartialEq, RedisHash)]
struct Car {
    color: Color,
    id: Option<uuid::Uuid>,
}

#[derive(RedisKey)]
#[redis_key(form:car:{id}:hash, value = Car, ttl = 1h)]
struct OfCar {
    id: u32,
}

#[test]
fn types_of_parameters_are_stored_in_the_same_text() {
    on_every_connection(|con| {
        con.ok(OfColor { id: 1 }.set(&Color::LightBlue));
        assert_eq!(con.raw::<String>(&["GET", "form:color:1:string"]), "light.blue");
        assert_eq!(con.ok(OfColor { id: 1 }.get()), Some(Color::LightBlue));
        let device = uuid::Uuid::from_u128(7);
        con.ok(Devices { id: 1 }.sadd(&device));
        assert_eq!(con.ok(Devices { id: 1 }.spop()), Some(device));
        let (address, day) = ([192, 0, 2, 7].into(), "20260131".parse().expect("it is a day"));
        con.ok(VisitDays { id: 1 }.hset(&address, &day));
        assert_eq!(con.raw::<String>(&["HGET", "form:seen:1:hash", "c0000207"]), "20260131");
        assert_eq!(con.ok(VisitDays { id: 1 }.hget(&address)), Some(day));
        let car = Car { color: Color::Red, id: Some(device) };
        con.ok(OfCar { id: 1 }.store(&car));
        assert_eq!(con.ok(OfCar { id: 1 }.load()), Some(car));
        con.raw::<String>(&["SET", "form:color:1:string", "green", "KEEPTTL"]);
        assert_eq!(con.error(OfColor { id: 1 }.get()).kind(), ErrorKind::Decode);
    });
}
