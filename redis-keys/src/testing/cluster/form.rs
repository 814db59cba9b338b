//! How servers become a cluster. `redis-cli --cluster create` does the same, but is not everywhere.

use std::{
    io,
    thread::sleep,
    time::{Duration, Instant},
};

use redis::{Connection, RedisResult};

use super::{BRISK, Cluster, PATIENCE, PRIMARIES, node};

pub(super) const OPTIONS: [&str; 18] = [
    "--cluster-enabled",
    "yes",
    "--cluster-config-file",
    "nodes.conf",
    // Redis 6.2 does not know its own address before others have called it.
    "--cluster-announce-ip",
    "127.0.0.1",
    "--cluster-node-timeout",
    BRISK,
    "--cluster-require-full-coverage",
    "yes",
    // A replica takes over however old its data may be.
    "--cluster-replica-validity-factor",
    "0",
    // A primary that has lost its replica gets no other one's.
    "--cluster-migration-barrier",
    "100",
    "--repl-diskless-sync",
    "yes",
    "--repl-diskless-sync-delay",
    "0",
];

impl Cluster {
    /// Gives the slots to the first three nodes, makes all known to each other, and the rest replicas.
    pub(super) fn form(&self) -> io::Result<()> {
        let ports = self.ports();
        let mut cons = ports.iter().map(|port| node::connect(*port)).collect::<io::Result<Vec<_>>>()?;
        meet(&mut cons, &ports).map_err(io::Error::other)?;
        let (primaries, replicas) = cons.split_at_mut(PRIMARIES.min(ports.len()));
        for (replica, primary) in replicas.iter_mut().zip((0..primaries.len()).cycle()) {
            let Some(primary) = primaries.get_mut(primary) else { continue };
            let id: String = node::ask(primary, &["CLUSTER", "MYID"]).map_err(io::Error::other)?;
            follow(replica, &id)?;
        }
        Ok(())
    }
}

fn meet(cons: &mut [Connection], ports: &[u16]) -> RedisResult<()> {
    for (at, con) in cons.iter_mut().enumerate() {
        // Without a number of its own each, the nodes have to settle first whose word counts. Later they do not take it.
        redis::cmd("CLUSTER").arg("SET-CONFIG-EPOCH").arg(at + 1).exec(con)?;
        if at < PRIMARIES {
            let slots = (0..node::SLOTS).filter(|slot| slot * PRIMARIES / node::SLOTS == at);
            redis::cmd("CLUSTER").arg("ADDSLOTS").arg(slots.collect::<Vec<_>>()).exec(con)?;
        }
    }
    // Each meets each: word of mouth would do, and take longer.
    for (at, con) in cons.iter_mut().enumerate() {
        for port in ports.iter().skip(at + 1) {
            redis::cmd("CLUSTER").arg("MEET").arg("127.0.0.1").arg(port).exec(con)?;
        }
    }
    Ok(())
}

/// Makes a node a replica as soon as it knows its primary.
fn follow(replica: &mut Connection, primary: &str) -> io::Result<()> {
    let started = Instant::now();
    loop {
        match redis::cmd("CLUSTER").arg("REPLICATE").arg(primary).exec(replica) {
            Ok(()) => return Ok(()),
            Err(error) if started.elapsed() > PATIENCE => return Err(io::Error::other(error)),
            Err(_) => sleep(Duration::from_millis(10)),
        }
    }
}
