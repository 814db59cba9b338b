//! A connection to a cluster in a type of the user, which cannot be recognized as one.

use redis::aio::ConnectionLike;
use redis::cluster::ClusterClient;
use redis::cluster_async::ClusterConnection;
use redis::{Cmd, Pipeline, RedisFuture, Value};
use redis_keys_tests::shared_cluster;

use super::block_on;
use super::commands::run_all;

struct CountingConnection {
    con: ClusterConnection,
    commands: usize,
    pipelines: usize,
}

impl ConnectionLike for CountingConnection {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        self.commands += 1;
        self.con.req_packed_command(cmd)
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        cmds: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        self.pipelines += 1;
        self.con.req_packed_commands(cmds, offset, count)
    }

    fn get_db(&self) -> i64 {
        self.con.get_db()
    }
}

/// redis-rs rejects a pipeline over several slots before it sends it, and then each command is sent alone.
#[test]
fn a_wrapped_cluster_connection_sends_batches_command_by_command() {
    let cluster = shared_cluster();
    let client = ClusterClient::new(cluster.urls()).expect("the addresses are valid");
    block_on(async {
        let con = client.get_async_connection().await.expect("the cluster replies");
        let mut con = CountingConnection { con, commands: 0, pipelines: 0 };
        // The nodes may know the scripts from other tests.
        let _: () = redis::cmd("SCRIPT").arg("FLUSH").query_async(&mut con.con).await.expect("the cluster replies");
        run_all(&mut con).await.expect("every command succeeds");
        assert!(con.pipelines > 3 && con.commands > 118, "{} pipelines, {} commands", con.pipelines, con.commands);
    });
}
