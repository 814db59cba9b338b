//! The input: an item with its attributes and its fields, as text.

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
