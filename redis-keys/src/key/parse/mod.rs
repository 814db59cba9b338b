//! Keys read back from their text.

mod expansion;
mod fields;
#[cfg(test)]
mod tests;

pub use fields::{OneWay, ReadFields};

use crate::{
    RedisKey,
    key::{Front, KeyFault, KeyFaultKind, KeyReader, KeyWriter, ParseFault},
};

/// A key that can be read back from its text: [`RedisKey::parse`], [`RedisKey::scan`]. That is so wherever each parameter is a
/// [`ParseSegment`](crate::parameter::ParseSegment); nothing has to be implemented for it.
///
/// A digest does not tell what it is made of, and neither does a shard by itself. Where the shard's field stands beside it, as in
/// `{id % 100}:{id}`, the key is read back, and one whose shard is not that of its `id` is refused. A hot key with `copies` is not
/// read back.
///
/// Text can be borrowed from what is read: `&str` and `Cow<str>` are, `String` is not. Whoever keeps a key longer than its text
/// wants `K: for<'k> ParseKey<'k>`, which a key without lifetimes is. [`RedisKey::scan`] is one of these, so that a key that borrows
/// has none.
///
/// ```
/// use redis_keys::prelude::*;
///
/// #[derive(Debug, PartialEq, RedisKey)]
/// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
/// struct Name { user_id: u64 }
///
/// #[derive(Debug, PartialEq, RedisKey)]
/// #[redis_key(user:nick:{nick}:string, value = u64, ttl = 1h)]
/// struct Nick<'a> { nick: &'a str }
///
/// /// The keys of one declaration among all that have expired.
/// fn expired<'k, K: ParseKey<'k>>(notified: &'k [String]) -> impl Iterator<Item = K> {
///     notified.iter().filter_map(|text| K::parse(text).ok())
/// }
///
/// let notified = ["user:name:42:string".to_owned(), "user:nick:ada:string".to_owned()];
/// assert_eq!(expired::<Name>(&notified).collect::<Vec<_>>(), [Name { user_id: 42 }]);
/// assert_eq!(expired::<Nick>(&notified).collect::<Vec<_>>(), [Nick { nick: "ada" }]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read back from a key's text",
    label = "not every parameter of it can",
    note = "a key can be read back where each of its parameters can; a digest does not tell what it is made of, nor does a shard without its field beside it, as in `{{id % 100}}:{{id}}`"
)]
pub trait ParseKey<'k>: RedisKey {
    /// Reads the parameters of a key.
    #[doc(hidden)]
    fn read_key(key: &mut KeyReader<'k>) -> Option<Self>;
}

impl<'k, K: RedisKey<Fields: ReadFields<'k>>> ParseKey<'k> for K {
    fn read_key(key: &mut KeyReader<'k>) -> Option<Self> {
        key.fields(Self::from_fields)
    }
}

/// Reads a key that has this in front.
pub(crate) fn read<'k, K: ParseKey<'k>>(key: &'k [u8], front: Front) -> Result<K, ParseFault> {
    let mut reader = KeyReader::new(key, front, K::SCHEMA)?;
    let text = reader.rest();
    let read = K::read_key(&mut reader).and_then(|key| reader.end().map(|()| key));
    let key = read.ok_or_else(|| reader.fault())?;
    // What a shard is made of is known only now: the `%` is that of `{id % 100}`.
    if K::SCHEMA.template.contains('%')
        && let Some(parameter) = other_shard(&key, text)
    {
        let kind = KeyFaultKind::Refused("is the shard of another number than the one beside it");
        return Err(ParseFault::Parameter(KeyFault { parameter, kind }));
    }
    Ok(key)
}

/// The first parameter that the key does not have as its text has it.
fn other_shard<K: RedisKey>(key: &K, text: &[u8]) -> Option<usize> {
    let mut writer = KeyWriter::new();
    let end = key.write_key(&mut writer);
    writer.literal(end);
    let written = writer.bytes().unwrap_or_default();
    if written == text {
        return None;
    }
    let [mut is, mut ought] = [text, written].map(|text| KeyReader::of(text, K::SCHEMA.template));
    (0..K::SCHEMA.parameters.len()).find(|_| is.parameter() != ought.parameter()).or(Some(0))
}
