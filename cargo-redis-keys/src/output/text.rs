//! Text for people.

use anstyle::Style;

/// The style of titles and names.
pub(crate) const BOLD: Style = Style::new().bold();

/// The longest line of a paragraph.
const WIDTH: usize = 100;

/// A paragraph in lines that can be read.
pub(crate) fn wrapped(paragraph: &str) -> String {
    let mut lines = vec![String::new()];
    for word in paragraph.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_between_words() {
        let text = "word ".repeat(30);
        let lines: Vec<_> = wrapped(&text).lines().map(str::len).collect();
        assert_eq!(lines, [99, 49]);
        assert_eq!(wrapped(""), "");
        let long = "x".repeat(150);
        assert_eq!(wrapped(&format!("a {long} b")), format!("a\n{long}\nb"));
    }
}
