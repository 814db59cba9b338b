//! Masks: the text of a key in which each value that is recognized by its form is a mark.
//!
//! A mark is the character `\u{1}` and the letter of its form, so the mask of `user:42` is `user:\u{1}i`. Segments with
//! control characters or bytes that are not UTF-8 are marks as a whole, so a mask is text and unambiguous.

mod dates;
mod observation;
mod tokens;

/// The character before the letter of a form.
pub(super) const MARK: char = '\u{1}';

/// The most bytes of a key that are read.
const MAX_BYTES: usize = 512;

/// The most segments of a mask.
const MAX_SEGMENTS: usize = 16;

/// A longer segment is text, whatever it contains.
const MAX_SEGMENT_BYTES: usize = 128;

/// The forms of values, by the letter of their marks.
pub(super) mod form {
    pub(in crate::operate::infer) const INTEGER: char = 'i';
    pub(in crate::operate::infer) const HEX: char = 'h';
    pub(in crate::operate::infer) const UUID: char = 'u';
    pub(in crate::operate::infer) const ULID: char = 'l';
    pub(in crate::operate::infer) const BASE64: char = 'b';
    pub(in crate::operate::infer) const RANDOM: char = 'r';
    pub(in crate::operate::infer) const IP: char = 'p';
    pub(in crate::operate::infer) const EMAIL: char = 'e';
    pub(in crate::operate::infer) const MAC: char = 'm';
    pub(in crate::operate::infer) const SIZE: char = 'z';
    pub(in crate::operate::infer) const DOMAIN: char = 'd';
    /// A segment or a word of any text.
    pub(in crate::operate::infer) const TEXT: char = 't';
    /// All remaining segments.
    pub(in crate::operate::infer) const REST: char = 'x';
}

pub(super) use dates::date_form;
pub(super) use observation::Observation;

/// Whether this byte separates segments.
pub(super) fn is_strong(byte: u8) -> bool {
    matches!(byte, b':' | b'/' | b'|')
}

/// Whether this byte separates words of a segment.
pub(super) fn is_weak(byte: u8) -> bool {
    byte.is_ascii_punctuation() && !is_strong(byte) || byte == b' '
}

/// Whether this character separates segments, or words of a segment.
pub(in crate::operate) fn is_separator(sign: char) -> bool {
    sign.is_ascii_punctuation() || sign == ' '
}

/// The mask of a key, and an observation about each mark's value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MaskedKey {
    pub(super) text: String,
    pub(super) observed: Vec<Observation>,
}

impl MaskedKey {
    /// Replaces the content by the mask of a key, behind this prefix.
    pub(super) fn of(prefix: &str, key: &[u8]) -> Self {
        let mut masked =
            Self { text: String::with_capacity(prefix.len() + key.len().min(MAX_BYTES)), observed: Vec::new() };
        masked.text.push_str(prefix);
        let mut rest = key.get(..MAX_BYTES).unwrap_or(key);
        let is_cut = rest.len() < key.len();
        for segment in 0.. {
            if segment == MAX_SEGMENTS {
                masked.mark(form::REST, rest);
                break;
            }
            let (start, form, mut length) = tokens::across_segments(rest).unwrap_or_default();
            if length > 0 {
                let (before, value) = rest.split_at_checked(start).unwrap_or((b"", rest));
                masked.segment(str::from_utf8(before).unwrap_or_default(), segment == 0);
                masked.mark(form, value.get(..length).unwrap_or_default());
                length += start;
            } else {
                length = rest.iter().position(|byte| is_strong(*byte)).unwrap_or(rest.len());
                let is_last = length == rest.len();
                match rest.get(..length).map(str::from_utf8) {
                    _ if is_cut && is_last => masked.mark(form::REST, rest),
                    Some(Ok(text)) if length <= MAX_SEGMENT_BYTES && !text.contains(|sign: char| sign.is_control()) => {
                        masked.segment(text, segment == 0);
                    }
                    _ => masked.mark(form::TEXT, rest.get(..length).unwrap_or_default()),
                }
            }
            let Some((separator, next)) = rest.get(length..).and_then(<[u8]>::split_first) else { break };
            masked.text.push(char::from(*separator));
            rest = next;
        }
        masked
    }

    /// Adds a segment. Words with which a key begins are text, also before an address.
    fn segment(&mut self, segment: &str, is_first: bool) {
        let mut rest = segment;
        let mut is_start = true;
        while let Some(byte) = rest.bytes().next() {
            // A UUID can follow a word at once: `Web67e55044-10b1-426f-9247-bb680e5fe0c8`.
            let uuid = tokens::uuid_behind_word(rest);
            let before = segment.strip_suffix(rest).and_then(|before| before.bytes().last());
            let (form, length) = if is_start && uuid.is_none() { tokens::token(rest) } else { None }
                .filter(|(form, length)| !tokens::has_word(*form, rest, *length, is_first && before.is_none(), before))
                .unwrap_or_default();
            if let Some(digits) = tokens::hex_behind_sign(rest).filter(|_| is_start) {
                self.text.push_str(rest.get(..2).unwrap_or_default());
                self.mark(form::HEX, rest.get(2..digits).unwrap_or_default().as_bytes());
                rest = rest.get(digits..).unwrap_or_default();
                is_start = false;
            } else if length > 0 {
                let (value, next) = rest.split_at_checked(length).unwrap_or((rest, ""));
                self.mark(form, value.as_bytes());
                rest = next;
                is_start = false;
            } else if is_weak(byte) {
                self.text.push(char::from(byte));
                rest = rest.get(1..).unwrap_or_default();
                is_start = true;
            } else {
                let end = uuid.or_else(|| rest.bytes().position(is_weak)).unwrap_or(rest.len());
                let (word, next) = rest.split_at_checked(end).unwrap_or((rest, ""));
                self.word(word);
                is_start = uuid.is_some();
                rest = next;
            }
        }
    }

    /// Adds a word. A number at its end is a value, as in `user42`, and so is a number before a capital: `item42Total`.
    fn word(&mut self, word: &str) {
        if let Some((start, end)) = tokens::number_inside(word) {
            self.text.push_str(word.get(..start).unwrap_or_default());
            self.mark(form::INTEGER, word.get(start..end).unwrap_or_default().as_bytes());
            return self.word(word.get(end..).unwrap_or_default());
        }
        let letters = word.trim_end_matches(|sign: char| sign.is_ascii_digit());
        let digits = word.get(letters.len()..).unwrap_or_default();
        if !digits.is_empty() && !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            self.text.push_str(letters);
            self.mark(form::INTEGER, digits.as_bytes());
        } else {
            self.text.push_str(word);
        }
    }

    fn mark(&mut self, form: char, value: &[u8]) {
        self.text.extend([MARK, form]);
        self.observed.push(Observation::of(form, value));
    }
}

/// The letter of a label that is a single mark and nothing else, except for its separator.
pub(super) fn pure_form(label: &str) -> Option<char> {
    let mut signs = label.strip_prefix(is_separator).unwrap_or(label).chars();
    match (signs.next(), signs.next(), signs.next()) {
        (Some(MARK), form, None) => form,
        _ => None,
    }
}

/// The parts of a mask, each with the separator before it, if there is a separator.
pub(super) fn split(mask: &str, is_separator: impl Fn(u8) -> bool + Copy) -> impl Iterator<Item = &str> {
    let mut rest = Some(mask);
    std::iter::from_fn(move || {
        let text = rest?;
        let first = text.chars().next().map_or(0, char::len_utf8);
        let end = text.bytes().skip(first).position(is_separator).map(|place| place + first);
        let part = text.get(..end.unwrap_or(text.len()))?;
        rest = end.and_then(|end| text.get(end..));
        Some(part)
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on")]
mod tests {
    use super::*;

    /// The mask with `<i>` for a mark.
    fn shown(key: &[u8]) -> String {
        let text = MaskedKey::of("", key).text;
        let mut shown = String::new();
        let mut signs = text.chars();
        while let Some(sign) = signs.next() {
            if sign == MARK {
                shown.extend(['<', signs.next().unwrap(), '>']);
            } else {
                shown.push(sign);
            }
        }
        shown
    }

    #[test]
    fn values_are_recognized_by_their_form() {
        for (key, mask) in [
            ("", ""),
            ("user", "user"),
            ("user:42:profile", "user:<i>:profile"),
            ("user_42/7|8.x", "user_<i>/<i>|<i>.x"),
            ("user42", "user<i>"),
            ("chat:-1001234567:x", "chat:<i>:x"),
            ("v2", "v<i>"),
            ("s:mlkjq7ozhyq2nd6h3fstrqwa5x_LOCK", "s:<r>_LOCK"),
            ("tus:67e5504410b1426f9247bb680e5fe0c8.info", "tus:<h>.info"),
            ("trackingQueueV1_2", "trackingQueueV<i>_<i>"),
            ("{42}:x", "{<i>}:x"),
            ("ü:é", "ü:é"),
            ("a::b:", "a::b:"),
            ("order-67e55044-10b1-426f-9247-bb680e5fe0c8", "order-<u>"),
            ("67e5504410b1426f9247bb680e5fe0c8.reply.celery", "<h>.reply.celery"),
            ("01K4QXS9V3E7YZ2M5N8P0RTWAB", "<l>"),
            ("d:2026-11-22:2026-11:2026-W48:20261122:2026112210", "d:<D>:<M>:<W>:<E>:<H>"),
            ("d:2026-11-22T10:30:00Z:x", "d:<T>:x"),
            ("d:2026/11/22/x", "d:<F>/x"),
            ("rl:192.0.2.7:x", "rl:<p>:x"),
            ("rl:2001:db8::1", "rl:<p>"),
            ("limit-2001:db8::1:29833000", "limit-<p>:<i>"),
            ("v2::3:4", "v<i>::<i>:<i>"),
            ("2::3:4", "<i>::<i>:<i>"),
            ("orderItem42Total", "orderItem<i>Total"),
            ("sha256sum:aB3dE", "sha256sum:aB3dE"),
            ("robots:www.tea-house.com:x", "robots:<d>:x"),
            ("robots:mail.tea-house.co.uk:x", "robots:<d>:x"),
            ("hits-tea.io-total", "hits-<d>-total"),
            ("messages.de:x", "messages.de:x"),
            ("unsub.eve.12@tea.example", "unsub.<e>"),
            ("user.byMail.eve.12@tea.example", "user.byMail.<e>"),
            ("bounce:eve_12@tea.example", "bounce:<e>"),
            ("auth.failures.eve_miller@tea.example", "auth.failures.<e>"),
            ("mail_eve@tea.example", "mail_<e>"),
            ("node:ip-10-0-3-77.eu.compute.internal", "node:<d>"),
            ("nonce:0x67e5504410b1426f9247bb680e5fe0c8:x", "nonce:0x<h>:x"),
            ("sms_code_+4915012345678", "sms_code_<r>"),
            ("tags:0d2_CAT_P_1234567", "tags:0d2_CAT_P_<i>"),
            ("rl:2001:db8::1:29833000", "rl:<p>:<i>"),
            ("rl:2001:db8:0:1:2:3:4:5:29833000:x", "rl:<p>:<i>:x"),
            ("rl:::1:29833000", "rl:<p>:<i>"),
            ("product::12", "product::<i>"),
            ("rl:1.2.3", "rl:<i>.<i>.<i>"),
            ("mail:a.b+c@shop.example", "mail:<e>"),
            ("dev:00:1b:44:11:3a:b7:x", "dev:<m>:x"),
            ("dev-00:1b:44:11:3a:b7-x", "dev-<m>-x"),
            ("thumb:64x64", "thumb:<z>"),
            ("sess:vN9_k-2xQ7bLz0PqRw4Tg8Yh1JmKs6Dc", "sess:<b>"),
            ("sess:-N9_k-2xQ7bLz0PqRw4Tg8Yh1JmKs6Dc", "sess:<b>"),
            ("b-Xy7_kdj39aQ2fZ-jids", "b-<b>-jids"),
            ("t:k3j9x2m5n8p0r4tw6a1z", "t:<r>"),
            ("celery-task-meta-done", "celery-task-meta-done"),
            ("a-long-slug-of-many-words-without-numbers", "a-long-slug-of-many-words-without-numbers"),
            ("FindByIndexNameSessionRepository", "FindByIndexNameSessionRepository"),
            ("deadbeef:facade", "<h>:facade"),
            ("Eshop.Web67e55044-10b1-426f-9247-bb680e5fe0c8", "Eshop.Web<u>"),
        ] {
            assert_eq!(shown(key.as_bytes()), mask, "{key}");
        }
        assert_eq!(shown(b"a:\xff\xfe:b\n:\x01i"), "a:<t>:<t>:<t>");
        assert_eq!(shown(&[b'x'; 600]), "<x>");
        assert_eq!(shown(&[b'x'; 200]), "<t>");
        assert_eq!(shown(&[b':'; 600]), format!("{}<x>", ":".repeat(16)));
    }

    #[test]
    fn a_mask_has_parts() {
        let parts = |text: &'static str| split(text, is_strong).collect::<Vec<_>>();
        assert_eq!(parts("a:b/c"), ["a", ":b", "/c"]);
        assert_eq!(parts(":a::b:"), [":a", ":", ":b", ":"]);
        assert_eq!(parts(""), [""]);
    }
}
