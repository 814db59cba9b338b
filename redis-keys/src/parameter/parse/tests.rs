//! Keys that are parsed, and text that is rejected.

mod properties;

use std::borrow::Cow;
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::NonZero;
use std::sync::Arc;

use redis_keys_macros::RedisKey;

use crate::parameter::{ParseSegment, SegmentWriter};
use crate::tests::keys::Name;
use crate::{ErrorKind, KeySegment, ParseKey, RedisKey as _, SendStatus, testing};

#[derive(Debug, PartialEq, RedisKey)]
#[redis_key(user:name:{user}:string, value = String, ttl = 1h, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
struct User<'a> {
    user: &'a str,
}

#[derive(Debug, PartialEq, RedisKey)]
#[redis_key(shop:stock:v.{version}:{shop}:of.{item}.now:string, value = u32, ttl = 1h, crate = crate)]
struct Stock {
    shop: u8,
    version: NonZero<u16>,
    item: String,
}

#[derive(Debug, PartialEq, RedisKey)]
#[redis_key(cart:{#id}:items:list, value = u32, ttl = 1h, crate = crate)]
struct Items {
    id: u64,
}

#[derive(Debug, PartialEq, RedisKey)]
#[redis_key(app:settings:string, value = String, ttl = 1h, crate = crate)]
struct Settings;

#[derive(Debug, PartialEq, RedisKey)]
#[redis_key(every:{1}:{2}:{3}:{4}:{5}:{6}:string, value = V, ttl = 1h, crate = crate)]
struct Every<'a, 'b, V, T>(PhantomData<V>, Cow<'a, str>, Box<str>, Arc<u16>, bool, T, &'b str);

/// The reason why text is not a key of `K`.
#[track_caller]
fn parse_error<'k, K: ParseKey<'k>>(key: &'k (impl AsRef<[u8]> + ?Sized)) -> String {
    let error = K::parse(key).err().expect("it is not a key");
    assert_eq!((error.kind(), error.sent(), error.key(), error.rule()), (ErrorKind::Parse, SendStatus::No, None, None));
    let text = error.to_string();
    let intro = format!("text is not a key of `{}` ({}): ", K::SCHEMA.name, K::SCHEMA.template);
    text.strip_prefix(&intro).expect("every one begins so").to_owned()
}

#[test]
fn what_was_written_is_read() {
    assert_eq!(User::parse("user:name:ada.2:string").unwrap(), User { user: "ada.2" });
    let stock = Stock { shop: 255, version: NonZero::new(7).unwrap(), item: "tea".to_owned() };
    assert_eq!(stock.key().unwrap(), "shop:stock:v.7:255:of.tea.now:string");
    assert_eq!(Stock::parse(&stock.key().unwrap()).unwrap(), stock);
    assert_eq!(Items::parse("cart:{42}:items:list").unwrap(), Items { id: 42 });
    assert_eq!(Settings::parse(b"app:settings:string").unwrap(), Settings);
    let every = Every::<'_, '_, String, _>(PhantomData, "a".into(), "b.c".into(), 3.into(), true, 4_i64, "d");
    let key = String::from(every.key().unwrap());
    assert_eq!(key, "every:a:b.c:3:true:4:d:string");
    let parsed = Every::<'_, '_, String, i64>::parse(&key).unwrap();
    assert_eq!(parsed, every);
    assert!(matches!(parsed.1, Cow::Borrowed(_)));
}

#[test]
fn what_is_borrowed_lives_as_long_as_the_text() {
    fn user(text: &str) -> &str {
        User::parse(text).unwrap().user
    }
    let text = format!("user:name:{}:string", "ada");
    assert_eq!(user(&text), "ada");
}

#[test]
fn other_keys_are_rejected() {
    for text in ["", "user:name", "user:name.x:ada:string", "User:name:ada:string", " user:name:ada:string", "x"] {
        assert_eq!(parse_error::<User<'_>>(text), "expected `user:name:` at the start", "{text:?}");
    }
    for end in ["", ":", ":strin", ":strings", ":string:", ":string\n", ":more:string", ":list"] {
        let text = format!("user:name:ada{end}");
        assert_eq!(parse_error::<User<'_>>(&text), "expected only `:string` after parameter `user`", "{text:?}");
    }
    assert_eq!(parse_error::<Settings>("app:settings:string:"), "expected only `app:settings:string`");
    for (text, message) in [
        ("shop:stock:v.7:1:of.tea:string", "expected only `.now:string` after parameter `item`"),
        ("shop:stock:v.7.1:1:of.tea.now:string", "expected `:` after parameter `version`"),
        ("shop:stock:v.7:1:tea.now:string", "expected `:of.` after parameter `shop`"),
    ] {
        assert_eq!(parse_error::<Stock>(text), message, "{text}");
    }
    for (text, message) in [
        ("cart:42:items:list", "expected `cart:{` at the start"),
        ("cart:{42:items:list", "expected only `}:items:list` after parameter `id`"),
        ("cart:{{42}}:items:list", "parameter `id` contains a brace at byte 1: it would set the cluster slot"),
        ("cart:{42}}:items:list", "expected only `}:items:list` after parameter `id`"),
    ] {
        assert_eq!(parse_error::<Items>(text), message, "{text}");
    }
}

const ALPHABET: &str = "keys contain only `a` to `z`, `0` to `9`, `.` and `:`";

#[test]
fn text_that_no_key_contains_is_rejected() {
    let slot = "it would set the cluster slot";
    for (text, message) in [
        ("", "is empty: it needs at least one letter or digit".to_owned()),
        ("Ada", "contains an upper-case letter at byte 1: keys are lower case".to_owned()),
        ("a b", format!("contains a space at byte 2: {ALPHABET}")),
        ("\u{e9}", format!("contains a non-ASCII character at byte 1: {ALPHABET}")),
        ("a\0", format!("contains a control character at byte 2: {ALPHABET}")),
        ("{a}", format!("contains a brace at byte 1: {slot}")),
        ("a{}", format!("contains a brace at byte 2: {slot}")),
        ("a}", format!("contains a brace at byte 2: {slot}")),
        ("a..b", "contains a `.` at byte 3 that is not between two words".to_owned()),
        (".a", "contains a `.` at byte 1 that is not between two words".to_owned()),
        ("a.", "contains a `.` at byte 2 that is not between two words".to_owned()),
    ] {
        let key = format!("user:name:{text}:string");
        assert_eq!(parse_error::<User<'_>>(&key), format!("parameter `user` {message}"));
    }
    assert_eq!(
        parse_error::<User<'_>>(b"user:name:\xff\xfe:string"),
        format!("parameter `user` contains a non-ASCII character at byte 1: {ALPHABET}")
    );
}

#[test]
fn numbers_are_canonical() {
    let zero = "has a leading zero";
    let invalid = "is not a valid `u64`";
    let [plus, minus, underscore] =
        [("`+`", 1), ("`-`", 1), ("`_`", 2)].map(|(byte, at)| format!("contains a {byte} at byte {at}: {ALPHABET}"));
    for (text, message) in [
        ("007", zero),
        ("00", zero),
        ("a", invalid),
        ("18446744073709551616", invalid),
        ("1.0", invalid),
        ("1e5", invalid),
        ("0x1", zero),
        ("+7", &plus),
        ("-7", &minus),
        ("1_000", &underscore),
    ] {
        let text = format!("cart:{{{text}}}:items:list");
        assert_eq!(parse_error::<Items>(&text), format!("parameter `id` {message}"), "{text}");
    }
    for (text, id) in [("cart:{0}:items:list", 0), ("cart:{18446744073709551615}:items:list", u64::MAX)] {
        assert_eq!(Items::parse(text).unwrap().id, id);
    }
    assert_eq!(parse_error::<Stock>("shop:stock:v.0:1:of.tea.now:string"), "parameter `version` is zero");
    assert_eq!(parse_error::<Stock>("shop:stock:v.1:256:of.tea.now:string"), "parameter `shop` is not a valid `u8`");
}

fn read<'k, T: ParseSegment<'k>>(text: &'k str) -> Result<T, &'static str> {
    T::parse(text)
}

#[test]
fn each_type_reads_its_own() {
    assert_eq!(read("true"), Ok(true));
    assert_eq!(read("false"), Ok(false));
    assert_eq!(read::<bool>("yes"), Err("is neither `true` nor `false`"));
    assert_eq!(read("127"), Ok(i8::MAX));
    assert_eq!(read::<i8>("128"), Err("is not a valid `i8`"));
    assert_eq!(read(&u128::MAX.to_string()), Ok(u128::MAX));
    assert_eq!(read("7"), Ok(NonZero::<usize>::new(7).unwrap()));
    assert_eq!(read("a.b"), Ok("a.b".to_owned()));
    assert_eq!(read("a"), Ok(Box::<str>::from("a")));
    assert_eq!(read("a"), Ok(Arc::<str>::from("a")));
    assert_eq!(read("7"), Ok(Box::new(7_u8)));
}

#[test]
fn ip_addresses() {
    const IPV4: &str = "is not an IPv4 address of 8 hexadecimal digits";
    const IPV6: &str = "is not an IPv6 address of 32 hexadecimal digits";
    let (four, six) = (Ipv4Addr::new(192, 0, 2, 7), Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1));
    assert_eq!(read("c0000207"), Ok(four));
    assert_eq!(read("20010db8000000000000000000000001"), Ok(six));
    assert_eq!(read("c0000207"), Ok(IpAddr::V4(four)));
    assert_eq!(read("20010db8000000000000000000000001"), Ok(IpAddr::V6(six)));
    for text in ["", "192.0.2.7", "c000020", "c00002070", "c000020g", "20010db8000000000000000000000001"] {
        assert_eq!(read::<Ipv4Addr>(text), Err(IPV4), "{text}");
    }
    for text in ["", "1", "c0000207", "20010db800000000000000000000000g"] {
        assert_eq!(read::<Ipv6Addr>(text), Err(IPV6), "{text}");
    }
    assert_eq!(read::<IpAddr>("c00002"), Err("is not an IP address of 8 or 32 hexadecimal digits"));
}

#[cfg(feature = "uuid")]
#[test]
fn uuids() {
    let id = uuid::Uuid::from_u128(15);
    assert_eq!(read("0000000000000000000000000000000f"), Ok(id));
    for text in ["f", "0000000000000000000000000000000g", "000000000000000000000000000000000"] {
        assert_eq!(read::<uuid::Uuid>(text), Err("is not a UUID of 32 hexadecimal digits"));
    }
}

#[allow(dead_code, reason = "each type is behind a feature")]
fn days<T: for<'k> ParseSegment<'k> + PartialEq + std::fmt::Debug>(day: T) {
    assert_eq!(read("20240229"), Ok(day));
    for text in [
        "20230229",
        "20241301",
        "20240001",
        "20240100",
        "20240132",
        "2024022",
        "202402290",
        "x0240229",
        "2024022x",
        "",
        "00000000",
    ] {
        assert_eq!(read::<T>(text), Err("is not a day such as `20261121`"), "{text}");
    }
    assert!(read::<T>("00000131").is_ok() && read::<T>("99991231").is_ok());
}

#[cfg(feature = "chrono")]
#[test]
fn days_of_chrono() {
    days(chrono::NaiveDate::from_ymd_opt(2024, 2, 29).unwrap());
}

#[cfg(feature = "jiff")]
#[test]
fn days_of_jiff() {
    days(jiff::civil::date(2024, 2, 29));
}

#[cfg(feature = "time")]
#[test]
fn days_of_time() {
    days(time::Date::from_calendar_date(2024, time::Month::February, 29).unwrap());
}

/// Parses more than it writes, as a hand-written implementation can.
#[derive(Debug, PartialEq)]
struct Lenient(u64);

impl KeySegment for Lenient {
    const LONGEST: Option<usize> = Some(16);

    fn write(&self, out: &mut SegmentWriter<'_>) {
        out.text(&format!("{:x}", self.0));
    }
}

impl ParseSegment<'_> for Lenient {
    fn parse(text: &str) -> Result<Self, &'static str> {
        u64::from_str_radix(text, 16).map(Self).map_err(|_| "is not hexadecimal")
    }
}

#[derive(Debug, PartialEq, RedisKey)]
#[redis_key(user:token:{token}:string, value = String, ttl = 1h, crate = crate)]
struct Token {
    token: Lenient,
}

#[test]
fn no_implementation_accepts_what_it_does_not_write() {
    assert_eq!(Token::parse("user:token:ff:string").unwrap(), Token { token: Lenient(255) });
    assert_eq!(parse_error::<Token>("user:token:00ff:string"), "parameter `token` is not in canonical form");
    assert_eq!(parse_error::<Token>("user:token:x:string"), "parameter `token` is not hexadecimal");
}

#[test]
fn a_key_has_at_most_128_bytes() {
    let text = |len: usize| format!("user:name:{}:string", "x".repeat(len - "user:name::string".len()));
    assert_eq!(User::parse(&text(128)).unwrap().user.len(), 111);
    assert_eq!(parse_error::<User<'_>>(&text(129)), "it has 129 bytes: the limit is 128");
    assert_eq!(parse_error::<User<'_>>(&vec![b'x'; 1_000_000]), "it has 1000000 bytes: the limit is 128");
}

#[test]
fn a_test_reads_the_keys_of_its_own() {
    let outside = String::from(User { user: "ada" }.key().unwrap());
    let keys = testing::own_keys();
    let inside = String::from(User { user: "ada" }.key().unwrap());
    assert_eq!(User::parse(&inside).unwrap(), User { user: "ada" });
    assert_eq!(parse_error::<User<'_>>(&outside), "expected the prefix of this test's own keys");
    let longest = format!("{}user:name:{}:string", keys.prefix(), "x".repeat(111));
    assert!(User::parse(&longest).is_ok());
    assert_eq!(parse_error::<User<'_>>(&longest.replace(":string", "x:string")), "it has 129 bytes: the limit is 128");
    drop(keys);
    assert_eq!(parse_error::<User<'_>>(&inside), "expected `user:name:` at the start");
    assert_eq!(Name { user: "ada" }.key().unwrap(), outside);
}

#[test]
fn no_message_holds_the_text() {
    for text in ["secret", "user:name:secret", "user:name:SECRET:string", "user:name:secret:string:secret"] {
        let error = User::parse(text).unwrap_err();
        let shown = format!("{error} {error:?}").to_lowercase();
        assert!(!shown.contains("secret"), "{shown}");
    }
}

/// Shards of two fields: one follows its field, the other is a hash tag before its field.
#[derive(Debug, PartialEq, RedisKey)]
#[redis_key(user:tags:v.{page}.{page % 8}:{#id % 100}:{id}:{tag}:set, value = u32, ttl = 1h, crate = crate)]
struct Tags<'a, I> {
    id: UserId<I>,
    tag: &'a str,
    page: u8,
}

#[test]
fn a_shard_is_that_of_the_number_beside_it() {
    let tags = Tags { id: UserId(4_207_u64, PhantomData), tag: "a.b", page: 19 };
    let key = tags.key().unwrap();
    assert_eq!(key, "user:tags:v.19.3:{7}:4207:a.b:set");
    assert_eq!(Tags::parse(&key).unwrap(), tags);
    let other = "is not the shard of the value beside it";
    for (text, message) in [
        ("user:tags:v.19.3:{70}:4207:a:set", format!("parameter `id` {other}")),
        ("user:tags:v.19.3:{8}:4207:a:set", format!("parameter `id` {other}")),
        ("user:tags:v.19.3:{107}:4207:a:set", format!("parameter `id` {other}")),
        ("user:tags:v.19.11:{7}:4207:a:set", format!("parameter `page` {other}")),
        ("user:tags:v.20.3:{7}:4207:a:set", format!("parameter `page` {other}")),
        // The first of two wrong shards.
        ("user:tags:v.20.3:{8}:4207:a:set", format!("parameter `page` {other}")),
        ("user:tags:v.19.3:{07}:4207:a:set", "parameter `id` has a leading zero".to_owned()),
        ("user:tags:v.19.3:{x}:4207:a:set", "parameter `id` is not a valid `u32`".to_owned()),
        ("user:tags:v.19.3:7:4207:a:set", "expected `:{` after parameter `page`".to_owned()),
    ] {
        assert_eq!(parse_error::<Tags<'_, u64>>(text), message, "{text}");
    }
    let keys = testing::own_keys();
    let key = tags.key().unwrap();
    assert_eq!(Tags::parse(&key).unwrap(), tags);
    let other_shard = key.replace("{7}", "{8}");
    assert_eq!(parse_error::<Tags<'_, u64>>(&other_shard), format!("parameter `id` {other}"));
    drop(keys);
}

#[derive(Debug, PartialEq, redis_keys_macros::KeySegment)]
#[redis_key(crate = crate)]
enum Plan {
    Free,
    BasicInfo,
    #[redis_key(rename = "x2")]
    Other {},
}

#[derive(Debug, PartialEq, redis_keys_macros::KeySegment)]
#[redis_key(crate = crate)]
struct UserId<T>(T, PhantomData<u8>);

#[derive(Debug, PartialEq, RedisKey)]
#[redis_key(shop:plans:{plan}:{user}:{month}:string, value = u32, ttl = 1h, crate = crate)]
struct Plans<'a> {
    plan: Plan,
    user: UserId<&'a str>,
    month: crate::parameter::bucket::Month,
}

#[test]
fn derived_parameters_and_buckets_are_read() {
    let month = crate::parameter::bucket::Month::new(2026, 11).unwrap();
    let plans = |plan| Plans { plan, user: UserId("ada", PhantomData), month };
    for (plan, text) in [(Plan::Free, "free"), (Plan::BasicInfo, "basic.info"), (Plan::Other {}, "x2")] {
        let key = plans(plan).key().unwrap();
        assert_eq!(key, format!("shop:plans:{text}:ada:202611:string"));
        assert_eq!(Plans::parse(&key).unwrap().key().unwrap(), key);
    }
    assert_eq!(Plans::parse("shop:plans:x2:ada:202611:string").unwrap(), plans(Plan::Other {}));
    assert_eq!(
        parse_error::<Plans<'_>>("shop:plans:basic:ada:202611:string"),
        "parameter `plan` is not one of the known names"
    );
    assert_eq!(
        parse_error::<Plans<'_>>("shop:plans:free:ada:202613:string"),
        "parameter `month` is not a month such as `202611`"
    );
}

#[cfg(feature = "base32")]
#[derive(Debug, PartialEq, RedisKey)]
#[redis_key(file:path:v.{name}.of:{hash}:string, value = u32, ttl = 1h, crate = crate)]
struct File {
    #[redis_key(base32)]
    name: String,
    #[redis_key(base32)]
    hash: [u8; 3],
}

#[cfg(feature = "base32")]
#[derive(Debug, PartialEq, redis_keys_macros::KeySegment)]
#[redis_key(crate = crate)]
struct Title {
    text: UserId<Box<str>>,
    of: PhantomData<()>,
}

#[cfg(feature = "base32")]
#[derive(Debug, PartialEq, RedisKey)]
#[redis_key(file:title:{title}:v.{note}.of:string, value = u32, ttl = 1h, crate = crate)]
struct TitledFile<T> {
    #[redis_key(base32)]
    title: Title,
    #[redis_key(base32)]
    note: UserId<T>,
}

#[cfg(feature = "base32")]
#[test]
fn newtypes_are_read_from_base32() {
    let title = Title { text: UserId("A b:{é}".into(), PhantomData), of: PhantomData };
    let key = TitledFile { title, note: UserId("\0".to_owned(), PhantomData) };
    let text = key.key().unwrap();
    assert_eq!(text, "file:title:ieqgeot3youx2:v.aa.of:string");
    assert_eq!(TitledFile::parse(&text).unwrap(), key);
    assert_eq!(
        parse_error::<TitledFile<String>>("file:title:74:v.aa.of:string"),
        "parameter `title` is not UTF-8 when decoded"
    );
    assert_eq!(
        parse_error::<TitledFile<String>>("file:title::v.aa.of:string"),
        "parameter `title` is empty: it needs at least one letter or digit"
    );
}

#[cfg(feature = "base32")]
#[test]
fn base32_is_read() {
    let file = File { name: "A b:{é}".to_owned(), hash: [0, 255, 7] };
    let key = file.key().unwrap();
    assert_eq!(File::parse(&key).unwrap(), file);
    for (text, message) in [
        ("file:path:v.1.of:ad7qo:string", "parameter `name` is not valid base32"),
        ("file:path:v.74.of:ad7qo:string", "parameter `name` is not UTF-8 when decoded"),
        ("file:path:v.me.of:ad7q:string", "parameter `hash` has the wrong number of bytes when decoded"),
        // Bits are set after the last byte.
        ("file:path:v.mf.of:ad7qo:string", "parameter `name` is not in canonical form"),
    ] {
        assert_eq!(parse_error::<File>(text), message, "{text}");
    }
}
