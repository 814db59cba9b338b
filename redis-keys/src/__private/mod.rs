//! What the derive calls at compile time. No promise is made about it.
#![allow(clippy::panic, reason = "at compile time a panic is the error message")]

mod expansion;

pub use std::include_bytes;
use std::str;

use redis_keys_core::limits::MAX_KEY_BYTES;

use crate::KeySegment;
pub use std::marker::PhantomData;

pub use crate::{
    key::{
        KeyReader, KeyWriter,
        parse::{OneWay, ReadFields},
    },
    parameter::{Ends, FromBase32, FromInner, Newtype},
    schema::{Caps, Declared, Rare},
    types::record::{FormOf, OwnForm, RecordReader, RecordResult, RecordWriter},
};

/// The traits of what is not printed as it is, under the name of the trait of what is: `by shard` in `__key!` finds them.
pub mod shard {
    pub use crate::parameter::Sharded as KeySegment;
}

/// See [`shard`](mod@shard).
pub mod digest {
    pub use crate::parameter::Digest as KeySegment;
}

/// See [`shard`](mod@shard).
pub mod base32 {
    pub use crate::parameter::Base32 as KeySegment;
}

/// A byte of a file. It has a name of ours, since a user's own `u8` may be in scope.
pub type Byte = u8;

/// The text behind a key's last parameter. It has a name of ours, since a user's own `str` may be in scope.
pub type End = &'static str;

/// The number of a copy. It has a name of ours for the same reason.
pub type Number = u32;

/// The end of a span of the calendar, since 1970. It has a name of ours for the same reason.
pub type Seconds = Option<i64>;

/// What is there if a parameter could be read. It has a name of ours, since a user's own `str` may be in scope.
pub type Parsed<T> = Result<T, &'static str>;

/// What is there if a key could be read.
pub type Found<K> = Option<K>;

/// Stops the build when a key can be too long for some parameters. Text counts as one byte, its shortest form: the rest is
/// refused when the key is built.
#[track_caller]
pub const fn assert_key_fits(most: usize, literal_bytes: usize, parameters: &[(&str, Option<usize>)]) {
    let mut total = literal_bytes;
    let mut rest = parameters;
    while let [(_, longest), next @ ..] = rest {
        total = total.saturating_add(longest_of(*longest));
        rest = next;
    }
    if total > most {
        let text = too_long(total, most, literal_bytes, parameters);
        panic!("{}", text.as_str());
    }
}

/// Stops the build when a type that prints a `.` by nature is one word beside others.
#[track_caller]
pub const fn assert_whole_segment<T: KeySegment + ?Sized>(parameter: &str) {
    if T::DOTTED {
        let mut text = Text::new();
        text.push("`");
        text.push(parameter);
        text.push("` prints a `.`, so that two keys could be the same\nhelp: let it be a whole segment, `:{");
        text.push(parameter);
        text.push("}:`\nrule: one-key-each");
        panic!("{}", text.as_str());
    }
}

const fn longest_of(longest: Option<usize>) -> usize {
    match longest {
        Some(bytes) => bytes,
        None => 1,
    }
}

const fn too_long(total: usize, most: usize, literal_bytes: usize, parameters: &[(&str, Option<usize>)]) -> Text {
    let mut text = Text::new();
    text.push("this key can be ");
    text.push_number(total);
    text.push(" bytes long, and a key has at most ");
    text.push_number(most);
    if most < MAX_KEY_BYTES {
        text.push(" in this project");
    }
    text.push("\nhelp: shorten it: the literal text has ");
    text.push_number(literal_bytes);
    text.push(" bytes");
    let mut rest = parameters;
    while let [(name, longest), next @ ..] = rest {
        text.push(", `");
        text.push(name);
        text.push("` up to ");
        text.push_number(longest_of(*longest));
        rest = next;
    }
    text.push("\nrule: key-length");
    text
}

/// Text that is put together at compile time. What does not fit is left out.
struct Text {
    bytes: [u8; 1024],
    len: usize,
}

impl Text {
    const fn new() -> Self {
        Self { bytes: [0; 1024], len: 0 }
    }

    const fn push(&mut self, text: &str) {
        let (_, room) = self.bytes.split_at_mut(self.len);
        if let Some((room, _)) = room.split_at_mut_checked(text.len()) {
            room.copy_from_slice(text.as_bytes());
            self.len += text.len();
        }
    }

    const fn push_number(&mut self, number: usize) {
        if number >= 10 {
            self.push_number(number / 10);
        }
        let digit = number % 10;
        let (_, digits) = "0123456789".split_at(digit);
        self.push(digits.split_at(1).0);
    }

    const fn as_str(&self) -> &str {
        match str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "this key can be too long",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{assert_key_fits, too_long};

    #[test]
    fn a_key_of_128_bytes_fits() {
        assert_key_fits(128, 100, &[("id", Some(20)), ("page", Some(7)), ("text", None)]);
    }

    #[test]
    #[should_panic(expected = "this key can be 129 bytes long, and a key has at most 128")]
    fn a_longer_one_does_not() {
        assert_key_fits(128, 100, &[("id", Some(20)), ("page", Some(8)), ("text", None)]);
    }

    #[test]
    fn the_message_adds_up() {
        assert_eq!(
            too_long(177, 128, 17, &[("a", Some(80)), ("b", Some(80))]).as_str(),
            "this key can be 177 bytes long, and a key has at most 128\n\
             help: shorten it: the literal text has 17 bytes, `a` up to 80, `b` up to 80\n\
             rule: key-length"
        );
    }
}
