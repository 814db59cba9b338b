//! Keys as they are shown: without parts that could be secret, unless real keys are asked for.
//!
//! A key can contain a token, an address or a person's name. Values that are recognized by their form are shown as
//! their class, such as `{integer}`. Whether another word is a value, only many keys show: with fewer than
//! [`FEW_KEYS`] in its family, a word is `{hidden}` unless it is [public](Masking::publish).

use std::collections::{HashMap, HashSet};

use redis_keys_core::legacy::{FormatPart, format_parts};

use crate::declare::catalog::Catalog;
use crate::operate::infer::{InferredTemplate, Part, is_separator, template_of};
use crate::render::{Example, KeyText};

/// The number of keys with which a family's words are shown.
pub(crate) const FEW_KEYS: u64 = 8;

/// The text in place of a word that is not shown.
pub(crate) const HIDDEN: &str = "{hidden}";

/// Shows keys and their families.
#[derive(Default)]
pub(crate) struct Masking {
    pub(crate) shows_keys: bool,
    /// The words that are shown in any case.
    public: HashSet<String>,
}

impl Masking {
    /// Masks keys unless `shows_keys`. The words of these declarations and families are public, and so are first
    /// segments that many keys have.
    pub(crate) fn new(shows_keys: bool, catalog: &Catalog, families: &[InferredTemplate]) -> Self {
        let mut masking = Self { shows_keys, public: HashSet::new() };
        for key in &catalog.keys {
            let texts = [Some(&key.template), key.legacy.as_ref(), key.formerly.as_ref()];
            texts.into_iter().flatten().for_each(|text| masking.publish_text_of(text));
        }
        for family in families.iter().filter(|family| family.keys >= FEW_KEYS) {
            let texts =
                family.parts.iter().filter_map(|part| if let Part::Text(text) = part { Some(text) } else { None });
            texts.for_each(|text| masking.publish(text));
        }
        masking.publish_modules(families);
        masking
    }

    /// Makes the words of arguments public, such as a pattern.
    pub(crate) fn with_arguments<const COUNT: usize>(mut self, texts: [&Option<String>; COUNT]) -> Self {
        texts.into_iter().flatten().for_each(|text| self.publish(text));
        self
    }

    /// Makes the words of a text public, for example of a text in the sources.
    pub(crate) fn publish(&mut self, text: &str) {
        self.public.extend(words(text).filter(|(is_word, _)| *is_word).map(|(_, word)| word.to_owned()));
    }

    /// Makes the words around the `{fields}` of a text public.
    fn publish_text_of(&mut self, text: &str) {
        for part in format_parts(text) {
            if let FormatPart::Literal(text) = part {
                self.publish(text);
            }
        }
    }

    /// Makes the first segments public that many keys have.
    fn publish_modules(&mut self, families: &[InferredTemplate]) {
        let mut modules = HashMap::<&str, u64>::new();
        for family in families {
            if let Some(Part::Text(text)) = family.parts.first()
                && let Some((module, _)) = text.split_once(is_separator)
            {
                *modules.entry(module).or_default() += family.keys;
            }
        }
        modules.into_iter().filter(|(_, keys)| *keys >= FEW_KEYS).for_each(|(module, _)| self.publish(module));
    }

    /// A family as it is shown: `user:{integer}:profile`. Braces of its text are doubled.
    pub(crate) fn family(&self, family: &InferredTemplate) -> String {
        self.parts(&family.parts, family.keys)
    }

    /// A key as it is shown.
    pub(crate) fn key(&self, key: &KeyText) -> KeyText {
        if self.shows_keys { key.clone() } else { KeyText::new(self.parts(&template_of(key.bytes()), 1).as_bytes()) }
    }

    /// An example as it is shown.
    pub(crate) fn example(&self, example: &Example) -> Example {
        Example { weight: example.weight, key: self.key(&example.key) }
    }

    /// The text of a family of so many keys as it is shown. Its braces are doubled.
    pub(crate) fn text(&self, text: &str, keys: u64) -> String {
        let is_shown = self.shows_keys || keys >= FEW_KEYS;
        let shown = |(is_word, word): (bool, &str)| {
            if is_word && !is_shown && !self.public.contains(word) {
                HIDDEN.to_owned()
            } else {
                word.replace('{', "{{").replace('}', "}}")
            }
        };
        words(text).map(shown).collect()
    }

    fn parts(&self, parts: &[Part], keys: u64) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => self.text(text, keys),
            Part::Parameter(class) => format!("{{{}}}", class.name()),
        };
        parts.iter().map(part).collect()
    }
}

/// The words of a text and their separators, each with whether it is a word.
fn words(text: &str) -> impl Iterator<Item = (bool, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let is_word = !is_separator(rest.chars().next()?);
        let end = rest.find(|sign| is_separator(sign) == is_word).unwrap_or(rest.len());
        let (word, next) = rest.split_at_checked(end)?;
        rest = next;
        Some((is_word, word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declare::redis_type::RedisType;
    use crate::operate::infer::Learner;
    use crate::operate::server::scan::{Expiry, FirstLook};

    /// The families of these keys.
    fn families(keys: &[String]) -> Vec<InferredTemplate> {
        let mut learner = Learner::default();
        for key in keys {
            let (redis_type, expiry) = (RedisType::String, Expiry::Never);
            learner.add(&FirstLook { key: key.as_bytes(), declaration: None, redis_type, expiry, memory: Some(64) });
        }
        learner.templates()
    }

    fn shown(shows_keys: bool, families: &[InferredTemplate]) -> Vec<String> {
        let masking = Masking::new(shows_keys, &Catalog::new(Vec::new(), Vec::new()), families);
        let mut shown: Vec<_> = families.iter().map(|family| masking.family(family)).collect();
        shown.sort();
        shown
    }

    #[test]
    fn words_of_few_keys_are_hidden_unless_many_keys_have_them() {
        let mut keys: Vec<_> = (0..20).map(|id| format!("user:{id}:profile")).collect();
        keys.extend(["user:ada.lovelace:profile", "reset:hunter2", "{tea}"].map(str::to_owned));
        let families = families(&keys);
        let hidden = ["user:{hidden}.{hidden}:profile", "user:{integer}:profile", "{hidden}:{hidden}"];
        let mut expected: Vec<_> = hidden.map(str::to_owned).into();
        expected.push("{{{hidden}}}".to_owned());
        expected.sort();
        assert_eq!(shown(false, &families), expected);
        assert!(shown(true, &families).contains(&"user:ada.lovelace:profile".to_owned()));
    }

    #[test]
    fn a_first_segment_that_many_keys_have_is_shown() {
        let keys: Vec<_> = ["a", "b", "c", "d", "e", "f", "g", "h"]
            .iter()
            .enumerate()
            .map(|(index, word)| format!("config:{}{word}", "x:".repeat(index)))
            .collect();
        assert!(shown(false, &families(&keys)).iter().all(|family| family.starts_with("config:")));
        assert!(!shown(false, &families(&keys[1..])).iter().any(|family| family.starts_with("config:")));
    }

    #[test]
    fn a_key_is_shown_with_public_words_only() {
        let mut masking = Masking::new(false, &Catalog::new(Vec::new(), Vec::new()), &[]);
        masking.publish("user:name::string");
        masking.publish_text_of("cart-{id}-{{items}}");
        for (key, shown) in [
            ("user:name:ada:string", "user:name:{hidden}:string"),
            ("user:name:42:string", "user:name:{integer}:string"),
            ("cart-7-{items}", "cart-{integer}-{{items}}"),
            ("id", "{hidden}"),
            ("user:name:ada@shop.example:string", "user:name:{email}:string"),
        ] {
            assert_eq!(masking.key(&KeyText::new(key.as_bytes())).bytes(), shown.as_bytes());
        }
        assert_eq!(masking.key(&KeyText::new(b"\xff\xfe")).bytes(), b"{text}");
    }
}
