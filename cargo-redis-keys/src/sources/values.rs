//! What follows from the values of parameters: the longest key, and an example.

use redis_keys_schema::catalogue;

use crate::catalogue::{Key, Parameter, Values};

impl Key {
    /// Sets the texts of the parameters that are written as they are, and what follows from them.
    pub(crate) fn set_values(&mut self, values: impl Fn(&Parameter) -> Option<catalogue::Values>) {
        let whole = Part::all(&self.template);
        let mut is_whole = whole.iter().filter_map(|part| match part {
            Part::Parameter { is_segment, .. } => Some(*is_segment),
            Part::Literal(_) => None,
        });
        for parameter in &mut self.parameters {
            let is_segment = is_whole.next().unwrap_or_default();
            if parameter.form != "plain" {
                continue;
            }
            let Some(values) = values(parameter) else { continue };
            parameter.dotted = if is_segment { values.is_dotted() } else { Some(false) };
            parameter.values = Values::of(values);
        }
        let parameters: Vec<_> =
            self.parameters.iter().map(|parameter| Values::schema(parameter.values.as_ref())).collect();
        let literals: usize = whole.iter().map(Part::literal_bytes).sum();
        let longest = parameters.iter().map(catalogue::Values::longest).sum::<Option<usize>>();
        self.longest = longest.map_or(self.max_key_bytes, |longest| (literals + longest).min(self.max_key_bytes));
        self.example = example(&whole, &parameters);
    }
}

/// A part of a template.
enum Part<'t> {
    Literal(&'t str),
    Parameter { is_tag: bool, is_segment: bool },
}

impl<'t> Part<'t> {
    /// The parts of a template in canonical form.
    fn all(template: &'t str) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut rest = template;
        while let Some((before, (inner, after))) =
            rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
        {
            let is_first = before.is_empty() && parts.is_empty() || before.ends_with(':');
            let is_segment = is_first && (after.is_empty() || after.starts_with(':'));
            parts.push(Self::Literal(before));
            parts.push(Self::Parameter { is_tag: inner.starts_with('#'), is_segment });
            rest = after;
        }
        parts.push(Self::Literal(rest));
        parts
    }

    /// The bytes of a key that are the same in all keys. Those of a hash tag have braces.
    fn literal_bytes(&self) -> usize {
        match self {
            Self::Literal(text) => text.len(),
            Self::Parameter { is_tag, .. } => {
                if *is_tag {
                    2
                } else {
                    0
                }
            }
        }
    }
}

/// An example of a key, if a text of each parameter is known.
fn example(parts: &[Part<'_>], parameters: &[catalogue::Values]) -> Option<String> {
    let mut parameters = parameters.iter();
    let texts = parts.iter().map(|part| match part {
        Part::Literal(text) => Some((*text).to_owned()),
        Part::Parameter { is_tag, .. } => {
            let text = parameters.next()?.example()?;
            Some(if *is_tag { format!("{{{text}}}") } else { text })
        }
    });
    texts.collect()
}

impl Values {
    /// The values as the rules have them, `None` if they are unknown.
    fn of(values: catalogue::Values) -> Option<Self> {
        use catalogue::Values as Known;
        Some(match values {
            Known::Unknown => return None,
            Known::Any => Self::Any,
            Known::Number { from, to } => Self::Number { from, to },
            Known::Hex { digits } => Self::Hex { digits },
            Known::IpAddr => Self::IpAddr,
            Known::Base32 => Self::Base32,
            Known::Years => Self::Years,
            Known::Months => Self::Months,
            Known::Days => Self::Days,
            Known::Hours => Self::Hours,
            Known::OneOf(texts) => Self::OneOf(texts),
        })
    }

    /// The values for the rules.
    pub(crate) fn schema(values: Option<&Self>) -> catalogue::Values {
        use catalogue::Values as Known;
        match values {
            None => Known::Unknown,
            Some(Self::Any) => Known::Any,
            Some(Self::Number { from, to }) => Known::Number { from: *from, to: *to },
            Some(Self::Hex { digits }) => Known::Hex { digits: *digits },
            Some(Self::IpAddr) => Known::IpAddr,
            Some(Self::Base32) => Known::Base32,
            Some(Self::Years) => Known::Years,
            Some(Self::Months) => Known::Months,
            Some(Self::Days) => Known::Days,
            Some(Self::Hours) => Known::Hours,
            Some(Self::OneOf(texts)) => Known::OneOf(texts.clone()),
        }
    }
}
