//! A node of a cluster that replies to its part of a `get_many` what no node should.

use std::future::Future;
use std::sync::{Arc, OnceLock};

use redis::cluster::ClusterClient;
use redis_keys::prelude::*;
use redis_keys::{Error, batch, cluster};
use redis_keys_core::slot::slot_of;
use redis_keys_tests::FakeServer;

use super::Text;

/// The reply of a node to an MGET of some keys.
type Mget = fn(usize) -> Vec<u8>;

fn array(len: usize) -> Vec<u8> {
    format!("*{len}\r\n{}", "$1\r\na\r\n".repeat(len)).into_bytes()
}

/// Replies that are not a value for each key.
const WRONG: [(&str, Mget); 5] = [
    ("an error", |_| b"-NOPERM x\r\n".to_vec()),
    ("a number", |_| b":1\r\n".to_vec()),
    ("nothing", |_| b"*-1\r\n".to_vec()),
    ("too few values", |keys| array(keys - 1)),
    ("too many values", |keys| array(keys + 1)),
];

/// Starts two nodes, of which the second one replies so to MGET. Returns the address of the first one.
fn start(wrong: Mget) -> String {
    let ports = Arc::new(OnceLock::<[u16; 2]>::new());
    let [first, second] = [array as Mget, wrong].map(|mget| {
        let ports = Arc::clone(&ports);
        FakeServer::start(move |words| match words[0].as_slice() {
            b"CLUSTER" => slots(*ports.get().expect("both nodes have started")),
            b"MGET" if !are_in_one_slot(&words[1..]) => {
                b"-CROSSSLOT Keys in request don't hash to the same slot\r\n".to_vec()
            }
            b"MGET" => mget(words.len() - 1),
            b"GET" => b"$1\r\na\r\n".to_vec(),
            _ => b"+OK\r\n".to_vec(),
        })
    });
    ports.set([first.port(), second.port()]).expect("it is set once");
    first.url()
}

fn are_in_one_slot(keys: &[Vec<u8>]) -> bool {
    keys.windows(2).all(|pair| slot_of(&pair[0]) == slot_of(&pair[1]))
}

fn slots([first, second]: [u16; 2]) -> Vec<u8> {
    let range = |from, to, port| format!("*3\r\n:{from}\r\n:{to}\r\n*2\r\n$9\r\n127.0.0.1\r\n:{port}\r\n");
    format!("*2\r\n{}{}", range(0, 8191, first), range(8192, 16383, second)).into_bytes()
}

fn keys(len: u32) -> impl Iterator<Item = Text> {
    (0..len).map(|id| Text { id })
}

/// Few keys are one MGET, more are several.
const LENS: [u32; 3] = [10, 150, 1_000];

type Texts = Result<Vec<Option<String>>, Error>;

#[track_caller]
fn assert_failed(what: &str, result: &Texts) {
    assert!(result.is_err(), "{what}");
}

#[test]
fn on_a_synchronous_connection_of_redis_rs_it_is_an_error() {
    for (what, wrong) in WRONG {
        let mut con =
            ClusterClient::new([start(wrong)]).and_then(|client| client.get_connection()).expect("it replies");
        for len in LENS {
            assert_failed(what, &Text::get_many(keys(len)).query(&mut con));
            assert_failed(what, &batch(Text::get_many(keys(len))).query(&mut con));
        }
        for key in keys(10) {
            assert_eq!(key.get().query(&mut con).expect("the connection works"), Some("a".to_owned()));
        }
    }
}

/// Runs `get_many`, also in batches, and then a command for each node.
async fn run<C: redis::aio::ConnectionLike + 'static>(what: &str, con: &mut C) {
    for len in LENS {
        assert_failed(what, &Text::get_many(keys(len)).query_async(con).await);
        assert_failed(what, &batch(Text::get_many(keys(len))).query_async(con).await);
    }
    for key in keys(10) {
        assert_eq!(key.get().query_async(con).await.expect("the connection works"), Some("a".to_owned()));
    }
}

#[test]
fn on_an_asynchronous_connection_of_redis_rs_it_is_an_error() {
    for (what, wrong) in WRONG {
        block_on(async {
            let client = ClusterClient::new([start(wrong)]).expect("the address is valid");
            run(what, &mut client.get_async_connection().await.expect("it replies")).await;
        });
    }
}

#[test]
fn on_the_connection_of_this_crate_it_is_an_error() {
    for (what, wrong) in WRONG {
        block_on(async {
            let mut con = cluster::connect(start(wrong)).expect("the address is valid");
            run(what, &mut con).await;
        });
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime starts").block_on(future)
}
