//! A part of the table: its slots, indexed by the hash of their keys, and the queues that decide which slot goes first.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;
use std::{mem, ptr};

use super::SharedValue;
use super::era::Era;
use crate::schema::Schema;

/// The size of a slot without its key and value in bytes, as measured.
const OVERHEAD: usize = 192;

/// A value takes about twice its stored size, as measured.
const BYTES_PER_STORED_BYTE: usize = 2;

/// The share of the memory for slots that have not been used yet: one part in this many.
const NEW_SHARE: usize = 10;

/// The maximum number of uses that count for a slot between two turns.
const MAX_USES: u8 = 3;

/// A value that was read, or the fact that there is none.
pub(crate) struct NearCopy {
    /// The value; `None` if the key holds the marker of absence.
    pub(crate) value: Option<SharedValue>,
    pub(crate) era: Arc<Era>,
    pub(crate) until: u64,
    /// The time from which one call reads again, while the others get the copy.
    pub(crate) renew_at: u64,
    /// The size of the stored form without compression, in bytes.
    pub(crate) bytes: usize,
}

impl NearCopy {
    #[inline]
    fn is_served(&self, now: u64) -> bool {
        now < self.until && self.era.is_alive(now)
    }
}

/// Removed slots, which are dropped after the table is unlocked: a value's `drop` can run any code.
#[must_use]
#[expect(dead_code, reason = "it is only dropped")]
pub(crate) struct RemovedSlots {
    slots: Vec<Slot>,
    copy: Option<NearCopy>,
}

struct Slot {
    key: Box<[u8]>,
    hash: u64,
    copy: Option<NearCopy>,
    /// The ticket of the current read, or zero.
    ticket: u64,
    /// A unique number, different even from earlier slots at this place.
    number: u64,
    /// The index among the templates.
    template: usize,
    /// Whether the slot has left the queue of new slots.
    is_proven: bool,
    /// The number of uses since the last turn.
    uses: u8,
}

/// The hits of a template that have not been reported yet.
struct TemplateHits {
    schema: &'static Schema,
    hits: u64,
}

/// The turns of slots, by place and number. A removed slot's turn stays until it is reached.
type Queue = VecDeque<(u32, u64)>;

#[derive(Default)]
pub(crate) struct Shard {
    max_bytes: usize,
    bytes: usize,
    /// The bytes of slots that are not proven yet.
    new_bytes: usize,
    places: HashMap<u64, u32, BuildHasherDefault<AlreadyHashed>>,
    slots: Vec<Option<Slot>>,
    free: Vec<u32>,
    new: Queue,
    proven: Queue,
    templates: Vec<TemplateHits>,
}

impl Shard {
    pub(crate) fn new(max_bytes: usize) -> Self {
        Self { max_bytes, ..Self::default() }
    }

    /// Returns the value of a servable copy, and counts a hit.
    #[inline]
    pub(crate) fn hit(&mut self, hash: u64, key: &[u8], now: u64) -> Option<Option<&SharedValue>> {
        let place = self.place(hash, key)?;
        let slot = self.slots.get_mut(place as usize)?.as_mut()?;
        let copy = slot.copy.as_mut().filter(|copy| copy.is_served(now))?;
        if now >= copy.renew_at {
            // This call reads again. If it fails, another call does so later.
            copy.renew_at = now.saturating_add(copy.until.saturating_sub(now) / 2 + 1);
            return None;
        }
        copy.era.note_use();
        slot.uses = slot.uses.saturating_add(1).min(MAX_USES);
        if let Some(template) = self.templates.get_mut(slot.template) {
            template.hits += 1;
        }
        Some(copy.value.as_ref())
    }

    /// Records that a key is being read. Returns whether no other read is under way.
    pub(crate) fn begin(
        &mut self,
        hash: u64,
        key: &[u8],
        ticket: u64,
        schema: &'static Schema,
    ) -> (bool, RemovedSlots) {
        if let Some(slot) = self.slot(hash, key) {
            let is_first = slot.ticket == 0;
            if is_first {
                slot.ticket = ticket;
            }
            return (is_first, RemovedSlots::nothing());
        }
        // The slot belongs to another key with the same hash.
        let mut removed: Vec<_> =
            self.places.get(&hash).copied().and_then(|place| self.take(place)).into_iter().collect();
        let template = self.template(schema);
        let key = key.into();
        self.insert(Slot { key, hash, copy: None, ticket, number: ticket, template, is_proven: false, uses: 0 });
        self.evict(&mut removed);
        (true, RemovedSlots { slots: removed, copy: None })
    }

    /// Keeps a value after its read, if there is room and the key was not forgotten since. Returns whether it was not
    /// forgotten.
    pub(crate) fn finish(&mut self, hash: u64, key: &[u8], ticket: u64, copy: NearCopy) -> (bool, RemovedSlots) {
        let found =
            self.place(hash, key).and_then(|place| Some((place, self.slots.get_mut(place as usize)?.as_mut()?)));
        let Some((place, slot)) = found.filter(|(_, slot)| slot.ticket == ticket) else {
            return (false, RemovedSlots { slots: Vec::new(), copy: Some(copy) });
        };
        let (before, is_proven) = (slot.bytes(), slot.is_proven);
        slot.ticket = 0;
        let old = slot.copy.replace(copy);
        let after = slot.bytes();
        // A value without room among the new slots would evict all of them, and itself.
        let is_large = !is_proven && after > self.max_bytes / NEW_SHARE;
        slot.is_proven |= is_large;
        let turn = (place, slot.number);
        self.bytes = (self.bytes + after).saturating_sub(before);
        if !is_proven {
            self.new_bytes = (self.new_bytes + if is_large { 0 } else { after }).saturating_sub(before);
        }
        if is_large {
            self.proven.push_back(turn);
        }
        let mut slots = Vec::new();
        if after > self.max_bytes {
            slots.extend(self.take(place));
        } else {
            self.evict(&mut slots);
        }
        (true, RemovedSlots { slots, copy: old })
    }

    /// Records that a read has ended without a value to keep.
    pub(crate) fn abandon(&mut self, hash: u64, key: &[u8], ticket: u64) {
        let Some(slot) = self.slot(hash, key).filter(|slot| slot.ticket == ticket) else { return };
        slot.ticket = 0;
        if slot.copy.is_none() {
            let place = self.place(hash, key);
            place.and_then(|place| self.take(place));
        }
    }

    /// Removes a copy and invalidates a read that is under way. Returns the template, if the copy was servable.
    pub(crate) fn forget(&mut self, hash: u64, key: &[u8], now: u64) -> (Option<&'static Schema>, RemovedSlots) {
        let slot = self.place(hash, key).and_then(|place| self.take(place));
        let served = slot.as_ref().filter(|slot| slot.copy.as_ref().is_some_and(|copy| copy.is_served(now)));
        let schema = served.and_then(|slot| self.templates.get(slot.template)).map(|template| template.schema);
        (schema, RemovedSlots { slots: slot.into_iter().collect(), copy: None })
    }

    /// The number of keys and their bytes.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.places.len(), self.bytes)
    }

    /// Returns each template's hits since the last call.
    pub(crate) fn take_hits(&mut self) -> Vec<(&'static Schema, u64)> {
        let hit = self.templates.iter_mut().filter(|template| template.hits > 0);
        hit.map(|template| (template.schema, mem::take(&mut template.hits))).collect()
    }

    #[inline]
    fn place(&self, hash: u64, key: &[u8]) -> Option<u32> {
        let place = *self.places.get(&hash)?;
        self.slots.get(place as usize)?.as_ref().filter(|slot| *slot.key == *key).map(|_| place)
    }

    fn slot(&mut self, hash: u64, key: &[u8]) -> Option<&mut Slot> {
        let place = self.place(hash, key)?;
        self.slots.get_mut(place as usize)?.as_mut()
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
            // A slot takes at least 192 bytes, so there cannot be that many.
            u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX)
        });
        self.bytes += slot.bytes();
        self.new_bytes += slot.bytes();
        self.new.push_back((place, slot.number));
        self.places.insert(slot.hash, place);
        if let Some(free) = self.slots.get_mut(place as usize) {
            *free = Some(slot);
        }
        // Keys that are removed and added repeatedly must not fill the queues.
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

    /// Removes slots until there is room: S3-FIFO without ghosts. New slots get a tenth of the room. Slots that were
    /// used before their turn are proven, and get another turn for each use.
    fn evict(&mut self, evicted: &mut Vec<Slot>) {
        while self.bytes > self.max_bytes {
            let is_new = self.new_bytes >= self.max_bytes / NEW_SHARE || self.proven.is_empty();
            let queue = if is_new { &mut self.new } else { &mut self.proven };
            let Some((place, number)) = queue.pop_front() else { return };
            if !is_at(&self.slots, place, number) {
                continue;
            }
            let Some(slot) = self.slots.get_mut(place as usize).and_then(Option::as_mut) else { continue };
            if is_new && slot.is_proven {
                // It is too large for the new slots, and gets a turn among the proven slots.
                continue;
            }
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
        let stored = self.copy.as_ref().map_or(0, |copy| copy.bytes);
        (self.key.len() + OVERHEAD).saturating_add(stored.saturating_mul(BYTES_PER_STORED_BYTE))
    }
}

impl RemovedSlots {
    fn nothing() -> Self {
        Self { slots: Vec::new(), copy: None }
    }
}

/// The keys of the map are hashes.
#[derive(Default)]
pub(crate) struct AlreadyHashed(u64);

impl Hasher for AlreadyHashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
