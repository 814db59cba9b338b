//! Words of names.

/// The words of a name such as `BasicInfo`, `user_id` or `HTTPSession`, in lower case.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let signs: Vec<char> = name.chars().collect();
    let mut is_start = true;
    for (at, &sign) in signs.iter().enumerate() {
        if !sign.is_alphanumeric() {
            is_start = true;
            continue;
        }
        let is_lower = |at: Option<usize>| at.and_then(|at| signs.get(at)).is_some_and(|sign| sign.is_lowercase());
        let after = at.checked_sub(1).and_then(|before| signs.get(before)).copied().unwrap_or('_');
        // The last capital letter of several starts a word before lower-case letters.
        let starts = sign.is_uppercase() && (!after.is_uppercase() || is_lower(Some(at + 1)));
        if is_start || starts {
            words.push(String::new());
        }
        is_start = false;
        words.last_mut().into_iter().for_each(|word| word.extend(sign.to_lowercase()));
    }
    words
}
