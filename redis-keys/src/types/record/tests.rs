//! Records into commands and out of replies.

use std::marker::PhantomData;
use std::time::Duration;

use redis::{Cmd, Value};
use redis_keys_macros::{RedisHash, RedisKey};

use super::{Expiring, Field, Mandatory, Optional, Presence, RecordReader, RecordWriter, RedisHash};
use crate::command::{Decode, Replies, ReplyContext, Step, TimeLeft, reply};
use crate::stored::{Stored, StoredError};
use crate::testing::text;
use crate::tests::mock::{run, server_error};
use crate::{Command, Error, ErrorKind, RecordKey as _, RedisKey as _, Rule, lua};

/// Two numbers, and nothing but digits and a comma.
#[derive(Debug, Default, PartialEq)]
struct Point(i32, i32);

struct AsText;

impl Stored for AsText {
    type Input = Point;
    type Output = Point;

    fn encode(Point(x, y): &Point, out: &mut impl std::io::Write) -> Result<(), StoredError> {
        if *x < 0 {
            return Err(StoredError::new("left of the map"));
        }
        write!(out, "{x},{y}").map_err(StoredError::from_io)
    }

    fn decode(bytes: Vec<u8>) -> Result<Point, StoredError> {
        let text = String::decode(bytes)?;
        let numbers = text.split_once(',').and_then(|(x, y)| Some(Point(x.parse().ok()?, y.parse().ok()?)));
        numbers.ok_or(StoredError::new("not a point"))
    }
}

#[derive(Debug, PartialEq, RedisHash)]
#[redis_hash(crate = crate)]
struct Profile {
    name: String,
    #[redis_hash(rename = "mail")]
    email: Option<String>,
    #[redis_hash(value = AsText)]
    place: Point,
    #[redis_hash(value = AsText)]
    seen: Option<Point>,
    #[redis_hash(default)]
    r#type: u8,
    #[redis_hash(ttl = 10m)]
    code: Option<u32>,
    of: PhantomData<u8>,
}

fn ada() -> Profile {
    Profile {
        name: "Ada".to_owned(),
        email: Some("ada@x".to_owned()),
        place: Point(1, 2),
        seen: None,
        r#type: 7,
        code: None,
        of: PhantomData,
    }
}

#[derive(RedisKey)]
#[redis_key(user:profile:{id}:hash, value = Profile, ttl = 1h, max_member_bytes = 12B, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
struct Ada {
    id: u8,
}

#[derive(RedisKey)]
#[redis_key(user:kept:{id}:hash, value = ContactRecord, ttl = never, reason = "a table", rebuild = "from the table", crate = crate)]
struct KeptOf {
    id: u8,
}

#[derive(RedisKey)]
#[redis_key(user:brief:{id}:hash, value = ContactRecord, ttl = 1h, crate = crate)]
struct BriefOf {
    id: u8,
}

#[derive(RedisHash)]
#[redis_hash(crate = crate)]
struct ContactRecord {
    name: String,
    email: Option<String>,
}

/// Returns the arguments of a record in a command, and the names of its absent fields.
fn written(record: &Profile) -> Result<(String, Vec<&'static str>), Error> {
    let mut cmd = Cmd::new();
    let absent = RecordWriter::write(record, &mut cmd, Ada::SCHEMA);
    let absent = absent.map_err(|cause| Error::refused(Ada::SCHEMA, None, cause))?;
    let words: Vec<_> = cmd
        .args_iter()
        .map(|arg| match arg {
            redis::Arg::Simple(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            _ => String::new(),
        })
        .collect();
    Ok((words.join(" "), absent))
}

fn bulk(text: &str) -> Value {
    Value::BulkString(text.into())
}

fn load() -> Command<Option<Profile>> {
    let values = |replies: Replies, sent: &ReplyContext<'_>| match replies.one() {
        Value::Array(values) => RecordReader::read(values, sent).map(Step::Done),
        _ => panic!("no array"),
    };
    Command::one(Ada::SCHEMA, Ok(redis::cmd("HMGET")), values)
}

fn read(values: Vec<Value>) -> Result<Option<Profile>, Error> {
    run(load, [Ok(Value::Array(values))]).0
}

#[test]
fn what_is_there_is_written_in_order() {
    let expected = "name Ada mail ada@x place 1,2 type 7".to_owned();
    assert_eq!(written(&ada()).unwrap(), (expected, vec!["seen", "code"]));
    let all = Profile { seen: Some(Point(3, 4)), code: Some(5), ..ada() };
    let expected = "name Ada mail ada@x place 1,2 seen 3,4 type 7 code 5".to_owned();
    assert_eq!(written(&all).unwrap(), (expected, vec![]));
}

#[test]
fn records_are_measured() {
    let size = RecordWriter::measure(&ada(), Ada::SCHEMA);
    assert_eq!(size.arguments, 8);
    // Text counts its length, a number that of the longest one, and other forms without a hint count 32 bytes up to the
    // limit.
    assert_eq!(size.bytes, "namemailplacetype".len() + "Adaada@x".len() + 12 + 4);
}

#[test]
fn each_field_has_its_limit() {
    assert!(written(&ada()).is_ok());
    let error = written(&Profile { name: "Countess of L".to_owned(), ..ada() }).unwrap_err();
    assert_eq!((error.kind(), error.rule()), (ErrorKind::ValueSize, Some(Rule::ValueSize)));
    let message = "field `name` of `Ada` (user:profile:{id}:hash) exceeds `max_member_bytes`: 13 bytes, at most 12; declare `max_member_bytes = 13B` to allow it [value-size]";
    assert_eq!(error.to_string(), message);
    let error = written(&Profile { place: Point(-1, 0), ..ada() }).unwrap_err();
    assert_eq!((error.kind(), error.rule()), (ErrorKind::Encode, None));
    let message = "field `place` of `Ada` (user:profile:{id}:hash) cannot be encoded as `AsText`: left of the map";
    assert_eq!(error.to_string(), message);
    // The first of several errors is reported.
    let error = written(&Profile { email: Some("ada@example.org".to_owned()), place: Point(-1, 0), ..ada() });
    assert!(error.unwrap_err().to_string().starts_with("field `mail`"));
}

#[test]
fn what_is_there_is_read() {
    let values = vec![bulk("Ada"), bulk("ada@x"), bulk("1,2"), Value::Nil, Value::Int(7), Value::Nil];
    assert_eq!(read(values).unwrap(), Some(ada()));
    let values = vec![bulk("Ada"), Value::Nil, bulk("1,2"), bulk("3,4"), Value::Nil, bulk("5")];
    let read = read(values).unwrap().unwrap();
    assert_eq!(read, Profile { email: None, seen: Some(Point(3, 4)), r#type: 0, code: Some(5), ..ada() });
}

#[test]
fn no_field_is_no_record() {
    assert_eq!(read(vec![Value::Nil; 6]).unwrap(), None);
}

#[test]
fn a_missing_field_is_named() {
    let values = vec![Value::Nil, bulk("x"), bulk("1,2"), Value::Nil, Value::Nil, Value::Nil];
    let error = read(values).unwrap_err();
    assert_eq!((error.kind(), error.rule()), (ErrorKind::Decode, Some(Rule::Record)));
    assert_eq!(error.to_string(), "field `name` of `Ada` (user:profile:{id}:hash) is missing [record]");
}

#[test]
fn a_field_that_does_not_decode_is_named() {
    let values = vec![bulk("Ada"), Value::Nil, bulk("1,2"), bulk("secret"), Value::Nil, Value::Nil];
    let error = read(values).unwrap_err();
    assert_eq!((error.kind(), error.rule()), (ErrorKind::Decode, Some(Rule::StoredForm)));
    let message = "cannot be decoded as `AsText`: not a point (6 bytes) [stored-form]";
    assert!(error.to_string().starts_with("field `seen`") && error.to_string().ends_with(message), "{error}");
    let values = vec![bulk("Ada"), Value::Nil, Value::Array(vec![]), Value::Nil, Value::Nil, Value::Nil];
    assert_eq!(read(values).unwrap_err().kind(), ErrorKind::UnexpectedReply);
}

#[test]
fn another_number_of_values_is_unexpected() {
    for count in [0, 5, 7] {
        assert_eq!(read(vec![bulk("1"); count]).unwrap_err().kind(), ErrorKind::UnexpectedReply);
    }
}

#[test]
fn pairs_come_in_any_order() {
    let read = |pairs: Vec<(Value, Value)>| {
        let reply = Value::Array(pairs.into_iter().flat_map(<[Value; 2]>::from).collect());
        let decode: Decode<Profile> = |replies, sent| {
            let pairs = reply::pairs(replies.one())?.into_iter();
            RecordReader::read_pairs(pairs, sent).map(Step::Done)
        };
        run(|| Command::one(Ada::SCHEMA, Ok(redis::cmd("XRANGE")), decode), [Ok(reply)]).0
    };
    let pairs = [("type", "7"), ("place", "1,2"), ("unknown", "x"), ("mail", "ada@x"), ("name", "Ada")];
    let pairs = pairs.map(|(name, value)| (bulk(name), bulk(value)));
    assert_eq!(read(pairs.to_vec()).unwrap(), ada());
    let text = |text: &str| Value::SimpleString(text.to_owned());
    let pairs = vec![(text("name"), text("Ada")), (bulk("place"), bulk("1,2"))];
    assert_eq!(read(pairs).unwrap(), Profile { email: None, r#type: 0, ..ada() });
}

#[test]
fn the_fields_are_declared() {
    let fields: Vec<_> = Profile::FIELDS.iter().map(|field| (field.name, field.form, field.presence)).collect();
    assert_eq!(
        fields,
        [
            ("name", "String", Presence::Mandatory),
            ("mail", "String", Presence::Optional),
            ("place", "AsText", Presence::Mandatory),
            ("seen", "AsText", Presence::Optional),
            ("type", "u8", Presence::Default),
            ("code", "u32", Presence::Optional),
        ]
    );
    let ttls: Vec<_> = Profile::FIELDS.iter().map(|field| field.ttl).collect();
    assert_eq!(ttls, [None, None, None, None, None, Some(Duration::from_secs(600))]);
}

#[test]
fn constants_know_their_form_and_whether_they_may_be_missing() {
    let name: Field<Profile, String, Mandatory> = Profile::NAME;
    let email: Field<Profile, String, Optional> = Profile::EMAIL;
    let place: Field<Profile, AsText> = Profile::PLACE;
    let seen: Field<Profile, AsText, Optional> = Profile::SEEN;
    let r#type: Field<Profile, u8, Optional> = Profile::TYPE;
    let code: Field<Profile, u32, Expiring> = Profile::CODE;
    assert_eq!([name.name(), email.name(), place.name()], ["name", "mail", "place"]);
    assert_eq!([seen.name(), r#type.name(), code.name()], ["seen", "type", "code"]);
    assert_eq!(format!("{code:?}"), "Field(\"code\")");
}

const ADA: Ada = Ada { id: 1 };

fn call(script: &lua::Script, rest: &str) -> Vec<String> {
    vec![format!("EVALSHA {} 1 user:profile:1:hash {rest}", script.file)]
}

#[test]
fn a_record_goes_as_one_command() {
    assert_eq!(text(ADA.load()).unwrap(), ["HMGET user:profile:1:hash name mail place seen type code"]);
    // The names and values that are there, up to the ninth argument, and the names that are not, up to the eleventh.
    let rest = "3600000 name Ada mail ada@x place 1,2 type 7 seen code 9 11";
    assert_eq!(text(ADA.store(&ada())).unwrap(), call(&lua::STORE, rest));
    let all = Profile { email: None, seen: Some(Point(3, 4)), code: Some(5), ..ada() };
    let rest = "3600000 name Ada place 1,2 seen 3,4 type 7 code 5 mail code 600000 11 12";
    assert_eq!(text(ADA.store(&all)).unwrap(), call(&lua::STORE, rest));
}

#[test]
fn a_whole_record_needs_no_more_than_hset() {
    let kept = |email: Option<&str>| ContactRecord { name: "Ada".to_owned(), email: email.map(str::to_owned) };
    let sent = text(KeptOf { id: 1 }.store(&kept(Some("x")))).unwrap();
    assert_eq!(sent, ["HSET user:kept:1:hash name Ada email x"]);
    let sent = text(BriefOf { id: 1 }.store(&kept(Some("x")))).unwrap();
    let write = lua::WRITE.file;
    assert_eq!(sent, [format!("EVALSHA {write} 1 user:brief:1:hash 3600000 HSET name Ada email x")]);
    let sent = text(KeptOf { id: 1 }.store(&kept(None))).unwrap();
    assert_eq!(sent, [format!("EVALSHA {} 1 user:kept:1:hash  name Ada email 3 4", lua::STORE.file)]);
}

#[test]
fn fields_go_one_by_one() {
    let key = "user:profile:1:hash";
    assert_eq!(text(ADA.hget(Profile::EMAIL)).unwrap(), [format!("HGET {key} mail")]);
    assert_eq!(text(ADA.hexists(Profile::TYPE)).unwrap(), [format!("HEXISTS {key} type")]);
    assert_eq!(text(ADA.hdel(Profile::CODE)).unwrap(), [format!("HDEL {key} code")]);
    assert_eq!(text(ADA.hset(Profile::NAME, "x")).unwrap(), call(&lua::STORE_FIELD, "3600000  name x"));
    assert_eq!(text(ADA.hset(Profile::CODE, &5)).unwrap(), call(&lua::STORE_FIELD, "3600000 600000 code 5"));
    let rest = "3600000  5 -5 0 255 type";
    assert_eq!(text(ADA.hincr(Profile::TYPE, 5)).unwrap(), call(&lua::COUNT_FIELD, rest));
    assert_eq!(text(ADA.hexpire(Profile::CODE)).unwrap(), [format!("HPEXPIRE {key} 600000 FIELDS 1 code")]);
    assert_eq!(text(ADA.httl(Profile::CODE)).unwrap(), [format!("HPTTL {key} FIELDS 1 code")]);
    assert_eq!(text(ADA.hpersist(Profile::CODE)).unwrap(), [format!("HPERSIST {key} FIELDS 1 code")]);
}

#[test]
fn answers_about_one_field_are_read() {
    let one = |answer| Ok(Value::Array(vec![Value::Int(answer)]));
    let left = |reply| run(|| ADA.httl(Profile::CODE), [reply]).0.unwrap();
    assert_eq!(left(one(-2)), TimeLeft::Missing);
    assert_eq!(left(Ok(Value::Nil)), TimeLeft::Missing);
    assert_eq!(left(one(-1)), TimeLeft::Never);
    assert_eq!(left(one(5)), TimeLeft::Left(Duration::from_millis(5)));
    let done = |reply| run(|| ADA.hexpire(Profile::CODE), [reply]).0;
    assert!(done(one(1)).unwrap() && !done(one(-2)).unwrap() && !done(Ok(Value::Nil)).unwrap());
    for reply in [Value::Int(1), Value::Array(vec![]), Value::Array(vec![Value::Int(1), Value::Int(1)])] {
        assert_eq!(done(Ok(reply)).unwrap_err().kind(), ErrorKind::UnexpectedReply);
    }
}

#[test]
fn counts_are_read() {
    let count = |reply| run(|| ADA.hincr(Profile::TYPE, 1), [Ok(reply)]).0;
    assert_eq!(count(Value::Int(8)).unwrap(), Some(8));
    assert_eq!(count(bulk("8")).unwrap(), Some(8));
    assert_eq!(count(Value::Array(vec![])).unwrap(), None);
    assert_eq!(count(Value::Nil).unwrap_err().kind(), ErrorKind::OutOfRange);
    for reply in [Value::Array(vec![Value::Int(0)]), bulk("many")] {
        let error = count(reply).unwrap_err();
        assert!(error.to_string().starts_with("field `type`"), "{error}");
        assert_eq!(error.kind(), ErrorKind::Decode);
    }
}

#[test]
fn servers_without_field_expiry_are_named() {
    for reply in [
        "ERR no expiry of fields",
        "ERR unknown command 'HPEXPIRE', with args beginning with: ",
        "ERR unknown command `HPTTL`, with args beginning with: `secret`",
    ] {
        let error = run(|| ADA.hexpire(Profile::CODE), [server_error(reply)]).0.unwrap_err();
        assert!(error.to_string().contains("field expiry is not supported: it needs Redis 7.4 or Valkey 9"), "{error}");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}
