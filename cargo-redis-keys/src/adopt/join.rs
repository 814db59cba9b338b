//! Joins the templates of servers with the texts of sources.

use std::collections::BTreeMap;
use std::mem;

use super::{ConstantStart, FoundField, FoundKey, FoundPart, SourceUse};
use crate::declare::raw::{DeclaredTexts, Effect, KeyText, Parameter, ParameterType, RawUse, SourcePart};
use crate::declare::redis_type::RedisType;
use crate::operate::infer::{Class, InferredTemplate, Part};
use crate::operate::masking::FEW_KEYS;

/// The most parameters of a text in the sources.
const MAX_FIELDS: usize = 8;

/// The text of a key in the sources, with all commands on it.
struct Source {
    parts: Vec<SourcePart>,
    redis_type: Option<RedisType>,
    uses: Vec<SourceUse>,
}

/// Joins the templates of servers with the texts of sources. Keys with most memory come first.
///
/// A text of the sources covers a template if it can write all its keys: it has a parameter at least wherever the keys
/// differ. If several do, the text with most literal text names the fields. A key that is declared already, and has no
/// other key, is left out.
pub(crate) fn join(seen: Vec<InferredTemplate>, uses: &[RawUse], declared: &DeclaredTexts<'_>) -> Vec<FoundKey> {
    let mut sources = sources(uses);
    sources.sort_by_key(|source| std::cmp::Reverse(literal_bytes(&source.parts)));
    let mut found = Vec::<FoundKey>::new();
    // The index of the source of each found key.
    let mut from = Vec::<Option<usize>>::new();
    for template in seen {
        // A list's types are unknown.
        let is_known = template.redis_type != RedisType::Other;
        let is_type = |source: &Source| !is_known || source.redis_type.is_none_or(|of| of == template.redis_type);
        let covering = || sources.iter().enumerate().filter(|(_, source)| is_type(source));
        let covered = [true, false].into_iter().find_map(|are_typed| {
            let parts = |source: &Source| cover(&source.parts, &template.parts, are_typed);
            covering().find_map(|(index, source)| Some((index, parts(source)?)))
        });
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
            let uses = uses.unwrap_or_default();
            found.push(FoundKey { parts, start: None, redis_type, seen: vec![template], uses });
            from.push(source);
        }
    }
    let unseen = sources.into_iter().enumerate().filter(|(index, _)| !from.contains(&Some(*index)));
    found.extend(unseen.filter_map(|(_, source)| {
        // A key with nothing known but a separator cannot be declared.
        let parts: Vec<_> = source.parts.iter().map(source_part).collect();
        let is_known = !source.parts.contains(&SourcePart::Unknown)
            && literal_bytes(&source.parts) > 0
            && declared.find(&KeyText(source.parts.clone())).is_none();
        let redis_type = source.redis_type;
        is_known.then(|| FoundKey { parts, start: None, redis_type, seen: Vec::new(), uses: source.uses })
    }));
    for key in &mut found {
        key.parts = joined(mem::take(&mut key.parts));
        // The only value of a few keys can be a token or a name.
        if key.keys() >= FEW_KEYS {
            key.start = replace_start(&mut key.parts);
        }
    }
    found.sort_by_cached_key(|key| (std::cmp::Reverse((key.bytes(), key.keys())), key.text()));
    found
}

/// The sources' texts, each with one type. A text that is written with several names counts once, with the first
/// names.
fn sources(uses: &[RawUse]) -> Vec<Source> {
    let mut texts = BTreeMap::<Vec<SourcePart>, Vec<(&KeyText, &RawUse)>>::new();
    for raw in uses {
        if let Some(key) = &raw.key {
            texts.entry(without_names(&key.0)).or_default().push((key, raw));
        }
    }
    let source = |uses: Vec<(&KeyText, &RawUse)>| {
        let mut shown: Vec<_> = uses.iter().map(|(_, raw)| source_use(raw)).collect();
        shown.sort();
        shown.dedup();
        let redis_type = uses.iter().find_map(|(_, raw)| raw.redis_type);
        let (first, others) = uses.split_first()?;
        let mut parts = first.0.0.clone();
        for (KeyText(other), _) in others {
            parts.iter_mut().zip(other).for_each(|(part, other)| keep_common_type(part, other));
        }
        Some(Source { parts, redis_type, uses: shown })
    };
    texts.into_values().filter_map(source).collect()
}

/// The parts with the index of the first parameter of the same name in place of each name, and without types.
fn without_names(parts: &[SourcePart]) -> Vec<SourcePart> {
    let mut names = Vec::new();
    let part = |part: &SourcePart| match part {
        SourcePart::Parameter(Parameter { name, .. }) => {
            let index = names.iter().position(|known| known == name).unwrap_or_else(|| {
                names.push(name.clone());
                names.len() - 1
            });
            SourcePart::Parameter(Parameter { name: index.to_string(), ty: None })
        }
        part => part.clone(),
    };
    parts.iter().map(part).collect()
}

/// Removes the type of a parameter whose type elsewhere differs or is unknown.
fn keep_common_type(part: &mut SourcePart, other: &SourcePart) {
    if let (SourcePart::Parameter(one), SourcePart::Parameter(other)) = (part, other)
        && one.ty != other.ty
    {
        one.ty = None;
    }
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
        SourcePart::Parameter(Parameter { name, ty }) => {
            FoundPart::Field(FoundField { name: Some(name.clone()), ty: *ty, ..FoundField::default() })
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

/// Writes the text of a value with which all keys start, such as a prefix from configuration, in place of its field.
/// Values behind it stay fields, because their other values may be missing on this server.
fn replace_start(parts: &mut Vec<FoundPart>) -> Option<ConstantStart> {
    let Some(FoundPart::Field(FoundField { name, only: Some(text), .. })) = parts.first() else { return None };
    let start = ConstantStart { text: text.clone(), name: name.clone() };
    match parts.get_mut(1) {
        Some(FoundPart::Text(behind)) => {
            behind.insert_str(0, &start.text);
            parts.remove(0);
        }
        // Without text behind it, nothing says where the value ends.
        _ => return None,
    }
    Some(start)
}

/// The parts, without two texts after each other.
fn joined(parts: Vec<FoundPart>) -> Vec<FoundPart> {
    let mut joined = Vec::new();
    for part in parts {
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
            let ty = one.ty.filter(|ty| Some(*ty) == other.ty);
            FoundPart::Field(FoundField { name: one.name, ty, class, only })
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
    fn part(&self) -> FoundPart {
        match self {
            Self::Text(sign) => FoundPart::Text(sign.to_string()),
            Self::Parameter(part) => seen_part(part),
        }
    }

    fn has_separators(self) -> bool {
        match self {
            Self::Text(sign) => is_separator(sign),
            Self::Parameter(Part::Parameter(class)) => has_separators(class),
            Self::Parameter(Part::Text(_)) => false,
        }
    }
}

/// The text of the sources with the classes of a template's parameters, if it can write all keys of the template.
fn cover(source: &[SourcePart], template: &[Part], are_typed: bool) -> Option<Vec<FoundPart>> {
    // Each has many places to end.
    if source.iter().filter(|part| !matches!(part, SourcePart::Text(_))).count() > MAX_FIELDS {
        return None;
    }
    let mut signs = Vec::new();
    for part in template {
        match part {
            Part::Text(text) => signs.extend(text.chars().map(Sign::Text)),
            Part::Parameter(_) => signs.push(Sign::Parameter(part)),
        }
    }
    let mut parts = parts(source, &signs, are_typed)?;
    if ways(source, &signs, are_typed) > 1 {
        // Where a value ends is a guess.
        for part in &mut parts {
            if let FoundPart::Field(field) = part
                && field.ty.is_none()
                && field.only.is_none()
            {
                field.class = Some(Class::Text { longest: 0, has_separators: true });
            }
        }
    }
    parts.reverse();
    Some(parts)
}

/// The parts of a text of the sources that cover these signs, from the last to the first. `are_typed` says whether types
/// of the sources decide where values end.
fn parts(source: &[SourcePart], signs: &[Sign<'_>], are_typed: bool) -> Option<Vec<FoundPart>> {
    let Some((first, rest)) = source.split_first() else { return signs.is_empty().then(Vec::new) };
    let covers = |length: usize, found: Vec<FoundPart>| {
        let mut parts = parts(rest, signs.get(length..)?, are_typed)?;
        parts.extend(found.into_iter().rev());
        Some(parts)
    };
    match first {
        SourcePart::Text(text) => {
            let length = text.chars().count();
            starts_with(signs, text).then(|| covers(length, vec![FoundPart::Text(text.clone())]))?
        }
        // As short as possible, since the text behind a parameter ends it.
        SourcePart::Parameter(parameter) => (1..=signs.len()).find_map(|length| {
            let field = field(parameter, signs.get(..length)?, are_typed)?;
            covers(length, vec![FoundPart::Field(field)])
        }),
        SourcePart::Unknown => (0..=signs.len()).find_map(|length| {
            let seen = signs.get(..length)?;
            let text = text_of(seen).filter(|text| !text.is_empty() && signs.len() > length);
            // The first text is a prefix.
            let is_start = text.is_some() && matches!(rest.first(), Some(SourcePart::Text(_)));
            let only = FoundField { only: text, ..FoundField::default() };
            let parts = if is_start { vec![FoundPart::Field(only)] } else { seen.iter().map(Sign::part).collect() };
            covers(length, parts)
        }),
    }
}

/// A field for these signs. `None` if its type cannot write them.
fn field(Parameter { name, ty }: &Parameter, covered: &[Sign<'_>], are_typed: bool) -> Option<FoundField> {
    let ty = ty.filter(|_| are_typed);
    let only = text_of(covered);
    let class = match covered {
        [Sign::Parameter(Part::Parameter(class))] => class.clone(),
        _ => Class::Text { longest: 0, has_separators: covered.iter().any(|sign| sign.has_separators()) },
    };
    let is_possible = ty.is_none_or(|ty| match &only {
        Some(text) => ty.writes(text),
        None => can_write(ty, &class),
    });
    is_possible.then(|| FoundField { name: Some(name.clone()), ty, class: Some(class), only })
}

/// The number of ways to cover the signs, up to two.
fn ways(source: &[SourcePart], signs: &[Sign<'_>], are_typed: bool) -> usize {
    let Some((first, rest)) = source.split_first() else { return usize::from(signs.is_empty()) };
    let behind = |length: usize| signs.get(length..).map_or(0, |signs| ways(rest, signs, are_typed));
    match first {
        SourcePart::Text(text) if starts_with(signs, text) => behind(text.chars().count()),
        SourcePart::Text(_) => 0,
        SourcePart::Parameter(parameter) => {
            let lengths = (1..=signs.len()).filter(|length| {
                signs.get(..*length).is_some_and(|covered| field(parameter, covered, are_typed).is_some())
            });
            lengths.map(behind).fold(0, |ways, more| (ways + more).min(2))
        }
        // Nothing is named there.
        SourcePart::Unknown => (0..=signs.len()).map(behind).max().unwrap_or(0),
    }
}

/// Whether a type can write all values of a class.
fn can_write(ty: ParameterType, class: &Class) -> bool {
    match (ty, class) {
        (ParameterType::Integer(name), Class::Integer { is_negative, padded: None, .. }) => {
            !is_negative || name.starts_with('i')
        }
        (ParameterType::Integer(_), Class::Date(form)) => form.bytes().all(|byte| byte.is_ascii_alphabetic()),
        (ParameterType::IpAddr | ParameterType::Ipv4Addr | ParameterType::Ipv6Addr, Class::Ip)
        | (ParameterType::Uuid, Class::Uuid) => true,
        _ => false,
    }
}

fn starts_with(signs: &[Sign<'_>], text: &str) -> bool {
    let is_same = |(sign, seen): (char, &Sign<'_>)| matches!(seen, Sign::Text(text) if *text == sign);
    signs.len() >= text.chars().count() && text.chars().zip(signs).all(is_same)
}

/// The text of signs that are all text.
fn text_of(signs: &[Sign<'_>]) -> Option<String> {
    signs.iter().map(|sign| if let Sign::Text(sign) = sign { Some(*sign) } else { None }).collect()
}
