//! Reads of a cached key.

use std::cell::Cell;
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::hint::black_box;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use redis::aio::ConnectionLike;
use redis::{Cmd, Pipeline, RedisFuture, Value};
use redis_keys::cache::Cache;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_bench::cards::{self, Card, FreshCard, NearCard, UserCard};
use tokio::runtime::Builder;

use crate::FIRST_ID;

/// Reads cards in one way.
pub(crate) fn repeat(side: &str, count: u64) {
    if side == "near" {
        return repeat_near(count);
    }
    let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime starts");
    let _context = runtime.enter();
    let con = &mut Mock { card: Arc::new(Value::BulkString(Card::of(FIRST_ID).to_json().into_bytes())) };
    let cache = Cache::new(con.clone());
    for user_id in (FIRST_ID..FIRST_ID + count).map(black_box) {
        drop(black_box(match side {
            "by-hand" => run(by_hand(user_id, con)),
            "get" => run(UserCard { user_id }.get().query_async(con)).ok().flatten(),
            "get_or_load" => run(cache.get_or_load(&UserCard { user_id }, no_load)).ok().flatten(),
            "refresh" => run(cache.get_or_load(&FreshCard { user_id }, no_load)).ok().flatten(),
            _ => panic!("unknown side `{side}`"),
        }));
    }
}

/// Reads copies in memory, after a server was asked for them.
fn repeat_near(count: u64) {
    const COPIES: u64 = 100;
    let server = Server::start().expect("a server starts");
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let _context = runtime.enter();
    let cache = Cache::new(redis_keys::connect(server.url()).expect("the address is valid"));
    let load = async || Ok::<_, Infallible>(Some(Card::of(FIRST_ID)));
    runtime.block_on(async {
        while cache.stats().near.hits < COPIES {
            for user_id in FIRST_ID..FIRST_ID + COPIES {
                cache.get_or_load_shared(&NearCard { user_id }, load).await.expect("the loader does not fail");
            }
        }
    });
    for user_id in (0..count).map(|number| black_box(FIRST_ID + number % COPIES)) {
        drop(black_box(run(cache.get_or_load_shared(&NearCard { user_id }, no_load)).ok().flatten()));
    }
}

async fn by_hand(user_id: u64, con: &mut Mock) -> Option<Card> {
    let json: Option<String> = cards::get(user_id).query_async(con).await.expect("the mock replies");
    json.map(|json| Card::from_json(&json))
}

async fn no_load() -> Result<Option<Card>, Infallible> {
    panic!("the card is stored");
}

thread_local! {
    /// Whether the reply of the mock is there.
    static IS_ANSWERED: Cell<bool> = const { Cell::new(false) };
}

/// Polls a future until it is ready; the reply arrives after its first poll. A runtime would do more in between, which
/// has nothing to do with the future.
fn run<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
        IS_ANSWERED.set(true);
    }
}

async fn answered() {
    poll_fn(|_| if IS_ANSWERED.take() { Poll::Ready(()) } else { Poll::Pending }).await;
}

/// A connection that replies to every read with the same card.
#[derive(Clone)]
struct Mock {
    card: Arc<Value>,
}

impl ConnectionLike for Mock {
    fn req_packed_command<'a>(&'a mut self, command: &'a Cmd) -> RedisFuture<'a, Value> {
        Box::pin(async move {
            black_box(command.get_packed_command());
            answered().await;
            Ok(Value::clone(&self.card))
        })
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        _offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        Box::pin(async move {
            black_box(pipeline.get_packed_pipeline());
            answered().await;
            // A PTTL and a GET.
            let left = i64::try_from(cards::TTL_MS).expect("an hour is not long");
            Ok([Value::Int(left), Value::clone(&self.card)].into_iter().take(count).collect())
        })
    }

    fn get_db(&self) -> i64 {
        0
    }
}
