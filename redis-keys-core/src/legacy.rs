//! The legacy text of a key: the format string, such as `User:{user_id}:Profile`, that wrote it before it was declared.

use std::ops::Range;

use crate::Kind;
use crate::limits::MAX_KEY_BYTES;

/// A part of a format string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatPart<'t> {
    /// Text of every key. `{{` and `}}` are separate parts with one brace each.
    Literal(&'t str),
    /// `{name}` or `{name:format}`.
    Field {
        /// The name of the field.
        name: &'t str,
        /// The text behind the `:`, empty if there is none.
        format: &'t str,
        /// Its place, with the braces.
        range: Range<usize>,
    },
    /// A brace without its counterpart, after which nothing is read.
    Stray {
        /// The brace.
        brace: char,
        /// Its place.
        at: usize,
    },
}

/// Returns the parts of a format string.
pub fn format_parts(text: &str) -> impl Iterator<Item = FormatPart<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let at = text.len() - rest.len();
        let (part, length) = first_part(rest, at)?;
        rest = rest.get(length..).unwrap_or_default();
        Some(part)
    })
}

/// The first part of a text that starts at a byte, and its length.
fn first_part(rest: &str, at: usize) -> Option<(FormatPart<'_>, usize)> {
    let first = rest.chars().next()?;
    if !matches!(first, '{' | '}') {
        let end = rest.find(['{', '}']).unwrap_or(rest.len());
        return Some((FormatPart::Literal(rest.get(..end)?), end));
    }
    if rest.get(1..)?.starts_with(first) {
        return Some((FormatPart::Literal(rest.get(..1)?), 2));
    }
    let inner = rest.strip_prefix('{').and_then(|rest| rest.get(..rest.find(['{', '}'])?));
    let closed = inner.filter(|inner| rest.get(inner.len() + 1..).is_some_and(|rest| rest.starts_with('}')));
    let Some(inner) = closed else {
        return Some((FormatPart::Stray { brace: first, at }, rest.len()));
    };
    let (name, format) = inner.split_once(':').unwrap_or((inner, ""));
    let length = inner.len() + 2;
    Some((FormatPart::Field { name, format, range: at..at + length }, length))
}

/// The trait of `std::fmt` that writes a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "no other one keeps all values apart")]
pub enum FormatTrait {
    /// `{name}`
    Display,
    /// `{name:?}`
    Debug,
    /// `{name:x}`
    LowerHex,
    /// `{name:X}`
    UpperHex,
}

/// The format of a field: one that gives different values different texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "it has what there is")]
pub struct Format {
    /// The trait that writes the value.
    pub by: FormatTrait,
    /// The number of digits to which zeros fill up the number.
    pub zeros: u8,
}

impl Format {
    /// `{name}`
    pub const DISPLAY: Self = Self { by: FormatTrait::Display, zeros: 0 };

    /// The maximum number of zeros.
    pub const MAX_ZEROS: u8 = 64;

    /// Reads the text behind the `:`, or returns `None` if it is not such a format.
    pub fn read(text: &str) -> Option<Self> {
        let (digits, by) = match text.split_at_checked(text.len().saturating_sub(1)) {
            Some((digits, "?")) => (digits, FormatTrait::Debug),
            Some((digits, "x")) => (digits, FormatTrait::LowerHex),
            Some((digits, "X")) => (digits, FormatTrait::UpperHex),
            _ => (text, FormatTrait::Display),
        };
        let zeros = match digits.strip_prefix('0') {
            None if digits.is_empty() => 0,
            Some(number) if by != FormatTrait::Debug && !number.starts_with('+') => {
                number.parse().ok().filter(|zeros| (1..=Self::MAX_ZEROS).contains(zeros))?
            }
            _ => return None,
        };
        Some(Self { by, zeros })
    }
}

/// Whether a key has the form of a template's key. With a prefix from configuration, which no declaration knows, such a
/// key under a legacy text could be another declaration's key.
pub fn reads_as_template(key: &str) -> bool {
    let is_of_template = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".:{}".contains(&byte);
    let mut segments = key.rsplit(':');
    let kind = segments.next().and_then(Kind::from_name);
    key.len() <= MAX_KEY_BYTES
        && kind.is_some_and(|kind| kind != Kind::Channel)
        && key.starts_with(|first: char| first.is_ascii_lowercase())
        && key.bytes().all(is_of_template)
        && segments.clone().count() >= 2
        && segments.all(|segment| !segment.is_empty())
}

/// The texts that the name of a field's type promises. Declarations are compared by them. A different type of the same
/// name can write other texts, which are rejected when the key is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "it has what there is")]
pub enum WrittenForm {
    /// Any text.
    Any,
    /// Text of these bytes, which is not empty.
    Of(&'static str),
    /// This number of these bytes.
    Exactly(&'static str, usize),
    /// The groups of 8, 4, 4, 4 and 12 hexadecimal digits of a `Uuid`.
    Uuid,
}

impl WrittenForm {
    /// The digits of each group of a `Uuid`.
    pub const UUID_GROUPS: [usize; 5] = [8, 4, 4, 4, 12];

    /// The bytes of a lower-case hexadecimal number.
    pub const HEX: &'static str = "0123456789abcdef";

    /// Whether a value can have this text.
    pub fn gives(self, text: &str) -> bool {
        let is_of = |text: &str, bytes: &str| text.bytes().all(|byte| bytes.as_bytes().contains(&byte));
        match self {
            Self::Any => true,
            Self::Of(bytes) => !text.is_empty() && is_of(text, bytes),
            Self::Exactly(bytes, count) => text.len() == count && is_of(text, bytes),
            Self::Uuid => {
                let is_group = |(group, digits): (&str, usize)| group.len() == digits && is_of(group, Self::HEX);
                let groups = text.split('-');
                groups.clone().count() == Self::UUID_GROUPS.len() && groups.zip(Self::UUID_GROUPS).all(is_group)
            }
        }
    }
}

/// A format string: its fields, and the literal texts around them, one more than fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "it has what a format string has")]
pub struct LegacyText<'t> {
    /// The text before each field, and the text after the last one.
    pub literals: Vec<String>,
    /// The name of each field.
    pub fields: Vec<&'t str>,
}

impl<'t> LegacyText<'t> {
    /// Reads a format string, up to a stray brace.
    pub fn read(text: &'t str) -> Self {
        let mut read = Self { literals: vec![String::new()], fields: Vec::new() };
        for part in format_parts(text) {
            match part {
                FormatPart::Literal(text) => read.literals.last_mut().into_iter().for_each(|last| last.push_str(text)),
                FormatPart::Field { name, .. } => {
                    read.fields.push(name);
                    read.literals.push(String::new());
                }
                FormatPart::Stray { .. } => break,
            }
        }
        read
    }

    /// Divides a key into the texts of its fields. Each field before the one at index `open` ends where the literal
    /// after it first occurs, and each one behind it begins where the literal before it last occurs.
    pub fn divide<'k>(&self, key: &'k str, open: usize) -> Option<Vec<&'k str>> {
        let (first, last) = (self.literals.first()?, self.literals.last()?);
        let mut rest = key.strip_prefix(first.as_str())?;
        if self.fields.is_empty() {
            return rest.is_empty().then(Vec::new);
        }
        rest = rest.strip_suffix(last.as_str())?;
        let between = self.literals.get(1..self.fields.len())?;
        let (from_left, from_right) = between.split_at_checked(open)?;
        let mut left = Vec::with_capacity(self.fields.len());
        for literal in from_left {
            let (text, behind) = rest.split_once(literal.as_str())?;
            left.push(text);
            rest = behind;
        }
        let mut right = Vec::new();
        for literal in from_right.iter().rev() {
            let (before, text) = rest.rsplit_once(literal.as_str())?;
            right.push(text);
            rest = before;
        }
        left.push(rest);
        left.extend(right.into_iter().rev());
        Some(left)
    }

    /// Returns the pattern of SCAN: `*` for each field, and each special character of a literal with a `\`.
    pub fn pattern(&self) -> String {
        let mut pattern = String::new();
        for (index, literal) in self.literals.iter().enumerate() {
            if index > 0 {
                pattern.push('*');
            }
            pattern.push_str(&escaped(literal));
        }
        pattern
    }
}

/// A text as a pattern of SCAN that matches nothing else.
pub fn escaped(text: &str) -> String {
    let escape = |char| matches!(char, '*' | '?' | '[' | ']' | '\\' | '^').then_some('\\').into_iter().chain([char]);
    text.chars().flat_map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_strings_have_parts() {
        let parts: Vec<_> = format_parts("{{q}}_{a}:{b:05x}é").collect();
        let literals = ["{", "q", "}", "_"].map(FormatPart::Literal);
        let field = |name, format, range| FormatPart::Field { name, format, range };
        let rest =
            [field("a", "", 6..9), FormatPart::Literal(":"), field("b", "05x", 10..17), FormatPart::Literal("é")];
        assert_eq!(parts, [literals.as_slice(), &rest].concat());
        for (text, brace, at) in
            [("a{b", '{', 1), ("a{b{c}", '{', 1), ("a}b", '}', 1), ("é{", '{', 2), ("{a}}", '}', 3)]
        {
            let last = format_parts(text).last();
            assert_eq!(last, Some(FormatPart::Stray { brace, at }), "{text}");
        }
    }

    #[test]
    fn formats_keep_values_apart() {
        let format = |by, zeros| Some(Format { by, zeros });
        for (text, read) in [
            ("", format(FormatTrait::Display, 0)),
            ("?", format(FormatTrait::Debug, 0)),
            ("x", format(FormatTrait::LowerHex, 0)),
            ("X", format(FormatTrait::UpperHex, 0)),
            ("05", format(FormatTrait::Display, 5)),
            ("016x", format(FormatTrait::LowerHex, 16)),
            ("064X", format(FormatTrait::UpperHex, 64)),
        ] {
            assert_eq!(Format::read(text), read, "{text}");
        }
        for text in ["5", ">5", "_<5", ".3", "0", "00", "#x", "0w$", "e", "05?", "065", "0+5", "é", "#?"] {
            assert_eq!(Format::read(text), None, "{text}");
        }
    }

    #[test]
    fn a_key_can_read_as_the_key_of_a_template() {
        for key in ["user:name:42:string", "user:{42}:items:list", "prod:a:zset", "a.b:c1:hash"] {
            assert!(reads_as_template(key), "{key}");
        }
        let long = format!("user:{}:string", "x".repeat(128));
        for key in [
            "user:42",
            "prod:user:42",
            "user:name:42:String",
            "user:name:42:text",
            "User:name:42:string",
            "user:na-me:42:string",
            "eu/user:42:string",
            "user:string",
            "user::string",
            "9user:name:string",
            "string",
            "",
            "user:events:channel",
            &long,
        ] {
            assert!(!reads_as_template(key), "{key}");
        }
    }

    #[test]
    fn a_value_has_the_form_of_its_type() {
        let uuid = "67e55044-10b1-426f-9247-bb680e5fe0c8";
        for (form, text, gives) in [
            (WrittenForm::Any, "", true),
            (WrittenForm::Of("01"), "0110", true),
            (WrittenForm::Of("01"), "012", false),
            (WrittenForm::Of("01"), "", false),
            (WrittenForm::Exactly("01", 3), "011", true),
            (WrittenForm::Exactly("01", 3), "01", false),
            (WrittenForm::Uuid, uuid, true),
            (WrittenForm::Uuid, &uuid.to_uppercase(), false),
            (WrittenForm::Uuid, &uuid.replace('-', ""), false),
            (WrittenForm::Uuid, &format!("{uuid}-"), false),
            (WrittenForm::Uuid, "67e5504-410b1-426f-9247-bb680e5fe0c8", false),
        ] {
            assert_eq!(form.gives(text), gives, "{form:?} {text}");
        }
    }

    #[test]
    fn a_key_is_divided_from_both_ends() {
        let text = LegacyText::read("q:{queue}:{class}:{hash}!");
        let key = "q:mail:A::B:77!";
        assert_eq!(text.divide(key, 0), Some(vec!["mail:A:", "B", "77"]));
        assert_eq!(text.divide(key, 1), Some(vec!["mail", "A::B", "77"]));
        assert_eq!(text.divide(key, 2), Some(vec!["mail", "A", ":B:77"]));
        assert_eq!(text.divide(key, 3), None);
        for other in ["q:mail:A!", "mail:A:B!", "q:a:b:c", "", "q:!"] {
            assert_eq!(text.divide(other, 1), None, "{other}");
        }
        assert_eq!(LegacyText::read("a{{b}}").divide("a{b}", 0), Some(vec![]));
        assert_eq!(LegacyText::read("a").divide("ab", 0), None);
        assert_eq!(LegacyText::read("{x}").divide("", 0), Some(vec![""]));
        // The literals before and after the fields must not share a byte.
        assert_eq!(LegacyText::read("aba{x}aba").divide("ababa", 0), None);
    }

    #[test]
    fn patterns_are_escaped() {
        assert_eq!(LegacyText::read("a[{{{x}}}]*?\\é:{y}").pattern(), "a\\[{*}\\]\\*\\?\\\\é:*");
    }
}
