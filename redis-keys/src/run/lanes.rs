//! Commands that have to keep their order.

use std::collections::HashMap;
use std::hash::Hash;
use std::{iter, mem};

/// Commands in lanes: commands that share a key are in the same lane, in their order.
///
/// The lanes are found by union-find over the indexes of the commands.
pub(crate) struct Lanes {
    /// The first command of each lane.
    pub(crate) firsts: Vec<usize>,
    /// The command that follows each command in its lane. The last command is followed by itself.
    next: Vec<usize>,
}

impl Lanes {
    /// The lanes of `len` commands, given the keys of each.
    pub(crate) fn new<K: Hash + Eq, I: IntoIterator<Item = K>>(len: usize, keys: impl Fn(usize) -> I) -> Self {
        let mut next: Vec<usize> = (0..len).collect();
        let mut parents = next.clone();
        let mut last_of_key: HashMap<K, usize> = HashMap::with_capacity(len);
        for index in 0..len {
            for key in keys(index) {
                if let Some(before) = last_of_key.insert(key, index) {
                    let (before, own) = (root(&mut parents, before), root(&mut parents, index));
                    set(&mut parents, own.max(before), own.min(before));
                }
            }
        }
        let mut lasts = next.clone();
        let mut firsts = Vec::with_capacity(len);
        for index in 0..len {
            let root = root(&mut parents, index);
            match lasts.get_mut(root) {
                Some(last) if root != index => set(&mut next, mem::replace(last, index), index),
                _ => firsts.push(index),
            }
        }
        Self { firsts, next }
    }

    /// The commands of the lane that begins with this one.
    pub(crate) fn lane(&self, first: usize) -> impl Iterator<Item = usize> {
        iter::successors(Some(first), |index| self.next.get(*index).copied().filter(|next| next != index))
    }
}

/// The first command of a lane, which is the root of the others.
fn root(parents: &mut [usize], mut index: usize) -> usize {
    while let Some(&parent) = parents.get(index).filter(|parent| **parent != index) {
        // Halving the path makes the next search shorter.
        let grandparent = parents.get(parent).copied().unwrap_or(parent);
        set(parents, index, grandparent);
        index = parent;
    }
    index
}

fn set(entries: &mut [usize], index: usize, value: usize) {
    if let Some(entry) = entries.get_mut(index) {
        *entry = value;
    }
}

#[cfg(test)]
mod tests {
    use super::Lanes;

    /// The lanes of commands, given each command's keys.
    fn lanes(keys: [&str; 5]) -> Vec<Vec<usize>> {
        let lanes = Lanes::new(keys.len(), |index| keys[index].split(' '));
        lanes.firsts.iter().map(|first| lanes.lane(*first).collect()).collect()
    }

    #[test]
    fn commands_on_one_key_keep_their_order() {
        for (keys, expected) in [
            (["a", "b", "a", "c", "a"], vec![vec![0, 2, 4], vec![1], vec![3]]),
            (["a", "b", "a b c", "c", "d"], vec![vec![0, 1, 2, 3], vec![4]]),
            (["a b", "c d", "b c", "d", "e"], vec![vec![0, 1, 2, 3], vec![4]]),
            (["b", "a c", "c b", "a", "e"], vec![vec![0, 1, 2, 3], vec![4]]),
        ] {
            assert_eq!(lanes(keys), expected, "{keys:?}");
        }
    }
}
