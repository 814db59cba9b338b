//! A private cluster for tests.

mod form;
mod node;

use std::{
    ffi::OsStr,
    io,
    net::{Ipv4Addr, TcpListener},
    thread::sleep,
    time::{Duration, Instant},
};

pub use self::node::ClusterNode;
use self::node::View;
use super::{
    process,
    process::{PATIENCE, Process},
};

/// As many as a cluster must have to agree on anything after it lost one.
const PRIMARIES: usize = 3;

/// The nodes talk to each other on the port so far above the one that clients use. Older servers know no other place.
const BUS: u16 = 10_000;

/// After so many milliseconds without an answer a node counts as lost. Short where the nodes have to take note of something,
/// and else so long that a machine at its limits does not make them believe in losses.
const BRISK: &str = "1000";
const CALM: &str = "15000";

/// A private Redis or Valkey cluster for tests, on free ports of this machine: three primaries, with or without replicas.
///
/// As with [`Server`](super::Server) nothing is left of it when the value is dropped, or when the process ends in another way;
/// the binary is found in the same way, too. It starts in two to three seconds, of which the servers spend two on being
/// careful, so let the tests of a binary share one, as a `static`, where they do not break it.
///
/// Each key's commands go to the node that serves its slot, and the clients of redis-rs for clusters know which:
/// `ClusterClient::new(cluster.urls())`.
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
/// // Without redis-rs's feature `cluster`, one has to find the right node.
/// let node = cluster.primary_of(&key.key()?)?;
/// let mut con = Client::open(node.url())?.get_connection()?;
/// key.set("Ada").query(&mut con)?;
/// assert_eq!(key.get().query(&mut con)?.as_deref(), Some("Ada"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A test of what happens while a primary dies and its replica takes over:
///
/// ```no_run
/// # use redis_keys::testing::Cluster;
/// let mut cluster = Cluster::start_with_replicas(1)?;
/// // … other threads work with the cluster …
/// let primary = cluster.primary_of("user:name:42:string")?;
/// cluster.kill(primary.port())?;
/// cluster.wait_until_whole()?;
/// assert_ne!(cluster.primary_of("user:name:42:string")?.port(), primary.port());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "the cluster ends when this is dropped"]
pub struct Cluster {
    /// The living nodes.
    nodes: Vec<Process>,
}

impl Cluster {
    /// Starts three primaries, and waits until they serve every slot.
    ///
    /// # Errors
    /// When no server is found, the error says what to install; when it does not start or cannot be part of a cluster, what it
    /// said.
    pub fn start() -> io::Result<Self> {
        Self::start_with(process::find()?, 0)
    }

    /// Starts three primaries, each with so many replicas, and waits until all is served and copied.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn start_with_replicas(replicas: u8) -> io::Result<Self> {
        Self::start_with(process::find()?, replicas)
    }

    /// Starts three primaries, each with so many replicas, with the server of which the binary is given, as a path or as a
    /// name on the PATH.
    ///
    /// # Errors
    /// When it does not start or cannot be part of a cluster, the error says what it said.
    pub fn start_with(program: impl AsRef<OsStr>, replicas: u8) -> io::Result<Self> {
        let program = program.as_ref();
        let count = PRIMARIES * (1 + usize::from(replicas));
        let nodes = (0..count).map(|_| Process::start(program, free_ports, &form::OPTIONS)).collect::<io::Result<_>>();
        let cluster = Self { nodes: nodes.map_err(|error| no_cluster(program, &error))? };
        cluster.form().and_then(|()| cluster.wait_until_whole()).map_err(|error| no_cluster(program, &error))?;
        Ok(cluster)
    }

    /// What clients connect to: `redis://127.0.0.1:PORT/` for each living node.
    pub fn urls(&self) -> Vec<String> {
        self.nodes.iter().map(Process::url).collect()
    }

    /// The living nodes, as the first of them sees them now.
    ///
    /// # Errors
    /// When it does not answer.
    pub fn nodes(&self) -> io::Result<Vec<ClusterNode>> {
        let ports = self.ports();
        let first = ports.first().ok_or_else(|| io::Error::other("no node of this cluster is left"))?;
        Ok(View::of(*first, &ports).map_err(io::Error::other)?.nodes)
    }

    /// The primary that serves a key now.
    ///
    /// # Errors
    /// When there is none, or the nodes do not answer.
    pub fn primary_of(&self, key: &str) -> io::Result<ClusterNode> {
        let nodes = self.nodes()?;
        let slot = nodes.first().map_or(Ok(0), |node| node.slot_of(key)).map_err(io::Error::other)?;
        let primary = nodes.into_iter().find(|node| node.serves(slot));
        primary.ok_or_else(|| io::Error::other(format!("no living node serves slot {slot}")))
    }

    /// Kills the node at this port (SIGKILL), and returns when it is gone. The others notice it within some seconds, and then
    /// a replica of it takes over: [`wait_until_whole`](Self::wait_until_whole).
    ///
    /// # Errors
    /// When there is no such node, or the others do not answer.
    pub fn kill(&mut self, port: u16) -> io::Result<()> {
        let Some(at) = self.nodes.iter().position(|node| node.port() == port) else {
            return Err(io::Error::new(io::ErrorKind::NotFound, format!("no node of this cluster is at port {port}")));
        };
        drop(self.nodes.swap_remove(at));
        self.lose_nodes_after(BRISK)
    }

    /// Waits until the living nodes agree that they serve every slot, and every replica is connected to its primary.
    ///
    /// # Errors
    /// When that takes more than half a minute: nobody is left to take over, or a node does not answer.
    pub fn wait_until_whole(&self) -> io::Result<()> {
        let started = Instant::now();
        let ports = self.ports();
        let mut why_not = View::why_not(&ports);
        if !matches!(why_not, Ok(None)) {
            // News spread as often as nodes ask whether the others live.
            self.lose_nodes_after(BRISK)?;
        }
        loop {
            let message = match why_not {
                Ok(None) => return self.lose_nodes_after(CALM),
                Ok(Some(why_not)) => why_not.to_owned(),
                Err(error) => error.to_string(),
            };
            if started.elapsed() > PATIENCE {
                let message = format!("the cluster is not whole after {} s: {message}", PATIENCE.as_secs());
                return Err(io::Error::new(io::ErrorKind::TimedOut, message));
            }
            sleep(Duration::from_millis(10));
            why_not = View::why_not(&ports);
        }
    }

    fn ports(&self) -> Vec<u16> {
        self.nodes.iter().map(Process::port).collect()
    }

    fn lose_nodes_after(&self, ms: &str) -> io::Result<()> {
        self.ports().into_iter().try_for_each(|port| {
            let set = redis::cmd("CONFIG").arg(&["SET", "cluster-node-timeout", ms]).exec(&mut node::connect(port)?);
            set.map_err(io::Error::other)
        })
    }
}

fn no_cluster(program: &OsStr, error: &io::Error) -> io::Error {
    let program = program.to_string_lossy();
    io::Error::new(error.kind(), format!("no cluster can be made of `{program}`: {error}"))
}

/// A port that nobody listens on, nor on the one for the talk of the nodes that belongs to it.
fn free_ports() -> io::Result<u16> {
    loop {
        let port = process::free_port()?;
        let bus = port.checked_add(BUS);
        if bus.is_some_and(|bus| TcpListener::bind((Ipv4Addr::LOCALHOST, bus)).is_ok()) {
            return Ok(port);
        }
    }
}
