//! Finds a key's declaration.
//!
//! The type and the number of segments choose a tree. Each of its nodes has an edge for each text, and for each kind of
//! parameter, that follows at its place in a template. A text is found by a binary search; the parameters are tried one
//! after the other, the most specific first. A key visits each node once at most.
//!
//! Keys that have no template can have the legacy text of a declaration.

mod cut;
mod legacy;
mod segment;
#[cfg(test)]
pub(super) mod tests;

use cut::{CutKey, MAX_SEGMENTS, Piece};
use legacy::LegacyTexts;
pub(crate) use legacy::legacy_of;
use redis_keys_core::schema::ParameterForm;
use redis_keys_schema::Kind;
use redis_keys_schema::limits::MAX_KEY_BYTES;
use segment::Segment;

use super::template::{Template, Word, literal_text};
use super::{Catalog, Key, Parameter, Values};

/// Finds a key's declaration.
#[derive(Clone, Debug)]
pub struct Matcher {
    /// The prefix of all keys: empty, or the namespace and `:`.
    prefix: Box<[u8]>,
    /// The trees, by type.
    kinds: Vec<KindTrees>,
    /// The nodes of all trees.
    nodes: Vec<Node>,
    /// The numbers of the declarations whose keys cannot be found.
    pub(crate) left_out: Vec<usize>,
    legacy: LegacyTexts,
}

/// A key's declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Match {
    /// Its index in the catalog.
    pub declaration: usize,
    /// The text that the key has.
    pub text: TextKind,
    /// Whether programs write that text: it is the text in `legacy`, or the template of a declaration without `legacy`.
    pub is_in_use: bool,
    /// Whether the declaration allows `ambiguous_text` and the key has its legacy text: other values may share the
    /// key.
    pub is_ambiguous: bool,
}

/// The text that a key has, of the two that a declaration can give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextKind {
    /// The template.
    Template,
    /// The format string of `legacy` or `formerly`.
    Legacy,
}

/// The trees of a type.
#[derive(Clone, Debug)]
struct KindTrees {
    /// The mark of the type's name.
    mark: u64,
    name: &'static [u8],
    /// The root of the tree for each number of segments.
    roots: Vec<Option<u32>>,
}

/// A place between two segments.
#[derive(Clone, Debug, Default)]
struct Node {
    /// The edges of segments that are text, sorted.
    texts: Vec<TextEdge>,
    /// The nodes behind segments with parameters, the most specific first.
    parameters: Vec<(Segment, u32)>,
    /// The declarations that end here, in the order of the catalog.
    declarations: Vec<Declaration>,
}

/// An edge of a segment that is text.
#[derive(Clone, Debug)]
struct TextEdge {
    /// The mark of the text, so that a search seldom reads the texts of other edges.
    mark: u64,
    text: Box<[u8]>,
    next: u32,
}

/// The conditions of a declaration that its segments do not express.
#[derive(Clone, Debug)]
struct Declaration {
    /// Its index in the catalog.
    index: usize,
    max_key_bytes: usize,
    /// Whether programs write it.
    is_in_use: bool,
    shards: Option<Box<Shards>>,
}

/// The shards of a template that has both a field and its shard, as in `{id % 100}:{id}`.
#[derive(Clone, Debug)]
struct Shards {
    template: Template,
    shards: Vec<Shard>,
}

/// A shard and its field.
#[derive(Clone, Debug)]
struct Shard {
    /// The index of the parameter that is the shard.
    parameter: usize,
    /// The index of the parameter that is the field.
    field: usize,
    /// The number of shards.
    count: u64,
    /// The base of the field's digits.
    base: u32,
}

impl Matcher {
    /// A matcher for the keys of a catalog, with the namespace before them, if there is one.
    pub fn new(catalog: &Catalog, namespace: Option<&str>) -> Self {
        let prefix = namespace.map(|namespace| format!("{namespace}:")).unwrap_or_default();
        let kinds = Kind::ALL.map(|kind| {
            let name = kind.name().as_bytes();
            KindTrees { mark: Piece::new(name).mark, name, roots: Vec::new() }
        });
        let mut matcher = Self {
            prefix: prefix.into_bytes().into(),
            kinds: kinds.into(),
            nodes: Vec::new(),
            left_out: Vec::new(),
            legacy: LegacyTexts::default(),
        };
        for (index, key) in catalog.keys.iter().enumerate() {
            if matcher.insert(index, key).and(matcher.legacy.add(index, key)).is_none() {
                matcher.left_out.push(index);
            }
        }
        matcher.legacy.finish();
        for node in &mut matcher.nodes {
            // Segments of the same rank keep the order of the catalog.
            node.parameters.sort_by_key(|(segment, _)| segment.rank());
        }
        matcher
    }

    /// The matcher with the prefix that programs set before legacy texts, which have no namespace.
    pub fn with_legacy_prefix(mut self, prefix: Option<&str>) -> Self {
        self.legacy.prefix = prefix.unwrap_or_default().as_bytes().into();
        self
    }

    /// Whether a declaration has a legacy text.
    pub(crate) fn has_legacy_texts(&self) -> bool {
        !self.legacy.is_empty()
    }

    /// Whether a legacy text can give this key behind any prefix.
    pub(crate) fn finds_legacy_behind_a_prefix(&self, key: &[u8]) -> bool {
        self.legacy.finds_behind_a_prefix(key)
    }

    /// The index of the declaration in the catalog that can produce this key.
    ///
    /// If there are several, it is the most specific. From the left, text goes before enums, enums before numbers and
    /// other forms, these before any text, and any text before parameters whose values are unknown. Templates go before
    /// legacy texts, except that legacy texts in use go before templates that are not in use. Among legacy texts, the
    /// text with most literal text is the most specific.
    pub fn find(&self, key: &[u8]) -> Option<usize> {
        self.find_match(key).map(|found| found.declaration)
    }

    /// The declaration that can produce this key, and the text that the key has.
    pub fn find_match(&self, key: &[u8]) -> Option<Match> {
        let template = self.find_template(key).map(|declaration| Match {
            declaration: declaration.index,
            text: TextKind::Template,
            is_in_use: declaration.is_in_use,
            is_ambiguous: false,
        });
        if self.legacy.is_empty() || template.is_some_and(|found| found.is_in_use) {
            return template;
        }
        let legacy = self.legacy.find(key);
        legacy.filter(|found| found.is_in_use || template.is_none()).or(template)
    }

    /// The declaration whose template can give this key.
    fn find_template(&self, key: &[u8]) -> Option<&Declaration> {
        // The namespace counts towards a key's limit.
        let text = key.strip_prefix(&*self.prefix).filter(|_| key.len() <= MAX_KEY_BYTES)?;
        let cut = CutKey::new(text)?;
        let path = cut.count.checked_sub(1)?;
        let suffix = cut.segment(path)?;
        let kind = self.kinds.iter().find(|kind| kind.mark == suffix.mark && kind.name == suffix.text)?;
        let root = kind.roots.get(path).copied().flatten()?;
        self.walk(root, 0, &KeySegments { text, cut: &cut, path, len: key.len() })
    }

    /// Follows the segments of a key from this segment on.
    fn walk(&self, node: u32, index: usize, key: &KeySegments<'_>) -> Option<&Declaration> {
        let node = self.nodes.get(node as usize)?;
        if index == key.path {
            return node.declarations.iter().find(|declaration| declaration.fits(key));
        }
        let segment = key.cut.segment(index)?;
        if let Some(edge) = node.find_text(segment).ok().and_then(|found| node.texts.get(found))
            && let Some(found) = self.walk(edge.next, index + 1, key)
        {
            return Some(found);
        }
        let mut parameters = node.parameters.iter().filter(|(parameters, _)| parameters.matches(segment.text));
        parameters.find_map(|(_, next)| self.walk(*next, index + 1, key))
    }

    /// Adds a declaration. `None` if no key can have it.
    fn insert(&mut self, index: usize, key: &Key) -> Option<()> {
        let (template, kind) = (Template::parse(&key.template)?, key.kind);
        let (suffix, path) = template.segments.split_last()?;
        if *suffix != [Word::Literal(kind.name().to_owned())] || path.len() >= MAX_SEGMENTS {
            return None;
        }
        let mut node = self.root(kind, path.len())?;
        for words in path {
            node = match literal_text(words) {
                Some(text) => self.text_edge(node, text),
                None => self.parameter_edge(node, Segment::new(words, &key.parameters)),
            };
        }
        let shards = Shards::of(&template, key);
        let is_in_use = key.legacy.is_none();
        let declaration = Declaration { index, max_key_bytes: key.max_key_bytes, is_in_use, shards };
        self.nodes.get_mut(node as usize)?.declarations.push(declaration);
        Some(())
    }

    /// The index of the next node.
    fn new_node(&self) -> u32 {
        u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)
    }

    /// The root of the tree for this type and this number of segments before it.
    fn root(&mut self, kind: Kind, path: usize) -> Option<u32> {
        let new = self.new_node();
        let trees = self.kinds.iter_mut().find(|trees| trees.name == kind.name().as_bytes())?;
        if trees.roots.len() <= path {
            trees.roots.resize(path + 1, None);
        }
        let root = trees.roots.get_mut(path)?;
        if root.is_none() {
            *root = Some(new);
            self.nodes.push(Node::default());
        }
        *root
    }

    fn text_edge(&mut self, from: u32, text: Box<[u8]>) -> u32 {
        let new = self.new_node();
        let Some(node) = self.nodes.get_mut(from as usize) else { return new };
        let piece = Piece::new(&text);
        match node.find_text(piece) {
            Ok(found) => node.texts.get(found).map_or(new, |edge| edge.next),
            Err(place) => {
                node.texts.insert(place, TextEdge { mark: piece.mark, text, next: new });
                self.nodes.push(Node::default());
                new
            }
        }
    }

    fn parameter_edge(&mut self, from: u32, segment: Segment) -> u32 {
        let new = self.new_node();
        let Some(node) = self.nodes.get_mut(from as usize) else { return new };
        if let Some((_, next)) = node.parameters.iter().find(|(other, _)| *other == segment) {
            return *next;
        }
        node.parameters.push((segment, new));
        self.nodes.push(Node::default());
        new
    }
}

impl Node {
    /// The place of the edge of a text, or the place to insert it at.
    #[inline]
    fn find_text(&self, text: Piece<'_>) -> Result<usize, usize> {
        self.texts.binary_search_by(|edge| Piece { mark: edge.mark, text: &edge.text }.order(text))
    }
}

/// A key whose segments are walked.
struct KeySegments<'k> {
    /// The key without its namespace.
    text: &'k [u8],
    cut: &'k CutKey<'k>,
    /// The number of segments before the type.
    path: usize,
    /// The length of the key with its namespace, which counts towards the limit.
    len: usize,
}

impl Declaration {
    fn fits(&self, key: &KeySegments<'_>) -> bool {
        key.len <= self.max_key_bytes && self.shards.as_ref().is_none_or(|shards| shards.are_right(key.text))
    }
}

impl Shards {
    /// The shards whose fields are in the template too, if there are any.
    fn of(template: &Template, key: &Key) -> Option<Box<Self>> {
        let mut shards = Vec::new();
        for (parameter, sharded) in key.parameters.iter().enumerate() {
            let ParameterForm::Shard(count @ 1..) = sharded.form else { continue };
            let is_field = |other: &&Parameter| other.name == sharded.name && other.form == ParameterForm::Plain;
            let Some(field) = key.parameters.iter().position(|other| is_field(&other)) else { continue };
            let base = match key.parameters.get(field).and_then(|field| field.values.as_ref()) {
                Some(Values::Number { .. }) => 10,
                Some(Values::Hex { .. }) => 16,
                // Only the compiler knows the value.
                _ => continue,
            };
            shards.push(Shard { parameter, field, count: count.into(), base });
        }
        (!shards.is_empty()).then(|| Box::new(Self { template: template.clone(), shards }))
    }

    fn are_right(&self, key: &[u8]) -> bool {
        let places = self.template.parameters(key);
        let number = |parameter: usize, base| {
            let text = places.get(parameter).and_then(|place| key.get(place.clone()))?;
            u128::from_str_radix(str::from_utf8(text).ok()?, base).ok()
        };
        self.shards.iter().all(|shard| {
            let remainder = number(shard.field, shard.base).and_then(|field| field.checked_rem(shard.count.into()));
            remainder.is_some() && remainder == number(shard.parameter, 10)
        })
    }
}
