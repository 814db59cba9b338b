//! One part of the table: its slots, by the hash of their keys, and the queues that say which of them goes first.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};
use std::ptr;
use std::sync::Arc;

use super::era::Era;
use super::value::SharedValue;
use crate::schema::Schema;

/// The bytes of a slot beside its key and its value, as measured.
const OVERHEAD: usize = 192;

/// A value takes about twice the bytes of its stored form, as measured.
const BYTES_PER_STORED_BYTE: usize = 2;

/// The share of the bytes that is for slots which were not used yet.
const NEW_SHARE: usize = 10;

/// A slot that was used more often than this since its last turn stays no longer for it.
const MAX_USES: u8 = 3;

/// A value, or that there is none, as it was read.
pub(super) struct NearCopy {
    /// `None` if it is known that there is no value.
    pub(super) value: Option<SharedValue>,
    pub(super) era: Arc<Era>,
    pub(super) until: u64,
    /// One call reads again from then on, while the others get the copy.
    pub(super) renew_at: u64,
    pub(super) stored_bytes: usize,
}

/// What was removed. It is dropped when the table is not locked any more, since a value's `drop` can run any code.
#[must_use]
pub(super) struct Removed {
    _slots: Vec<Slot>,
    _copy: Option<NearCopy>,
}

struct Slot {
    key: Box<[u8]>,
    hash: u64,
    copy: Option<NearCopy>,
    /// The read that is under way, or zero.
    ticket: u64,
    /// Different from all others, also from those that had this place before.
    number: u64,
    /// The index among the templates.
    template: usize,
    /// Whether it has left the queue of new slots.
    is_proven: bool,
    /// How often it was used since its last turn.
    uses: u8,
}

/// The hits of a template that were not reported yet.
struct TemplateHits {
    schema: &'static Schema,
    hits: u64,
}

/// The turns of slots, by place and number. Those of removed slots stay until they are passed.
type Queue = VecDeque<(u32, u64)>;

#[derive(Default)]
pub(super) struct Shard {
    max_bytes: usize,
    bytes: usize,
    /// Those of slots that are not proven.
    new_bytes: usize,
    places: HashMap<u64, u32, BuildHasherDefault<AlreadyHashed>>,
    slots: Vec<Option<Slot>>,
    free: Vec<u32>,
    new: Queue,
    proven: Queue,
    templates: Vec<TemplateHits>,
}

impl Shard {
    pub(super) fn new(max_bytes: usize) -> Self {
        Self { max_bytes, ..Self::default() }
    }

    /// The value of a copy that may be served, and counts a hit.
    #[inline]
    pub(super) fn hit(&mut self, hash: u64, key: &[u8], now: u64) -> Option<Option<&SharedValue>> {
        let place = self.place(hash, key)?;
        let slot = self.slots.get_mut(place)?.as_mut()?;
        let copy = slot.copy.as_mut().filter(|copy| now < copy.until && copy.era.is_alive(now))?;
        if now >= copy.renew_at {
            // This call reads again.
            copy.renew_at = u64::MAX;
            return None;
        }
        copy.era.note_use();
        slot.uses = slot.uses.saturating_add(1).min(MAX_USES);
        if let Some(template) = self.templates.get_mut(slot.template) {
            template.hits += 1;
        }
        Some(copy.value.as_ref())
    }

    /// Notes that a key is being read. Returns whether no other read is under way.
    pub(super) fn begin(&mut self, hash: u64, key: &[u8], ticket: u64, schema: &'static Schema) -> (bool, Removed) {
        if let Some(slot) = self.slot(hash, key) {
            let is_first = slot.ticket == 0;
            if is_first {
                slot.ticket = ticket;
            }
            return (is_first, Removed::nothing());
        }
        // Another key of the same hash.
        let mut removed: Vec<_> =
            self.places.get(&hash).copied().and_then(|place| self.take(place)).into_iter().collect();
        let template = self.template(schema);
        let key = key.into();
        self.insert(Slot { key, hash, copy: None, ticket, number: ticket, template, is_proven: false, uses: 0 });
        self.evict(&mut removed);
        (true, Removed { _slots: removed, _copy: None })
    }

    /// Keeps what was read, unless the key was forgotten since. Returns whether it was kept.
    pub(super) fn finish(&mut self, hash: u64, key: &[u8], ticket: u64, copy: NearCopy) -> (bool, Removed) {
        let Some(slot) = self.slot(hash, key).filter(|slot| slot.ticket == ticket) else {
            return (false, Removed { _slots: Vec::new(), _copy: Some(copy) });
        };
        let (before, is_proven) = (slot.bytes(), slot.is_proven);
        slot.ticket = 0;
        let old = slot.copy.replace(copy);
        let after = slot.bytes();
        self.bytes = (self.bytes + after).saturating_sub(before);
        if !is_proven {
            self.new_bytes = (self.new_bytes + after).saturating_sub(before);
        }
        let mut evicted = Vec::new();
        self.evict(&mut evicted);
        (true, Removed { _slots: evicted, _copy: old })
    }

    /// Notes that a read has ended without a result to keep.
    pub(super) fn abandon(&mut self, hash: u64, key: &[u8], ticket: u64) {
        let Some(slot) = self.slot(hash, key).filter(|slot| slot.ticket == ticket) else { return };
        slot.ticket = 0;
        if slot.copy.is_none() {
            // There is no value in it.
            let _ = self.forget(hash, key);
        }
    }

    /// Removes a copy, and lets no read that is under way become one. Returns the template, if there was any of that.
    pub(super) fn forget(&mut self, hash: u64, key: &[u8]) -> Option<(&'static Schema, Removed)> {
        let place = self.place(hash, key).and_then(|place| u32::try_from(place).ok())?;
        let slot = self.take(place)?;
        let schema = self.templates.get(slot.template)?.schema;
        Some((schema, Removed { _slots: vec![slot], _copy: None }))
    }

    /// The number of keys and their bytes.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.places.len(), self.bytes)
    }

    /// Reports the hits of each template since the last call.
    pub(super) fn take_hits(&mut self, mut report: impl FnMut(&'static Schema, u64)) {
        for template in self.templates.iter_mut().filter(|template| template.hits > 0) {
            report(template.schema, template.hits);
            template.hits = 0;
        }
    }

    #[inline]
    fn place(&self, hash: u64, key: &[u8]) -> Option<usize> {
        let place = *self.places.get(&hash)? as usize;
        self.slots.get(place)?.as_ref().filter(|slot| *slot.key == *key).map(|_| place)
    }

    fn slot(&mut self, hash: u64, key: &[u8]) -> Option<&mut Slot> {
        let place = self.place(hash, key)?;
        self.slots.get_mut(place)?.as_mut()
    }

    fn template(&mut self, schema: &'static Schema) -> usize {
        let known = self.templates.iter().position(|template| ptr::eq(template.schema, schema));
        known.unwrap_or_else(|| {
            self.templates.push(TemplateHits { schema, hits: 0 });
            self.templates.len() - 1
        })
    }

    fn insert(&mut self, slot: Slot) {
        let place = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            // A slot takes at least 192 bytes, so that there are not so many.
            u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX)
        });
        self.bytes += slot.bytes();
        self.new_bytes += slot.bytes();
        self.new.push_back((place, slot.number));
        self.places.insert(slot.hash, place);
        if let Some(free) = self.slots.get_mut(place as usize) {
            *free = Some(slot);
        }
        // What is removed and comes again and again must not fill the queues.
        if self.new.len() + self.proven.len() > 2 * self.places.len() + 64 {
            let is_there = |(place, number): &(u32, u64)| is_at(&self.slots, *place, *number);
            self.new.retain(is_there);
            self.proven.retain(is_there);
        }
    }

    fn take(&mut self, place: u32) -> Option<Slot> {
        let slot = self.slots.get_mut(place as usize)?.take()?;
        self.places.remove(&slot.hash);
        self.free.push(place);
        self.bytes = self.bytes.saturating_sub(slot.bytes());
        if !slot.is_proven {
            self.new_bytes = self.new_bytes.saturating_sub(slot.bytes());
        }
        Some(slot)
    }

    /// Removes slots until there is room: S3-FIFO without ghosts. New slots have a tenth of the room. Those that were
    /// used by their turn are proven, and have another turn for each use.
    fn evict(&mut self, evicted: &mut Vec<Slot>) {
        while self.bytes > self.max_bytes {
            let is_new = self.new_bytes >= self.max_bytes / NEW_SHARE || self.proven.is_empty();
            let queue = if is_new { &mut self.new } else { &mut self.proven };
            let Some((place, number)) = queue.pop_front() else { return };
            if !is_at(&self.slots, place, number) {
                continue;
            }
            let Some(slot) = self.slots.get_mut(place as usize).and_then(Option::as_mut) else { continue };
            if slot.uses == 0 {
                evicted.extend(self.take(place));
                continue;
            }
            slot.uses = if is_new { 0 } else { slot.uses - 1 };
            if is_new {
                slot.is_proven = true;
                let bytes = slot.bytes();
                self.new_bytes = self.new_bytes.saturating_sub(bytes);
            }
            self.proven.push_back((place, number));
        }
    }
}

fn is_at(slots: &[Option<Slot>], place: u32, number: u64) -> bool {
    slots.get(place as usize).and_then(Option::as_ref).is_some_and(|slot| slot.number == number)
}

impl Slot {
    fn bytes(&self) -> usize {
        let stored = self.copy.as_ref().map_or(0, |copy| copy.stored_bytes);
        (self.key.len() + OVERHEAD).saturating_add(stored.saturating_mul(BYTES_PER_STORED_BYTE))
    }
}

impl Removed {
    fn nothing() -> Self {
        Self { _slots: Vec::new(), _copy: None }
    }
}

/// The keys of the map are hashes.
#[derive(Default)]
pub(super) struct AlreadyHashed(u64);

impl Hasher for AlreadyHashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
