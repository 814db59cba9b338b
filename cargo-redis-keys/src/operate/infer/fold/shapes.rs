//! Shapes: how keys go on behind a label, with their types, as hashes.

use super::label::{SHAPE, rest_label, separator, skeleton};
use super::node::Node;
use crate::operate::infer::mask::MARK;
use crate::operate::infer::thresholds::{alike, is_share};

impl Node {
    /// Hashes of the ways in which keys go on, with their types. If they are blurred, each word could be a value.
    pub(super) fn shapes(&self, are_blurred: bool) -> Vec<u64> {
        let mut shapes = Vec::new();
        self.add_shapes(0, are_blurred, &mut shapes);
        shapes.sort_unstable();
        shapes.dedup();
        shapes
    }

    fn add_shapes(&self, hash: u64, are_blurred: bool, shapes: &mut Vec<u64>) {
        shapes.extend((0..8).filter(|kind| self.kinds & (1 << kind) != 0).map(|kind| mixed(hash, &[kind])));
        for (label, child) in &self.children {
            if label.starts_with(SHAPE) {
                shapes.push(mixed(hash, label.as_bytes()));
            } else if are_blurred && label.contains(char::is_alphanumeric) {
                let blurred = format!("{}{MARK}", separator(label));
                child.add_shapes(mixed(hash, blurred.as_bytes()), true, shapes);
            } else {
                child.add_shapes(mixed(hash, skeleton(label).as_bytes()), are_blurred, shapes);
            }
        }
    }

    /// Whether the keys below go on in the same way as the keys below another node.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.has_shapes_of(other, false)
    }

    /// The same if words below can be values.
    pub(super) fn is_perhaps_like(&self, other: &Self) -> bool {
        self.has_shapes_of(other, true)
    }

    fn has_shapes_of(&self, other: &Self, are_blurred: bool) -> bool {
        // Behind the other label are paths.
        let is_of_path = |label: &String| other.children.contains_key(&rest_label(separator(label)));
        if self.kinds == 0 && !self.children.is_empty() && self.children.keys().all(is_of_path) {
            return self.types() & !other.types() == 0;
        }
        let (mine, others) = (self.shapes(are_blurred), other.shapes(are_blurred));
        let shared = mine.iter().filter(|shape| others.contains(shape)).count();
        is_share(shared, mine.len(), alike())
    }

    /// A bit for each type of the keys that end here, if nothing follows.
    pub(super) fn end(&self) -> Option<u8> {
        let bit = |label: &String| (0..8).find(|kind| *label == shape_label(mixed(0, &[*kind]))).map(|kind| 1 << kind);
        let ends = self.children.keys().map(bit).chain((self.kinds != 0).then_some(Some(self.kinds)));
        ends.reduce(|one, other| Some(one? | other?)).flatten()
    }
}

/// The label that stands for a shape.
pub(super) fn shape_label(shape: u64) -> String {
    format!("{SHAPE}{shape:x}")
}

/// Adds bytes to a hash (FNV-1a).
pub(super) fn mixed(hash: u64, bytes: &[u8]) -> u64 {
    let start = hash ^ 0xcbf2_9ce4_8422_2325;
    bytes.iter().chain(&[0xff]).fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
