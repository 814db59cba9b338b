//! What the tracer knows, and how it answers in the current pass.

use super::super::candidates::Extreme;
use super::super::error::{Error, Given};
use super::super::place::{PlaceId, Places, Step};
use super::super::reading::{Guess, Kind, Untagged};

/// The most parts of values that are asked for, in all passes: a type that needs more is known only in part.
const MAX_VISITS: usize = 3_000_000;

/// The name of a field that no struct has.
pub(super) const UNKNOWN_FIELD: &str = "not a field";

/// How much of a value is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Mode {
    /// Each option and each list has a value.
    Full,
    /// What can be missing is missing.
    Sparse,
    Random,
}

/// The one thing that a pass changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Nothing,
    WithoutField(PlaceId, String),
    WithUnknownField(PlaceId),
    UnknownVariant(PlaceId),
    Candidate(PlaceId, usize),
    Extreme(PlaceId, Extreme),
    /// Another kind of value where the value is buffered.
    Guess(PlaceId, Guess),
}

/// What has happened in a pass.
#[derive(Debug, Default)]
pub(in super::super) struct Pass {
    /// The place whose value was rejected.
    pub(in super::super) blamed: Option<PlaceId>,
    /// The places without parts, in their order.
    pub(in super::super) visited: Vec<PlaceId>,
    /// What buffered places were given: an error names it later.
    pub(super) given: Vec<(PlaceId, Given)>,
    /// The last field.
    pub(super) key: Option<(PlaceId, String)>,
    /// The variant of each enum.
    pub(super) chosen: Vec<(PlaceId, &'static str)>,
    /// The alternative that has rejected the value.
    pub(super) rejected: Option<PlaceId>,
    /// An enum without a tag that is not known yet, with the errors of its alternatives.
    pub(super) mismatch: Option<(Untagged, Vec<Error>)>,
    /// Whether an enum without a tag that is not known has rejected a value.
    pub(super) has_unknown_enum: bool,
    /// The types that are being read, by their visitors, with their places.
    pub(super) open: Vec<(&'static str, PlaceId)>,
    /// The number of types around the current place that are inside themselves.
    pub(super) nested: usize,
}

/// What is known, and the current pass.
pub(in super::super) struct State {
    pub(in super::super) places: Places,
    pub(super) mode: Mode,
    /// The place that a pass is about: all around it is given.
    pub(super) focus: Option<PlaceId>,
    pub(super) change: Change,
    pub(in super::super) pass: Pass,
    pub(super) last_error: Option<Error>,
    /// Whether what is written is noted.
    pub(in super::super) notes_writing: bool,
    /// Whether a value could not be written.
    pub(in super::super) is_writing_refused: bool,
    /// Whether a type can contain itself.
    pub(super) recurses: bool,
    /// The number of maps that were found among buffered values.
    pub(super) found_maps: usize,
    random: u64,
    visits: usize,
}

impl State {
    pub(super) fn new() -> Self {
        Self {
            places: Places::new(),
            mode: Mode::Full,
            focus: None,
            change: Change::Nothing,
            pass: Pass::default(),
            last_error: None,
            notes_writing: true,
            is_writing_refused: false,
            recurses: false,
            found_maps: 0,
            random: 0x9e37_79b9_7f4a_7c15,
            visits: 0,
        }
    }

    pub(super) fn start_pass(&mut self) {
        self.pass = Pass::default();
    }

    pub(super) fn start_random(&mut self, seed: u64) {
        self.mode = Mode::Random;
        self.random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        // Values are made for as long as the caller likes.
        self.visits = 0;
    }

    /// Returns a random number below a limit, by Marsaglia's xorshift: the same ones in each run.
    pub(super) fn draw(&mut self, below: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 11) % below.max(1)
    }

    /// Returns a random index of a slice with this length.
    pub(super) fn draw_index(&mut self, len: usize) -> usize {
        usize::try_from(self.draw(len as u64)).unwrap_or_default()
    }

    /// Notes what the type asks for. The pass ends if it has asked for too much.
    pub(super) fn ask(&mut self, at: PlaceId, kind: Kind) -> Result<(), Error> {
        self.visits += 1;
        if self.is_exhausted() {
            return Err(Error::Stopped);
        }
        self.places[at].reading.kind = Some(kind);
        Ok(())
    }

    /// Returns whether the type has asked for more than the tracer gives.
    pub(in super::super) fn is_exhausted(&self) -> bool {
        self.visits > MAX_VISITS
    }

    /// Returns the place one step inside another. The pass ends if there are too many.
    pub(super) fn enter(&mut self, outer: PlaceId, step: Step) -> Result<PlaceId, Error> {
        let place = self.places.enter(outer, step);
        place.ok_or_else(|| self.reject(outer))
    }

    /// Blames a place for the end of the pass.
    pub(super) fn reject(&mut self, at: PlaceId) -> Error {
        self.pass.blamed.get_or_insert(at);
        Error::Stopped
    }

    /// Returns whether the pass is about this place, or about one inside it.
    pub(super) fn is_focused(&self, at: PlaceId) -> bool {
        self.focus.is_some_and(|focus| self.places.is_within(focus, at))
    }

    /// Returns whether an option, a list or a map is left empty in this pass.
    pub(super) fn is_left_empty(&mut self, at: PlaceId) -> bool {
        if self.places[at].reading.left_empty.is_some() || self.pass.nested > 0 {
            return true;
        }
        match self.mode {
            Mode::Full => false,
            Mode::Sparse => !self.is_focused(at),
            Mode::Random => self.draw(3) == 0,
        }
    }

    /// Returns the fields of a struct that are given in this pass.
    pub(super) fn given_fields(&mut self, at: PlaceId, mut names: Vec<String>) -> Vec<String> {
        if let Change::WithoutField(place, omitted) = &self.change
            && *place == at
        {
            names.retain(|name| name != omitted);
        }
        if self.mode != Mode::Full {
            names.retain(|name| !self.can_leave_out(at, name));
        }
        if self.change == Change::WithUnknownField(at) {
            names.push(UNKNOWN_FIELD.to_owned());
        }
        names
    }

    fn can_leave_out(&mut self, at: PlaceId, name: &str) -> bool {
        let can_be_missing = self.places[at].reading.fields.can_be_missing.get(name) == Some(&true);
        let is_focused = self.places.field(at, name).is_some_and(|field| self.is_focused(field));
        can_be_missing && !is_focused && (self.mode == Mode::Sparse || self.draw(4) == 0)
    }

    /// Chooses the variant of an enum for this pass. `None` if no variant can be made.
    ///
    /// `content` is the place whose parts are the variants' contents.
    pub(super) fn choose(
        &mut self,
        at: PlaceId,
        content: PlaceId,
        names: &'static [&'static str],
    ) -> Option<&'static str> {
        let is_focused = |name: &&&str| self.places.variant(content, name).is_some_and(|at| self.is_focused(at));
        let chosen = if self.pass.nested > 0 {
            names.iter().find(|name| self.places[at].reading.variants.simple.contains(**name))?
        } else if let Some(focused) = names.iter().find(is_focused) {
            focused
        } else {
            self.choose_next(at, content, names)?
        };
        self.pass.chosen.push((at, chosen));
        Some(chosen)
    }

    fn choose_next(
        &mut self,
        at: PlaceId,
        content: PlaceId,
        names: &'static [&'static str],
    ) -> Option<&'static &'static str> {
        let failed = &self.places[at].reading.variants.failed;
        let usable: Vec<_> = names.iter().filter(|name| !failed.contains(**name)).collect();
        if self.mode == Mode::Random {
            let index = self.draw_index(usable.len());
            return usable.get(index).copied();
        }
        let next = usable.iter().find(|name| !self.is_done(at, content, name));
        next.or(usable.first()).copied()
    }

    /// Returns whether a variant has been made, with each variant of the enums inside it.
    fn is_done(&self, at: PlaceId, content: PlaceId, name: &str) -> bool {
        let is_made = self.places[at].reading.variants.done.contains(name);
        is_made && self.places.variant(content, name).is_none_or(|content| self.is_complete_within(content))
    }

    fn is_complete_within(&self, at: PlaceId) -> bool {
        self.places[at].reading.is_complete() && self.places.inner(at).all(|inner| self.is_complete_within(inner))
    }

    /// Returns whether each variant of each enum has been made.
    pub(super) fn is_complete(&self) -> bool {
        self.places.ids().all(|place| self.places[place].reading.is_complete())
    }

    /// Returns the variant that was chosen for an enum in this pass.
    pub(super) fn chosen(&self, at: PlaceId) -> Option<&'static str> {
        self.pass.chosen.iter().rev().find(|(place, _)| *place == at).map(|(_, name)| *name)
    }

    /// Notes the variants of a value that was made.
    pub(super) fn note_variants(&mut self) {
        for (place, name) in &self.pass.chosen {
            self.places[*place].reading.variants.done.insert(name);
        }
    }

    /// Returns the number of variants that were made: it grows with each pass that shows something new.
    pub(super) fn progress(&self) -> usize {
        self.places.ids().map(|place| self.places[place].reading.variants.done.len()).sum()
    }
}
