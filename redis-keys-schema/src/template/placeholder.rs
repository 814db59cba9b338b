//! Placeholders: `{field}`, `{#field}` and `{field % 1000}`.

use std::fmt;
use std::ops::Range;

use crate::Rule;
use crate::diagnostic::Diagnostic;
use crate::piece::{Piece, is_name_char};

/// The place of a parameter in a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// The name between the braces: a field's, or its number.
    pub name: String,
    /// Which field it names, once that is known.
    pub field: Option<usize>,
    /// Whether its value is the key's hash tag on a cluster.
    pub hash_tag: bool,
    /// The number to take the value modulo of.
    pub shards: Option<u32>,
    /// Where that number stands.
    pub(crate) divisor: Range<usize>,
    /// How many copies there are, if it is the place of their number.
    pub copies: Option<u32>,
    /// How the field says that its value is printed, if not as it is.
    pub encoding: Option<Encoding>,
    /// Whether it is a segment by itself, and so may print several words.
    pub whole_segment: bool,
    /// The placeholder with its braces.
    pub range: Range<usize>,
    /// What stands between the braces.
    pub inner: Range<usize>,
}

/// What text and bytes of any kind are printed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// 128 bits of a digest, in hexadecimal digits.
    Digest,
    /// Base32.
    Base32,
}

impl Encoding {
    pub(crate) const ALL: [Self; 2] = [Self::Digest, Self::Base32];

    /// The option of the field.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Digest => "digest",
            Self::Base32 => "base32",
        }
    }
}

impl Placeholder {
    /// Reads a placeholder with its braces. What can't be read leaves the name empty, and is reported.
    pub(super) fn parse(braced: Piece<'_>, whole_segment: bool, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let open = braced.text.strip_prefix('{').unwrap_or(braced.text);
        let inner = braced.part(1..1 + open.strip_suffix('}').unwrap_or(open).len()).trim();
        let mut placeholder = Self {
            name: String::new(),
            field: None,
            hash_tag: inner.text.starts_with('#'),
            shards: None,
            divisor: 0..0,
            copies: None,
            encoding: None,
            whole_segment,
            range: braced.range(),
            inner: if inner.is_empty() { braced.range() } else { inner.range() },
        };
        let named = if placeholder.hash_tag { inner.from(1).trim() } else { inner };
        let (name, rest) = split_name(named);
        if rest.is_empty() {
            name.clone_into(&mut placeholder.name);
        } else if let Some(divisor) = rest.text.strip_prefix('%') {
            name.clone_into(&mut placeholder.name);
            let divisor = rest.from(rest.text.len() - divisor.len()).trim();
            placeholder.shards = Some(shards(name, divisor, diagnostics));
            placeholder.divisor = divisor.range();
        } else {
            let diagnostic = refuse(inner, name, placeholder.hash_tag);
            diagnostics.push(diagnostic);
        }
        placeholder
    }

    /// How many bytes the longest number of a shard or of a copy has, if it is one.
    pub fn longest_number(&self) -> Option<usize> {
        self.shards
            .or(self.copies)
            .map(|shards| shards.saturating_sub(1).checked_ilog10().unwrap_or_default() as usize + 1)
    }
}

impl fmt::Display for Placeholder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tag = if self.hash_tag { "#" } else { "" };
        match self.shards {
            Some(shards) => write!(f, "{{{tag}{} % {shards}}}", self.name),
            None => write!(f, "{{{tag}{}}}", self.name),
        }
    }
}

/// The name and what follows it.
fn split_name(piece: Piece<'_>) -> (&str, Piece<'_>) {
    let raw = if piece.text.starts_with("r#") { 2 } else { 0 };
    let named = piece.from(raw);
    let end = named.text.find(|c| !is_name_char(c)).unwrap_or(named.text.len());
    (named.to(end).text, named.from(end).trim())
}

fn shards(name: &str, divisor: Piece<'_>, diagnostics: &mut Vec<Diagnostic>) -> u32 {
    let number = divisor.text.replace('_', "").parse::<u32>();
    if let Ok(shards @ 2..) = number {
        return shards;
    }
    let range = if divisor.is_empty() { divisor.start.saturating_sub(1)..divisor.start } else { divisor.range() };
    let message = match divisor.text {
        "" => format!("the number of shards is missing: it is a whole number from 2 to {}", u32::MAX),
        text => format!("`{text}` is no number of shards: it is a whole number from 2 to {}", u32::MAX),
    };
    let help = format!("write `{{{name} % 1000}}`");
    diagnostics.push(Diagnostic::at(range, Rule::Parameters, message).help(help));
    // A stand-in keeps the placeholder a shard, so that no other check speaks of it.
    2
}

/// Says what is wrong with the text between two braces.
fn refuse(inner: Piece<'_>, name: &str, hash_tag: bool) -> Diagnostic {
    let tag = if hash_tag { "#" } else { "" };
    let words = || inner.text.split(|c| !is_name_char(c)).filter(|word| !word.is_empty());
    let last = words().next_back().unwrap_or(name);
    let name = if name.is_empty() { words().next().unwrap_or(name) } else { name };
    let (message, name) = if inner.text.contains(':') {
        ("a placeholder takes a field's name and no format: the field's type says how it is written", name)
    } else if inner.text.starts_with("self") {
        ("a placeholder takes a field's name alone, without `self`", last)
    } else {
        ("a placeholder takes a field's name, not an expression", name)
    };
    let diagnostic = Diagnostic::at(inner.range(), Rule::Parameters, format!("`{}`: {message}", inner.text));
    if name.is_empty() {
        diagnostic.help("write `{field}`")
    } else {
        diagnostic.help(format!("write `{{{tag}{name}}}`"))
    }
}
