//! Finds the declaration of a key.
//!
//! Keys have the module first and the type last, so that declarations are grouped by both and by the number of segments. The
//! segments between them form a tree: each node has an edge for each text, and for each kind of parameter, that follows at its
//! place in a template. A text is found in the node's table; the parameters are tried one after the other, the most specific
//! first. A key visits each node once at most.

mod segment;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use redis_keys_schema::Kind;
use redis_keys_schema::limits::MAX_KEY_BYTES;

use super::template::{Template, Word};
use super::{Catalogue, Key, Values};
use segment::Segment;

/// Finds the declaration of a key.
#[derive(Clone, Debug)]
pub struct Matcher {
    /// What all keys start with: empty, or the namespace and `:`.
    prefix: Box<[u8]>,
    /// By module.
    modules: HashMap<Box<[u8]>, Vec<Group>>,
    /// The nodes of all trees.
    nodes: Vec<Node>,
}

/// The declarations of a module with the same type and as many segments.
#[derive(Clone, Debug)]
struct Group {
    kind: Kind,
    segments: usize,
    root: usize,
}

/// A place between two segments.
#[derive(Clone, Debug, Default)]
struct Node {
    /// The nodes behind segments that are text, sorted by the text.
    texts: Vec<(Box<[u8]>, usize)>,
    /// The nodes behind segments with parameters, the most specific first.
    parameters: Vec<(Segment, usize)>,
    /// The declarations that end here, in the order of the catalogue.
    declarations: Vec<Declaration>,
}

/// What the segments do not say about the keys of a declaration.
#[derive(Clone, Debug)]
struct Declaration {
    /// Its number in the catalogue.
    number: usize,
    max_key_bytes: usize,
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
    /// The number of the parameter that is the shard.
    shard: usize,
    /// The number of the parameter that is the field.
    field: usize,
    /// The number of shards.
    count: u64,
    /// The base of the field's digits.
    base: u32,
}

impl Matcher {
    /// A matcher for the keys of a catalogue, with the namespace before them, if there is one.
    pub fn new(catalogue: &Catalogue, namespace: Option<&str>) -> Self {
        let prefix = namespace.map(|namespace| format!("{namespace}:")).unwrap_or_default();
        let mut matcher = Self { prefix: prefix.into_bytes().into(), modules: HashMap::new(), nodes: Vec::new() };
        for (number, key) in catalogue.keys.iter().enumerate() {
            matcher.insert(number, key);
        }
        for node in &mut matcher.nodes {
            // Segments of the same rank keep the order of the catalogue.
            node.parameters.sort_by_key(|(segment, _)| segment.rank());
        }
        matcher
    }

    /// The number of the declaration in the catalogue that can produce this key.
    ///
    /// If there are several, it is the most specific: from the left, text goes before enums, enums before numbers and other
    /// forms, these before any text, and that before parameters whose values are unknown.
    #[inline]
    pub fn find(&self, key: &[u8]) -> Option<usize> {
        if key.len() > MAX_KEY_BYTES {
            return None;
        }
        let text = key.strip_prefix(&*self.prefix)?;
        let (module, rest) = text.split_at(text.iter().position(|byte| *byte == b':')?);
        let groups = self.modules.get(module)?;
        let (path, kind) = rest.split_at(rest.iter().rposition(|byte| *byte == b':')?);
        let kind = Kind::from_name(str::from_utf8(kind.get(1..)?).ok()?)?;
        // Each segment of the path has a `:` before it.
        let segments = path.iter().filter(|byte| **byte == b':').count();
        let group = groups.iter().find(|group| group.kind == kind && group.segments == segments)?;
        self.walk(group.root, path, &WholeKey { text, len: key.len() })
    }

    fn walk(&self, node: usize, path: &[u8], key: &WholeKey<'_>) -> Option<usize> {
        let node = self.nodes.get(node)?;
        let Some((_, path)) = path.split_first() else {
            return node.declarations.iter().find(|declaration| declaration.fits(key)).map(|fitting| fitting.number);
        };
        let end = path.iter().position(|byte| *byte == b':').unwrap_or(path.len());
        let (segment, rest) = path.split_at(end);
        let text = node.texts.binary_search_by(|(text, _)| (**text).cmp(segment)).ok();
        if let Some((_, next)) = text.and_then(|found| node.texts.get(found))
            && let Some(number) = self.walk(*next, rest, key)
        {
            return Some(number);
        }
        let mut parameters = node.parameters.iter().filter(|(parameters, _)| parameters.matches(segment));
        parameters.find_map(|(_, next)| self.walk(*next, rest, key))
    }

    /// Adds a declaration. One that no key can have is left out.
    fn insert(&mut self, number: usize, key: &Key) {
        let (Some(template), Some(kind)) = (Template::parse(&key.template), Kind::from_name(&key.kind)) else { return };
        let [module, path @ .., suffix] = template.segments.as_slice() else { return };
        // Each segment has a byte, and all but the last a `:`.
        if *suffix != [Word::Literal(kind.name().to_owned())] || template.segments.len() * 2 > MAX_KEY_BYTES + 1 {
            return;
        }
        let Some(module) = segment::text(module) else { return };
        let mut node = self.root(module, kind, path.len());
        for words in path {
            node = match segment::text(words) {
                Some(text) => self.text_edge(node, text),
                None => self.parameter_edge(node, Segment::new(words, &key.parameters)),
            };
        }
        let shards = Shards::of(&template, key);
        if let Some(node) = self.nodes.get_mut(node) {
            node.declarations.push(Declaration { number, max_key_bytes: key.max_key_bytes, shards });
        }
    }

    fn root(&mut self, module: Box<[u8]>, kind: Kind, segments: usize) -> usize {
        let new = self.nodes.len();
        let groups = self.modules.entry(module).or_default();
        if let Some(group) = groups.iter().find(|group| group.kind == kind && group.segments == segments) {
            return group.root;
        }
        groups.push(Group { kind, segments, root: new });
        self.nodes.push(Node::default());
        new
    }

    fn text_edge(&mut self, from: usize, text: Box<[u8]>) -> usize {
        let new = self.nodes.len();
        let Some(node) = self.nodes.get_mut(from) else { return new };
        match node.texts.binary_search_by(|(other, _)| other.cmp(&text)) {
            Ok(found) => node.texts.get(found).map_or(new, |(_, next)| *next),
            Err(place) => {
                node.texts.insert(place, (text, new));
                self.nodes.push(Node::default());
                new
            }
        }
    }

    fn parameter_edge(&mut self, from: usize, segment: Segment) -> usize {
        let new = self.nodes.len();
        let Some(node) = self.nodes.get_mut(from) else { return new };
        if let Some((_, next)) = node.parameters.iter().find(|(other, _)| *other == segment) {
            return *next;
        }
        node.parameters.push((segment, new));
        self.nodes.push(Node::default());
        new
    }
}

/// A key whose segments are walked.
struct WholeKey<'k> {
    /// The key without its namespace.
    text: &'k [u8],
    /// Its length with the namespace, which counts towards the limit.
    len: usize,
}

impl Declaration {
    fn fits(&self, key: &WholeKey<'_>) -> bool {
        key.len <= self.max_key_bytes && self.shards.as_ref().is_none_or(|shards| shards.are_right(key.text))
    }
}

impl Shards {
    /// The shards whose fields are in the template too, if there are any.
    fn of(template: &Template, key: &Key) -> Option<Box<Self>> {
        let mut shards = Vec::new();
        for (shard, parameter) in key.parameters.iter().enumerate() {
            let Some(count @ 1..) = parameter.shards else { continue };
            let is_field = |other: &&super::Parameter| other.name == parameter.name && other.form == "plain";
            let Some(field) = key.parameters.iter().position(|other| is_field(&other)) else { continue };
            let base = match key.parameters.get(field).and_then(|field| field.values.as_ref()) {
                Some(Values::Number { .. }) => 10,
                Some(Values::Hex { .. }) => 16,
                // Only the compiler knows what the value is.
                _ => continue,
            };
            shards.push(Shard { shard, field, count, base });
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
            remainder.is_some() && remainder == number(shard.shard, 10)
        })
    }
}
