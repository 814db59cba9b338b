//! The node to which a scan on a cluster sends a command.

use std::any::Any;

#[cfg(feature = "cluster")]
use redis::cluster_routing::{MultipleNodeRoutingInfo, RoutingInfo, SingleNodeRoutingInfo};
use redis::{Cmd, ConnectionLike, RedisResult, Value};

use crate::run::slot_range::{Address, SlotRange};

/// The kind of a connection, recognized by its type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ConnectionKind {
    /// A cluster whose commands can be routed to each node.
    #[cfg_attr(not(feature = "cluster"), allow(dead_code, reason = "there are no clusters"))]
    Cluster,
    /// A cluster whose commands cannot be routed.
    OpaqueCluster,
    /// A single server, as far as the type says.
    Server,
}

/// The destination of a command.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Route {
    /// To the node that the connection chooses.
    Any,
    AllPrimaries,
    #[cfg_attr(not(feature = "cluster"), allow(dead_code, reason = "there are no clusters"))]
    Node(Address),
}

impl ConnectionKind {
    pub(super) fn of_sync<C: ConnectionLike + Any>(con: &C) -> Self {
        #[cfg(feature = "cluster")]
        if (con as &dyn Any).is::<redis::cluster::ClusterConnection>() {
            return Self::Cluster;
        }
        // The only synchronous connections without pipelines are connections to clusters.
        if con.supports_pipelining() { Self::Server } else { Self::OpaqueCluster }
    }

    #[cfg(feature = "aio")]
    pub(super) fn of_async<C: redis::aio::ConnectionLike + Any>(con: &C) -> Self {
        #[cfg(feature = "cluster")]
        if crate::run::redis_rs_cluster::recognize(con).is_some()
            || (con as &dyn Any).is::<crate::run::cluster::Connection>()
        {
            return Self::Cluster;
        }
        let _ = con;
        if crate::redis_rs::is_cluster::<C>() { Self::OpaqueCluster } else { Self::Server }
    }
}

impl Route {
    /// Returns the node of an address in redis-rs's notation.
    pub(super) fn of_address(address: &Value) -> Option<Self> {
        let Value::BulkString(address) = address else { return None };
        let (host, port) = std::str::from_utf8(address).ok()?.rsplit_once(':')?;
        Some(Self::Node(Address { host: host.to_owned(), port: port.parse().ok()? }))
    }

    /// Returns the primary of a range, if it announces its address.
    pub(super) fn of_primary(range: &SlotRange) -> Option<Self> {
        range.address().filter(|address| !address.host.is_empty()).map(Self::Node)
    }

    #[cfg(feature = "cluster")]
    fn routing(self) -> RoutingInfo {
        match self {
            Self::Any => RoutingInfo::SingleNode(SingleNodeRoutingInfo::Random),
            Self::AllPrimaries => RoutingInfo::MultiNode((MultipleNodeRoutingInfo::AllMasters, None)),
            Self::Node(Address { host, port }) => {
                RoutingInfo::SingleNode(SingleNodeRoutingInfo::ByAddress { host, port })
            }
        }
    }
}

/// Sends a command. Only a cluster uses the route.
#[cfg_attr(not(feature = "cluster"), allow(clippy::needless_pass_by_value, unused_variables))]
pub(super) fn send<C: ConnectionLike + Any>(con: &mut C, cmd: &Cmd, route: Route) -> RedisResult<Value> {
    #[cfg(feature = "cluster")]
    if let Some(cluster) = (con as &mut dyn Any).downcast_mut::<redis::cluster::ClusterConnection>() {
        return cluster.route_command(cmd, route.routing());
    }
    con.req_command(cmd)
}

/// Sends a command. Only a cluster uses the route.
#[cfg(feature = "aio")]
#[cfg_attr(not(feature = "cluster"), allow(clippy::needless_pass_by_value, unused_variables))]
pub(super) async fn send_async<C>(con: &mut C, cmd: &Cmd, route: Route) -> RedisResult<Value>
where
    C: redis::aio::ConnectionLike + Any,
{
    #[cfg(feature = "cluster")]
    let cluster = crate::run::redis_rs_cluster::recognize(con);
    #[cfg(feature = "cluster")]
    if let Some(mut cluster) = cluster {
        return cluster.route_command(cmd.clone(), route.routing()).await;
    }
    #[cfg(feature = "cluster")]
    if let Some(own) = crate::run::cluster::Connection::recognize(con) {
        return match route {
            Route::Any => own.send_to_any(cmd).await,
            Route::AllPrimaries => own.send_to_primaries(cmd).await,
            Route::Node(address) => own.send_to(address, cmd).await,
        };
    }
    con.req_packed_command(cmd).await
}
