//! Lists in a schema: parameters and allowed lints. A constant has each as one text, with a line for each item.

use std::fmt;

use crate::ValueSet;

/// The parameters of a key, in the order of the template.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Parameters<T = &'static str> {
    /// A line `name: type` for each parameter; the name is `#name` for a hash tag, `name % 1000` for a shard, `name
    /// digest`, `name base32` or `name slug 60` for an encoding, and `copy of 8` for copies. ` no_colon` follows
    /// where it is declared.
    pub(super) lines: T,
}

const NO_COLON: &str = " no_colon";

/// A parameter of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Parameter<T = &'static str> {
    /// The name of the field.
    pub name: T,
    /// The type of the field, as written in the declaration.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub type_name: T,
    /// Whether the parameter is the key's hash tag: `{#name}`.
    pub hash_tag: bool,
    /// The form of the parameter in the key.
    #[cfg_attr(feature = "serde", serde(flatten, with = "super::serialize::form"))]
    pub form: ParameterForm,
    /// Whether the field has `no_colon`: a value with `:` is rejected, for a legacy text.
    #[cfg_attr(feature = "serde", serde(default))]
    pub no_colon: bool,
}

/// The form of a parameter in a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterForm {
    /// As its type writes it.
    Plain,
    /// Modulo this number of shards: `{name % 1000}`.
    Shard(u32),
    /// The first 128 bits of its SHA-256, in hexadecimal digits.
    Digest,
    /// The index of one of this number of copies.
    Copy(u32),
    /// In base32, lower case, without padding.
    Base32,
    /// A slug such as `green-tea`, with `.` in place of its hyphens, of at most this number of bytes.
    Slug(Option<u32>),
}

impl<T> Parameter<T> {
    #[doc(hidden)]
    pub const fn new(name: T, type_name: T, hash_tag: bool, form: ParameterForm) -> Self {
        Self { name, type_name, hash_tag, form, no_colon: false }
    }

    /// Returns the parameter with other texts.
    #[doc(hidden)]
    pub fn map<U>(self, text: impl Fn(T) -> U) -> Parameter<U> {
        let Self { name, type_name, hash_tag, form, no_colon } = self;
        Parameter { name: text(name), type_name: text(type_name), hash_tag, form, no_colon }
    }
}

impl<'s> Parameter<&'s str> {
    fn parse(line: &'s str) -> Option<Self> {
        let (name, type_name) = line.split_once(": ")?;
        let without_flag = name.strip_suffix(NO_COLON);
        let (name, no_colon) = (without_flag.unwrap_or(name), without_flag.is_some());
        let tagged = name.strip_prefix('#');
        let (name, form) = match tagged.unwrap_or(name).split_once(' ') {
            Some((name, form)) => (name, ParameterForm::parse(form)?),
            None => (tagged.unwrap_or(name), ParameterForm::Plain),
        };
        Some(Self { name, type_name, hash_tag: tagged.is_some(), form, no_colon })
    }
}

impl<T: fmt::Display> Parameter<T> {
    /// Returns the line that [`parse`](Parameter::parse) reads.
    fn line(&self) -> String {
        let Self { name, type_name, hash_tag, form, no_colon } = self;
        let tag = if *hash_tag { "#" } else { "" };
        let form = match form {
            ParameterForm::Plain => String::new(),
            ParameterForm::Digest => " digest".to_owned(),
            ParameterForm::Base32 => " base32".to_owned(),
            ParameterForm::Slug(None) => " slug".to_owned(),
            ParameterForm::Slug(Some(bytes)) => format!(" slug {bytes}"),
            ParameterForm::Shard(shards) => format!(" % {shards}"),
            ParameterForm::Copy(copies) => format!(" of {copies}"),
        };
        let no_colon = if *no_colon { NO_COLON } else { "" };
        // A type with a string literal can have several lines.
        format!("{tag}{name}{form}{no_colon}: {type_name}").replace(['\n', '\r'], " ")
    }
}

impl ParameterForm {
    /// Returns the texts of a parameter in this form, or `None` if its type determines them.
    #[doc(hidden)]
    pub const fn values(self) -> Option<ValueSet> {
        match self {
            Self::Plain => None,
            Self::Shard(count) | Self::Copy(count) => Some(ValueSet::up_to(count.saturating_sub(1) as u128)),
            // 128 bits.
            Self::Digest => Some(ValueSet::Hex { digits: 32 }),
            Self::Base32 => Some(ValueSet::Base32),
            Self::Slug(_) => Some(ValueSet::Any),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        match text {
            "digest" => Some(Self::Digest),
            "base32" => Some(Self::Base32),
            "slug" => Some(Self::Slug(None)),
            other => {
                let number = |before| other.strip_prefix(before)?.parse().ok();
                number("% ")
                    .map(Self::Shard)
                    .or_else(|| number("of ").map(Self::Copy))
                    .or_else(|| number("slug ").map(|bytes| Self::Slug(Some(bytes))))
            }
        }
    }
}

impl<'s> Parameters<&'s str> {
    /// Iterates over the parameters.
    pub fn iter(self) -> impl Iterator<Item = Parameter<&'s str>> {
        self.lines.lines().filter_map(Parameter::parse)
    }

    /// Returns the parameter at `index`.
    pub fn get(self, index: usize) -> Option<Parameter<&'s str>> {
        self.iter().nth(index)
    }

    /// Returns the number of parameters.
    pub fn len(self) -> usize {
        self.iter().count()
    }

    /// Returns whether there are none.
    pub const fn is_empty(self) -> bool {
        self.lines.is_empty()
    }
}

#[doc(hidden)]
impl<T: fmt::Display> FromIterator<Parameter<T>> for Parameters<String> {
    fn from_iter<I: IntoIterator<Item = Parameter<T>>>(parameters: I) -> Self {
        let lines: Vec<String> = parameters.into_iter().map(|parameter| parameter.line()).collect();
        Self { lines: lines.join("\n") }
    }
}

impl<T: AsRef<str>> fmt::Debug for Parameters<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(Parameters { lines: self.lines.as_ref() }.iter()).finish()
    }
}

/// The lints that a declaration allows.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Allowances<T = &'static str> {
    /// A line `lint: reason` for each lint.
    pub(super) lines: T,
}

/// A lint that a declaration allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Allowance<T = &'static str> {
    /// The name of the lint.
    pub lint: T,
    /// The reason that the declaration gives.
    pub reason: T,
}

impl<T> Allowance<T> {
    #[doc(hidden)]
    pub const fn new(lint: T, reason: T) -> Self {
        Self { lint, reason }
    }
}

impl<T> Allowances<T> {
    pub(super) fn map<U>(self, text: impl FnOnce(T) -> U) -> Allowances<U> {
        Allowances { lines: text(self.lines) }
    }
}

impl<'s> Allowances<&'s str> {
    /// Iterates over the lints.
    pub fn iter(self) -> impl Iterator<Item = Allowance<&'s str>> {
        self.lines.lines().filter_map(|line| line.split_once(": ").map(|(lint, reason)| Allowance { lint, reason }))
    }

    /// Returns whether there are none.
    pub const fn is_empty(self) -> bool {
        self.lines.is_empty()
    }
}

impl Parameters<String> {
    /// Returns the parameters with borrowed texts.
    #[doc(hidden)]
    pub fn as_str(&self) -> Parameters<&str> {
        Parameters { lines: &self.lines }
    }
}

impl Allowances<String> {
    /// Returns the lints with borrowed texts.
    #[doc(hidden)]
    pub fn as_str(&self) -> Allowances<&str> {
        Allowances { lines: &self.lines }
    }
}

#[doc(hidden)]
impl<T: AsRef<str>> FromIterator<Allowance<T>> for Allowances<String> {
    /// Each lint has one line: white space in a reason becomes a space, and in a name, which a file can claim, nothing.
    fn from_iter<I: IntoIterator<Item = Allowance<T>>>(allowed: I) -> Self {
        let line = |Allowance { lint, reason }: Allowance<T>| {
            let lint: String = lint.as_ref().split_whitespace().collect();
            let words: Vec<&str> = reason.as_ref().split_whitespace().collect();
            format!("{lint}: {}", words.join(" "))
        };
        Self { lines: allowed.into_iter().map(line).collect::<Vec<_>>().join("\n") }
    }
}

impl<T: AsRef<str>> fmt::Debug for Allowances<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(Allowances { lines: self.lines.as_ref() }.iter()).finish()
    }
}
