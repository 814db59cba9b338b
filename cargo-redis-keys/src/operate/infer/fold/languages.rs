//! Languages, regions, environments and codes: words that are values, however few they are.

use std::collections::BTreeSet;

use super::label::{content, separator, text_label};
use super::node::Node;

/// Languages, with which a region can be, as in `pt-BR`.
const LANGUAGES: &str = "ar bg ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl no pl pt ro ru \
                         sk sl sr sv th tr uk vi zh";

/// The languages that most translated programs have, and that are no common word.
const WIDESPREAD: [&str; 6] = ["en", "de", "fr", "es", "ja", "zh"];

/// Regions of the world, and the environments in which programs run.
const PLACES: &str = "africa ap apac asia emea eu latam na sa us \
                      dev development prod production qa sandbox stage staging test";

impl Node {
    /// Joins languages: how keys go on behind them differs by chance.
    pub(super) fn join_languages(&mut self) {
        let labels = self.labels(|label, _| is_language(content(label)));
        let separators: BTreeSet<_> = labels.iter().map(|label| separator(label)).collect();
        let is_widespread = |label: &String| WIDESPREAD.iter().any(|language| content(label).starts_with(language));
        if let (Some(separator), 1) = (separators.first(), separators.len())
            && labels.len() > 1
            && labels.iter().any(is_widespread)
        {
            self.join(&text_label(separator), &labels);
        }
    }
}

/// Whether a word is a language, perhaps with a region.
fn is_language(word: &str) -> bool {
    let (language, region) =
        word.split_once(['-', '_']).map_or((word, None), |(language, region)| (language, Some(region)));
    let is_region = |region: &str| region.len() == 2 && region.bytes().all(|byte| byte.is_ascii_alphabetic());
    language.len() == 2 && region.is_none_or(is_region) && LANGUAGES.split_whitespace().any(|known| known == language)
}

/// Whether a word is a region of the world or an environment.
pub(super) fn is_region_or_environment(word: &str) -> bool {
    PLACES.split_whitespace().any(|known| known == word)
}

/// Whether a word could be a code, for example of a country, of a currency or of a type of records.
pub(super) fn is_code(word: &str) -> bool {
    (1..=7).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_uppercase())
}
