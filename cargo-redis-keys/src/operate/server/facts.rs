//! Facts about a server, as it reports them, and the cluster that it belongs to.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use redis::Value;
use serde::{Deserialize, Serialize};

use super::connection::{Link, LinkError, Reply, Server, refused};
use super::stop;
use super::topology::Topology;
use super::value::{info_fields, pairs, text};
use crate::Failure;
use crate::render::printable;

/// The settings that limit the compact encodings. The older names are those of Redis 6.2.
const COMPACT_LIMITS: [&str; 14] = [
    "hash-max-listpack-entries",
    "hash-max-listpack-value",
    "hash-max-ziplist-entries",
    "hash-max-ziplist-value",
    "list-max-listpack-size",
    "list-max-ziplist-size",
    "set-max-intset-entries",
    "set-max-listpack-entries",
    "set-max-listpack-value",
    "zset-max-listpack-entries",
    "zset-max-listpack-value",
    "zset-max-ziplist-entries",
    "zset-max-ziplist-value",
    "stream-node-max-entries",
];

/// Facts about a server, as it reports them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Facts {
    pub(crate) address: String,
    /// The version, such as `valkey 9.1.0`.
    pub(crate) version: String,
    /// The random id of the server's process. Empty if the server refuses to say.
    pub(crate) run_id: String,
    /// The number of keys.
    pub(crate) keys: u64,
    /// The number of the database.
    #[serde(default)]
    pub(crate) database: i64,
    /// The databases that have keys, with their numbers of keys.
    #[serde(default)]
    pub(crate) databases: Vec<(i64, u64)>,
    /// The bytes in use.
    pub(crate) used_memory: u64,
    /// The memory limit, 0 without one. `None` if the server refuses to say.
    pub(crate) maxmemory: Option<u64>,
    /// The eviction policy, such as `allkeys-lru`.
    pub(crate) maxmemory_policy: Option<String>,
    /// Whether expired keys are freed in the background.
    pub(crate) lazy_expire: Option<bool>,
    /// The limits of the compact encodings, such as `hash-max-listpack-entries`.
    pub(crate) compact_limits: Vec<(String, u64)>,
    /// The checks that were not possible, with the reason, such as `CONFIG is refused`.
    pub(crate) not_checked: Vec<String>,
}

impl Facts {
    /// Whether the server has `HOTKEYS GET`, as Redis has from 8.6 on.
    pub(crate) fn has_hot_keys(&self) -> bool {
        self.version("redis ") >= Some((8, 6))
    }

    /// Whether the server can be asked for `CLIENT NO-TOUCH`. An older node of a cluster may crash when such a
    /// client sends any command for a key whose slot moves.
    pub(crate) fn has_no_touch(&self, is_in_cluster: bool) -> bool {
        !is_in_cluster || self.version("redis ") >= Some((8, 4)) || self.version("valkey ") >= Some((9, 0))
    }

    /// The first two numbers of the version, if it is one of this server.
    fn version(&self, server: &str) -> Option<(u32, u32)> {
        let mut numbers = self.version.strip_prefix(server)?.split('.');
        Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
    }
}

/// A server that was asked about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Inspected {
    pub(crate) facts: Facts,
    pub(crate) is_cluster: bool,
    /// Whether it is a sentinel, which has no keys.
    pub(crate) is_sentinel: bool,
    /// The address of its primary, if it is a replica.
    pub(crate) primary: Option<String>,
}

/// Asks a server about itself.
pub(crate) fn inspect(link: &mut Link, server: &Server) -> Result<Inspected, LinkError> {
    let mut inspected = Inspected::default();
    (inspected.facts.address, inspected.facts.database) = (server.to_string(), server.database());
    match link.ask(&[b"INFO"])?.bytes() {
        Some(info) => read_info(&String::from_utf8_lossy(info), &mut inspected),
        None => inspected.facts.not_checked.push("INFO is refused".to_owned()),
    }
    let facts = &mut inspected.facts;
    match link.ask(&[b"DBSIZE"])? {
        Reply::Value(Value::Int(keys)) => facts.keys = u64::try_from(keys).unwrap_or_default(),
        _ => facts.not_checked.push("DBSIZE is refused".to_owned()),
    }
    if !inspected.is_sentinel {
        read_settings(link, facts)?;
    }
    Ok(inspected)
}

fn read_info(info: &str, inspected: &mut Inspected) {
    let fields = info_fields(info);
    let field = |name: &str| fields.get(name).map(|value| printable(value.as_bytes()));
    let number = |name: &str| field(name).and_then(|value| value.parse().ok());
    let facts = &mut inspected.facts;
    facts.version = match (field("valkey_version"), field("redis_version")) {
        (Some(version), _) => format!("valkey {version}"),
        (None, Some(version)) => format!("redis {version}"),
        (None, None) => String::new(),
    };
    facts.run_id = field("run_id").unwrap_or_default();
    facts.databases = info.lines().filter_map(database).collect();
    facts.used_memory = number("used_memory").unwrap_or_default();
    facts.maxmemory = number("maxmemory");
    facts.maxmemory_policy = field("maxmemory_policy");
    let mode = field("redis_mode").or_else(|| field("server_mode"));
    inspected.is_cluster = mode.as_deref() == Some("cluster") || number("cluster_enabled") == Some(1);
    inspected.primary = (field("role").as_deref() == Some("slave"))
        .then(|| format!("{}:{}", field("master_host").unwrap_or_default(), field("master_port").unwrap_or_default()));
    inspected.is_sentinel = mode.as_deref() == Some("sentinel");
}

/// Reads `db1:keys=5,expires=0,avg_ttl=0`.
fn database(line: &str) -> Option<(i64, u64)> {
    let (number, rest) = line.strip_prefix("db")?.split_once(":keys=")?;
    let keys = rest.split(',').next()?.trim().parse().ok()?;
    Some((number.parse().ok()?, keys))
}

/// Reads settings one by one: Redis 6.2 takes only one pattern.
fn read_settings(link: &mut Link, facts: &mut Facts) -> Result<(), LinkError> {
    for pattern in ["lazyfree-lazy-expire", "*-max-*"] {
        let Reply::Value(value) = link.ask(&[b"CONFIG", b"GET", pattern.as_bytes()])? else {
            facts.not_checked.push("CONFIG is refused".to_owned());
            return Ok(());
        };
        for (name, value) in pairs(&value) {
            let (Some(name), Some(value)) = (text(name), text(value)) else { continue };
            if name == "lazyfree-lazy-expire" {
                facts.lazy_expire = Some(value == "yes");
            } else if COMPACT_LIMITS.contains(&name)
                && let Ok(value) = value.parse()
            {
                facts.compact_limits.push((name.to_owned(), value));
            }
        }
    }
    facts.compact_limits.sort();
    Ok(())
}

/// A server that fails is tried again for this long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) const RETRY_EVERY: Duration = Duration::from_millis(250);

/// A server with keys, or a node of a cluster.
pub(crate) struct Found {
    pub(crate) facts: Facts,
    /// The address of its primary, if it is a replica.
    pub(crate) primary: Option<String>,
    /// The nodes of its cluster.
    pub(crate) topology: Option<Topology>,
}

/// Asks a server what it is, and waits for one that replies that it is not ready. A sentinel is refused. `unavailable`
/// is the failure for a server that does not reply, or that remains unavailable.
pub(crate) fn find(
    server: &Server,
    stop: &AtomicBool,
    unavailable: impl Fn(&Server, &str) -> Failure,
) -> Result<Found, Failure> {
    let started = Instant::now();
    let mut has_replied = false;
    loop {
        match ask(server) {
            Ok((inspected, _)) if inspected.is_sentinel => {
                return Err(Failure::new(format!("{server} is a sentinel, which has no keys")));
            }
            Ok((Inspected { facts, primary, .. }, topology)) => return Ok(Found { facts, primary, topology }),
            Err(LinkError::Refused(why)) => return Err(refused(server, &why)),
            Err(LinkError::Unavailable(why)) if !has_replied => {
                return Err(unavailable(server, &why).help(what_to_check(server, &why)));
            }
            Err(LinkError::Unavailable(why) | LinkError::NotReady(why)) if started.elapsed() >= PATIENCE => {
                return Err(unavailable(server, &why));
            }
            Err(LinkError::Unavailable(_)) => stop::sleep(RETRY_EVERY, stop),
            Err(LinkError::NotReady(_)) => {
                has_replied = true;
                stop::sleep(RETRY_EVERY, stop);
            }
        }
        if stop.load(Ordering::Relaxed) {
            return Err(stop::interrupted());
        }
    }
}

/// Returns the advice for a server that never replies.
fn what_to_check(server: &Server, why: &str) -> String {
    let is_refused = why.to_ascii_lowercase().contains("refused");
    match (is_refused, server.is_tls()) {
        (true, _) => "check that the server runs, and its host and port".to_owned(),
        (false, true) => {
            "check the host and the port, and that it speaks TLS: without TLS, write `redis://`".to_owned()
        }
        (false, false) => {
            "check the host and the port, that the server is not stopped, and that it speaks without TLS: \
                           with TLS, write `rediss://`"
                .to_owned()
        }
    }
}

fn ask(server: &Server) -> Result<(Inspected, Option<Topology>), LinkError> {
    let mut link = Link::open_first(server)?;
    let inspected = inspect(&mut link, server)?;
    let topology = if inspected.is_cluster { Some(Topology::read(&mut link, server)?) } else { None };
    if topology.as_ref().is_some_and(|topology| topology.shards.is_empty()) {
        return Err(LinkError::NotReady("the cluster has no slots".to_owned()));
    }
    Ok((inspected, topology))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_that_would_crash_are_not_asked_for_no_touch() {
        for (version, in_cluster) in [
            ("redis 7.0.15", false),
            ("redis 8.2.3", false),
            ("redis 8.4.0", true),
            ("redis 10.0.0", true),
            ("valkey 8.1.3", false),
            ("valkey 9.1.2", true),
            ("", false),
        ] {
            let facts = Facts { version: version.to_owned(), ..Facts::default() };
            assert!(facts.has_no_touch(false), "{version}");
            assert_eq!(facts.has_no_touch(true), in_cluster, "{version}");
        }
    }
}
