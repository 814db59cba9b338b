//! Unknown keys by their pattern, in a bounded amount of memory.
//!
//! A tree whose edges are the segments of keys. What looks like an id is `*` from the start, as in `user_*`. A node
//! that gets more than 32 children is folded: all of them become one child, `*`. Which nodes are folded does not depend
//! on the order of the keys, so the trees of several nodes of a cluster can be merged. Only of more than 5,000 patterns
//! the order decides which ones are counted as `…`.

use serde::{Deserialize, Serialize};

use super::key_text::KeyText;
use crate::server::scan::{Expiry, FirstLook};

/// The most children of a node.
const MAX_CHILDREN: usize = 32;

/// The number of nodes from which on new patterns are counted as `…`, of which each node can have one.
const MAX_NODES: usize = 5_000;

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
    /// Sorted by label. A folded node has the child `*`, and `…` if the tree is full.
    children: Vec<(KeyText, Self)>,
    is_folded: bool,
}

impl UnknownTree {
    /// Counts a key.
    pub(crate) fn add(&mut self, look: &FirstLook<'_>, namespace: Option<&str>) {
        let prefix = namespace.map(str::as_bytes);
        let after_namespace =
            prefix.and_then(|prefix| Some((prefix, look.key.strip_prefix(prefix)?.strip_prefix(b":")?)));
        match after_namespace {
            None => self.root.add(look, Some(look.key), MAX_DEPTH, &mut self.nodes),
            Some((prefix, rest)) => {
                if let Some(node) = self.root.child(prefix, &mut self.nodes) {
                    node.add(look, Some(rest), MAX_DEPTH, &mut self.nodes);
                }
            }
        }
    }

    /// Adds the keys of another tree.
    pub(crate) fn merge(&mut self, other: Self) {
        self.root.merge(other.root, &mut self.nodes);
    }

    /// The patterns with the counts of each, in the order of the alphabet.
    pub(crate) fn patterns(&self) -> Vec<(Vec<u8>, &PatternCounts)> {
        let mut patterns = Vec::new();
        self.root.collect(&mut Vec::new(), &mut patterns);
        patterns
    }

    /// The number of nodes.
    #[cfg(test)]
    pub(crate) fn nodes(&self) -> usize {
        self.nodes
    }
}

impl Node {
    /// Counts a key, the rest of which is below this node.
    fn add(&mut self, look: &FirstLook<'_>, rest: Option<&[u8]>, depth: usize, nodes: &mut usize) {
        let Some(key) = rest else { return self.counts.add(look) };
        let end = key.iter().position(|byte| *byte == b':').unwrap_or(key.len());
        let label = generalized(key.get(..end).unwrap_or(key));
        let is_rest = depth == 0 || (*nodes >= MAX_NODES && self.find(&label).is_err());
        let (label, rest) = if is_rest { (REST, None) } else { (label.as_slice(), key.get(end + 1..)) };
        if let Some(child) = self.child(label, nodes) {
            child.add(look, rest, depth.saturating_sub(1), nodes);
        }
    }

    /// The place of a label, or of the one that stands for it.
    fn find(&self, label: &[u8]) -> Result<usize, usize> {
        let label = if self.is_folded && label != REST { ANY } else { label };
        self.children.binary_search_by(|(other, _)| other.bytes().cmp(label))
    }

    /// The child of a label, which is made if there is none.
    fn child(&mut self, label: &[u8], nodes: &mut usize) -> Option<&mut Self> {
        let mut place = self.find(label);
        if let Err(behind) = place {
            let label = if self.is_folded && label != REST { ANY } else { label };
            self.children.insert(behind, (KeyText::new(label), Self::default()));
            *nodes += 1;
            if !self.is_folded && self.children.len() > MAX_CHILDREN {
                self.fold(nodes);
            }
            place = self.find(label);
        }
        self.children.get_mut(place.ok()?).map(|(_, child)| child)
    }

    /// Makes one child of all.
    fn fold(&mut self, nodes: &mut usize) {
        self.is_folded = true;
        let mut any = Self::default();
        for (_, child) in std::mem::take(&mut self.children) {
            *nodes -= 1;
            any.merge_counted(child, nodes);
        }
        self.children.push((KeyText::new(ANY), any));
        *nodes += 1;
    }

    /// Adds a node of the same tree, whose children are counted in `nodes` already.
    fn merge_counted(&mut self, other: Self, nodes: &mut usize) {
        *nodes -= other.size();
        self.merge(other, nodes);
    }

    /// Adds another node with its children.
    fn merge(&mut self, other: Self, nodes: &mut usize) {
        self.counts.merge(other.counts);
        if other.is_folded && !self.is_folded {
            self.fold(nodes);
        }
        for (label, child) in other.children {
            let is_full = *nodes >= MAX_NODES && self.find(label.bytes()).is_err();
            if is_full || label.bytes() == REST {
                if let Some(rest) = self.child(REST, nodes) {
                    rest.counts.merge(child.total());
                }
            } else if let Some(same) = self.child(label.bytes(), nodes) {
                same.merge(child, nodes);
            }
        }
    }

    /// The counts of this node and of those below it.
    fn total(self) -> PatternCounts {
        let mut total = self.counts;
        self.children.into_iter().for_each(|(_, child)| total.merge(child.total()));
        total
    }

    /// The number of nodes below this one.
    fn size(&self) -> usize {
        self.children.iter().map(|(_, child)| 1 + child.size()).sum()
    }

    fn collect<'a>(&'a self, path: &mut Vec<u8>, patterns: &mut Vec<(Vec<u8>, &'a PatternCounts)>) {
        if self.counts.keys > 0 {
            patterns.push((path.clone(), &self.counts));
        }
        let length = path.len();
        for (label, child) in &self.children {
            if length > 0 {
                path.push(b':');
            }
            path.extend_from_slice(label.bytes());
            child.collect(path, patterns);
            path.truncate(length);
        }
    }
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
        FirstLook { key, declaration: None, redis_type: RedisType::String, expiry, memory: Some(memory), slot: None }
    }

    fn tree<T: AsRef<[u8]>>(keys: &[T]) -> UnknownTree {
        let mut tree = UnknownTree::default();
        for (index, key) in keys.iter().enumerate() {
            tree.add(&look(key.as_ref(), index as u64), None);
        }
        tree
    }

    fn patterns(tree: &UnknownTree) -> Vec<String> {
        let shown = |(pattern, counts): (Vec<u8>, &PatternCounts)| {
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
    fn a_node_with_many_children_is_folded() {
        let names: Vec<_> = ('a'..='z').chain('A'..='G').map(|name| format!("user:{name}:profile")).collect();
        assert_eq!(patterns(&tree(&names[..32])).len(), 32);
        let folded = tree(&names);
        assert_eq!(patterns(&folded), ["user:*:profile 33"]);
        assert_eq!(folded.nodes(), 3);
        assert_eq!(folded.root.size(), 3);
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
