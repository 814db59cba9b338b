//! Private readers, for the fuzzer of this repository.

use redis::{RedisResult, Value};

use crate::operate::change::fuzz_plan;
use crate::operate::server::connection::first_reply;

/// Reads the first reply in these bytes.
pub fn reply(bytes: &[u8]) -> RedisResult<Value> {
    first_reply(bytes)
}

/// Reads a plan for each command, and panics if a plan that was read is another one after it is written.
pub fn plan(bytes: &[u8]) {
    fuzz_plan(bytes);
}
