//! Looks at keys that the user has named.

use std::collections::HashSet;

use redis::Value;

use super::calls::{Answer, Call, Caller, PIPELINE, Script};
use super::choice::KeyBytes;
use super::plan::PlannedKey;
use super::select::full_name;
use crate::Failure;
use crate::declare::redis_type::RedisType;
use crate::operate::server::schemas::Schemas;
use crate::operate::server::stop::interrupted;
use crate::render::printable;

/// The keys that exist, and those that do not.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) keys: Vec<PlannedKey>,
    pub(super) missing: Vec<Vec<u8>>,
    /// What stands for the declaration of keys that have none.
    pub(super) without_declaration: &'static str,
}

/// Stands for the declaration of keys that have none.
pub(super) const NO_DECLARATION: &str = "(no declaration)";

/// The same, if no declarations were read.
const NONE_READ: &str = "(without `--catalog`, no declarations are known here)";

/// Looks at keys that the user has named, once at each.
pub(super) fn look(caller: &mut Caller, schemas: Option<&Schemas>, keys: &[Vec<u8>]) -> Result<Found, Failure> {
    let without_declaration = if schemas.is_some() { NO_DECLARATION } else { NONE_READ };
    let (mut found, mut known) = (Found { without_declaration, ..Found::default() }, HashSet::new());
    let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).filter(|key| known.insert(*key)).collect();
    for keys in keys.chunks(PIPELINE) {
        let call =
            |key: &&[u8]| Call { key: key.to_vec(), to: None, script: Script::Look, arguments: Vec::new(), node: None };
        let calls: Vec<Call> = keys.iter().map(call).collect();
        let mut answers = Vec::new();
        caller.call(&calls, &mut answers)?;
        for (key, answer) in keys.iter().zip(answers) {
            let answer = answer.ok_or_else(interrupted)?;
            match read(key, &answer)? {
                Some(mut planned) => {
                    planned.node = caller.target.owner(key).map(ToString::to_string).unwrap_or_default();
                    let declared = |schemas: &Schemas| Some(full_name(schemas.catalog.keys.get(schemas.find(key)?)?));
                    planned.declaration = schemas.and_then(declared);
                    found.keys.push(planned);
                }
                None => found.missing.push(key.to_vec()),
            }
        }
    }
    Ok(found)
}

fn read(key: &[u8], answer: &Answer) -> Result<Option<PlannedKey>, Failure> {
    let unexpected = || Failure::new(format!("unexpected reply for `{}`", printable(key)));
    let value =
        answer.reply.as_ref().map_err(|why| Failure::new(format!("`{}` cannot be read: {why}", printable(key))))?;
    let Value::Array(values) = value else { return Err(unexpected()) };
    let [redis_type, numbers @ .., Value::BulkString(digest)] = values.as_slice() else { return Err(unexpected()) };
    let number = |value: &Value| if let Value::Int(number) = value { Some(*number) } else { None };
    let numbers: Option<Vec<i64>> = numbers.iter().map(number).collect();
    let Some([ttl, bytes, idle, seconds, micros]) = numbers.as_deref() else { return Err(unexpected()) };
    let name = match redis_type {
        Value::BulkString(name) => String::from_utf8_lossy(name),
        Value::SimpleString(name) => name.into(),
        _ => return Err(unexpected()),
    };
    if name == "none" || *ttl == -2 {
        return Ok(None);
    }
    let now_ms = u64::try_from(seconds.saturating_mul(1_000).saturating_add(micros / 1_000)).unwrap_or_default();
    Ok(Some(PlannedKey {
        node: String::new(),
        key: KeyBytes(key.to_vec()),
        redis_type: RedisType::named(&name).name().to_owned(),
        bytes: u64::try_from(*bytes).ok(),
        ttl_ms: u64::try_from(*ttl).ok(),
        expires_at_ms: u64::try_from(*ttl).ok().map(|ttl| now_ms.saturating_add(ttl)),
        idle: u64::try_from(*idle).ok(),
        last_use: u64::try_from(*idle).ok().map(|idle| (now_ms / 1_000).saturating_sub(idle)),
        digest: String::from_utf8(digest.clone()).ok().filter(|digest| !digest.is_empty()),
        declaration: None,
        to: None,
        set_ttl_ms: None,
        set_from_ms: None,
        set_jitter_ms: None,
    }))
}
