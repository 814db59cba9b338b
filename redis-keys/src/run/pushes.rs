//! Separate connections on which a server pushes the messages of channels, and changes of keys.

use redis::aio::{ConnectionLike as _, MultiplexedConnection};
use redis::{
    AsyncConnectionConfig, Client, ErrorKind, IntoConnectionInfo as _, ProtocolVersion, RedisError, RedisResult,
    ServerErrorKind, Value,
};

use super::Connection;
#[cfg(feature = "cluster")]
use super::cluster;

/// The server or the cluster to which such connections are opened.
#[derive(Clone)]
pub(crate) enum PushSource {
    Server(Box<(Client, AsyncConnectionConfig)>),
    #[cfg(feature = "cluster")]
    Cluster(cluster::Connection),
}

impl From<&Connection> for PushSource {
    fn from(con: &Connection) -> Self {
        Self::Server(Box::new((con.client().clone(), con.config().clone())))
    }
}

impl PushSource {
    /// A client of the primary that serves a key or a channel, as far as is known.
    #[cfg_attr(not(feature = "cluster"), expect(unused_variables, reason = "a server has all keys"))]
    #[cfg_attr(not(feature = "cluster"), allow(clippy::unnecessary_wraps, reason = "there are no clusters"))]
    pub(crate) fn client_of(&self, key: &[u8]) -> RedisResult<Client> {
        match self {
            Self::Server(server) => Ok(server.0.clone()),
            #[cfg(feature = "cluster")]
            Self::Cluster(con) => con.client_of(key),
        }
    }

    /// The address of that primary.
    #[cfg(feature = "cache")]
    #[cfg_attr(not(feature = "cluster"), allow(unused_variables, reason = "one server has all keys"))]
    pub(crate) fn address_of(&self, key: &[u8]) -> Option<String> {
        match self {
            // All keys have the same.
            Self::Server(_) => Some(String::new()),
            #[cfg(feature = "cluster")]
            Self::Cluster(con) => con.primary_of(key),
        }
    }

    pub(crate) fn config(&self) -> AsyncConnectionConfig {
        match self {
            Self::Server(server) => server.1.clone(),
            #[cfg(feature = "cluster")]
            Self::Cluster(con) => con.config().clone(),
        }
    }

    pub(crate) fn is_cluster(&self) -> bool {
        !matches!(self, Self::Server(_))
    }
}

/// The address of a client's server.
pub(crate) fn address(client: &Client) -> String {
    client.get_connection_info().addr().to_string()
}

/// Whether a later attempt may succeed.
pub(crate) fn may_pass(error: &RedisError) -> bool {
    match error.kind() {
        ErrorKind::Io
        | ErrorKind::ClusterConnectionNotFound
        | ErrorKind::Server(ServerErrorKind::BusyLoading | ServerErrorKind::MasterDown) => true,
        _ => error.is_cluster_error(),
    }
}

/// Opens a connection that receives pushes, which needs RESP3.
pub(crate) async fn connect(client: &Client, config: &AsyncConnectionConfig) -> RedisResult<MultiplexedConnection> {
    let info = client.get_connection_info();
    let settings = info.redis_settings().clone().set_protocol(ProtocolVersion::RESP3);
    let client = Client::open(info.clone().set_redis_settings(settings).into_connection_info()?)?;
    client.get_multiplexed_async_connection_with_config(config).await
}

/// A server, as it describes itself.
pub(crate) struct Node {
    pub(crate) is_part_of_cluster: bool,
    pub(crate) is_primary: bool,
}

impl Node {
    /// Checks that a server answers. No user needs a right to HELLO.
    pub(crate) async fn ask(con: &mut MultiplexedConnection) -> RedisResult<Self> {
        con.req_packed_command(&redis::cmd("HELLO")).await.map(|reply| Self::read(&reply))
    }

    fn read(reply: &Value) -> Self {
        let is = |name: &str, value: &str| {
            let pairs = reply.as_map_iter().into_iter().flatten();
            pairs.into_iter().any(|(key, found)| text(key) == Some(name) && text(found) == Some(value))
        };
        Self { is_part_of_cluster: is("mode", "cluster"), is_primary: !is("role", "replica") && !is("role", "slave") }
    }
}

fn text(value: &Value) -> Option<&str> {
    match value {
        Value::BulkString(bytes) => str::from_utf8(bytes).ok(),
        Value::SimpleString(text) => Some(text),
        _ => None,
    }
}
