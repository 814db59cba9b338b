//! Placeholders: `{field}`, `{#field}` and `{field % 1000}`.

use std::fmt;
use std::ops::Range;

use redis_keys_core::schema::ParameterForm;

use super::parameters::Parameters;
use crate::Rule;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::edit::Suggestion;
use crate::piece::{Piece, is_name_char};

/// The place of a parameter in a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// The name between the braces: a field's, or its index.
    pub name: String,
    /// The index of the field that it names, once that is known.
    pub field: Option<usize>,
    /// Whether its value is the key's hash tag on a cluster.
    pub hash_tag: bool,
    /// The number to take the value modulo of.
    pub shards: Option<u32>,
    /// That number's place.
    pub(crate) divisor: Range<usize>,
    /// The number of copies, if it is the placeholder for the number of the copy.
    pub copies: Option<u32>,
    /// The encoding that the field asks for.
    pub encoding: Option<Encoding>,
    /// Whether the field declares that its value contains no `:`.
    pub no_colon: bool,
    /// Whether it is a whole segment, and so may be several words.
    pub whole_segment: bool,
    /// Its place, with the braces.
    pub range: Range<usize>,
    /// The place of the text between the braces.
    pub inner: Range<usize>,
}

/// The encoding of text and bytes that a key cannot contain directly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// 128 bits of a digest, in hexadecimal digits.
    Digest,
    /// Base32.
    Base32,
    /// A slug, of at most this number of bytes, with `.` in place of `-`.
    Slug(Option<u32>),
}

impl Encoding {
    pub(crate) const ALL: [Self; 3] = [Self::Digest, Self::Base32, Self::Slug(None)];

    /// The option of the field.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Digest => "digest",
            Self::Base32 => "base32",
            Self::Slug(_) => "slug",
        }
    }
}

impl Placeholder {
    /// Reads a placeholder with its braces. A placeholder that cannot be read has an empty name, and is reported.
    pub(super) fn read(
        braced: Piece<'_>,
        whole_segment: bool,
        parameters: &mut Parameters<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Self {
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
            no_colon: false,
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
            placeholder.shards = Some(read_shards(name, divisor, diagnostics));
            placeholder.divisor = divisor.range();
        } else {
            diagnostics.push(not_a_field(inner, name, placeholder.hash_tag, parameters));
        }
        placeholder
    }

    /// The form of the parameter in the key.
    pub fn form(&self) -> ParameterForm {
        match (self.copies, self.shards, self.encoding) {
            (Some(copies), ..) => ParameterForm::Copy(copies),
            (None, Some(shards), _) => ParameterForm::Shard(shards),
            (None, None, Some(Encoding::Digest)) => ParameterForm::Digest,
            (None, None, Some(Encoding::Base32)) => ParameterForm::Base32,
            (None, None, Some(Encoding::Slug(max_bytes))) => ParameterForm::Slug(max_bytes),
            (None, None, None) => ParameterForm::Plain,
        }
    }

    /// The length of the longest number, if it is a shard or the number of a copy.
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

/// The name and the text behind it.
fn split_name(piece: Piece<'_>) -> (&str, Piece<'_>) {
    let raw = if piece.text.starts_with("r#") { 2 } else { 0 };
    let named = piece.from(raw);
    let end = named.text.find(|c| !is_name_char(c)).unwrap_or(named.text.len());
    (named.to(end).text, named.from(end).trim())
}

fn read_shards(name: &str, divisor: Piece<'_>, diagnostics: &mut Diagnostics) -> u32 {
    let number = divisor.text.replace('_', "").parse::<u32>();
    if let Ok(shards @ 2..) = number {
        return shards;
    }
    let range = if divisor.is_empty() { divisor.start.saturating_sub(1)..divisor.start } else { divisor.range() };
    let message = match divisor.text {
        "" => "missing number of shards".to_owned(),
        text => format!("expected a number of shards from 2 to {}, found `{text}`", u32::MAX),
    };
    // Without a number, the place is the place of the `%`.
    let number = if divisor.is_empty() { "% 1000" } else { "1000" };
    let help = Suggestion::write(format!("{{{name} % 1000}}")).replacing(range.clone(), number);
    diagnostics.report(range, Rule::Parameters, message, help);
    // With any number the placeholder stays a shard, so that no other check reports it.
    2
}

/// The number of shards that an expression in place of a shard means: `id / 1000`, `id & 1023`, `id >> 10`,
/// `hash(id) % 16`, `id mod 16`.
fn meant_shards(expression: &str) -> Option<u32> {
    let (before, number) = expression.rsplit_once(|c: char| !c.is_ascii_digit() && c != '_')?;
    let number: u32 = number.replace('_', "").parse().ok()?;
    let sign = before.trim_end().rsplit(|c: char| c.is_whitespace() || c == ')' || is_name_char(c)).next()?;
    let shards = match sign {
        "/" | "%" => Some(number),
        "&" => number.checked_add(1).filter(|shards| shards.is_power_of_two()),
        ">>" => 1_u32.checked_shl(number),
        "" if before.trim_end().ends_with(" mod") => Some(number),
        _ => None,
    };
    shards.filter(|shards| *shards >= 2)
}

/// Reports that the text between two braces is not a field's name.
fn not_a_field(inner: Piece<'_>, name: &str, hash_tag: bool, parameters: &mut Parameters<'_>) -> Diagnostic {
    let mut words = inner.text.split(|c| !is_name_char(c)).filter(|word| !word.is_empty());
    let spelt = inner.text.replace(|c| !is_name_char(c), "_");
    let named = words.clone().find_map(|word| parameters.named(word)).or_else(|| parameters.nearest(&spelt));
    let name = match name {
        _ if named.is_some() => named.unwrap_or(name),
        _ if inner.text.starts_with("self") && !inner.text.contains(':') => words.next_back().unwrap_or(name),
        "" => words.next().unwrap_or_else(|| parameters.next_unused()),
        _ => name,
    };
    let tag = if hash_tag { "#" } else { "" };
    let message = format!("expected a field's name, found `{}`", inner.text);
    let (meant, why) = match meant_shards(inner.text).filter(|_| named.is_some()) {
        Some(shards) => (format!("{tag}{name} % {shards}"), format!(": it divides the keys into {shards} shards")),
        None => (format!("{tag}{name}"), String::new()),
    };
    let help = Suggestion::write(format!("{{{meant}}}")).and(&why).replacing(inner.range(), meant);
    Diagnostic::new(inner.range(), Rule::Parameters, message, help)
}
