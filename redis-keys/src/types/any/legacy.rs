//! The two names of a key that existed before it was declared: the template's name and a legacy text.

mod take_over_and;

use redis::{Cmd, RedisWrite as _, Value};
pub use take_over_and::TakeOverAnd;

use super::{OtherNameOf, RedisKey};
use crate::command::{DecodeResult, Replies, ReplyContext, ReplyError, Step, call_with, expiry, push_key, text_of};
use crate::key::{KeyWriter, OtherNameWriter};
use crate::schema::{KeyLiterals, LegacyLiterals, OptionLiterals, RoleLiterals};
use crate::{Command, Error, lua};

/// A key with two names, its template's name and a legacy text. One name is in use.
///
/// Every key that is declared with `legacy` or `formerly` implements it. With `legacy`, the legacy text is in use and
/// the template is the other name. With `formerly`, the template is in use and the legacy text is the other name.
///
/// ```
/// use redis_keys::prelude::*;
///
/// #[derive(RedisKey)]
/// #[redis_key(user:profile:{user_id}:string, value = String, ttl = 1d, formerly = "User:{user_id}:Profile")]
/// struct Profile { user_id: u64 }
///
/// assert_eq!(Profile { user_id: 42 }.key()?, "user:profile:42:string");
/// assert_eq!(Profile { user_id: 42 }.other_name().key()?, "User:42:Profile");
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has one name",
    label = "declared without `legacy` and `formerly`",
    note = "add `formerly = \"…\"` to the declaration, with the text of the `format!` that wrote the key before"
)]
pub trait LegacyKey: RedisKey {
    #[doc(hidden)]
    const WRITER: OtherNameWriter<Self> = Some(Self::write_other_name);

    #[doc(hidden)]
    fn write_other_name(&self, key: &mut KeyWriter) -> &'static str;

    #[doc(hidden)]
    type OtherFields;

    #[doc(hidden)]
    fn from_other_fields(fields: Self::OtherFields) -> Self;
}

/// The result of [`RedisKey::take_over`]: the names under which the key existed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "a key exists or not under each of two names")]
pub enum TakenOver {
    /// The key existed only under the other name, and has been renamed.
    Moved,
    /// The key exists only under the name in use.
    Here,
    /// The key does not exist.
    Missing,
    /// The key exists under both names, and was not renamed, because only your program knows which value counts.
    Both,
}

/// A key under its other name, as returned by [`RedisKey::other_name`].
///
/// Apart from its name, it is a key of the same declaration: it has the commands of the type and the role, and can be
/// parsed and scanned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OtherName<K>(K);

impl<K> OtherName<K> {
    pub(crate) fn new(key: K) -> Self {
        Self(key)
    }

    /// Returns the key under the name in use.
    pub fn into_inner(self) -> K {
        self.0
    }
}

#[diagnostic::do_not_recommend]
impl<K: LegacyKey> RedisKey for OtherName<K> {
    const DECLARATION: KeyLiterals = K::DECLARATION;
    const RARE_OPTIONS: OptionLiterals = K::RARE_OPTIONS;
    const ROLE: RoleLiterals = K::ROLE;
    const TTL_FROM_END_OF: &'static str = K::TTL_FROM_END_OF;
    const ALLOWED: &'static str = K::ALLOWED;
    const LEGACY: LegacyLiterals = (K::LEGACY.0, !K::LEGACY.1, K::LEGACY.2);
    const OTHER_NAME: OtherNameWriter<Self> = Some(|key, writer| key.0.write_key(writer));

    fn bucket_end(&self) -> Option<i64> {
        self.0.bucket_end()
    }

    fn write_key(&self, key: &mut KeyWriter) -> &'static str {
        self.0.write_other_name(key)
    }

    type Kind = K::Kind;
    type Fields = K::OtherFields;

    fn from_fields(fields: Self::Fields) -> Self {
        Self(K::from_other_fields(fields))
    }
}

pub(crate) fn take_over<K: LegacyKey>(key: &K) -> Command<TakenOver> {
    Command::script(K::SCHEMA, &lua::TAKE_OVER, take_over_cmd(key), taken_over)
}

fn take_over_cmd<K: LegacyKey>(key: &K) -> Result<Cmd, Error> {
    let expiry = expiry::draw(key)?;
    let mut cmd = call_with(&lua::TAKE_OVER, 2, text_of(key)?.as_str().as_bytes(), 3, 192);
    push_key(&mut cmd, &OtherNameOf(key))?;
    cmd.write_arg(expiry.map(|ms| ms.to_string()).unwrap_or_default().as_bytes());
    cmd.write_arg(K::SCHEMA.kind.redis_type().as_bytes());
    Ok(cmd)
}

/// Reads the script's result.
fn taken_over(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<TakenOver> {
    Ok(Step::Done(match replies.one() {
        Value::Int(0) => TakenOver::Missing,
        Value::Int(1) => TakenOver::Here,
        Value::Int(2) => TakenOver::Moved,
        Value::Int(3) => TakenOver::Both,
        _ => return Err(ReplyError::unexpected()),
    }))
}

#[cfg(test)]
mod tests {
    use redis_keys_macros::RedisKey;

    use crate::RedisKey as _;

    /// Not among the tests on servers: as the pattern of a server's user it would allow all keys.
    #[derive(Debug, PartialEq, RedisKey)]
    #[redis_key(
        request:answer:{hash}:string, crate = crate, value = String, ttl = 1d, legacy = "{hash}",
        allow(overlap, reason = "a hash in base64, without a text of its own"),
    )]
    struct Answer {
        hash: String,
    }

    #[test]
    fn a_text_can_be_a_parameter_alone() {
        let key = Answer { hash: "q+/=".to_owned() };
        assert_eq!(key.key().unwrap(), "q+/=");
        assert_eq!(Answer::parse("q+/=").unwrap(), key);
        assert!(key.take_over().packed().is_err(), "the template accepts no `+`");
    }
}
