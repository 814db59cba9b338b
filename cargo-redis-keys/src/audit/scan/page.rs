//! A page of keys: the request for it, and the reply.

use redis::Value;

use crate::connection::{Reply, Requests};

/// The reply to `SCAN`.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Page {
    /// Where the next page starts. `None` after the last.
    pub(super) next: Option<u64>,
    pub(super) keys: Vec<Vec<u8>>,
}

/// Adds the request for the page that starts here.
pub(super) fn request(requests: &mut Requests, cursor: u64, pattern: Option<&[u8]>, count: u32) {
    let (cursor, count) = (cursor.to_string(), count.to_string());
    match pattern {
        Some(pattern) => {
            requests.push(&[b"SCAN", cursor.as_bytes(), b"MATCH", pattern, b"COUNT", count.as_bytes()]);
        }
        None => requests.push(&[b"SCAN", cursor.as_bytes(), b"COUNT", count.as_bytes()]),
    }
}

impl Page {
    /// Reads the reply, or says what else it is.
    pub(super) fn read(reply: Reply) -> Result<Self, Reply> {
        match reply {
            Reply::Value(Value::Array(parts)) => {
                let Ok([Value::BulkString(next), Value::Array(keys)]) = <[Value; 2]>::try_from(parts) else {
                    return Err(Reply::Value(Value::Nil));
                };
                let next = std::str::from_utf8(&next).ok().and_then(|next| next.parse().ok());
                let next = next.ok_or(Reply::Value(Value::Nil))?;
                let next = (next != 0).then_some(next);
                let key = |key| if let Value::BulkString(key) = key { Some(key) } else { None };
                Ok(Self { next, keys: keys.into_iter().filter_map(key).collect() })
            }
            other => Err(other),
        }
    }
}

/// The pattern that `SCAN` gets: that of the user, or all keys of the namespace.
pub(super) fn pattern(asked: Option<&str>, namespace: Option<&str>) -> Option<Vec<u8>> {
    match (asked, namespace) {
        (Some(pattern), _) => Some(pattern.as_bytes().to_vec()),
        (None, Some(namespace)) => Some(format!("{}:*", literal(namespace)).into_bytes()),
        (None, None) => None,
    }
}

/// A pattern for just this text.
fn literal(text: &str) -> String {
    text.chars().flat_map(|sign| "*?[]\\^".contains(sign).then_some('\\').into_iter().chain([sign])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_pattern_is_taken_before_the_namespace() {
        assert_eq!(pattern(Some("user:*"), Some("shop")), Some(b"user:*".to_vec()));
        assert_eq!(pattern(None, Some("sh*p.v1")), Some(b"sh\\*p.v1:*".to_vec()));
        assert_eq!(pattern(None, None), None);
    }

    #[test]
    fn only_a_page_is_read_as_one() {
        let text = |text: &str| Value::BulkString(text.into());
        let keys = Value::Array(vec![text("a"), text("b")]);
        let page = Page::read(Reply::Value(Value::Array(vec![text("18446744073709551615"), keys])));
        assert_eq!(page, Ok(Page { next: Some(u64::MAX), keys: vec![b"a".to_vec(), b"b".to_vec()] }));
        for other in [Value::Nil, Value::Array(vec![]), Value::Array(vec![text("x"), Value::Array(vec![])])] {
            assert!(Page::read(Reply::Value(other)).is_err());
        }
        assert_eq!(Page::read(Reply::KeyRefused), Err(Reply::KeyRefused));
    }
}
