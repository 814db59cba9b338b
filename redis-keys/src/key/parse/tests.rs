//! What is read back, and what is refused.

mod properties;

use std::{borrow::Cow, marker::PhantomData, num::NonZero, sync::Arc};

use redis_keys_macros::RedisKey;

use crate::{
    ErrorKind, KeySegment, ParseKey, RedisKey as _, Sent,
    parameter::{ParseSegment, SegmentWriter},
    testing,
    testing::keys::Name,
};

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

#[track_caller]
fn refused<'k, K: ParseKey<'k>>(key: &'k (impl AsRef<[u8]> + ?Sized)) -> String {
    let error = K::parse(key).err().expect("it is no such key");
    assert_eq!((error.kind(), error.sent(), error.key(), error.rule()), (ErrorKind::Parse, Sent::No, None, None));
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
fn other_keys_are_refused() {
    for text in ["", "user:name", "user:name.x:ada:string", "User:name:ada:string", " user:name:ada:string", "x"] {
        assert_eq!(refused::<User<'_>>(text), "it does not begin with `user:name:`", "{text:?}");
    }
    for text in [
        "user:name:ada",
        "user:name:ada:",
        "user:name:ada:strin",
        "user:name:ada:strings",
        "user:name:ada:string:",
        "user:name:ada:string\n",
        "user:name:ada:more:string",
        "user:name:ada:list",
    ] {
        let told = "behind parameter `user` stands something else than `:string`";
        assert_eq!(refused::<User<'_>>(text), told, "{text:?}");
    }
    assert_eq!(refused::<Settings>("app:settings:string:"), "it is not `app:settings:string`");
    assert_eq!(
        refused::<Stock>("shop:stock:v.7:1:of.tea:string"),
        "behind parameter `item` stands something else than `.now:string`"
    );
    assert_eq!(refused::<Stock>("shop:stock:v.7.1:1:of.tea.now:string"), "behind parameter `version` there is no `:`");
    assert_eq!(refused::<Stock>("shop:stock:v.7:1:tea.now:string"), "behind parameter `shop` there is no `:of.`");
    assert_eq!(refused::<Items>("cart:42:items:list"), "it does not begin with `cart:{`");
    assert_eq!(
        refused::<Items>("cart:{42:items:list"),
        "behind parameter `id` stands something else than `}:items:list`"
    );
    assert_eq!(
        refused::<Items>("cart:{{42}}:items:list"),
        "parameter `id` has a brace at byte 1; it would choose the cluster slot"
    );
    assert_eq!(
        refused::<Items>("cart:{42}}:items:list"),
        "behind parameter `id` stands something else than `}:items:list`"
    );
}

#[test]
fn text_that_no_key_has_is_refused() {
    for (text, told) in [
        ("", "is empty; each part of a key has at least one letter or digit"),
        ("Ada", "has an upper-case letter at byte 1; keys are lower case"),
        ("a b", "has a space at byte 2; a key holds `a` to `z`, `0` to `9`, `.` and `:`"),
        ("\u{e9}", "has a letter beyond ASCII at byte 1; a key holds `a` to `z`, `0` to `9`, `.` and `:`"),
        ("a\0", "has a control character at byte 2; a key holds `a` to `z`, `0` to `9`, `.` and `:`"),
        ("{a}", "has a brace at byte 1; it would choose the cluster slot"),
        ("a{}", "has a brace at byte 2; it would choose the cluster slot"),
        ("a}", "has a brace at byte 2; it would choose the cluster slot"),
        ("a..b", "has a `.` at byte 3 that does not stand between two words"),
        (".a", "has a `.` at byte 1 that does not stand between two words"),
        ("a.", "has a `.` at byte 2 that does not stand between two words"),
    ] {
        assert_eq!(refused::<User<'_>>(&format!("user:name:{text}:string")), format!("parameter `user` {told}"));
    }
    assert_eq!(
        refused::<User<'_>>(b"user:name:\xff\xfe:string"),
        "parameter `user` has a letter beyond ASCII at byte 1; a key holds `a` to `z`, `0` to `9`, `.` and `:`"
    );
}

#[test]
fn numbers_are_refused_that_are_written_otherwise() {
    let no_u64 = "is no whole number that a `u64` can be";
    let zero = "starts with a 0, as no number in a key does";
    for (text, told) in [
        ("007", zero),
        ("00", zero),
        ("a", no_u64),
        ("18446744073709551616", no_u64),
        ("1.0", no_u64),
        ("1e5", no_u64),
        ("0x1", zero),
        ("+7", "has a sign at byte 1; a key holds `a` to `z`, `0` to `9`, `.` and `:`"),
        ("-7", "has a `-` at byte 1; a key holds `a` to `z`, `0` to `9`, `.` and `:`"),
        ("1_000", "has a `_` at byte 2; a key holds `a` to `z`, `0` to `9`, `.` and `:`"),
    ] {
        let text = format!("cart:{{{text}}}:items:list");
        assert_eq!(refused::<Items>(&text), format!("parameter `id` {told}"), "{text}");
    }
    assert_eq!(Items::parse("cart:{0}:items:list").unwrap().id, 0);
    assert_eq!(Items::parse("cart:{18446744073709551615}:items:list").unwrap().id, u64::MAX);
    assert_eq!(refused::<Stock>("shop:stock:v.0:1:of.tea.now:string"), "parameter `version` is 0, which it cannot be");
    assert_eq!(
        refused::<Stock>("shop:stock:v.1:256:of.tea.now:string"),
        "parameter `shop` is no whole number that a `u8` can be"
    );
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
    assert_eq!(read::<i8>("128"), Err("is no whole number that a `i8` can be"));
    assert_eq!(read(&u128::MAX.to_string()), Ok(u128::MAX));
    assert_eq!(read("7"), Ok(NonZero::<usize>::new(7).unwrap()));
    assert_eq!(read("a.b"), Ok("a.b".to_owned()));
    assert_eq!(read("a"), Ok(Box::<str>::from("a")));
    assert_eq!(read("a"), Ok(Arc::<str>::from("a")));
    assert_eq!(read("7"), Ok(Box::new(7_u8)));
}

#[cfg(feature = "uuid")]
#[test]
fn uuids() {
    let id = uuid::Uuid::from_u128(15);
    assert_eq!(read("0000000000000000000000000000000f"), Ok(id));
    for text in ["f", "0000000000000000000000000000000g", "000000000000000000000000000000000"] {
        assert_eq!(read::<uuid::Uuid>(text), Err("is no UUID of 32 hexadecimal digits"));
    }
}

/// No day is taken for another one, and no text that is none for one.
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
        assert_eq!(read::<T>(text), Err("is no day, such as `20260131`"), "{text}");
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

/// Reads more than it writes, as implementations by hand may.
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
fn no_implementation_lets_through_what_it_does_not_write() {
    assert_eq!(Token::parse("user:token:ff:string").unwrap(), Token { token: Lenient(255) });
    assert_eq!(
        refused::<Token>("user:token:00ff:string"),
        "parameter `token` is read as a value that is written otherwise"
    );
    assert_eq!(refused::<Token>("user:token:x:string"), "parameter `token` is not hexadecimal");
}

#[test]
fn a_key_has_at_most_128_bytes() {
    let text = |len: usize| format!("user:name:{}:string", "x".repeat(len - "user:name::string".len()));
    assert_eq!(User::parse(&text(128)).unwrap().user.len(), 111);
    assert_eq!(refused::<User<'_>>(&text(129)), "it has 129 bytes; a key has at most 128");
    // As quickly as any other text.
    assert_eq!(refused::<User<'_>>(&vec![b'x'; 1_000_000]), "it has 1000000 bytes; a key has at most 128");
}

#[test]
fn a_test_reads_the_keys_of_its_own() {
    let outside = String::from(User { user: "ada" }.key().unwrap());
    let keys = testing::own_keys();
    let inside = String::from(User { user: "ada" }.key().unwrap());
    assert_eq!(User::parse(&inside).unwrap(), User { user: "ada" });
    assert_eq!(refused::<User<'_>>(&outside), "it does not begin as the keys of this test do");
    let longest = format!("{}user:name:{}:string", keys.prefix(), "x".repeat(111));
    assert!(User::parse(&longest).is_ok());
    assert_eq!(refused::<User<'_>>(&longest.replace(":string", "x:string")), "it has 129 bytes; a key has at most 128");
    drop(keys);
    assert_eq!(refused::<User<'_>>(&inside), "it does not begin with `user:name:`");
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

/// Shards of two fields, of which one stands behind its own, and one is the hash tag.
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
    let other = "is the shard of another number than the one beside it";
    for (text, told) in [
        ("user:tags:v.19.3:{70}:4207:a:set", format!("parameter `id` {other}")),
        ("user:tags:v.19.3:{8}:4207:a:set", format!("parameter `id` {other}")),
        ("user:tags:v.19.3:{107}:4207:a:set", format!("parameter `id` {other}")),
        ("user:tags:v.19.11:{7}:4207:a:set", format!("parameter `page` {other}")),
        ("user:tags:v.20.3:{7}:4207:a:set", format!("parameter `page` {other}")),
        // The first of both.
        ("user:tags:v.20.3:{8}:4207:a:set", format!("parameter `page` {other}")),
        ("user:tags:v.19.3:{07}:4207:a:set", "parameter `id` starts with a 0, as no number in a key does".to_owned()),
        ("user:tags:v.19.3:{x}:4207:a:set", "parameter `id` is no whole number that a `u32` can be".to_owned()),
        ("user:tags:v.19.3:7:4207:a:set", "behind parameter `page` there is no `:{`".to_owned()),
    ] {
        assert_eq!(refused::<Tags<'_, u64>>(text), told, "{text}");
    }
    // In front of it there may be something.
    let keys = testing::own_keys();
    let key = tags.key().unwrap();
    assert_eq!(Tags::parse(&key).unwrap(), tags);
    let other_shard = key.replace("{7}", "{8}");
    assert_eq!(refused::<Tags<'_, u64>>(&other_shard), format!("parameter `id` {other}"));
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
        refused::<Plans<'_>>("shop:plans:basic:ada:202611:string"),
        "parameter `plan` is none of the names that it can be"
    );
    assert_eq!(
        refused::<Plans<'_>>("shop:plans:free:ada:202613:string"),
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
struct Titled<T> {
    #[redis_key(base32)]
    title: Title,
    #[redis_key(base32)]
    note: UserId<T>,
}

#[cfg(feature = "base32")]
#[test]
fn newtypes_are_read_from_base32() {
    let title = Title { text: UserId("A b:{é}".into(), PhantomData), of: PhantomData };
    let key = Titled { title, note: UserId("\0".to_owned(), PhantomData) };
    let text = key.key().unwrap();
    assert_eq!(text, "file:title:ieqgeot3youx2:v.aa.of:string");
    assert_eq!(Titled::parse(&text).unwrap(), key);
    assert_eq!(
        refused::<Titled<String>>("file:title:74:v.aa.of:string"),
        "parameter `title` is no text in UTF-8, in base32"
    );
    // As it is refused when it is written.
    assert_eq!(
        refused::<Titled<String>>("file:title::v.aa.of:string"),
        "parameter `title` is empty; each part of a key has at least one letter or digit"
    );
}

#[cfg(feature = "base32")]
#[test]
fn base32_is_read() {
    let file = File { name: "A b:{é}".to_owned(), hash: [0, 255, 7] };
    let key = file.key().unwrap();
    assert_eq!(File::parse(&key).unwrap(), file);
    for (text, told) in [
        ("file:path:v.1.of:ad7qo:string", "parameter `name` is not in base32"),
        ("file:path:v.74.of:ad7qo:string", "parameter `name` is no text in UTF-8, in base32"),
        ("file:path:v.me.of:ad7q:string", "parameter `hash` has another number of bytes, in base32"),
        // Bits behind the last byte.
        ("file:path:v.mf.of:ad7qo:string", "parameter `name` is read as a value that is written otherwise"),
    ] {
        assert_eq!(refused::<File>(text), told, "{text}");
    }
}
