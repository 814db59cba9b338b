//! Types as people write them.

/// A type as rustfmt writes it, of text that may have no white space but what keeps its words apart.
///
/// ```
/// use redis_keys_schema::shown_type;
///
/// assert_eq!(shown_type("HashMap<String,[u8;4]>"), "HashMap<String, [u8; 4]>");
/// ```
pub fn shown_type(ty: &str) -> String {
    // The text of a literal stays as it is, and no type has one but in a constant.
    if ty.contains('"') {
        return ty.to_owned();
    }
    let mut shown = String::with_capacity(ty.len() + 4);
    let mut signs = ty.chars().peekable();
    while let Some(sign) = signs.next() {
        let next = signs.peek().copied();
        match sign {
            ',' | ';' => {
                shown.push(sign);
                if next.is_some_and(|next| !matches!(next, ')' | ']' | '>' | ' ')) {
                    shown.push(' ');
                }
            }
            '-' if next == Some('>') => {
                signs.next();
                operator(&mut shown, "->", signs.peek());
            }
            '+' => operator(&mut shown, "+", next.as_ref()),
            '=' if !matches!(next, Some('=' | '>')) && !shown.ends_with(['=', '<', '>', '!']) => {
                operator(&mut shown, "=", next.as_ref());
            }
            '[' | '(' | '&' | '*' if stands_apart(&shown) => shown.extend([' ', sign]),
            '>' if next.is_some_and(|next| next.is_alphanumeric() || next == '_') => shown.push_str("> "),
            _ => shown.push(sign),
        }
    }
    shown
}

/// Writes a sign that has a space on each side.
fn operator(shown: &mut String, sign: &str, next: Option<&char>) {
    if !shown.ends_with(' ') {
        shown.push(' ');
    }
    shown.push_str(sign);
    if next.is_some_and(|next| *next != ' ') {
        shown.push(' ');
    }
}

/// Whether what is written so far ends with a lifetime, `mut`, `const` or `dyn`, behind which a type begins.
fn stands_apart(shown: &str) -> bool {
    let before = shown.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
    let word = shown.strip_prefix(before).unwrap_or_default();
    let begins = before.is_empty() || before.ends_with(|c: char| !c.is_alphanumeric());
    !word.is_empty() && (before.ends_with('\'') || begins && matches!(word, "mut" | "const" | "dyn" | "impl"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_the_spaces_that_rustfmt_gives_them() {
        for ty in [
            "u64",
            "[u8; 4]",
            "[u8; N * 2]",
            "(u8, u8)",
            "(u8,)",
            "()",
            "HashMap<String, Vec<(u8, [u8; 2])>>",
            "&'a str",
            "&'a mut [u8]",
            "&'a [u8]",
            "&'a &'b (u8, u8)",
            "*const [u8]",
            "Cow<'a, str>",
            "Box<dyn Fn(u8, &str) -> Vec<u8> + Send + 'static>",
            "Box<dyn for<'a> Fn(&'a u8) -> u8>",
            "<T as Iterator>::Item",
            "Box<dyn Iterator<Item = u8>>",
            "bucket::Month",
            "const_::Mut<[u8; 4]>",
            "Word<{ \"a,b\" }>",
        ] {
            let spaces = |ty: &str| shown_type(ty);
            assert_eq!(spaces(ty), ty, "it stays as it is");
            if !ty.contains(['"', '*']) {
                assert_eq!(spaces(&as_tokens(ty)), ty);
            }
        }
        assert_eq!(shown_type("*const[u8]"), "*const [u8]");
    }

    /// Without white space but between words.
    fn as_tokens(ty: &str) -> String {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let signs: Vec<char> = ty.chars().collect();
        let mut text = String::new();
        for (at, sign) in signs.iter().enumerate() {
            let between = at > 0 && is_word(signs[at - 1]) && signs.get(at + 1).copied().is_some_and(is_word);
            if *sign != ' ' || between {
                text.push(*sign);
            }
        }
        text
    }
}
