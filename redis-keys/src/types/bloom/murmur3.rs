//! `MurmurHash3_x64_128` with the seed 0. Every language has a library for it.

#![allow(clippy::arithmetic_side_effects, reason = "the algorithm wraps, and shifts by constants")]

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

/// Returns the two halves of the hash.
pub(super) fn hash(bytes: &[u8]) -> (u64, u64) {
    let (mut h1, mut h2) = (0_u64, 0_u64);
    let (blocks, tail) = bytes.as_chunks::<16>();
    for block in blocks {
        let (k1, k2) = halves(*block);
        h1 = (h1 ^ mix1(k1)).rotate_left(27).wrapping_add(h2).wrapping_mul(5).wrapping_add(0x52dc_e729);
        h2 = (h2 ^ mix2(k2)).rotate_left(31).wrapping_add(h1).wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    let mut rest = [0; 16];
    for (byte, given) in rest.iter_mut().zip(tail) {
        *byte = *given;
    }
    let (k1, k2) = halves(rest);
    let len = bytes.len() as u64;
    h1 ^= mix1(k1) ^ len;
    h2 ^= mix2(k2) ^ len;
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    h1 = finish(h1);
    h2 = finish(h2);
    h1 = h1.wrapping_add(h2);
    (h1, h2.wrapping_add(h1))
}

fn halves(block: [u8; 16]) -> (u64, u64) {
    let both = u128::from_le_bytes(block);
    #[expect(clippy::cast_possible_truncation, reason = "each half has 64 bits")]
    (both as u64, (both >> 64) as u64)
}

fn mix1(k1: u64) -> u64 {
    k1.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2)
}

fn mix2(k2: u64) -> u64 {
    k2.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1)
}

fn finish(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ hash >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}

#[cfg(test)]
mod tests {
    use super::hash;

    /// Values computed by another implementation: `mmh3.hash64(text, signed=False)` in Python.
    #[test]
    fn the_hash_is_that_of_other_libraries() {
        for (text, expected) in [
            ("", (0x0000_0000_0000_0000, 0x0000_0000_0000_0000)),
            ("a", (0x8555_5565_f659_7889, 0xe6b5_3a48_510e_895a)),
            ("hello", (0xcbd8_a7b3_41bd_9b02, 0x5b1e_906a_48ae_1d19)),
            ("0123456789abcde", (0xa62d_d5f6_c0bf_2351, 0x4fcc_f50c_7c54_4cf0)),
            ("0123456789abcdef", (0x4be0_6d94_cf4a_d1a7, 0x87c3_5b5c_63a7_08da)),
            ("0123456789abcdefg", (0x8e32_612d_aa45_f9de, 0x0800_f4c2_06c3_72ee)),
            ("The quick brown fox jumps over the lazy dog", (0xe34b_bc7b_bc07_1b6c, 0x7a43_3ca9_c49a_9347)),
        ] {
            assert_eq!(hash(text.as_bytes()), expected, "{text}");
        }
    }
}
