//! The parameters of a key.

use redis_keys_core::ValueSet;

use super::json::{Json, Object};
use super::values::Values;
use crate::item::Item;
use crate::rust_type::shown_type;
use crate::template::{Encoding, Placeholder};

/// A parameter of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name of the field.
    pub name: String,
    /// The type of the field, as rustfmt writes it.
    pub type_name: String,
    /// Whether it is the key's hash tag.
    pub hash_tag: bool,
    /// How it is written in the key.
    pub form: ParameterForm,
    /// Whether it is a whole segment, and so may be several words.
    pub whole_segment: bool,
    /// The texts that it can have.
    pub values: Values,
}

/// How a parameter is written in the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterForm {
    /// As its type writes it.
    Plain,
    /// Modulo this number of shards.
    Shard(u32),
    /// As the index of one of this number of copies.
    Copy(u32),
    /// As a digest, or in base32.
    Encoded(Encoding),
}

impl Parameter {
    /// The parameter in a placeholder, unless its field is missing.
    pub fn of(placeholder: &Placeholder, item: &Item<'_>) -> Option<Self> {
        let Placeholder { hash_tag, whole_segment, .. } = *placeholder;
        if let Some(copies) = placeholder.copies {
            let (name, type_name) = (placeholder.name.clone(), "u32".to_owned());
            let (form, values) = (ParameterForm::Copy(copies), below(copies));
            // The runtime has no hash tag for it.
            return Some(Self { name, type_name, hash_tag: false, form, whole_segment, values });
        }
        let field = item.fields.get(placeholder.field?)?;
        let (form, values) = match (placeholder.shards, placeholder.encoding) {
            (Some(shards), _) => (ParameterForm::Shard(shards), below(shards)),
            (None, Some(encoding)) => {
                let values = match encoding {
                    // 128 bits.
                    Encoding::Digest => Values::Hex { digits: 32 },
                    Encoding::Base32 => Values::Base32,
                };
                (ParameterForm::Encoded(encoding), values)
            }
            (None, None) => (ParameterForm::Plain, Values::of_type(field.ty)),
        };
        let (name, type_name) = (field.name.clone(), shown_type(field.ty));
        Some(Self { name, type_name, hash_tag, form, whole_segment, values })
    }

    /// Whether it can contain a `.`, or `None` if that is unknown.
    pub fn is_dotted(&self) -> Option<bool> {
        if self.whole_segment { self.values.is_dotted() } else { Some(false) }
    }
}

fn below(count: u32) -> Values {
    ValueSet::up_to(u128::from(count.saturating_sub(1))).into()
}

impl Json for Parameter {
    fn write(&self, out: &mut String) {
        let (form, shards, copies) = match self.form {
            ParameterForm::Plain => ("plain", None, None),
            ParameterForm::Shard(shards) => ("shard", Some(u64::from(shards)), None),
            ParameterForm::Copy(copies) => ("copy", None, Some(u64::from(copies))),
            ParameterForm::Encoded(encoding) => (encoding.name(), None, None),
        };
        let object = Object::new()
            .field("name", &self.name)
            .field("type", &self.type_name)
            .field("hash_tag", &self.hash_tag)
            .field("form", form)
            .field("shards", &shards)
            .field("copies", &copies)
            .field("values", &self.values)
            .field("dotted", &self.is_dotted());
        object.write(out);
    }
}
