//! Commands that have to keep their order.

use std::{collections::HashMap, iter, mem};

use crate::command::{round::Round, sent::keys_of};

/// Commands in chains, by their numbers: those that have a key in common are in the same chain, in their order.
pub(crate) struct Chains {
    pub(crate) firsts: Vec<usize>,
    /// The number that follows each in its chain; the last one's is its own.
    next: Vec<usize>,
}

impl Chains {
    /// The chains of some of a round's commands, of which the numbers are given in their order.
    pub(crate) fn new(round: &Round, numbers: impl Iterator<Item = usize> + Clone) -> Self {
        let mut next: Vec<usize> = (0..round.len()).collect();
        let mut leaders = next.clone();
        let mut last: HashMap<&[u8], usize> = HashMap::with_capacity(round.len());
        for number in numbers.clone() {
            for key in round.command(number).into_iter().flat_map(keys_of) {
                if let Some(before) = last.insert(key, number) {
                    let (before, own) = (leader(&mut leaders, before), leader(&mut leaders, number));
                    set(&mut leaders, own.max(before), own.min(before));
                }
            }
        }
        let mut lasts = next.clone();
        let mut firsts = Vec::with_capacity(round.len());
        for number in numbers {
            let leader = leader(&mut leaders, number);
            match lasts.get_mut(leader) {
                Some(last) if leader != number => set(&mut next, mem::replace(last, number), number),
                _ => firsts.push(number),
            }
        }
        Self { firsts, next }
    }

    /// The chain that begins with a number.
    pub(crate) fn of(&self, first: usize) -> impl Iterator<Item = usize> {
        iter::successors(Some(first), |number| self.next.get(*number).copied().filter(|next| next != number))
    }
}

/// The first command of a chain, on the way to which each one points at another.
fn leader(leaders: &mut [usize], mut number: usize) -> usize {
    while let Some(&next) = leaders.get(number).filter(|next| **next != number) {
        // What points less far makes the next search shorter.
        let further = leaders.get(next).copied().unwrap_or(next);
        set(leaders, number, further);
        number = next;
    }
    number
}

fn set(leaders: &mut [usize], number: usize, to: usize) {
    if let Some(place) = leaders.get_mut(number) {
        *place = to;
    }
}

#[cfg(test)]
mod tests {
    use super::Chains;
    use crate::run::cluster::tests::round;

    fn chains(commands: [&str; 5], numbers: impl Iterator<Item = usize> + Clone) -> Vec<Vec<usize>> {
        let chains = Chains::new(&round(commands), numbers);
        chains.firsts.iter().map(|first| chains.of(*first).collect()).collect()
    }

    #[test]
    fn commands_on_one_key_keep_their_order() {
        for (commands, expected) in [
            (["GET a", "GET b", "INCR a", "GET c", "GET a"], vec![vec![0, 2, 4], vec![1], vec![3]]),
            (["GET a", "GET b", "MGET a b c", "GET c", "GET d"], vec![vec![0, 1, 2, 3], vec![4]]),
            (["MGET a b", "MGET c d", "MGET b c", "GET d", "GET e"], vec![vec![0, 1, 2, 3], vec![4]]),
            (["GET b", "MGET a c", "MGET c b", "GET a", "GET e"], vec![vec![0, 1, 2, 3], vec![4]]),
        ] {
            assert_eq!(chains(commands, 0..5), expected, "{commands:?}");
        }
    }

    #[test]
    fn some_of_the_commands_have_chains_of_their_own() {
        let commands = ["GET a", "GET b", "MGET a b", "GET c", "GET b"];
        assert_eq!(chains(commands, [0, 1, 3, 4].into_iter()), [vec![0], vec![1, 4], vec![3]]);
    }
}
