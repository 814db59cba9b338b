//! The last segment: the value's type.

use super::layout::{Layout, Segment, Word};
use super::parameters::Parameters;
use super::word::{SEGMENT_SIGNS, is_foreign, rewritten};
use crate::diagnostic::{Diagnostic, Diagnostics, ReportedError};
use crate::edit::Suggestion;
use crate::piece::{Piece, is_name_char};
use crate::suggest::{list, nearest};
use crate::{Kind, Rule};

/// The names of the types in other languages and libraries.
const OTHER_NAMES: [(Kind, &[&str]); 10] = [
    (Kind::String, &["str"]),
    (Kind::Hash, &["map", "hashmap", "dict", "hset"]),
    (Kind::List, &["vec", "array", "deque", "linkedlist"]),
    (Kind::Set, &["hashset"]),
    (Kind::ZSet, &["sset", "sortedset", "orderedset"]),
    (Kind::Bitmap, &["bits", "bitset", "bitfield", "bitvec"]),
    (Kind::HyperLogLog, &["hll", "pf", "loglog"]),
    (Kind::Geo, &["geospatial", "geohash"]),
    (Kind::Stream, &["xstream"]),
    (Kind::Channel, &["pubsub", "topic", "chan"]),
];

/// The last segment.
pub(super) struct Suffix {
    /// The type that it names.
    pub(super) kind: Result<Kind, ReportedError>,
    /// The type that it names or was meant to name.
    pub(super) meant: Option<Kind>,
}

/// Checks that the template ends with a type and has a module and a name before it.
///
/// `last` is the last segment, `likely` the type that the options suggest, and `instead` the text to write for a last
/// segment that means a type.
pub(super) fn check(
    layout: &Layout<'_>,
    last: &Segment<'_>,
    likely: Kind,
    instead: Option<Suggestion>,
    diagnostics: &mut Diagnostics,
) -> Suffix {
    if let Some(kind) = last.only_text().and_then(|text| Kind::from_name(text.text)) {
        check_shape(layout, kind, diagnostics);
        return Suffix { kind: Ok(kind), meant: Some(kind) };
    }
    let is_text = last.words.iter().all(|word| word.only_text().is_some());
    if let Some(kind) = guess_kind(&last.text()).filter(|_| is_text && layout.segments.len() > 1) {
        let message = format!("unknown key type `{}`", last.text());
        let help = Suggestion::did_you_mean(kind.name());
        let reported = diagnostics.report(last.range.clone(), Rule::TypeSuffix, message, help);
        check_shape(layout, kind, diagnostics);
        return Suffix { kind: Err(reported), meant: Some(kind) };
    }
    let missing = match instead {
        Some(help) => {
            let message = format!("missing type suffix: the key ends with `{}`", last.text());
            Diagnostic::new(last.range.clone(), Rule::TypeSuffix, message, help)
        }
        None => missing(layout, last, likely),
    };
    Suffix { kind: Err(diagnostics.push(missing)), meant: None }
}

/// Reports a template whose segments another sign separates: `user.name.{id}.string`, `user-name-{id}`.
pub(super) fn other_separator(
    piece: Piece<'_>,
    layout: &Layout<'_>,
    parameters: &mut Parameters<'_>,
    likely: Kind,
) -> Option<Diagnostic> {
    let [segment] = layout.segments.as_slice() else { return None };
    let (sign, segments) = segments_of(piece, segment, parameters)?;
    let is_complete = segments.len() > 1 && segments.last().and_then(|last| Kind::from_name(last)).is_some();
    let suffix = if is_complete { String::new() } else { format!(":{likely}") };
    let is_module = segments.first()?.starts_with(|c: char| c.is_ascii_lowercase());
    let module = if is_module { "" } else { "user:" };
    let meant = format!("{module}{}{suffix}", segments.join(":"));
    if meant.matches(':').count() < 2 {
        return None;
    }
    let message = format!("expected `:` between segments, found `{sign}`");
    Some(Diagnostic::new(segment.range.clone(), Rule::Shape, message, Suggestion::write(meant)))
}

/// The segments of a template, and the sign that separates them: the sign that separates most.
fn segments_of(
    piece: Piece<'_>,
    segment: &Segment<'_>,
    parameters: &mut Parameters<'_>,
) -> Option<(char, Vec<String>)> {
    let elements: Vec<_> = segment.words.iter().flat_map(|word| &word.elements).collect();
    let texts: Vec<_> = elements.iter().filter_map(|element| element.text()).collect();
    let has = |sign: &char| texts.iter().any(|text| split_outside(text, *sign).len() > 1);
    let is_dotted = segment.words.len() > 1;
    let is_spaced = segment.words.iter().any(Word::has_space);
    let sign = SEGMENT_SIGNS.into_iter().find(has).or(is_dotted.then_some('.')).or(is_spaced.then_some(' '));
    let sign = sign.or_else(|| ['-', '_'].into_iter().find(has))?;
    let mut segments = vec![String::new()];
    let mut end = segment.range.start;
    for element in elements {
        let part = element.piece();
        if piece.part(end - piece.start..part.start - piece.start).text.contains(sign) {
            segments.push(String::new());
        }
        end = part.range().end;
        let words = element.text().map_or(vec![part.text], |text| split_outside(text, sign));
        for (index, word) in words.into_iter().enumerate() {
            if index > 0 {
                segments.push(String::new());
            }
            let word = if element.text().is_some() { word_of(word, parameters)? } else { word.to_owned() };
            if let Some(last) = segments.last_mut().filter(|_| !word.is_empty()) {
                if !last.is_empty() {
                    last.push('.');
                }
                last.push_str(&word);
            }
        }
    }
    segments.retain(|segment| !segment.is_empty());
    Some((sign, segments))
}

/// The text of a word as a key can have it, empty if it has only signs. `None` if nothing can be guessed.
fn word_of(text: &str, parameters: &mut Parameters<'_>) -> Option<String> {
    match parameters.in_other_notation(text) {
        Some(placeholder) => Some(placeholder),
        None if is_foreign(text) => None,
        None => Some(rewritten(text).unwrap_or_default()),
    }
}

/// Splits a text at a sign, but not within brackets or within the name after a `$` or a `@`.
fn split_outside(text: &str, sign: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut inside) = (0, None);
    for (at, c) in text.char_indices() {
        inside = match (inside, c) {
            (None, '<') => Some('>'),
            (None, '[') => Some(']'),
            (None, '(') => Some(')'),
            (None, '$' | '@') => Some(' '),
            (Some(' '), c) if !is_name_char(c) => None,
            (Some(close), c) if c == close => None,
            (inside, _) => inside,
        };
        if c == sign && inside.is_none() && !text.get(start..at).unwrap_or_default().starts_with(['<', '[', '(']) {
            parts.extend(text.get(start..at));
            start = at + c.len_utf8();
        }
    }
    parts.extend(text.get(start..));
    parts
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
        return Diagnostic::new(range, Rule::Shape, message, Suggestion::write(whole).and(", for example"));
    }
    let message = format!("missing type suffix: the key ends with `{written}`");
    // A type after a `.` needs a `:` before it.
    let (text, kind) = match text.rsplit_once('.') {
        Some((before, last)) if Kind::from_name(last).is_some() => (before.to_owned(), last.to_owned()),
        _ => (text, likely.to_string()),
    };
    let types = format!("; the types are {}", list(Kind::ALL.map(Kind::name), "and"));
    let help = Suggestion::write(format!("{text}:{kind}")).and(&types);
    Diagnostic::new(range, Rule::TypeSuffix, message, help)
}

/// A key is `module:name:…:type`.
fn check_shape(layout: &Layout<'_>, kind: Kind, diagnostics: &mut Diagnostics) {
    let (range, message, help) = match layout.segments.as_slice() {
        [only] => {
            let message = "expected `module:name:type`, found only a type".to_owned();
            let help = Suggestion::write(format!("user:profile:{kind}")).and(", for example");
            (only.range.clone(), message, help)
        }
        [module, last] => {
            let module_text = module.text();
            let message = format!("missing segment between the module `{module_text}` and the type");
            let help = format!("write what is stored, as in `{module_text}:profile:{kind}`");
            let end = module.range.end;
            (module.range.start..last.range.end, message, Suggestion::from(help).with(end..end, ":profile"))
        }
        _ => return,
    };
    diagnostics.report(range, Rule::Shape, message, help);
}
