//! The input: an item with its attributes and its fields, as text.

use crate::place::Place;

/// An item that derives `RedisKey`.
#[derive(Clone, Debug)]
pub struct Item<'t> {
    /// Its name without `r#`.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
    /// Whether it has a doc comment.
    pub documented: bool,
    /// Its `redis_key` attributes.
    pub attributes: Vec<Attribute<'t>>,
    /// Its fields, in order.
    pub fields: Vec<Field<'t>>,
}

impl<'t> Item<'t> {
    /// The names of the fields that are parameters.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &str> + Clone {
        self.fields.iter().filter(|field| !field.phantom).map(|field| field.name.as_str())
    }

    /// The text of the attribute that a place is in.
    pub(crate) fn text_of(&self, place: &Place) -> Option<&'t str> {
        match place {
            Place::Attribute(_) => self.attributes.first()?.text(),
            _ => text_of_field(&self.fields, place),
        }
    }
}

/// The text of the attribute of a field that a place is in.
pub(crate) fn text_of_field<'t>(fields: &[Field<'t>], place: &Place) -> Option<&'t str> {
    let Place::FieldAttribute(field, index, _) = place else { return None };
    fields.get(*field)?.attributes.get(*index)?.text()
}

/// The shape of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A struct of any kind.
    Struct,
    /// An enum.
    Enum,
    /// A union.
    Union,
}

/// A `redis_key` attribute.
#[derive(Clone, Copy, Debug)]
pub enum Attribute<'t> {
    /// `#[redis_key(…)]`: the text in the parentheses.
    Arguments(&'t str),
    /// `#[redis_key = …]`: the text after the `=`.
    Value(&'t str),
    /// `#[redis_key]`.
    Word,
}

impl<'t> Attribute<'t> {
    /// The text in the parentheses.
    pub(crate) fn text(&self) -> Option<&'t str> {
        match self {
            Self::Arguments(text) => Some(text),
            _ => None,
        }
    }
}

/// A field of a struct.
#[derive(Clone, Debug)]
pub struct Field<'t> {
    /// Its name without `r#`, or its index in a tuple struct.
    pub name: String,
    /// Its type, as text.
    pub ty: &'t str,
    /// Whether it is a `PhantomData`, which is not a parameter.
    pub phantom: bool,
    /// Its `redis_key` attributes.
    pub attributes: Vec<Attribute<'t>>,
}
