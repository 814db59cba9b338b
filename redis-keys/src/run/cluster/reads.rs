//! Reads that go to a node together.
//!
//! redis-rs sends a pipeline again as a whole when one of its commands is redirected. That is no matter if all of them only read.

use redis::{
    Arg, Cmd, Pipeline, Value,
    cluster_async::ClusterConnection,
    cluster_routing::{Route, SingleNodeRoutingInfo, SlotAddr},
};

use crate::command::{
    answers::Answer,
    round::{PIECE, Round},
    sent::keys_of,
};

/// Whether a command only reads, and of one key: it may be run twice, and on any node that has the key.
pub(crate) fn only_reads(cmd: &Cmd) -> bool {
    let Some(Arg::Simple(name)) = cmd.args_iter().next() else { return false };
    matches!(
        name,
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

/// Sends reads of one node in pieces, one after the other, and gives the answers up to the first piece that failed: a slot in it
/// is moving, or the node is not what it was.
pub(crate) async fn run(mut con: ClusterConnection, round: &Round, reads: Vec<usize>) -> Vec<(usize, Answer)> {
    let mut answers = Vec::with_capacity(reads.len());
    for piece in reads.chunks(PIECE) {
        let Some(replies) = send(&mut con, round, piece).await else { break };
        answers.extend(piece.iter().copied().zip(replies.into_iter().map(Ok)));
    }
    answers
}

async fn send(con: &mut ClusterConnection, round: &Round, piece: &[usize]) -> Option<Vec<Value>> {
    let mut pipeline = Pipeline::with_capacity(piece.len());
    for number in piece {
        pipeline.add_command(round.command(*number)?.clone());
    }
    let key = pipeline.cmd_iter().flat_map(keys_of).next()?;
    // A replica will do, where the connection has been told that it may.
    let route = SingleNodeRoutingInfo::SpecificNode(Route::with_key(key, SlotAddr::ReplicaOptional));
    let replies = con.route_pipeline(pipeline, 0, piece.len(), route).await.ok()?;
    (replies.len() == piece.len()).then_some(replies)
}

#[cfg(test)]
mod tests {
    use super::only_reads;

    #[test]
    fn what_may_change_anything_goes_alone() {
        for name in
            ["SET", "GETEX", "GETDEL", "EVALSHA", "EVAL", "INCRBY", "BITFIELD", "XREADGROUP", "PFCOUNT", "MGET", "ge"]
        {
            assert!(!only_reads(redis::cmd(name).arg("a")), "{name}");
        }
        for name in ["GET", "HMGET", "ZRANGE", "PTTL", "TYPE"] {
            assert!(only_reads(redis::cmd(name).arg("a")), "{name}");
        }
    }
}
