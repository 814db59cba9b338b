//! Text that is safe to print.

use std::fmt::Write as _;

/// Bytes as text for a terminal: control characters, invisible characters and bytes that are not UTF-8 are escaped, as in
/// `\x1b`, and so is `\`.
pub(crate) fn printable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for sign in chunk.valid().chars() {
            match sign {
                '\\' => text.push_str("\\\\"),
                '\n' => text.push_str("\\n"),
                sign if sign.is_ascii() && !sign.is_ascii_control() => text.push(sign),
                // `escape_debug` escapes what has no shape of its own: it would hide or reorder the text around it.
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

/// Text in one line, for a file: as [`printable`], with `\` as it is and with a space for each white space.
pub(crate) fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.split('\\').map(|part| printable(part.as_bytes())).collect::<Vec<_>>().join("\\")
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
        ] {
            assert_eq!(printable(bytes), text);
        }
    }

    #[test]
    fn a_line_has_no_line_breaks() {
        assert_eq!(one_line(" a\r\n\tb\\c\u{1b}\u{2028}\u{202e}d\\ "), "a b\\c\\x1b \\u{202e}d\\");
    }
}
