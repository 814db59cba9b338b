//! Counts strings and the fields of hashes, inside the range of the value's type.

use std::marker::PhantomData;

use redis::{Cmd, Value};

use crate::command::arguments::{Amount, Arguments, Capacity, with};
use crate::command::builder::Build as _;
use crate::command::expiry::expiry_of;
use crate::command::{DecodeResult, Replies, ReplyContext, ReplyError, Step, value};
use crate::error::Cause;
use crate::schema::{Expiry, Schema};
use crate::stored::{Float, Integer, Stored as _};
use crate::{Command, StringKey, lua};

/// Counts by a step; `None` is a step that does not fit into 64 bits with a sign.
pub(super) fn count_by<K: StringKey<Value: Integer>>(key: &K, step: Option<i64>) -> Command<K::Value> {
    let whole_range = (K::Value::LOWEST, K::Value::HIGHEST) == (i64::MIN, i64::MAX);
    if K::SCHEMA.expiry == Expiry::NEVER && whole_range {
        let step = with(Capacity::new(1, 20), |cmd, _| push_step::<K::Value>(cmd, step));
        return key.native("INCRBY", step).reply_one(read_integer::<K::Value>);
    }
    match expiry_of(key) {
        Ok(expiry) => {
            key.script(&lua::COUNT, (StepInRange::<K::Value>::new(step), expiry)).reply_one(read_integer::<K::Value>)
        }
        Err(error) => Command::refused(error),
    }
}

/// Counts by a float.
pub(super) fn count_by_float<K: StringKey<Value: Float>>(key: &K, step: &K::Value) -> Command<K::Value> {
    let step = with(Capacity::new(1, 24), |cmd, _| {
        let encoded = K::Value::encode(step, &mut redis::RedisWrite::writer_for_next_arg(cmd));
        encoded.map(|()| Amount::Some).map_err(Cause::Encode)
    });
    match expiry_of(key) {
        Ok(expiry) => key
            .script(&lua::COUNT_FLOAT, (step, format_args!("{:e}", K::Value::HIGHEST), expiry))
            .reply_one(read_float::<K::Value>),
        Err(error) => Command::refused(error),
    }
}

/// The arguments of the scripts that count integers: a step, the step back, and the type's lowest and highest number.
pub(crate) struct StepInRange<V> {
    step: Option<i64>,
    number: PhantomData<V>,
}

impl<V: Integer> StepInRange<V> {
    pub(crate) fn new(step: Option<i64>) -> Self {
        Self { step, number: PhantomData }
    }
}

impl<V: Integer> Arguments for StepInRange<V> {
    #[inline]
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        Capacity::new(4, 80)
    }

    fn push(self, cmd: &mut Cmd, _schema: &'static Schema) -> Result<Amount, Cause> {
        push_step::<V>(cmd, self.step)?;
        cmd.arg(self.step.unwrap_or_default().saturating_neg()).arg(V::LOWEST).arg(V::HIGHEST);
        Ok(Amount::Some)
    }
}

fn push_step<V: Integer>(cmd: &mut Cmd, step: Option<i64>) -> Result<Amount, Cause> {
    match step {
        // `-i64::MIN` is no `i64`, so such a step could not be taken back.
        None | Some(i64::MIN) if V::LOWEST == i64::MIN => Err(Cause::StepTooLarge),
        None => Err(out_of_range::<V>()),
        Some(step) => {
            cmd.arg(step);
            Ok(Amount::Some)
        }
    }
}

/// Reads the new number; nothing if it would have left the range.
pub(crate) fn read_integer<V: Integer>(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<V> {
    match replies.one() {
        Value::Int(number) => V::from_i64(number).map(Step::Done).ok_or_else(ReplyError::unexpected),
        reply => value::read::<V>(reply)?.map(Step::Done).ok_or_else(|| ReplyError::new(out_of_range::<V>())),
    }
}

/// Reads the new number; nothing if it would have left the range.
fn read_float<V: Float>(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<V> {
    value::read::<V>(replies.one())?.map(Step::Done).ok_or_else(|| ReplyError::new(Cause::OutOfRange(None)))
}

pub(crate) fn out_of_range<V: Integer>() -> Cause {
    Cause::OutOfRange(Some((V::LOWEST, V::HIGHEST)))
}
