//! Reads that go to a node together.
//!
//! What redis-rs sends again as a whole may be run twice, if all of it only reads.

use redis::{
    Pipeline, Value,
    cluster_async::ClusterConnection,
    cluster_routing::{Route, SingleNodeRoutingInfo, SlotAddr},
};

use crate::command::{
    answers::Answer,
    round::{PIECE, Round},
    sent::keys_of,
};

/// Sends reads of one node in pieces, one after the other, and gives the answers up to the first piece that failed: a slot in it
/// is moving, or the node is not what it was.
pub(super) async fn run(mut con: ClusterConnection, round: &Round, reads: &[usize]) -> Vec<(usize, Answer)> {
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
