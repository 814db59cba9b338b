//! Reports of calls that are combined, rejected, repeated or never answered.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test cannot continue when it fails")]

use std::future::pending;
use std::time::Duration;

use futures_util::{FutureExt as _, StreamExt as _};
use redis::aio::{ConnectionLike, MultiplexedConnection};
use redis::{Cmd, Pipeline, RedisFuture, Value};
use redis_keys::prelude::*;
use redis_keys::subscriber::{ChannelEvent, Subscriber};
use redis_keys::testing::Server;
use redis_keys::{ErrorKind, SendStatus, atomic, batch, batch_iter};
use redis_keys_tests::{StoppedServer, shared_cluster};
use tokio::time::timeout;

use super::monitored::{MonitoredServer, calls_since};
use crate::observe::{Recorder, observed};
use crate::secrets::install;

#[derive(RedisKey)]
#[redis_key(called:text:{#id}:string, value = String, ttl = 1h, max_bytes = 10B)]
struct Text {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(called:count:{#id}:string, value = u64, ttl = 1h)]
struct Count {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(called:fading:{id}:string, value = String, ttl = 1h, renew = below(59m))]
struct Fading {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(called:items:{id}:list, value = u64, ttl = 1h)]
struct Items {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(called:known:{id}:bitmap, value = u64, ttl = 1h, bloom(expected = 50, false_positives = 1%))]
struct KnownOrders {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(called:hidden:{id}:string, value = Secret<String>, ttl = 1h)]
struct HiddenText {
    id: u64,
}

#[derive(RedisKey, Clone)]
#[redis_key(called:changes:{id}:channel, value = u64)]
struct Changes {
    id: u64,
}

const TEXT: &str = "called:text:{#id}:string";
const COUNT: &str = "called:count:{#id}:string";

/// The calls so far: template, accessor, outcome and number.
fn calls(recorder: &Recorder) -> Vec<(String, String, String, u64)> {
    calls_since(&[], recorder)
}

fn call(template: &str, accessor: &str, outcome: &str, number: u64) -> (String, String, String, u64) {
    (template.to_owned(), accessor.to_owned(), outcome.to_owned(), number)
}

async fn connect(server: &Server) -> MultiplexedConnection {
    redis::Client::open(server.url()).unwrap().get_multiplexed_async_connection().await.unwrap()
}

#[test]
fn bytes_are_those_of_the_packed_command_and_of_the_texts_in_the_reply() {
    observed!(recorder, _subscriber);
    let mut monitored = MonitoredServer::start();
    let con = &mut monitored.con;
    let write = || Text { id: 1 }.set("Ada");
    let sent = write().packed().unwrap().len() + Text { id: 1 }.get().packed().unwrap().len();
    write().query(con).unwrap();
    assert_eq!(Text { id: 1 }.get().query(con).unwrap().as_deref(), Some("Ada"));
    let label = format!(" template={TEXT}");
    assert_eq!(
        recorder.counters("redis_keys_sent_bytes"),
        [("redis_keys_sent_bytes_total".to_owned() + &label, sent as u64)]
    );
    assert_eq!(
        recorder.counters("redis_keys_received_bytes"),
        [("redis_keys_received_bytes_total".to_owned() + &label, 3)]
    );
    assert_eq!(recorder.undescribed(), [""; 0]);
}

#[tokio::test]
async fn a_batch_counts_each_call_and_its_round_trip_once() {
    observed!(recorder, _subscriber);
    let server = Server::start().unwrap();
    let mut con = redis_keys::connect(server.url()).unwrap();
    let counts = batch_iter((0..120).map(|id| Count { id }.incr()));
    let (text, counts) = batch((Text { id: 1 }.get(), counts)).query_async(&mut con).await.unwrap();
    assert_eq!((text, counts.len()), (None, 120));
    assert_eq!(calls(&recorder), [call(COUNT, "incr", "ok", 120), call(TEXT, "get", "absent", 1)]);
    assert_eq!(recorder.histograms("redis_keys_command"), []);
    let of_batches = ["commands", "seconds"].map(|name| (format!("redis_keys_batch_{name}"), 1));
    assert_eq!(recorder.histograms("redis_keys_batch"), of_batches);

    atomic((Text { id: 1 }.set("Ada"), Count { id: 1 }.incr())).query_async(&mut con).await.unwrap();
    let found = calls(&recorder);
    assert!(
        found.contains(&call(COUNT, "incr", "ok", 121)) && found.contains(&call(TEXT, "set", "ok", 1)),
        "{found:?}"
    );
    assert_eq!(recorder.histograms("redis_keys_batch"), of_batches.map(|(name, _)| (name, 2)));

    // Nothing is sent, so nothing is a batch.
    let none = batch_iter((0..0).map(|id| Count { id }.incr())).query_async(&mut con).await.unwrap();
    assert!(none.is_empty());
    assert_eq!(recorder.histograms("redis_keys_batch").len(), 2);
}

#[test]
fn an_atomic_group_counts_each_call_once() {
    observed!(recorder, _subscriber);
    let mut monitored = MonitoredServer::start();
    let group = || atomic((Count { id: 1 }.incr(), Text { id: 1 }.get()));
    group().query(&mut monitored.con).unwrap();
    assert_eq!(calls(&recorder), [call(COUNT, "incr", "ok", 1), call(TEXT, "get", "absent", 1)]);
    assert_eq!(recorder.counters("redis_keys_rejected"), []);

    // A connection to a cluster rejects it, if it is blocking.
    let cluster = shared_cluster();
    let client = redis::cluster::ClusterClient::new(cluster.urls()).unwrap();
    group().query(&mut client.get_connection().unwrap()).unwrap_err();
    let found = calls(&recorder);
    assert!(found.contains(&call(COUNT, "incr", "rejected", 1)) && found.contains(&call(TEXT, "get", "rejected", 1)));
    let unsupported = |template| (format!("redis_keys_rejected_total template={template} rule=unsupported"), 1);
    assert_eq!(recorder.counters("redis_keys_rejected"), [COUNT, TEXT].map(unsupported));
}

#[test]
fn a_call_counts_once_however_often_its_command_is_sent() {
    observed!(recorder, _subscriber);
    let mut monitored = MonitoredServer::start();
    // The server does not know the script: EVALSHA, then EVAL.
    assert_eq!(Count { id: 1 }.incr().query(&mut monitored.con).unwrap(), 1);
    assert_eq!(monitored.lines().len(), 2);
    assert_eq!(calls(&recorder), [call(COUNT, "incr", "ok", 1)]);

    // In a batch, the first call brings the text.
    let _: () = redis::cmd("SCRIPT").arg("FLUSH").query(&mut monitored.con).unwrap();
    monitored.lines();
    batch([1, 2].map(|id| Count { id }.incr())).query(&mut monitored.con).unwrap();
    assert_eq!(monitored.lines().len(), 2);
    assert_eq!(calls(&recorder), [call(COUNT, "incr", "ok", 3)]);

    // A read that is followed by a new expiry.
    let fading = Fading { id: 1 };
    fading.set("Ada").expire_in(Duration::from_secs(60)).query(&mut monitored.con).unwrap();
    monitored.lines();
    assert_eq!(fading.get().query(&mut monitored.con).unwrap().as_deref(), Some("Ada"));
    assert_eq!(monitored.lines().len(), 3);
    let found = calls(&recorder);
    assert!(found.contains(&call("called:fading:{id}:string", "get", "ok", 1)), "{found:?}");
}

#[test]
fn what_is_rejected_is_counted_by_its_rule() {
    observed!(recorder, _subscriber);
    let mut monitored = MonitoredServer::start();
    let too_large = || Text { id: 1 }.set("Ada Lovelace");
    let rejected = |number| {
        assert_eq!(
            recorder.counters("redis_keys_rejected"),
            [(format!("redis_keys_rejected_total template={TEXT} rule=value-size"), number)]
        );
    };
    too_large().query(&mut monitored.con).unwrap_err();
    assert_eq!(calls(&recorder), [call(TEXT, "set", "rejected", 1)]);
    rejected(1);

    // Of a batch, nothing is sent, and the others have no outcome.
    batch((too_large(), Count { id: 1 }.incr())).query(&mut monitored.con).unwrap_err();
    atomic((Count { id: 1 }.incr(), too_large())).query(&mut monitored.con).unwrap_err();
    assert_eq!(calls(&recorder), [call(TEXT, "set", "rejected", 3)]);
    assert_eq!(monitored.lines(), [""; 0]);
    assert_eq!(recorder.histograms("redis_keys_batch"), []);
    rejected(3);

    let (set, count) = batch((too_large(), Count { id: 1 }.incr())).query_each(&mut monitored.con);
    assert!(set.is_err() && count.is_ok());
    assert_eq!(calls(&recorder), [call(COUNT, "incr", "ok", 1), call(TEXT, "set", "rejected", 4)]);

    // The second key of a group has another hash tag.
    atomic((Count { id: 1 }.incr(), Count { id: 2 }.decr())).query(&mut monitored.con).unwrap_err();
    assert!(calls(&recorder).contains(&call(COUNT, "decr", "rejected", 1)));
    let wait = Duration::from_secs(7200);
    Items { id: 1 }.blpop(wait).query(&mut monitored.con).unwrap_err();
    let found = recorder.counters("redis_keys_rejected");
    let argument = "redis_keys_rejected_total template=called:items:{id}:list rule=argument".to_owned();
    assert!(found.contains(&(argument, 1)), "{found:?}");
    // A scan makes no call before the first key is taken from it.
    drop(Count::scan().with_count(501).iter(&mut monitored.con));
    assert!(calls(&recorder).iter().all(|(_, accessor, ..)| accessor != "scan"));
    Count::scan().with_count(501).iter(&mut monitored.con).for_each(|key| assert!(key.is_err()));
    assert!(calls(&recorder).contains(&call(COUNT, "scan", "rejected", 1)));
}

#[test]
fn errors_of_the_server_and_values_that_do_not_decode_are_failures() {
    observed!(recorder, _subscriber);
    let mut monitored = MonitoredServer::start();
    let con = &mut monitored.con;
    let _: () = redis::cmd("LPUSH").arg("called:count:{1}:string").arg("7").query(con).unwrap();
    let _: () = redis::cmd("SET").arg("called:count:{2}:string").arg("seven").query(con).unwrap();
    assert_eq!(Count { id: 1 }.get().query(con).unwrap_err().kind(), ErrorKind::WrongType);
    assert_eq!(Count { id: 2 }.get().query(con).unwrap_err().kind(), ErrorKind::Decode);
    let [wrong, undecodable] = batch([1, 2].map(|id| Count { id }.get())).query_each(con);
    assert!(wrong.is_err() && undecodable.is_err());
    assert_eq!(calls(&recorder), [call(COUNT, "get", "failed", 4)]);
}

#[tokio::test]
async fn a_server_that_goes_away() {
    observed!(recorder, _subscriber);
    let server = Server::start().unwrap();
    let mut con = connect(&server).await;
    con.set_response_timeout(Duration::from_millis(50));
    let stopped = StoppedServer::new(&server);
    // Sent, and no reply in time.
    let error = Count { id: 1 }.get().query_async(&mut con).await.unwrap_err();
    assert_eq!(error.sent(), SendStatus::Maybe);
    assert_eq!(calls(&recorder), [call(COUNT, "get", "unknown", 1)]);
    let each = batch([Count { id: 1 }.get(), Count { id: 2 }.get()]).query_each_async(&mut con).await;
    assert!(each.iter().all(Result::is_err));
    assert_eq!(calls(&recorder), [call(COUNT, "get", "unknown", 3)]);
    atomic([Count { id: 1 }.get(), Count { id: 1 }.get()]).query_async(&mut con).await.unwrap_err();
    assert_eq!(calls(&recorder), [call(COUNT, "get", "unknown", 5)]);

    // The program does not wait for the reply.
    con.set_response_timeout(Duration::from_secs(60));
    let brief = Duration::from_millis(20);
    assert!(timeout(brief, Count { id: 1 }.get().query_async(&mut con)).await.is_err());
    assert!(timeout(brief, batch([Count { id: 1 }.get()]).query_async(&mut con)).await.is_err());
    assert!(timeout(brief, atomic([Count { id: 1 }.get()]).query_async(&mut con)).await.is_err());
    assert!(timeout(brief, Count { id: 1 }.purge().query_async(&mut con)).await.is_err());
    let several = Count::get_many((0..150).map(|id| Count { id }));
    assert!(timeout(brief, several.query_async(&mut con)).await.is_err());
    drop(stopped);
    let unknown = |accessor, number| call(COUNT, accessor, "unknown", number);
    assert_eq!(calls(&recorder), [unknown("get", 8), unknown("get_many", 1), unknown("purge", 1)]);

    // Nothing listens any more, so it is certain that nothing was sent.
    let url = server.url();
    drop(server);
    let mut con = redis_keys::connect(url).unwrap();
    let error = Count { id: 1 }.incr().query_async(&mut con).await.unwrap_err();
    assert_eq!(error.sent(), SendStatus::No);
    assert!(calls(&recorder).contains(&call(COUNT, "incr", "failed", 1)));
    let keys: Vec<_> = Count::scan().stream(&con).collect().await;
    assert!(keys.iter().all(Result::is_err));
    // Of a scan it is not known whether it was sent.
    assert!(calls(&recorder).contains(&call(COUNT, "scan", "unknown", 1)));
    // A future that was never polled has made no call.
    drop(Count { id: 1 }.decr().query_async(&mut con));
    assert!(calls(&recorder).iter().all(|(_, accessor, ..)| accessor != "decr"));
}

/// It is dropped while the server is asked which type the key has.
#[tokio::test]
async fn a_call_that_is_dropped_during_the_look_at_a_wrong_type() {
    observed!(recorder, _subscriber);
    let mut con = Silent { replies: vec![Value::ServerError(wrong_type())] };
    assert!(Count { id: 1 }.get().query_async(&mut con).now_or_never().is_none());
    assert_eq!(calls(&recorder), [call(COUNT, "get", "unknown", 1)]);
    let mut con = Silent { replies: vec![Value::ServerError(wrong_type()); 2] };
    assert!(batch([1, 2].map(|id| Count { id }.get())).query_async(&mut con).now_or_never().is_none());
    assert_eq!(calls(&recorder), [call(COUNT, "get", "unknown", 3)]);
}

/// A server that has these replies and then none.
struct Silent {
    replies: Vec<Value>,
}

fn wrong_type() -> redis::ServerError {
    let Ok(Value::ServerError(error)) = redis::parse_redis_value(b"-WRONGTYPE x\r\n") else { panic!("an error") };
    error
}

impl ConnectionLike for Silent {
    fn req_packed_command<'a>(&'a mut self, _: &'a Cmd) -> RedisFuture<'a, Value> {
        let reply = self.replies.pop();
        Box::pin(async { if let Some(reply) = reply { Ok(reply) } else { pending().await } })
    }

    fn req_packed_commands<'a>(&'a mut self, _: &'a Pipeline, _: usize, count: usize) -> RedisFuture<'a, Vec<Value>> {
        let replies: Vec<_> = self.replies.drain(..).collect();
        Box::pin(async move { if replies.len() == count { Ok(replies) } else { pending().await } })
    }

    fn get_db(&self) -> i64 {
        0
    }
}

#[tokio::test]
async fn blocking_calls_on_a_connection_of_their_own() {
    observed!(recorder, _subscriber);
    let server = Server::start().unwrap();
    let mut con = connect(&server).await;
    let mut own = redis_keys::BlockingConnection::new(redis::Client::open(server.url()).unwrap());
    Items { id: 1 }.rpush(&7).query_async(&mut con).await.unwrap();
    let wait = Duration::from_millis(10);
    assert_eq!(Items { id: 1 }.blpop(wait).query_async(&mut own).await.unwrap(), Some(7));
    assert_eq!(Items { id: 1 }.blpop(wait).query_async(&mut own).await.unwrap(), None);
    let items = "called:items:{id}:list";
    let expected = [call(items, "blpop", "absent", 1), call(items, "blpop", "ok", 1), call(items, "rpush", "ok", 1)];
    assert_eq!(calls(&recorder), expected);
}

/// A connection that delivers one reply too few to each pipeline.
struct Short;

impl ConnectionLike for Short {
    fn req_packed_command<'a>(&'a mut self, _: &'a Cmd) -> RedisFuture<'a, Value> {
        Box::pin(async { Ok(Value::Nil) })
    }

    fn req_packed_commands<'a>(&'a mut self, _: &'a Pipeline, _: usize, count: usize) -> RedisFuture<'a, Vec<Value>> {
        Box::pin(async move { Ok(vec![Value::Nil; count.saturating_sub(1)]) })
    }

    fn get_db(&self) -> i64 {
        0
    }
}

#[tokio::test]
async fn calls_after_an_unexpected_reply_are_failures() {
    observed!(recorder, _subscriber);
    let reads = batch_iter((0..120).map(|id| Text { id }.get()));
    assert_eq!(reads.query_async(&mut Short).await.unwrap_err().kind(), ErrorKind::UnexpectedReply);
    assert_eq!(calls(&recorder), [call(TEXT, "get", "failed", 120)]);
    assert_eq!(recorder.counters("redis_keys_rejected"), []);
}

#[tokio::test]
async fn a_batch_that_is_dropped_has_a_time() {
    observed!(recorder, _subscriber);
    let mut silent = Silent { replies: Vec::new() };
    let reads = batch((Text { id: 1 }.get(), Text { id: 2 }.get()));
    assert!(reads.query_async(&mut silent).now_or_never().is_none());
    assert!(atomic((Text { id: 1 }.get(), Text { id: 1 }.get())).query_async(&mut silent).now_or_never().is_none());
    assert_eq!(calls(&recorder), [call(TEXT, "get", "unknown", 4)]);
    let of_batches = ["commands", "seconds"].map(|name| (format!("redis_keys_batch_{name}"), 2));
    assert_eq!(recorder.histograms("redis_keys_batch"), of_batches);
}

#[test]
fn about_one_call_in_eight_is_timed() {
    observed!(recorder, _subscriber);
    let mut monitored = MonitoredServer::start();
    let con = &mut monitored.con;
    for id in 0..4_000 {
        Count { id }.get().query(con).unwrap();
    }
    let [(_, timed)] = &recorder.histograms("redis_keys_command")[..] else { panic!("one histogram") };
    // Ten times the standard deviation.
    assert!((300..700).contains(timed), "{timed}");
}

#[tokio::test]
async fn filters_encrypted_values_and_channels_report_too() {
    observed!(recorder, _subscriber);
    install();
    let server = Server::start().unwrap();
    let mut con = redis_keys::connect(server.url()).unwrap();
    let named = |name: &str, number: u64| (name.to_owned(), number);

    let known = KnownOrders { id: 1 };
    assert!(known.might_contain(&7).query_async(&mut con).await.unwrap());
    let build = known.begin().query_async(&mut con).await.unwrap();
    assert!(known.finish(build, [7]).query_async(&mut con).await.unwrap());
    assert_eq!(known.might_contain_many([7, 8]).query_async(&mut con).await.unwrap(), [true, false]);
    let filter = |name| format!("redis_keys_filter_{name}_total template=called:known:{{id}}:bitmap");
    assert_eq!(recorder.counters("redis_keys_filter"), ["absent", "maybe", "unbuilt"].map(|name| (filter(name), 1)));

    HiddenText { id: 1 }.set("Ada").query_async(&mut con).await.unwrap();
    assert_eq!(HiddenText { id: 1 }.get().query_async(&mut con).await.unwrap().as_deref(), Some("Ada"));
    redis::cmd("SET").arg("called:hidden:2:string").arg("plain").exec_async(&mut con).await.unwrap();
    HiddenText { id: 2 }.get().query_async(&mut con).await.unwrap_err();
    let secret = |name| format!("redis_keys_secret_{name}_total template=called:hidden:{{id}}:string");
    let counts = [("decrypted", 1), ("encrypted", 1), ("older_keys", 0), ("undecryptable", 1)];
    assert_eq!(recorder.counters("redis_keys_secret"), counts.map(|(name, count)| named(&secret(name), count)));

    let mut changes = Subscriber::connect(&con, [Changes { id: 1 }]).await.unwrap();
    Changes { id: 1 }.publish(&7).query_async(&mut con).await.unwrap();
    assert!(matches!(changes.next().await, Some(ChannelEvent::Message(_, 7))));
    let received = "redis_keys_channel_received_total template=called:changes:{id}:channel";
    assert!(recorder.counters("redis_keys_channel").contains(&named(received, 1)));
    assert_eq!(recorder.undescribed(), [""; 0]);
}
