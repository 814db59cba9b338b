//! The stored form that `value = …` and `field = …` name.

use std::ops::Range;

use crate::Rule;
use crate::diagnostic::Diagnostic;
use crate::piece::Piece;

/// Our own stored forms, which mean the same whatever is in scope, and the names that people know them by.
const FORMS: [(&str, &[&str]); 8] = [
    ("Json", &["json", "serdejson", "jsonb"]),
    ("MessagePack", &["messagepack", "msgpack", "rmp"]),
    ("Postcard", &["postcard"]),
    ("Protobuf", &["protobuf", "proto", "prost", "pb"]),
    ("Zstd", &["zstd", "zstandard"]),
    ("Gzip", &["gzip", "gz"]),
    ("Snappy", &["snappy", "snap"]),
    ("Lz4", &["lz4"]),
];

/// The compressing forms, which wrap another form.
const WRAPPERS: [&str; 4] = ["Zstd", "Gzip", "Snappy", "Lz4"];

/// A type in the text, with the names in it that mean our own stored forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredForm {
    /// The whole type.
    pub range: Range<usize>,
    /// The names of our own forms, outermost first, and where they stand.
    pub ours: Vec<(&'static str, Range<usize>)>,
    /// Whether it is a number, a text or the like, and so no record.
    pub scalar: bool,
    /// What is inside the compressing forms, or the whole type where there are none.
    pub(crate) plain: String,
}

impl StoredForm {
    /// Whether it is certainly no record.
    pub fn is_one_value(&self) -> bool {
        self.scalar || !self.ours.is_empty()
    }

    /// The name of the outermost form where that compresses, and where it stands.
    pub(crate) fn compressing(&self) -> Option<(&'static str, Range<usize>)> {
        self.ours.first().filter(|(name, _)| compresses(name)).cloned()
    }

    /// Whether a form of ours is one that compresses another.
    pub(crate) fn compresses(exact: &str) -> bool {
        compresses(exact)
    }

    /// What a form of ours stores, or the type itself where it is none.
    pub(crate) fn payload(ty: Piece<'_>) -> Piece<'_> {
        let name = ty.leading_word();
        let rest = ty.from(name.text.len()).trim();
        let is_form = FORMS.iter().any(|(exact, _)| *exact == name.text);
        if is_form && rest.text.starts_with('<') && rest.text.ends_with('>') {
            return Self::payload(rest.part(1..rest.text.len() - 1).trim());
        }
        ty
    }

    /// Reads a type as far as it matters here: the names of our forms at its head.
    pub(crate) fn parse(piece: Piece<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Self> {
        let mut form = Self {
            range: piece.range(),
            ours: Vec::new(),
            scalar: is_scalar(piece.text),
            plain: piece.text.to_owned(),
        };
        let mut inner = piece;
        loop {
            let name = inner.leading_word();
            let rest = inner.from(name.text.len()).trim();
            let Some(exact) = ours(name.text) else { return Some(form) };
            if rest.text.starts_with("::") {
                return Some(form);
            }
            let argument = rest.text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).map(str::trim);
            match argument {
                Some(argument) if name.text == exact && !argument.is_empty() => {}
                // A type of the user's own that happens to bear such a name in lower case is left to the compiler.
                None if name.text != exact && !rest.is_empty() => return Some(form),
                _ => {
                    diagnostics.push(respell(name, exact, argument));
                    return None;
                }
            }
            form.ours.push((exact, name.range()));
            if !compresses(exact) {
                return Some(form);
            }
            inner = rest.part(1..rest.text.len() - 1).trim();
            inner.text.clone_into(&mut form.plain);
        }
    }
}

fn is_scalar(ty: &str) -> bool {
    is_integer(ty) || matches!(ty, "f32" | "f64" | "bool" | "String" | "Vec<u8>" | "Bytes")
}

/// Whether a type is that of a whole number.
pub(crate) fn is_integer(ty: &str) -> bool {
    const INTEGERS: [&str; 12] =
        ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
    INTEGERS.contains(&ty)
}

/// The exact name of the form that a word names in whatever way.
pub(crate) fn ours(word: &str) -> Option<&'static str> {
    let plain = word.replace('_', "").to_lowercase();
    FORMS.iter().find(|(_, names)| names.contains(&plain.as_str())).map(|&(exact, _)| exact)
}

/// Whether a form is one that compresses another.
pub(super) fn compresses(exact: &str) -> bool {
    WRAPPERS.contains(&exact)
}

/// How a form is written around a type.
pub(crate) fn example(exact: &str, payload: &str) -> String {
    if compresses(exact) { format!("{exact}<Json<{payload}>>") } else { format!("{exact}<{payload}>") }
}

fn respell(name: Piece<'_>, exact: &str, argument: Option<&str>) -> Diagnostic {
    let argument = argument.filter(|argument| !argument.is_empty());
    if name.text == exact {
        let message = format!("`{exact}` is the form, and the type that it stores is missing");
        return Diagnostic::at(name.range(), Rule::StoredForm, message)
            .help(format!("write `{}`", example(exact, "Profile")));
    }
    let message = format!("`{}` is written `{exact}`", name.text);
    let help = if argument.is_some() { exact.to_owned() } else { example(exact, "Profile") };
    Diagnostic::at(name.range(), Rule::StoredForm, message).help(format!("write `{help}`"))
}
