//! All declarations that have been seen, ordered so that each looks at few others.

use std::collections::HashMap;

use super::Pattern;

/// As many declarations are told of one that certainly overlap with it: with those behind them nothing new is said.
const MOST_TOLD: usize = 8;

/// Of as many that have its very text the compiler is asked: so many types in one place are hardly all different, and what stands
/// elsewhere is not left out for them.
const MOST_ALIKE: usize = 32;

/// The declarations of a crate, in the order in which they are seen.
#[derive(Clone, Debug, Default)]
pub struct Register {
    groups: HashMap<String, Group>,
}

/// A declaration that has been seen.
#[derive(Clone, Debug)]
pub struct Declared {
    /// What it is called.
    pub number: u64,
    /// How its keys look.
    pub pattern: Pattern,
}

#[derive(Clone, Debug, Default)]
struct Group {
    declared: Vec<Declared>,
    /// Which declarations have this word in this place; or a parameter, which has no word.
    by_word: HashMap<(Place, Option<String>), Vec<usize>>,
}

/// A place where two keys that are the same have the same word: the first or the last word of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    segment: usize,
    last: bool,
}

impl Register {
    /// Adds a declaration, and gives those before it whose keys can be the same, as far as it is known without the compiler.
    pub fn add(&mut self, declared: Declared) -> Vec<Declared> {
        let group = self.groups.entry(declared.pattern.group.clone()).or_default();
        let met = group.met(&declared.pattern);
        group.add(declared);
        met
    }
}

impl Group {
    fn add(&mut self, declared: Declared) {
        let number = self.declared.len();
        for (place, word) in words(&declared.pattern.text) {
            self.by_word.entry((place, word.map(str::to_owned))).or_default().push(number);
        }
        self.declared.push(declared);
    }

    fn met(&self, pattern: &Pattern) -> Vec<Declared> {
        let mut met = Vec::new();
        let (mut told, mut alike) = (0, 0);
        for declared in self.candidates(pattern) {
            if !declared.pattern.keys().overlaps(pattern.keys()) {
                continue;
            }
            if declared.pattern.typed.is_empty() && pattern.typed.is_empty() {
                told += 1;
            } else if declared.pattern.text == pattern.text {
                alike += 1;
            }
            if told > MOST_TOLD {
                break;
            }
            if alike > MOST_ALIKE && declared.pattern.text == pattern.text {
                continue;
            }
            met.push(declared.clone());
            if told > 0 && declared.pattern == *pattern {
                // What meets the other one has been told of that.
                break;
            }
        }
        met
    }

    /// The declarations that may be the same in the place that tells most.
    fn candidates(&self, pattern: &Pattern) -> Vec<&Declared> {
        let listed = |place, word: Option<&str>| {
            self.by_word.get(&(place, word.map(str::to_owned))).map(Vec::as_slice).unwrap_or_default()
        };
        let sets =
            words(&pattern.text).filter_map(|(place, word)| Some([listed(place, Some(word?)), listed(place, None)]));
        let Some([same, open]) = sets.min_by_key(|[same, open]| same.len() + open.len()) else {
            return self.declared.iter().collect();
        };
        let mut numbers = [same, open].concat();
        numbers.sort_unstable();
        numbers.into_iter().filter_map(|number| self.declared.get(number)).collect()
    }
}

/// The words at the ends of the segments, which are `None` where a parameter stands.
fn words(text: &str) -> impl Iterator<Item = (Place, Option<&str>)> {
    text.split(':').enumerate().flat_map(|(segment, text)| {
        let word = |last: bool| {
            let mut words = text.split('.');
            let word = if last { words.next_back() } else { words.next() };
            (Place { segment, last }, word.filter(|word| *word != "{}"))
        };
        [word(false), word(true)]
    })
}
