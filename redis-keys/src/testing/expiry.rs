//! The assertion that every key expires.

use std::{collections::BTreeSet, mem};

use redis::{Client, Cmd, Connection, ConnectionLike, ErrorKind, Pipeline, RedisResult, ServerErrorKind, Value};

/// Keys to ask for at a time.
const PIECE: usize = 500;

/// Keys that a message names.
const NAMED: usize = 20;

/// Asserts that every key that begins so has an expiry: of the connection's database, or of all primaries of a cluster. All
/// keys begin with the empty text.
///
/// Keys that are declared with `ttl = never` count, too; where there are some, look at
/// [`without_expiry`] instead.
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
/// When one has none: the message names them. Also when the server does not answer.
#[track_caller]
pub fn assert_all_expire<C: ConnectionLike>(con: &mut C, prefix: impl AsRef<str>) {
    assert_none(without_expiry(con, prefix));
}

/// [`assert_all_expire`] on an asynchronous connection.
///
/// # Panics
/// As that does.
#[cfg(feature = "aio")]
#[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
pub async fn assert_all_expire_async<C: redis::aio::ConnectionLike>(con: &mut C, prefix: impl AsRef<str>) {
    assert_none(without_expiry_async(con, prefix).await);
}

/// The keys that begin so and have no expiry, in alphabetical order: of the connection's database, or of all primaries of a
/// cluster.
///
/// On a cluster it connects to each primary by itself, without a password: a connection to the whole cluster does not say
/// which node it asks.
///
/// # Errors
/// When a server does not answer.
pub fn without_expiry<C: ConnectionLike>(con: &mut C, prefix: impl AsRef<str>) -> RedisResult<Vec<String>> {
    let mut search = Search::new(prefix.as_ref());
    match of_cluster(con.req_command(&cluster_slots()))? {
        Some(primaries) => search.all(&primaries)?,
        None => search.run(con)?,
    }
    Ok(search.found())
}

/// [`without_expiry`] on an asynchronous connection.
///
/// # Errors
/// When a server does not answer.
#[cfg(feature = "aio")]
#[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
pub async fn without_expiry_async<C>(con: &mut C, prefix: impl AsRef<str>) -> RedisResult<Vec<String>>
where
    C: redis::aio::ConnectionLike,
{
    let mut search = Search::new(prefix.as_ref());
    let slots = con.req_packed_command(&cluster_slots()).await;
    match of_cluster(slots)? {
        // They do not keep anybody waiting for long, and a test has nothing else to do.
        Some(primaries) => search.all(&primaries)?,
        None => search.run_async(con).await?,
    }
    Ok(search.found())
}

#[track_caller]
fn assert_none(found: RedisResult<Vec<String>>) {
    let message = match found {
        Ok(keys) if keys.is_empty() => return,
        Ok(keys) => {
            let names: Vec<_> = keys.iter().take(NAMED).map(String::as_str).collect();
            let more = if keys.len() > NAMED { ", …" } else { "" };
            format!("{} without an expiry: {}{more}", keys.len(), names.join(", "))
        }
        Err(error) => format!("the keys could not be looked at: {error}"),
    };
    #[allow(clippy::panic, reason = "that is what an assertion does")]
    {
        panic!("{message}");
    }
}

/// A walk through all keys that begin in some way.
struct Search {
    pattern: String,
    cursor: u64,
    /// The keys of one step.
    keys: Vec<Vec<u8>>,
    found: BTreeSet<String>,
}

impl Search {
    fn new(prefix: &str) -> Self {
        let mut pattern = String::with_capacity(prefix.len() + 1);
        for sign in prefix.chars() {
            if matches!(sign, '\\' | '*' | '?' | '[' | ']') {
                pattern.push('\\');
            }
            pattern.push(sign);
        }
        pattern.push('*');
        Self { pattern, cursor: 0, keys: Vec::new(), found: BTreeSet::new() }
    }

    fn all(&mut self, primaries: &[(String, u16)]) -> RedisResult<()> {
        primaries.iter().try_for_each(|(host, port)| self.run(&mut connect(host, *port)?))
    }

    fn run(&mut self, con: &mut impl ConnectionLike) -> RedisResult<()> {
        loop {
            self.step(self.scan().query(con)?);
            let expiries = self.expiries();
            if !self.keys.is_empty() {
                self.look(&expiries.query::<Vec<i64>>(con)?);
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
            self.step(scan.query_async(con).await?);
            let expiries = self.expiries();
            if !self.keys.is_empty() {
                self.look(&expiries.query_async::<Vec<i64>>(con).await?);
            }
            if self.cursor == 0 {
                return Ok(());
            }
        }
    }

    fn scan(&self) -> Cmd {
        let mut cmd = redis::cmd("SCAN");
        cmd.arg(self.cursor).arg("MATCH").arg(&self.pattern).arg("COUNT").arg(PIECE);
        cmd
    }

    fn step(&mut self, (cursor, keys): (u64, Vec<Vec<u8>>)) {
        (self.cursor, self.keys) = (cursor, keys);
    }

    fn expiries(&self) -> Pipeline {
        let mut pipeline = Pipeline::with_capacity(self.keys.len());
        for key in &self.keys {
            pipeline.cmd("PTTL").arg(key);
        }
        pipeline
    }

    /// Keeps the keys of this step without an expiry. One that has gone meanwhile had one, or is nobody's concern.
    fn look(&mut self, expiries: &[i64]) {
        let keys = mem::take(&mut self.keys).into_iter().zip(expiries);
        let without = keys.filter(|(_, left)| **left == -1).map(|(key, _)| String::from_utf8_lossy(&key).into_owned());
        self.found.extend(without);
    }

    fn found(self) -> Vec<String> {
        self.found.into_iter().collect()
    }
}

fn cluster_slots() -> Cmd {
    let mut cmd = redis::cmd("CLUSTER");
    cmd.arg("SLOTS");
    cmd
}

/// Where the primaries are, or `None` when the server is no cluster.
fn of_cluster(slots: RedisResult<Value>) -> RedisResult<Option<Vec<(String, u16)>>> {
    let slots = match slots.and_then(Value::extract_error) {
        Ok(slots) => slots,
        // "This instance has cluster support disabled", or no such command at all.
        Err(error) if error.kind() == ErrorKind::Server(ServerErrorKind::ResponseError) => return Ok(None),
        Err(error) => return Err(error),
    };
    let ranges: Vec<Vec<Value>> = redis::from_redis_value(slots)?;
    // The first and the last slot, the primary, and its replicas.
    let primaries = ranges.into_iter().filter_map(|range| range.into_iter().nth(2));
    let addresses = primaries.map(|node| {
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
