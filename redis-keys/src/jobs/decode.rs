//! Decoders for the replies of queues.

// This code reads replies: arithmetic on them must not overflow, and they must not be used as indexes.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing))]

use std::time::Duration;

use redis::Value;

use super::job::{Counts, ID_BYTES, Job, JobId, Receipt, RetryOutcome, TakenJob, TakenJobs, pushed};
use crate::command::value::Place;
use crate::command::{DecodeResult, Replies, ReplyContext, ReplyError, Step, reply, value};
use crate::error::Cause;
use crate::redis_rs::Words as _;
use crate::stored::{Stored, StoredError};

/// Reads a single job's id.
pub(super) fn id(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<JobId> {
    match ids(replies, sent)? {
        Step::Done(ids) => ids.first().copied().map(Step::Done).ok_or_else(ReplyError::unexpected),
        Step::Then(_) => Err(ReplyError::unexpected()),
    }
}

/// Reads the ids of jobs; a negative number is the size that would have been too large.
pub(super) fn ids(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<Vec<JobId>> {
    match replies.one() {
        Value::BulkString(ids) if ids.len() % ID_BYTES == 0 => {
            Ok(Step::Done(ids.chunks_exact(ID_BYTES).map(JobId::of_member).collect()))
        }
        Value::Int(size) if size < 0 => Err(ReplyError::new(Cause::CollectionSize { len: size.unsigned_abs() })),
        _ => Err(ReplyError::unexpected()),
    }
}

/// Reads the jobs that were taken. A job that does not decode has its own error.
pub(super) fn taken<V: Stored>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<TakenJobs<V::Output>> {
    let mut values = reply::list(replies.one())?.into_iter();
    let (Some(Value::Int(next)), Some(Value::Int(died))) = (values.next(), values.next()) else {
        return Err(ReplyError::unexpected());
    };
    Ok(Step::Done(TakenJobs {
        jobs: jobs::<V>(values.collect(), sent)?,
        next_due: u64::try_from(next).ok().map(Duration::from_millis),
        died: u64::try_from(died).map_err(|_| ReplyError::unexpected())?,
    }))
}

/// Reads dead jobs.
pub(super) fn dead<V: Stored>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Vec<TakenJob<V::Output>>> {
    jobs::<V>(reply::list(replies.one())?, sent).map(Step::Done)
}

/// Reads members with their scores.
fn jobs<V: Stored>(reply: Vec<Value>, sent: &ReplyContext<'_>) -> Result<Vec<TakenJob<V::Output>>, ReplyError> {
    let pairs = reply::pairs(Value::Array(reply))?.into_iter();
    pairs.map(|(member, score)| job::<V>(member, &score, sent)).collect()
}

fn job<V: Stored>(member: Value, score: &Value, sent: &ReplyContext<'_>) -> Result<TakenJob<V::Output>, ReplyError> {
    let Value::BulkString(member) = member else { return Err(ReplyError::unexpected()) };
    // Other programs can write any score, so the conversion clamps it.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the scores of jobs are whole numbers")]
    let score = reply::score(score)?.max(0.0) as u64;
    let value = if let Some(payload) = pushed(&member).get(ID_BYTES..) {
        value::read_one_at::<V>(Value::BulkString(payload.to_vec()), Place::new(sent))
    } else {
        let stored = StoredError::new("is too short for a job");
        Err(ReplyError::new(Cause::Decode { stored, bytes: Some(member.len()) }))
    };
    Ok(Job::new(value.map_err(|error| error.into_error(sent)), Receipt { member, score }))
}

/// Reads whether each job was still held.
pub(super) fn held(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Vec<bool>> {
    let flag = |value| match value {
        Value::Int(number) => Ok(number != 0),
        _ => Err(ReplyError::unexpected()),
    };
    let flags = reply::list(replies.one())?.into_iter().map(flag).collect::<Result<Vec<_>, _>>()?;
    // Before them come EVALSHA, the SHA-1, the number of keys and the key; then each job's score and member.
    let asked = sent.command(0).and_then(|cmd| cmd.words().count().checked_sub(4)).map(|words| words / 2);
    if asked.is_some_and(|asked| asked != flags.len()) {
        return Err(ReplyError::unexpected());
    }
    Ok(Step::Done(flags))
}

/// Reads whether the job was still held.
pub(super) fn one_held(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<bool> {
    match held(replies, sent)? {
        Step::Done(held) => held.first().copied().map(Step::Done).ok_or_else(ReplyError::unexpected),
        Step::Then(_) => Err(ReplyError::unexpected()),
    }
}

pub(super) fn retried(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<RetryOutcome> {
    match replies.one() {
        Value::Int(0) => Ok(Step::Done(RetryOutcome::Lost)),
        Value::Int(1) => Ok(Step::Done(RetryOutcome::Later)),
        Value::Int(2) => Ok(Step::Done(RetryOutcome::Dead)),
        _ => Err(ReplyError::unexpected()),
    }
}

pub(super) fn counts(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<Counts> {
    let count = |value: &Value| match value {
        Value::Int(number) => u64::try_from(*number).map_err(|_| ReplyError::unexpected()),
        _ => Err(ReplyError::unexpected()),
    };
    let [due, later, dead] = &*reply::list(replies.one())? else { return Err(ReplyError::unexpected()) };
    Ok(Step::Done(Counts { due: count(due)?, later: count(later)?, dead: count(dead)? }))
}
