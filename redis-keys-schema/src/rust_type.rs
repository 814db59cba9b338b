//! Facts about a Rust type that follow from its text. Of any other type only the compiler knows more.

use redis_keys_core::{Argument, Integer, ValueSet};

use crate::piece::{Piece, is_name_char};

/// The integers with their largest absolute values. `usize` and `isize` may have 64 bits.
const INTEGERS: [(&str, u128); 12] = [
    ("u8", u8::MAX as u128),
    ("u16", u16::MAX as u128),
    ("u32", u32::MAX as u128),
    ("u64", u64::MAX as u128),
    ("u128", u128::MAX),
    ("usize", u64::MAX as u128),
    ("i8", i8::MAX as u128),
    ("i16", i16::MAX as u128),
    ("i32", i32::MAX as u128),
    ("i64", i64::MAX as u128),
    ("i128", i128::MAX as u128),
    ("isize", i64::MAX as u128),
];

/// The largest absolute value of an integer type.
pub(crate) fn integer_max(ty: &str) -> Option<u128> {
    INTEGERS.iter().find(|(name, _)| *name == ty).map(|(_, max)| *max)
}

pub(crate) fn is_integer(ty: &str) -> bool {
    integer_max(ty).is_some()
}

/// Whether a type is stored as one value: a number, text or bytes.
pub(crate) fn is_scalar(ty: &str) -> bool {
    is_integer(ty) || matches!(ty, "f32" | "f64" | "bool" | "String" | "Vec<u8>" | "Bytes")
}

/// The texts of a parameter of an integer type, of a `bool` or of a `String`.
pub(crate) fn values_of_scalar(ty: &str) -> Option<ValueSet> {
    match ty {
        "bool" => Some(ValueSet::BOOL),
        "String" => Some(ValueSet::Any),
        _ => integer_max(ty).map(ValueSet::up_to),
    }
}

/// The texts of a parameter of a type of Rust or of a supported crate, by its name. `None` for any other type.
///
/// A name without its path, such as `Uuid` or `Month`, can also be a user's type. A caller that knows the user's types
/// looks there first.
pub fn values_of_type(ty: &str) -> Option<ValueSet> {
    argument_of_type(ty)?.values_of_type()
}

/// The argument of a parameter of a type of Rust or of a supported crate, by its name, as [`values_of_type`].
pub fn argument_of_type(ty: &str) -> Option<Argument> {
    let ty = behind_pointers(ty);
    match ty {
        "bool" => return Some(Argument::Bool),
        "String" | "str" => return Some(Argument::Text),
        "[u8]" | "Vec<u8>" | "Bytes" | "bytes::Bytes" => {
            return Some(Argument::Bytes { length: None });
        }
        _ => {}
    }
    if let Some(length) = ty.strip_prefix("[u8;").and_then(|ty| ty.strip_suffix(']')) {
        return Some(Argument::Bytes { length: Some(length.trim().replace('_', "").parse().ok()?) });
    }
    let number = non_zero(ty).unwrap_or(ty);
    if let Some(to) = integer_max(number) {
        return Some(Argument::Integer(Integer::new(number.starts_with('i'), number != ty, to)));
    }
    let (path, name) = ty.rsplit_once("::").unwrap_or(("", ty));
    Some(match (path.trim_start_matches("::"), name) {
        ("" | "std::net" | "core::net" | "net", "Ipv4Addr") => Argument::Ipv4,
        ("" | "std::net" | "core::net" | "net", "Ipv6Addr") => Argument::Ipv6,
        ("" | "std::net" | "core::net" | "net", "IpAddr") => Argument::Ip,
        ("" | "uuid", "Uuid") => Argument::Uuid,
        ("" | "chrono", "NaiveDate") | ("" | "time" | "civil" | "jiff::civil", "Date") => Argument::Date,
        ("" | "bucket" | "parameter::bucket" | "redis_keys::parameter::bucket", "Day") => Argument::Day,
        ("" | "bucket" | "parameter::bucket" | "redis_keys::parameter::bucket", "Year") => Argument::Year,
        ("" | "bucket" | "parameter::bucket" | "redis_keys::parameter::bucket", "Month") => Argument::Month,
        ("" | "bucket" | "parameter::bucket" | "redis_keys::parameter::bucket", "Week") => Argument::Week,
        ("" | "bucket" | "parameter::bucket" | "redis_keys::parameter::bucket", "Hour") => Argument::Hour,
        _ => return None,
    })
}

/// The type that references and smart pointers lead to, which render as it does.
pub(crate) fn behind_pointers(ty: &str) -> &str {
    let ty = ty.trim();
    if let Some(rest) = ty.strip_prefix('&') {
        let rest = match rest.trim_start().strip_prefix('\'') {
            Some(lifetime) => lifetime.split_once(' ').map_or(lifetime, |(_, ty)| ty),
            None => rest,
        };
        return behind_pointers(rest);
    }
    let Some((pointer, inner)) = ty.strip_suffix('>').and_then(|ty| ty.split_once('<')) else { return ty };
    match pointer.rsplit("::").next().unwrap_or_default() {
        "Box" | "Arc" => behind_pointers(inner),
        "Cow" => inner.split_once(',').map_or(ty, |(_, inner)| behind_pointers(inner)),
        _ => ty,
    }
}

/// The integer of a `NonZero<u64>` or `NonZeroU64`.
fn non_zero(ty: &str) -> Option<&str> {
    let (path, inner) = ty.split_once('<').unwrap_or((ty, ""));
    match path.rsplit("::").next()?.strip_prefix("NonZero")? {
        "" => inner.strip_suffix('>'),
        name => INTEGERS.into_iter().map(|(integer, _)| integer).find(|integer| {
            let (sign, bits) = integer.split_at(1);
            name.strip_prefix(sign.to_uppercase().as_str()) == Some(bits)
        }),
    }
}

/// The length of the longest text of a parameter of that type.
pub(crate) fn longest_text(ty: &str) -> Option<usize> {
    match ty {
        "bool" => Some("false".len()),
        // Text has no bound: its shortest form counts, and longer text is rejected when the key is built.
        _ if is_text(ty) => Some(1),
        _ => integer_max(ty).map(|max| max.ilog10() as usize + 1),
    }
}

/// Whether a type is text, behind any pointer: `String`, `&'a str`, `Cow<'a, str>`, `Box<str>`.
pub(crate) fn is_text(ty: &str) -> bool {
    let is_pointer = || ["&", "Cow<", "Box<", "Arc<"].iter().any(|pointer| ty.starts_with(pointer));
    let before = || ty.trim_end_matches('>').strip_suffix("str");
    matches!(ty, "String" | "str")
        || is_pointer() && before().is_some_and(|before| before.ends_with(['&', ' ', ',', '<']))
}

/// The name of a type without its path and its arguments, or the bracket that it starts with. A reference has the name
/// of its target.
pub(crate) fn head(ty: &str) -> &str {
    let ty = match ty.strip_prefix("&'") {
        Some(reference) => reference.trim_start_matches(is_name_char),
        None => ty,
    };
    let ty = ty.trim_start_matches(['&', ' ']);
    if ty.starts_with(['[', '(']) {
        return ty.get(..1).unwrap_or_default();
    }
    let path = ty.split('<').next().unwrap_or_default();
    // A type of another path only looks like a type of the standard library.
    match path.trim_start_matches("::").rsplit_once("::") {
        Some((path, name)) if ["std::", "core::", "alloc::"].iter().any(|root| path.starts_with(root)) => name,
        Some(_) => "",
        None => path,
    }
}

#[rustfmt::skip]
const INSTANTS: [&str; 14] = [
    "chrono::DateTime", "NaiveDateTime", "chrono::NaiveDateTime",
    "OffsetDateTime", "time::OffsetDateTime", "PrimitiveDateTime", "time::PrimitiveDateTime",
    "jiff::Timestamp", "jiff::Zoned", "jiff::civil::DateTime", "civil::DateTime",
    "SystemTime", "std::time::SystemTime", "std::time::Instant",
];

/// Whether a type is an instant of the standard library or of a crate for dates, and not a user's type.
pub(crate) fn is_instant(ty: &str) -> bool {
    let ty = behind_pointers(ty);
    let (name, arguments) = ty.split_once('<').unwrap_or((ty, ""));
    let zone = arguments.trim_end_matches('>').rsplit("::").next().unwrap_or_default();
    match name.trim_start_matches("::") {
        "DateTime" => matches!(zone, "Utc" | "Local" | "FixedOffset" | "Tz"),
        name => INSTANTS.contains(&name),
    }
}

/// The feature of redis-keys that a parameter type of another crate probably needs, by the type's name: `uuid` for
/// `Uuid`. For `Date` without a path, which belongs to `time` or to `jiff`, it is `date`.
///
/// ```
/// use redis_keys_schema::feature_of_parameter;
///
/// assert_eq!(feature_of_parameter("&'a uuid::Uuid"), Some("uuid"));
/// assert_eq!(feature_of_parameter("ids::Uuid"), None);
/// ```
pub fn feature_of_parameter(ty: &str) -> Option<&'static str> {
    let ty = match ty.strip_prefix("&'") {
        Some(reference) => reference.trim_start_matches(is_name_char),
        None => ty,
    };
    let path = ty.trim_start_matches(['&', ' ', ':']);
    Some(match path {
        "Uuid" | "uuid::Uuid" => "uuid",
        "NaiveDate" | "chrono::NaiveDate" => "chrono",
        "time::Date" => "time",
        "civil::Date" | "jiff::civil::Date" => "jiff",
        "Date" => "date",
        _ => return None,
    })
}

/// The type inside an `Option<…>`, if the type is an `Option`.
pub(crate) fn option_inner(ty: &str) -> Option<&str> {
    let (path, rest) = ty.split_once('<')?;
    let path = path.trim().trim_start_matches("::");
    let is_option = matches!(path, "Option" | "std::option::Option" | "core::option::Option");
    rest.trim_end().strip_suffix('>').filter(|_| is_option).map(str::trim)
}

/// The type of the elements of a `Vec<…>`, a set, a slice or an array. `None` for bytes, which are a single value.
pub(crate) fn element(ty: &str) -> Option<&str> {
    let element = match head(ty) {
        "Vec" | "VecDeque" | "HashSet" | "BTreeSet" => ty.split_once('<')?.1.strip_suffix('>')?,
        "[" => {
            let inner = ty.strip_prefix('[')?.strip_suffix(']')?;
            inner.rsplit_once(';').map_or(inner, |(element, _)| element)
        }
        _ => return None,
    };
    Some(element.trim()).filter(|element| !element.is_empty() && *element != "u8")
}

/// The types of the keys and of a map's values.
pub(crate) fn entries(ty: &str) -> Option<[&str; 2]> {
    let inner =
        matches!(head(ty), "HashMap" | "BTreeMap").then(|| ty.split_once('<')?.1.strip_suffix('>')).flatten()?;
    match Piece::new(inner).split_at_commas(true).as_slice() {
        [field, value] => Some([field.trim().text, value.trim().text]),
        _ => None,
    }
}

/// The member in a tuple with its score or its position, which are floats: `String`, for example, if there are only
/// floats.
pub(crate) fn scored_member(ty: &str) -> Option<&str> {
    let inner = ty.strip_prefix('(')?.strip_suffix(')')?;
    let members = Piece::new(inner).split_at_commas(true);
    let is_float = |member: &&str| matches!(*member, "f32" | "f64");
    let mut members = members.into_iter().map(|member| member.trim().text).filter(|member| !member.is_empty());
    members
        .clone()
        .any(|member| is_float(&member))
        .then(|| members.find(|member| !is_float(member)).unwrap_or("String"))
}

/// The lifetimes that a type names.
pub(crate) fn lifetimes(ty: &str) -> impl Iterator<Item = &str> {
    ty.match_indices('\'').filter_map(|(at, _)| {
        let rest = ty.get(at..)?;
        let name = rest.get(1..)?.find(|c| !is_name_char(c)).map_or(rest.len(), |end| end + 1);
        let lifetime = rest.get(..name)?;
        // Between two ticks is a character.
        (name > 1 && !rest.get(name..)?.starts_with('\'')).then_some(lifetime)
    })
}

/// The owned type for a reference or a `Cow`.
pub(crate) fn owned(ty: &str) -> Option<String> {
    let cow = ty.strip_suffix('>').and_then(|ty| ty.split_once("Cow<'")).filter(|(path, _)| !path.contains('<'));
    if let Some((lifetime, borrowed)) = cow.and_then(|(_, arguments)| arguments.split_once(','))
        && lifetime != "static"
    {
        return owned(&format!("&{}", borrowed.trim()));
    }
    let rest = ty.strip_prefix('&')?;
    let rest = rest.strip_prefix('\'').map_or(rest, |rest| rest.trim_start_matches(is_name_char)).trim_start();
    let rest = rest.strip_prefix("mut ").unwrap_or(rest);
    Some(match rest {
        "str" => "String".to_owned(),
        _ if rest.starts_with('&') => return owned(rest),
        _ => match rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(item) if !item.contains(';') => format!("Vec<{item}>"),
            _ => rest.to_owned(),
        },
    })
}
/// A type as rustfmt writes it, given text whose only white space may be between words.
///
/// ```
/// use redis_keys_schema::shown_type;
///
/// assert_eq!(shown_type("HashMap<String,[u8;4]>"), "HashMap<String, [u8; 4]>");
/// ```
pub fn shown_type(ty: &str) -> String {
    // The text of a literal stays unchanged, and only a type with a constant has a literal.
    if ty.contains('"') {
        return ty.to_owned();
    }
    let mut shown = String::with_capacity(ty.len() + 4);
    let mut signs = ty.chars().peekable();
    while let Some(sign) = signs.next() {
        let next = signs.peek().copied();
        match sign {
            ',' | ';' => {
                shown.push(sign);
                if next.is_some_and(|next| !matches!(next, ')' | ']' | '>' | ' ')) {
                    shown.push(' ');
                }
            }
            '-' if next == Some('>') => {
                signs.next();
                operator(&mut shown, "->", signs.peek());
            }
            '+' => operator(&mut shown, "+", next.as_ref()),
            '=' if !matches!(next, Some('=' | '>')) && !shown.ends_with(['=', '<', '>', '!']) => {
                operator(&mut shown, "=", next.as_ref());
            }
            '[' | '(' | '&' | '*' if needs_space_before(&shown) => shown.extend([' ', sign]),
            '>' if next.is_some_and(|next| next.is_alphanumeric() || next == '_') => shown.push_str("> "),
            _ => shown.push(sign),
        }
    }
    shown
}

/// Writes a sign that has a space on each side.
fn operator(shown: &mut String, sign: &str, next: Option<&char>) {
    if !shown.ends_with(' ') {
        shown.push(' ');
    }
    shown.push_str(sign);
    if next.is_some_and(|next| *next != ' ') {
        shown.push(' ');
    }
}

/// Whether the text so far ends with a lifetime, `mut`, `const` or `dyn`, before a type.
fn needs_space_before(shown: &str) -> bool {
    let before = shown.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
    let word = shown.strip_prefix(before).unwrap_or_default();
    let begins = before.is_empty() || before.ends_with(|c: char| !c.is_alphanumeric());
    !word.is_empty() && (before.ends_with('\'') || begins && matches!(word, "mut" | "const" | "dyn" | "impl"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_follow_from_the_name_of_a_type() {
        let bytes = |length| Some(Argument::Bytes { length });
        for (ty, expected) in [
            ("&[u8]", bytes(None)),
            ("Cow<'a,[u8]>", bytes(None)),
            ("Vec<u8>", bytes(None)),
            ("bytes::Bytes", bytes(None)),
            ("[u8;16]", bytes(Some(16))),
            ("&'a [u8; 1_6]", bytes(Some(16))),
            ("[u8;LEN]", None),
            ("[u16;16]", None),
            ("time::Date", Some(Argument::Date)),
            ("bucket::Day", Some(Argument::Day)),
            ("i16", Some(Argument::Integer(Integer::new(true, false, 32_767)))),
            ("NonZeroI16", Some(Argument::Integer(Integer::new(true, true, 32_767)))),
        ] {
            assert_eq!(argument_of_type(ty), expected, "{ty}");
        }
    }

    #[test]
    fn values_follow_from_the_name_of_a_type() {
        let hex = |digits| ValueSet::Hex { digits };
        let u64 = ValueSet::up_to(u64::MAX.into());
        for (ty, expected) in [
            ("u64", u64),
            ("i8", ValueSet::up_to(127)),
            ("NonZero<u8>", ValueSet::Number { from: 1, to: 255 }),
            ("std::num::NonZeroI8", ValueSet::Number { from: 1, to: 127 }),
            ("NonZeroUsize", ValueSet::Number { from: 1, to: u64::MAX.into() }),
            ("&'a u64", u64),
            ("&'static str", ValueSet::Any),
            ("&str", ValueSet::Any),
            ("String", ValueSet::Any),
            ("Box<str>", ValueSet::Any),
            ("std::borrow::Cow<'a,str>", ValueSet::Any),
            ("Arc<Box<u64>>", u64),
            ("bool", ValueSet::BOOL),
            ("uuid::Uuid", hex(32)),
            ("&'a Uuid", hex(32)),
            ("Ipv4Addr", hex(8)),
            ("std::net::IpAddr", ValueSet::IpAddr),
            ("chrono::NaiveDate", ValueSet::Days),
            ("civil::Date", ValueSet::Days),
            ("redis_keys::parameter::bucket::Month", ValueSet::Months),
            ("parameter::bucket::Week", ValueSet::Weeks),
            ("bucket::Hour", ValueSet::Hours),
        ] {
            assert_eq!(values_of_type(ty), Some(expected), "{ty}");
        }
        for ty in [
            "Section",
            "ids::Uuid",
            "my::bucket::Month",
            "NonZero<Id>",
            "NonZeroId",
            "NonZerou8",
            "Option<u64>",
            "T",
            "",
            "[u8;16]",
            "&",
            "Cow<'a>",
        ] {
            assert_eq!(values_of_type(ty), None, "{ty}");
        }
    }

    #[test]
    fn types_have_the_spaces_that_rustfmt_gives_them() {
        for ty in [
            "u64",
            "[u8; 4]",
            "[u8; N * 2]",
            "(u8, u8)",
            "(u8,)",
            "()",
            "HashMap<String, Vec<(u8, [u8; 2])>>",
            "&'a str",
            "&'a mut [u8]",
            "&'a [u8]",
            "&'a &'b (u8, u8)",
            "*const [u8]",
            "Cow<'a, str>",
            "Box<dyn Fn(u8, &str) -> Vec<u8> + Send + 'static>",
            "Box<dyn for<'a> Fn(&'a u8) -> u8>",
            "<T as Iterator>::Item",
            "Box<dyn Iterator<Item = u8>>",
            "bucket::Month",
            "const_::Mut<[u8; 4]>",
            "Word<{ \"a,b\" }>",
        ] {
            let spaces = |ty: &str| shown_type(ty);
            assert_eq!(spaces(ty), ty, "it stays as it is");
            if !ty.contains(['"', '*']) {
                assert_eq!(spaces(&as_tokens(ty)), ty);
            }
        }
        assert_eq!(shown_type("*const[u8]"), "*const [u8]");
    }

    /// Without white space but between words.
    fn as_tokens(ty: &str) -> String {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let signs: Vec<char> = ty.chars().collect();
        let mut text = String::new();
        for (at, sign) in signs.iter().enumerate() {
            let between = at > 0 && is_word(signs[at - 1]) && signs.get(at + 1).copied().is_some_and(is_word);
            if *sign != ' ' || between {
                text.push(*sign);
            }
        }
        text
    }
}
