//! Cursors that would never end.

/// Notices that the cursors of a scan repeat.
///
/// Those of real servers do not: each cursor is behind the one before it in the order in which the server visits its elements,
/// also when its table grows or shrinks meanwhile. One earlier cursor is kept, and replaced after 1, 2, 4, … pages (Brent's
/// algorithm), which finds a cycle of any length.
#[derive(Default)]
pub(crate) struct CursorCycle {
    /// An earlier cursor. At first that of the first page, which no reply contains but the last one.
    kept: u64,
    /// How many pages ago, and until when it is kept.
    age: u64,
    longest_age: u64,
}

impl CursorCycle {
    /// Takes the next cursor that is not the last one, and returns whether it repeats.
    pub(crate) fn repeats(&mut self, cursor: u64) -> bool {
        if cursor == self.kept {
            return true;
        }
        self.age = self.age.saturating_add(1);
        if self.age > self.longest_age {
            *self = Self { kept: cursor, age: 0, longest_age: self.longest_age.saturating_mul(2).max(1) };
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::CursorCycle;

    /// The number of pages after which a cycle is found.
    fn found_after(cursors: impl IntoIterator<Item = u64>) -> Option<usize> {
        let mut cycle = CursorCycle::default();
        cursors.into_iter().position(|cursor| cycle.repeats(cursor))
    }

    #[test]
    fn every_cycle_is_found() {
        for (start, len) in [(0, 1), (0, 2), (1, 1), (5, 3), (100, 7), (3, 100)] {
            let pages = start + len;
            let cursors = (1..).map(|page| if page < pages { page } else { start + 1 + (page - 1 - start) % len });
            let found = found_after(cursors.take(10_000)).unwrap();
            assert!(found <= 4 * usize::try_from(pages).unwrap(), "{start}, {len}: after {found} pages");
        }
    }

    #[test]
    fn cursors_of_real_servers_do_not_repeat() {
        // The cursor counts from its highest bit down, in a table that changes its size.
        let mut sizes = [4_u32, 5, 3, 10, 12, 2, 12, 12].into_iter().cycle();
        let mut cursor = 0_u64;
        let next = || {
            let unused = u64::MAX << sizes.next()?;
            cursor = (cursor | unused).reverse_bits().wrapping_add(1).reverse_bits();
            (cursor != 0).then_some(cursor)
        };
        assert_eq!(found_after(std::iter::from_fn(next).take(100_000)), None);
    }
}
