//! Which keys a cluster keeps together.

/// The part of a key by which a cluster chooses its slot: what stands in its first braces, or the whole key.
pub(super) fn hash_tag(key: &[u8]) -> &[u8] {
    let open = key.iter().position(|byte| *byte == b'{').map(|open| open + 1);
    let inner = open.and_then(|open| key.get(open..)).unwrap_or_default();
    match inner.iter().position(|byte| *byte == b'}') {
        None | Some(0) => key,
        Some(close) => inner.get(..close).unwrap_or(key),
    }
}

#[cfg(test)]
mod tests {
    use super::hash_tag;

    #[test]
    fn a_hash_tag_is_in_the_first_braces() {
        for (key, tag) in [
            ("cart:{42}:items:list", "42"),
            ("user:name:42:string", "user:name:42:string"),
            ("a{}b{c}", "a{}b{c}"),
            ("a{b", "a{b"),
            ("a{{b}}", "{b"),
            ("", ""),
        ] {
            assert_eq!(hash_tag(key.as_bytes()), tag.as_bytes(), "{key}");
        }
    }
}
