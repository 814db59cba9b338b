//! Assertions that every key expires.

use std::collections::BTreeSet;
use std::mem;

use redis::{Client, Cmd, Connection, ConnectionLike, ErrorKind, Pipeline, RedisResult, ServerErrorKind, Value};

/// The COUNT of each SCAN.
const SCAN_COUNT: usize = 500;

/// The number of keys that a message lists.
const MAX_LISTED: usize = 20;

/// Asserts that every key with this prefix has an expiry.
///
/// It scans the connection's database, or all primaries of a cluster. An empty prefix matches all keys. Keys that are
/// declared with `ttl = never` fail the assertion too: if you have such keys, check the result of [`without_expiry`]
/// instead.
///
/// ```
/// # #[cfg(unix)] {
/// use redis_keys::{prelude::*, redis::Client, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
/// struct Name { user_id: u64 }
///
/// let server = testing::Server::start()?;
/// let mut con = Client::open(server.url())?.get_connection()?;
/// let keys = testing::own_keys();
/// Name { user_id: 42 }.set("Ada").query(&mut con)?;
/// testing::assert_all_expire(&mut con, keys.prefix());
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// Panics if keys have no expiry, with their names, or if the server does not reply.
#[track_caller]
pub fn assert_all_expire<C: crate::SyncConnection>(con: &mut C, prefix: impl AsRef<str>) {
    assert_none(without_expiry(con, prefix));
}

/// Asserts that every key with this prefix has an expiry, on an asynchronous connection that is shared.
///
/// # Panics
///
/// Panics as [`assert_all_expire`] does.
#[cfg(feature = "aio")]
#[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
pub async fn assert_all_expire_async<C: crate::SharedConnection>(con: &C, prefix: impl AsRef<str>) {
    assert_none(without_expiry_async(con, prefix).await);
}

/// Returns the keys with this prefix that have no expiry, in alphabetical order.
///
/// It scans the connection's database, or all primaries of a cluster. On a cluster it connects to each primary itself,
/// without a password.
///
/// # Errors
///
/// Returns an error if a server does not reply.
pub fn without_expiry<C: crate::SyncConnection>(con: &mut C, prefix: impl AsRef<str>) -> RedisResult<Vec<String>> {
    let mut scan = ExpiryScan::new(prefix.as_ref());
    match primaries(con.req_command(&cluster_slots()))? {
        Some(primaries) => scan.run_all(&primaries)?,
        None => scan.run(con)?,
    }
    Ok(scan.into_keys())
}

/// Returns the keys with this prefix that have no expiry, on an asynchronous connection that is shared.
///
/// # Errors
///
/// Returns an error if a server does not reply.
#[cfg(feature = "aio")]
#[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
pub async fn without_expiry_async<C: crate::SharedConnection>(
    con: &C,
    prefix: impl AsRef<str>,
) -> RedisResult<Vec<String>> {
    let (mut con, mut scan) = (con.clone(), ExpiryScan::new(prefix.as_ref()));
    let slots = con.req_packed_command(&cluster_slots()).await;
    match primaries(slots)? {
        // Blocking is fine: the scans are short, and a test has nothing else to run.
        Some(primaries) => scan.run_all(&primaries)?,
        None => scan.run_async(&mut con).await?,
    }
    Ok(scan.into_keys())
}

#[track_caller]
fn assert_none(found: RedisResult<Vec<String>>) {
    let message = match found {
        Ok(keys) if keys.is_empty() => return,
        Ok(keys) => {
            let names: Vec<_> = keys.iter().take(MAX_LISTED).map(String::as_str).collect();
            let more = if keys.len() > MAX_LISTED { ", …" } else { "" };
            format!("{} without an expiry: {}{more}", keys.len(), names.join(", "))
        }
        Err(error) => format!("the keys could not be scanned: {error}"),
    };
    #[allow(clippy::panic, reason = "an assertion panics")]
    {
        panic!("{message}");
    }
}

/// A scan for keys without an expiry.
struct ExpiryScan {
    pattern: String,
    cursor: u64,
    /// The keys of the current page.
    page: Vec<Vec<u8>>,
    without_expiry: BTreeSet<String>,
}

impl ExpiryScan {
    fn new(prefix: &str) -> Self {
        let mut pattern = String::with_capacity(prefix.len() + 1);
        for char in prefix.chars() {
            if matches!(char, '\\' | '*' | '?' | '[' | ']') {
                pattern.push('\\');
            }
            pattern.push(char);
        }
        pattern.push('*');
        Self { pattern, cursor: 0, page: Vec::new(), without_expiry: BTreeSet::new() }
    }

    fn run_all(&mut self, primaries: &[(String, u16)]) -> RedisResult<()> {
        primaries.iter().try_for_each(|(host, port)| self.run(&mut connect(host, *port)?))
    }

    fn run(&mut self, con: &mut impl ConnectionLike) -> RedisResult<()> {
        loop {
            self.set_page(self.scan().query(con)?);
            let expiries = self.pttl();
            if !self.page.is_empty() {
                self.check_page(&expiries.query::<Vec<i64>>(con)?);
            }
            if self.cursor == 0 {
                return Ok(());
            }
        }
    }

    #[cfg(feature = "aio")]
    async fn run_async(&mut self, con: &mut impl redis::aio::ConnectionLike) -> RedisResult<()> {
        loop {
            let scan = self.scan();
            self.set_page(scan.query_async(con).await?);
            let expiries = self.pttl();
            if !self.page.is_empty() {
                self.check_page(&expiries.query_async::<Vec<i64>>(con).await?);
            }
            if self.cursor == 0 {
                return Ok(());
            }
        }
    }

    fn scan(&self) -> Cmd {
        let mut cmd = redis::cmd("SCAN");
        cmd.arg(self.cursor).arg("MATCH").arg(&self.pattern).arg("COUNT").arg(SCAN_COUNT);
        cmd
    }

    fn set_page(&mut self, (cursor, keys): (u64, Vec<Vec<u8>>)) {
        (self.cursor, self.page) = (cursor, keys);
    }

    fn pttl(&self) -> Pipeline {
        let mut pipeline = Pipeline::new();
        for key in &self.page {
            pipeline.cmd("PTTL").arg(key);
        }
        pipeline
    }

    /// Collects the keys of the page without an expiry. Keys that were deleted in the meantime are ignored.
    fn check_page(&mut self, expiries: &[i64]) {
        let keys = mem::take(&mut self.page).into_iter().zip(expiries);
        let without = keys.filter(|(_, left)| **left == -1).map(|(key, _)| String::from_utf8_lossy(&key).into_owned());
        self.without_expiry.extend(without);
    }

    fn into_keys(self) -> Vec<String> {
        self.without_expiry.into_iter().collect()
    }
}

fn cluster_slots() -> Cmd {
    let mut cmd = redis::cmd("CLUSTER");
    cmd.arg("SLOTS");
    cmd
}

/// Returns the addresses of the primaries, or `None` if the server is not part of a cluster.
fn primaries(slots: RedisResult<Value>) -> RedisResult<Option<Vec<(String, u16)>>> {
    let slots = match slots.and_then(Value::extract_error) {
        Ok(slots) => slots,
        // "This instance has cluster support disabled", or an unknown command.
        Err(error) if error.kind() == ErrorKind::Server(ServerErrorKind::ResponseError) => return Ok(None),
        Err(error) => return Err(error),
    };
    let ranges: Vec<Vec<Value>> = redis::from_redis_value(slots)?;
    // Each entry is the first and the last slot, the primary, and its replicas.
    let nodes = ranges.into_iter().filter_map(|range| range.into_iter().nth(2));
    let addresses = nodes.map(|node| {
        let mut node = redis::from_redis_value::<Vec<Value>>(node)?.into_iter();
        let host = redis::from_redis_value(node.next().unwrap_or(Value::Nil))?;
        let port = redis::from_redis_value(node.next().unwrap_or(Value::Nil))?;
        Ok((host, port))
    });
    let addresses = addresses.collect::<RedisResult<BTreeSet<_>>>()?;
    Ok(Some(addresses.into_iter().collect()))
}

fn connect(host: &str, port: u16) -> RedisResult<Connection> {
    Client::open((host, port))?.get_connection()
}
