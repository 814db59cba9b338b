//! The last segment: the type of the value.

use super::layout::Layout;
use super::word::rewritten;
use crate::diagnostic::Diagnostic;
use crate::suggest::{list, nearest};
use crate::{Kind, Rule};

/// What other languages and libraries call the types.
const OTHER_NAMES: [(&str, Kind); 24] = [
    ("str", Kind::String),
    ("map", Kind::Hash),
    ("hashmap", Kind::Hash),
    ("hashset", Kind::Set),
    ("dict", Kind::Hash),
    ("hset", Kind::Hash),
    ("vec", Kind::List),
    ("array", Kind::List),
    ("deque", Kind::List),
    ("linkedlist", Kind::List),
    ("sset", Kind::ZSet),
    ("sortedset", Kind::ZSet),
    ("sorted_set", Kind::ZSet),
    ("orderedset", Kind::ZSet),
    ("bits", Kind::Bitmap),
    ("bitset", Kind::Bitmap),
    ("bitfield", Kind::Bitmap),
    ("bitvec", Kind::Bitmap),
    ("hll", Kind::HyperLogLog),
    ("pf", Kind::HyperLogLog),
    ("loglog", Kind::HyperLogLog),
    ("geospatial", Kind::Geo),
    ("geohash", Kind::Geo),
    ("xstream", Kind::Stream),
];

/// What the options let suppose about the type.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KindHints {
    pub(crate) field: bool,
    pub(crate) keep_last: bool,
    pub(crate) keep_top: bool,
}

impl KindHints {
    fn likely(self) -> Kind {
        match self {
            Self { field: true, .. } => Kind::Hash,
            Self { keep_last: true, .. } => Kind::List,
            Self { keep_top: true, .. } => Kind::ZSet,
            _ => Kind::String,
        }
    }
}

/// What the last segment says.
pub(super) struct Suffix {
    /// The type that it names, or was meant to name.
    pub(super) kind: Option<Kind>,
    misspelt: bool,
}

impl Suffix {
    /// Whether a segment's faults are told already.
    pub(super) fn explains(&self, layout: &Layout<'_>, segment: usize) -> bool {
        self.misspelt && segment + 1 == layout.segments.len()
    }
}

/// Checks that the template ends with a type and has a module and a logic segment before it.
pub(super) fn check(layout: &Layout<'_>, hints: KindHints, diagnostics: &mut Vec<Diagnostic>) -> Suffix {
    let Some(last) = layout.segments.last() else { return Suffix { kind: None, misspelt: false } };
    let word = last.text();
    if let Some(kind) = last.only_text().and_then(|text| Kind::from_name(text.text)) {
        check_shape(layout, kind, diagnostics);
        return Suffix { kind: Some(kind), misspelt: false };
    }
    let known = last.words.iter().all(|word| word.only_text().is_some()).then(|| meant(&word)).flatten();
    if let Some(kind) = known.filter(|_| layout.segments.len() > 1) {
        let message = format!("`{word}` is not the name of a type: did you mean `{kind}`?");
        diagnostics.push(Diagnostic::at(last.range.clone(), Rule::TypeSuffix, message).help(format!("write `{kind}`")));
        check_shape(layout, kind, diagnostics);
        return Suffix { kind: Some(kind), misspelt: true };
    }
    diagnostics.push(missing(layout, hints.likely()));
    Suffix { kind: None, misspelt: false }
}

/// The type that a word was meant to name.
pub(crate) fn meant(word: &str) -> Option<Kind> {
    let plain: String = word.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let other = || OTHER_NAMES.iter().find(|(name, _)| *name == plain).map(|&(_, kind)| kind);
    Kind::from_name(&plain)
        .or_else(other)
        .or_else(|| nearest(&plain, Kind::ALL.map(Kind::name)).and_then(Kind::from_name))
}

fn types() -> String {
    format!("the types are {}", list(Kind::ALL.map(Kind::name), "and"))
}

fn missing(layout: &Layout<'_>, likely: Kind) -> Diagnostic {
    let range = layout.segments.last().map_or(0..0, |last| last.range.clone());
    let written = layout.segments.last().map(super::layout::Segment::text).unwrap_or_default();
    let text =
        if written.contains('{') { written.clone() } else { rewritten(&written).unwrap_or_else(|| written.clone()) };
    if layout.segments.len() == 1 {
        let whole =
            if text.starts_with('{') { format!("user:{text}:{likely}") } else { format!("{text}:profile:{likely}") };
        let message = "a key is `module:logic:type`, and this is one segment";
        return Diagnostic::at(range, Rule::Shape, message).help(format!("write, say, `{whole}`"));
    }
    let message = format!("the key ends with `{written}`, and not with the type of its value");
    // A type behind a `.` wants a `:` before it.
    let (text, kind) = match text.rsplit_once('.') {
        Some((before, last)) if Kind::from_name(last).is_some() => (before.to_owned(), last.to_owned()),
        _ => (text, likely.to_string()),
    };
    Diagnostic::at(range, Rule::TypeSuffix, message).help(format!("write `{text}:{kind}`; {}", types()))
}

/// A key is `module:logic:…:type`.
fn check_shape(layout: &Layout<'_>, kind: Kind, diagnostics: &mut Vec<Diagnostic>) {
    let [first, rest @ ..] = layout.segments.as_slice() else { return };
    let (message, help) = match rest {
        [] => (
            "a key is `module:logic:type`: the module and what is stored are missing".to_owned(),
            format!("write, say, `user:profile:{kind}`"),
        ),
        [_] => (
            format!("a key is `module:logic:type`: nothing stands between the module `{}` and the type", first.text()),
            format!("say what is stored, as in `{}:profile:{kind}`", first.text()),
        ),
        _ => return,
    };
    let range = layout.segments.first().map_or(0..0, |segment| segment.range.clone());
    let end = layout.segments.last().map_or(range.end, |segment| segment.range.end);
    diagnostics.push(Diagnostic::at(range.start..end, Rule::Shape, message).help(help));
}
