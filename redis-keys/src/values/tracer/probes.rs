//! The passes: first those that make each variant, then those that change one thing at a time.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::candidates::{Extreme, NUMBERS};
use super::super::error::Error;
use super::super::place::{PlaceId, Step};
use super::super::reading::{Guess, Kind, Leaf};
use super::super::writing::WrittenKind;
use super::Tracer;
use super::learn::GivenUp;
use super::state::{Change, Mode, State};
use redis_keys_core::value_shape::Number;

/// The most passes for the first values.
const FIRST_PASSES: usize = 5_000;

/// The most passes that learn the value of one more field.
const FIELD_PASSES: usize = 60;

/// The passes with random values, which show what is not always written.
const RANDOM_PASSES: usize = 40;

impl Tracer {
    /// Makes a value of each variant. `false` if no value can be made.
    pub(super) fn make_values<T: Serialize + DeserializeOwned>(&self) -> bool {
        let is_made = self.make_first_values::<T>();
        is_made && (!self.state.borrow_mut().give_postponed() || self.make_first_values::<T>())
    }

    fn make_first_values<T: Serialize + DeserializeOwned>(&self) -> bool {
        let mut is_made = false;
        for _ in 0..FIRST_PASSES {
            let before = self.state.borrow().progress();
            match self.pass::<T>() {
                Ok(()) => {
                    let state = self.state.borrow();
                    let is_new = !is_made || state.progress() > before;
                    is_made = true;
                    // The next pass would be the same.
                    if state.is_complete() || !is_new {
                        break;
                    }
                }
                Err(error) => {
                    if !self.state.borrow_mut().learn(error) {
                        break;
                    }
                }
            }
        }
        is_made
    }

    /// Learns what the type rejects and what it leaves out.
    pub(super) fn probe<T: Serialize + DeserializeOwned>(&self) {
        // Each new field can be an enum, and each alternative of one can have fields.
        for _ in 0..2 {
            self.find_alternatives::<T>();
            self.give_declared_fields::<T>();
            self.give_written_fields::<T>();
            let is_complete = self.state.borrow().is_complete();
            if !is_complete {
                let given_up = self.state.borrow().given_up();
                self.make_more_values::<T>(given_up);
            }
        }
        self.give_named_texts::<T>();
        self.give_unknown_variants::<T>();
        self.give_edge_values::<T>();
        self.give_other_kinds::<T>(0);
        self.give_elements::<T>();
        self.leave_out_fields::<T>();
        for (mode, passes) in [(Mode::Sparse, 4), (Mode::Random, RANDOM_PASSES)] {
            self.state.borrow_mut().mode = mode;
            for _ in 0..passes {
                // A random value can be one that the type rejects.
                let _made = self.pass::<T>();
            }
        }
        self.state.borrow_mut().mode = Mode::Full;
    }

    /// Makes a value with a change at a place.
    fn try_change<T: Serialize + DeserializeOwned>(&self, at: PlaceId, change: Change) -> Result<(), Error> {
        {
            let mut state = self.state.borrow_mut();
            state.focus = Some(at);
            state.change = change;
        }
        let result = self.pass::<T>();
        let mut state = self.state.borrow_mut();
        state.focus = None;
        state.change = Change::Nothing;
        result
    }

    /// Returns whether a value with the place is made as it is: only then a change that fails teaches something.
    fn is_made_with<T: Serialize + DeserializeOwned>(&self, at: PlaceId) -> bool {
        self.try_change::<T>(at, Change::Nothing).is_ok()
    }

    /// Returns the places for which `find` finds something.
    fn places<R>(&self, find: impl Fn(&State, PlaceId) -> Option<R>) -> Vec<(PlaceId, R)> {
        let state = self.state.borrow();
        state.places.ids().filter_map(|place| Some((place, find(&state, place)?))).collect()
    }

    /// Gives each value that serde buffers other kinds of values until one is rejected: an enum without a tag then
    /// shows its alternatives, in which there can be more.
    fn find_alternatives<T: Serialize + DeserializeOwned>(&self) {
        let mut known = 0;
        loop {
            let found = self.places(|state, at| (at.number() >= known && is_open(state, at)).then_some(()));
            let Some((at, ())) = found.first().copied() else { return };
            known = at.number() + 1;
            if self.is_made_with::<T>(at) {
                self.find_alternatives_of::<T>(at);
            }
        }
    }

    fn find_alternatives_of<T: Serialize + DeserializeOwned>(&self, at: PlaceId) {
        let mismatch = Guess::ALL.iter().find_map(|guess| {
            let _made = self.try_change::<T>(at, Change::Guess(at, *guess));
            self.state.borrow_mut().pass.mismatch.take()
        });
        let Some((untagged, errors)) = mismatch else { return };
        let mut state = self.state.borrow_mut();
        let given_up = state.given_up();
        if !state.learn_alternatives(at, untagged, &errors) || state.places[at].reading.is_opaque {
            return;
        }
        drop(state);
        self.make_more_values::<T>(given_up);
    }

    /// Makes a value of each variant that was found since. If then no value can be made, they are given up.
    fn make_more_values<T: Serialize + DeserializeOwned>(&self, given_up: Vec<GivenUp>) {
        self.make_first_values::<T>();
        if self.pass::<T>().is_err() {
            self.state.borrow_mut().restore(given_up);
        }
        self.state.borrow_mut().give_up_alternatives();
    }

    /// Gives structs that serde buffers each field that they declare, if they list them as they reject another.
    fn give_declared_fields<T: Serialize + DeserializeOwned>(&self) {
        for (at, ()) in self.places(|state, at| is_buffered_struct(state, at).then_some(())) {
            if !self.is_made_with::<T>(at) {
                continue;
            }
            let result = self.try_change::<T>(at, Change::WithUnknownField(at));
            let Err(error) = &result else { continue };
            self.state.borrow_mut().places[at].reading.fields.rejects_others = is_unknown_field(error);
            let Error::UnknownField { expected } = error else { continue };
            let expected: Vec<_> = expected.iter().map(|name| (*name).to_owned()).collect();
            for name in &expected {
                self.give_written_field::<T>(at, name);
            }
            self.state.borrow_mut().places[at].reading.fields.declared = expected;
        }
    }

    /// Gives structs that serde buffers each field that they write: so optional fields show their types.
    fn give_written_fields<T: Serialize + DeserializeOwned>(&self) {
        let structs = self.places(|state, at| {
            let is_struct = state.places[at].writing.only_kind() == Some(WrittenKind::Struct);
            (is_buffered_struct(state, at) && is_struct).then(|| state.places[at].writing.fields.clone())
        });
        for (at, fields) in structs {
            for (name, _) in fields {
                self.give_written_field::<T>(at, &name);
            }
        }
    }

    fn give_written_field<T: Serialize + DeserializeOwned>(&self, at: PlaceId, name: &str) {
        {
            let mut state = self.state.borrow_mut();
            let names = &mut state.places[at].reading.fields.names;
            if names.iter().any(|known| known == name) {
                return;
            }
            names.push(name.to_owned());
        }
        if !self.is_made_anew::<T>(at) {
            self.state.borrow_mut().places[at].reading.fields.names.retain(|known| known != name);
        }
    }

    /// Learns the value of a new part of a place. If there is none, the type is made without the part, as before.
    fn is_made_anew<T: Serialize + DeserializeOwned>(&self, at: PlaceId) -> bool {
        self.state.borrow_mut().focus = Some(at);
        let given_up = self.state.borrow().given_up();
        let is_made = (0..FIELD_PASSES).find_map(|_| match self.pass::<T>() {
            Ok(()) => Some(true),
            Err(error) => (!self.state.borrow_mut().learn(error)).then_some(false),
        });
        let mut state = self.state.borrow_mut();
        state.focus = None;
        let is_made = is_made == Some(true);
        if !is_made {
            state.restore(given_up);
        }
        is_made
    }

    /// Gives each text that an error has named: the variants of an enum that serde buffers.
    fn give_named_texts<T: Serialize + DeserializeOwned>(&self) {
        let places = self.places(|state, at| {
            let reading = &state.places[at].reading;
            let is_text = reading.kind == Some(Kind::Buffered) && reading.buffered.guess == Guess::Text;
            (is_text && !reading.named_texts.is_empty()).then_some((reading.candidate, reading.named_texts.len()))
        });
        for (at, (candidate, texts)) in places {
            for index in 1..=texts {
                self.state.borrow_mut().places[at].reading.candidate = index;
                let _made = self.try_change::<T>(at, Change::Nothing);
            }
            self.state.borrow_mut().places[at].reading.candidate = candidate;
        }
    }

    /// Gives each enum a variant that it lacks: `#[serde(other)]` accepts it.
    fn give_unknown_variants<T: Serialize + DeserializeOwned>(&self) {
        let enums = self.places(|state, at| matches!(state.places[at].reading.kind, Some(Kind::Enum(_))).then_some(()));
        for (at, ()) in enums {
            let reads_others = self.try_change::<T>(at, Change::UnknownVariant(at)).is_ok();
            self.state.borrow_mut().places[at].reading.variants.reads_others = reads_others;
        }
    }

    /// Gives each leaf some values that a type with rules of its own often rejects.
    fn give_edge_values<T: Serialize + DeserializeOwned>(&self) {
        let leaves = self.places(|state, at| {
            let reading = &state.places[at].reading;
            match reading.kind {
                Some(Kind::Leaf(leaf)) if !reading.is_opaque => Some(edge_values(at, leaf, reading.candidate)),
                _ => None,
            }
        });
        for (at, values) in leaves {
            if values.is_empty() || !self.is_made_with::<T>(at) {
                continue;
            }
            for (change, name) in values {
                if self.try_change::<T>(at, change).is_err() {
                    self.state.borrow_mut().places[at].reading.rejects.push(name);
                }
            }
        }
    }

    /// Gives an element to each list that was accepted without one: an element shows what is written of it.
    fn give_elements<T: Serialize + DeserializeOwned>(&self) {
        let lists = self.places(|state, at| {
            let buffered = &state.places[at].reading.buffered;
            let is_empty = [Guess::Unit, Guess::EMPTY_LIST].contains(&buffered.guess)
                && buffered.accepts.contains(&Guess::EMPTY_LIST)
                && state.places.find(at, &Step::Item).is_none();
            (is_open(state, at) && is_empty).then_some(buffered.guess)
        });
        let known = self.state.borrow().places.ids().count();
        for (at, guess) in lists {
            self.state.borrow_mut().places[at].reading.buffered.guess = Guess::List;
            if !self.is_made_anew::<T>(at) {
                self.state.borrow_mut().places[at].reading.buffered.guess = guess;
            }
        }
        self.give_other_kinds::<T>(known);
    }

    /// Gives each value that serde buffers the other kinds of values: all from a place on.
    fn give_other_kinds<T: Serialize + DeserializeOwned>(&self, first: usize) {
        let buffered = self.places(|state, at| (at.number() >= first && is_open(state, at)).then_some(()));
        for (at, ()) in buffered {
            if !self.is_made_with::<T>(at) {
                continue;
            }
            for guess in Guess::ALL {
                let result = self.try_change::<T>(at, Change::Guess(at, guess));
                let state = &mut *self.state.borrow_mut();
                let buffered = &mut state.places[at].reading.buffered;
                buffered.has_own_rules |= state.pass.has_unknown_enum;
                match result {
                    Ok(()) => buffered.accepts.push(guess),
                    Err(Error::Custom(_)) => buffered.has_own_rules = true,
                    Err(_) => {}
                }
            }
        }
    }

    /// Leaves out each field of each struct, and gives each struct a field that it lacks.
    fn leave_out_fields<T: Serialize + DeserializeOwned>(&self) {
        let structs = self.places(|state, at| {
            let reading = &state.places[at].reading;
            let names = match reading.kind {
                Some(Kind::Struct(names)) => {
                    let names = names.iter().map(|name| (*name).to_owned());
                    names.filter(|name| !reading.fields.aliases.contains_key(name)).collect()
                }
                _ => reading.fields.names.clone(),
            };
            (!names.is_empty()).then_some(names)
        });
        for (at, names) in structs {
            if !self.is_made_with::<T>(at) {
                continue;
            }
            for name in names {
                let can_be_missing = self.try_change::<T>(at, Change::WithoutField(at, name.clone())).is_ok();
                self.state.borrow_mut().places[at].reading.fields.can_be_missing.insert(name, can_be_missing);
            }
            let result = self.try_change::<T>(at, Change::WithUnknownField(at));
            self.state.borrow_mut().places[at].reading.fields.rejects_others =
                matches!(&result, Err(error) if is_unknown_field(error));
        }
    }
}

/// Returns whether serde buffers the value of a place, and it is not known to be an enum.
fn is_open(state: &State, at: PlaceId) -> bool {
    let reading = &state.places[at].reading;
    let outer = state.places.outer(at).map(|(outer, _)| &state.places[outer].reading);
    // Beside the tag of an enum it can only be fields.
    let is_beside_tag = outer.is_some_and(|outer| outer.alternatives().is_some() && outer.kind.is_none());
    let is_buffered = reading.kind == Some(Kind::Buffered) && !reading.is_opaque;
    is_buffered && reading.variant_names().is_none() && !is_beside_tag
}

/// Returns whether a place has fields that serde buffers.
fn is_buffered_struct(state: &State, at: PlaceId) -> bool {
    let reading = &state.places[at].reading;
    let outer = state.places.outer(at).map(|(outer, _)| &state.places[outer].reading);
    let is_variant = outer.is_some_and(|outer| outer.buffered.tag.is_some());
    (is_variant && reading.kind.is_none() || reading.is_buffered_map()) && reading.variant_names().is_none()
}

/// Returns whether a type rejects a field that it does not know. The derive has a message of its own with `flatten`.
fn is_unknown_field(error: &Error) -> bool {
    match error {
        Error::UnknownField { .. } => true,
        Error::Custom(message) => message.starts_with("unknown field"),
        _ => false,
    }
}

/// Returns the values that a leaf is given, each with its name, except the one that it accepts.
fn edge_values(at: PlaceId, leaf: Leaf, accepted: usize) -> Vec<(Change, &'static str)> {
    let candidate = |index, name| (index != accepted).then_some((Change::Candidate(at, index), name));
    let extreme = |extreme, name| Some((Change::Extreme(at, extreme), name));
    let values = match leaf {
        Leaf::Text if accepted == 0 => {
            vec![candidate(1, "an empty text"), candidate(2, "a text with a digit"), candidate(6, "other texts")]
        }
        Leaf::Bytes => vec![candidate(0, "1 byte"), candidate(1, "16 bytes"), candidate(2, "no bytes")],
        Leaf::Number(Number::F32 | Number::F64) => Vec::new(),
        Leaf::Number(number) => {
            let is_signed = number.name().starts_with('i');
            let negative = extreme(Extreme::Negative, "-1").filter(|_| is_signed);
            let accepted_named = accepted >= NUMBERS.len();
            let largest = extreme(Extreme::Largest, "the largest").filter(|_| !accepted_named || accepted > 0);
            vec![candidate(0, "0"), candidate(1, "1"), negative, largest]
        }
        _ => Vec::new(),
    };
    values.into_iter().flatten().collect()
}
