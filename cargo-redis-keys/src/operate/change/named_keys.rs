//! Looks at keys that the user has named.

use std::collections::HashSet;

use redis::Value;

use super::calls::{Answer, Call, Caller, LOOK, PIPELINE};
use super::options::ChangeArgs;
use super::plan::{KeyBytes, PlannedKey};
use crate::Failure;
use crate::declare::redis_type::RedisType;
use crate::operate::server::schemas::Schemas;
use crate::operate::server::stop::interrupted;
use crate::operate::server::value::{elements, number, text};
use crate::render::printable;

/// The keys that exist, and the keys that do not.
#[derive(Debug, Default)]
pub(super) struct LookResult {
    pub(super) keys: Vec<PlannedKey>,
    pub(super) missing: Vec<Vec<u8>>,
    /// The text in place of the declaration of keys that have none.
    pub(super) without_declaration: &'static str,
}

/// Stands for the declaration of keys that have none.
pub(super) const NO_DECLARATION: &str = "(no declaration)";

/// The same, if no declarations were read.
const NONE_READ: &str = "(without `--catalog`, no declarations are known here)";

/// Looks at keys that the user has named, once at each.
pub(super) fn look(caller: &mut Caller, schemas: Option<&Schemas>, keys: &[Vec<u8>]) -> Result<LookResult, Failure> {
    let without_declaration = if schemas.is_some() { NO_DECLARATION } else { NONE_READ };
    let (mut found, mut known) = (LookResult { without_declaration, ..LookResult::default() }, HashSet::new());
    let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).filter(|key| known.insert(*key)).collect();
    for keys in keys.chunks(PIPELINE) {
        let call = |key: &&[u8]| Call { key: key.to_vec(), to: None, script: &LOOK, arguments: Vec::new(), node: None };
        let calls: Vec<Call> = keys.iter().map(call).collect();
        let (answers, result) = caller.call(&calls);
        result?;
        for (key, answer) in keys.iter().zip(answers) {
            let answer = answer.ok_or_else(interrupted)?;
            match read(key, &answer)? {
                Some(mut planned) => {
                    planned.node = caller.target.owner(key).map(ToString::to_string).unwrap_or_default();
                    let declared =
                        |schemas: &Schemas| Some(schemas.catalog.keys.get(schemas.matcher.find(key)?)?.full_name());
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
    let [redis_type, ttl, memory, idle, seconds, micros, digest] = elements(value) else { return Err(unexpected()) };
    let name = text(redis_type).ok_or_else(unexpected)?;
    let (Value::Int(ttl), Value::Int(_), Value::Int(_)) = (ttl, memory, idle) else { return Err(unexpected()) };
    let (Some(seconds), Some(micros)) = (number(seconds), number(micros)) else { return Err(unexpected()) };
    let digest = text(digest).ok_or_else(unexpected)?;
    if name == "none" || *ttl == -2 {
        return Ok(None);
    }
    let (ttl_ms, idle) = (u64::try_from(*ttl).ok(), number(idle));
    let now_ms = seconds.saturating_mul(1_000).saturating_add(micros / 1_000);
    Ok(Some(PlannedKey {
        key: KeyBytes(key.to_vec()),
        redis_type: RedisType::named(name).name().to_owned(),
        bytes: number(memory),
        ttl_ms,
        expires_at_ms: ttl_ms.map(|ttl| now_ms.saturating_add(ttl)),
        idle,
        last_use: idle.map(|idle| (now_ms / 1_000).saturating_sub(idle)),
        digest: Some(digest.to_owned()).filter(|digest| !digest.is_empty()),
        ..PlannedKey::default()
    }))
}

/// The declarations of keys that the user has named, which are only shown. `None` if there are no declarations to read.
pub(super) fn schemas(args: &ChangeArgs) -> Result<Option<Schemas>, Failure> {
    let declarations = args.declarations.of_all_packages();
    if !declarations.are_anywhere() {
        return Ok(None);
    }
    let catalog = match declarations.whole_catalog() {
        Ok(catalog) => catalog,
        Err(failure) if declarations.catalog.is_some() => return Err(failure),
        Err(failure) => {
            message!("note: the declarations cannot be read: {failure}");
            return Ok(None);
        }
    };
    let schemas = Schemas::new(catalog, args.namespace.as_deref());
    Ok(Some(schemas.with_legacy_prefix(args.legacy_prefix.as_deref())))
}
