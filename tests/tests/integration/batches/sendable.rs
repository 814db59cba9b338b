//! Futures of batches that another thread runs.

use redis::aio::MultiplexedConnection;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::{atomic, batch_iter};

use super::keys::{TaggedCount, TaggedLog};

/// Runs the commands of an iterator whose closure borrows its arguments.
macro_rules! run {
    ($con:ident, $commands:ident => $run:expr) => {
        async move {
            let mut $con: MultiplexedConnection = $con;
            let (ids, steps) = (vec![(1, 2), (1, 4)], vec![5, 6]);
            let $commands = ids.iter().zip(&steps).map(|((tag, id), step)| {
                let (tag, id) = (*tag, *id);
                (TaggedLog { tag, id }.append("x"), TaggedCount { tag, id }.incr_by(*step))
            });
            $run.await.len()
        }
    };
}

#[test]
fn a_batch_of_borrowed_arguments_can_be_spawned() {
    let server = Server::start().expect("a server starts");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    let client = redis::Client::open(server.url()).expect("the address is good");
    let con = runtime.block_on(client.get_multiplexed_async_connection()).expect("the server answers");
    let [a, b, c] = [(); 3].map(|()| con.clone());
    let all = runtime.spawn(run!(a, commands => batch_iter(commands).query_each_async(&mut a)));
    let output =
        run!(b, commands => async { batch_iter(commands).query_async(&mut b).await.expect("nothing is wrong") });
    let group = run!(c, commands => async {
        atomic(commands.collect::<Vec<_>>()).query_async(&mut c).await.expect("nothing is wrong")
    });
    let tasks = [all, runtime.spawn(output), runtime.spawn(group)];
    for task in tasks {
        assert_eq!(runtime.block_on(task).expect("it does not panic"), 2);
    }
}
