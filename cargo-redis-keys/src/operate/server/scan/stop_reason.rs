//! The reasons for which reading a node stops before its end.

use crate::Failure;
use crate::operate::server::connection::{LinkError, Server};

/// The reason for which reading has stopped.
pub(super) enum StopReason {
    /// The server cannot be reached or is not ready.
    Unavailable(String),
    /// Another node has the slots.
    Displaced,
    /// At Ctrl-C, or because another node failed.
    Asked,
    /// It cannot go on.
    Failed(Failure),
}

impl StopReason {
    /// The reason for an error of a server's connection.
    pub(super) fn of(server: &Server, error: LinkError) -> Self {
        error.retry(server).map_or_else(Self::Failed, Self::Unavailable)
    }
}
