//! The paths in the code of a module, found in its tokens.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::ext::IdentExt as _;

/// A path, and its name where a `use` mentions it.
pub(super) struct Mention {
    pub(super) path: Vec<String>,
    /// The last name of the path or the one after `as`; `None` for `*`.
    pub(super) name: Option<String>,
    pub(super) line: usize,
}

/// A name without the `r#` of a raw one.
pub(super) fn name(ident: &Ident) -> String {
    ident.unraw().to_string()
}

/// The paths of the tree of a `use`.
pub(super) fn of_import(tree: TokenStream) -> Vec<Mention> {
    let mut mentions = Vec::new();
    add_path(&tree.into_iter().collect::<Vec<_>>(), &[], &mut mentions);
    mentions
}

/// Adds the paths in the tokens of an item. Those in the definition of a macro are only known if they begin with the
/// crate.
pub(super) fn add_mentions(tokens: TokenStream, is_macro: bool, mentions: &mut Vec<Mention>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        let before = index.checked_sub(1).and_then(|before| tokens.get(before));
        index += 1;
        match token {
            TokenTree::Group(group) if is_punct(before, '#') && is_test(group.stream()) => {
                let is_end = |token: &TokenTree| match token {
                    TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                    token => is_punct(Some(token), ';') || is_punct(Some(token), ','),
                };
                index = tokens[index..].iter().position(is_end).map_or(tokens.len(), |end| index + end + 1);
            }
            TokenTree::Group(group) => add_mentions(group.stream(), is_macro, mentions),
            TokenTree::Ident(ident) if is_double_colon(&tokens[index..]) => {
                let is_crate = ident == "crate";
                let continues = is_punct(before, ':') || is_punct(before, '.') || is_punct(before, '$');
                if is_crate || !(is_macro || continues) {
                    index += add_path(&tokens[index - 1..], &[], mentions) - 1;
                }
            }
            _ => {}
        }
    }
}

/// Adds the path or paths at the beginning of tokens, and returns how many tokens they take.
fn add_path(tokens: &[TokenTree], prefix: &[String], mentions: &mut Vec<Mention>) -> usize {
    let mut path = prefix.to_vec();
    let mut index = 0;
    let mut line = 0;
    loop {
        match tokens.get(index) {
            Some(TokenTree::Ident(ident)) => {
                line = ident.span().start().line;
                // `{self}` is what is before the braces.
                if ident != "self" || path.is_empty() {
                    path.push(name(ident));
                }
                index += 1;
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                for tree in inside.split(|token| is_punct(Some(token), ',')).filter(|tree| !tree.is_empty()) {
                    add_path(tree, &path, mentions);
                }
                return index + 1;
            }
            Some(star @ TokenTree::Punct(punct)) if punct.as_char() == '*' && !path.is_empty() => {
                mentions.push(Mention { path, name: None, line: star.span().start().line });
                return index + 1;
            }
            _ => break,
        }
        if !is_double_colon(&tokens[index..]) {
            break;
        }
        index += 2;
    }
    let mut name = path.last().cloned();
    if let [TokenTree::Ident(word), TokenTree::Ident(other), ..] = &tokens[index..]
        && word == "as"
    {
        name = Some(self::name(other));
    }
    if !path.is_empty() {
        mentions.push(Mention { path, name, line });
    }
    index.max(1)
}

fn is_double_colon(tokens: &[TokenTree]) -> bool {
    is_punct(tokens.first(), ':') && is_punct(tokens.get(1), ':')
}

fn is_punct(token: Option<&TokenTree>, char: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == char)
}

/// Whether an attribute such as `cfg(test)` or `cfg(all(test, unix))` compiles an item for tests only.
pub(super) fn is_test(attribute: TokenStream) -> bool {
    let mut tokens = attribute.into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Ident(cfg)), Some(TokenTree::Group(group))) if cfg == "cfg" => needs_test(group.stream()),
        _ => false,
    }
}

fn needs_test(condition: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = condition.into_iter().collect();
    match tokens.as_slice() {
        [TokenTree::Ident(word)] => word == "test",
        [TokenTree::Ident(word), TokenTree::Group(group)] if word == "all" => {
            let conditions: Vec<TokenTree> = group.stream().into_iter().collect();
            conditions.split(|token| is_punct(Some(token), ',')).any(|one| needs_test(one.iter().cloned().collect()))
        }
        _ => false,
    }
}
