//! The declaration that an unknown key resembles most, and where the key differs from it.

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::ops::Range;

use redis_keys_core::Kind;
use redis_keys_core::legacy::LegacyText;
use redis_keys_core::schema::{self, ParameterForm};
use redis_keys_schema::limits::{MAX_KEY_BYTES, is_word_byte};

use super::describe::describe;
use super::template::{Template, Word, is_literal, literal_text, pieces};
use super::{Catalog, Key, Parameter, Values};

/// The place at which a key differs from a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// The bytes of the key that are wrong. Empty where something is missing.
    pub(crate) place: Range<usize>,
    /// The problem with them.
    pub(crate) problem: String,
}

/// The declaration that a key resembles most, if any, and the first place where the key differs from it.
///
/// Finds the declaration with which most segments agree, counted from both ends, because a segment can be missing. Of
/// several, it is the declaration that agrees longest from the start.
pub(crate) fn nearest(
    catalog: &Catalog,
    namespace: Option<&str>,
    key: &[u8],
) -> Result<(usize, Difference), Difference> {
    let (start, text) = without_namespace(key, namespace)?;
    // With `legacy`, the template is not in use.
    let in_use = catalog.keys.iter().enumerate().filter(|(_, declaration)| declaration.legacy.is_none());
    let candidates = in_use.filter_map(|(index, declaration)| {
        let template = Template::parse(&declaration.template)?;
        let comparison = Comparison::new(&template, declaration, text);
        comparison.is_alike().then_some((comparison.score(), template, index, declaration))
    });
    // The first of several.
    let best = candidates.min_by_key(|(score, ..)| Reverse(*score));
    let Some((_, template, index, declaration)) = best else {
        let module = text.iter().position(|byte| *byte == b':').unwrap_or(text.len());
        let problem = "no declaration resembles this key".to_owned();
        return Err(Difference { place: start..start + module, problem });
    };
    let mut difference = difference(&template, declaration, text, key.len())
        .unwrap_or_else(|| Difference { place: 0..text.len(), problem: "another declaration".to_owned() });
    difference.place = start + difference.place.start..start + difference.place.end;
    Ok((index, difference))
}

/// The declaration whose text of today a key resembles most, if it has any, and the first place where the key differs.
///
/// Finds the text of which half the literal text agrees, without its case, before the first field and after the last.
pub(crate) fn nearest_legacy(catalog: &Catalog, prefix: &str, key: &[u8]) -> Option<(usize, Difference)> {
    let ends_with_type = key.rsplit(|byte| *byte == b':').next().and_then(|last| str::from_utf8(last).ok());
    let text = key.strip_prefix(prefix.as_bytes()).filter(|_| ends_with_type.and_then(Kind::from_name).is_none())?;
    let candidates = catalog.keys.iter().enumerate().filter_map(|(index, declaration)| {
        let literals = LegacyText::read(declaration.legacy.as_ref()?).literals;
        let (first, last) =
            (literals.first()?, literals.last().filter(|_| literals.len() > 1).map_or("", String::as_str));
        let is_same = |(one, other): &(&u8, &u8)| one.eq_ignore_ascii_case(other);
        let before = first.as_bytes().iter().zip(text).take_while(is_same).count();
        let after = last.as_bytes().iter().rev().zip(text.iter().rev()).take_while(is_same).count();
        let is_alike = before + after > 1 && 2 * (before + after) >= first.len() + last.len();
        is_alike.then_some((before + after, index, first.clone(), last.to_owned()))
    });
    let (_, index, first, last) = candidates.min_by_key(|(agreeing, ..)| Reverse(*agreeing))?;
    let (start, end) = (prefix.len(), key.len());
    let difference = if !text.starts_with(first.as_bytes()) {
        let same = first.as_bytes().iter().zip(text).take_while(|(one, other)| one == other).count();
        let place = start + same..(start + first.len()).min(end).max(start + same);
        Difference { place, problem: format!("expected `{first}`") }
    } else if !text.ends_with(last.as_bytes()) {
        // The beginning of the last literal, or the bytes in its place.
        let begun = (1..last.len()).rev().find(|length| text.ends_with(&last.as_bytes()[..*length]));
        let place = end - begun.unwrap_or(last.len()).min(text.len())..end;
        Difference { place, problem: format!("expected `{last}` at the end") }
    } else {
        let place = start + first.len()..(end - last.len()).max(start + first.len());
        Difference { place, problem: "no values of the declaration are written so".to_owned() }
    };
    Some((index, difference))
}

/// The texts of the parameters of a key that this declaration produces.
pub(crate) fn parameters<'k>(declaration: &Key, namespace: Option<&str>, key: &'k [u8]) -> Vec<&'k [u8]> {
    let Ok((_, text)) = without_namespace(key, namespace) else { return Vec::new() };
    let Some(template) = Template::parse(&declaration.template) else { return Vec::new() };
    template.parameters(text).into_iter().filter_map(|place| text.get(place)).collect()
}

/// The key behind its namespace, and where that starts.
fn without_namespace<'k>(key: &'k [u8], namespace: Option<&str>) -> Result<(usize, &'k [u8]), Difference> {
    let Some(namespace) = namespace else { return Ok((0, key)) };
    let prefix = format!("{namespace}:");
    key.strip_prefix(prefix.as_bytes()).map(|text| (prefix.len(), text)).ok_or_else(|| {
        let end = key.iter().position(|byte| *byte == b':').unwrap_or(key.len());
        Difference { place: 0..end, problem: format!("expected the namespace `{namespace}`") }
    })
}

/// The agreement of a key with a declaration.
struct Comparison {
    /// The segments that agree from the start.
    first: usize,
    /// The segments behind the segments that agree from the end.
    last: usize,
    /// Whether the number of segments is the same.
    as_many: bool,
    /// The bytes of the first other segment that agree.
    common: usize,
}

impl Comparison {
    fn new(template: &Template, declaration: &Key, key: &[u8]) -> Self {
        let places = pieces(key, 0..key.len(), b':');
        let segments = &template.segments;
        let agrees = |words: &Vec<Word>, place: &Range<usize>| {
            segment_difference(words, &declaration.parameters, key, place.clone()).is_none()
        };
        let first = segments.iter().zip(&places).take_while(|(words, place)| agrees(words, place)).count();
        let (rest, other) = (segments.get(first..).unwrap_or_default(), places.get(first..).unwrap_or_default());
        let last = rest.iter().rev().zip(other.iter().rev()).take_while(|(words, place)| agrees(words, place)).count();
        let common = match (segments.get(first), places.get(first)) {
            (Some(words), Some(place)) => agreeing_bytes(words, &declaration.parameters, key, place.clone()),
            _ => 0,
        };
        Self { first, last, as_many: segments.len() == places.len(), common }
    }

    /// Whether more than the type is the same.
    fn is_alike(&self) -> bool {
        self.first > 0 || self.last > 1 || self.common > 1
    }

    fn score(&self) -> impl Ord + Copy + use<> {
        (self.first + self.last, self.as_many, self.first, self.common)
    }
}

/// The first place where a key differs from a declaration. `key` is without its namespace, with which it has `len`
/// bytes.
fn difference(template: &Template, declaration: &Key, key: &[u8], len: usize) -> Option<Difference> {
    let places = pieces(key, 0..key.len(), b':');
    let segments = &template.segments;
    let agreeing = Comparison::new(template, declaration, key);
    let (first, rest) = (agreeing.first, segments.len() - agreeing.first - agreeing.last);
    let other_places = places.len() - agreeing.first - agreeing.last;
    let shown =
        |words: &[Vec<Word>]| words.iter().map(|words| shown_segment(words, declaration)).collect::<Vec<_>>().join(":");
    if other_places == 0 && rest > 0 {
        let at = if agreeing.last == 0 { key.len() } else { places.get(first).map_or(key.len(), |place| place.start) };
        let missing = shown(segments.get(first..first + rest).unwrap_or_default());
        return Some(Difference { place: at..at, problem: format!("missing `{missing}`") });
    }
    if rest == 0 && other_places > 0 {
        let extra = places.get(first..first + other_places).unwrap_or_default();
        let place = extra.first()?.start..extra.last()?.end;
        let problem = match segments.get(first.saturating_sub(1)).filter(|_| agreeing.last == 0) {
            Some(_) => "the key has to end before this".to_owned(),
            None => "unexpected segment".to_owned(),
        };
        return Some(Difference { place, problem });
    }
    if let (Some(words), Some(place)) = (segments.get(first), places.get(first)) {
        if first + 1 == segments.len() && first + 1 == places.len() {
            return Some(type_difference(declaration, key, place.clone()));
        }
        return segment_difference(words, &declaration.parameters, key, place.clone());
    }
    let limit = declaration.max_key_bytes.min(MAX_KEY_BYTES);
    if len > limit {
        return Some(Difference { place: 0..key.len(), problem: format!("{len} bytes exceed the limit of {limit}") });
    }
    // All segments agree, and the length: only shards are left.
    let shard =
        declaration.parameters.iter().position(|parameter| matches!(parameter.form, ParameterForm::Shard(_)))?;
    let place = template.parameters(key).get(shard)?.clone();
    let name = &declaration.parameters.get(shard)?.name;
    Some(Difference { place, problem: format!("not the shard of `{name}`") })
}

/// Returns the difference if the key has another type.
fn type_difference(declaration: &Key, key: &[u8], place: Range<usize>) -> Difference {
    let found = key.get(place.clone()).and_then(|text| str::from_utf8(text).ok()).and_then(Kind::from_name);
    let found = found.map_or(String::new(), |kind| format!(", found `{kind}`"));
    Difference { place, problem: format!("expected the type `{}`{found}", declaration.kind) }
}

/// A segment as the template has it.
fn shown_segment(words: &[Word], declaration: &Key) -> String {
    let word = |word: &Word| match word {
        Word::Literal(text) => text.clone(),
        Word::Parameter { index, hash_tag } => {
            let name = declaration.parameters.get(*index).map_or("?", |parameter| &parameter.name);
            format!("{{{}{name}}}", if *hash_tag { "#" } else { "" })
        }
    };
    words.iter().map(word).collect::<Vec<_>>().join(".")
}

/// Returns the place at which a segment differs from a template's segment.
fn segment_difference(words: &[Word], parameters: &[Parameter], key: &[u8], place: Range<usize>) -> Option<Difference> {
    if let [Word::Parameter { index, hash_tag }] = words {
        return parameter_difference(parameters.get(*index), *hash_tag, true, key, place);
    }
    let text = key.get(place.clone()).unwrap_or_default();
    if is_literal(words) {
        let expected = literal_text(words).unwrap_or_default();
        return (*expected != *text).then(|| literal_difference(&expected, text, place));
    }
    let found = pieces(key, place.clone(), b'.');
    for (word, place) in words.iter().zip(&found) {
        let text = key.get(place.clone()).unwrap_or_default();
        let difference = match word {
            Word::Literal(expected) if expected.as_bytes() == text => None,
            Word::Literal(expected) => Some(literal_difference(expected.as_bytes(), text, place.clone())),
            Word::Parameter { index, hash_tag } => {
                parameter_difference(parameters.get(*index), *hash_tag, false, key, place.clone())
            }
        };
        if difference.is_some() {
            return difference;
        }
    }
    let extra = found.get(words.len()).map_or(place.end, |extra| extra.start);
    let problem = format!("expected {} words, found {}", words.len(), found.len());
    (found.len() != words.len()).then_some(Difference { place: extra..place.end, problem })
}

/// Returns the number of bytes of a segment that agree with a template's segment, without their case.
fn agreeing_bytes(words: &[Word], parameters: &[Parameter], key: &[u8], place: Range<usize>) -> usize {
    let text = key.get(place.clone()).unwrap_or_default();
    if let Some(expected) = literal_text(words) {
        return expected.iter().zip(text).take_while(|(one, other)| one.eq_ignore_ascii_case(other)).count();
    }
    let start = place.start;
    segment_difference(words, parameters, key, place).map_or(text.len(), |difference| difference.place.start - start)
}

fn literal_difference(expected: &[u8], found: &[u8], place: Range<usize>) -> Difference {
    let expected_text = String::from_utf8_lossy(expected);
    let problem = if expected.eq_ignore_ascii_case(found) {
        format!("not lower case: expected `{expected_text}`")
    } else if found.is_empty() {
        format!("empty segment: expected `{expected_text}`")
    } else {
        format!("expected `{expected_text}`")
    };
    Difference { place, problem }
}

/// Returns the place at which a text cannot be a text of the parameter.
fn parameter_difference(
    parameter: Option<&Parameter>,
    hash_tag: bool,
    is_whole: bool,
    key: &[u8],
    mut place: Range<usize>,
) -> Option<Difference> {
    let name = parameter.map_or("?", |parameter| &parameter.name);
    if hash_tag {
        match key.get(place.clone()) {
            Some([b'{', .., b'}']) if place.len() > 2 => place = place.start + 1..place.end - 1,
            _ => return Some(Difference { place, problem: format!("expected braces around `{name}`, the hash tag") }),
        }
    }
    let text = key.get(place.clone()).unwrap_or_default();
    if text.is_empty() {
        return Some(Difference { place, problem: format!("`{name}` is empty") });
    }
    let values = parameter.and_then(|parameter| parameter.values.as_ref());
    match values {
        None | Some(Values::Any) => text_difference(name, text, is_whole, place.start),
        Some(values) if values.contains(text) => None,
        Some(values) => {
            let lower = text.to_ascii_lowercase();
            let problem = if lower != text && values.contains(&lower) {
                format!("`{name}` is not lower case")
            } else {
                value_problem(parameter?, values, text)
            };
            Some(Difference { place, problem })
        }
    }
}

/// Returns why a text cannot be a text of the parameter.
fn value_problem(parameter: &Parameter, values: &Values, text: &[u8]) -> String {
    let schema::Parameter { name, type_name, .. } = &parameter.declared;
    let Values::Number { from, to } = values else {
        return format!("expected {} for `{name}`", describe(values));
    };
    let is_digits = text.iter().all(u8::is_ascii_digit);
    if is_digits && text.first() == Some(&b'0') && text.len() > 1 {
        return format!("`{name}` has a leading zero: keys have numbers in one form");
    }
    if is_digits {
        return format!("`{name}` is out of range: {from} to {to}");
    }
    format!("expected a number for `{name}`, `{type_name}`")
}

/// Returns the place at which a text is no segment, or no word of a segment.
fn text_difference(name: &str, text: &[u8], is_whole: bool, start: usize) -> Option<Difference> {
    let mut after_separator = true;
    for (at, byte) in (start..).zip(text) {
        let problem = match byte {
            b'.' if !is_whole => format!("`{name}` is one word and has no `.`"),
            b'.' if after_separator => format!("empty word in `{name}`"),
            b'A'..=b'Z' => format!("`{name}` is not lower case"),
            b'.' => {
                after_separator = true;
                continue;
            }
            byte if is_word_byte(*byte) => {
                after_separator = false;
                continue;
            }
            _ => format!("`{name}` has a sign that keys do not have: they have `a` to `z`, `0` to `9`, `.` and `:`"),
        };
        return Some(Difference { place: at..at + 1, problem });
    }
    let end = start + text.len();
    after_separator.then(|| Difference { place: end - 1..end, problem: format!("empty word in `{name}`") })
}
