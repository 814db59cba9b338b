//! Contents that are cut short or altered, and values that look like markers.

use std::io::Write as _;
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample;

use super::{encode, refreshed};
use crate::cache::Token;
use crate::command::TimeLeft;
use crate::stored::cached::{Content, EscapingWriter, MarkedValue};
use crate::stored::{Stored, StoredError};

fn decode(content: &[u8]) -> Result<Content<Vec<u8>>, StoredError> {
    MarkedValue::<Vec<u8>>::decode(content.into())
}

fn value(bytes: &[u8]) -> Content<Vec<u8>> {
    Content::Value(bytes.into())
}

const UNKNOWN: Result<Content<Vec<u8>>, StoredError> = Err(StoredError::new("unknown marker of a cached key"));
const LEASE: &[u8] = b"\xC1l0123456789abcdef";

#[test]
fn markers_are_no_values() {
    assert_eq!(decode(b"\xC1n"), Ok(Content::Absent));
    assert_eq!(decode(LEASE), Ok(Content::Loading(Token::from(*b"0123456789abcdef"))));
    assert_eq!(decode(&refreshed(b"\xC1n")), Ok(Content::Absent));
    for tokens in [&b"0123456789abcdef"[..], b"0123456789abcdefghijklmnopqrstuv"] {
        assert_eq!(decode(&[b"\xC1a", tokens].concat()), Ok(Content::Abandoned));
    }
}

#[test]
fn a_value_can_be_empty() {
    assert_eq!(encode::<Vec<u8>>(b""), b"");
    assert_eq!(decode(b""), Ok(value(b"")));
    assert_eq!(decode(&refreshed(b"")), Ok(value(b"")));
    assert_eq!(decode(b"\xC1v"), Ok(value(b"")));
}

#[test]
fn a_marker_that_is_cut_short_or_too_long_is_unknown() {
    for content in [&b"\xC1"[..], b"\xC1x", b"\xC1N", b"\xC1n ", b"\xC1\xC1n"] {
        assert_eq!(decode(content), UNKNOWN, "{}", content.escape_ascii());
        assert_eq!(decode(&refreshed(content)), UNKNOWN, "{}", content.escape_ascii());
    }
    for len in 2..LEASE.len() {
        assert_eq!(decode(&LEASE[..len]), UNKNOWN, "{len}");
    }
    assert_eq!(decode(&[LEASE, b"g"].concat()), UNKNOWN);
    let whole = refreshed(b"");
    for len in 2..whole.len() {
        assert_eq!(decode(&whole[..len]), UNKNOWN, "{len}");
    }
}

#[test]
fn a_lease_or_a_refresh_is_not_refreshed() {
    assert_eq!(decode(&refreshed(b"\xC1a0123456789abcdef")), UNKNOWN);
    assert_eq!(decode(&refreshed(LEASE)), UNKNOWN);
    assert_eq!(decode(&refreshed(&refreshed(b"x"))), UNKNOWN);
}

/// A content that expires with 500 milliseconds left, and whose load is tried again with 300.
const FAILED: &[u8] = b"\xC1s00000000005000000000000300Ada";
const NEVER_FAILED: &[u8] = b"\xC1s00000000005000000000000500Ada";

#[test]
fn the_time_left_says_whether_a_value_has_expired() {
    let left = |ms| TimeLeft::Left(Duration::from_millis(ms));
    let kept = |ms| TimeLeft::Stale(Duration::from_millis(ms));
    let token = Token::from(*b"0123456789abcdef");
    for (content, ms, state, time) in [
        (NEVER_FAILED, 501, "value", left(1)),
        (NEVER_FAILED, 500, "missing", kept(500)),
        (NEVER_FAILED, 1, "missing", kept(1)),
        (FAILED, 501, "value", left(1)),
        (FAILED, 500, "stale", kept(500)),
        (FAILED, 301, "stale", kept(301)),
        (FAILED, 300, "missing", kept(300)),
    ] {
        let state_of = |content| match content {
            Content::Value(value) => (if value == b"Ada" { "value" } else { "another" }).to_owned(),
            Content::Stale(stale) => (if stale.value == b"Ada" { "stale" } else { "another" }).to_owned(),
            Content::Abandoned => "missing".to_owned(),
            Content::Loading(found) => (if found == token { "loading" } else { "another" }).to_owned(),
            Content::Absent => "absent".to_owned(),
        };
        let (found, found_time) = decode(content).unwrap().after(left(ms));
        assert_eq!((&*state_of(found), found_time), (state, time), "{ms}");
        // While a call loads, the others wait for it the first time only.
        let (found, _) = decode(&refreshed(content)).unwrap().after(left(ms));
        let state = if state == "missing" && content == NEVER_FAILED { "loading" } else { state };
        assert_eq!(state_of(found), state, "{ms}");
    }
    let given_up = [b"\xC1r0123456789abcdef0000000000000", NEVER_FAILED].concat();
    assert_eq!(decode(&given_up).unwrap().after(left(1)), (Content::Abandoned, kept(1)));
    for never in [TimeLeft::Never, TimeLeft::Missing] {
        assert_eq!(decode(FAILED).unwrap().after(never), (value(b"Ada"), never));
    }
    assert_eq!(decode(b"\xC1n").unwrap().after(left(1)), (Content::Absent, left(1)));
}

#[test]
fn times_that_are_no_numbers_are_unknown() {
    for len in 2..28 {
        assert_eq!(decode(&FAILED[..len]), UNKNOWN, "{len}");
        assert_eq!(decode(&refreshed(&FAILED[..len])), UNKNOWN, "{len}");
    }
    assert_eq!(decode(b"\xC1s000000000050x0000000000300Ada"), UNKNOWN);
    assert_eq!(decode(b"\xC1s000000000050\xFF0000000000300Ada"), UNKNOWN);
    for marker in [&b"\xC1n"[..], LEASE, b"\xC1x", FAILED] {
        assert_eq!(decode(&[&FAILED[..28], marker].concat()), UNKNOWN);
    }
}

#[test]
fn a_deadline_that_is_no_number_is_not_read() {
    assert_eq!(decode(b"\xC1r0123456789abcdef............\xC1x"), Ok(value(b"x")));
}

/// Bytes that often look like a content.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let start =
        sample::select(vec![&b""[..], b"\xC1", b"\xC1v", b"\xC1n", b"\xC1l", b"\xC1r", b"\xC1a", LEASE, &FAILED[..28]]);
    let part = (start, vec(any::<u8>(), 0..20)).prop_map(|(start, rest)| [start, &rest].concat());
    vec(part, 0..4).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_value_reads_as_a_marker(bytes in bytes()) {
        let content = encode::<Vec<u8>>(&bytes);
        prop_assert_eq!(content.len() - bytes.len(), if bytes.first() == Some(&0xC1) { 2 } else { 0 });
        prop_assert_eq!(decode(&content), Ok(value(&bytes)));
        prop_assert_eq!(decode(&refreshed(&content)), Ok(value(&bytes)));
    }

    #[test]
    fn a_form_can_write_its_bytes_in_parts(parts in vec(bytes(), 0..4)) {
        let mut written = Vec::new();
        let mut out = EscapingWriter::new(&mut written);
        for part in &parts {
            out.write_all(part)?;
        }
        prop_assert_eq!(written, encode::<Vec<u8>>(&parts.concat()));
    }

    #[test]
    fn any_content_is_read_or_rejected(bytes in bytes()) {
        drop(decode(&bytes));
        drop(MarkedValue::<String>::decode(bytes.clone()));
        drop(MarkedValue::<u64>::decode(bytes));
    }
}
