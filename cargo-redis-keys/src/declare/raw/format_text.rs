//! The text of `format!`.

/// A part of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Text(String),
    /// The argument of an index that is not named.
    Index(usize),
    /// The argument or the variable of a name.
    Name(String),
    /// An argument in another format than that of `Display`, as in `{id:05}` or `{id:?}`.
    Formatted(Box<Self>),
}

/// The parts of the text of `format!`. What `format!` rejects is read in some way.
pub(super) fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let (mut literal, mut next) = (String::new(), 0);
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, brace) = rest.split_at(at);
        literal.push_str(before);
        if let Some(behind) = brace.strip_prefix("{{") {
            literal.push('{');
            rest = behind;
        } else if let Some(behind) = brace.strip_prefix("}}").or_else(|| brace.strip_prefix('}')) {
            literal.push('}');
            rest = behind;
        } else {
            let (argument, behind) = brace.get(1..).unwrap_or_default().split_once('}').unwrap_or((brace, ""));
            if !literal.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut literal)));
            }
            let (name, format) = argument.split_once(':').unwrap_or((argument, ""));
            // `{:.*}` takes the precision first.
            next += usize::from(format.contains(".*"));
            let part = match name.trim() {
                "" => {
                    next += 1;
                    Part::Index(next - 1)
                }
                name => name.parse().map_or_else(|_| Part::Name(name.to_owned()), Part::Index),
            };
            parts.push(if format.is_empty() { part } else { Part::Formatted(Box::new(part)) });
            rest = behind;
        }
    }
    literal.push_str(rest);
    if !literal.is_empty() {
        parts.push(Part::Text(literal));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_is_read() {
        let text = |text: &str| Part::Text(text.to_owned());
        let name = |name: &str| Part::Name(name.to_owned());
        let formatted = |part: Part| Part::Formatted(Box::new(part));
        for (format, expected) in [
            ("a:b", vec![text("a:b")]),
            ("{}:{}", vec![Part::Index(0), text(":"), Part::Index(1)]),
            ("a:{1}{}{0:?}", vec![text("a:"), Part::Index(1), Part::Index(0), formatted(Part::Index(0))]),
            ("{{{id}}}:x", vec![text("{"), name("id"), text("}:x")]),
            ("{id:05}", vec![formatted(name("id"))]),
            ("{:.*}{}", vec![formatted(Part::Index(1)), Part::Index(2)]),
            ("", vec![]),
            ("a}b{", vec![text("a}b"), name("{")]),
            ("é{é", vec![text("é"), name("{é")]),
        ] {
            assert_eq!(parts(format), expected, "{format}");
        }
    }
}
