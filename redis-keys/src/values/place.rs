//! The places of a value, as a tree: where its type asks for something, and where it writes something.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::{Index, IndexMut};

use super::reading::Reading;
pub(super) use super::step::{PlaceId, Step};
use super::writing::Writing;

/// The most places: a type with more of them is known only in part.
const MAX_PLACES: usize = 20_000;

/// The most steps from the whole value to a place: beyond, a type is taken for an endless one.
const MAX_DEPTH: usize = 100;

/// A place, with what is known of it.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// The place around it, and the step from there.
    outer: Option<(PlaceId, Step)>,
    depth: usize,
    inner: BTreeMap<Step, PlaceId>,
    /// What the type asks for here.
    pub(super) reading: Reading,
    /// What the type writes here.
    pub(super) writing: Writing,
}

/// All places of a value.
#[derive(Debug)]
pub(super) struct Places(Vec<Place>);

impl Places {
    /// Only the whole value.
    pub(super) fn new() -> Self {
        Self(vec![Place::default()])
    }

    /// Returns the place that is one step inside another. `None` if there are too many.
    pub(super) fn enter(&mut self, outer: PlaceId, step: Step) -> Option<PlaceId> {
        if let Some(place) = self[outer].inner.get(&step) {
            return Some(*place);
        }
        let depth = self[outer].depth + 1;
        if depth > MAX_DEPTH || self.0.len() >= MAX_PLACES {
            return None;
        }
        let place = PlaceId(self.0.len());
        self.0.push(Place { outer: Some((outer, step.clone())), depth, ..Place::default() });
        self[outer].inner.insert(step, place);
        Some(place)
    }

    /// Returns the place that is one step inside another, if it is known.
    pub(super) fn find(&self, outer: PlaceId, step: &Step) -> Option<PlaceId> {
        self[outer].inner.get(step).copied()
    }

    /// Returns the place of a field, if it is known.
    pub(super) fn field(&self, outer: PlaceId, name: &str) -> Option<PlaceId> {
        self.find(outer, &Step::Field(name.to_owned()))
    }

    /// Returns the place of a variant's content, if it is known.
    pub(super) fn variant(&self, outer: PlaceId, name: &str) -> Option<PlaceId> {
        self.find(outer, &Step::Variant(name.to_owned()))
    }

    /// Returns the place around a place, and the step from there.
    pub(super) fn outer(&self, place: PlaceId) -> Option<(PlaceId, &Step)> {
        self[place].outer.as_ref().map(|(outer, step)| (*outer, step))
    }

    /// Returns the places around a place, from the innermost.
    pub(super) fn around(&self, place: PlaceId) -> impl Iterator<Item = PlaceId> {
        let outer = move |place: &PlaceId| self.outer(*place).map(|(outer, _)| outer);
        std::iter::successors(outer(&place), outer)
    }

    /// Returns whether a place is another one, or inside it.
    pub(super) fn is_within(&self, place: PlaceId, outer: PlaceId) -> bool {
        place == outer || self.around(place).any(|around| around == outer)
    }

    /// Returns the places one step inside a place.
    pub(super) fn inner(&self, place: PlaceId) -> impl Iterator<Item = PlaceId> {
        self[place].inner.values().copied()
    }

    /// Returns whether no value is known of a place, or of a mandatory part of it.
    pub(super) fn has_opaque(&self, place: PlaceId) -> bool {
        let reading = &self[place].reading;
        let is_mandatory = reading.left_empty.is_none() && reading.variant_names().is_none();
        reading.is_opaque || is_mandatory && self.inner(place).any(|inner| self.has_opaque(inner))
    }

    /// Returns all places, each after the places around it.
    pub(super) fn ids(&self) -> impl Iterator<Item = PlaceId> + use<> {
        (0..self.0.len()).map(PlaceId)
    }

    /// Returns the path to a place for messages, such as `.items[].kind`.
    pub(super) fn path(&self, place: PlaceId) -> String {
        let mut path = String::new();
        let mut places: Vec<_> = self.around(place).collect();
        places.reverse();
        places.push(place);
        for (_, step) in places.into_iter().filter_map(|place| self.outer(place)) {
            // A text is written without an error.
            let _written = match step {
                Step::Some | Step::Inner => Ok(()),
                Step::Item => write!(path, "[]"),
                Step::Key => write!(path, "[key]"),
                Step::Value => write!(path, "[value]"),
                Step::Index(index) => write!(path, ".{index}"),
                Step::Field(name) => write!(path, ".{name}"),
                Step::Variant(name) => write!(path, "::{name}"),
            };
        }
        if path.is_empty() { ".".to_owned() } else { path }
    }
}

impl Index<PlaceId> for Places {
    type Output = Place;

    fn index(&self, place: PlaceId) -> &Place {
        &self.0[place.0]
    }
}

impl IndexMut<PlaceId> for Places {
    fn index_mut(&mut self, place: PlaceId) -> &mut Place {
        &mut self.0[place.0]
    }
}
