//! A segment with parameters.

use redis_keys_schema::limits::is_word_byte;

use super::super::template::Word;
use super::super::{Parameter, Values};

/// A segment with parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Segment {
    /// A single parameter, which can be several words.
    Whole(Test),
    /// Several words.
    Words(Vec<Part>),
}

/// A word of a segment of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// This text.
    Text(Box<[u8]>),
    /// A parameter.
    Parameter(Test),
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Test {
    /// Whether it is in braces.
    hash_tag: bool,
    /// Its texts, or `None` if they are unknown.
    values: Option<Values>,
}

impl Segment {
    /// The segment with these words.
    pub(super) fn new(words: &[Word], parameters: &[Parameter]) -> Self {
        let part = |word: &Word| match word {
            Word::Literal(text) => Part::Text(text.as_bytes().into()),
            Word::Parameter { index, hash_tag } => Part::Parameter(Test::new(*hash_tag, parameters.get(*index))),
        };
        match words {
            [Word::Parameter { index, hash_tag }] => Self::Whole(Test::new(*hash_tag, parameters.get(*index))),
            words => Self::Words(words.iter().map(part).collect()),
        }
    }

    /// Whether a segment of a key has this form.
    #[inline]
    pub(super) fn matches(&self, segment: &[u8]) -> bool {
        match self {
            Self::Whole(test) => test.matches(segment, true),
            Self::Words(parts) => {
                let mut words = segment.split(|byte| *byte == b'.');
                let is_each = parts.iter().all(|part| {
                    words.next().is_some_and(|word| match part {
                        Part::Text(text) => **text == *word,
                        Part::Parameter(test) => test.matches(word, false),
                    })
                });
                is_each && words.next().is_none()
            }
        }
    }

    /// Returns its rank: the higher, the less specific.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Self::Whole(test) => test.rank(),
            Self::Words(parts) => {
                let rank = |part: &Part| if let Part::Parameter(test) = part { test.rank() } else { 0 };
                parts.iter().map(rank).max().unwrap_or_default()
            }
        }
    }
}

impl Test {
    fn new(hash_tag: bool, parameter: Option<&Parameter>) -> Self {
        let mut values = parameter.and_then(|parameter| parameter.values.clone());
        if let Some(Values::OneOf(texts)) = &mut values {
            texts.sort();
        }
        Self { hash_tag, values }
    }

    #[inline]
    fn matches(&self, text: &[u8], is_whole: bool) -> bool {
        let text = if self.hash_tag {
            match text {
                [b'{', text @ .., b'}'] => text,
                _ => return false,
            }
        } else {
            text
        };
        match &self.values {
            _ if text.is_empty() => false,
            None | Some(Values::Any) => is_segment(text, is_whole),
            Some(Values::Number { from, to }) => number(text).is_some_and(|number| (*from..=*to).contains(&number)),
            Some(Values::OneOf(texts)) => texts.binary_search_by(|other| other.as_bytes().cmp(text)).is_ok(),
            Some(values) => values.contains(text),
        }
    }

    fn rank(&self) -> u8 {
        match &self.values {
            Some(Values::OneOf(_)) => 1,
            Some(Values::Any) => 3,
            Some(_) => 2,
            None => 4,
        }
    }
}

/// Whether text is a segment, or a word of a segment.
fn is_segment(text: &[u8], is_whole: bool) -> bool {
    // A word follows each of these.
    let mut after_separator = true;
    for byte in text {
        if *byte == b'.' && is_whole && !after_separator {
            after_separator = true;
        } else if is_word_byte(*byte) {
            after_separator = false;
        } else {
            return false;
        }
    }
    !after_separator
}

/// Parses a number without leading zeros. Most fit into 64 bits, with which the processor calculates several times as
/// fast.
fn number(text: &[u8]) -> Option<u128> {
    if text.len() > 19 {
        let is_canonical = text.iter().all(u8::is_ascii_digit) && text.first() != Some(&b'0');
        return str::from_utf8(text).ok().filter(|_| is_canonical)?.parse().ok();
    }
    let mut number = 0_u64;
    for byte in text {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number = number * 10 + u64::from(digit);
    }
    (!text.is_empty() && (text.len() == 1 || text.first() != Some(&b'0'))).then_some(number.into())
}
