//! Looks at keys that the user has named.

use redis::Value;

use super::calls::{Answer, Call, Caller};
use super::plan::{KeyBytes, PlannedKey};
use super::script::Script;
use super::select::full_name;
use crate::Failure;
use crate::audit::tally::Schemas;
use crate::output::printable;

/// What was found at the keys.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) keys: Vec<PlannedKey>,
    /// The keys that do not exist.
    pub(super) missing: Vec<Vec<u8>>,
}

/// Looks at keys.
pub(super) fn look(caller: &mut Caller, schemas: &Schemas, keys: &[Vec<u8>]) -> Result<Found, Failure> {
    let mut found = Found::default();
    for keys in keys.chunks(super::calls::PIPELINE) {
        let call = |key: &Vec<u8>| Call { key: key.clone(), script: Script::Look, arguments: Vec::new() };
        let calls: Vec<Call> = keys.iter().map(call).collect();
        let mut answers = Vec::new();
        caller.call(&calls, &mut answers)?;
        for (key, answer) in keys.iter().zip(answers) {
            let answer = answer.ok_or_else(|| Failure::new("interrupted"))?;
            match read(key, &answer)? {
                Some(mut planned) => {
                    planned.node = caller.target.owner(key).map(ToString::to_string).unwrap_or_default();
                    let number = schemas.find(key);
                    let declaration = number.and_then(|number| schemas.catalogue.keys.get(number));
                    planned.declaration = declaration.map(full_name);
                    found.keys.push(planned);
                }
                None => found.missing.push(key.clone()),
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
    let [redis_type, Value::Int(ttl), Value::Int(bytes), Value::Int(last_use)] = values.as_slice() else {
        return Err(unexpected());
    };
    let redis_type = match redis_type {
        Value::BulkString(name) => String::from_utf8_lossy(name).into_owned(),
        Value::SimpleString(name) => name.clone(),
        _ => return Err(unexpected()),
    };
    if redis_type == "none" || *ttl == -2 {
        return Ok(None);
    }
    let is_known = ["string", "hash", "list", "set", "zset", "stream"].contains(&redis_type.as_str());
    Ok(Some(PlannedKey {
        node: String::new(),
        key: KeyBytes(key.to_vec()),
        redis_type: if is_known { redis_type } else { "other".to_owned() },
        bytes: u64::try_from(*bytes).ok(),
        ttl_ms: u64::try_from(*ttl).ok(),
        last_use: u64::try_from(*last_use).ok(),
        declaration: None,
        set_ttl_ms: None,
        set_jitter_ms: None,
    }))
}
