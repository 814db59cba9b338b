//! Vectors: arguments with the text of their key, or the reason why there is none; texts with the arguments that they
//! are parsed into; and expiries. Builders in any language can be tested with them.

use serde::Serialize;

use super::builder::{Builder, LeftOut};
use super::expiry::{bucket_field, elapsed_at, expiry_ms};
use super::parse::parse;
use super::random::Random;
use super::render::{Reason, Refusal, render};
use super::samples::{edges, random, usual};
use super::value::Value;
use crate::declare::catalog::Argument;
use crate::render::{json_lines, visible_json};

/// The version of the file's form.
const FORMAT: u32 = 1;

/// The random tuples of a key in a file.
const RANDOM: usize = 40;

/// A tuple of arguments, with the text of its key.
#[derive(Serialize)]
pub(super) struct Built(pub(super) Vec<Value>, pub(super) Outcome);

/// The text of a key, or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(super) enum Outcome {
    Text(String),
    Refused(Refusal),
}

/// A key in the file, without its vectors.
#[derive(Serialize)]
struct Heading<'b> {
    /// The name of the struct.
    name: &'b str,
    module: Option<&'b str>,
    package: &'b str,
    template: &'b str,
    legacy: Option<&'b str>,
    arguments: Vec<HeadingArgument<'b>>,
    parses: bool,
    jitter_ms: u64,
}

#[derive(Serialize)]
struct HeadingArgument<'b> {
    name: &'b str,
    argument: &'b Argument,
}

/// The file of vectors. The same declarations give the same file.
pub(crate) fn file(builders: &[Builder<'_>], left_out: &[LeftOut<'_>]) -> String {
    let keys: Vec<String> = builders.iter().map(key).collect();
    let left_out = left_out.iter().map(|left_out| {
        let key = left_out.key;
        json(&[("name", json_of(&key.path())), ("template", json_of(&key.template)), ("why", json_of(&left_out.why))])
    });
    of_keys(&keys, &left_out.collect::<Vec<_>>())
}

/// The file of these vectors.
pub(super) fn of_keys(keys: &[String], left_out: &[String]) -> String {
    let [keys, left_out] = [keys, left_out].map(json_lines);
    visible_json(&format!("{{\"format\":{FORMAT},\"keys\":{keys},\"left_out\":{left_out}}}\n"))
}

fn key(builder: &Builder<'_>) -> String {
    let mut numbers = Random::of(&builder.key.template);
    let tuples = tuples(builder, RANDOM, &mut numbers);
    let built: Vec<Built> = tuples.into_iter().map(|values| build(builder, values)).collect();
    of_key(builder, &built, &parsed_texts(builder, &built, &mut numbers))
}

/// The vectors of a key.
pub(super) fn of_key(builder: &Builder<'_>, built: &[Built], parsed: &[(String, Option<Vec<Value>>)]) -> String {
    let key = builder.key;
    let heading = Heading {
        name: key.name.strip_prefix("r#").unwrap_or(&key.name),
        module: key.module.as_deref(),
        package: &key.package,
        template: &key.template,
        legacy: key.legacy.as_deref(),
        arguments: builder
            .fields
            .iter()
            .map(|field| HeadingArgument { name: field.name, argument: field.argument })
            .collect(),
        parses: builder.text.parses,
        jitter_ms: key.jitter_ms(),
    };
    let heading = json_of(&heading);
    let heading = heading.strip_suffix('}').unwrap_or(&heading);
    let vectors = [
        ("build", json_lines(&built.iter().map(json_of).collect::<Vec<_>>())),
        ("parse", json_lines(&parsed.iter().map(json_of).collect::<Vec<_>>())),
        ("expiry", json_lines(&expiries(builder).iter().map(json_of).collect::<Vec<_>>())),
    ];
    let vectors: Vec<_> = vectors.into_iter().map(|(name, lines)| format!(",\n\"{name}\":{lines}")).collect();
    format!("{heading}{}}}", vectors.concat())
}

/// The tuples of arguments of a key: each edge of each argument beside usual values of the others, and random tuples.
/// At most one argument is wrong, so that the reason of a refusal is certain.
pub(super) fn tuples(builder: &Builder<'_>, count: usize, numbers: &mut Random) -> Vec<Vec<Value>> {
    let usual = usual(builder);
    let edges: Vec<_> = (0..builder.fields.len()).map(|index| edges(builder, index)).collect();
    let mut tuples = vec![usual.clone()];
    for (index, edges) in edges.iter().enumerate() {
        tuples.extend(edges.iter().map(|edge| replaced(&usual, index, edge)));
    }
    let count = if builder.fields.is_empty() { 0 } else { count };
    for _ in 0..count {
        let mut values = Vec::with_capacity(usual.len());
        for (index, field) in builder.fields.iter().enumerate() {
            let value = random(builder, field, numbers);
            let alone = render(builder, builder.text, &replaced(&usual, index, &value));
            let is_wrong = alone.is_err_and(|refusal| refusal.reason != Reason::TooLong);
            values.extend(if is_wrong { usual.get(index).cloned() } else { Some(value) });
        }
        if numbers.one_in(4) {
            let index = numbers.index(edges.len());
            let edge = edges.get(index).and_then(|edges| numbers.pick(edges)).filter(|_| numbers.one_in(2));
            let any = builder.fields.get(index).map(|field| random(builder, field, numbers));
            let value = edge.cloned().or(any);
            values = value.map_or(values.clone(), |value| replaced(&values, index, &value));
        }
        tuples.push(values);
    }
    tuples
}

fn replaced(values: &[Value], index: usize, value: &Value) -> Vec<Value> {
    let mut values = values.to_vec();
    values.get_mut(index).into_iter().for_each(|place| *place = value.clone());
    values
}

/// Builds a key.
pub(super) fn build(builder: &Builder<'_>, values: Vec<Value>) -> Built {
    let outcome = match render(builder, builder.text, &values) {
        Ok(text) => Outcome::Text(text),
        Err(refusal) => Outcome::Refused(refusal),
    };
    Built(values, outcome)
}

/// Texts of keys and texts that are almost keys, each with its arguments.
pub(super) fn parsed_texts(
    builder: &Builder<'_>,
    built: &[Built],
    numbers: &mut Random,
) -> Vec<(String, Option<Vec<Value>>)> {
    let texts = built.iter().filter_map(|Built(_, outcome)| match outcome {
        Outcome::Text(text) if builder.text.parses => Some(text),
        _ => None,
    });
    let changed = texts.map(|text| {
        let text = if numbers.one_in(4) { text.clone() } else { mutated(text, numbers) };
        let values = parse(builder, &text);
        (text, values)
    });
    changed.collect()
}

/// The text with up to two changes.
fn mutated(text: &str, numbers: &mut Random) -> String {
    #[rustfmt::skip]
    const SIGNS: [char; 20] =
        ['0', '1', 'a', 'f', 'w', 'A', 'F', ':', '.', '}', '{', '-', 'é', ' ', '9', '\n', '+', '_', '/', '\u{661}'];
    let mut signs: Vec<char> = text.chars().collect();
    for _ in 0..numbers.index(3) {
        let at = numbers.index(signs.len() + 1);
        let sign = numbers.pick(&SIGNS).copied().unwrap_or('0');
        match (numbers.below(4), signs.get_mut(at)) {
            (0, Some(_)) => drop(signs.remove(at)),
            (1, Some(place)) => *place = sign,
            (2, Some(place)) => *place = place.to_ascii_uppercase(),
            _ => signs.insert(at.min(signs.len()), sign),
        }
    }
    signs.into_iter().collect()
}

/// Arguments with a time in milliseconds since 1970, and the expiry then, without the jitter.
pub(super) fn expiries(builder: &Builder<'_>) -> Vec<(Vec<Value>, i64, Option<u64>)> {
    const TEN_YEARS: i64 = 315_360_000_000;
    let Some(index) = bucket_field(builder) else { return Vec::new() };
    let usual = usual(builder);
    let values = edges(builder, index).into_iter().map(|bucket| replaced(&usual, index, &bucket));
    let elapsed = values.filter_map(|values| Some((elapsed_at(builder, &values)?, values)));
    let at = |(elapsed, values): (i64, Vec<Value>)| {
        [-1, 0, 1, 12_345_678, TEN_YEARS, TEN_YEARS + 1].map(|left| {
            let now_ms = elapsed.saturating_sub(left);
            (values.clone(), now_ms, expiry_ms(builder, &values, now_ms))
        })
    };
    elapsed.flat_map(at).collect()
}

fn json_of(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn json(fields: &[(&str, String)]) -> String {
    let fields: Vec<_> = fields.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", fields.join(","))
}
