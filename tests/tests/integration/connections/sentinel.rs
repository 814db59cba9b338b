//! Connections through a sentinel.

use redis::RedisResult;
use redis::sentinel::{SentinelClient, SentinelServerType};
use redis_keys::prelude::*;
use redis_keys::{ConnectOptions, Connection, Error, ErrorKind, SendStatus, connect_with, testing};
use redis_keys_tests::Sentinel;

use super::block_on;
use super::commands::{Name, run_all, run_all_blocking};

fn client(sentinel: &Sentinel) -> SentinelClient {
    let client = SentinelClient::build(vec![sentinel.url()], "main", None, SentinelServerType::Master);
    client.expect("the address is valid")
}

#[test]
fn the_primary_is_found_before_and_after_a_failover() {
    let mut sentinel = Sentinel::start("main");
    let mut client = client(&sentinel);
    let mut con = client.get_connection().expect("the primary replies");
    run_all_blocking(&mut con).expect("every command succeeds");
    redis::cmd("WAIT").arg(1).arg(10_000).query::<u64>(&mut con).expect("the replica is in sync");

    sentinel.lose_primary("main");
    assert_eq!(Name { id: 1 }.get().query(&mut con).expect_err("the server is gone").kind(), ErrorKind::Connection);
    let mut con = client.get_connection().expect("the replica is the new primary");
    assert_eq!(Name { id: 1 }.get().query(&mut con).expect("the server replies").as_deref(), Some("Ada Lovelace"));
    // Only the former primary knows the scripts.
    assert_eq!(Name { id: 2 }.append("Grace").query(&mut con).expect("the replica accepts writes"), 5);
    testing::assert_all_expire(&mut con, "");
}

#[test]
fn tasks_share_a_connection_to_the_primary() {
    let sentinel = Sentinel::start("main");
    block_on(async {
        let mut con = client(&sentinel).get_async_connection().await.expect("the primary replies");
        run_all(&mut con).await.expect("every command succeeds");
    });
}

// The functions of the guide's page on servers and services.

async fn connect_to_primary(sentinels: &mut SentinelClient) -> RedisResult<Connection> {
    connect_with(sentinels.async_get_client().await?, ConnectOptions::new())
}

async fn set_name(sentinels: &mut SentinelClient, con: &mut Connection) -> Result<(), Box<dyn std::error::Error>> {
    let name = Name { id: 1 };
    if name.set("Ada").run(con).await.is_err() {
        *con = connect_to_primary(sentinels).await?;
        name.set("Ada").run(con).await?;
    }
    Ok(())
}

/// Returns the error of a write that the server has rejected. The sentinel closes a former primary's connections.
async fn rejection(con: &Connection) -> Error {
    loop {
        let error = Name { id: 2 }.set("Grace").run(con).await.expect_err("the server is a replica");
        if error.kind() != ErrorKind::Connection {
            return error;
        }
    }
}

#[test]
fn a_write_succeeds_again_once_the_sentinels_are_asked() {
    let sentinel = Sentinel::start("main");
    let mut client = client(&sentinel);
    block_on(async {
        let mut con = connect_to_primary(&mut client).await.expect("the primary replies");
        run_all(&mut con).await.expect("every command succeeds");
        sentinel.fail_over("main");
        let error = rejection(&con).await;
        assert!(error.to_string().contains("READONLY"), "{error}");
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Server, SendStatus::Yes));
        set_name(&mut client, &mut con).await.expect("the new primary accepts writes");
        assert_eq!(Name { id: 1 }.get().run(&con).await.expect("the server replies").as_deref(), Some("Ada"));
    });
}
