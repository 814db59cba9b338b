//! A key's bytes, as they are kept.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{base64, from_base64, printable};

/// The most bytes that are kept: twice the length of the longest declared key.
const MAX_BYTES: usize = 256;

/// A key's bytes, or the first 256 of a longer key.
///
/// In JSON it is text, or `{"base64":"…"}` if it is not UTF-8. For a longer key, it is `{"text":"…","length":1000}`, or
/// with `base64`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct KeyText {
    bytes: Box<[u8]>,
    length: u64,
}

impl KeyText {
    /// A key's text.
    pub(crate) fn new(key: &[u8]) -> Self {
        let bytes = key.get(..MAX_BYTES).unwrap_or(key);
        // The kept part of a text is a text.
        let bytes = match std::str::from_utf8(bytes) {
            Err(error) if bytes.len() < key.len() && error.error_len().is_none() => {
                bytes.get(..error.valid_up_to()).unwrap_or(bytes)
            }
            _ => bytes,
        };
        Self { bytes: bytes.into(), length: key.len() as u64 }
    }

    /// The bytes that are kept.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The text for people: without anything that could change a terminal, and with the length of a longer key.
    pub(crate) fn shown(&self) -> String {
        let text = printable(&self.bytes);
        if self.is_whole() { text } else { format!("{text}… ({} bytes)", self.length) }
    }

    /// Whether it is the text of this key, or of a key that begins alike and is as long.
    pub(crate) fn is(&self, key: &[u8]) -> bool {
        self.length == key.len() as u64 && key.starts_with(&self.bytes)
    }

    /// The bytes, if the whole key is kept.
    pub(crate) fn whole(&self) -> Option<&[u8]> {
        self.is_whole().then_some(&*self.bytes)
    }

    fn is_whole(&self) -> bool {
        self.length == self.bytes.len() as u64
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Form {
    Whole(String),
    Parts {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        base64: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        length: Option<u64>,
    },
}

impl Serialize for KeyText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let length = (!self.is_whole()).then_some(self.length);
        let form = match (str::from_utf8(&self.bytes), length) {
            (Ok(text), None) => Form::Whole(text.to_owned()),
            (Ok(text), length) => Form::Parts { text: Some(text.to_owned()), base64: None, length },
            (Err(_), length) => Form::Parts { text: None, base64: Some(base64(&self.bytes)), length },
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for KeyText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (bytes, length) = match Form::deserialize(deserializer)? {
            Form::Whole(text) | Form::Parts { text: Some(text), base64: None, length: None } => {
                (text.into_bytes(), None)
            }
            Form::Parts { text: Some(text), base64: None, length } => (text.into_bytes(), length),
            Form::Parts { text: None, base64: Some(text), length } => {
                (from_base64(&text).ok_or_else(|| D::Error::custom("not Base64"))?, length)
            }
            Form::Parts { .. } => return Err(D::Error::custom("expected `text` or `base64`")),
        };
        let mut key = Self::new(&bytes);
        key.length = length.unwrap_or(0).max(key.length);
        Ok(key)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on")]
mod tests {
    use super::*;

    #[test]
    fn a_key_in_json_and_for_people() {
        let long = "ü".repeat(5_000);
        let kept = "ü".repeat(128);
        for (key, json, shown) in [
            (&b"user:42:string"[..], r#""user:42:string""#.to_owned(), "user:42:string".to_owned()),
            (b"\x1b[2J", r#""\u001b[2J""#.to_owned(), "\\x1b[2J".to_owned()),
            (b"\xff\xfe", r#"{"base64":"//4="}"#.to_owned(), "\\xff\\xfe".to_owned()),
            (long.as_bytes(), format!(r#"{{"text":"{kept}","length":10000}}"#), format!("{kept}… (10000 bytes)")),
            (
                &[0xff; 300],
                format!(r#"{{"base64":"{}","length":300}}"#, base64(&[0xff; 256])),
                format!("{}… (300 bytes)", "\\xff".repeat(256)),
            ),
        ] {
            let text = KeyText::new(key);
            assert_eq!(serde_json::to_string(&text).unwrap(), json);
            assert_eq!(serde_json::from_str::<KeyText>(&json).unwrap(), text);
            assert_eq!(text.shown(), shown);
        }
        // A text that is cut inside of a character.
        let key = format!("a{long}");
        assert_eq!(KeyText::new(key.as_bytes()).bytes().len(), 255);
        for wrong in ["{}", r#"{"base64":"?"}"#, r#"{"text":"a","base64":"Zg=="}"#, "7"] {
            assert!(serde_json::from_str::<KeyText>(wrong).is_err(), "{wrong}");
        }
    }
}
