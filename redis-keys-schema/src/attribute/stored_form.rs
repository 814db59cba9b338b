//! The stored form that `value = …` and `field = …` name.

use std::ops::Range;

use crate::Rule;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::edit::Suggestion;
use crate::piece::Piece;
use crate::rust_type::{element, is_scalar, option_inner, owned};

/// Our own stored forms, which mean the same whatever is in scope; whether they wrap another form; and their other names.
const FORMS: [(&str, bool, &[&str]); 9] = [
    ("Json", false, &["json", "serdejson", "jsonb"]),
    ("MessagePack", false, &["messagepack", "msgpack", "rmp"]),
    (POSTCARD, false, &["postcard"]),
    ("Protobuf", false, &["protobuf", "proto", "prost", "pb"]),
    ("Zstd", true, &["zstd", "zstandard"]),
    ("Gzip", true, &["gzip", "gz"]),
    ("Snappy", true, &["snappy", "snap"]),
    ("Lz4", true, &["lz4"]),
    (SECRET, true, &["secret"]),
];

/// The form whose values have a version.
const POSTCARD: &str = "Postcard";

/// The form that encrypts another form.
pub(crate) const SECRET: &str = "Secret";

/// A type in the text, with the names in it that mean our own stored forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredForm {
    /// The type.
    pub range: Range<usize>,
    /// The names of our own forms, outermost first, with their places.
    pub ours: Vec<(&'static str, Range<usize>)>,
    /// Whether it is a number, text or the like, and so not a record.
    pub scalar: bool,
    /// The type inside the wrapping forms, or the whole type where there are none.
    pub(crate) inner: String,
}

impl StoredForm {
    /// Whether it is certainly not a record.
    pub fn is_one_value(&self) -> bool {
        self.scalar || !self.ours.is_empty()
    }

    /// The name of the outermost form with its place, if it wraps another form.
    pub(crate) fn wrapping(&self) -> Option<&(&'static str, Range<usize>)> {
        self.ours.first().filter(|(name, _)| wraps_stored_form(name))
    }

    /// Whether values are encrypted.
    pub fn is_secret(&self) -> bool {
        self.ours.first().is_some_and(|(name, _)| *name == SECRET)
    }

    /// Whether values are compressed.
    pub(crate) fn is_compressed(&self) -> bool {
        self.ours.iter().any(|(name, _)| compresses(name))
    }

    /// Reads a type as far as it matters here: the names of our forms at its head.
    pub(crate) fn read(value: Piece<'_>, diagnostics: &mut Diagnostics) -> Option<Self> {
        if let Some(diagnostic) = not_stored(value) {
            diagnostics.push(diagnostic);
            return None;
        }
        let (range, scalar) = (value.range(), is_scalar(value.text));
        let mut form = Self { range, ours: Vec::new(), scalar, inner: String::new() };
        let mut inner = value;
        loop {
            let name = inner.leading_word();
            let rest = inner.from(name.text.len()).trim();
            let Some(exact) = form_named(name.text).filter(|_| !rest.text.starts_with("::")) else { break };
            let argument = rest.text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).map(str::trim);
            match argument {
                Some(argument) if name.text == exact && !argument.is_empty() => {}
                // A type of the user's own that happens to have such a name in lower case is left to the compiler.
                None if name.text != exact && !rest.is_empty() => break,
                _ => {
                    diagnostics.push(misspelt(name, exact, argument, rest));
                    return None;
                }
            }
            form.ours.push((exact, name.range()));
            if !wraps_stored_form(exact) {
                break;
            }
            inner = rest.part(1..rest.text.len() - 1).trim();
        }
        if let Some(diagnostic) = secret_inside(value, &form.ours) {
            diagnostics.push(diagnostic);
            return None;
        }
        if let Some(diagnostic) = borrowed_inside(value).filter(|_| !form.ours.is_empty()) {
            diagnostics.push(diagnostic);
            return None;
        }
        inner.text.clone_into(&mut form.inner);
        Some(form)
    }
}

/// The type inside our forms, or the type itself.
pub(crate) fn payload(ty: Piece<'_>) -> Piece<'_> {
    let name = ty.leading_word();
    let rest = ty.from(name.text.len()).trim();
    let is_form = FORMS.iter().any(|(exact, ..)| *exact == name.text);
    if is_form && rest.text.starts_with('<') && rest.text.ends_with('>') {
        let inside = rest.part(1..rest.text.len() - 1).trim();
        return payload(if name.text == POSTCARD { without_version(inside) } else { inside });
    }
    ty
}

/// The type in front of the version, in `Postcard<Profile, 2>`.
fn without_version(inside: Piece<'_>) -> Piece<'_> {
    match inside.text.rsplit_once(',') {
        Some((ty, version)) if version.trim().is_empty() => without_version(inside.part(0..ty.len()).trim()),
        // Otherwise the comma is inside of a type.
        Some((ty, version)) if !version.contains(['>', ')', ']']) => inside.part(0..ty.len()).trim(),
        _ => inside,
    }
}

/// The exact name of the form that a word names.
pub(crate) fn form_named(word: &str) -> Option<&'static str> {
    let plain = word.replace('_', "").to_lowercase();
    FORMS.iter().find(|(.., names)| names.contains(&plain.as_str())).map(|&(exact, ..)| exact)
}

/// Whether this is the name of a built-in form, such as `Json`.
pub fn is_stored_form(name: &str) -> bool {
    FORMS.iter().any(|(exact, ..)| *exact == name)
}

/// Whether a built-in form wraps another form, to compress or to encrypt it.
pub fn wraps_stored_form(exact: &str) -> bool {
    FORMS.iter().any(|(name, wraps, _)| *wraps && *name == exact)
}

/// Whether a built-in form compresses another form.
pub(crate) fn compresses(exact: &str) -> bool {
    wraps_stored_form(exact) && exact != SECRET
}

/// Returns an example of a form around a type.
pub(crate) fn example(exact: &str, payload: &str) -> String {
    match exact {
        _ if wraps_stored_form(exact) => format!("{exact}<Json<{payload}>>"),
        _ => format!("{exact}<{payload}>"),
    }
}

/// A stored type in a form. `None` if it has that form.
pub(crate) fn wrapped(form: &str, stored: &str) -> Option<String> {
    // Another type than a form or text needs a form first.
    let is_stored =
        stored.contains('<') || is_scalar(stored) || stored.ends_with("String") || stored.ends_with("Bytes");
    let whole = if wraps_stored_form(form) && is_stored { format!("{form}<{stored}>") } else { example(form, stored) };
    (!stored.starts_with(form)).then_some(whole)
}

/// Reports a type that can be read from no stored text.
fn not_stored(ty: Piece<'_>) -> Option<Diagnostic> {
    let is_unsized = ty.text == "str" || ty.text.starts_with('[') && !ty.text.contains(';');
    let owned = if is_unsized { owned(&format!("&{}", ty.text)) } else { owned(ty.text) };
    let (message, help) = if let Some(owned) = owned {
        (format!("`{}` cannot be stored: values are owned", ty.text), Suggestion::write(owned))
    } else {
        let help = Suggestion::write(option_inner(ty.text)?).and(": reading returns `None` for what is missing");
        ("`Option` cannot be stored: Redis has no null".to_owned(), help)
    };
    Some(Diagnostic::new(ty.range(), Rule::StoredForm, message, help))
}

/// Reports an encrypted form inside another form. `names` are the forms' names, outermost first.
fn secret_inside(value: Piece<'_>, names: &[(&'static str, Range<usize>)]) -> Option<Diagnostic> {
    let (outside, inside) = names.split_at(names.iter().skip(1).position(|(name, _)| *name == SECRET)? + 1);
    let [.., (outer, _)] = outside else { return None };
    let (_, range) = inside.first()?;
    let message = match *outer {
        SECRET => "`Secret` inside of `Secret`: a value is encrypted once".to_owned(),
        outer => format!("`Secret` inside of `{outer}`: encrypted bytes cannot be compressed"),
    };
    // The same forms, `Secret` first and once.
    let others = names.iter().filter(|(name, _)| *name != SECRET);
    let mut innermost = value;
    for _ in names.iter().filter(|(name, _)| wraps_stored_form(name)) {
        let rest = innermost.from(innermost.leading_word().text.len()).trim();
        innermost = rest.part(1..rest.text.len() - 1).trim();
    }
    let wrapping: Vec<_> = others.map(|(name, _)| *name).filter(|name| wraps_stored_form(name)).collect();
    let write = wrapping.iter().rev().fold(innermost.text.to_owned(), |inner, name| format!("{name}<{inner}>"));
    let help = Suggestion::write(format!("{SECRET}<{write}>")).at(value.range());
    Some(Diagnostic::new(range.clone(), Rule::StoredForm, message, help))
}

/// Reports a reference inside our forms, or as the element of a list in them.
fn borrowed_inside(ty: Piece<'_>) -> Option<Diagnostic> {
    let payload = payload(ty);
    let element = element(payload.text).and_then(|element| {
        let start = payload.text.find(element)?;
        Some(payload.part(start..start + element.len()))
    });
    [Some(payload), element].into_iter().flatten().find_map(|ty| {
        let message = format!("`{}` cannot be stored: values are owned", ty.text);
        Some(Diagnostic::new(ty.range(), Rule::StoredForm, message, Suggestion::write(owned(ty.text)?)))
    })
}

/// Reports the name of a form that is misspelt, or that no type in `<…>` follows. `rest` is the text that follows.
fn misspelt(name: Piece<'_>, exact: &str, argument: Option<&str>, rest: Piece<'_>) -> Diagnostic {
    let has_argument = argument.is_some_and(|argument| !argument.is_empty());
    let inner = rest.text.get(1..).unwrap_or_default().trim().trim_end_matches(')');
    let is_exact = name.text == exact;
    let (message, write) = match rest.text.chars().next().filter(|_| is_exact && !has_argument && !inner.is_empty()) {
        Some('<') if argument.is_none() => ("unclosed `<`".to_owned(), format!("{exact}<{inner}>")),
        Some('(') => ("expected `<`, found `(`".to_owned(), format!("{exact}<{inner}>")),
        _ if is_exact => (format!("missing type argument of `{exact}`"), example(exact, "Profile")),
        _ if has_argument => (format!("unknown stored form `{}`", name.text), exact.to_owned()),
        _ => (format!("unknown stored form `{}`", name.text), example(exact, "Profile")),
    };
    // The name alone, or all of the type.
    let end = if write == exact { name.range().end } else { rest.range().end.max(name.range().end) };
    let help = Suggestion::write(write).at(name.start..end);
    Diagnostic::new(name.range(), Rule::StoredForm, message, help)
}
