//! Keys under their legacy texts. The texts are format strings of public services.
#![allow(clippy::items_after_statements, clippy::unwrap_used, reason = "each test declares keys of its own")]

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use proptest::prelude::*;
use redis_keys::legacy_key::OtherName;
use redis_keys::prelude::*;
use redis_keys::{Error, redis};

/// Declares a key with a legacy text, and asserts that it writes what `format!` does.
macro_rules! writes {
    (
        $(#[$attribute:meta])* $name:ident { $($(#[$field:meta])* $member:ident: $ty:ty = $value:expr),* $(,)? }
        $expected:expr
    ) => {{
        #[derive(Clone, Debug, PartialEq, RedisKey)]
        $(#[$attribute])*
        struct $name { $($(#[$field])* $member: $ty),* }

        let key = $name { $($member: $value),* };
        let text = key.key().unwrap();
        assert_eq!(text, $expected);
        assert_eq!($name::parse(&text).unwrap(), key);
        // The other name is that of the template, which is parsed as well.
        let other = key.clone().other_name();
        match other.key() {
            Ok(text) => assert_eq!(<OtherName<$name>>::parse(&text).unwrap(), other),
            // The template refuses what `format!` writes.
            Err(error) => assert!(error.to_string().contains("parameter"), "{error}"),
        }
        assert!(key.take_over().packed().is_ok() || key.clone().other_name().key().is_err());
    }};
}

#[derive(Clone, Copy, Debug, PartialEq, KeySegment)]
enum Status {
    Pending,
    MinedTwice,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pending => "pending",
            Self::MinedTwice => "mined-twice",
        })
    }
}

impl FromStr for Status {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::Pending, Self::MinedTwice].into_iter().find(|status| status.to_string() == text).ok_or(())
    }
}

#[test]
#[allow(clippy::too_many_lines, reason = "each key of three services")]
fn the_keys_of_public_services_are_written_byte_by_byte() {
    let text = str::to_owned;
    let hash = "A".repeat(64);
    writes! {
        #[redis_key(user:data:{id}:string, value = Vec<u8>, ttl = 30m, legacy = "users:v4:{{{id}}}:{id}")]
        User { id: i64 = -7 }
        "users:v4:{-7}:-7"
    }
    writes! {
        #[redis_key(user:by.name:{name}:string, value = i64, ttl = 30m, legacy = "users_usernames:v4:{{{name}}}:{name}")]
        UserName { name: String = text("Ada-É") }
        "users_usernames:v4:{Ada-É}:Ada-É"
    }
    let token = "mra_".to_owned() + &"x".repeat(60);
    writes! {
        #[redis_key(session:by.token:{token}:string, value = i64, ttl = 1d, legacy = "sessions_ids:v4:{{{token}}}:{token}", allow(plain_secret, reason = "as it is"))]
        Session { token: String = token.clone() }
        format!("sessions_ids:v4:{{{token}}}:{token}")
    }
    writes! {
        #[redis_key(tag:category:string, value = String, ttl = 30m, legacy = "tags:v4:{{_metadata}}:category")]
        Category {}
        "tags:v4:{_metadata}:category"
    }
    writes! {
        #[redis_key(loader:fields:all:string, value = String, ttl = 30m, legacy = "loader_fields_all:v4:{{_metadata}}:")]
        LoaderFields {}
        "loader_fields_all:v4:{_metadata}:"
    }
    writes! {
        #[redis_key(
            version:file:{algorithm}:{hash}:string, value = String, ttl = 30m,
            legacy = "versions_files:v4:{{{algorithm}_{hash}}}:{algorithm}_{hash}",
        )]
        VersionFile { algorithm: String = text("sha512"), hash: String = hash.repeat(2) }
        format!("versions_files:v4:{{sha512_{0}}}:sha512_{0}", hash.repeat(2))
    }
    writes! {
        #[redis_key(
            stats:downloads:{project}:{ip}:string, value = u64, ttl = 1d,
            legacy = "downloads:v4:{{{project}-{ip}}}:{project}-{ip}",
        )]
        Downloads { project: u64 = 5, ip: IpAddr = "2001:db8::1".parse().unwrap() }
        "downloads:v4:{5-2001:db8::1}:5-2001:db8::1"
    }
    writes! {
        #[redis_key(client:rate:{ip}:string, value = u64, ttl = 1m, legacy = "rate_limit:v4:{{{ip}}}:{ip}")]
        Rate { ip: IpAddr = "::1".parse().unwrap() }
        "rate_limit:v4:{::1}:::1"
    }
    writes! {
        #[redis_key(content:resolve:{hash}:string, value = u64, ttl = 1m, legacy = "content_resolve:v4:{{3:{hash}}}:3:{hash}")]
        Content { #[redis_key(base32)] hash: String = hash.clone() }
        format!("content_resolve:v4:{{3:{hash}}}:3:{hash}")
    }
    writes! {
        #[redis_key(totp:used:{code}:{user}:string, value = bool, ttl = 1m, legacy = "used_totp:v4:{{{code}-{user}}}:{code}-{user}")]
        Totp { code: u32 = 123_456, user: i64 = -5 }
        "used_totp:v4:{123456--5}:123456--5"
    }
    writes! {
        #[redis_key(queue:main:list, value = String, ttl = 1d, legacy = "{{queue}}_svix_v3_main")]
        Main {}
        "{queue}_svix_v3_main"
    }
    writes! {
        #[redis_key(queue:delayed:zset, value = String, ttl = 1d, legacy = "{{queue}}_svix_delayed")]
        Delayed {}
        "{queue}_svix_delayed"
    }
    writes! {
        #[redis_key(lock:queue:delayed:string, lock, ttl = 30s, legacy = "{{queue}}_svix_delayed_lock")]
        DelayedLock {}
        "{queue}_svix_delayed_lock"
    }
    writes! {
        #[redis_key(app:endpoint.list:{org}:{app}:string, value = String, ttl = 1d, legacy = "SVIX_CACHE_APP_v3_org_{org}_app_{app}")]
        Endpoints { org: String = text("2abC"), app: String = text("9_app_") }
        "SVIX_CACHE_APP_v3_org_2abC_app_9_app_"
    }
    writes! {
        #[redis_key(
            app:failure:{org}:{app}:{endp}:string, value = String, ttl = 1d,
            legacy = "SVIX_FAILURE_CACHE_org_{org}_app_{app}_ep_{endp}",
        )]
        Failure { org: String = text("a"), app: String = text("b"), endp: String = text("c_ep_d") }
        "SVIX_FAILURE_CACHE_org_a_app_b_ep_c_ep_d"
    }
    writes! {
        #[redis_key(health:check:string, value = String, ttl = 1d, legacy = "health_check_value")]
        Health {}
        "health_check_value"
    }
    writes! {
        #[redis_key(relayer:data:{id}:string, value = String, ttl = 1d, legacy = "relayer:{id}")]
        Relayer { #[redis_key(no_colon)] id: String = text("Goerli-1") }
        "relayer:Goerli-1"
    }
    writes! {
        #[redis_key(relayer:tx:{id}:{tx}:string, value = String, ttl = 1d, legacy = "relayer:{id}:tx:{tx}")]
        RelayerTx { #[redis_key(no_colon)] id: String = text("a"), #[redis_key(no_colon)] tx: String = text("B-7") }
        "relayer:a:tx:B-7"
    }
    writes! {
        #[redis_key(relayer:of.tx:{tx}:string, value = String, ttl = 1d, legacy = "relayer:tx_to_relayer:{tx}")]
        OfTx { #[redis_key(no_colon)] tx: String = text("B-7") }
        "relayer:tx_to_relayer:B-7"
    }
    writes! {
        #[redis_key(relayer:by.status:{id}:{status}:zset, value = String, ttl = 1d, legacy = "relayer:{id}:status_sorted:{status}")]
        ByStatus { #[redis_key(no_colon)] id: String = text("a"), #[redis_key(no_colon)] status: Status = Status::MinedTwice }
        "relayer:a:status_sorted:mined-twice"
    }
    writes! {
        #[redis_key(relayer:nonce:{id}:{nonce}:string, value = String, ttl = 1d, legacy = "relayer:{id}:nonce:{nonce}")]
        Nonce { #[redis_key(no_colon)] id: String = text("a"), nonce: u64 = 7 }
        "relayer:a:nonce:7"
    }
    writes! {
        #[redis_key(network:by.name:{kind}:{name}:string, value = String, ttl = 1d, legacy = "network_name:{kind}:{name}")]
        Network { #[redis_key(no_colon)] kind: Status = Status::Pending, name: Box<str> = "a:b".into() }
        "network_name:pending:a:b"
    }
    writes! {
        #[redis_key(
            relayer:tx.counter:{relayer}:{address}:string, value = u64, ttl = 1d,
            legacy = "transaction_counter:{relayer}:{address}",
        )]
        Counter { relayer: String = text("a"), address: String = text("0xAb") }
        "transaction_counter:a:0xAb"
    }
    writes! {
        #[redis_key(relayer:all:set, value = String, ttl = 1d, legacy = "relayer_list")]
        List {}
        "relayer_list"
    }
}

#[test]
fn fields_are_written_in_their_formats() {
    #[derive(RedisKey)]
    #[redis_key(a:b:{id}:{name}:{r#type}:string, value = u64, ttl = 1h, formerly = r#"{id:05} "{name:?}"\{id:016x}|{id:X}/{type}"#)]
    struct Formats<'a> {
        id: u32,
        name: &'a str,
        r#type: bool,
    }

    let key = Formats { id: 0xBEEF, name: "a\"b", r#type: true };
    assert_eq!(key.other_name().key().unwrap(), format!(r#"{0:05} "{1:?}"\{0:016x}|{0:X}/{2}"#, 0xBEEF, "a\"b", true));
    let plain = Formats { id: 7, name: "tea", r#type: false };
    assert_eq!(plain.key().unwrap(), "a:b:7:tea:false:string");

    #[derive(Debug, PartialEq, RedisKey)]
    #[redis_key(a:c:{0}:{1}:string, value = u64, ttl = 1h, legacy = "T{1:04}-{0}")]
    struct Tuple(String, u16);

    let key = Tuple("x-".to_owned(), 7).key().unwrap();
    assert_eq!(key, "T0007-x-");
    assert_eq!(Tuple::parse(&key).unwrap(), Tuple("x-".to_owned(), 7));
    assert!(Tuple::parse("T7-x").is_err() && Tuple::parse("T00007-x").is_err());
}

#[derive(Debug, PartialEq, RedisKey)]
#[redis_key(job:unique:{queue}:{class}:{id}:string, value = u64, ttl = 1h, legacy = "unique:{queue}:{class}:{id}")]
struct Unique {
    queue: String,
    class: String,
    id: u64,
}

#[test]
fn values_that_would_share_a_key_are_refused() {
    let key = |queue: &str, class: &str| Unique { queue: queue.to_owned(), class: class.to_owned(), id: 7 };
    let text = key("mail", "A::B").key().unwrap();
    assert_eq!(text, "unique:mail:A::B:7");
    assert_eq!(Unique::parse(&text).unwrap(), key("mail", "A::B"));
    assert_eq!(Unique::parse("unique:::7").unwrap(), key("", ""));
    let error = key("ma:il", "A").key().unwrap_err();
    assert_eq!(
        error.to_string(),
        "parameter `queue` of `Unique` (job:unique:{queue}:{class}:{id}:string) contains `:`, which ends it in the legacy \
         text: different values would share a key; write what all values start with into the text, as in `org_{org}` \
         [one-key-each]"
    );
    for wrong in ["unique:mail:A", "unique:mail:A:x", "Unique:mail:A:7", "unique:mail:A:07", ""] {
        assert!(Unique::parse(wrong).is_err(), "{wrong}");
    }
    assert!(Unique::parse(&b"unique:\xFF:A:7"[..]).is_err());

    #[derive(RedisKey)]
    #[redis_key(a:d:{one}:{two}:string, value = u64, ttl = 1h, legacy = "D{one}::{two}")]
    struct DoubledColon<'a> {
        one: &'a str,
        two: &'a str,
    }
    assert!(DoubledColon { one: "a:", two: "b" }.key().is_err(), "`a:` before `::` is `a` before `:::`");
    assert_eq!(DoubledColon { one: ":a", two: ":b" }.key().unwrap(), "D:a:::b");

    #[derive(RedisKey)]
    #[redis_key(a:e:{one}:string, value = u64, ttl = 1h, legacy = "e{one}")]
    struct FlaggedKey<'a> {
        #[redis_key(no_colon)]
        one: &'a str,
    }
    let error = FlaggedKey { one: "a:b" }.key().unwrap_err().to_string();
    assert!(error.ends_with("contains `:`, which `no_colon` rules out [one-key-each]"), "{error}");
}

#[test]
fn a_long_text_is_a_key() {
    #[derive(Debug, PartialEq, RedisKey)]
    #[redis_key(a:f:{name}:string, value = u64, ttl = 1h, legacy = "L{name}/{name}!")]
    struct Long {
        name: String,
    }
    for bytes in [0, 69, 70, 71, 128, 700, 2046] {
        let key = Long { name: "é".repeat(bytes).chars().take(bytes / 2).collect() };
        let expected = format!("L{0}/{0}!", key.name);
        let text = key.key().unwrap();
        assert_eq!((text.as_str(), Long::parse(&text).unwrap()), (expected.as_str(), key));
        assert_eq!(redis::ToRedisArgs::to_redis_args(&text), [expected.into_bytes()]);
    }
    let error = Long { name: "x".repeat(2_048) }.key().unwrap_err().to_string();
    assert!(error.contains("makes the key 4099 bytes long: the limit is 4096"), "{error}");
    let error = Long { name: "x".repeat(1 << 20) }.key().unwrap_err().to_string();
    assert!(error.contains("the limit is 4096"), "{error}");
}

#[test]
fn commands_have_the_name_that_is_in_use() -> Result<(), Error> {
    #[derive(Clone, RedisKey)]
    #[redis_key(user:visits:{id}:string, value = u64, ttl = 30d, formerly = "User:{id}:Visits")]
    struct Visits {
        id: u64,
    }
    let visits = Visits { id: 7 };
    let text = |command: Vec<u8>| String::from_utf8(command).unwrap();
    assert!(text(visits.exists().packed()?).contains("user:visits:7:string"));
    assert!(text(visits.clone().other_name().exists().packed()?).contains("User:7:Visits"));
    assert!(text(visits.clone().other_name().incr().packed()?).contains("User:7:Visits"));
    let take_over = text(visits.take_over().packed()?);
    assert!(take_over.contains("$1\r\n2\r\n$20\r\nuser:visits:7:string\r\n$13\r\nUser:7:Visits\r\n"), "{take_over}");
    assert!(take_over.contains("2592000000") && take_over.ends_with("string\r\n"));
    assert_eq!(visits.other_name().into_inner().key()?, "user:visits:7:string");
    assert_eq!((Visits::SCHEMA.legacy, Visits::SCHEMA.formerly), (None, Some("User:{id}:Visits")));
    assert_eq!(<OtherName<Visits>>::SCHEMA.legacy, Some("User:{id}:Visits"));
    let scan = format!("{:?}", <OtherName<Visits>>::scan());
    assert_eq!(scan, "KeyScan { pattern: \"User:*:Visits\", .. }");
    Ok(())
}

proptest! {
    /// Different values never share a key, and every key reads back.
    #[test]
    fn keys_of_random_values_are_distinct(
        one in "[ab:_é]{0,3}", two in "[ab:_é]{0,3}", three in "[ab:_é]{0,3}", number in 0..30_u8,
    ) {
        #[derive(Debug, PartialEq, RedisKey)]
        #[redis_key(a:g:{one}:{two}:{three}:string, value = u64, ttl = 1h, legacy = "G{one}::{two}_{three}a{one}")]
        struct Triple { one: String, two: String, three: String }
        #[derive(Debug, PartialEq, RedisKey)]
        #[redis_key(a:h:{one}:{number}:{two}:string, value = u64, ttl = 1h, legacy = "H{one}_{two}:a{number}")]
        struct MixedKey { one: String, number: u8, two: String }

        let mixed = MixedKey { one: one.clone(), number, two: two.clone() };
        if let Ok(text) = mixed.key() {
            prop_assert_eq!(MixedKey::parse(&text).unwrap(), mixed);
        }
        let key = Triple { one, two, three };
        if let Ok(text) = key.key() {
            prop_assert_eq!(Triple::parse(&text).unwrap(), key);
        }
    }
}

/// Types of a program that only have the names of known types: their texts have separators.
mod named_alike {
    use std::convert::Infallible;
    use std::fmt;
    use std::str::FromStr;

    use redis_keys::prelude::*;

    macro_rules! text_types {
        ($($name:ident)*) => {$(
            #[derive(Clone, Debug, PartialEq, KeySegment)]
            pub(super) struct $name(pub(super) String);

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(&self.0)
                }
            }

            impl FromStr for $name {
                type Err = Infallible;

                fn from_str(text: &str) -> Result<Self, Infallible> {
                    Ok(Self(text.to_owned()))
                }
            }
        )*};
    }

    text_types!(IpAddr Uuid);
}

#[test]
fn the_name_of_a_type_is_not_trusted() {
    use named_alike::{IpAddr, Uuid};

    #[derive(Clone, Debug, PartialEq, RedisKey)]
    #[redis_key(peer:seen:{host}:{address}:string, value = u64, ttl = 1h, legacy = "peer/{host}/{address}")]
    struct Peer {
        host: String,
        address: IpAddr,
    }
    #[derive(Clone, Debug, PartialEq, RedisKey)]
    #[redis_key(file:owner:{path}:{id}:string, value = u64, ttl = 1h, legacy = "file/{path}/{id}")]
    struct Owner {
        path: String,
        id: Uuid,
    }

    // As the type of that name, the text can be read from the right, and the value before it may have separators.
    let peer = |host: &str, address: &str| Peer { host: host.to_owned(), address: IpAddr(address.to_owned()) };
    let key = peer("a/b", "::1").key().unwrap();
    assert_eq!((&*key, Peer::parse(&key).unwrap()), ("peer/a/b/::1", peer("a/b", "::1")));
    let message = "parameter `address` of `Peer` (peer:seen:{host}:{address}:string) is not written as a type of this name is: \
                   different values could share a key; give the type another name [one-key-each]";
    for address in ["b/::1", "", "::G"] {
        assert_eq!(peer("a", address).key().unwrap_err().to_string(), message, "{address}");
    }
    Peer::parse("peer/a/b/g").unwrap_err();

    let uuid = "67e55044-10b1-426f-9247-bb680e5fe0c8";
    let owner = |path: &str, id: &str| Owner { path: path.to_owned(), id: Uuid(id.to_owned()) };
    assert_eq!(owner("a/b", uuid).key().unwrap(), format!("file/a/b/{uuid}"));
    for id in ["b/c", "cafe", &uuid.replace('-', "")] {
        owner("a", id).key().unwrap_err();
    }
}
