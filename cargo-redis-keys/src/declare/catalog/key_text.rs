//! A text of a key as its parts, for builders and parsers in any language.

use redis_keys_core::legacy::FormatTrait;
use redis_keys_core::schema::{ParameterForm, Parameters};
use redis_keys_schema::legacy::Legacy;
use serde::{Deserialize, Serialize};

use super::template::{Template, Word};

/// A text of a key: the template, or a legacy text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyText {
    /// The parts, in order. Between two parameters is a literal, except in an ambiguous legacy text.
    pub parts: Vec<Part>,
    /// The index, among the parameters of this text, of the parameter that may contain anything. Parameters before it
    /// end where the literal after them first occurs, and parameters behind it start where the literal before them last
    /// occurs.
    pub open: usize,
    /// Whether the parameters can be read back from a key.
    pub parses: bool,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Part {
    /// Text of every key.
    Literal {
        /// The text.
        literal: String,
    },
    /// A parameter of a template.
    Parameter {
        /// Its index among the parameters of the key.
        parameter: usize,
        /// Whether it is a whole segment, and can contain `.`.
        whole: bool,
    },
    /// A parameter of a legacy text.
    Formatted {
        /// Its index among the parameters of the key.
        parameter: usize,
        /// The format that writes it.
        by: WrittenBy,
        /// The number of digits to which zeros fill up the number.
        zeros: u8,
        /// The text that the value must not contain, because it ends there. Empty if it can contain anything.
        ends: String,
    },
}

/// The format of a parameter in a legacy text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrittenBy {
    /// `{name}`
    Display,
    /// `{name:?}`
    Debug,
    /// `{name:x}`
    LowerHex,
    /// `{name:X}`
    UpperHex,
}

impl From<FormatTrait> for WrittenBy {
    fn from(by: FormatTrait) -> Self {
        match by {
            FormatTrait::Display => Self::Display,
            FormatTrait::Debug => Self::Debug,
            FormatTrait::LowerHex => Self::LowerHex,
            FormatTrait::UpperHex => Self::UpperHex,
        }
    }
}

impl KeyText {
    /// The text of a template.
    pub(super) fn of_template(template: &Template, parameters: Parameters<&str>) -> Self {
        let mut parts = Parts::default();
        for (index, segment) in template.segments.iter().enumerate() {
            parts.literal(if index > 0 { ":" } else { "" });
            for (index, word) in segment.iter().enumerate() {
                parts.literal(if index > 0 { "." } else { "" });
                match word {
                    Word::Literal(text) => parts.literal(text),
                    Word::Parameter { index: parameter, hash_tag } => {
                        let (before, after) = if *hash_tag { ("{", "}") } else { ("", "") };
                        parts.literal(before);
                        parts.0.push(Part::Parameter { parameter: *parameter, whole: segment.len() == 1 });
                        parts.literal(after);
                    }
                }
            }
        }
        let is_read = |form| matches!(form, ParameterForm::Plain | ParameterForm::Base32 | ParameterForm::Slug(_));
        let parses = parameters.iter().all(|parameter| match parameter.form {
            // A shard is compared with the field beside it.
            ParameterForm::Shard(_) => {
                parameters.iter().any(|other| other.name == parameter.name && is_read(other.form))
            }
            form => is_read(form),
        });
        Self { parts: parts.0, open: parameters.len().saturating_sub(1), parses }
    }

    /// The legacy text of a key.
    pub(super) fn of_legacy(legacy: &Legacy) -> Self {
        let mut parts = Parts::default();
        let mut literals = legacy.literals.iter();
        parts.literal(literals.next().map_or("", String::as_str));
        for ((field, ends), literal) in legacy.fields.iter().zip(legacy.ends()).zip(literals) {
            parts.0.push(Part::Formatted {
                parameter: field.parameter,
                by: field.format.by.into(),
                zeros: field.format.zeros,
                ends: ends.to_owned(),
            });
            parts.literal(literal);
        }
        let parses = !legacy.ambiguous && legacy.fields.iter().all(|field| field.format.by == FormatTrait::Display);
        Self { parts: parts.0, open: legacy.open(), parses }
    }
}

/// Parts with joined literals.
#[derive(Default)]
struct Parts(Vec<Part>);

impl Parts {
    fn literal(&mut self, text: &str) {
        match self.0.last_mut() {
            _ if text.is_empty() => {}
            Some(Part::Literal { literal }) => literal.push_str(text),
            _ => self.0.push(Part::Literal { literal: text.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use redis_keys_core::Kind;
    use redis_keys_core::schema::{Parameter, Schema};

    use super::*;

    fn schema(template: &str, lines: &[(&str, &str, ParameterForm)]) -> Schema<String> {
        let parameters = lines.iter().map(|(name, ty, form)| {
            Parameter::new((*name).to_owned(), (*ty).to_owned(), template.contains(&format!("#{name}")), *form)
        });
        Schema::new("Name", template, Kind::String, &parameters.collect())
    }

    /// The text in one line: `{0}` for a parameter, `{0.}` for a word, and the text that ends a parameter behind `|`.
    fn shown(text: &KeyText) -> String {
        let part = |part: &Part| match part {
            Part::Literal { literal } => format!("‹{literal}›"),
            Part::Parameter { parameter, whole } => format!("{{{parameter}{}}}", if *whole { "" } else { "." }),
            Part::Formatted { parameter, by, zeros, ends } => format!("{{{parameter} {by:?} {zeros} | {ends}}}"),
        };
        let parts: String = text.parts.iter().map(part).collect();
        format!("{parts} {} {}", text.open, text.parses)
    }

    #[test]
    fn a_template_has_its_parts() {
        use ParameterForm::{Digest, Plain, Shard};
        for (template, parameters, expected) in [
            ("event:log:stream", vec![], "‹event:log:stream› 0 true"),
            (
                "user:v.{a}.x:{#b}:{c}:string",
                vec![("a", "u8", Plain), ("b", "u8", Plain), ("c", "String", Plain)],
                "‹user:v.›{0.}‹.x:{›{1}‹}:›{2}‹:string› 2 true",
            ),
            ("user:a:{a % 8}:set", vec![("a", "u8", Shard(8))], "‹user:a:›{0}‹:set› 0 false"),
            ("user:{a % 8}:{a}:set", vec![("a", "u8", Shard(8)), ("a", "u8", Plain)], "‹user:›{0}‹:›{1}‹:set› 1 true"),
            ("user:by:{a}:set", vec![("a", "String", Digest)], "‹user:by:›{0}‹:set› 0 false"),
        ] {
            let schema = schema(template, &parameters);
            let text =
                Template::parse(template).map(|template| KeyText::of_template(&template, schema.parameters.as_str()));
            assert_eq!(text.as_ref().map(shown).as_deref(), Some(expected), "{template}");
        }
    }

    #[test]
    fn a_legacy_text_has_its_parts() {
        let fields = [("a", "u32", ParameterForm::Plain), ("b", "&'a str", ParameterForm::Plain)];
        for (legacy, expected) in [
            ("{{{a:x}}}-{b}", "‹{›{0 LowerHex 0 | }-}‹}-›{1 Display 0 | } 1 false"),
            ("{b}/{a:05}", "{1 Display 0 | }‹/›{0 Display 5 | } 0 true"),
            ("S:{b}/{a}:{b}", "‹S:›{1 Display 0 | /}‹/›{0 Display 0 | :}‹:›{1 Display 0 | } 2 true"),
        ] {
            let mut schema = schema("old:{a}:{b}:string", &fields);
            schema.legacy = Some(legacy.to_owned());
            let text = Legacy::of_schema(&schema).map(|legacy| KeyText::of_legacy(&legacy));
            assert_eq!(text.as_ref().map(shown).as_deref(), Some(expected), "{legacy}");
        }
    }
}
