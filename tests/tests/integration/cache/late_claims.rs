//! Claims that arrive at the server after the call has given up waiting for them.

use std::io;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use redis::aio::{ConnectionLike, MultiplexedConnection};
use redis::{Client, Cmd, Pipeline, RedisFuture, Value};
use redis_keys::cache::{Cache, Claim, Token};
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_tests::{Con, until, wait_until};
use tokio::sync::Semaphore;
use tokio::task::block_in_place;

use crate::proxy::{CUT, LateCommand, Proxy};

#[derive(RedisKey)]
#[redis_key(late:version:{id}:string, value = u32, ttl = 1h, jitter = 5m, cache(null_ttl = 5m))]
struct Version {
    id: u32,
}

/// A connection on which scripts arrive late: in their order, once there is a permit.
#[derive(Clone)]
struct Late {
    con: MultiplexedConnection,
    gate: Arc<Semaphore>,
    arrived: Arc<AtomicU32>,
}

impl ConnectionLike for Late {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        if !cmd.args_iter().next().is_some_and(|name| name == redis::Arg::Simple(b"EVALSHA")) {
            return self.con.req_packed_command(cmd);
        }
        let (mut late, cmd) = (self.clone(), cmd.clone());
        // It arrives although the reply is not awaited any more.
        let reply = tokio::spawn(async move {
            let _permit = late.gate.acquire().await.expect("the gate is never closed");
            let reply = late.con.req_packed_command(&cmd).await;
            late.arrived.fetch_add(1, Relaxed);
            reply
        });
        Box::pin(async { reply.await.expect("the task does not panic") })
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        self.con.req_packed_commands(pipeline, offset, count)
    }

    fn get_db(&self) -> i64 {
        self.con.get_db()
    }
}

/// The claim is executed after the load began, and after an invalidation that has ended by then. So it proves nothing.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_stored_with_a_claim_that_was_not_answered() {
    let server = Server::start().expect("a server starts");
    let client = Client::open(server.url()).expect("the address is valid");
    let con = client.get_multiplexed_async_connection().await.expect("the server replies");
    let late = Late { con: con.clone(), gate: Arc::new(Semaphore::new(1)), arrived: Arc::default() };
    let (ready, other) = (Cache::new(late.clone()), Cache::new(con));
    let load = |version: u32| move || async move { Ok::<_, io::Error>(Some(version)) };

    // The server knows the scripts from now on, so that each is sent once.
    ready.get_or_load(&Version { id: 0 }, load(1)).await.expect("the load succeeds");
    let before = late.arrived.load(Relaxed);
    let closed = late.gate.acquire().await.expect("the gate is never closed");

    let key = Version { id: 1 };
    let cache = Cache::new(late.clone()).with_time_limit(Duration::from_millis(500));
    assert_eq!(cache.get_or_load(&key, load(1)).await.expect("the load succeeds"), Some(1));
    other.invalidate(&key).await.expect("the server replies");
    drop(closed);
    block_in_place(|| {
        wait_until("the claim and the command after it have arrived", || late.arrived.load(Relaxed) == before + 2);
    });
    assert_eq!(other.get_or_load(&key, load(2)).await.expect("the load succeeds"), Some(2));
}

/// A proxy that cuts the connection instead of running a claim, and a receiver of these claims, which can be run later;
/// and the number of claims that were given up.
fn delaying(server: &Server) -> (Proxy, mpsc::Receiver<LateCommand>, Arc<AtomicU32>) {
    let (late, claims) = mpsc::channel::<LateCommand>();
    let (late, abandoned) = (Mutex::new(late), Arc::new(AtomicU32::new(0)));
    let count = Arc::clone(&abandoned);
    let proxy = Proxy::start_with(server, move |call| {
        if call.name == "claim" {
            late.lock().expect("nothing panics").send(call.later()).expect("the test goes on");
            return CUT;
        }
        let reply = call.forward();
        count.fetch_add(u32::from(call.name == "abandon"), Relaxed);
        reply
    });
    (proxy, claims, abandoned)
}

#[tokio::test]
async fn claims_that_arrive_after_they_were_given_up_hold_nothing() {
    let server = Server::start().expect("a server starts");
    let (proxy, claims, abandoned) = delaying(&server);
    let (cache, mut con) = (super::cache(&proxy.url()).await, Con::blocking(&server.url()));
    let key = Version { id: 1 };
    for _ in 0..3 {
        let found = cache.get_or_load(&key, || async { Ok::<_, io::Error>(Some(1)) }).await;
        assert_eq!(found.expect("the load succeeds"), Some(1));
    }
    until("the claims are given up", || abandoned.load(Relaxed) == 3).await;
    for claim in claims.try_iter() {
        claim();
    }
    assert_eq!((con.ok(key.get()), con.ok(key.claim(&Token::random()))), (None, Claim::Mine));
}
