//! Reads that are sent to a node in pipelines.
//!
//! redis-rs sends a whole pipeline again when one of its commands is redirected, which is safe if all of them only read.

use redis::{
    Cmd, Pipeline, Value,
    cluster_async::ClusterConnection,
    cluster_routing::{Route, SingleNodeRoutingInfo, SlotAddr},
};

use crate::command::{
    Submission,
    cmd::{keys_of, words},
    responses::Response,
    submission::CHUNK,
};

/// Whether a command only reads, and keys in one slot: it may be executed twice, and by any node that has the slot. Those with keys
/// in several slots have been split.
pub(crate) fn only_reads(cmd: &Cmd) -> bool {
    matches!(
        words(cmd).next().unwrap_or_default(),
        b"BITCOUNT"
            | b"BITFIELD_RO"
            | b"BITPOS"
            | b"EXISTS"
            | b"GEODIST"
            | b"GEOHASH"
            | b"GEOPOS"
            | b"GEOSEARCH"
            | b"GET"
            | b"GETBIT"
            | b"GETRANGE"
            | b"HEXISTS"
            | b"HGET"
            | b"HLEN"
            | b"HMGET"
            | b"HPTTL"
            | b"HRANDFIELD"
            | b"HSTRLEN"
            | b"LINDEX"
            | b"LLEN"
            | b"LPOS"
            | b"LRANGE"
            | b"MGET"
            | b"PTTL"
            | b"SCARD"
            | b"SISMEMBER"
            | b"SMISMEMBER"
            | b"SRANDMEMBER"
            | b"STRLEN"
            | b"TYPE"
            | b"XINFO"
            | b"XLEN"
            | b"XPENDING"
            | b"XRANGE"
            | b"XREVRANGE"
            | b"ZCARD"
            | b"ZCOUNT"
            | b"ZMSCORE"
            | b"ZRANDMEMBER"
            | b"ZRANGE"
            | b"ZRANGEBYSCORE"
            | b"ZRANK"
            | b"ZREVRANGE"
            | b"ZREVRANGEBYSCORE"
            | b"ZREVRANK"
            | b"ZSCORE"
    )
}

/// Sends the reads of one node, chunk by chunk. Returns the responses up to the first chunk that failed because a slot is moving or
/// the node has changed its role.
pub(crate) async fn run(
    mut con: ClusterConnection,
    submission: &Submission,
    reads: Vec<usize>,
) -> Vec<(usize, Response)> {
    let mut responses = Vec::with_capacity(reads.len());
    for chunk in reads.chunks(CHUNK) {
        let Some(replies) = send(&mut con, submission, chunk).await else { break };
        responses.extend(chunk.iter().copied().zip(replies.into_iter().map(Ok)));
    }
    responses
}

async fn send(con: &mut ClusterConnection, submission: &Submission, chunk: &[usize]) -> Option<Vec<Value>> {
    let mut pipeline = Pipeline::with_capacity(chunk.len());
    for number in chunk {
        pipeline.add_command(submission.command(*number)?.clone());
    }
    let key = pipeline.cmd_iter().flat_map(keys_of).next()?;
    // A replica, if the connection is configured to read from replicas.
    let route = SingleNodeRoutingInfo::SpecificNode(Route::with_key(key, SlotAddr::ReplicaOptional));
    let replies = con.route_pipeline(pipeline, 0, chunk.len(), route).await.ok()?;
    (replies.len() == chunk.len()).then_some(replies)
}

#[cfg(test)]
mod tests {
    use super::only_reads;

    #[test]
    fn only_pure_reads_are_sent_together() {
        for name in ["SET", "GETEX", "GETDEL", "EVALSHA", "EVAL", "INCRBY", "BITFIELD", "XREADGROUP", "PFCOUNT", "ge"] {
            assert!(!only_reads(redis::cmd(name).arg("a")), "{name}");
        }
        for name in ["GET", "MGET", "HMGET", "ZRANGE", "PTTL", "TYPE"] {
            assert!(only_reads(redis::cmd(name).arg("a")), "{name}");
        }
    }
}
