//! The last segment: the type of the value.

use super::layout::{Element, Layout, Segment};
use super::word::{SEGMENT_SIGNS, rewritten};
use crate::diagnostic::{Diagnostic, Diagnostics, Reported};
use crate::suggest::{list, nearest};
use crate::{Kind, Rule};

/// The names of the types in other languages and libraries.
const OTHER_NAMES: [(Kind, &[&str]); 9] = [
    (Kind::String, &["str"]),
    (Kind::Hash, &["map", "hashmap", "dict", "hset"]),
    (Kind::List, &["vec", "array", "deque", "linkedlist"]),
    (Kind::Set, &["hashset"]),
    (Kind::ZSet, &["sset", "sortedset", "orderedset"]),
    (Kind::Bitmap, &["bits", "bitset", "bitfield", "bitvec"]),
    (Kind::HyperLogLog, &["hll", "pf", "loglog"]),
    (Kind::Geo, &["geospatial", "geohash"]),
    (Kind::Stream, &["xstream"]),
];

/// The last segment.
pub(super) struct Suffix {
    /// The type that it names.
    pub(super) kind: Result<Kind, Reported>,
    /// The type that it names or was meant to name.
    pub(super) meant: Option<Kind>,
}

/// Checks that the template ends with a type and has a module and a name before it.
///
/// `last` is the last segment, and `likely` the type that the options suggest.
pub(super) fn check(layout: &Layout<'_>, last: &Segment<'_>, likely: Kind, diagnostics: &mut Diagnostics) -> Suffix {
    if let Some(kind) = last.only_text().and_then(|text| Kind::from_name(text.text)) {
        check_shape(layout, kind, diagnostics);
        return Suffix { kind: Ok(kind), meant: Some(kind) };
    }
    let is_text = last.words.iter().all(|word| word.only_text().is_some());
    if let Some(kind) = guess_kind(&last.text()).filter(|_| is_text && layout.segments.len() > 1) {
        let message = format!("unknown key type `{}`", last.text());
        let help = format!("did you mean `{kind}`?");
        let reported = diagnostics.report(last.range.clone(), Rule::TypeSuffix, message, help);
        check_shape(layout, kind, diagnostics);
        return Suffix { kind: Err(reported), meant: Some(kind) };
    }
    Suffix { kind: Err(diagnostics.push(missing(layout, last, likely))), meant: None }
}

/// Reports a template whose segments another sign separates: `user.name.{id}.string`.
pub(super) fn other_separator(layout: &Layout<'_>, likely: Kind) -> Option<Diagnostic> {
    let [segment] = layout.segments.as_slice() else { return None };
    let elements = || segment.words.iter().flat_map(|word| &word.elements);
    let text = |element: &Element<'_>| match element {
        Element::Text(text) => rewritten(text.text),
        Element::Braced(braced) => Some(braced.text.to_owned()),
    };
    let joined = elements().filter_map(text).collect::<Vec<_>>().join(":");
    let signs = elements().flat_map(|element| element.piece().text.chars());
    let sign =
        if segment.words.len() > 1 { '.' } else { signs.into_iter().find(|sign| SEGMENT_SIGNS.contains(sign))? };
    if joined.matches(':').count() < 2 || joined.starts_with('{') {
        return None;
    }
    let is_complete = joined.rsplit(':').next().and_then(Kind::from_name).is_some();
    let suffix = if is_complete { String::new() } else { format!(":{likely}") };
    let message = format!("expected `:` between segments, found `{sign}`");
    Some(Diagnostic::new(segment.range.clone(), Rule::Shape, message, format!("write `{joined}{suffix}`")))
}

/// The type that a word was meant to name.
pub(crate) fn guess_kind(word: &str) -> Option<Kind> {
    let plain: String = word.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let other = || OTHER_NAMES.iter().find(|(_, names)| names.contains(&plain.as_str())).map(|&(kind, _)| kind);
    Kind::from_name(&plain)
        .or_else(other)
        .or_else(|| nearest(&plain, Kind::ALL.map(Kind::name)).and_then(Kind::from_name))
}

fn missing(layout: &Layout<'_>, last: &Segment<'_>, likely: Kind) -> Diagnostic {
    let (range, written) = (last.range.clone(), last.text());
    let text =
        if written.contains('{') { written.clone() } else { rewritten(&written).unwrap_or_else(|| written.clone()) };
    if layout.segments.len() == 1 {
        let whole =
            if text.starts_with('{') { format!("user:{text}:{likely}") } else { format!("{text}:profile:{likely}") };
        let message = "expected `module:name:type`, found one segment";
        return Diagnostic::new(range, Rule::Shape, message, format!("write `{whole}`, for example"));
    }
    let message = format!("missing type suffix: the key ends with `{written}`");
    // A type after a `.` needs a `:` before it.
    let (text, kind) = match text.rsplit_once('.') {
        Some((before, last)) if Kind::from_name(last).is_some() => (before.to_owned(), last.to_owned()),
        _ => (text, likely.to_string()),
    };
    let help = format!("write `{text}:{kind}`; the types are {}", list(Kind::ALL.map(Kind::name), "and"));
    Diagnostic::new(range, Rule::TypeSuffix, message, help)
}

/// A key is `module:name:…:type`.
fn check_shape(layout: &Layout<'_>, kind: Kind, diagnostics: &mut Diagnostics) {
    let (range, message, help) = match layout.segments.as_slice() {
        [only] => {
            let message = "expected `module:name:type`, found only a type".to_owned();
            (only.range.clone(), message, format!("write `user:profile:{kind}`, for example"))
        }
        [module, last] => {
            let module_text = module.text();
            let message = format!("missing segment between the module `{module_text}` and the type");
            let help = format!("write what is stored, as in `{module_text}:profile:{kind}`");
            (module.range.start..last.range.end, message, help)
        }
        _ => return,
    };
    diagnostics.report(range, Rule::Shape, message, help);
}
