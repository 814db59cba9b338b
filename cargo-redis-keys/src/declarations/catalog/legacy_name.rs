//! The names that keys with legacy texts are to have.

use redis_keys_core::legacy::{Format, LegacyText};
use redis_keys_core::schema::ParameterForm;
use redis_keys_schema::legacy::Legacy;

use super::template::Template;
use super::{Key, Parameter, Values, legacy_of};

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
mod tests {
    use super::*;
    use crate::declarations::catalog::matcher::tests::{declaration, parameter, up_to};

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
}
