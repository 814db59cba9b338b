//! Patterns of unknown keys, as they are shown: `user:{integer}`.

/// A character of a pattern, or a whole parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign<'p> {
    Text(char),
    /// With the name of its class.
    Parameter(&'p str),
}

/// The signs of a pattern. Braces of its text are doubled.
fn signs(pattern: &str) -> Vec<Sign<'_>> {
    let (mut signs, mut rest) = (Vec::new(), pattern);
    while let Some(sign) = rest.chars().next() {
        let is_doubled = rest.starts_with("{{") || rest.starts_with("}}");
        let parameter = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')).filter(|_| !is_doubled);
        if let Some((class, next)) = parameter {
            signs.push(Sign::Parameter(class));
            rest = next;
        } else {
            signs.push(Sign::Text(sign));
            rest = rest.get(if is_doubled { 2 } else { sign.len_utf8() }..).unwrap_or_default();
        }
    }
    signs
}

/// Whether all keys of the other pattern can have this one.
pub(super) fn contains(pattern: &str, other: &str) -> bool {
    let other = signs(other);
    let mut ends = vec![0];
    for sign in signs(pattern) {
        let mut next = Vec::new();
        for start in ends {
            let rest = other.get(start..).unwrap_or_default();
            let longest = rest.iter().take_while(|part| is_part(sign, **part)).count();
            let longest = if matches!(sign, Sign::Text(_)) { longest.min(1) } else { longest };
            next.extend(start + 1..=start + longest);
        }
        next.sort_unstable();
        next.dedup();
        ends = next;
    }
    ends.contains(&other.len())
}

/// Whether this sign can stand for a part of another pattern.
fn is_part(sign: Sign<'_>, part: Sign<'_>) -> bool {
    let is_separator = matches!(part, Sign::Text(':' | '/' | '|') | Sign::Parameter("path"));
    match (sign, part) {
        // Numbers are values of these as well, also those that were always the same.
        (Sign::Parameter("path"), _) | (Sign::Parameter("hex" | "random"), Sign::Parameter("integer")) => true,
        (Sign::Parameter("text"), _) => !is_separator,
        (Sign::Parameter("integer" | "hex" | "random"), Sign::Text(digit)) => digit.is_ascii_digit(),
        (sign, part) => sign == part,
    }
}

/// Whether a key has a pattern. A value can be any text.
pub(super) fn matches(pattern: &str, key: &[u8]) -> bool {
    let pattern = pattern.replace("{{", "\u{1}").replace("}}", "\u{2}");
    let mut texts = pattern.split('{').enumerate().map(|(index, part)| {
        let text = if index == 0 { part } else { part.split_once('}').map_or("", |(_, text)| text) };
        text.replace('\u{1}', "{").replace('\u{2}', "}").into_bytes()
    });
    let Some(mut rest) = texts.next().and_then(|start| key.strip_prefix(start.as_slice())) else { return false };
    let mut texts = texts.peekable();
    if texts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(text) = texts.next() {
        if texts.peek().is_none() {
            return rest.ends_with(&text);
        }
        let place = (0..=rest.len().saturating_sub(text.len()))
            .find(|place| rest.get(*place..).is_some_and(|rest| rest.starts_with(&text)));
        let Some(next) = place.and_then(|place| rest.get(place + text.len()..)) else { return false };
        rest = next;
    }
    true
}
