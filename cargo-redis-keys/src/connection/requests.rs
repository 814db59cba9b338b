//! Requests that are sent at once.

use std::io::Write as _;

/// Requests that are sent at once. It keeps its memory when it is cleared.
#[derive(Default)]
pub(crate) struct Requests {
    bytes: Vec<u8>,
}

impl Requests {
    /// Adds a command with its arguments.
    pub(crate) fn push(&mut self, parts: &[&[u8]]) {
        // Writing to a vector cannot fail.
        let _ = write!(self.bytes, "*{}\r\n", parts.len());
        for part in parts {
            self.part(part);
        }
    }

    /// Adds commands that end with the same key. Each is given in the form in which it is sent, up to the key.
    pub(crate) fn push_for_key(&mut self, commands: &[&[u8]], key: &[u8]) {
        let mut commands = commands.iter();
        let Some(first) = commands.next() else { return };
        self.bytes.extend_from_slice(first);
        let start = self.bytes.len();
        self.part(key);
        let key = start..self.bytes.len();
        for command in commands {
            self.bytes.extend_from_slice(command);
            self.bytes.extend_from_within(key.clone());
        }
    }

    fn part(&mut self, part: &[u8]) {
        let _ = write!(self.bytes, "${}\r\n", part.len());
        self.bytes.extend_from_slice(part);
        self.bytes.extend_from_slice(b"\r\n");
    }

    /// What is sent.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Removes all requests.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_adding_make_the_same_bytes() {
        let (mut one, mut other) = (Requests::default(), Requests::default());
        one.push(&[b"TYPE", b"a\r\n\xff"]);
        one.push(&[b"MEMORY", b"USAGE", b"a\r\n\xff"]);
        other.push_for_key(&[b"*2\r\n$4\r\nTYPE\r\n", b"*3\r\n$6\r\nMEMORY\r\n$5\r\nUSAGE\r\n"], b"a\r\n\xff");
        assert_eq!(one.bytes(), other.bytes());
        assert_eq!(
            one.bytes(),
            b"*2\r\n$4\r\nTYPE\r\n$4\r\na\r\n\xff\r\n*3\r\n$6\r\nMEMORY\r\n$5\r\nUSAGE\r\n$4\r\na\r\n\xff\r\n"
        );
    }
}
