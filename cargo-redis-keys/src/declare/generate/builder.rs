//! The keys of a catalog for which builders are generated.

use redis_keys_core::schema::ParameterForm;

use crate::Failure;
use crate::declare::catalog::{Argument, Catalog, Key, KeyText, Parameter, Part, WrittenBy};
use crate::render::units::things;

/// The length from which an array is too long for vectors.
const MAX_ARRAY_BYTES: u64 = 1 << 16;

/// A key for which a builder is generated.
#[derive(Clone, Debug)]
pub(crate) struct Builder<'c> {
    pub(crate) key: &'c Key,
    /// The text in use.
    pub(crate) text: &'c KeyText,
    /// The other text, if the key has one that can be written.
    pub(crate) other_text: Option<&'c KeyText>,
    /// The arguments, in the order of the template.
    pub(crate) fields: Vec<Field<'c>>,
}

/// An argument of a builder: a field of the struct, or the number of a copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'c> {
    /// The name of the field, or its index.
    pub(crate) name: &'c str,
    pub(crate) argument: &'c Argument,
    /// The parameter that its value is read from, and not only a shard of it.
    pub(crate) parameter: &'c Parameter,
}

/// The source of a field's value: the index among the texts of a key, and the form there.
type Place = Option<(usize, ParameterForm)>;

/// A key without a builder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LeftOut<'c> {
    pub(crate) key: &'c Key,
    /// The reason, a clause without a full stop.
    pub(crate) why: String,
}

/// The keys with builders, in the order of the catalog, and the other keys.
pub(crate) fn builders(catalog: &Catalog) -> Result<(Vec<Builder<'_>>, Vec<LeftOut<'_>>), Failure> {
    let (mut builders, mut left_out) = (Vec::new(), Vec::new());
    for key in &catalog.keys {
        let text = key.text.as_ref().ok_or_else(|| outdated(catalog))?;
        match Builder::new(key, text) {
            Ok(builder) => builders.push(builder),
            Err(why) => left_out.push(LeftOut { key, why }),
        }
    }
    Ok((builders, left_out))
}

/// The failure for a file of an earlier version.
fn outdated(catalog: &Catalog) -> Failure {
    let keys = things(catalog.keys.len() as u64, "key");
    Failure::new(format!("the catalogue of {keys} was written by an older version, and lacks what `generate` needs"))
        .help("write the catalogue again with this version: `cargo redis-keys catalog --format json --out FILE`")
}

impl<'c> Builder<'c> {
    /// The builder of a key, or the reason why it has none.
    fn new(key: &'c Key, text: &'c KeyText) -> Result<Self, String> {
        if let Some(condition) = &key.condition {
            return Err(format!("it is declared only if `{condition}` holds"));
        }
        let mut fields: Vec<Field<'c>> = Vec::new();
        for parameter in &key.parameters {
            let field = Field::new(parameter)?;
            match fields.iter_mut().find(|other| other.name == field.name) {
                Some(other) if matches!(other.parameter.form, ParameterForm::Shard(_)) => *other = field,
                Some(_) => {}
                None => fields.push(field),
            }
        }
        check_text(key, text)?;
        let other_text = key.other_text.as_ref().filter(|other| check_text(key, other).is_ok());
        Ok(Self { key, text, other_text, fields })
    }

    /// Whether a text is the legacy text, and so has no namespace.
    pub(crate) fn is_legacy(&self, text: &KeyText) -> bool {
        let is_in_use = std::ptr::eq(text, self.text);
        is_in_use == self.key.legacy.is_some()
    }

    /// The index of the field that a parameter shows.
    pub(crate) fn field_of(&self, parameter: usize) -> Option<usize> {
        let name = &self.key.parameters.get(parameter)?.name;
        self.fields.iter().position(|field| field.name == name)
    }

    /// The literals around the parameters of the text in use, and the place of each field.
    pub(crate) fn places(&self) -> (Vec<String>, Vec<Place>) {
        let (mut literals, mut places) = (vec![String::new()], vec![None; self.fields.len()]);
        for part in &self.text.parts {
            let (parameter, is_formatted) = match part {
                Part::Literal { literal } => {
                    literals.last_mut().into_iter().for_each(|last| last.push_str(literal));
                    continue;
                }
                Part::Parameter { parameter, .. } => (*parameter, false),
                Part::Formatted { parameter, .. } => (*parameter, true),
            };
            let index = literals.len() - 1;
            literals.push(String::new());
            let form = self.key.parameters.get(parameter).map(|parameter| parameter.form);
            let place = self.field_of(parameter).and_then(|field| places.get_mut(field));
            if let (Some(form), Some(place @ None)) = (form, place) {
                // A shard does not show the value.
                if is_formatted || !matches!(form, ParameterForm::Shard(_)) {
                    *place = Some((index, form));
                }
            }
        }
        (literals, places)
    }
}

impl<'c> Field<'c> {
    fn new(parameter: &'c Parameter) -> Result<Self, String> {
        let name = parameter.name.as_str();
        let Some(argument) = &parameter.facts.argument else {
            let unknown = || format!("the type `{}` is not known", parameter.type_name);
            return Err(format!("`{name}` is unknown: {}", parameter.facts.why.clone().unwrap_or_else(unknown)));
        };
        let fits = match parameter.form {
            ParameterForm::Digest | ParameterForm::Base32 => {
                matches!(argument, Argument::Text | Argument::Bytes { .. })
            }
            ParameterForm::Slug(_) => matches!(argument, Argument::Text),
            ParameterForm::Shard(shards) => matches!(argument, Argument::Integer(_) | Argument::Uuid) && shards > 0,
            ParameterForm::Copy(_) => matches!(argument, Argument::Integer(_)),
            ParameterForm::Plain => !matches!(argument, Argument::Bytes { .. }),
            _ => false,
        };
        if matches!(argument, Argument::Bytes { length: Some(MAX_ARRAY_BYTES..) }) {
            return Err(format!("`{name}` is too long an array"));
        }
        if fits { Ok(Self { name, argument, parameter }) } else { Err(format!("`{name}` cannot have this form")) }
    }
}

/// Checks whether all parameters of a text can be written without the code of their types.
fn check_text(key: &Key, text: &KeyText) -> Result<(), String> {
    for part in &text.parts {
        let (parameter, format) = match part {
            Part::Literal { .. } => continue,
            Part::Parameter { parameter, .. } => (parameter, None),
            Part::Formatted { parameter, by, zeros, .. } => (parameter, Some((*by, *zeros))),
        };
        let Some(parameter) = key.parameters.get(*parameter) else {
            return Err("its text has a parameter that the key does not have".to_owned());
        };
        let name = &parameter.name;
        if let (Some((by, zeros)), Some(argument)) = (format, &parameter.facts.argument) {
            if parameter.facts.own_display {
                return Err(format!("the `Display` of `{}` writes `{name}` in its legacy text", parameter.type_name));
            }
            if !is_formatted(argument, by, zeros) {
                return Err(format!("only Rust writes the format of `{name}` in its legacy text"));
            }
        }
    }
    Ok(())
}

/// Whether other languages can write an argument in this format as Rust does.
fn is_formatted(argument: &Argument, by: WrittenBy, zeros: u8) -> bool {
    match argument {
        Argument::Integer(_) => true,
        Argument::Bool => zeros == 0 && matches!(by, WrittenBy::Display | WrittenBy::Debug),
        Argument::Bytes { .. } | Argument::Names { .. } => false,
        _ => zeros == 0 && by == WrittenBy::Display,
    }
}
