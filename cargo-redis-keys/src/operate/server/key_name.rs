//! Whether a key follows the rules of names.

use redis_keys_schema::{Kind, limits};

/// The type that a key's last segment names, if the key follows the rules: words of `a` to `z` and `0` to `9`, at least
/// three segments, the first of which starts with a letter, at most one hash tag, and at most 128 bytes.
pub(crate) fn kind_of(key: &[u8], namespace: Option<&str>) -> Option<Kind> {
    if key.len() > limits::MAX_KEY_BYTES {
        return None;
    }
    let key = namespace.and_then(|namespace| key.strip_prefix(namespace.as_bytes())?.strip_prefix(b":")).unwrap_or(key);
    let mut segments = key.split(|byte| *byte == b':');
    let module = segments.next()?;
    let last = segments.next_back()?;
    let starts_with_letter = module.first().is_some_and(u8::is_ascii_lowercase);
    let mut middle = segments.peekable();
    middle.peek()?;
    let mut tags = 0;
    let are_valid = middle.all(|segment| segment.split(|byte| *byte == b'.').all(|word| is_word(word, &mut tags)));
    let is_module = starts_with_letter && module.split(|byte| *byte == b'.').all(|word| is_word(word, &mut 1));
    let kind = Kind::from_name(str::from_utf8(last).ok()?)?;
    (are_valid && is_module && tags <= 1).then_some(kind)
}

/// Whether this is a word, also one that is a hash tag.
fn is_word(word: &[u8], tags: &mut u32) -> bool {
    let inner = match word {
        [b'{', inner @ .., b'}'] => {
            *tags += 1;
            inner
        }
        word => word,
    };
    !inner.is_empty() && inner.iter().all(|byte| limits::is_word_byte(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let longest = format!("a:{}:string", "x".repeat(119));
        for key in ["user:basic.info:42:string", "cart:{42}:total:string", "user:a.{7}:set", "a:b:hash", &longest] {
            assert!(kind_of(key.as_bytes(), None).is_some(), "{key}");
        }
        let too_long = format!("a:{}:string", "x".repeat(120));
        for key in [
            "",
            "12345",
            "user",
            "user:string",
            "user::string",
            "user:a..b:string",
            "User:a:string",
            "1user:a:string",
            "user:a_b:string",
            "user:a b:string",
            "user:{a}:{b}:string",
            "user:{}:string",
            "{user}:a:string",
            "user:{a:b}:string",
            "user:a:text",
            "user:a:string:",
            ":user:a:string",
            &too_long,
        ] {
            assert_eq!(kind_of(key.as_bytes(), None), None, "{key}");
        }
        assert_eq!(kind_of(b"user:\xff:string", None), None);
        assert_eq!(kind_of(b"user:a:\xff", None), None);
    }

    #[test]
    fn a_namespace_is_no_module() {
        assert_eq!(kind_of(b"shop.staging:user:a:set", Some("shop.staging")), Some(Kind::Set));
        assert_eq!(kind_of(b"shop.staging:a:set", Some("shop.staging")), None);
        assert_eq!(kind_of(b"other:a:set", Some("shop.staging")), Some(Kind::Set));
    }
}
