//! Parts of a text with their place in it.

use std::ops::Range;

/// A part of the attribute's text, with its place in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'t> {
    pub(crate) text: &'t str,
    pub(crate) start: usize,
}

impl<'t> Piece<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, start: 0 }
    }

    /// Its place in the whole text.
    pub(crate) fn range(self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    pub(crate) fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// A part of the piece. A range that is not within the piece gives an empty piece.
    pub(crate) fn part(self, range: Range<usize>) -> Self {
        match self.text.get(range.clone()) {
            Some(text) => Self { text, start: self.start + range.start },
            None => Self { text: "", start: self.start },
        }
    }

    pub(crate) fn from(self, start: usize) -> Self {
        self.part(start..self.text.len())
    }

    pub(crate) fn to(self, end: usize) -> Self {
        self.part(0..end)
    }

    pub(crate) fn trim(self) -> Self {
        if is_trimmed(self.text) {
            return self;
        }
        let start = self.text.len() - self.text.trim_start().len();
        Self { text: self.text.trim(), start: self.start + start }
    }

    /// The text between the quotes of a string literal, if the piece is a string literal.
    pub(crate) fn unquoted(self) -> Option<Self> {
        let piece = self.trim();
        if !piece.text.starts_with(['"', 'r']) {
            return None;
        }
        let prefix = raw_prefix(piece.text).unwrap_or(0);
        let hashes = prefix.saturating_sub(1);
        let inner = piece.from(prefix);
        let end = inner.text.len().checked_sub(hashes + 1)?;
        let quoted = inner.text.starts_with('"') && end >= 1 && inner.text.get(end..end + 1) == Some("\"");
        quoted.then(|| inner.part(1..end))
    }

    /// The string literal that it starts with, and the text behind that.
    pub(crate) fn first_literal(self) -> Option<(Self, Self)> {
        let piece = self.trim();
        let end = string_end(piece.text, 0)?;
        Some((piece.to(end), piece.from(end).trim()))
    }

    /// The same without quotes, if it has any.
    pub(crate) fn bare(self) -> Self {
        self.unquoted().unwrap_or(self).trim()
    }

    /// The word that it starts with, which may be an option's name.
    pub(crate) fn leading_word(self) -> Self {
        self.to(name_end(self.text))
    }

    /// Splits at each comma outside brackets and strings.
    pub(crate) fn split_at_commas(self, angles: bool) -> Vec<Self> {
        self.split_at(&Outline::of(self.text, angles).commas)
    }

    /// Splits at these bytes, which are left out.
    pub(crate) fn split_at(self, signs: &[usize]) -> Vec<Self> {
        let mut pieces = Vec::with_capacity(signs.len() + 1);
        let mut start = 0;
        for &sign in signs {
            pieces.push(self.part(start..sign));
            start = sign + 1;
        }
        pieces.push(self.from(start));
        pieces
    }

    /// The first `=` outside brackets and strings that assigns.
    pub(crate) fn assignment(self) -> Option<usize> {
        Outline::of(self.text, true).assignments.first().copied()
    }
}

/// The signs outside brackets and strings, found in one pass.
pub(crate) struct Outline {
    pub(crate) commas: Vec<usize>,
    /// Each `=` that assigns.
    pub(crate) assignments: Vec<usize>,
    /// Whether each bracket is closed.
    pub(crate) balanced: bool,
    /// The place at which reading stopped.
    pub(crate) end: usize,
}

impl Outline {
    /// Reads a text. `angles` says whether `<` and `>` are brackets too.
    pub(crate) fn of(text: &str, angles: bool) -> Self {
        Self::read(text, angles, false)
    }

    /// Reads a text up to its first comma.
    pub(crate) fn of_first(text: &str, angles: bool) -> Self {
        Self::read(text, angles, true)
    }

    fn read(text: &str, angles: bool, stops_at_comma: bool) -> Self {
        let bytes = text.as_bytes();
        let mut outline = Self { commas: Vec::new(), assignments: Vec::new(), balanced: true, end: text.len() };
        let mut depth = 0_usize;
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'"' | b'r' => {
                    if let Some(end) = string_end(text, at) {
                        at = end;
                        continue;
                    }
                }
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b'<' if angles => depth += 1,
                b'>' if angles && !is_arrow(bytes, at) => depth = depth.saturating_sub(1),
                b',' if depth == 0 && stops_at_comma => {
                    outline.end = at;
                    return outline;
                }
                b',' if depth == 0 => outline.commas.push(at),
                b'=' if depth == 0 && is_assignment(bytes, at) => outline.assignments.push(at),
                _ => {}
            }
            at += 1;
        }
        outline.balanced = depth == 0;
        outline
    }
}

/// Returns whether there is no white space at the ends. Most pieces have none, and ASCII shows it quickly.
fn is_trimmed(text: &str) -> bool {
    matches!(text.as_bytes(), [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic())
}

/// Returns the end of the name that a text starts with.
pub(crate) fn name_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len() && (bytes[end].is_ascii_alphanumeric() || bytes[end] == b'_') {
        end += 1;
    }
    // Letters of other languages have more than one byte.
    if end < bytes.len() && !bytes[end].is_ascii() {
        return text.find(|c: char| !is_name_char(c)).unwrap_or(text.len());
    }
    end
}

pub(crate) fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether the `=` at `at` assigns, and is not part of `==`, `=>`, `<=` and the like.
fn is_assignment(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    !matches!(bytes.get(at + 1), Some(b'=' | b'>'))
        && !matches!(before, Some(b'=' | b'<' | b'>' | b'!' | b'+' | b'-' | b'*' | b'/'))
}

/// Whether the `>` at `at` ends `->` or `=>`.
fn is_arrow(bytes: &[u8], at: usize) -> bool {
    at > 0 && matches!(bytes[at - 1], b'-' | b'=')
}

/// The number of bytes before the first quote of a raw string, if the text starts with one.
fn raw_prefix(text: &str) -> Option<usize> {
    let hashes = text.strip_prefix('r')?;
    let quote = hashes.trim_start_matches('#');
    quote.starts_with('"').then(|| text.len() - quote.len())
}

/// The end of the string literal that starts at `at`, if a literal starts there.
fn string_end(text: &str, at: usize) -> Option<usize> {
    let literal = text.get(at..)?;
    let before = text.get(..at)?.chars().next_back();
    if !before.is_some_and(is_name_char)
        && let Some(prefix) = raw_prefix(literal)
    {
        let close = format!("\"{}", "#".repeat(prefix - 1));
        let inner = literal.get(prefix + 1..)?;
        return inner.find(&close).map(|end| at + prefix + 1 + end + close.len());
    }
    let mut escaped = false;
    let mut inner = literal.strip_prefix('"')?.char_indices();
    inner.find_map(|(end, c)| {
        let closes = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        closes.then_some(at + 1 + end + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commas(text: &str) -> Vec<&str> {
        Piece::new(text).split_at_commas(true).into_iter().map(|piece| piece.trim().text).collect()
    }

    #[test]
    fn cuts_at_commas_outside_brackets_and_strings() {
        assert_eq!(commas("a, b = C<D, E>, f(g, h)"), ["a", "b = C<D, E>", "f(g, h)"]);
        assert_eq!(
            commas(r##"a = "x,y", b = r#"p,"q"#, c = "\",""##),
            [r#"a = "x,y""#, r##"b = r#"p,"q"#"##, r#"c = "\",""#]
        );
        assert_eq!(commas("v = Box<dyn Fn(A) -> B>, c"), ["v = Box<dyn Fn(A) -> B>", "c"]);
        assert_eq!(commas(""), [""]);
    }

    #[test]
    fn knows_its_place() {
        let pieces = Piece::new("ab,  cd ").split_at_commas(true);
        assert_eq!(pieces.last().map(|piece| piece.trim().range()), Some(5..7));
    }

    #[test]
    fn takes_quotes_off() {
        let inner = |text| Piece::new(text).unquoted().map(|piece| (piece.text, piece.start));
        assert_eq!(inner(r#""user""#), Some(("user", 1)));
        assert_eq!(inner(r##" r#"user"# "##), Some(("user", 4)));
        assert_eq!(inner("user"), None);
        assert_eq!(inner("\""), None);
        assert_eq!(inner("r#"), None);
    }

    #[test]
    fn finds_the_sign_that_assigns() {
        assert_eq!(Piece::new("ttl = 1h").assignment(), Some(4));
        assert_eq!(Piece::new("a == b").assignment(), None);
        assert_eq!(Piece::new("C<D = E>").assignment(), None);
    }
}
