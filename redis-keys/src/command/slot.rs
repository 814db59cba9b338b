//! Which keys a cluster keeps together.

/// The part of a key by which a cluster chooses its slot: what stands in its first braces, or the whole key.
pub(crate) fn hash_tag(key: &[u8]) -> &[u8] {
    let open = key.iter().position(|byte| *byte == b'{').map(|open| open + 1);
    let inner = open.and_then(|open| key.get(open..)).unwrap_or_default();
    match inner.iter().position(|byte| *byte == b'}') {
        None | Some(0) => key,
        Some(close) => inner.get(..close).unwrap_or(key),
    }
}

/// The slot of a key: CRC16 (XMODEM) of what it is chosen by.
#[cfg(feature = "cluster-async")]
pub(crate) fn slot(key: &[u8]) -> u16 {
    let crc = hash_tag(key).iter().fold(0_u16, |crc, byte| {
        let [high, _] = crc.to_be_bytes();
        (crc << 8) ^ CRC16.get(usize::from(high ^ byte)).copied().unwrap_or_default()
    });
    crc % 16_384
}

/// What each byte adds.
#[cfg(feature = "cluster-async")]
const CRC16: [u16; 256] = {
    let mut table = [0; 256];
    let mut byte: u16 = 0;
    while byte < 256 {
        let mut crc = byte << 8;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 };
            bit += 1;
        }
        table[byte as usize] = crc;
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::hash_tag;

    #[cfg(feature = "cluster-async")]
    #[test]
    fn keys_have_the_slots_that_clusters_give_them() {
        for (key, slot) in [("", 0), ("123456789", 0x31c3), ("foo", 12_182), ("bar", 5_061), ("{hello}x", 866)] {
            assert_eq!(super::slot(key.as_bytes()), slot, "{key}");
        }
    }

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
