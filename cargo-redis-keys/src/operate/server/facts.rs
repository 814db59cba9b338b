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

/// The settings that limit the compact encodings. The older names belong to Redis 6.2.
const COMPACT_LIMITS: &str = "hash-max-listpack-entries hash-max-listpack-value hash-max-ziplist-entries \
    hash-max-ziplist-value list-max-listpack-size list-max-ziplist-size set-max-intset-entries \
    set-max-listpack-entries set-max-listpack-value zset-max-listpack-entries zset-max-listpack-value \
    zset-max-ziplist-entries zset-max-ziplist-value stream-node-max-entries";

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
    /// The memory limit, 0 without a limit. `None` if the server refuses to say.
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

    /// The first two numbers of the version, if it is a version of this server.
    fn version(&self, server: &str) -> Option<(u32, u32)> {
        let mut numbers = self.version.strip_prefix(server)?.split('.');
        Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
    }
}

/// The information that a server gives about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ServerInfo {
    pub(crate) facts: Facts,
    pub(crate) is_cluster: bool,
    /// Whether it is a sentinel, which has no keys.
    pub(crate) is_sentinel: bool,
    /// Its primary's address, if it is a replica.
    pub(crate) primary: Option<String>,
}

/// Asks a server about itself.
pub(crate) fn inspect(link: &mut Link, server: &Server) -> Result<ServerInfo, LinkError> {
    let mut server_info = ServerInfo::default();
    (server_info.facts.address, server_info.facts.database) = (server.to_string(), server.database());
    match link.ask(&[b"INFO"])?.bytes() {
        Some(info) => read_info(&String::from_utf8_lossy(info), &mut server_info),
        None => server_info.facts.not_checked.push("INFO is refused".to_owned()),
    }
    let facts = &mut server_info.facts;
    match link.ask(&[b"DBSIZE"])? {
        Reply::Value(Value::Int(keys)) => facts.keys = u64::try_from(keys).unwrap_or_default(),
        _ => facts.not_checked.push("DBSIZE is refused".to_owned()),
    }
    if !server_info.is_sentinel {
        read_settings(link, facts)?;
    }
    Ok(server_info)
}

fn read_info(info: &str, server_info: &mut ServerInfo) {
    let fields = info_fields(info);
    let field = |name: &str| fields.get(name).map(printable);
    let number = |name: &str| field(name).and_then(|value| value.parse().ok());
    let facts = &mut server_info.facts;
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
    server_info.is_cluster = mode.as_deref() == Some("cluster") || number("cluster_enabled") == Some(1);
    server_info.primary = (field("role").as_deref() == Some("slave"))
        .then(|| format!("{}:{}", field("master_host").unwrap_or_default(), field("master_port").unwrap_or_default()));
    server_info.is_sentinel = mode.as_deref() == Some("sentinel");
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
            } else if COMPACT_LIMITS.split(' ').any(|limit| limit == name)
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
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) const RETRY_EVERY: Duration = Duration::from_millis(250);

/// The time since a server has begun to fail.
#[derive(Default)]
pub(crate) struct Patience {
    since: Option<Instant>,
}

impl Patience {
    /// Whether a server that fails is given up. `has_progressed` says whether it has done something since it failed
    /// before.
    pub(crate) fn is_over(&mut self, has_progressed: bool) -> bool {
        if has_progressed {
            self.since = None;
        }
        self.since.get_or_insert_with(Instant::now).elapsed() >= PATIENCE
    }
}

/// Asks a server for its kind, and for its cluster's nodes. It waits for a server that replies that it is not ready,
/// and refuses a sentinel. `unavailable` is the failure for a server that does not reply, or that remains unavailable.
pub(crate) fn find(
    server: &Server,
    stop: &AtomicBool,
    unavailable: impl Fn(&Server, &str) -> Failure,
) -> Result<(ServerInfo, Option<Topology>), Failure> {
    let mut patience = Patience::default();
    let mut has_replied = false;
    loop {
        match ask(server) {
            Ok((info, _)) if info.is_sentinel => {
                return Err(Failure::new(format!("{server} is a sentinel, which has no keys")));
            }
            Ok(found) => return Ok(found),
            Err(LinkError::Refused(why)) => return Err(refused(server, &why)),
            Err(LinkError::Unavailable(why)) if !has_replied => {
                return Err(unavailable(server, &why).help(what_to_check(server, &why)));
            }
            Err(LinkError::Unavailable(why) | LinkError::NotReady(why)) if patience.is_over(false) => {
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
fn what_to_check(server: &Server, why: &str) -> &'static str {
    let is_refused = why.to_ascii_lowercase().contains("refused");
    match (is_refused, server.is_tls()) {
        (true, _) => "check that the server runs, and its host and port",
        (false, true) => "check the host and the port, and that it speaks TLS: without TLS, write `redis://`",
        (false, false) => {
            "check the host and the port, that the server is not stopped, and that it speaks without TLS: with TLS, write \
             `rediss://`"
        }
    }
}

fn ask(server: &Server) -> Result<(ServerInfo, Option<Topology>), LinkError> {
    let mut link = Link::open_first(server)?;
    let info = inspect(&mut link, server)?;
    let topology = if info.is_cluster { Some(Topology::read(&mut link, server)?) } else { None };
    if topology.as_ref().is_some_and(|topology| topology.shards.is_empty()) {
        return Err(LinkError::NotReady("the cluster has no slots".to_owned()));
    }
    Ok((info, topology))
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
