//! The scripts that the library sends, and what it reads from their replies, for the tests of other languages.

use std::time::Duration;

use redis_keys::redis::{Arg, Cmd, ConnectionLike, RedisResult, Value as Reply};
use redis_keys::{Command, ErrorKind, prelude::*, testing};
use serde_json::{Value as Json, json};

use super::derived::{self, take};
use super::fixture;
use super::keys::*;
use crate::declare::generate::builder::builders;
use crate::declare::generate::random::Random;
use crate::declare::generate::value::Value;
use crate::declare::generate::vectors::tuples;

/// A text, how often it is repeated in a payload, how many such payloads there are, and the delay in milliseconds.
type Jobs = (&'static str, usize, usize, u64);

/// A connection that keeps the words of a command, and gives a reply.
struct Recorder {
    words: Vec<Vec<u8>>,
    reply: Reply,
}

impl ConnectionLike for Recorder {
    fn req_command(&mut self, cmd: &Cmd) -> RedisResult<Reply> {
        let words = cmd.args_iter().map(|word| match word {
            Arg::Simple(word) => word.to_vec(),
            _ => unreachable!("a script has no cursor"),
        });
        self.words = words.collect();
        Ok(self.reply.clone())
    }

    fn req_packed_command(&mut self, _cmd: &[u8]) -> RedisResult<Reply> {
        unreachable!("a script is a command")
    }

    fn req_packed_commands(&mut self, _cmd: &[u8], _offset: usize, _count: usize) -> RedisResult<Vec<Reply>> {
        unreachable!("a script is a single command")
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

/// The arguments that a command sends, or the reason of its rejection, and the value that it reads from a reply.
fn ran<T>(command: Command<T>, reply: Reply) -> (Json, Result<T, redis_keys::Error>) {
    let mut con = Recorder { words: Vec::new(), reply };
    let result = command.query(&mut con);
    let words: Vec<_> = con.words.iter().map(|word| String::from_utf8(word.clone()).unwrap()).collect();
    let sent = match (words.as_slice(), &result) {
        ([evalsha, sha1, number, key, args @ ..], _) => {
            assert_eq!((evalsha.as_str(), number.as_str()), ("EVALSHA", "1"));
            json!({ "sha1": sha1, "keys": [key], "args": args })
        }
        (_, Err(error)) => refused(error),
        (_, Ok(_)) => json!({ "refused": "empty", "parameter": "payloads" }),
    };
    (sent, result)
}

fn refused(error: &redis_keys::Error) -> Json {
    let (reason, parameter) = match error.kind() {
        ErrorKind::TooMany => ("range", "payloads"),
        ErrorKind::ValueSize => ("too_long", "payloads"),
        ErrorKind::Argument if error.to_string().contains("burst") => ("range", "n"),
        ErrorKind::Argument => ("range", "delay"),
        _ => {
            let (reason, parameter) = derived::reason(error);
            return json!({ "refused": reason, "parameter": parameter });
        }
    };
    json!({ "refused": reason, "parameter": parameter })
}

fn payloads((text, times, count, _): Jobs) -> Vec<String> {
    vec![text.repeat(times); count]
}

fn push<K: JobKey<Value = String>>(
    key: &K,
    jobs: Jobs,
    reply: Reply,
) -> (Json, Result<Vec<String>, redis_keys::Error>) {
    let push = key.push_many(payloads(jobs)).delay(Duration::from_millis(jobs.3));
    let (mut sent, ids) = ran(push.into(), reply);
    if let Some(Json::Array(args)) = sent.get_mut("args") {
        // Other languages number jobs otherwise.
        args.truncate(args.len() - 2);
    }
    (sent, ids.map(|ids| ids.iter().map(ToString::to_string).collect()))
}

/// The edges of pushes, around a limit of bytes and a limit of the delay.
fn edges(max_bytes: usize, max_delay: u64) -> Vec<Jobs> {
    let sizes = [0, 1, max_bytes - 1, max_bytes, max_bytes + 1].map(|times| ("x", times, 1, 0));
    // Two bytes each.
    let wide = [max_bytes / 2, max_bytes / 2 + 1].map(|times| ("\u{e9}", times, 1, 1));
    let counts = [0, 1, 2, 500, 501].map(|count| ("\u{e9}", 1, count, 0));
    let delays = [0, 1, 999, max_delay - 1, max_delay, max_delay + 1, (1 << 53) - 1].map(|delay| ("x", 1, 3, delay));
    [&sizes[..], &wide, &counts, &delays].concat()
}

fn pushed_vectors<K: JobKey<Value = String>>(
    name: &str,
    build: impl Fn(&[Value]) -> Option<K>,
    edges: &[Jobs],
) -> Json {
    let vectors = tuples_of(name, edges).into_iter().filter_map(|(values, jobs)| {
        let (sent, _) = push(&build(&values)?, jobs, Reply::BulkString(Vec::new()));
        Some(json!([values, [jobs.0, jobs.1, jobs.2, jobs.3], sent]))
    });
    json!({ "name": name, "push": vectors.collect::<Vec<_>>() })
}

fn taken_vectors<K: LimitKey>(name: &str, build: impl Fn(&[Value]) -> Option<K>, burst: u64) -> Json {
    let full = Reply::Array(vec![Reply::Int(0), Reply::Int(0)]);
    let edges = [0, 1, 2, burst - 1, burst, burst + 1, (1 << 53) - 1];
    let vectors = tuples_of(name, &edges).into_iter().filter_map(|(values, n)| {
        let (sent, _) = ran(build(&values)?.take(n), full.clone());
        Some(json!([values, n, sent]))
    });
    json!({ "name": name, "take": vectors.collect::<Vec<_>>() })
}

/// Each edge with the usual arguments of a key, and random arguments with any edge.
fn tuples_of<E: Copy>(name: &str, edges: &[E]) -> Vec<(Vec<Value>, E)> {
    let catalog = fixture();
    let (builders, _) = builders(&catalog).unwrap();
    let builder = builders.iter().find(|builder| builder.key.name == name).unwrap();
    let mut numbers = Random::of(name);
    let tuples = tuples(builder, 30, &mut numbers);
    let random = tuples.iter().map(|values| (values.clone(), edges[numbers.index(edges.len())]));
    let random: Vec<_> = random.collect();
    edges.iter().map(|edge| (tuples[0].clone(), *edge)).chain(random).collect()
}

fn replies_of_pushes() -> Json {
    let id = |digit: &str| Reply::BulkString(digit.repeat(32).into_bytes());
    let two = Reply::BulkString("0123456789abcdef".repeat(4).into_bytes());
    let replies = [id("0"), two, Reply::Int(-1001), Reply::Int(3), Reply::Nil, Reply::BulkString(b"ab".to_vec())];
    let read = replies.map(|reply| match push(&Reports {}, ("x", 1, 1, 0), reply.clone()).1 {
        Ok(ids) => json!([json_of(&reply), [ids, false]]),
        Err(error) if error.kind() == ErrorKind::CollectionSize => json!([json_of(&reply), [[], true]]),
        Err(_) => json!([json_of(&reply), { "refused": "reply", "parameter": null }]),
    });
    json!({ "name": "Reports", "read_push": read })
}

fn replies_of_takes<K: LimitKey>(name: &str, key: &K) -> Json {
    let ms = |time: Duration| time.as_nanos().div_ceil(1_000_000);
    let pairs =
        [[-1, 1], [0, 0], [0, 333_334], [0, 600_001], [1, 1_000_002], [999_999, 12_000_000], [-7, 1_000_000], [5, -1]];
    let pairs = pairs.map(|pair| Reply::Array(pair.map(Reply::Int).into()));
    let wrong = [Reply::Array(vec![Reply::Int(1)]), Reply::Array(vec![Reply::Int(1); 3]), Reply::Int(7), Reply::Nil];
    let read = pairs.into_iter().chain(wrong).map(|reply| match ran(key.take(1), reply.clone()).1 {
        Ok(decision) => {
            let retry_after = decision.retry_after.map_or(0, ms);
            let read = json!([decision.allowed, decision.remaining, retry_after, ms(decision.reset_after)]);
            json!([json_of(&reply), read])
        }
        Err(_) => json!([json_of(&reply), { "refused": "reply", "parameter": null }]),
    });
    json!({ "name": name, "read_take": read.collect::<Vec<_>>() })
}

fn json_of(reply: &Reply) -> Json {
    match reply {
        Reply::Int(number) => json!(number),
        Reply::BulkString(bytes) => json!(String::from_utf8(bytes.clone()).unwrap()),
        Reply::Array(replies) => replies.iter().map(json_of).collect(),
        _ => Json::Null,
    }
}

/// The file of calls, with each vector in a line.
pub(super) fn file() -> String {
    let _jitter = testing::fix_jitter(0.0);
    let batches = |values: &[Value]| {
        let mut index = 0;
        Some(Batches { shop: take(values, &mut index).ok()?, id: take(values, &mut index).ok()? })
    };
    let requests = |values: &[Value]| Some(Requests { id: take(values, &mut 0).ok()? });
    let calls = [
        pushed_vectors("Batches", batches, &edges(64, 3_600_000 - 600_000)),
        pushed_vectors("Reports", |_| Some(Reports {}), &edges(4_096, 86_400_000 - 300_000)),
        replies_of_pushes(),
        taken_vectors("Requests", requests, 20),
        taken_vectors("Thirds", |_| Some(Thirds {}), 3),
        replies_of_takes("Requests", &Requests { id: 1 }),
        replies_of_takes("Thirds", &Thirds {}),
    ];
    let lines: Vec<_> = calls.iter().map(ToString::to_string).collect();
    format!("[\n{}\n]\n", lines.join(",\n").replace("],[[", "],\n[["))
}
