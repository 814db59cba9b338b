//! The checks that generated keys share, of which a file contains only those that it uses.

use std::collections::HashSet;

/// The parts of a library of checks that a text mentions, and the parts that these mention, in the order of the library.
/// `break_between` separates the parts, and is in none of them.
pub(super) fn used(library: &str, break_between: &str, text: &str, roots: &[&str]) -> String {
    let parts: Vec<&str> = library.trim().split(break_between).map(str::trim_end).collect();
    let names: Vec<Option<&str>> = parts.iter().map(|part| name_of(part)).collect();
    let mut wanted: Vec<&str> = words(text).chain(roots.iter().copied()).collect();
    let mut used = HashSet::new();
    while let Some(word) = wanted.pop() {
        for (index, _) in names.iter().enumerate().filter(|(_, name)| **name == Some(word)) {
            if used.insert(index) {
                wanted.extend(parts.get(index).copied().into_iter().flat_map(words));
            }
        }
    }
    let parts = parts.iter().enumerate().filter(|(index, _)| used.contains(index)).map(|(_, part)| *part);
    parts.collect::<Vec<_>>().join(break_between)
}

/// The words of a text that can be names.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|sign: char| !sign.is_alphanumeric() && sign != '_').filter(|word| !word.is_empty())
}

/// The name that a part defines.
fn name_of(part: &str) -> Option<&str> {
    let is_outside = |line: &&str| !line.starts_with([' ', '/', '*', '@', '#', '}', ')']) && !line.is_empty();
    let line = part.lines().find(is_outside)?;
    let keywords = ["export", "function", "class", "type", "interface", "const", "def"];
    words(line).find(|word| !keywords.contains(word))
}

/// Returns the names that a text mentions, for a line that imports them.
pub(super) fn mentioned<'n>(names: &[&'n str], text: &str) -> Vec<&'n str> {
    let words: HashSet<&str> = words(text).collect();
    names.iter().copied().filter(|name| words.contains(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_checks_that_it_uses() {
        let library = "/** A. */\nfunction _a(): void {\n  _b();\n}\n\nconst _b = 1;\n\nexport class C {}\n\ndef _d():";
        assert_eq!(used(library, "\n\n", "_a()", &[]), "/** A. */\nfunction _a(): void {\n  _b();\n}\n\nconst _b = 1;");
        assert_eq!(used(library, "\n\n", "x", &["C"]), "export class C {}");
        assert_eq!(used(library, "\n\n", "_d", &[]), "def _d():");
        assert_eq!(mentioned(&["isIPv4", "isIPv6"], "if (isIPv6(x))"), ["isIPv6"]);
    }
}
