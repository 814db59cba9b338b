//! Users and passwords.

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, RedisError};
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::{Error, ErrorKind, SendStatus};
use redis_keys_tests::Con;

use super::block_on;
use super::commands::{Name, run_all, run_all_blocking};

/// Starts a server with the user `ada`, and a password for the default user.
fn guarded() -> Server {
    let server = Server::start().expect("a server starts");
    let mut con = Con::blocking(&server.url());
    let _: String = con.raw(&["ACL", "SETUSER", "ada", "on", ">lovelace", "~*", "+@all"]);
    let _: String = con.raw(&["CONFIG", "SET", "requirepass", "sesame"]);
    server
}

fn client(server: &Server, user: &str, protocol: &str) -> Client {
    let url = format!("redis://{user}127.0.0.1:{}/?protocol={protocol}", server.port());
    Client::open(url).expect("the address is valid")
}

fn lazy(client: Client) -> ConnectionManager {
    let config = ConnectionManagerConfig::new().set_number_of_retries(0);
    ConnectionManager::new_lazy_with_config(client, config).expect("a lazy manager does not connect")
}

#[test]
fn the_user_and_the_password_are_part_of_the_address() {
    let server = guarded();
    let mut con = client(&server, ":sesame@", "resp2").get_connection().expect("the password is correct");
    run_all_blocking(&mut con).expect("every command succeeds");
    let _: String = Con::blocking(&format!("redis://ada:lovelace@127.0.0.1:{}/", server.port())).raw(&["FLUSHALL"]);
    block_on(async {
        run_all(&mut lazy(client(&server, "ada:lovelace@", "resp3"))).await.expect("every command succeeds");
    });
}

#[test]
fn a_wrong_password_is_reported_without_showing_it() {
    let server = guarded();
    let assert_hidden = |error: &str| assert!(!error.contains("swordfish"), "{error}");
    let users = [":swordfish@", "ada:swordfish@", "eve:swordfish@"];
    for (user, protocol) in users.into_iter().flat_map(|user| [(user, "resp2"), (user, "resp3")]) {
        // The error of redis-rs when it connects.
        let found: Result<_, RedisError> = client(&server, user, protocol).get_connection().map(|_| ());
        let error = found.expect_err("the password is wrong");
        assert_hidden(&format!("{error}{error:?}"));
        // The error of redis-keys when the first command connects.
        let error: Error = block_on(async {
            let mut con = lazy(client(&server, user, protocol));
            Name { id: 1 }.get().query_async(&mut con).await.expect_err("the password is wrong")
        });
        let (kind, text) = if protocol == "resp2" {
            (ErrorKind::Connection, "authentication failed; nothing was sent")
        } else {
            (ErrorKind::Server, "WRONGPASS: the user name or the password is wrong")
        };
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(text), "{error}");
        assert_hidden(&format!("{error}{error:?}{:?}", std::error::Error::source(&error)));
    }
}

#[test]
fn a_missing_password_is_reported() {
    let server = guarded();
    let mut con = client(&server, "", "resp2").get_connection().expect("the server accepts connections");
    let error = Name { id: 1 }.get().query(&mut con).expect_err("authentication is required");
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Server, SendStatus::Yes));
    assert!(error.to_string().contains("NOAUTH: authentication is required"), "{error}");
}
