//! Suggestions: the likely meaning of a name, and its words.

/// The candidate that is most like `word`, if it is so like it that a typo explains the difference.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    nearest_of(word, &mut candidates.into_iter())
}

/// The longest name that is compared: the time grows with the square of the length.
const LONGEST_NAME: usize = 64;

/// Compiled once for all iterators, as is [`list_of`].
fn nearest_of<'c>(word: &str, candidates: &mut dyn Iterator<Item = &'c str>) -> Option<&'c str> {
    if word.len() > LONGEST_NAME {
        return None;
    }
    let word = word.to_lowercase();
    let mut nearest = None;
    let mut fewest = usize::MAX;
    for candidate in candidates.filter(|candidate| candidate.len() <= LONGEST_NAME) {
        // A third of the word may be wrong: more than that is another word.
        let most = (candidate.len().max(word.len()).max(3) / 3).min(fewest.saturating_sub(1));
        if let Some(typos) = typos(&word, &candidate.to_lowercase(), most) {
            (nearest, fewest) = (Some(candidate), typos);
        }
        if fewest == 0 {
            break;
        }
    }
    nearest
}

/// Returns the number of typos that turn one word into the other, if it is at most `most`: a letter more or less,
/// another letter, or two neighbours in each other's place.
pub(crate) fn typos(one: &str, other: &str, most: usize) -> Option<usize> {
    let other: Vec<char> = other.chars().collect();
    if one.chars().count().abs_diff(other.len()) > most {
        return None;
    }
    // The typos between the letters of `one` up to the last two and the letters of `other` up to each.
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    let mut previous = None;
    for (row, letter) in one.chars().enumerate() {
        let mut current = vec![row + 1];
        for (at, expected) in other.iter().enumerate() {
            let get = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX - 1);
            let replaced = get(&last, at) + usize::from(letter != *expected);
            let mut fewest = replaced.min(get(&last, at + 1) + 1).min(get(&current, at) + 1);
            let is_swapped = at > 0 && previous == Some(*expected) && other.get(at - 1) == Some(&letter);
            if is_swapped {
                fewest = fewest.min(get(&before_last, at - 1) + 1);
            }
            current.push(fewest);
        }
        // Two swapped letters skip one row, not two.
        if current.iter().chain(&last).all(|typos| *typos > most) {
            return None;
        }
        before_last = std::mem::replace(&mut last, current);
        previous = Some(letter);
    }
    last.last().copied().filter(|typos| *typos <= most)
}

/// A name in any case (`userInfo`, `user_info`, `HTTPSession`, `user-info`) as a key's words: lower case, separated by
/// `.`. `None` if it has none.
pub(crate) fn dotted(name: &str) -> Option<String> {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let ascii = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = name.chars().map(ascii).collect();
    let has_humps = name.bytes().any(|byte| byte.is_ascii_lowercase());
    // All upper case, as in `USER2_INFO`: only underscores separate words.
    let name = if has_humps { name } else { name.to_ascii_lowercase() };
    let dotted = words(&name).join(".").to_ascii_lowercase();
    (!dotted.is_empty()).then_some(dotted)
}

/// The words of a name in any case. A word ends at a sign, before an upper-case letter that follows a lower-case
/// letter, and before the last letter of an acronym that a lower-case letter follows.
pub(crate) fn words(name: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for part in name.split(|c: char| !c.is_alphanumeric()) {
        let mut start = 0;
        // The case of the word's last letter. A digit has none.
        let mut last = None;
        let mut letters = part.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let Some(&(next_at, next)) = letters.peek() else { break };
            let case = if letter.is_lowercase() { Some('a') } else { letter.is_uppercase().then_some('A').or(last) };
            let end = match case {
                Some('a') if next.is_uppercase() => next_at,
                _ if last == Some('A') && letter.is_uppercase() && next.is_lowercase() => at,
                _ => {
                    last = case;
                    continue;
                }
            };
            words.extend(part.get(start..end));
            (start, last) = (end, None);
        }
        words.extend(part.get(start..).filter(|word| !word.is_empty()));
    }
    words
}

/// Words as a list for a message, with `or` or `and` before the last: `a`, `b` or `c`.
pub(crate) fn list<'w>(words: impl IntoIterator<Item = &'w str>, joint: &str) -> String {
    list_of(&mut words.into_iter(), joint)
}

fn list_of(words: &mut dyn Iterator<Item = &str>, joint: &str) -> String {
    let quoted: Vec<_> = words.map(|word| format!("`{word}`")).collect();
    joined(&quoted, joint)
}

/// Parts of a sentence with `or` or `and` before the last.
pub fn joined(parts: &[String], joint: &str) -> String {
    match parts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} {joint} {last}", rest.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_typos_and_nothing_else() {
        let types = ["string", "hash", "list", "set", "zset"];
        assert_eq!(nearest("strng", types), Some("string"));
        assert_eq!(nearest("String", types), Some("string"));
        assert_eq!(nearest("lsit", types), Some("list"));
        assert_eq!(nearest("zet", types), Some("set"));
        assert_eq!(nearest("profile", types), None);
        assert_eq!(nearest("", types), None);
    }

    #[test]
    fn long_names_are_not_compared() {
        let name = |last: char| format!("{}{last}", "n".repeat(LONGEST_NAME - 1));
        assert_eq!(nearest(&name('a'), [name('b').as_str()]), Some(name('b').as_str()));
        assert_eq!(nearest(&format!("{}a", name('a')), [name('a').as_str()]), None);
        let names: Vec<_> = (0..200).map(|number| format!("{number}{}", "x".repeat(100_000))).collect();
        for name in &names {
            assert_eq!(nearest(name, names.iter().map(String::as_str)), None);
        }
    }

    #[test]
    fn counts_typos() {
        for (one, other, count) in [
            ("", "", 0),
            ("", "set", 3),
            ("set", "", 3),
            ("string", "string", 0),
            ("strng", "string", 1),
            ("strring", "string", 1),
            ("stribg", "string", 1),
            ("srting", "string", 1),
            ("srtign", "string", 2),
            ("hash", "list", 3),
            ("größe", "grösse", 2),
        ] {
            for (one, other) in [(one, other), (other, one)] {
                assert_eq!(typos(one, other, 9), Some(count), "{one} {other}");
                assert_eq!(typos(one, other, count), Some(count), "{one} {other}");
                assert_eq!(count.checked_sub(1).and_then(|fewer| typos(one, other, fewer)), None, "{one} {other}");
            }
        }
    }

    #[test]
    fn writes_a_name_in_any_case_as_words_of_a_key() {
        for (name, words) in [
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
            assert_eq!(dotted(name).as_deref(), Some(words), "{name}");
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
