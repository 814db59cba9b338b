//! A private cluster for tests.

mod node;

use std::ffi::OsStr;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::thread::sleep;
use std::time::{Duration, Instant};

pub use node::ClusterNode;
use node::View;
use redis::{Connection, RedisResult};

use super::server::{self, Process, START_TIMEOUT};

/// The minimum for a majority after the loss of one primary.
const PRIMARIES: usize = 3;

/// The distance from a node's port to the port of its cluster bus. Older servers cannot change it.
const BUS_OFFSET: u16 = 10_000;

/// `cluster-node-timeout` in milliseconds while the nodes have to notice a change.
const SHORT_NODE_TIMEOUT: &str = "1000";

/// `cluster-node-timeout` at other times, so that no node is taken for lost on an overloaded machine.
const LONG_NODE_TIMEOUT: &str = "15000";

#[rustfmt::skip]
const OPTIONS: [&str; 18] = [
    "--cluster-enabled", "yes",
    "--cluster-config-file", "nodes.conf",
    // Redis 6.2 does not know its own address before other nodes connect.
    "--cluster-announce-ip", "127.0.0.1",
    "--cluster-node-timeout", SHORT_NODE_TIMEOUT,
    "--cluster-require-full-coverage", "yes",
    // A replica takes over regardless of the age of its data.
    "--cluster-replica-validity-factor", "0",
    // Replicas do not migrate to primaries without one.
    "--cluster-migration-barrier", "100",
    "--repl-diskless-sync", "yes",
    "--repl-diskless-sync-delay", "0",
];

/// A private Redis or Valkey cluster for tests: three primaries, with or without replicas.
///
/// Its nodes are removed and the binary is found as for a [`Server`](super::Server). It takes two to three seconds to
/// start, so let the tests of a binary share a `static` cluster, unless they break it.
///
/// Connect with the cluster client of redis-rs: `ClusterClient::new(cluster.urls())`.
///
/// ```
/// use redis_keys::{prelude::*, redis::Client, testing::Cluster};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
/// struct Name { user_id: u64 }
///
/// let cluster = Cluster::start()?;
/// let key = Name { user_id: 42 };
/// // Without redis-rs's feature `cluster`, connect to the node that serves the key.
/// let node = cluster.primary_of(&key.key()?)?;
/// let mut con = Client::open(node.url())?.get_connection()?;
/// key.set("Ada").query(&mut con)?;
/// assert_eq!(key.get().query(&mut con)?.as_deref(), Some("Ada"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A test of a failover:
///
/// ```no_run
/// # use redis_keys::testing::Cluster;
/// let mut cluster = Cluster::start_with_replicas(1)?;
/// // … other threads use the cluster …
/// let primary = cluster.primary_of("user:name:42:string")?;
/// cluster.kill(primary.port())?;
/// cluster.wait_until_whole()?;
/// assert_ne!(cluster.primary_of("user:name:42:string")?.port(), primary.port());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "dropping the value stops the cluster"]
pub struct Cluster {
    /// The running nodes.
    nodes: Vec<Process>,
}

impl Cluster {
    /// Starts three primaries and waits until they serve every slot.
    ///
    /// # Errors
    ///
    /// Returns an error if no server is found, with the packages to install, or if the servers do not start or do not
    /// form a cluster.
    pub fn start() -> io::Result<Self> {
        Self::start_with(server::find_program()?, 0)
    }

    /// Starts three primaries with this many replicas each, and waits until the replicas are connected.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`start`](Self::start).
    pub fn start_with_replicas(replicas: u8) -> io::Result<Self> {
        Self::start_with(server::find_program()?, replicas)
    }

    /// Starts three primaries with this many replicas each, with this binary, a path or a name on the `PATH`.
    ///
    /// # Errors
    ///
    /// Returns an error if the servers do not start or do not form a cluster.
    pub fn start_with(program: impl AsRef<OsStr>, replicas: u8) -> io::Result<Self> {
        let program = program.as_ref();
        let count = PRIMARIES * (1 + usize::from(replicas));
        let nodes = (0..count).map(|_| Process::start(program, free_port, &OPTIONS)).collect::<io::Result<_>>();
        let cluster = Self { nodes: nodes.map_err(|error| cluster_error(program, &error))? };
        cluster.form().and_then(|()| cluster.wait_until_whole()).map_err(|error| cluster_error(program, &error))?;
        Ok(cluster)
    }

    /// Assigns the slots to the first three nodes, introduces all nodes to each other, and makes the rest replicas.
    ///
    /// `redis-cli --cluster create` does the same, but is not installed everywhere.
    fn form(&self) -> io::Result<()> {
        let ports = self.ports();
        let mut cons = ports.iter().map(|port| node::connect(*port)).collect::<io::Result<Vec<_>>>()?;
        introduce(&mut cons, &ports).map_err(io::Error::other)?;
        let (primaries, replicas) = cons.split_at_mut(PRIMARIES.min(ports.len()));
        for (replica, primary) in replicas.iter_mut().zip((0..primaries.len()).cycle()) {
            let Some(primary) = primaries.get_mut(primary) else { continue };
            let id: String = node::ask(primary, &["CLUSTER", "MYID"]).map_err(io::Error::other)?;
            replicate(replica, &id)?;
        }
        Ok(())
    }

    /// Returns the URLs of the running nodes: `redis://127.0.0.1:PORT/`.
    pub fn urls(&self) -> Vec<String> {
        self.nodes.iter().map(Process::url).collect()
    }

    /// Returns the running nodes, as the first node currently sees them.
    ///
    /// # Errors
    ///
    /// Returns an error if that node does not reply.
    pub fn nodes(&self) -> io::Result<Vec<ClusterNode>> {
        let ports = self.ports();
        let first = ports.first().ok_or_else(|| io::Error::other("no node of this cluster is running"))?;
        Ok(View::of(*first, &ports).map_err(io::Error::other)?.nodes)
    }

    /// Returns the primary that currently serves a key.
    ///
    /// # Errors
    ///
    /// Returns an error if there is none, or if the nodes do not reply.
    pub fn primary_of(&self, key: &str) -> io::Result<ClusterNode> {
        let nodes = self.nodes()?;
        let slot = nodes.first().map_or(Ok(0), |node| node.slot_of(key)).map_err(io::Error::other)?;
        let primary = nodes.into_iter().find(|node| node.serves(slot));
        primary.ok_or_else(|| io::Error::other(format!("no running node serves slot {slot}")))
    }

    /// Kills the node at this port with SIGKILL and waits until it has exited.
    ///
    /// The other nodes notice it within a few seconds, and one of its replicas takes over. Use
    /// [`wait_until_whole`](Self::wait_until_whole) to wait for that.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such node, or if the others do not reply.
    pub fn kill(&mut self, port: u16) -> io::Result<()> {
        let Some(at) = self.nodes.iter().position(|node| node.port() == port) else {
            return Err(io::Error::new(
                io::ErrorKind::NotFound,
                format!("no node of this cluster listens on port {port}"),
            ));
        };
        drop(self.nodes.swap_remove(at));
        self.set_node_timeout(SHORT_NODE_TIMEOUT)
    }

    /// Waits until the running nodes agree that they serve every slot, and every replica is connected to its primary.
    ///
    /// # Errors
    ///
    /// Returns an error after 30 seconds, for example if no replica can take over.
    pub fn wait_until_whole(&self) -> io::Result<()> {
        let started = Instant::now();
        let ports = self.ports();
        let mut missing = View::missing_in(&ports);
        if !matches!(missing, Ok(None)) {
            // Gossip spreads at the rate of the node timeout.
            self.set_node_timeout(SHORT_NODE_TIMEOUT)?;
        }
        loop {
            let message = match missing {
                Ok(None) => return self.set_node_timeout(LONG_NODE_TIMEOUT),
                Ok(Some(missing)) => missing.to_owned(),
                Err(error) => error.to_string(),
            };
            if started.elapsed() > START_TIMEOUT {
                let message = format!("the cluster is not whole after {} s: {message}", START_TIMEOUT.as_secs());
                return Err(io::Error::new(io::ErrorKind::TimedOut, message));
            }
            sleep(Duration::from_millis(10));
            missing = View::missing_in(&ports);
        }
    }

    fn ports(&self) -> Vec<u16> {
        self.nodes.iter().map(Process::port).collect()
    }

    fn set_node_timeout(&self, ms: &str) -> io::Result<()> {
        self.ports().into_iter().try_for_each(|port| {
            let set = redis::cmd("CONFIG").arg(&["SET", "cluster-node-timeout", ms]).exec(&mut node::connect(port)?);
            set.map_err(io::Error::other)
        })
    }
}

fn introduce(cons: &mut [Connection], ports: &[u16]) -> RedisResult<()> {
    for (at, con) in cons.iter_mut().enumerate() {
        // Distinct epochs avoid conflicts. They can only be set before the nodes meet.
        redis::cmd("CLUSTER").arg("SET-CONFIG-EPOCH").arg(at + 1).exec(con)?;
        if at < PRIMARIES {
            let slots = (0..node::SLOTS).filter(|slot| slot * PRIMARIES / node::SLOTS == at);
            redis::cmd("CLUSTER").arg("ADDSLOTS").arg(slots.collect::<Vec<_>>()).exec(con)?;
        }
    }
    // Gossip would spread the addresses, but takes longer.
    for (at, con) in cons.iter_mut().enumerate() {
        for port in ports.iter().skip(at + 1) {
            redis::cmd("CLUSTER").arg("MEET").arg("127.0.0.1").arg(port).exec(con)?;
        }
    }
    Ok(())
}

/// Makes a node a replica as soon as it knows its primary.
fn replicate(replica: &mut Connection, primary: &str) -> io::Result<()> {
    let started = Instant::now();
    loop {
        match redis::cmd("CLUSTER").arg("REPLICATE").arg(primary).exec(replica) {
            Ok(()) => return Ok(()),
            Err(error) if started.elapsed() > START_TIMEOUT => return Err(io::Error::other(error)),
            Err(_) => sleep(Duration::from_millis(10)),
        }
    }
}

fn cluster_error(program: &OsStr, error: &io::Error) -> io::Error {
    let program = program.to_string_lossy();
    io::Error::new(error.kind(), format!("`{program}` does not form a cluster: {error}"))
}

/// Returns a port that is not in use, like the port of its cluster bus.
fn free_port() -> io::Result<u16> {
    loop {
        let port = server::free_port()?;
        let bus = port.checked_add(BUS_OFFSET);
        if bus.is_some_and(|bus| TcpListener::bind((Ipv4Addr::LOCALHOST, bus)).is_ok()) {
            return Ok(port);
        }
    }
}
