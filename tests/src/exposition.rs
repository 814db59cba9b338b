//! A strict reader of the text format 0.0.4 of Prometheus.

use std::collections::{BTreeMap, BTreeSet};

/// The labels of a sample, by their names.
pub type Labels = BTreeMap<String, String>;

/// A family of metrics.
#[derive(Debug, PartialEq)]
pub struct Family {
    /// The name.
    pub name: String,
    /// The description.
    pub help: String,
    /// The type, such as `gauge`.
    pub kind: String,
    /// The samples, with their values.
    pub samples: Vec<(Labels, f64)>,
}

impl Family {
    /// Returns the sum of all samples.
    pub fn sum(&self) -> f64 {
        self.samples.iter().map(|(_, value)| value).sum()
    }

    /// Returns the value of the sample that has this label.
    pub fn value(&self, label: &str, text: &str) -> Option<f64> {
        let is_same = |labels: &Labels| labels.get(label).is_some_and(|value| value == text);
        self.samples.iter().find(|(labels, _)| is_same(labels)).map(|(_, value)| *value)
    }
}

/// Reads a text in which each family is `# HELP`, `# TYPE` and one sample or more. Fails on all else: families that
/// come twice or without samples, samples of another family, names and labels that are none, and equal samples.
pub fn read_exposition(text: &str) -> Result<Vec<Family>, String> {
    let lines = text.strip_suffix('\n').ok_or("the last line has no end")?;
    let mut families = Vec::<Family>::new();
    let mut lines = lines.split('\n').peekable();
    while let Some(line) = lines.next() {
        let (name, help) = line.strip_prefix("# HELP ").and_then(|rest| rest.split_once(' ')).ok_or(line)?;
        let name = valid(name, true)?;
        if families.iter().any(|family| family.name == name) {
            return Err(format!("{name} comes twice"));
        }
        let start = format!("# TYPE {name} ");
        let kind = lines.next().and_then(|line| line.strip_prefix(&start)).ok_or("no TYPE after HELP")?;
        if !["counter", "gauge", "histogram", "summary", "untyped"].contains(&kind) {
            return Err(format!("unknown type {kind}"));
        }
        let mut family = Family { name, help: unescaped(help, false)?, kind: kind.to_owned(), samples: Vec::new() };
        let mut seen = BTreeSet::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("# HELP ")) {
            let (sample, labels, value) = read_sample(line)?;
            let suffix = sample.strip_prefix(&family.name).ok_or_else(|| format!("{sample} is in {}", family.name))?;
            let suffixes = if kind == "histogram" { &["_bucket", "_sum", "_count"][..] } else { &[""] };
            if !suffixes.contains(&suffix) || !seen.insert((sample, labels.clone())) {
                return Err(format!("unexpected {line}"));
            }
            family.samples.push((labels, value));
        }
        if family.samples.is_empty() {
            return Err(format!("{} has no samples", family.name));
        }
        families.push(family);
    }
    Ok(families)
}

fn read_sample(line: &str) -> Result<(String, Labels, f64), String> {
    let end = line.find(['{', ' ']).ok_or(line)?;
    let (name, mut rest) = line.split_at(end);
    let mut labels = Labels::new();
    if let Some(start) = rest.strip_prefix('{') {
        rest = start;
        loop {
            let (label, value) = rest.split_once("=\"").ok_or(line)?;
            let end = end_of_value(value).ok_or(line)?;
            let (value, after) = value.split_at(end);
            if labels.insert(valid(label, false)?, unescaped(value, true)?).is_some() {
                return Err(format!("{label} comes twice"));
            }
            match after.strip_prefix("\",") {
                Some(next) => rest = next,
                None => break rest = after.strip_prefix("\"}").ok_or(line)?,
            }
        }
    }
    let value = rest.strip_prefix(' ').ok_or(line)?;
    Ok((valid(name, true)?, labels, value.parse().map_err(|error| format!("{value}: {error}"))?))
}

/// The place of the quotation mark that ends a value.
fn end_of_value(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })
}

fn unescaped(text: &str, is_value: bool) -> Result<String, String> {
    let mut signs = text.chars();
    let mut unescaped = String::new();
    while let Some(sign) = signs.next() {
        unescaped.push(match sign {
            '\\' => match signs.next() {
                Some('\\') => '\\',
                Some('n') => '\n',
                Some('"') if is_value => '"',
                other => return Err(format!("a wrong escape before {other:?}")),
            },
            sign => sign,
        });
    }
    Ok(unescaped)
}

/// The name of a family, in which `:` can be, or of a label.
fn valid(name: &str, can_have_colon: bool) -> Result<String, String> {
    let is_letter = |sign: char| sign.is_ascii_alphabetic() || sign == '_' || (sign == ':' && can_have_colon);
    let is_valid = name.starts_with(is_letter) && name.chars().all(|sign| is_letter(sign) || sign.is_ascii_digit());
    if is_valid { Ok(name.to_owned()) } else { Err(format!("{name} is not a name")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "# HELP a_b The \\\\ and \\n.\n# TYPE a_b gauge\na_b{x=\"a\\\\\\\"\\n}, \",y=\"\"} 1\na_b 2.5\n\
                        # HELP c C\n# TYPE c counter\nc 3\n";

    #[test]
    fn what_is_right_is_read() {
        let families = read_exposition(GOOD).expect("a text of the format");
        let names: Vec<_> = families.iter().map(|family| (family.name.as_str(), family.kind.as_str())).collect();
        assert_eq!(names, [("a_b", "gauge"), ("c", "counter")]);
        assert_eq!((families[0].help.as_str(), families[0].sum()), ("The \\ and \n.", 3.5));
        assert_eq!(families[0].value("x", "a\\\"\n}, "), Some(1.0));
    }

    #[test]
    fn what_is_wrong_is_rejected() {
        for (right, wrong) in [
            ("c 3\n", "c 3"),
            ("c 3\n", ""),
            ("c 3\n", "c 3\n\n"),
            (GOOD, ""),
            (GOOD, "\n"),
            ("c 3\n", "c x\n"),
            ("c 3\n", "c 3 \n"),
            ("c 3\n", "d 3\n"),
            ("c 3\n", "c 3\nc 4\n"),
            ("c 3\n", "c 3\na_b{y=\"1\"} 3\n"),
            ("# HELP c C\n# TYPE c counter\n", "# TYPE c counter\n# HELP c C\n"),
            ("# HELP c C\n# TYPE c counter\nc 3", "# HELP a_b A\n# TYPE a_b gauge\na_b{z=\"1\"} 3"),
            ("counter", "count"),
            ("# HELP c C\n", ""),
            ("a_b 2.5", "a_b{x=\"a\\\\\\\"\\n}, \",y=\"\"} 2"),
            ("y=\"\"", "x=\"\""),
            ("y=\"\"", "0y=\"\""),
            ("y=\"\"", "y:=\"\""),
            ("y=\"\"", "y=\"\\x\""),
            ("y=\"\"", "y=\"\"\""),
            ("y=\"\"", "y=\"\n\""),
        ] {
            let text = GOOD.replace(right, wrong);
            assert!(text != GOOD && read_exposition(&text).is_err(), "{text}");
        }
    }
}
