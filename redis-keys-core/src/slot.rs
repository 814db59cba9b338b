//! The slots of a cluster.

/// The number of slots of a cluster.
pub const SLOTS: u16 = 16_384;

/// Returns the part of a key that determines its slot: the text in its first braces, or the whole key.
pub fn hash_tag(key: &[u8]) -> &[u8] {
    let inner = key.iter().position(|byte| *byte == b'{').and_then(|open| key.get(open.saturating_add(1)..));
    let tag = inner.and_then(|inner| inner.get(..inner.iter().position(|byte| *byte == b'}')?));
    tag.filter(|tag| !tag.is_empty()).unwrap_or(key)
}

/// Returns the slot of a key: CRC16 (XMODEM) of its hash tag.
pub fn slot_of(key: &[u8]) -> u16 {
    let crc = hash_tag(key).iter().fold(0_u16, |crc, byte| {
        let [high, _] = crc.to_be_bytes();
        (crc << 8) ^ CRC16.get(usize::from(high ^ byte)).copied().unwrap_or_default()
    });
    crc % SLOTS
}

/// Returns the host that a cluster node reports, or `None` if the node does not know its host: then it reports nothing,
/// `?`, or the address for all interfaces.
pub fn known_host(reported: &str) -> Option<&str> {
    (!["", "?", "0.0.0.0", "::"].contains(&reported)).then_some(reported)
}

/// The remainders of all bytes.
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
    use super::{hash_tag, known_host, slot_of};

    #[test]
    fn keys_have_the_slots_that_clusters_give_them() {
        // As `CLUSTER KEYSLOT` replies.
        for (key, slot) in [
            ("", 0),
            ("123456789", 0x31c3),
            ("foo", 12_182),
            ("{foo}bar", 12_182),
            ("x{foo}{bar}", 12_182),
            ("{}foo", 9_500),
            ("bar", 5_061),
            ("{hello}x", 866),
        ] {
            assert_eq!(slot_of(key.as_bytes()), slot, "{key}");
        }
    }

    #[test]
    fn a_node_does_not_know_each_host() {
        for host in ["", "?", "0.0.0.0", "::"] {
            assert_eq!(known_host(host), None, "{host}");
        }
        for host in ["10.0.0.5", "::1", "redis.example", "localhost"] {
            assert_eq!(known_host(host), Some(host));
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
