//! Where each page of a scan goes.

use std::any::Any;

#[cfg(feature = "cluster")]
use redis::cluster_routing::{MultipleNodeRoutingInfo, RoutingInfo, SingleNodeRoutingInfo};
use redis::{Cmd, ConnectionLike, RedisResult, Value};

/// What is known of a connection by its type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Con {
    /// To a cluster, each node of which it can be asked for.
    #[cfg_attr(not(feature = "cluster"), allow(dead_code, reason = "there are no clusters"))]
    Cluster,
    /// To a cluster, and no more can be had of it.
    Closed,
    /// To a server, as far as can be seen.
    Other,
}

/// To whom a command goes.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum To {
    /// Whom the connection chooses.
    Any,
    Primaries,
    #[cfg_attr(not(feature = "cluster"), allow(dead_code, reason = "there are no clusters"))]
    Node {
        host: String,
        port: u16,
    },
}

impl Con {
    pub(super) fn of_sync<C: ConnectionLike + Any>(con: &C) -> Self {
        #[cfg(feature = "cluster")]
        if (con as &dyn Any).is::<redis::cluster::ClusterConnection>() {
            return Self::Cluster;
        }
        // Of synchronous connections those to clusters alone take no pipelines.
        if con.supports_pipelining() { Self::Other } else { Self::Closed }
    }

    #[cfg(feature = "aio")]
    pub(super) fn of_async<C: redis::aio::ConnectionLike + Any>(con: &C) -> Self {
        #[cfg(feature = "cluster-async")]
        if crate::run::cluster::recognise(con).is_some() {
            return Self::Cluster;
        }
        let _ = con;
        if crate::run::asynchronous::is_cluster::<C>() { Self::Closed } else { Self::Other }
    }
}

impl To {
    /// The node of an address as redis-rs writes it.
    pub(super) fn node(address: &Value) -> Option<Self> {
        let Value::BulkString(address) = address else { return None };
        let (host, port) = std::str::from_utf8(address).ok()?.rsplit_once(':')?;
        Some(Self::Node { host: host.to_owned(), port: port.parse().ok()? })
    }

    /// A primary as CLUSTER SLOTS describes it, if it says where it is.
    pub(super) fn primary(node: &Value) -> Option<Self> {
        let Value::Array(parts) = node else { return None };
        match parts.as_slice() {
            // Of what is unknown there is no address, nor of what listens everywhere.
            [Value::BulkString(host), Value::Int(port), ..]
                if ![&b""[..], b"?", b"0.0.0.0", b"::"].contains(&&**host) =>
            {
                Some(Self::Node { host: String::from_utf8(host.clone()).ok()?, port: u16::try_from(*port).ok()? })
            }
            _ => None,
        }
    }

    #[cfg(feature = "cluster")]
    fn routing(self) -> RoutingInfo {
        match self {
            Self::Any => RoutingInfo::SingleNode(SingleNodeRoutingInfo::Random),
            Self::Primaries => RoutingInfo::MultiNode((MultipleNodeRoutingInfo::AllMasters, None)),
            Self::Node { host, port } => RoutingInfo::SingleNode(SingleNodeRoutingInfo::ByAddress { host, port }),
        }
    }
}

/// Sends a command to where it is to go, which matters on a cluster alone.
#[cfg_attr(not(feature = "cluster"), allow(clippy::needless_pass_by_value, unused_variables))]
pub(super) fn send<C: ConnectionLike + Any>(con: &mut C, cmd: &Cmd, to: To) -> RedisResult<Value> {
    #[cfg(feature = "cluster")]
    if let Some(cluster) = (con as &mut dyn Any).downcast_mut::<redis::cluster::ClusterConnection>() {
        return cluster.route_command(cmd, to.routing());
    }
    con.req_command(cmd)
}

#[cfg(feature = "aio")]
#[cfg_attr(not(feature = "cluster-async"), allow(clippy::needless_pass_by_value, unused_variables))]
pub(super) async fn send_async<C>(con: &mut C, cmd: &Cmd, to: To) -> RedisResult<Value>
where
    C: redis::aio::ConnectionLike + Any,
{
    #[cfg(feature = "cluster-async")]
    let cluster = crate::run::cluster::recognise(con);
    #[cfg(feature = "cluster-async")]
    if let Some(mut cluster) = cluster {
        return cluster.route_command(cmd.clone(), to.routing()).await;
    }
    con.req_packed_command(cmd).await
}
