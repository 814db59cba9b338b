//! How deep the types of an item are nested.

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};

/// The maximum levels of brackets, references and arrows. A parser recurses for each level, and the stack of a macro
/// ends at about 170.
pub const MAX_NESTING: usize = 64;

/// The place at which the types of an item are nested too deep for a parser.
pub fn too_deep(tokens: &TokenStream) -> Option<Span> {
    let mut nesting = Nesting::default();
    nesting.read(tokens, 0).err()
}

#[derive(Default)]
struct Nesting {
    /// The sign before the next token, if it is joint with it.
    joint: Option<char>,
    /// The number of `<` before the next token, if they are joint.
    run: usize,
}

impl Nesting {
    /// Reads the tokens of a group that is `outer` levels deep.
    fn read(&mut self, tokens: &TokenStream, outer: usize) -> Result<(), Span> {
        // The angle brackets, and the signs before a type, which end with it.
        let (mut angles, mut prefixes) = (0_usize, 0_usize);
        for token in tokens.clone() {
            let joint = self.joint.take();
            self.run = if joint == Some('<') { self.run } else { 0 };
            match &token {
                TokenTree::Group(group) => {
                    let own = usize::from(group.delimiter() != Delimiter::None);
                    self.read(&group.stream(), outer + angles + prefixes + own)?;
                    self.joint = None;
                }
                TokenTree::Punct(punct) => {
                    match (punct.as_char(), joint) {
                        ('<', _) => {
                            self.run += 1;
                            // Two are the sign of a shift, or a single level more.
                            angles = match self.run {
                                2 => angles.saturating_sub(1),
                                3 => angles + 3,
                                _ => angles + 1,
                            };
                        }
                        ('>', Some('-')) | ('&' | '*', _) => prefixes += 1,
                        ('>', Some('=')) => {}
                        ('>', _) => angles = angles.saturating_sub(1),
                        (',' | ';', _) => prefixes = 0,
                        _ => {}
                    }
                    self.joint = (punct.spacing() == Spacing::Joint).then(|| punct.as_char());
                }
                TokenTree::Ident(_) | TokenTree::Literal(_) => {}
            }
            if outer + angles + prefixes > MAX_NESTING {
                return Err(token.span());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_NESTING, too_deep};

    fn is_too_deep(text: &str) -> bool {
        too_deep(&text.parse().unwrap_or_default()).is_some()
    }

    #[test]
    fn types_can_be_nested_up_to_a_limit() {
        let nested = |open: &str, close: &str, levels: usize| {
            // The braces of the struct are a level too.
            let ty = [open.repeat(levels - 1), "u64".to_owned(), close.repeat(levels - 1)].concat();
            format!("struct Key {{ a: u8, b: {ty}, c: &'static u8 }}")
        };
        for (open, close) in
            [("Vec<", ">"), ("(", ",)"), ("[", "; 1]"), ("&", ""), ("&'a mut ", ""), ("*const ", ""), ("fn() -> ", "")]
        {
            assert!(!is_too_deep(&nested(open, close, MAX_NESTING)), "{open}");
            assert!(is_too_deep(&nested(open, close, MAX_NESTING + 1)), "{open}");
        }
        let projected = format!("struct Key({}u8{});", "<".repeat(99), " as Deref>::Target".repeat(99));
        assert!(is_too_deep(&projected));
        assert!(is_too_deep(&format!("#[redis_key(value = {}u8{})] struct Key;", "Vec<".repeat(99), ">".repeat(99))));
    }

    #[test]
    fn what_is_not_nested_is_not_too_deep() {
        let fields = "a: Vec<u8>, b: &'a str, c: fn(&u8) -> u8, d: [u8; 1 << 3], e: <T as X>::Y, f: Vec<<T as X>::Y>, g: Box<dyn Fn() -> u8 + Send>,";
        assert!(!is_too_deep(&format!("struct Key {{ {} }}", fields.repeat(99))));
        let variants = "A = BASE << 3, B = 1 - 2 >= 3,".repeat(99);
        assert!(!is_too_deep(&format!("enum Key {{ {variants} }}")));
        assert!(!is_too_deep(&format!("#[doc = \"{}\"] struct Key;", "<".repeat(99))));
    }
}
