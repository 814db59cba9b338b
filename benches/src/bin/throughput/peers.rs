//! GET and SET of the same objects with other clients, each with its usual settings, on one connection.

use std::hint::black_box;

use fred::prelude::{Client as Fred, ClientLike as _, Config, Expiration, KeysInterface as _};
use redis::AsyncCommands as _;
use redis::aio::MultiplexedConnection;
use redis_keys::StringKey as _;
use redis_keys_bench::strings::{BasicInfo, TTL_MS, VALUE, info};
use rustis::client::Client as Rustis;
use rustis::commands::{SetExpiration, StringCommands as _};

use crate::connections::{MultiplexedServer, share};
use crate::turns::{Side, take_turns};

/// The key as programs write it that have no declaration.
fn by_hand(id: u64) -> String {
    let BasicInfo { user_id } = info(id);
    format!("user:basic.info:{user_id}:string")
}

/// Measures tasks that share a connection: with redis-keys on its own one, redis-rs, fred and rustis.
pub(crate) fn measure(place: &str, tasks: u64) {
    let server = MultiplexedServer::start();
    let (own, redis_rs) = (server.connect_own(), server.connect());
    let fred = Fred::new(Config::from_url(&server.server.url()).expect("the address is valid"), None, None, None);
    server.runtime.block_on(fred.init()).expect("the server replies");
    let rustis = server.runtime.block_on(Rustis::connect(server.server.url())).expect("the server replies");
    let (runtime, ids) = (&server.runtime, 16 * tasks);

    let ours = async |id, con: &mut redis_keys::Connection| {
        info(id).set(VALUE).query_async(con).await.expect("the server replies");
    };
    let with_redis_rs = async |id, con: &mut MultiplexedConnection| {
        let () = con.pset_ex(by_hand(id), VALUE, TTL_MS).await.expect("the server replies");
    };
    let with_fred = async |id, con: &mut Fred| {
        let expiry = Expiration::PX(TTL_MS.cast_signed());
        let () = con.set(by_hand(id), VALUE, Some(expiry), None, false).await.expect("the server replies");
    };
    let with_rustis = async |id, con: &mut Rustis| {
        let set = con.set_with_options(by_hand(id), VALUE, None, SetExpiration::Px(TTL_MS));
        black_box(set.await.expect("the server replies"));
    };
    take_turns(
        &format!("{place}/set"),
        1,
        [
            Side::new(1, ids, |ids| share(runtime, tasks, &own, ids, ours)),
            Side::new(1, ids, |ids| share(runtime, tasks, &redis_rs, ids, with_redis_rs)),
            Side::new(1, ids, |ids| share(runtime, tasks, &fred, ids, with_fred)),
            Side::new(1, ids, |ids| share(runtime, tasks, &rustis, ids, with_rustis)),
        ],
    );

    let ours = async |id, con: &mut redis_keys::Connection| {
        drop(black_box(info(id).get().query_async(con).await.expect("the server replies")));
    };
    let with_redis_rs = async |id, con: &mut MultiplexedConnection| {
        let value: Option<String> = con.get(by_hand(id)).await.expect("the server replies");
        drop(black_box(value));
    };
    let with_fred = async |id, con: &mut Fred| {
        let value: Option<String> = con.get(by_hand(id)).await.expect("the server replies");
        drop(black_box(value));
    };
    let with_rustis = async |id, con: &mut Rustis| {
        let value: Option<String> = con.get(by_hand(id)).await.expect("the server replies");
        drop(black_box(value));
    };
    take_turns(
        &format!("{place}/get"),
        1,
        [
            Side::new(1, ids, |ids| share(runtime, tasks, &own, ids, ours)),
            Side::new(1, ids, |ids| share(runtime, tasks, &redis_rs, ids, with_redis_rs)),
            Side::new(1, ids, |ids| share(runtime, tasks, &fred, ids, with_fred)),
            Side::new(1, ids, |ids| share(runtime, tasks, &rustis, ids, with_rustis)),
        ],
    );
}
