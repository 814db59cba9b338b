//! What can be read from a [`Cmd`]: its words, its keys and their slots.

use std::ops::Range;

use redis::{Arg, Cmd, RedisWrite as _};

use crate::lua::Script;

/// The words of a command, its name first.
pub(crate) fn words(cmd: &Cmd) -> impl Iterator<Item = &[u8]> {
    cmd.args_iter().map(|arg| match arg {
        Arg::Simple(word) => word,
        _ => &[],
    })
}

/// The length of all words of a command.
pub(crate) fn cmd_bytes(cmd: &Cmd) -> usize {
    words(cmd).map(<[u8]>::len).sum()
}

/// An EVALSHA call as the EVAL that carries the script's text.
pub(crate) fn as_eval(script: &Script, cmd: &Cmd) -> Cmd {
    let mut eval = Cmd::with_capacity(cmd.args_iter().len(), script.text.len() + cmd_bytes(cmd));
    eval.write_arg(b"EVAL");
    eval.write_arg(script.text.as_bytes());
    words(cmd).skip(2).for_each(|word| eval.write_arg(word));
    eval
}

/// The positions of a command's keys among its words.
fn key_positions(cmd: &Cmd) -> Range<usize> {
    let mut words = cmd.args_iter();
    let number = |word: Option<Arg<&[u8]>>| match word {
        Some(Arg::Simple(text)) => std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()),
        _ => None,
    };
    match words.next() {
        Some(Arg::Simple(b"EVALSHA" | b"EVAL")) => 3..3 + number(words.nth(1)).unwrap_or(1),
        Some(Arg::Simple(b"MGET" | b"PFCOUNT" | b"PFMERGE")) => 1..1 + words.len(),
        Some(Arg::Simple(b"SCAN" | b"CLUSTER")) => 0..0,
        Some(Arg::Simple(b"XGROUP" | b"XINFO")) => 2..3,
        Some(Arg::Simple(b"XREADGROUP" | b"XREAD")) => {
            // One stream and its id are the last words.
            let end = words.len();
            end.saturating_sub(1)..end
        }
        _ => 1..2,
    }
}

/// The keys of a command.
pub(crate) fn keys_of(cmd: &Cmd) -> impl Iterator<Item = &[u8]> {
    let positions = key_positions(cmd);
    words(cmd).skip(positions.start).take(positions.len())
}

/// The key of a command with that number, if it is text.
pub(crate) fn key_of(cmd: &Cmd, number: usize) -> Option<Box<str>> {
    let key = keys_of(cmd).nth(number)?;
    std::str::from_utf8(key).ok().map(Into::into)
}

/// The part of a key that determines its slot: the text in its first braces, or the whole key.
pub(crate) fn hash_tag(key: &[u8]) -> &[u8] {
    let open = key.iter().position(|byte| *byte == b'{').map(|open| open + 1);
    let inner = open.and_then(|open| key.get(open..)).unwrap_or_default();
    match inner.iter().position(|byte| *byte == b'}') {
        None | Some(0) => key,
        Some(close) => inner.get(..close).unwrap_or(key),
    }
}

/// The slot of a key: CRC16 (XMODEM) of its hash tag.
pub(crate) fn slot(key: &[u8]) -> u16 {
    let crc = hash_tag(key).iter().fold(0_u16, |crc, byte| {
        let [high, _] = crc.to_be_bytes();
        (crc << 8) ^ CRC16.get(usize::from(high ^ byte)).copied().unwrap_or_default()
    });
    crc % 16_384
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
    use super::{hash_tag, keys_of};

    /// Atomic groups and batches on a cluster rely on them.
    #[test]
    fn each_command_has_its_keys_at_known_positions() {
        for (command, keys) in [
            ("GET a", "a"),
            ("SET a b PX 1", "a"),
            ("TYPE a", "a"),
            ("HMGET a b c", "a"),
            ("BITFIELD_RO a GET u8 0", "a"),
            ("MGET a b c", "a b c"),
            ("PFCOUNT a b", "a b"),
            ("PFMERGE a b c", "a b c"),
            ("EVALSHA x 1 a 7", "a"),
            ("EVALSHA x 2 a b 7", "a b"),
            ("EVAL text 3 a b c", "a b c"),
            ("SCAN 0 MATCH a*", ""),
            ("XGROUP CREATE a group 0", "a"),
            ("XINFO STREAM a", "a"),
            ("XREAD COUNT 1 STREAMS a 0-0", "a"),
            ("XREADGROUP GROUP group consumer COUNT 1 STREAMS a >", "a"),
            ("XACK a group 1-1", "a"),
            ("XAUTOCLAIM a group consumer 1 0-0", "a"),
        ] {
            let mut words = command.split(' ');
            let mut cmd = redis::cmd(words.next().unwrap());
            words.for_each(|word| _ = cmd.arg(word));
            let found: Vec<_> = keys_of(&cmd).map(|key| std::str::from_utf8(key).unwrap()).collect();
            assert_eq!(found.join(" "), keys, "{command}");
        }
    }

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
