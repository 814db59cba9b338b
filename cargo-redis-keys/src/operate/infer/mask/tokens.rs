//! Values that are recognized by their form.

use super::dates::date;
use super::{form, is_strong, is_weak};

/// The first value of a segment that contains separators of segments: where it begins, its form and its length. It is at
/// the start of a word.
pub(super) fn across_segments(text: &[u8]) -> Option<(usize, char, usize)> {
    let segment = text.get(..run(text, |byte| !is_strong(*byte)))?;
    let words = segment.iter().enumerate().filter(|(_, byte)| is_weak(**byte)).map(|(place, _)| place + 1);
    std::iter::once(0).chain(words).find_map(|start| {
        let (form, length) = with_separators(text.get(start..)?)?;
        Some((start, form, length))
    })
}

fn with_separators(text: &[u8]) -> Option<(char, usize)> {
    let first = text.first()?;
    if !first.is_ascii_hexdigit() && *first != b':' {
        return None;
    }
    date(text)
        .filter(|(letter, length)| matches!(letter, 'F' | 'T') && ends(text, *length))
        .or_else(|| mac(text, b':').map(|length| (form::MAC, length)))
        .or_else(|| ipv6(text).map(|length| (form::IP, length)))
}

/// A value at the start of a word: its form and length.
pub(super) fn token(text: &str) -> Option<(char, usize)> {
    let bytes = text.as_bytes();
    let first = *bytes.first()?;
    if let (b'-', Some(b'0'..=b'9')) = (first, bytes.get(1)) {
        // A negative number, or an id that begins with a hyphen.
        return random(bytes).or_else(|| {
            let digits = run(bytes.get(1..)?, u8::is_ascii_digit);
            ends(bytes, digits + 1).then_some((form::INTEGER, digits + 1))
        });
    }
    if let Some(length) = phone(bytes) {
        return Some((form::RANDOM, length));
    }
    if !first.is_ascii_alphanumeric() && !matches!(first, b'-' | b'_') {
        return None;
    }
    email(bytes)
        .map(|length| (form::EMAIL, length))
        .or_else(|| hyphenated(bytes))
        .or_else(|| date(bytes))
        .or_else(|| domain(bytes).map(|length| (form::DOMAIN, length)))
        .or_else(|| word(bytes))
        .or_else(|| random(bytes))
}

/// A domain of the web or of a network in lower case. Country codes are words and languages as well, so other domains
/// end with a domain that is no such code, or with a country behind such a domain. Words can follow behind a hyphen.
fn domain(text: &[u8]) -> Option<usize> {
    const ENDS: [&[u8]; 10] = [b"com", b"org", b"net", b"io", b"dev", b"info", b"edu", b"gov", b"internal", b"local"];
    const BEFORE_COUNTRIES: [&[u8]; 6] = [b"co", b"com", b"org", b"net", b"ac", b"gov"];
    let is_label = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-';
    let mut length = run(text, is_label);
    // Digests have extensions that are domains too, such as `.info`.
    if run(text, u8::is_ascii_hexdigit).min(length) >= 32 {
        return None;
    }
    let mut before: &[u8] = b"";
    let mut found = None;
    while length > 0 && text.get(length) == Some(&b'.') {
        let label = text.get(length + 1..)?;
        let label =
            label.get(..run(label, is_label)).filter(|label| !label.is_empty() && label.first() != Some(&b'-'))?;
        let end = label.get(..run(label, u8::is_ascii_lowercase)).unwrap_or_default();
        let is_country = end.len() == 2 && BEFORE_COUNTRIES.contains(&before);
        let length_of_end = length + 1 + end.len();
        if (ENDS.contains(&end) || is_country) && text.get(length_of_end) != Some(&b'.') && ends(text, length_of_end) {
            found = Some(length_of_end);
        }
        before = label;
        length += 1 + label.len();
    }
    // Another label could follow, so this is the name of something else.
    found.filter(|found| text.get(*found) != Some(&b'-') || text.get(length) != Some(&b'.'))
}

/// A telephone number with the code of its country.
fn phone(text: &[u8]) -> Option<usize> {
    let digits = run(text.strip_prefix(b"+")?, u8::is_ascii_digit);
    ((8..=15).contains(&digits) && ends(text, digits + 1)).then_some(digits + 1)
}

/// Whether an address has a word before it, such as `mail` in `mail.eve@shop.example` and in `mail-shop.com`, with which
/// a key begins. Elsewhere a name has two words at most, and behind a `_` no other `_`.
pub(super) fn has_word(form: char, text: &str, length: usize, is_start: bool, before: Option<u8>) -> bool {
    let value = text.get(..length).unwrap_or_default();
    match form {
        form::EMAIL => value.split('@').next().is_some_and(|name| {
            let separators = name.bytes().filter(|byte| matches!(byte, b'.' | b'_')).count();
            separators > usize::from(!is_start) || before == Some(b'_') && name.contains('_')
        }),
        form::DOMAIN => is_start && value.split('.').next().is_some_and(|label| label.contains('-')),
        _ => false,
    }
}

/// The length of hexadecimal digits with `0x` before them.
pub(super) fn hex_behind_sign(text: &str) -> Option<usize> {
    let digits = run(text.strip_prefix("0x")?.as_bytes(), u8::is_ascii_hexdigit);
    (digits >= 8 && ends(text.as_bytes(), digits + 2)).then_some(digits + 2)
}

/// The place of a number between a word and a word with a capital.
pub(super) fn number_inside(word: &str) -> Option<(usize, usize)> {
    let bytes = word.as_bytes();
    let start = run(bytes, u8::is_ascii_alphabetic);
    let end = start + run(bytes.get(start..)?, u8::is_ascii_digit);
    let is_word = bytes.get(start.checked_sub(2)?..start)?.iter().all(u8::is_ascii_lowercase);
    let is_next =
        matches!(bytes.get(end..)?, [first, second, ..] if first.is_ascii_uppercase() && second.is_ascii_lowercase());
    (is_word && is_next && start < end && end <= start + 9).then_some((start, end))
}

/// UUIDs, IP addresses and MAC addresses.
fn hyphenated(text: &[u8]) -> Option<(char, usize)> {
    if !text.first().is_some_and(u8::is_ascii_hexdigit) {
        return None;
    }
    uuid(text)
        .map(|length| (form::UUID, length))
        .or_else(|| ipv4(text).map(|length| (form::IP, length)))
        .or_else(|| mac(text, b'-').map(|length| (form::MAC, length)))
}

/// A value of one word.
fn word(text: &[u8]) -> Option<(char, usize)> {
    let length = run(text, u8::is_ascii_alphanumeric);
    let word = text.get(..length).filter(|word| !word.is_empty() && ends(text, length))?;
    if word.iter().all(u8::is_ascii_digit) {
        return Some((form::INTEGER, length));
    }
    let is_hex =
        |range: std::ops::RangeInclusive<u8>| word.iter().all(|byte| byte.is_ascii_digit() || range.contains(byte));
    if length >= 8 && (is_hex(b'a'..=b'f') || is_hex(b'A'..=b'F')) {
        return Some((form::HEX, length));
    }
    if length == 26 && word.iter().all(|byte| is_crockford(*byte)) && matches!(word.first(), Some(b'0'..=b'7')) {
        return Some((form::ULID, length));
    }
    let (width, height) = split_once(word, b'x')?;
    let is_number = |text: &[u8]| (1..=5).contains(&text.len()) && text.iter().all(u8::is_ascii_digit);
    (is_number(width) && is_number(height)).then_some((form::SIZE, length))
}

/// A digit of a ULID, in upper or in lower case.
fn is_crockford(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() && !matches!(byte.to_ascii_uppercase(), b'I' | b'L' | b'O' | b'U')
}

/// A random-looking token, also with `-` and `_` inside, as in Base64 for URLs.
fn random(text: &[u8]) -> Option<(char, usize)> {
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let mut token = text.get(..run(text, is_token))?;
    let padding = text.get(token.len()..).map_or(0, |rest| run(rest, |byte| *byte == b'='));
    // Words at the end are text.
    while let Some(place) = token.iter().rposition(|byte| matches!(byte, b'-' | b'_'))
        && token.get(place + 1..).is_some_and(|run| run.len() >= 3 && has_one_case(run))
    {
        token = token.get(..place)?;
    }
    let mut runs = token.split(|byte| matches!(byte, b'-' | b'_')).filter(|run| !run.is_empty()).peekable();
    let first = runs.peek()?;
    let starts_with_value = first.iter().all(u8::is_ascii_digit) && first.len() < token.len();
    let is_lower = first.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let starts_with_word = is_lower && is_wordy(first) && first.len() < token.len() && token.starts_with(first);
    if starts_with_word || starts_with_value {
        return None;
    }
    let words: usize = runs.clone().filter(|run| run.len() >= 3 && is_wordy(run)).map(<[u8]>::len).sum();
    let in_camel_case: usize = runs.clone().map(letters_in_camel_case).sum();
    let ends_with_number = runs.last().is_some_and(|run| run.len() >= 3 && run.iter().all(u8::is_ascii_digit));
    if words * 4 > token.len()
        || in_camel_case * 2 > token.len()
        || words > 0 && ends_with_number
        || !looks_random(token)
    {
        return None;
    }
    let is_padded = padding > 0 && token.len() + padding == text.len();
    let length = token.len() + if is_padded { padding } else { 0 };
    let is_base64 = is_padded || token.iter().any(|byte| matches!(byte, b'-' | b'_'));
    ends(text, length).then_some((if is_base64 { form::BASE64 } else { form::RANDOM }, length))
}

/// Whether this could be a word: letters in one case or with a capital, and up to three digits behind it.
fn is_wordy(word: &[u8]) -> bool {
    let letters = run(word, u8::is_ascii_alphabetic);
    let digits = word.len() - letters;
    let (head, tail) = word.get(..letters).and_then(|word| word.split_at_checked(1)).unwrap_or((&[], &[]));
    let is_upper = head.first().is_some_and(u8::is_ascii_uppercase);
    let has_one_case = tail.iter().all(u8::is_ascii_lowercase) || is_upper && tail.iter().all(u8::is_ascii_uppercase);
    let are_digits = word.get(letters..).is_some_and(|digits| digits.iter().all(u8::is_ascii_digit));
    !head.is_empty() && has_one_case && are_digits && digits <= 3.min(letters)
}

fn has_one_case(letters: &[u8]) -> bool {
    letters.iter().all(u8::is_ascii_lowercase) || letters.iter().all(u8::is_ascii_uppercase)
}

/// The letters of words with a capital and three more letters, as in `QueueV1`, and of a word before them.
fn letters_in_camel_case(run: &[u8]) -> usize {
    let parts = run.chunk_by(|_, next| !next.is_ascii_uppercase());
    let words = parts
        .map(|part| 1 + self::run(part.get(1..).unwrap_or_default(), u8::is_ascii_lowercase))
        .filter(|letters| *letters > 3);
    if run.iter().any(u8::is_ascii_uppercase) { words.sum() } else { 0 }
}

/// Whether letters and digits alternate as they do in no word: in `CamelCase`, a capital starts a word.
fn looks_random(token: &[u8]) -> bool {
    let kind = |byte: &u8| match byte {
        b'0'..=b'9' => 0,
        b'A'..=b'Z' => 1,
        b'a'..=b'z' => 2,
        _ => 3,
    };
    let changes = token.iter().zip(token.iter().skip(1)).map(|(one, other)| (kind(one), kind(other)));
    let changes = changes.filter(|(one, other)| one != other && (*one, *other) != (1, 2)).count();
    let digits = token.iter().filter(|byte| byte.is_ascii_digit()).count();
    match token.len() {
        0..12 => false,
        12..24 => digits >= 1 && changes >= 4,
        length => digits >= 2 && changes * 8 >= length,
    }
}

/// The length of the word with which a text begins and that a UUID follows without a separator.
pub(super) fn uuid_behind_word(text: &str) -> Option<usize> {
    let start = text.bytes().position(is_weak)?.checked_sub(8).filter(|start| *start > 0)?;
    uuid(text.as_bytes().get(start..)?).map(|_| start)
}

fn uuid(text: &[u8]) -> Option<usize> {
    let uuid = text.get(..36)?;
    let is_uuid = uuid.iter().enumerate().all(|(place, byte)| match place {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    });
    (is_uuid && ends(text, 36)).then_some(36)
}

fn ipv4(text: &[u8]) -> Option<usize> {
    let length = run(text, |byte| byte.is_ascii_digit() || *byte == b'.');
    let mut numbers = 0;
    for number in text.get(..length)?.split(|byte| *byte == b'.') {
        numbers += 1;
        let value = str::from_utf8(number).ok()?.parse::<u8>();
        if value.is_err() || numbers > 4 {
            return None;
        }
    }
    (numbers == 4 && ends(text, length)).then_some(length)
}

/// An address with `::`, or with eight numbers. More segments can follow, as in `rl:2001:db8::1:29833000`.
fn ipv6(text: &[u8]) -> Option<usize> {
    let length = run(text, |byte| byte.is_ascii_hexdigit() || *byte == b':').min(39);
    let run = text.get(..length)?;
    let ends_of_numbers =
        (1..length).rev().filter(|end| run.get(*end) == Some(&b':') && run.get(end - 1) != Some(&b':'));
    std::iter::once(length).chain(ends_of_numbers).find(|length| ends(text, *length) && is_ipv6(text.get(..*length)))
}

fn is_ipv6(address: Option<&[u8]>) -> bool {
    let Some(address) = address.and_then(|address| str::from_utf8(address).ok()) else { return false };
    // The shortest addresses could be anything, but for the address of the machine itself. Addresses in use start with
    // three digits and more.
    let numbers = address.split(':').filter(|number| !number.is_empty()).count();
    let is_long = address.split(':').next().is_some_and(|first| first.len() >= 3);
    address == "::1" || numbers >= 3 && is_long && address.parse::<std::net::Ipv6Addr>().is_ok()
}

fn mac(text: &[u8], separator: u8) -> Option<usize> {
    let mac = text.get(..17)?;
    let is_mac = mac.iter().enumerate().all(|(place, byte)| match place % 3 {
        2 => *byte == separator,
        _ => byte.is_ascii_hexdigit(),
    });
    (is_mac && ends(text, 17)).then_some(17)
}

/// An e-mail address. It begins after the last `-`, because words can be in front of it.
fn email(text: &[u8]) -> Option<usize> {
    let at = text.iter().position(|byte| *byte == b'@')?;
    let (local, domain) = (text.get(..at)?, text.get(at + 1..)?);
    let is_local = |byte: &u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+=?^_`{~".contains(byte);
    let is_domain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let length = run(domain, is_domain);
    let domain = domain.get(..length)?;
    let dot = domain.iter().position(|byte| *byte == b'.')?;
    let is_address = !local.is_empty() && local.iter().all(is_local) && dot > 0 && dot + 1 < domain.len();
    is_address.then_some(at + 1 + length)
}

/// Whether a value of this length ends at the end or before a separator.
fn ends(text: &[u8], length: usize) -> bool {
    text.get(length).is_none_or(|byte| is_strong(*byte) || is_weak(*byte))
}

/// The number of bytes with which the text begins and that are such.
fn run(text: &[u8], is_such: impl Fn(&u8) -> bool) -> usize {
    text.iter().position(|byte| !is_such(byte)).unwrap_or(text.len())
}

fn split_once(text: &[u8], separator: u8) -> Option<(&[u8], &[u8])> {
    let place = text.iter().position(|byte| *byte == separator)?;
    Some((text.get(..place)?, text.get(place + 1..)?))
}
