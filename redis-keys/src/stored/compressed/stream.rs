//! Decompressing by a reader.

use std::io::Read;

use super::{Fault, MAX_DECOMPRESSED_BYTES};

/// How many times larger than compressed a value is expected to be at first.
const USUAL: usize = 4;

/// Reads all that comes, and makes room only as it comes: what the bytes say of their size does not count.
pub(super) fn read(reader: &mut impl Read, packed: usize) -> Result<Vec<u8>, Fault> {
    let mut plain = vec![0; packed.saturating_mul(USUAL).clamp(1, MAX_DECOMPRESSED_BYTES)];
    let mut len = 0;
    loop {
        if len == plain.len() && len < MAX_DECOMPRESSED_BYTES {
            let more = len.min(MAX_DECOMPRESSED_BYTES - len);
            plain.reserve_exact(more);
            plain.resize(len + more, 0);
        }
        let mut one_too_many = [0];
        let room = match plain.get_mut(len..) {
            Some(room) if !room.is_empty() => room,
            _ => &mut one_too_many,
        };
        match reader.read(room) {
            Ok(0) => break,
            Ok(_) if len == MAX_DECOMPRESSED_BYTES => return Err(Fault::TooLarge),
            Ok(read) => len += read,
            Err(_) => return Err(Fault::Wrong),
        }
    }
    plain.truncate(len);
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read as _};

    use super::{Fault, MAX_DECOMPRESSED_BYTES, read};

    #[test]
    fn room_is_made_as_it_is_needed_and_never_beyond_the_bound() {
        let sevens = |len: usize| io::repeat(7).take(len as u64);
        for (packed, len) in [(0, 0), (0, 1), (10, 40), (10, 41), (999, 1_000_000), (usize::MAX, 5)] {
            let plain = read(&mut sevens(len), packed).unwrap();
            assert_eq!((plain.len(), plain.iter().all(|byte| *byte == 7)), (len, true));
        }
        let most = read(&mut sevens(MAX_DECOMPRESSED_BYTES), 999).unwrap();
        assert_eq!((most.len(), most.capacity()), (MAX_DECOMPRESSED_BYTES, MAX_DECOMPRESSED_BYTES));
        assert_eq!(read(&mut sevens(MAX_DECOMPRESSED_BYTES + 1), 999), Err(Fault::TooLarge));
        assert_eq!(read(&mut io::repeat(7), 999), Err(Fault::TooLarge));
    }
}
