//! A key's template, taken apart.

use std::ops::Range;

/// The template of a key, such as `user:v.{id}:{#shop}:string`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    /// The segments, each as its words. The last segment is the type.
    pub(crate) segments: Vec<Vec<Word>>,
}

/// A word of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// Text that is the same in each key.
    Literal(String),
    /// A parameter. As the only word of its segment, it can be several words in a key.
    Parameter {
        index: usize,
        /// Whether it is in braces.
        hash_tag: bool,
    },
}

impl Template {
    /// Takes a template apart. Returns `None` if it is not a template.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parameters = 0;
        let mut word = |text: &str| match text.strip_prefix('{') {
            Some(placeholder) => {
                let name = placeholder.strip_suffix('}').filter(|name| !name.contains(['{', '}']))?;
                parameters += 1;
                Some(Word::Parameter { index: parameters - 1, hash_tag: name.starts_with('#') })
            }
            None => (!text.is_empty() && !text.contains(['{', '}'])).then(|| Word::Literal(text.to_owned())),
        };
        let segments = text.split(':').map(|segment| segment.split('.').map(&mut word).collect());
        let segments: Vec<Vec<Word>> = segments.collect::<Option<_>>()?;
        // A key starts with its module's name, and ends with its type.
        let ends_are_text = [segments.first()?, segments.last()?].into_iter().all(|segment| is_literal(segment));
        (segments.len() > 2 && ends_are_text).then_some(Self { segments })
    }

    /// Whether a parameter is a whole segment.
    pub(super) fn is_segment(&self, parameter: usize) -> bool {
        self.segments
            .iter()
            .any(|segment| matches!(segment.as_slice(), [Word::Parameter { index, .. }] if *index == parameter))
    }

    /// The key with these texts of the parameters, if all texts are known.
    pub(crate) fn rendered(&self, text: impl Fn(usize) -> Option<String>) -> Option<String> {
        let word = |word: &Word| match word {
            Word::Literal(text) => Some(text.clone()),
            Word::Parameter { index, hash_tag: true } => Some(format!("{{{}}}", text(*index)?)),
            Word::Parameter { index, .. } => text(*index),
        };
        let segments =
            self.segments.iter().map(|segment| Some(segment.iter().map(word).collect::<Option<Vec<_>>>()?.join(".")));
        Some(segments.collect::<Option<Vec<_>>>()?.join(":"))
    }

    /// The places of the parameters in a key with as many segments and words. `key` is without a namespace.
    pub(crate) fn parameters(&self, key: &[u8]) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        for (segment, place) in self.segments.iter().zip(pieces(key, 0..key.len(), b':')) {
            let is_whole = segment.len() == 1;
            let words = if is_whole { vec![place] } else { pieces(key, place, b'.') };
            for (word, mut place) in segment.iter().zip(words) {
                if let Word::Parameter { hash_tag, .. } = word {
                    if *hash_tag {
                        place = place.start + 1..place.end.saturating_sub(1);
                    }
                    places.push(place);
                }
            }
        }
        places
    }
}

/// Whether a segment is text, without a parameter.
pub(crate) fn is_literal(segment: &[Word]) -> bool {
    segment.iter().all(|word| matches!(word, Word::Literal(_)))
}

/// The text of a segment without parameters.
pub(crate) fn literal_text(segment: &[Word]) -> Option<Box<[u8]>> {
    let mut texts = Vec::new();
    for word in segment {
        let Word::Literal(text) = word else { return None };
        texts.push(text.as_str());
    }
    Some(texts.join(".").into_bytes().into())
}

/// The places of the pieces of a part of `text` that a separator separates.
pub(crate) fn pieces(text: &[u8], part: Range<usize>, separator: u8) -> Vec<Range<usize>> {
    let mut start = part.start;
    let mut pieces = Vec::new();
    for piece in text.get(part).unwrap_or_default().split(|byte| *byte == separator) {
        pieces.push(start..start + piece.len());
        start += piece.len() + 1;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(text: &str) -> Word {
        Word::Literal(text.to_owned())
    }

    #[test]
    fn a_template_is_taken_apart() {
        let parameter = |index, hash_tag| Word::Parameter { index, hash_tag };
        let segments = vec![
            vec![literal("user")],
            vec![literal("v"), parameter(0, false)],
            vec![parameter(1, true)],
            vec![parameter(2, false)],
            vec![literal("string")],
        ];
        assert_eq!(Template::parse("user:v.{id % 1000}:{#0}:{r#type}:string"), Some(Template { segments }));
    }

    #[test]
    fn other_texts_are_no_templates() {
        for text in
            ["", "a", "a:b", ":b:c", "a::c", "a:b:", "a:{b:c", "a:b}:c", "a:{{b}}:c", "a:x{b}:c", "{a}:b:c", "a:b:{c}"]
        {
            assert_eq!(Template::parse(text), None, "{text}");
        }
    }

    #[test]
    fn parameters_have_their_places() {
        let template = Template::parse("user:v.{id}.x:{#shop}:{name}:string");
        let places = template.map(|template| template.parameters(b"user:v.42.x:{7}:a.b:string"));
        assert_eq!(places, Some(vec![7..9, 13..14, 16..19]));
        // A key of another shape does not make it panic.
        let template = Template::parse("user:{#shop}:string");
        for key in ["", ":", "user", "user:", "user::", "user:{:string", "user:}"] {
            assert!(template.as_ref().is_some_and(|template| template.parameters(key.as_bytes()).len() <= 1), "{key}");
        }
    }
}
