//! The two names of keys with legacy texts: whether a key can have its template's name, and the other name of a key.

use redis_keys_core::encoding::{digest, write_base32};
use redis_keys_core::legacy::{Format, FormatTrait, LegacyText};
use redis_keys_core::schema::ParameterForm;
use redis_keys_schema::legacy::{Legacy, LegacyField};

use crate::declare::catalog::{Key, Parameter, Template, Values, legacy_of};

/// The name that the template of a declaration gives a key with its legacy text.
#[derive(Clone, Debug)]
pub(crate) struct LegacyName {
    legacy: Legacy,
    template: Template,
    parameters: Vec<Parameter>,
    max_key_bytes: usize,
}

impl LegacyName {
    /// The name of the keys of a declaration with a legacy text.
    pub(crate) fn of(key: &Key) -> Option<Self> {
        let (legacy, template) = (legacy_of(key)?, Template::parse(&key.template)?);
        Some(Self { legacy, template, parameters: key.parameters.clone(), max_key_bytes: key.max_key_bytes })
    }

    /// Whether the legacy text has literal letters or digits behind this prefix, and not fields alone as in
    /// `{user}:{server}`, a form that other programs' keys have too.
    pub(crate) fn has_fixed_text(&self, prefix: &str) -> bool {
        let mut texts = self.legacy.literals.iter().map(String::as_str).chain([prefix]);
        texts.any(|text| text.contains(char::is_alphanumeric))
    }

    /// The reason for which a key cannot have its name, if that is known. `key` is without the prefix, and `before` has
    /// the length of the namespace with its colon.
    pub(crate) fn objection(&self, key: &[u8], before: usize) -> Option<String> {
        if self.legacy.ambiguous {
            return None;
        }
        let texts = LegacyText::read(&self.legacy.text).divide(str::from_utf8(key).ok()?, self.legacy.open())?;
        let mut lengths = vec![None; self.parameters.len()];
        for (field, text) in self.legacy.fields.iter().zip(texts) {
            let parameter = self.parameters.get(field.parameter)?;
            match length(parameter, field.format, text) {
                Ok(length) => *lengths.get_mut(field.parameter)? = length,
                Err(objection) => return Some(objection),
            }
        }
        let rendered = self.template.rendered(|index| {
            let longest = || self.parameters.get(index)?.values.as_ref()?.longest();
            lengths.get(index).copied().flatten().or_else(longest).map(|length| "x".repeat(length))
        });
        let is_too_long = rendered.is_some_and(|name| before + name.len() > self.max_key_bytes);
        is_too_long.then(|| format!("the name exceeds {} bytes: add `digest`", self.max_key_bytes))
    }

    /// The name of the template for a key with the legacy text. Both are without the prefix.
    pub(crate) fn template_name(&self, key: &str) -> Result<String, String> {
        let values = self.values_of_text(key)?;
        let name = self.name_of(&values)?;
        let is_one_way = self.parameters.iter().any(|parameter| parameter.form == ParameterForm::Digest);
        if self.text_of(&values)? != key || !is_one_way && self.values_of_name(&name)? != values {
            return Err(NOT_EXACT.to_owned());
        }
        Ok(name)
    }

    /// The legacy text for a key with the template's name. Both are without the prefix.
    pub(crate) fn legacy_text(&self, name: &str) -> Result<String, String> {
        let values = self.values_of_name(name)?;
        let key = self.text_of(&values)?;
        if self.name_of(&values)? != name || self.values_of_text(&key)? != values {
            return Err(NOT_EXACT.to_owned());
        }
        Ok(key)
    }

    /// The values of the parameters in a key with the legacy text.
    fn values_of_text(&self, key: &str) -> Result<Vec<String>, String> {
        if self.legacy.ambiguous {
            return Err("different values can share a key: see `allow(ambiguous_text)`".to_owned());
        }
        let texts = LegacyText::read(&self.legacy.text).divide(key, self.legacy.open());
        let mut values = vec![None::<String>; self.parameters.len()];
        for (field, text) in self.legacy.fields.iter().zip(texts.ok_or(NOT_EXACT)?) {
            let written = self.written(field)?;
            let value = written.value(field.format, text).ok_or(NOT_EXACT)?;
            let possible = self.parameters.get(field.parameter).and_then(|parameter| parameter.values.as_ref());
            if written == Notation::Number && possible.is_some_and(|values| !values.contains(value.as_bytes())) {
                return Err(format!("`{}` is beyond the numbers of its type", self.name(field)));
            }
            let known = values.get_mut(field.parameter).ok_or(NOT_EXACT)?;
            // A field can be there twice.
            if known.replace(value.clone()).is_some_and(|known| known != value) {
                return Err(NOT_EXACT.to_owned());
            }
        }
        self.with_shards(&values)
    }

    /// The values of the parameters in a key with the template's name.
    fn values_of_name(&self, name: &str) -> Result<Vec<String>, String> {
        let mut values = vec![None::<String>; self.parameters.len()];
        let places = self.template.parameters(name.as_bytes());
        for field in &self.legacy.fields {
            let text = places.get(field.parameter).and_then(|place| name.get(place.clone())).ok_or(NOT_EXACT)?;
            let value = match self.parameters.get(field.parameter) {
                Some(Parameter { declared, .. }) if declared.form == ParameterForm::Digest => {
                    Err(format!("`{}` is a digest, which has no way back", self.name(field)))?
                }
                Some(parameter) if matches!(parameter.form, ParameterForm::Base32 | ParameterForm::Slug(_)) => {
                    parameter.decoded(text.as_bytes()).and_then(|value| String::from_utf8(value).ok())
                }
                _ => Some(text.to_owned()),
            };
            *values.get_mut(field.parameter).ok_or(NOT_EXACT)? = value;
        }
        self.with_shards(&values)
    }

    /// The values, including the values of shards, which are the remainders of a number.
    fn with_shards(&self, values: &[Option<String>]) -> Result<Vec<String>, String> {
        let shard = |parameter: &Parameter| {
            let ParameterForm::Shard(shards) = parameter.form else { return None };
            let is_it = |other: &&Parameter| other.name == parameter.name && other.form == ParameterForm::Plain;
            let number = self.parameters.iter().zip(values).find(|(other, _)| is_it(other))?.1.as_ref()?;
            Some((number.parse::<u128>().ok()? % u128::from(shards)).to_string())
        };
        let all = self.parameters.iter().zip(values);
        let found = all.map(|(parameter, value)| value.clone().or_else(|| shard(parameter)));
        found.collect::<Option<_>>().ok_or_else(|| NOT_EXACT.to_owned())
    }

    /// The name of the template with these values.
    fn name_of(&self, values: &[String]) -> Result<String, String> {
        let mut texts = Vec::new();
        for (parameter, value) in self.parameters.iter().zip(values) {
            if matches!(parameter.form, ParameterForm::Plain | ParameterForm::Slug(_))
                && parameter.values == Some(Values::Any)
            {
                must_be_words(parameter, value)?;
            }
            texts.push(match parameter.form {
                ParameterForm::Digest => format!("{:032x}", u128::from_be_bytes(digest(value.as_bytes()))),
                ParameterForm::Base32 => {
                    let mut text = String::new();
                    write_base32(value.as_bytes(), |letters| text.push_str(letters));
                    text
                }
                ParameterForm::Slug(_) => value.replace('-', "."),
                _ => value.clone(),
            });
        }
        self.template.rendered(|index| texts.get(index).cloned()).ok_or_else(|| NOT_EXACT.to_owned())
    }

    /// The legacy text with these values.
    fn text_of(&self, values: &[String]) -> Result<String, String> {
        let mut text = self.legacy.literals.first().cloned().unwrap_or_default();
        for (field, literal) in self.legacy.fields.iter().zip(self.legacy.literals.iter().skip(1)) {
            let value = values.get(field.parameter).ok_or(NOT_EXACT)?;
            text.push_str(&self.written(field)?.text(field.format, value).ok_or(NOT_EXACT)?);
            text.push_str(literal);
        }
        Ok(text)
    }

    /// How a field is written, or that only its type knows.
    fn written(&self, field: &LegacyField) -> Result<Notation, String> {
        let parameter = self.parameters.get(field.parameter).ok_or(NOT_EXACT)?;
        let is_encoded = !matches!(parameter.form, ParameterForm::Plain | ParameterForm::Shard(_));
        let is_display = field.format == Format::DISPLAY;
        let is_text = parameter.type_name == "String" || parameter.type_name.ends_with("str");
        let written = match (&*field.ty, &parameter.values) {
            (_, values) if is_text && is_display && (is_encoded || *values == Some(Values::Any)) => Notation::Text,
            ("bool", Some(Values::OneOf(_))) => Notation::Bool,
            ("Uuid", Some(Values::Hex { digits: 32 })) if is_display => Notation::Uuid,
            (ty, Some(Values::Number { .. })) if is_number(ty) => Notation::Number,
            _ => {
                let (name, ty) = (self.name(field), &parameter.type_name);
                return Err(format!("only the program knows how `{name}` of type `{ty}` is written"));
            }
        };
        Ok(written)
    }

    fn name(&self, field: &LegacyField) -> &str {
        self.parameters.get(field.parameter).map_or("", |parameter| &parameter.name)
    }
}

/// The objection to a name that other values could have too.
const NOT_EXACT: &str = "the other name is not certain";

/// How values of a type are written in a legacy text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Notation {
    Text,
    Bool,
    Number,
    /// With hyphens, which the template does not have.
    Uuid,
}

impl Notation {
    /// The value, as the template writes it, of a text.
    fn value(self, format: Format, text: &str) -> Option<String> {
        match self {
            Self::Text => Some(text.to_owned()),
            Self::Bool => ["false", "true"].contains(&text).then(|| text.to_owned()),
            Self::Number => {
                let radix = if matches!(format.by, FormatTrait::LowerHex | FormatTrait::UpperHex) { 16 } else { 10 };
                Some(u128::from_str_radix(text, radix).ok()?.to_string())
            }
            Self::Uuid => {
                let digits = text.replace('-', "");
                let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
                (digits.len() == 32 && digits.bytes().all(is_digit)).then_some(digits)
            }
        }
    }

    /// A value's text.
    fn text(self, format: Format, value: &str) -> Option<String> {
        let zeros = usize::from(format.zeros);
        match self {
            Self::Text | Self::Bool => Some(value.to_owned()),
            Self::Number => {
                let number: u128 = value.parse().ok()?;
                Some(match format.by {
                    FormatTrait::LowerHex => format!("{number:0zeros$x}"),
                    FormatTrait::UpperHex => format!("{number:0zeros$X}"),
                    FormatTrait::Display | FormatTrait::Debug => format!("{number:0zeros$}"),
                })
            }
            Self::Uuid => {
                let mut parts = [0..8, 8..12, 12..16, 16..20, 20..32].into_iter().map(|part| value.get(part));
                Some(parts.by_ref().collect::<Option<Vec<_>>>()?.join("-"))
            }
        }
    }
}

/// Whether this is the name of a type of integers. Numbers below zero are no parameters.
fn is_number(ty: &str) -> bool {
    ty.strip_prefix(['i', 'u']).is_some_and(|bits| ["8", "16", "32", "64", "128", "size"].contains(&bits))
}

/// The length of a parameter in the name, if it is known, or the reason for which its text is refused there.
fn length(parameter: &Parameter, format: Format, text: &str) -> Result<Option<usize>, String> {
    match (parameter.form, &parameter.values) {
        (ParameterForm::Digest, _) => Ok(Some(32)),
        (ParameterForm::Base32, _) => Ok(Some((text.len() * 8).div_ceil(5))),
        (ParameterForm::Plain | ParameterForm::Slug(_), Some(Values::Any)) if format == Format::DISPLAY => {
            must_be_words(parameter, text).map(|()| Some(text.len()))
        }
        _ => Ok(None),
    }
}

/// Whether a text can be words of a key.
fn must_be_words(parameter: &Parameter, text: &str) -> Result<(), String> {
    let name = &parameter.name;
    let is_slug = matches!(parameter.form, ParameterForm::Slug(_));
    let separator = if is_slug { '-' } else { '.' };
    let is_word = |char: char| char.is_ascii_lowercase() || char.is_ascii_digit() || char == separator;
    let what = match text.chars().find(|char| !is_word(*char)) {
        _ if text.is_empty() => return Err(format!("`{name}` is empty")),
        Some(char) if char.is_ascii_uppercase() => "contains an upper-case letter".to_owned(),
        Some(char) if char.is_ascii_graphic() => format!("contains `{char}`"),
        Some(' ') => "contains a space".to_owned(),
        Some(char) if char.is_ascii() => "contains a control character".to_owned(),
        Some(_) => "is not ASCII".to_owned(),
        None if text.split(separator).any(str::is_empty) => format!("has an empty word beside a `{separator}`"),
        None if parameter.dotted == Some(false) && text.contains(separator) => format!("contains `{separator}`"),
        None => return Ok(()),
    };
    let instead = if is_slug { "write `base32` in place of `slug`" } else { "add `base32`" };
    Err(format!("`{name}` {what}: {instead}"))
}

#[cfg(test)]
#[allow(unreachable_pub, reason = "the derives write public items")]
mod keys;

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test that cannot go on")]
mod tests {
    use fastrand::Rng;
    use redis_keys::prelude::{LegacyKey, RedisKey as _};
    use redis_keys_schema::{Policy, argument_of_type};
    use redis_keys_syntax::read_key;
    use uuid::Uuid;

    use super::keys::{Item, Mail, Page, Profile, Session};
    use super::*;
    use crate::declare::catalog::{ParameterFacts, declaration, parameter, up_to};

    #[test]
    fn a_name_is_refused_for_what_its_template_cannot_have() {
        let text = |name: &str, form| {
            let mut parameter = parameter(name, Some(Values::Any));
            parameter.declared.form = form;
            parameter
        };
        let number = |name: &str| parameter(name, up_to(u128::from(u64::MAX)));
        let objection = |form, dotted, value: &str| {
            let mut parameters = vec![text("slug", form), number("id")];
            parameters[0].dotted = dotted;
            let mut key = declaration("shop:item:{slug}:{id}:string", parameters);
            key.legacy = Some("Item/{slug}/{id:05}".to_owned());
            let name = LegacyName::of(&key);
            name.and_then(|name| name.objection(format!("Item/{value}/00007").as_bytes(), 5))
        };
        let plain = |value: &str| objection(ParameterForm::Plain, None, value).unwrap_or_default();
        for (value, expected) in [
            ("green.tea2", ""),
            ("green-tea", "`slug` contains `-`: add `base32`"),
            ("Tea", "`slug` contains an upper-case letter: add `base32`"),
            ("a b", "`slug` contains a space: add `base32`"),
            ("a\nb", "`slug` contains a control character: add `base32`"),
            ("thé", "`slug` is not ASCII: add `base32`"),
            ("a..b", "`slug` has an empty word beside a `.`: add `base32`"),
            ("", "`slug` is empty"),
            (&"a".repeat(80), ""),
            (&"a".repeat(90), "the name exceeds 128 bytes: add `digest`"),
        ] {
            assert_eq!(plain(value), expected, "{value}");
        }
        let slug = ParameterForm::Slug(None);
        assert_eq!(objection(slug, None, "green-tea"), None);
        let expected = "`slug` contains `.`: write `base32` in place of `slug`";
        assert_eq!(objection(slug, None, "green.tea").as_deref(), Some(expected));
        assert_eq!(objection(ParameterForm::Base32, None, "Grün-Tee"), None);
        assert_eq!(objection(ParameterForm::Digest, None, &"a".repeat(500)), None);
        let word = objection(ParameterForm::Plain, Some(false), "a.b");
        assert_eq!(word.as_deref(), Some("`slug` contains `.`: add `base32`"));
    }

    /// The names of a declaration of `keys.rs`.
    fn names(name: &str) -> LegacyName {
        let file = syn::parse_file(include_str!("legacy_name/keys.rs")).expect("it is Rust");
        let item = file.items.into_iter().find_map(|item| match item {
            syn::Item::Struct(item) if item.ident == name => Some(item),
            _ => None,
        });
        let item = item.expect("a struct").into();
        let policy = Policy::default();
        let read = read_key(&item, &policy);
        let schema = read.schema(String::new(), 1).expect("it is valid");
        let fields = &read.input.fields;
        let key = Key::new(schema, |parameter| {
            let field = fields.iter().find(|field| field.name == parameter.name);
            let argument = field.and_then(|field| argument_of_type(&field.ty));
            ParameterFacts { argument, ..ParameterFacts::default() }
        });
        LegacyName::of(&key).expect("it has a legacy text")
    }

    /// Both names are the names that programs write.
    fn compare<K: LegacyKey + Clone>(names: &LegacyName, key: &K, has_way_back: bool) -> u32 {
        let (one, other) = (key.key(), key.clone().other_name().key());
        let (Ok(one), Ok(other)) = (one, other) else { return 0 };
        let text = |key: &redis_keys::Key| AsRef::<str>::as_ref(key).to_owned();
        let (in_use, other) = (text(&one), text(&other));
        let (legacy, name) = if names.legacy.in_use { (in_use, other) } else { (other, in_use) };
        assert_eq!(names.template_name(&legacy).as_ref(), Ok(&name));
        if has_way_back {
            assert_eq!(names.legacy_text(&name), Ok(legacy));
        } else {
            assert_eq!(names.legacy_text(&name), Err("`address` is a digest, which has no way back".to_owned()));
        }
        1
    }

    #[test]
    fn both_names_are_those_that_programs_write() {
        let mut rng = Rng::with_seed(7);
        let [profile, item, session, page, mail] = ["Profile", "Item", "Session", "Page", "Mail"].map(names);
        let mut compared = [0; 5];
        for _ in 0..2_000 {
            let size = rng.usize(1..12);
            let mut text = |alphabet: &str| {
                let signs: Vec<_> = alphabet.chars().collect();
                (0..size).map(|_| signs[rng.usize(..signs.len())]).collect::<String>()
            };
            let (word, slug, any) = (text("abz09."), text("abcdef-"), text("aZ-_:/.{}é "));
            let shop = rng.i64(-9..i64::MAX) >> rng.u32(..60);
            let counts = [
                compare(&profile, &Profile { user_id: rng.u32(..), name: word }, true),
                compare(&item, &Item { id: rng.u64(..) >> rng.u32(..64), hash: rng.u16(..), paid: rng.bool() }, true),
                compare(&session, &Session { session: Uuid::from_u128(rng.u128(..)), shop }, true),
                compare(&page, &Page { slug, path: any.clone() }, true),
                compare(&mail, &Mail { address: any }, false),
            ];
            compared.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        assert!(compared.iter().all(|count| *count > 500), "{compared:?}");
    }

    #[test]
    fn what_is_not_certain_has_no_other_name() {
        let [profile, item, session] = ["Profile", "Item", "Session"].map(names);
        for (names, key) in [
            // No program writes these.
            (&profile, "User:{0000042}:Profile/ada"),
            (&profile, "User:{42}:Profile/ada"),
            (&profile, "User:{+0042}:Profile/ada"),
            (&item, "Order-7-0a0b-maybe"),
            (&item, "Order-7-0A0B-true"),
            (&session, "sess_67E55044-10B1-426F-9247-BB680E5FE0C8_1"),
            (&session, "sess_67e5504410b1426f9247bb680e5fe0c8_1"),
            (&session, "sess_67e55044-10b1-426f-9247-bb680e5fe0c8_-1"),
            (&session, "sess_é_1"),
        ] {
            assert!(names.template_name(key).is_err(), "{key}");
        }
        // A type that only the program knows.
        let mut own = declaration("user:name:{id}:string", vec![parameter("id", None)]);
        own.legacy = Some("User/{id}".to_owned());
        let names = LegacyName::of(&own).expect("it has a legacy text");
        let error = names.template_name("User/7").expect_err("the type is unknown");
        assert!(error.starts_with("only the program knows how `id`"), "{error}");
    }
}
