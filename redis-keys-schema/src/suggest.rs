//! Guesses at what was meant.

use heck::ToSnakeCase;

/// The candidate that is most like `word`, if one is so like it that a slip of the pen explains the difference.
pub(crate) fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let word = word.to_lowercase();
    let slips = |candidate: &str| strsim::damerau_levenshtein(&word, &candidate.to_lowercase());
    // A third of the word may be wrong: more than that is another word.
    let near = |&(slips, candidate): &(usize, &str)| slips * 3 <= candidate.len().max(word.len()).max(3);
    candidates
        .into_iter()
        .map(|candidate| (slips(candidate), candidate))
        .filter(near)
        .min_by_key(|&(slips, _)| slips)
        .map(|(_, candidate)| candidate)
}

/// Any way of writing several words as one (`userInfo`, `user_info`, `HTTPSession`, `user-info`) as the words of a key:
/// lower case, separated by `.`. `None` if nothing is left of it.
pub(crate) fn dotted(word: &str) -> Option<String> {
    let word = word.strip_prefix("r#").unwrap_or(word);
    let ascii: String = word.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let dotted = if ascii.chars().any(|c| c.is_ascii_lowercase()) {
        ascii.to_snake_case().replace('_', ".")
    } else {
        // All upper case, as in `USER2_INFO`: there are no humps to find.
        ascii.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".").to_ascii_lowercase()
    };
    (!dotted.is_empty()).then_some(dotted)
}

/// Words as a list for a message, with `or` or `and` before the last: `a`, `b` or `c`.
pub(crate) fn list<'w>(words: impl IntoIterator<Item = &'w str>, joint: &str) -> String {
    let quoted: Vec<_> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} {joint} {last}", rest.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_slips_and_nothing_else() {
        let types = ["string", "hash", "list", "set", "zset"];
        assert_eq!(nearest("strng", types), Some("string"));
        assert_eq!(nearest("String", types), Some("string"));
        assert_eq!(nearest("lsit", types), Some("list"));
        assert_eq!(nearest("zet", types), Some("set"));
        assert_eq!(nearest("profile", types), None);
        assert_eq!(nearest("", types), None);
    }

    #[test]
    fn writes_every_habit_as_words_of_a_key() {
        for (habit, words) in [
            ("userInfo", "user.info"),
            ("UserInfo", "user.info"),
            ("user_info", "user.info"),
            ("user-info", "user.info"),
            ("USER_INFO", "user.info"),
            ("USER", "user"),
            ("HTTPSession", "http.session"),
            ("IPv6", "i.pv6"),
            ("userID", "user.id"),
            ("Info", "info"),
            ("r#type", "type"),
            ("__user__", "user"),
            ("user@home", "user.home"),
        ] {
            assert_eq!(dotted(habit).as_deref(), Some(words), "{habit}");
        }
        assert_eq!(dotted("é"), None);
        assert_eq!(dotted("-"), None);
    }

    #[test]
    fn lists_words() {
        assert_eq!(list(["a"], "or"), "`a`");
        assert_eq!(list(["a", "b", "c"], "and"), "`a`, `b` and `c`");
        assert_eq!(list([], "or"), "");
    }
}
