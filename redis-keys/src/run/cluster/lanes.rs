//! Commands that have to keep their order.

use std::{collections::HashMap, hash::Hash, iter, mem};

use crate::command::{Submission, cmd::keys_of};

/// The commands of a submission in lanes: those that share a key are in the same lane, in their order.
///
/// The lanes are found by union-find over the numbers of the commands.
pub(crate) struct Lanes {
    /// The first command of each lane.
    pub(crate) firsts: Vec<usize>,
    /// The command that follows each one in its lane. The last one is followed by itself.
    next: Vec<usize>,
}

impl Lanes {
    /// The lanes of some commands of a submission, whose numbers are in their order.
    pub(crate) fn new(submission: &Submission, numbers: impl Iterator<Item = usize> + Clone) -> Self {
        Self::of(submission.len(), numbers, |number| submission.command(number).into_iter().flat_map(keys_of))
    }

    /// The lanes of some of `len` commands, whose numbers are in their order, given what each has that others can share.
    pub(crate) fn of<K: Hash + Eq, I: IntoIterator<Item = K>>(
        len: usize,
        numbers: impl Iterator<Item = usize> + Clone,
        keys: impl Fn(usize) -> I,
    ) -> Self {
        let mut next: Vec<usize> = (0..len).collect();
        let mut parents = next.clone();
        let mut last_of_key: HashMap<K, usize> = HashMap::with_capacity(len);
        for number in numbers.clone() {
            for key in keys(number) {
                if let Some(before) = last_of_key.insert(key, number) {
                    let (before, own) = (root(&mut parents, before), root(&mut parents, number));
                    set(&mut parents, own.max(before), own.min(before));
                }
            }
        }
        let mut lasts = next.clone();
        let mut firsts = Vec::with_capacity(len);
        for number in numbers {
            let root = root(&mut parents, number);
            match lasts.get_mut(root) {
                Some(last) if root != number => set(&mut next, mem::replace(last, number), number),
                _ => firsts.push(number),
            }
        }
        Self { firsts, next }
    }

    /// The commands of the lane that begins with this one.
    pub(crate) fn lane(&self, first: usize) -> impl Iterator<Item = usize> {
        iter::successors(Some(first), |number| self.next.get(*number).copied().filter(|next| next != number))
    }
}

/// The first command of a lane, which is the root of the others.
fn root(parents: &mut [usize], mut number: usize) -> usize {
    while let Some(&parent) = parents.get(number).filter(|parent| **parent != number) {
        // Halving the path makes the next search shorter.
        let grandparent = parents.get(parent).copied().unwrap_or(parent);
        set(parents, number, grandparent);
        number = parent;
    }
    number
}

fn set(numbers: &mut [usize], index: usize, number: usize) {
    if let Some(entry) = numbers.get_mut(index) {
        *entry = number;
    }
}

#[cfg(test)]
mod tests {
    use redis::{Cmd, cmd};

    use super::Lanes;
    use crate::command::{Submission, submission::Mode};

    fn lanes(commands: [&str; 5], numbers: impl Iterator<Item = usize> + Clone) -> Vec<Vec<usize>> {
        let cmds = commands.map(|command| {
            let mut words = command.split(' ');
            let mut command: Cmd = cmd(words.next().unwrap());
            words.for_each(|word| _ = command.arg(word));
            command
        });
        let lanes = Lanes::new(&Submission::of(Mode::Individual, cmds), numbers);
        lanes.firsts.iter().map(|first| lanes.lane(*first).collect()).collect()
    }

    #[test]
    fn commands_on_one_key_keep_their_order() {
        for (commands, expected) in [
            (["GET a", "GET b", "INCR a", "GET c", "GET a"], vec![vec![0, 2, 4], vec![1], vec![3]]),
            (["GET a", "GET b", "MGET a b c", "GET c", "GET d"], vec![vec![0, 1, 2, 3], vec![4]]),
            (["MGET a b", "MGET c d", "MGET b c", "GET d", "GET e"], vec![vec![0, 1, 2, 3], vec![4]]),
            (["GET b", "MGET a c", "MGET c b", "GET a", "GET e"], vec![vec![0, 1, 2, 3], vec![4]]),
        ] {
            assert_eq!(lanes(commands, 0..5), expected, "{commands:?}");
        }
    }

    #[test]
    fn some_of_the_commands_have_lanes_of_their_own() {
        let commands = ["GET a", "GET b", "MGET a b", "GET c", "GET b"];
        assert_eq!(lanes(commands, [0, 1, 3, 4].into_iter()), [vec![0], vec![1, 4], vec![3]]);
    }
}
