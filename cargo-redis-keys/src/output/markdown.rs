//! Text in Markdown.

use super::printable;

/// Text as it is: no sign of it is Markdown or HTML. Line breaks become spaces.
pub(crate) fn text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in one_line(text).chars() {
        match sign {
            '\\' | '`' | '*' | '_' | '[' | ']' | '~' | '$' => escaped.extend(['\\', sign]),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            sign => escaped.push(sign),
        }
    }
    // Headings and lists begin a line, numbered lists with the sign after the number.
    let number = escaped.len() - escaped.trim_start_matches(|first: char| first.is_ascii_digit()).len();
    if escaped.get(number..).is_some_and(|rest| rest.starts_with(['#', '+', '-', '=', '.', ')', ':'])) {
        escaped.insert(number, '\\');
    }
    escaped
}

/// Markdown as a cell of a table, in which `|` has a meaning even in code.
pub(crate) fn cell(markdown: &str) -> String {
    markdown.replace('|', "\\|")
}

/// Text as code.
pub(crate) fn code(text: &str) -> String {
    let text = one_line(text);
    let longest = text.split(|sign| sign != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    // A space at both ends is no part of the code.
    let space = if text.is_empty() || text.starts_with([' ', '`']) || text.ends_with([' ', '`']) { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Text in one line, with the signs escaped that have no shape.
fn one_line(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown = String::with_capacity(words.len());
    for (number, part) in words.split('\\').enumerate() {
        // A backslash is no danger here, and has its own escape.
        if number > 0 {
            shown.push('\\');
        }
        shown.push_str(&printable(part.as_bytes()));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markdown() {
        for (given, expected) in [
            ("Plain text, with (brackets), a-b and 1.5.", "Plain text, with (brackets), a-b and 1.5."),
            ("*a* _b_ `c` [d](e) ~~f~~ | \\ $g$", "\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\~\\~f\\~\\~ | \\\\ \\$g\\$"),
            ("<script>alert(1)</script> &amp;", "&lt;script&gt;alert(1)&lt;/script&gt; &amp;amp;"),
            ("a\n\n# b\r\n- c\t\u{2028}d", "a # b - c d"),
            ("# a", "\\# a"),
            ("- a", "\\- a"),
            ("12. a", "12\\. a"),
            ("12", "12"),
            ("\u{1b}[31m\u{202e}", "\\\\x1b\\[31m\\\\u{202e}"),
            ("", ""),
        ] {
            assert_eq!(text(given), expected);
        }
    }

    #[test]
    fn code_ends_where_it_ends() {
        for (given, expected) in [
            ("user:{id}:string", "`user:{id}:string`"),
            ("a`b", "``a`b``"),
            ("``", "``` `` ```"),
            ("a|b", "`a|b`"),
            ("a\n`b", "``a `b``"),
            ("", "`  `"),
            ("<b>", "`<b>`"),
        ] {
            assert_eq!(code(given), expected);
        }
        assert_eq!([cell(&code("a|b")), cell(&text("a\\|b"))], ["`a\\|b`", "a\\\\\\|b"]);
    }
}
