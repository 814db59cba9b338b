//! Digests and base32. The encoded text is stored data: none of the expected texts may ever change.

use std::borrow::Cow;
use std::sync::Arc;

use proptest::prelude::*;

use super::UserIdOr;
use crate::error::Cause;
use crate::key::{InvalidKey, KeyProblem, KeyWriter};
use crate::parameter::bytes::AsBytes;
use crate::parameter::{Base32, Digest};
use crate::schema::ParameterForm;
use crate::{Error, ErrorKind, RedisKey};

fn digest(value: &(impl Digest + ?Sized)) -> String {
    let mut key = KeyWriter::new();
    value.segment(&mut key, "");
    key.finish().unwrap().to_string()
}

fn base32(value: &(impl Base32 + ?Sized)) -> String {
    let mut key = KeyWriter::new();
    value.word(&mut key, "");
    key.finish().unwrap().to_string()
}

/// The first half of NIST's test vectors of SHA-256.
#[test]
fn digests_stay_what_they_are() {
    for (text, expected) in [
        ("", "e3b0c44298fc1c149afbf4c8996fb924"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223"),
        ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039"),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b049237",
        ),
    ] {
        assert_eq!(digest(text), expected, "{text}");
    }
    assert_eq!(digest(&"a".repeat(1_000_000)), "cdc76e5c9914fb9281a1c7e284d73e67");
}

/// The test vectors of RFC 4648, in lower case and without padding.
#[test]
fn base32_stays_what_it_is() {
    for (text, expected) in [
        ("f", "my"),
        ("fo", "mzxq"),
        ("foo", "mzxw6"),
        ("foob", "mzxw6yq"),
        ("fooba", "mzxw6ytb"),
        ("foobar", "mzxw6ytboi"),
    ] {
        assert_eq!(base32(text), expected, "{text}");
    }
    assert_eq!(base32(&[0xFF_u8; 7]), "77777777777q");
}

#[test]
fn text_and_bytes_of_all_types() {
    fn all(value: &(impl AsBytes + ?Sized)) -> (String, String) {
        (digest(value), base32(value))
    }
    let expected = ("ba7816bf8f01cfea414140de5dae2223".to_owned(), "mfrgg".to_owned());
    let text = "abc".to_owned();
    assert_eq!([all("abc"), all(&"abc"), all(&text), all(&&text)], [(); 4].map(|()| expected.clone()));
    assert_eq!([all(&Box::<str>::from("abc")), all(&Arc::<str>::from("abc"))], [(); 2].map(|()| expected.clone()));
    assert_eq!([all(&Cow::Borrowed("abc")), all(&UserIdOr("abc"))], [(); 2].map(|()| expected.clone()));
    let bytes = b"abc".to_vec();
    assert_eq!([all(b"abc"), all(&b"abc"), all(&bytes), all(bytes.as_slice())], [(); 4].map(|()| expected.clone()));
    assert_eq!([all(&bytes.as_slice()), all(&Box::<[u8]>::from(&*bytes))], [(); 2].map(|()| expected.clone()));
    assert_eq!([all(&Arc::<[u8]>::from(&*bytes)), all(&Cow::Borrowed(&*bytes))], [(); 2].map(|()| expected.clone()));
    #[cfg(feature = "bytes")]
    assert_eq!(all(&bytes::Bytes::from(bytes)), expected);
}

#[test]
fn lengths_are_known() {
    assert_eq!((<str as Digest>::LONGEST, <[u8; 4] as Digest>::LONGEST), (Some(32), Some(32)));
    assert_eq!((<str as Base32>::LONGEST, <UserIdOr<String> as Base32>::LONGEST), (None, None));
    assert_eq!((<[u8; 16] as Base32>::LONGEST, <&[u8; 5] as Base32>::LONGEST), (Some(26), Some(8)));
    assert_eq!(base32(&[7_u8; 16]).len(), 26);
}

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(search:hits:{query}:{#path}:v.{mark}:string, value = u64, ttl = 1h, crate = crate)]
struct Hits<'q, T> {
    #[redis_key(digest)]
    query: &'q str,
    #[redis_key(base32)]
    path: String,
    #[redis_key(base32)]
    mark: T,
}

#[test]
fn keys_hold_any_text() {
    let key = |query, path: &str, mark| Hits { query, path: path.to_owned(), mark };
    let hits = key("Crêpes: {where}?\n", "/var/log", [0_u8, 255, 10]);
    assert_eq!(hits.key().unwrap(), "search:hits:b8058ea3376f749a5b10a5c501aee205:{f53gc4rpnrxwo}:v.ad7qu:string");
    assert_eq!(
        key("", "a", [1, 2, 3]).key().unwrap(),
        "search:hits:e3b0c44298fc1c149afbf4c8996fb924:{me}:v.aebag:string"
    );
    let error = key("", "", [1, 2, 3]).key().unwrap_err();
    assert!(error.to_string().contains("(search:hits:{query}:{#path}:v.{mark}:string) is empty"), "{error}");
    let error = key("", &"x".repeat(100), [1, 2, 3]).key().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::KeyLength);
    let message = " has 160 bytes in base32, which makes the key 222 bytes long: the limit is 128";
    assert!(error.to_string().contains(message), "{error}");
    let problem = KeyProblem::TooLong { key: 129, namespace: 0, parameter: 32, limit: 128 };
    let error = Error::refused(Hits::<[u8; 3]>::SCHEMA, None, Cause::Key(InvalidKey { parameter: 0, problem }));
    assert!(error.to_string().contains(" has 32 bytes as a digest, which makes"), "{error}");
    let forms: Vec<_> = Hits::<[u8; 3]>::SCHEMA
        .parameters
        .iter()
        .map(|parameter| (parameter.name, parameter.hash_tag, parameter.form))
        .collect();
    assert_eq!(
        forms,
        [
            ("query", false, ParameterForm::Digest),
            ("path", true, ParameterForm::Base32),
            ("mark", false, ParameterForm::Base32)
        ]
    );
}

/// Returns the five bits that a letter encodes.
fn bits(letter: u8) -> u64 {
    u64::from(if letter.is_ascii_digit() { letter - b'2' + 26 } else { letter - b'a' })
}

proptest! {
    /// Decodes bit by bit, as the definition says.
    #[test]
    fn base32_can_be_read_back(bytes in prop::collection::vec(any::<u8>(), 1..80)) {
        let text = base32(&bytes);
        prop_assert!(text.bytes().all(|letter| letter.is_ascii_lowercase() || (b'2'..=b'7').contains(&letter)));
        let stream = text.bytes().map(|letter| format!("{:05b}", bits(letter))).collect::<Vec<_>>().concat();
        let (whole, rest) = stream.split_at(bytes.len() * 8);
        let read: Vec<_> = whole.as_bytes().chunks(8).map(|byte| u8::from_str_radix(std::str::from_utf8(byte).unwrap(), 2).unwrap()).collect();
        prop_assert_eq!(read, bytes);
        prop_assert!(rest.len() < 5 && rest.bytes().all(|bit| bit == b'0'));
    }
}
