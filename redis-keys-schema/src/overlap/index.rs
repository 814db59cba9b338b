//! An index of declarations by their literal segments, so that each is compared with few others.

use std::collections::HashMap;

use super::Pattern;

/// How many certain overlaps of one declaration are returned. More of them say nothing new.
const MAX_CERTAIN: usize = 8;

/// How many declarations with the same text are returned if types decide: so many types in one place are hardly all
/// distinct.
const MAX_SAME_TEXT: usize = 32;

/// The declarations of a crate, in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub struct Index {
    groups: HashMap<String, Group>,
}

/// A declaration in the index.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The number that identifies it.
    pub number: u64,
    /// The keys that it can produce.
    pub pattern: Pattern,
}

#[derive(Clone, Debug, Default)]
struct Group {
    declared: Vec<Declared>,
    /// The declarations with this literal, or with a parameter (`None`), in the segment of this number.
    by_segment: HashMap<(usize, Option<String>), Vec<usize>>,
}

impl Index {
    /// Adds a declaration, and returns the earlier ones that overlap with it, as far as it is known without the compiler.
    pub fn add(&mut self, declared: Declared) -> Vec<Declared> {
        let group = self.groups.entry(declared.pattern.group.clone()).or_default();
        let overlapping = group.overlapping(&declared.pattern);
        group.add(declared);
        overlapping
    }
}

impl Group {
    fn add(&mut self, declared: Declared) {
        let number = self.declared.len();
        for segment in segments(&declared.pattern.text) {
            self.by_segment.entry(segment).or_default().push(number);
        }
        self.declared.push(declared);
    }

    fn overlapping(&self, pattern: &Pattern) -> Vec<Declared> {
        let mut overlapping = Vec::new();
        let (mut certain, mut same_text) = (0, 0);
        for declared in self.candidates(pattern) {
            if !declared.pattern.keys().overlaps(pattern.keys()) {
                continue;
            }
            if declared.pattern.typed.is_empty() && pattern.typed.is_empty() {
                certain += 1;
            } else if declared.pattern.text == pattern.text {
                same_text += 1;
            }
            if certain > MAX_CERTAIN {
                break;
            }
            if same_text > MAX_SAME_TEXT && declared.pattern.text == pattern.text {
                continue;
            }
            overlapping.push(declared.clone());
            if certain > 0 && declared.pattern == *pattern {
                // Its own overlaps have been reported.
                break;
            }
        }
        overlapping
    }

    /// The declarations that match in the most selective segment.
    fn candidates(&self, pattern: &Pattern) -> Vec<&Declared> {
        let with = |segment| self.by_segment.get(&segment).map(Vec::as_slice).unwrap_or_default();
        let literals = segments(&pattern.text).filter(|(_, literal)| literal.is_some());
        let sets = literals.map(|(number, literal)| [with((number, literal)), with((number, None))]);
        let Some([same, parameter]) = sets.min_by_key(|[same, parameter]| same.len() + parameter.len()) else {
            return self.declared.iter().collect();
        };
        let mut numbers = [same, parameter].concat();
        numbers.sort_unstable();
        numbers.into_iter().filter_map(|number| self.declared.get(number)).collect()
    }
}

/// The segments with their numbers, `None` for one with a parameter.
fn segments(text: &str) -> impl Iterator<Item = (usize, Option<String>)> {
    text.split(':').map(|segment| (!segment.contains("{}")).then(|| segment.to_owned())).enumerate()
}
