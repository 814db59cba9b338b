//! Joins the templates of servers with the texts of sources.

use std::collections::BTreeMap;
use std::mem;

use super::{FoundField, FoundKey, FoundPart, SourceUse};
use crate::infer::{Class, InferredTemplate, Part};
use crate::masking::FEW_KEYS;
use crate::raw::{Declared, Effect, KeyText, RawUse, SourcePart};
use crate::server::redis_type::RedisType;

/// The most parameters of a text in the sources.
const MAX_FIELDS: usize = 8;

/// The text of a key in the sources, with all commands on it.
struct Source {
    parts: Vec<SourcePart>,
    redis_type: Option<RedisType>,
    uses: Vec<SourceUse>,
}

/// Joins what was seen with what the sources say. Those with most memory come first.
///
/// A text of the sources covers a template if it can write all its keys: its parameters are at least what differs
/// there. Of several the one with most literal text names the fields. What is declared already and has no other key is
/// left out.
pub(crate) fn join(seen: Vec<InferredTemplate>, uses: &[RawUse], declared: &Declared<'_>) -> Vec<FoundKey> {
    let mut sources = sources(uses);
    sources.sort_by_key(|source| std::cmp::Reverse(literal_bytes(&source.parts)));
    let mut found = Vec::<FoundKey>::new();
    // The index of the source of each found key.
    let mut from = Vec::<Option<usize>>::new();
    for template in seen {
        // The types of a list are unknown.
        let is_known = template.redis_type != RedisType::Other;
        let is_type = |source: &Source| !is_known || source.redis_type.is_none_or(|of| of == template.redis_type);
        let mut covering = sources.iter().enumerate().filter(|(_, source)| is_type(source));
        let covered = covering.find_map(|(index, source)| Some((index, cover(&source.parts, &template.parts)?)));
        let declared = covered.as_ref().and_then(|(index, _)| sources.get(*index)?.redis_type);
        let redis_type = if is_known { Some(template.redis_type) } else { declared };
        let (source, parts) = match covered {
            Some((index, parts)) => (Some(index), parts),
            None => (None, template.parts.iter().map(seen_part).collect()),
        };
        let known = found
            .iter_mut()
            .zip(&from)
            .find(|(key, from)| key.redis_type == redis_type && **from == source && is_one_text(&key.parts, &parts));
        if let Some((key, _)) = known {
            // The values of both rows.
            let both = mem::take(&mut key.parts).into_iter().zip(parts);
            key.parts = both.map(|(one, other)| wider(one, other)).collect();
            key.seen.push(template);
        } else {
            let uses = source.and_then(|index| sources.get(index)).map(|source| source.uses.clone());
            found.push(FoundKey { parts, redis_type, seen: vec![template], uses: uses.unwrap_or_default() });
            from.push(source);
        }
    }
    let unseen = sources.into_iter().enumerate().filter(|(index, _)| !from.contains(&Some(*index)));
    found.extend(unseen.filter_map(|(_, source)| {
        // A key of which only a separator is known is none to declare.
        let parts: Vec<_> = source.parts.iter().map(source_part).collect();
        let is_known = !source.parts.contains(&SourcePart::Unknown)
            && literal_bytes(&source.parts) > 0
            && declared.find(&KeyText(source.parts.clone())).is_none();
        is_known.then(|| FoundKey { parts, redis_type: source.redis_type, seen: Vec::new(), uses: source.uses })
    }));
    // The only value of a few keys can be a token or a name.
    for key in found.iter_mut().filter(|key| key.keys() >= FEW_KEYS) {
        key.parts = with_constants(mem::take(&mut key.parts));
    }
    found.sort_by_cached_key(|key| (std::cmp::Reverse((key.bytes(), key.keys())), key.text()));
    found
}

/// The texts of the sources, each with one type.
fn sources(uses: &[RawUse]) -> Vec<Source> {
    let mut texts = BTreeMap::<&[SourcePart], Vec<&RawUse>>::new();
    for raw in uses {
        if let Some(key) = &raw.key {
            texts.entry(&key.0).or_default().push(raw);
        }
    }
    let source = |(parts, uses): (&[SourcePart], Vec<&RawUse>)| {
        let mut shown: Vec<_> = uses.iter().map(|raw| source_use(raw)).collect();
        shown.sort();
        shown.dedup();
        let redis_type = uses.iter().find_map(|raw| raw.redis_type);
        Source { parts: parts.to_vec(), redis_type, uses: shown }
    };
    texts.into_iter().map(source).collect()
}

fn source_use(raw: &RawUse) -> SourceUse {
    let (line, _) = raw.file.position(raw.range.start);
    SourceUse {
        place: format!("{}:{line}", raw.file.shown),
        command: raw.command,
        creates: (raw.effect == Effect::Create).then_some(raw.expiry),
    }
}

fn literal_bytes(parts: &[SourcePart]) -> usize {
    let bytes = |part: &SourcePart| match part {
        SourcePart::Text(text) => text.chars().filter(|sign| sign.is_alphanumeric()).count(),
        SourcePart::Parameter(_) | SourcePart::Unknown => 0,
    };
    parts.iter().map(bytes).sum()
}

fn seen_part(part: &Part) -> FoundPart {
    match part {
        Part::Text(text) => FoundPart::Text(text.clone()),
        Part::Parameter(class) => FoundPart::Field(FoundField { class: Some(class.clone()), ..FoundField::default() }),
    }
}

fn source_part(part: &SourcePart) -> FoundPart {
    match part {
        SourcePart::Text(text) => FoundPart::Text(text.clone()),
        SourcePart::Parameter(name) => {
            FoundPart::Field(FoundField { name: Some(name.clone()), ..FoundField::default() })
        }
        SourcePart::Unknown => FoundPart::Field(FoundField::default()),
    }
}

/// Whether both have the same text around their fields.
fn is_one_text(one: &[FoundPart], other: &[FoundPart]) -> bool {
    let is_same = |(one, other): (&FoundPart, &FoundPart)| match (one, other) {
        (FoundPart::Text(one), FoundPart::Text(other)) => one == other,
        (FoundPart::Field(_), FoundPart::Field(_)) => true,
        _ => false,
    };
    one.len() == other.len() && one.iter().zip(other).all(is_same)
}

/// The parts with text in place of fields that have one value, such as a prefix from configuration.
fn with_constants(parts: Vec<FoundPart>) -> Vec<FoundPart> {
    let mut joined = Vec::new();
    for part in parts {
        let part = match part {
            FoundPart::Field(FoundField { only: Some(text), .. }) => FoundPart::Text(text),
            part => part,
        };
        match (joined.last_mut(), part) {
            (Some(FoundPart::Text(before)), FoundPart::Text(text)) => before.push_str(&text),
            (_, part) => joined.push(part),
        }
    }
    joined
}

/// Fields of both texts.
fn wider(one: FoundPart, other: FoundPart) -> FoundPart {
    match (one, other) {
        (FoundPart::Field(one), FoundPart::Field(other)) => {
            let class = one.class.zip(other.class).map(|(one, other)| wider_class(one, other));
            let only = one.only.filter(|text| Some(text) == other.only.as_ref());
            FoundPart::Field(FoundField { name: one.name, class, only })
        }
        (one, _) => one,
    }
}

/// The values of both classes.
fn wider_class(one: Class, other: Class) -> Class {
    match (one, other) {
        (one, other) if one == other => one,
        (
            Class::Integer { max, is_negative, padded },
            Class::Integer { max: other_max, is_negative: is_other_negative, padded: other_padded },
        ) => Class::Integer {
            max: max.max(other_max),
            is_negative: is_negative || is_other_negative,
            padded: padded.filter(|digits| Some(*digits) == other_padded),
        },
        (Class::Hex { .. }, Class::Hex { .. }) => Class::Hex { length: None },
        (one, other) => Class::Text { longest: 0, has_separators: has_separators(&one) || has_separators(&other) },
    }
}

/// Whether there can be `:`, `/` or `|` in values of a class.
pub(super) fn has_separators(class: &Class) -> bool {
    match class {
        Class::Text { has_separators, .. } => *has_separators,
        Class::Ip | Class::Mac => true,
        Class::Date(form) => form.contains(is_separator),
        Class::Choice(words) => words.iter().any(|word| word.contains(is_separator)),
        _ => false,
    }
}

fn is_separator(sign: char) -> bool {
    matches!(sign, ':' | '/' | '|')
}

/// A character of a key that was seen: text, or a whole parameter.
#[derive(Clone, Copy)]
enum Sign<'p> {
    Text(char),
    Parameter(&'p Part),
}

impl Sign<'_> {
    fn has_separators(self) -> bool {
        match self {
            Self::Text(sign) => is_separator(sign),
            Self::Parameter(Part::Parameter(class)) => has_separators(class),
            Self::Parameter(Part::Text(_)) => false,
        }
    }
}

/// The text of the sources with the classes of a template's parameters, if it can write all keys of the template.
fn cover(source: &[SourcePart], template: &[Part]) -> Option<Vec<FoundPart>> {
    let mut signs = Vec::new();
    for part in template {
        match part {
            Part::Text(text) => signs.extend(text.chars().map(Sign::Text)),
            Part::Parameter(_) => signs.push(Sign::Parameter(part)),
        }
    }
    // Each has many places to end.
    if source.iter().filter(|part| !matches!(part, SourcePart::Text(_))).count() > MAX_FIELDS {
        return None;
    }
    let mut parts = cover_signs(source, &signs)?;
    parts.reverse();
    Some(parts)
}

/// The parts from the last to the first.
fn cover_signs(source: &[SourcePart], signs: &[Sign<'_>]) -> Option<Vec<FoundPart>> {
    let Some((first, rest)) = source.split_first() else { return signs.is_empty().then(Vec::new) };
    let covers = |length: usize, found: Vec<FoundPart>| {
        let mut parts = cover_signs(rest, signs.get(length..)?)?;
        parts.extend(found.into_iter().rev());
        Some(parts)
    };
    match first {
        SourcePart::Text(text) => {
            let length = text.chars().count();
            let is_same = |(sign, seen): (char, &Sign<'_>)| matches!(seen, Sign::Text(text) if *text == sign);
            let starts = signs.len() >= length && text.chars().zip(signs).all(is_same);
            if starts { covers(length, vec![FoundPart::Text(text.clone())]) } else { None }
        }
        // As short as possible, since the text behind a parameter ends it.
        SourcePart::Parameter(name) => (1..=signs.len()).find_map(|length| {
            let covered = signs.get(..length)?;
            let class = match covered {
                [Sign::Parameter(Part::Parameter(class))] => class.clone(),
                _ => Class::Text { longest: 0, has_separators: covered.iter().any(|sign| sign.has_separators()) },
            };
            let text = covered.iter().map(|sign| if let Sign::Text(sign) = sign { Some(*sign) } else { None });
            let field = FoundField { name: Some(name.clone()), class: Some(class), only: text.collect() };
            covers(length, vec![FoundPart::Field(field)])
        }),
        SourcePart::Unknown => (0..=signs.len()).find_map(|length| {
            let seen = signs.get(..length)?.iter().map(|sign| match sign {
                Sign::Text(sign) => FoundPart::Text(sign.to_string()),
                Sign::Parameter(part) => seen_part(part),
            });
            covers(length, seen.collect())
        }),
    }
}
