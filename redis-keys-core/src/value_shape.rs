//! The shape of a stored value: what a form writes and reads, as `cargo redis-keys values` compares it.
//!
//! A [`Form`] is written as text, with a line for each field and each variant, and read again:
//!
//! ```
//! use redis_keys_core::value_shape::Form;
//!
//! let text = "\
//! Json<{
//!   name: text
//!   plan: enum {
//!     Free
//!     Pro: u8
//!   }
//!   zip: text?
//! }>";
//! let form: Form = text.parse()?;
//! assert_eq!(form.to_string(), text);
//! # Ok::<(), redis_keys_core::value_shape::ParseError>(())
//! ```

mod parse;
mod print;
#[cfg(test)]
mod tests;

pub use parse::ParseError;

/// A stored form with the shape of its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A number as text.
    Number(Number),
    /// A `bool` as text.
    Bool,
    /// Text. With a name it follows the rules of a type, such as `Uuid`.
    Text(Option<String>),
    /// Bytes as they are.
    Bytes,
    /// The data of a serde type.
    Serde(Codec, Shape),
    /// A Protobuf message.
    Protobuf(Shape),
    /// Another form, compressed.
    Compressed(Compression, Box<Form>),
    /// Another form, encrypted.
    Secret(Box<Form>),
    /// The fields of a record, each in its own form.
    Record(Vec<RecordField>),
    /// A form that the program implements, or a type without a form that is known: its name.
    Own(String),
}

/// How serde's data becomes bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// JSON.
    Json,
    /// MessagePack, with the names of fields.
    MessagePack,
    /// Postcard, by position, with the number that the user writes.
    Postcard(u8),
}

/// A compression format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// gzip.
    Gzip,
    /// LZ4.
    Lz4,
    /// Snappy.
    Snappy,
    /// Zstandard.
    Zstd,
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordField {
    /// The stored name.
    pub name: String,
    /// The form of the field's value.
    pub form: Form,
    /// Whether a record without it is read.
    pub is_optional: bool,
}

/// What a serde type writes and reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Nothing, as `()`.
    Unit,
    /// `true` or `false`.
    Bool,
    /// One character.
    Char,
    /// A number.
    Number(Number),
    /// Any text.
    Text,
    /// A text that the type's own rules accept, as this one.
    TextLike(String),
    /// Bytes.
    Bytes,
    /// A value that can be absent.
    Option(Box<Shape>),
    /// A list of any length.
    List(Box<Shape>),
    /// A list of known length.
    Tuple(Vec<Shape>),
    /// Keys and values.
    Map(Box<(Shape, Shape)>),
    /// Named fields.
    Struct(Struct),
    /// One of several variants.
    Enum(Enum),
    /// One of several shapes, which no name tells apart: the first one that fits is read. `untagged`.
    OneOf(Vec<Shape>),
    /// The type reads whatever its own rules accept. What it writes is known, or is [`Unknown`](Self::Unknown).
    Any(Box<Shape>),
    /// The type's own rules reject these values.
    Checked(Box<Shape>, Vec<String>),
    /// The type around it, so many levels up: a recursive type.
    Recursive(usize),
    /// Not known.
    Unknown,
}

/// The number types of serde.
#[allow(missing_docs, reason = "the types of Rust")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    U8,
    U16,
    U32,
    U64,
    U128,
    I8,
    I16,
    I32,
    I64,
    I128,
    F32,
    F64,
}

/// Named fields, in the order in which they are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Struct {
    /// The fields.
    pub fields: Vec<Field>,
    /// Whether other fields are rejected: `deny_unknown_fields`.
    pub rejects_others: bool,
    /// Whether serde buffers it, so that it may have more fields.
    pub is_partly_known: bool,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The stored name.
    pub name: String,
    /// Its value.
    pub shape: Shape,
    /// Whether it is read.
    pub read: Read,
    /// Whether it is written.
    pub written: Written,
    /// Other names under which it is read.
    pub aliases: Vec<String>,
}

/// Whether a field is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// A value without it is not read.
    Needed,
    /// A value without it is read.
    Optional,
    /// It is ignored.
    Never,
    /// Not known.
    Unknown,
}

/// Whether a field, or a variant, is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// In each value.
    Always,
    /// In some values.
    Sometimes,
    /// In no value.
    Never,
}

/// One of several variants, in the order of their declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enum {
    /// The variants.
    pub variants: Vec<Variant>,
    /// Whether a name that is none of theirs is read as one of them: `#[serde(other)]`.
    pub reads_others: bool,
    /// The field that names the variant, if there is one.
    pub tag: Option<String>,
    /// The field of the variant's content beside the tag, if there is one.
    pub content: Option<String>,
}

/// A variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The stored name.
    pub name: String,
    /// Its content.
    pub content: Content,
    /// Whether it is written. An alias never is.
    pub is_written: bool,
}

/// The content of a variant, as serde distinguishes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing.
    Unit,
    /// A single value.
    Newtype(Shape),
    /// Several values.
    Tuple(Vec<Shape>),
    /// Named fields.
    Struct(Struct),
}

impl Number {
    /// Each number with its Rust type.
    const NAMES: [(Self, &'static str); 12] = [
        (Self::U8, "u8"),
        (Self::U16, "u16"),
        (Self::U32, "u32"),
        (Self::U64, "u64"),
        (Self::U128, "u128"),
        (Self::I8, "i8"),
        (Self::I16, "i16"),
        (Self::I32, "i32"),
        (Self::I64, "i64"),
        (Self::I128, "i128"),
        (Self::F32, "f32"),
        (Self::F64, "f64"),
    ];

    /// Returns the type's name.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(number, _)| *number == self).map_or("", |(_, name)| name)
    }

    /// Whether it is no integer.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    /// Returns the number of this name.
    pub fn of(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, known)| *known == name).map(|(number, _)| *number)
    }
}

impl Compression {
    /// Each format with the name of its form.
    const NAMES: [(Self, &'static str); 4] =
        [(Self::Gzip, "Gzip"), (Self::Lz4, "Lz4"), (Self::Snappy, "Snappy"), (Self::Zstd, "Zstd")];

    /// Returns the form's name.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(format, _)| *format == self).map_or("", |(_, name)| name)
    }

    /// Returns the format of this form's name.
    pub fn of(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, known)| *known == name).map(|(format, _)| *format)
    }
}

impl Field {
    /// A field that is always read and written.
    pub fn new(name: impl Into<String>, shape: Shape) -> Self {
        Self { name: name.into(), shape, read: Read::Needed, written: Written::Always, aliases: Vec::new() }
    }
}
