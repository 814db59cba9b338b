//! Each test on each kind of connection.

use redis_keys::testing::Server;

use crate::Con;

/// Runs a test on a blocking and on a multiplexed connection, with RESP2 and RESP3, each time in an empty database of a
/// private server; afterwards no key may be left without an expiry.
///
/// # Panics
/// When the test does, or when no server starts.
pub fn on_every_connection(test: impl Fn(&mut Con)) {
    let server = Server::start().expect("a server starts");
    let kinds = [("blocking", Con::blocking as fn(&str) -> Con), ("multiplexed", Con::multiplexed)];
    let protocols = ["resp2", "resp3"];
    for (at, (kind, connect)) in kinds.into_iter().enumerate() {
        for (protocol_at, protocol) in protocols.into_iter().enumerate() {
            println!("{kind}, {protocol}");
            let database = at * protocols.len() + protocol_at;
            let mut con = connect(&format!("{}{database}?protocol={protocol}", server.url()));
            test(&mut con);
            con.assert_all_expire();
        }
    }
}
