//! The rights that `cargo redis-keys acl` grants, compared with what every accessor sends.

use std::collections::{BTreeMap, BTreeSet};

use cargo_redis_keys::catalog::Catalog;
use cargo_redis_keys::rights::{Version, rules};
use redis::{Connection, FromRedisValue, Value};
use redis_keys::schema::Schema;
use redis_keys::testing::Server;
use redis_keys_core::rights;
use serde_json::{Value as Json, json};

use crate::row::{Row, rounded};
use crate::section::Section;
use crate::server::{WAIT, commands};
use crate::{scripts, sections};

/// Commands that no row shows, since they follow an error or need a cluster or a subscriber. Without a right to them,
/// the integration tests fail.
const IN_NO_ROW: [&str; 4] = ["TYPE", "SPUBLISH", "SSUBSCRIBE", "SUBSCRIBE"];

/// Commands with subcommands.
const CONTAINERS: [&str; 4] = ["CLIENT", "CLUSTER", "XGROUP", "XINFO"];

/// The user of the tests, whose password is replaced.
const USER: &str = "shop";

#[test]
fn every_sent_command_is_a_right() {
    for section in sections() {
        let groups = section.schemas.iter().flat_map(|schema| rights::groups(schema));
        let allowed: BTreeSet<_> = groups.chain([rights::WITHOUT_KEYS]).flat_map(str::split_whitespace).collect();
        let refused: Vec<_> = sent(&section).into_iter().filter(|command| !allowed.contains(&**command)).collect();
        assert_eq!(refused, Vec::<String>::new(), "{}", section.title);
    }
}

#[test]
fn every_right_is_sent() {
    let mut sent_by_group: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for section in sections() {
        let sent = sent(&section);
        for group in section.schemas.iter().flat_map(|schema| rights::groups(schema)) {
            sent_by_group.entry(group).or_default().extend(sent.clone());
        }
    }
    for (group, sent) in sent_by_group {
        let unused = |name: &&str| !sent.contains(*name) && !IN_NO_ROW.contains(name);
        assert_eq!(group.split_whitespace().filter(unused).collect::<Vec<_>>(), Vec::<&str>::new(), "of {group}");
    }
}

/// The names of all commands that a section's rows send, and those that their scripts call.
fn sent(section: &Section) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for words in words(section) {
        let words: Vec<_> = words.iter().map(|word| String::from_utf8_lossy(word).into_owned()).collect();
        let is_container = CONTAINERS.contains(&words[0].as_str());
        names.insert(if is_container { format!("{}|{}", words[0], words[1]) } else { words[0].clone() });
        if words[0].starts_with("EVAL") {
            // A server that does not know the script gets its text.
            names.insert("EVAL".to_owned());
            names.extend(scripts::called(&words));
        }
    }
    names
}

/// The words of each command that a section's rows send.
fn words(section: &Section) -> Vec<Vec<Vec<u8>>> {
    section.rows.iter().chain(&section.more).flat_map(|row: &Row| &row.trips).flat_map(|trip| commands(trip)).collect()
}

/// A server with a user that has the rights of all declarations, and a connection of the default user.
fn server() -> (Server, Connection, Version) {
    let server = Server::start().unwrap();
    let mut con = connect(&server.url());
    let version = version(&mut con);
    let schemas: Vec<_> = sections().iter().flat_map(|section| section.schemas.clone()).collect();
    let rules = rules(&catalog(&schemas), USER, version).unwrap();
    let rules = rules.split(' ').map(|rule| if rule == ">PASSWORD" { "nopass" } else { rule });
    let _: Value = ask(&mut con, ["ACL", "SETUSER"].into_iter().chain(rules)).unwrap();
    (server, con, version)
}

/// The version of a server, by its commands.
fn version(con: &mut Connection) -> Version {
    let mut has = |command: &str| {
        ask::<Vec<Option<Vec<Value>>>>(con, ["COMMAND", "INFO", command]).is_ok_and(|known| known[0].is_some())
    };
    if has("hpexpire") {
        Version::V7_4
    } else if has("client|setinfo") {
        Version::V7_2
    } else if has("ssubscribe") {
        Version::V7_0
    } else {
        Version::V6_2
    }
}

/// The catalog of these declarations.
fn catalog(schemas: &[&Schema]) -> Catalog {
    let keys = schemas.iter().map(|schema| {
        let mut key = serde_json::to_value(schema).unwrap();
        let Json::Object(fields) = &mut key else { panic!("{key} is no object") };
        fields.extend([("longest".to_owned(), json!(128)), ("package".to_owned(), json!("shop"))]);
        fields.insert("target".to_owned(), json!("lib:shop"));
        key
    });
    let catalog = json!({ "format": 3, "keys": keys.collect::<Vec<_>>(), "unread": [] });
    Catalog::from_json(&catalog.to_string()).unwrap()
}

fn connect(url: &str) -> Connection {
    redis::Client::open(url).unwrap().get_connection().unwrap()
}

fn ask<T: FromRedisValue>(con: &mut Connection, words: impl IntoIterator<Item: AsRef<[u8]>>) -> redis::RedisResult<T> {
    let mut cmd = redis::Cmd::new();
    words.into_iter().for_each(|word| _ = cmd.arg(word.as_ref()));
    cmd.query(con)
}

#[test]
fn the_rights_suffice_for_every_accessor() {
    let (server, mut con, _) = server();
    for text in scripts::texts() {
        let _: String = ask(&mut con, ["SCRIPT", "LOAD", text]).unwrap();
    }
    let mut user = connect(&server.url().replace("redis://", &format!("redis://{USER}:x@")));
    let mut sent = 0;
    // Many scripts do more when the key exists, as in the second round.
    for words in [sections(), sections()].iter().flatten().flat_map(words) {
        let shorter = words.iter().map(|word| shorter_wait(word));
        if let Err(error) = ask::<Value>(&mut user, shorter) {
            assert_ne!(error.code(), Some("NOPERM"), "{words:?}: {error}");
        }
        sent += 1;
    }
    assert!(sent > 400, "{sent}");
    // Also what a script has ignored, and what the connection sends.
    let log: Vec<Value> = ask(&mut con, ["ACL", "LOG"]).unwrap();
    assert_eq!(log, []);
}

/// The word of a command, but a short time in the place of `WAIT`.
fn shorter_wait(word: &[u8]) -> &[u8] {
    let rounded = str::from_utf8(word).map(|text| rounded(text.to_owned())).unwrap_or_default();
    if rounded == format!("{:.3}", WAIT.as_secs_f64()) {
        b"0.1"
    } else if rounded == WAIT.as_millis().to_string() {
        b"100"
    } else {
        word
    }
}

/// A command or a subcommand of a server.
struct ServerCommand {
    words: Vec<String>,
    /// The number of words that it needs at least.
    arity: usize,
    needs_no_right: bool,
}

impl ServerCommand {
    /// Reads an entry of COMMAND, and those of its subcommands.
    fn read(entry: Value) -> Vec<Self> {
        let entry: Vec<Value> = redis::from_redis_value(entry).unwrap();
        let name: String = redis::from_redis_value(entry[0].clone()).unwrap();
        let arity: i64 = redis::from_redis_value(entry[1].clone()).unwrap();
        let flags: BTreeSet<String> = redis::from_redis_value(entry[2].clone()).unwrap();
        let subcommands: Vec<Value> = redis::from_redis_value(entry[9].clone()).unwrap();
        if !subcommands.is_empty() {
            return subcommands.into_iter().flat_map(Self::read).collect();
        }
        let words = name.split('|').map(str::to_owned).collect();
        let arity = usize::try_from(arity.unsigned_abs()).unwrap();
        vec![Self { words, arity, needs_no_right: flags.contains("no_auth") }]
    }

    fn name(&self) -> String {
        self.words.join("|").to_uppercase()
    }

    /// Whether the user may send it with a key.
    fn is_allowed(&self, con: &mut Connection, key: &str) -> bool {
        let missing = self.arity.saturating_sub(self.words.len());
        let arguments = match &*self.name() {
            "EVAL" | "EVALSHA" => vec!["script", "1", key],
            "PFMERGE" => vec![key, key],
            "XREAD" => vec!["STREAMS", key, "0"],
            "XREADGROUP" => vec!["GROUP", "group", "consumer", "STREAMS", key, ">"],
            _ => vec![key; missing],
        };
        let words = ["ACL", "DRYRUN", USER].into_iter().chain(self.words.iter().map(String::as_str));
        match ask::<String>(con, words.chain(arguments)) {
            Ok(reply) if reply == "OK" => true,
            Ok(reply) => {
                assert!(reply.contains("has no permissions"), "{}: {reply}", self.name());
                false
            }
            Err(error) => panic!("{}: {error}", self.name()),
        }
    }
}

#[test]
fn other_commands_and_other_keys_are_refused() {
    let (_server, mut con, version) = server();
    if version == Version::V6_2 {
        println!("not run: the server has no ACL DRYRUN");
        return;
    }
    let groups = sections().into_iter().flat_map(|section| section.schemas).flat_map(rights::groups);
    let with_keys: BTreeSet<_> = groups.flat_map(str::split_whitespace).collect();
    let without_keys: BTreeSet<_> = rights::WITHOUT_KEYS.split(' ').collect();
    let all: Vec<Value> = ask(&mut con, ["COMMAND"]).unwrap();
    let (mut refused, mut refused_keys) = (0, 0);
    for command in all.into_iter().flat_map(ServerCommand::read).filter(|command| !command.needs_no_right) {
        let name = command.name();
        if with_keys.contains(&*name) {
            for key in ["user:name:42:other", "users:name:42:string", "", "user", "*"] {
                assert!(!command.is_allowed(&mut con, key), "{name} of {key}");
            }
            refused_keys += 1;
        } else if !without_keys.contains(&*name) {
            assert!(!command.is_allowed(&mut con, "user:name:42:string"), "{name}");
            refused += 1;
        }
    }
    println!("{refused} other commands are refused, and {refused_keys} commands with other keys");
    assert!(refused >= 200 && refused_keys >= 100, "{refused}, {refused_keys}");
}
