//! Names in other languages.

use crate::declare::words::words;

/// A word with a capital letter.
fn capitalized(word: &str) -> String {
    let mut signs = word.chars();
    signs.next().into_iter().flat_map(char::to_uppercase).chain(signs).collect()
}

/// A name as `basicInfo`. The index of a field becomes `field0`.
pub(super) fn camel(name: &str) -> String {
    let words = words(&named(name));
    let words = words.iter().enumerate().map(|(at, word)| if at == 0 { word.clone() } else { capitalized(word) });
    words.collect()
}

/// A name as `BasicInfo`, which keeps the capital letters that it has.
pub(super) fn pascal(name: &str) -> String {
    if name.starts_with(char::is_uppercase) && !name.contains('_') {
        return name.to_owned();
    }
    words(&named(name)).iter().map(|word| capitalized(word)).collect()
}

/// A name as `user_id`.
pub(super) fn snake(name: &str) -> String {
    words(&named(name)).join("_")
}

/// The name of a struct or a field without `r#`, or `field0` for an index, also for `_0`.
fn named(name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name).trim_start_matches('_');
    if name.starts_with(char::is_alphabetic) { name.to_owned() } else { format!("field{name}") }
}

/// A name that is not one of these words.
pub(super) fn apart_from(name: String, words: &[&str]) -> String {
    if words.contains(&name.as_str()) { name + "_" } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_style_of_each_language() {
        for (name, expected) in [
            ("BasicInfo", ["basicInfo", "BasicInfo", "basic_info"]),
            ("user_id", ["userId", "UserId", "user_id"]),
            ("HTTPSession", ["httpSession", "HTTPSession", "http_session"]),
            ("r#struct", ["struct", "Struct", "struct"]),
            ("0", ["field0", "Field0", "field0"]),
            ("_0", ["field0", "Field0", "field0"]),
            ("__", ["field", "Field", "field"]),
            ("v2_of", ["v2Of", "V2Of", "v2_of"]),
            ("é_b", ["éB", "ÉB", "é_b"]),
        ] {
            assert_eq!([camel(name), pascal(name), snake(name)], expected, "{name}");
        }
        assert_eq!(apart_from("class".to_owned(), &["class"]), "class_");
    }
}
