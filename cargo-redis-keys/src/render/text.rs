//! Text that is safe to print, in lines that can be read, and bytes as text.

use std::fmt::Write as _;

use anstyle::Style;
use serde_json::{Value, json};

/// The style of titles and names.
pub(crate) const BOLD: Style = Style::new().bold();

/// The longest line of a paragraph.
pub(crate) const WIDTH: usize = 100;

/// The digits of Base64.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as text for a terminal: control characters, invisible characters, bytes that are not UTF-8 and `\` are
/// escaped, as in `\x1b`. In the log of a CI service it is no command, because `::x` at the start of a word and `##[`
/// are escaped as well.
pub(crate) fn printable(given: impl AsRef<[u8]>) -> String {
    let mut text = String::with_capacity(given.as_ref().len());
    let mut is_start = true;
    for chunk in given.as_ref().utf8_chunks() {
        for (place, sign) in chunk.valid().char_indices() {
            let next = chunk.valid().as_bytes().get(place + 1);
            let behind_next = chunk.valid().as_bytes().get(place + 2);
            let was_start = std::mem::replace(&mut is_start, sign == ' ');
            match sign {
                // `::error::` of GitHub, `##[error]` of GitHub and Azure, and `##vso[…]` of Azure.
                ':' if was_start && next == Some(&b':') && behind_next.is_some_and(u8::is_ascii_alphabetic) => {
                    text.push_str("\\x3a");
                }
                '#' if starts_command(chunk.valid(), place) => text.push_str("\\x23"),
                '\\' => text.push_str("\\\\"),
                '\n' => text.push_str("\\n"),
                sign if sign.is_ascii() && !sign.is_ascii_control() => text.push(sign),
                // `escape_debug` escapes characters without a shape: they would hide or reorder the text around them.
                sign if sign.is_ascii() => drop(write!(text, "\\x{:02x}", u32::from(sign))),
                sign => text.extend(sign.escape_debug()),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

/// Whether `##[…]` or `##vso[…]` starts here, which the log of a CI service can take for a command wherever it is.
fn starts_command(text: &str, place: usize) -> bool {
    text.get(place..).is_some_and(|rest| rest.starts_with("##[") || rest.starts_with("##vso["))
}

/// Text in one line, for a file: like [`printable`], but with `\` unchanged and with a space for each white space.
pub(crate) fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.split('\\').map(printable).collect::<Vec<_>>().join("\\")
}

/// Whether a terminal shows a character, which does not reorder the text around it.
pub(crate) fn is_visible(sign: char) -> bool {
    if sign.is_ascii() { !sign.is_ascii_control() } else { sign.escape_debug().len() == 1 }
}

/// JSON in which characters that a terminal does not show, or that reorder the text around them, are escaped.
pub(crate) fn visible_json(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for (place, sign) in json.char_indices() {
        // JSON has a `#` in strings only.
        if (sign == '\n' || is_visible(sign)) && !starts_command(json, place) {
            text.push(sign);
        } else {
            for unit in sign.encode_utf16(&mut [0; 2]) {
                let _ = write!(text, "\\u{unit:04x}");
            }
        }
    }
    text
}

/// Bytes in JSON: text, or `{"base64":"…"}` if they are not UTF-8.
pub(crate) fn json_bytes(bytes: &[u8]) -> Value {
    str::from_utf8(bytes).map_or_else(|_| json!({ "base64": base64(bytes) }), Value::from)
}

/// A list of JSON with an element in each line.
pub(crate) fn json_lines(elements: &[String]) -> String {
    if elements.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", elements.join(",\n")) }
}

/// A paragraph of these words, in lines of at most `width` characters unless a word is longer.
pub(crate) fn wrapped<'w>(words: impl Iterator<Item = &'w str>, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in words {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

/// Bytes in Base64 with padding.
pub(crate) fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = (bits >> (18 - 6 * place)) as usize & 63;
            let is_padding = place > chunk.len();
            text.push(if is_padding { '=' } else { DIGITS.get(digit).map_or('=', |digit| char::from(*digit)) });
        }
    }
    text
}

/// Bytes from Base64 with padding, or `None` if it is not Base64.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut chunks = text.as_bytes().chunks_exact(4);
    for chunk in &mut chunks {
        let digits = chunk.iter().take_while(|digit| **digit != b'=').count();
        let mut bits = 0_u32;
        for (place, digit) in chunk.iter().enumerate() {
            let value = match digit {
                digit if place < digits => DIGITS.iter().position(|other| other == digit)?,
                b'=' => 0,
                _ => return None,
            };
            bits = bits << 6 | u32::try_from(value).ok()?;
        }
        let [_, whole @ ..] = bits.to_be_bytes();
        bytes.extend_from_slice(whole.get(..digits.checked_sub(1).filter(|length| *length > 0)?)?);
    }
    chunks.remainder().is_empty().then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_change_a_terminal_is_escaped() {
        for (bytes, text) in [
            (&b"user:42:string"[..], "user:42:string"),
            (b"\x1b[2Jx\x07\x7f\r\n\\", "\\x1b[2Jx\\x07\\x7f\\x0d\\n\\\\"),
            ("ключ 钥匙".as_bytes(), "ключ 钥匙"),
            (b"\xff\xc3a", "\\xff\\xc3a"),
            // A right-to-left override, a zero-width space, and a C1 control character.
            ("\u{202e}\u{200b}\u{9b}".as_bytes(), "\\u{202e}\\u{200b}\\u{9b}"),
            // Commands of CI services.
            (b"::error::x", "\\x3a:error::x"),
            (b"  ::add-mask::x ::y", "  \\x3a:add-mask::x \\x3a:y"),
            (b"\n::error::x", "\\n::error::x"),
            (b"a ##[error]x###", "a \\x23#[error]x###"),
            (b"##vso[task.complete]", "\\x23#vso[task.complete]"),
            (b"products::42:#tag ::1", "products::42:#tag ::1"),
        ] {
            assert_eq!(printable(bytes), text);
        }
    }

    #[test]
    fn a_line_has_no_line_breaks() {
        assert_eq!(one_line(" a\r\n\tb\\c\u{1b}\u{2028}\u{202e}d\\ "), "a b\\c\\x1b \\u{202e}d\\");
    }

    #[test]
    fn json_hides_nothing() {
        let hostile = "\u{9b}2J\u{202e}\u{7f}\u{e0001}\u{1b} ключ \"\\##[#";
        let json = visible_json(&serde_json::to_string(hostile).unwrap_or_default());
        assert_eq!(json, r#""\u009b2J\u202e\u007f\udb40\udc01\u001b ключ \"\\\u0023#[#""#);
        assert_eq!(serde_json::from_str::<String>(&json).unwrap_or_default(), hostile);
    }

    #[test]
    fn lines_end_between_words() {
        let text = "word ".repeat(30);
        let lines: Vec<_> = wrapped(text.split_whitespace(), WIDTH).lines().map(str::len).collect();
        assert_eq!(lines, [99, 49]);
        assert_eq!(wrapped([].into_iter(), WIDTH), "");
        let long = "x".repeat(150);
        assert_eq!(wrapped(["a", &long, "b"].into_iter(), WIDTH), format!("a\n{long}\nb"));
    }

    #[test]
    fn bytes_and_their_text() {
        for (bytes, text) in [
            (&b""[..], ""),
            (b"f", "Zg=="),
            (b"fo", "Zm8="),
            (b"foo", "Zm9v"),
            (b"foob", "Zm9vYg=="),
            (b"\xff\x00\xfe\xfb", "/wD++w=="),
        ] {
            assert_eq!(base64(bytes), text);
            assert_eq!(from_base64(text).as_deref(), Some(bytes));
        }
        for text in ["Z", "Zg=", "Z===", "====", "Zg=?", "Zg=g", "Zm9v "] {
            assert_eq!(from_base64(text), None, "{text}");
        }
    }
}
