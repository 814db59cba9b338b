//! Legacy texts: the format strings that wrote keys before they were declared, as `legacy` and `formerly` give them.

mod glob;

use std::ops::Range;

pub use glob::Glob;
use glob::{Bytes, Token};
use redis_keys_core::legacy::{Format, FormatPart, FormatTrait, WrittenForm, format_parts};
use redis_keys_core::schema::{Parameter, ParameterForm, Schema};

use crate::Rule;
use crate::diagnostic::Diagnostic;
use crate::edit::Suggestion;
use crate::item::Item;
use crate::place::Place;
use crate::rust_type::{behind_pointers, integer_max, is_integer};
use crate::suggest::list;
use crate::warning::AMBIGUOUS_TEXT;

/// A legacy text that was read.
#[derive(Clone, Debug)]
pub struct Legacy {
    /// The format string.
    pub text: String,
    /// Its place, without quotes.
    pub range: Range<usize>,
    /// Whether it is in use, as `legacy` and not `formerly` says.
    pub in_use: bool,
    /// Whether different values may share a key.
    pub ambiguous: bool,
    /// The fields, in the order of the text. A field can be there several times.
    pub fields: Vec<LegacyField>,
    /// The literal text before each field, and after the last field.
    pub literals: Vec<String>,
}

/// A field of a legacy text.
#[derive(Clone, Debug)]
pub struct LegacyField {
    /// The field's index.
    pub field: usize,
    /// The index of the field among the template's parameters.
    pub parameter: usize,
    /// Its type, without references and smart pointers.
    pub ty: String,
    /// Its format.
    pub format: Format,
    /// Whether its value is declared to contain no `:`.
    pub no_colon: bool,
    /// Its place, with the braces.
    pub range: Range<usize>,
}

impl Legacy {
    /// Reads the legacy text of a declared key. Returns `None` if the key has no text, or a text that no declaration
    /// can have. A field's index is its parameter's index, and ranges are ranges in the text.
    pub fn of_schema(schema: &Schema<String>) -> Option<Self> {
        let text = schema.legacy.as_ref().or(schema.formerly.as_ref())?;
        let mut legacy = Self {
            text: text.clone(),
            range: 0..text.len(),
            in_use: schema.legacy.is_some(),
            ambiguous: schema.allowed.as_str().iter().any(|allowed| allowed.lint == AMBIGUOUS_TEXT),
            fields: Vec::new(),
            literals: vec![String::new()],
        };
        for part in format_parts(text) {
            match part {
                FormatPart::Literal(text) => legacy.literals.last_mut()?.push_str(text),
                FormatPart::Stray { .. } => return None,
                FormatPart::Field { name, format, range } => {
                    let parameters = || schema.parameters.as_str().iter();
                    let is_it = |parameter: &Parameter<&str>| parameter.name == name;
                    let is_whole = |form| !matches!(form, ParameterForm::Shard(_) | ParameterForm::Copy(_));
                    let whole = parameters().position(|parameter| is_it(&parameter) && is_whole(parameter.form));
                    let index = whole.or_else(|| parameters().position(|parameter| is_it(&parameter)))?;
                    legacy.fields.push(LegacyField {
                        field: index,
                        parameter: index,
                        ty: behind_pointers(parameters().nth(index)?.type_name).to_owned(),
                        format: Format::read(format)?,
                        no_colon: parameters().any(|parameter| is_it(&parameter) && parameter.no_colon),
                        range,
                    });
                    legacy.literals.push(String::new());
                }
            }
        }
        Some(legacy)
    }

    /// Its option's name.
    pub fn option(&self) -> &'static str {
        if self.in_use { "legacy" } else { "formerly" }
    }

    /// The literal text before the field at `index`, and the literal text after it if another field follows.
    pub fn around(&self, index: usize) -> (&str, &str) {
        let literal = |index: usize| self.literals.get(index).map_or("", String::as_str);
        let last = index + 1 >= self.fields.len();
        (literal(index), if last { "" } else { literal(index + 1) })
    }

    /// The index of the field that may contain anything. Fields before it end where the text after them first occurs.
    /// Fields behind it can be read from the right, because their types never contain the text before them.
    pub fn open(&self) -> usize {
        let cannot_contain = |index: &usize| {
            let (before, _) = self.around(*index);
            let bytes = self.fields.get(*index).map_or(Bytes::ALL, LegacyField::bytes);
            before.bytes().any(|byte| !bytes.contains(byte))
        };
        let last = self.fields.len().saturating_sub(1);
        let closed = (1..=last).rev().take_while(cannot_contain).count();
        last - closed
    }

    /// The text that ends each field, which its value must not contain. It is empty for a field that may contain
    /// anything.
    pub fn ends(&self) -> Vec<&str> {
        let open = if self.ambiguous { 0 } else { self.open() };
        (0..self.fields.len()).map(|index| if index < open { self.around(index).1 } else { "" }).collect()
    }

    /// The keys that it can give: more where only the compiler knows a type.
    pub fn glob(&self) -> Glob {
        let mut glob = Glob::default();
        let (mut literals, ends) = (self.literals.iter(), self.ends());
        glob.push_literal(literals.next().map_or("", String::as_str));
        for ((field, end), literal) in self.fields.iter().zip(ends).zip(literals) {
            let token = |repeats| Token { bytes: field.bytes(), repeats };
            match field.form() {
                WrittenForm::Uuid => glob.push_uuid(),
                WrittenForm::Exactly(_, count) => glob.tokens.extend(std::iter::repeat_n(token(false), count)),
                form => {
                    let mut any = token(true);
                    // A field that ends at a single byte cannot contain it.
                    if let [byte] = end.as_bytes() {
                        any.bytes = any.bytes.without(*byte);
                    }
                    if form != WrittenForm::Any {
                        glob.tokens.push(Token { repeats: false, ..any });
                    }
                    glob.tokens.push(any);
                }
            }
            glob.push_literal(literal);
        }
        glob
    }
}

impl Legacy {
    /// The suggestion where keys of the text can be keys of another text.
    pub(crate) fn suggest_apart(&self, item: &Item<'_>, other: &Glob) -> Suggestion {
        const ALLOW: &str = "add `allow(overlap, reason = \"…\")`";
        let mut narrowed = self.clone();
        let mut indices = Vec::new();
        for field in narrowed.fields.iter_mut().filter(|field| !field.no_colon) {
            let is_plain = item.fields.get(field.field).is_some_and(|field| field.attributes.is_empty());
            if is_plain && field.bytes().contains(b':') {
                field.no_colon = true;
                indices.push(field.field);
            }
        }
        indices.dedup();
        if indices.is_empty() || narrowed.glob().overlaps(other) {
            return format!("make the texts differ, or {ALLOW}").into();
        }
        let names = indices.iter().filter_map(|index| item.fields.get(*index)).map(|field| field.name.as_str());
        let names = list(names, "and");
        let help = format!("add `#[redis_key(no_colon)]` to {names} if the value never contains `:`, or {ALLOW}");
        let flag = |help: Suggestion, index| help.with(Place::WholeFieldAttribute(index, 0), "redis_key(no_colon)");
        indices.into_iter().fold(help.into(), flag)
    }

    /// The error where a key of the text, or of the template, can be a key of another text, which `other` names.
    pub fn overlap(&self, item: &Item<'_>, other: &str, glob: &Glob) -> Diagnostic {
        let message = format!("a key of this declaration can be one of {other}");
        Diagnostic::new(self.range.clone(), Rule::OneKeyEach, message, self.suggest_apart(item, glob))
    }

    /// The same for a declaration with a template alone, at this place.
    pub fn overlap_of_template(template: Range<usize>, other: &str) -> Diagnostic {
        let message = format!("a key of this template can be one of {other}");
        let help = "make the texts differ, or add `allow(overlap, reason = \"…\")`";
        Diagnostic::new(template, Rule::OneKeyEach, message, help)
    }
}

/// The number of digits of an integer that is always filled up with zeros.
fn fixed_digits(ty: &str, format: Format) -> Option<usize> {
    let largest = integer_max(ty).filter(|_| ty.starts_with('u'))?;
    let longest = match format.by {
        FormatTrait::Display => largest.to_string().len(),
        FormatTrait::LowerHex | FormatTrait::UpperHex => format!("{largest:x}").len(),
        FormatTrait::Debug => return None,
    };
    let zeros = usize::from(format.zeros);
    (zeros >= longest).then_some(zeros)
}

impl LegacyField {
    /// The texts that a value is written as, by its type's name. A value that is written otherwise is rejected.
    pub fn form(&self) -> WrittenForm {
        let ty = self.ty.as_str();
        let bytes = match self.format.by {
            FormatTrait::Display | FormatTrait::Debug if is_integer(ty) => {
                if ty.starts_with('i') {
                    "-0123456789"
                } else {
                    "0123456789"
                }
            }
            FormatTrait::LowerHex if is_integer(ty) => WrittenForm::HEX,
            FormatTrait::UpperHex if is_integer(ty) => "0123456789ABCDEF",
            FormatTrait::Display if matches!(ty, "Uuid" | "uuid::Uuid") => return WrittenForm::Uuid,
            FormatTrait::Display | FormatTrait::Debug if ty == "bool" => "truefals",
            FormatTrait::Display => match ty.rsplit("::").next() {
                Some("Ipv4Addr") => "0123456789.",
                Some("Ipv6Addr" | "IpAddr") => "0123456789abcdef:.",
                _ => return WrittenForm::Any,
            },
            _ => return WrittenForm::Any,
        };
        fixed_digits(ty, self.format).map_or(WrittenForm::Of(bytes), |count| WrittenForm::Exactly(bytes, count))
    }

    /// The bytes that a value can be written with.
    fn bytes(&self) -> Bytes {
        let bytes = match self.form() {
            WrittenForm::Any => Bytes::ALL,
            WrittenForm::Of(bytes) | WrittenForm::Exactly(bytes, _) => Bytes::of(bytes.as_bytes()),
            WrittenForm::Uuid => Bytes::of(WrittenForm::HEX.as_bytes()).with(b'-'),
        };
        if self.no_colon { bytes.without(b':') } else { bytes }
    }
}
