//! Unknown keys by their pattern, in a bounded amount of memory.
//!
//! A tree whose edges are the segments of keys. What looks like an id is `*` from the start, as in `user_*`. If a node
//! has more than 32 children, those with few keys are folded: they become one child, `*`. The others stay, so that the
//! prefix of a new program is seen however many others there are. That is done when the patterns are listed, so it does
//! not depend on the order of the keys, and the trees of several nodes of a cluster can be merged.
//!
//! Only a node with more than 1,000 children is folded earlier, and a tree of more than 10,000 nodes: the keys that a
//! word has had until then are counted as `*`. If no node can be folded any more, new patterns are counted as `…`.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::server::scan::{Expiry, FirstLook};
use crate::stats::KeyText;

/// The number of children from which on those with few keys are folded.
const MANY_CHILDREN: usize = 32;

/// A word with fewer keys is folded.
const FEW_KEYS: u64 = 8;

/// The most children that are listed, beside the folded ones.
const MAX_LISTED: usize = 256;

/// The most children of a node.
const MAX_CHILDREN: usize = 1_000;

/// The number of nodes from which on nodes are folded, or new patterns counted as `…`.
const MAX_NODES: usize = 10_000;

/// The most segments of a pattern. The others become `…`.
const MAX_DEPTH: usize = 8;

/// A longer segment is an id.
const MAX_SEGMENT_BYTES: usize = 40;

/// A longer word with a digit is an id.
const LONGEST_WORD_WITH_DIGIT: usize = 7;

const ANY: &[u8] = b"*";
const REST: &[u8] = "…".as_bytes();

/// Unknown keys by their pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct UnknownTree {
    root: Node,
    nodes: usize,
    /// The number of keys below which words are folded to make room. It only grows, so that each time one pass is
    /// enough.
    few: u64,
    /// Whether no node can be folded any more.
    is_full: bool,
}

/// Counts of the keys that end at a node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PatternCounts {
    /// The number of keys.
    pub(crate) keys: u64,
    /// Their memory.
    pub(crate) bytes: u64,
    /// The number of keys that never expire.
    pub(crate) without_expiry: u64,
    /// The largest one.
    pub(crate) example: Option<(u64, KeyText)>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Node {
    counts: PatternCounts,
    children: Children,
}

/// The children of a node by label. `*` has the folded ones, and `…` those for which a full tree has no room.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Children(BTreeMap<Box<[u8]>, Node>);

impl Serialize for Children {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|(label, child)| (KeyText::new(label), child)))
    }
}

impl<'de> Deserialize<'de> for Children {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let children = Vec::<(KeyText, Node)>::deserialize(deserializer)?;
        Ok(Self(children.into_iter().map(|(label, child)| (label.bytes().into(), child)).collect()))
    }
}

impl UnknownTree {
    /// Counts a key.
    pub(crate) fn add(&mut self, look: &FirstLook<'_>, namespace: Option<&str>) {
        let prefix = namespace.map(str::as_bytes);
        let after_namespace =
            prefix.and_then(|prefix| Some((prefix, look.key.strip_prefix(prefix)?.strip_prefix(b":")?)));
        let mut adding = Adding { nodes: self.nodes, few: self.few, is_full: self.is_full };
        match after_namespace {
            None => adding.add(&mut self.root, look, Some(look.key), MAX_DEPTH),
            Some((prefix, rest)) => {
                let node = adding.child(&mut self.root, prefix);
                adding.add(node, look, Some(rest), MAX_DEPTH);
            }
        }
        self.nodes = adding.nodes;
        self.make_room();
    }

    /// Adds the keys of another tree.
    pub(crate) fn merge(&mut self, other: Self) {
        self.root.merge(other.root);
        self.nodes = self.root.size();
        self.few = self.few.max(other.few);
        self.is_full |= other.is_full;
        self.make_room();
    }

    /// The patterns with the counts of each, in the order of the alphabet.
    pub(crate) fn patterns(&self) -> Vec<(Vec<u8>, PatternCounts)> {
        let mut root = self.root.clone();
        root.fold_all(&|node| node.fold(FEW_KEYS, MANY_CHILDREN, MAX_LISTED));
        let mut patterns = Vec::new();
        root.collect(&mut Vec::new(), &mut patterns);
        patterns
    }

    /// Folds nodes if there are too many.
    fn make_room(&mut self) {
        if self.nodes < MAX_NODES || self.is_full {
            return;
        }
        self.few = self.few.max(2);
        loop {
            let few = self.few;
            self.root.fold_all(&|node| node.fold(few, MANY_CHILDREN, usize::MAX));
            self.nodes = self.root.size();
            if self.nodes < MAX_NODES / 2 || few > u64::MAX / 4 {
                break;
            }
            self.few = few * 2;
        }
        self.is_full = self.nodes >= MAX_NODES / 2;
    }

    /// The number of nodes.
    #[cfg(test)]
    pub(crate) fn nodes(&self) -> usize {
        self.nodes
    }
}

/// The state of a tree to which a key is added.
struct Adding {
    nodes: usize,
    few: u64,
    is_full: bool,
}

impl Adding {
    /// Counts a key, the rest of which is below this node.
    fn add(&mut self, node: &mut Node, look: &FirstLook<'_>, rest: Option<&[u8]>, depth: usize) {
        let Some(key) = rest else { return node.counts.add(look) };
        let end = key.iter().position(|byte| *byte == b':').unwrap_or(key.len());
        let label = generalized(key.get(..end).unwrap_or(key));
        let has_no_room = self.is_full && self.nodes >= MAX_NODES && !node.children.0.contains_key(&*label);
        let is_rest = depth == 0 || has_no_room;
        let (label, rest) = if is_rest { (REST, None) } else { (label.as_slice(), key.get(end + 1..)) };
        let child = self.child(node, label);
        self.add(child, look, rest, depth.saturating_sub(1));
    }

    /// The child of a label, which is made if there is none.
    fn child<'n>(&mut self, node: &'n mut Node, label: &[u8]) -> &'n mut Node {
        if !node.children.0.contains_key(label) {
            if node.children.0.len() >= MAX_CHILDREN {
                let before = node.size();
                let mut few = self.few.max(2);
                while node.children.0.len() > MAX_CHILDREN / 2 {
                    node.fold(few, MANY_CHILDREN, usize::MAX);
                    few *= 2;
                }
                self.nodes -= before - node.size();
            }
            self.nodes += 1;
        }
        node.children.0.entry(label.into()).or_default()
    }
}

impl Node {
    /// If there are more than `many` children, makes one of all that have fewer than `few` keys. If more than `most`
    /// are left, those with fewer keys are folded as well.
    fn fold(&mut self, few: u64, many: usize, most: usize) {
        if self.children.0.len() <= many {
            return;
        }
        let mut few = few;
        let mut sizes: Vec<u64> = self.named().map(|(_, child)| child.keys()).collect();
        loop {
            sizes.retain(|keys| *keys >= few);
            if sizes.len() <= most {
                break;
            }
            few = few.saturating_mul(2);
        }
        for (label, child) in std::mem::take(&mut self.children.0) {
            let is_small = !is_special(&label) && child.keys() < few;
            let label = if is_small { ANY.into() } else { label };
            self.children.0.entry(label).or_default().merge(child);
        }
    }

    /// Folds this node and all below it.
    fn fold_all(&mut self, fold: &dyn Fn(&mut Self)) {
        fold(self);
        self.children.0.values_mut().for_each(|child| child.fold_all(fold));
    }

    /// The children that are words.
    fn named(&self) -> impl Iterator<Item = (&[u8], &Self)> {
        self.children.0.iter().map(|(label, child)| (&**label, child)).filter(|(label, _)| !is_special(label))
    }

    /// Adds another node with its children.
    fn merge(&mut self, other: Self) {
        self.counts.merge(other.counts);
        for (label, child) in other.children.0 {
            self.children.0.entry(label).or_default().merge(child);
        }
    }

    /// The number of keys at this node and below it.
    fn keys(&self) -> u64 {
        self.counts.keys + self.children.0.values().map(Self::keys).sum::<u64>()
    }

    /// The number of nodes below this one.
    fn size(&self) -> usize {
        self.children.0.values().map(|child| 1 + child.size()).sum()
    }

    fn collect(self, path: &mut Vec<u8>, patterns: &mut Vec<(Vec<u8>, PatternCounts)>) {
        if self.counts.keys > 0 {
            patterns.push((path.clone(), self.counts));
        }
        let length = path.len();
        for (label, child) in self.children.0 {
            if length > 0 {
                path.push(b':');
            }
            path.extend_from_slice(&label);
            child.collect(path, patterns);
            path.truncate(length);
        }
    }
}

fn is_special(label: &[u8]) -> bool {
    label == ANY || label == REST
}

impl PatternCounts {
    fn add(&mut self, look: &FirstLook<'_>) {
        let bytes = look.memory.unwrap_or(0);
        self.keys += 1;
        self.bytes += bytes;
        self.without_expiry += u64::from(look.expiry == Expiry::Never);
        let is_larger = match &self.example {
            None => true,
            Some((largest, key)) => bytes > *largest || (bytes == *largest && look.key < key.bytes()),
        };
        if is_larger {
            self.example = Some((bytes, KeyText::new(look.key)));
        }
    }

    fn merge(&mut self, other: Self) {
        self.keys += other.keys;
        self.bytes += other.bytes;
        self.without_expiry += other.without_expiry;
        self.example = match (self.example.take(), other.example) {
            (Some(one), Some(other)) => {
                let is_first = one.0 > other.0 || (one.0 == other.0 && one.1 <= other.1);
                Some(if is_first { one } else { other })
            }
            (one, other) => one.or(other),
        };
    }
}

/// A segment in which everything that looks like an id is `*`: digits, and long words with digits.
fn generalized(segment: &[u8]) -> Vec<u8> {
    let is_uuid = segment.len() > LONGEST_WORD_WITH_DIGIT
        && segment.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-')
        && segment.iter().any(u8::is_ascii_digit);
    if is_uuid || segment.len() > MAX_SEGMENT_BYTES {
        return ANY.to_vec();
    }
    let mut label = Vec::with_capacity(segment.len());
    let is_word_byte = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    let mut rest = segment;
    while !rest.is_empty() {
        let end = rest.iter().position(|byte| !is_word_byte(byte)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        let is_number = !word.is_empty() && word.iter().all(u8::is_ascii_digit);
        let is_id = word.len() > LONGEST_WORD_WITH_DIGIT && word.iter().any(u8::is_ascii_digit);
        let shown = if is_number || is_id { ANY } else { word };
        // A number with a sign, or a date with hyphens, is one id.
        let joins = shown == ANY && matches!(label.as_slice(), [.., b'*', b'-' | b'.']);
        if joins {
            label.pop();
        } else {
            label.extend_from_slice(shown);
        }
        let (separator, next) = behind.split_at(behind.len().min(1));
        label.extend_from_slice(separator);
        rest = next;
    }
    label
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on")]
mod tests {
    use super::*;
    use crate::server::redis_type::RedisType;

    fn look(key: &[u8], memory: u64) -> FirstLook<'_> {
        let expiry = if memory.is_multiple_of(2) { Expiry::Never } else { Expiry::In(5) };
        FirstLook { key, declaration: None, redis_type: RedisType::String, expiry, memory: Some(memory) }
    }

    fn tree<T: AsRef<[u8]>>(keys: &[T]) -> UnknownTree {
        let mut tree = UnknownTree::default();
        for (index, key) in keys.iter().enumerate() {
            tree.add(&look(key.as_ref(), index as u64), None);
        }
        tree
    }

    fn patterns(tree: &UnknownTree) -> Vec<String> {
        let shown = |(pattern, counts): (Vec<u8>, PatternCounts)| {
            format!("{} {}", String::from_utf8_lossy(&pattern), counts.keys)
        };
        tree.patterns().into_iter().map(shown).collect()
    }

    #[test]
    fn ids_are_folded_at_once() {
        for (segment, label) in [
            ("user", "user"),
            ("42", "*"),
            ("user_42", "user_*"),
            ("user_42_x", "user_*_x"),
            ("v2", "v2"),
            ("2026-11-22", "*"),
            ("2026-11-22T10", "*-22T10"),
            ("67e55044-10b1-426f-9247-bb680e5fe0c8", "*"),
            ("67e5504410b1426f9247bb680e5fe0c8", "*"),
            ("192.0.2.7", "*"),
            ("{42}", "{*}"),
            ("", ""),
            ("ü", "ü"),
            ("a.very.long.segment.without.any.digit.in.it", "*"),
        ] {
            assert_eq!(String::from_utf8(generalized(segment.as_bytes())).unwrap(), label, "{segment}");
        }
    }

    #[test]
    fn of_many_children_those_with_few_keys_are_folded() {
        let names: Vec<_> = ('a'..='z').chain('A'..='G').map(|name| format!("user:{name}:profile")).collect();
        assert_eq!(patterns(&tree(&names[..32])).len(), 32);
        assert_eq!(patterns(&tree(&names)), ["user:*:profile 33"]);
    }

    /// A word of letters for each number.
    fn word(number: usize) -> String {
        let letter = |place: u32| char::from(b'a' + u8::try_from(number / 26_usize.pow(place) % 26).unwrap());
        [letter(2), letter(1), letter(0)].iter().collect()
    }

    #[test]
    fn new_prefixes_stay_visible() {
        for prefixes in [31, 33, 200] {
            let mut keys = Vec::new();
            for prefix in 0..prefixes {
                keys.extend((0..20).map(|id| format!("{}:{id}", word(prefix))));
            }
            assert_eq!(patterns(&tree(&keys)).len(), prefixes);
            // Also between words that are ids.
            keys.extend((1_000..1_900).map(|name| format!("{}:1", word(name))));
            let found = patterns(&tree(&keys));
            assert_eq!(found.len(), prefixes + 1);
            assert_eq!(found[0], "*:* 900");
            assert!(found[1..].iter().all(|pattern| pattern.ends_with(":* 20")), "{found:?}");
        }
    }

    #[test]
    fn the_words_of_ids_are_folded_even_if_each_has_many_keys() {
        let mut keys = Vec::new();
        for name in 0..500 {
            keys.extend((0..10).map(|id| format!("user:{}:{id}", word(name))));
        }
        keys.extend((0..100).map(|id| format!("user:settings:{id}")));
        assert_eq!(patterns(&tree(&keys)), ["user:*:* 5000", "user:settings:* 100"]);
    }

    /// More words than a node can have.
    #[test]
    fn a_prefix_with_many_keys_is_seen_between_many_ids() {
        let mut keys: Vec<_> = (0..15_000).map(|name| format!("{}:x", word(name))).collect();
        for (index, place) in (0..15_000).step_by(100).enumerate() {
            keys.insert(place, format!("newer:{index}"));
        }
        let tree = tree(&keys);
        let found = tree.patterns();
        let of =
            |wanted: &[u8]| found.iter().find(|(pattern, _)| pattern == wanted).map_or(0, |(_, counts)| counts.keys);
        assert!(of(b"newer:*") >= 100, "{:?}", patterns(&tree));
        assert_eq!(found.iter().map(|(_, counts)| counts.keys).sum::<u64>(), 15_150);
        assert!(tree.nodes() <= MAX_NODES && tree.nodes() == tree.root.size());
    }

    #[test]
    fn merged_or_in_another_order_it_is_the_same() {
        let mut keys = Vec::new();
        for a in 0..40_u8 {
            for b in ["x", "y", "z:1"] {
                keys.push(format!("m{}:n{}:{b}", char::from(b'a' + a % 4), char::from(b'A' + a)));
            }
        }
        keys.extend((0..40_u8).map(|a| format!("{}{}:t", char::from(b'a' + a % 26), char::from(b'a' + a / 26))));
        let numbered: Vec<_> = keys.iter().enumerate().collect();
        let build = |part: &[(usize, &String)]| {
            let mut tree = UnknownTree::default();
            for (index, key) in part {
                tree.add(&look(key.as_bytes(), *index as u64), None);
            }
            tree
        };
        let whole = build(&numbered);
        let mut reversed = numbered.clone();
        reversed.reverse();
        assert_eq!(build(&reversed), whole);
        let mut merged = build(&numbered[..50]);
        merged.merge(build(&numbered[50..]));
        assert_eq!(merged, whole);
        assert_eq!(merged.nodes(), merged.root.size());
        let text = serde_json::to_string(&whole).unwrap();
        assert_eq!(serde_json::from_str::<UnknownTree>(&text).unwrap(), whole);
    }

    #[test]
    fn a_tree_is_bounded_and_counts_every_key() {
        let mut keys = Vec::new();
        let names: Vec<_> = (b'a'..=b'z').map(char::from).collect();
        for a in &names {
            for b in &names {
                for c in &names {
                    keys.push(format!("{a}:{b}:{c}:{a}"));
                }
            }
        }
        let tree = tree(&keys);
        assert!(tree.nodes() <= 2 * MAX_NODES, "{}", tree.nodes());
        let counted: u64 = tree.patterns().iter().map(|(_, counts)| counts.keys).sum();
        assert_eq!(counted, keys.len() as u64);
        assert!(patterns(&tree).iter().any(|pattern| pattern.contains('…')));
    }

    #[test]
    fn hostile_keys_are_counted() {
        let many = ":".repeat(10_000);
        let tree = tree(&[&b""[..], b":", b"::", many.as_bytes(), b"\xff:\x00", &[b'x'; 10_000]]);
        let counted: u64 = tree.patterns().iter().map(|(_, counts)| counts.keys).sum();
        assert_eq!(counted, 6);
        assert!(tree.nodes() < 40);
    }
}
