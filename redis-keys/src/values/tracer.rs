//! Learns the shape of a type from its own `Deserialize` and `Serialize`.
//!
//! In each pass the type asks a [`Recorder`] for a value, part by part, and gets one. The recorder notes what it is asked
//! for at each [place](super::place). A pass that fails names the place of the mistake, which gets the next candidate; a
//! pass that succeeds makes a value, which a [`Writer`] serializes at the same places. Passes repeat until each variant of
//! each enum has been made. Then the tracer changes one thing at a time, for example leaves out a field, to learn what
//! the type rejects.

mod alternatives;
mod deserializer;
mod joined;
mod learn;
mod probes;
mod state;
mod writer;

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use redis_keys_core::value_shape::Shape;
use serde::Serialize;
use serde::de::DeserializeOwned;

use self::deserializer::Recorder;
use self::state::{Mode, State};
use self::writer::Writer;
use super::error::{Error, take_made};
use super::place::PlaceId;
use super::reading::Kind;

/// The shape of a type, and values of it.
pub struct Traced {
    /// The shape.
    pub shape: Shape,
    /// Places that are not known, or only in part, each with the reason.
    pub notes: Vec<String>,
    tracer: Tracer,
}

/// Learns the shape of a type.
///
/// It runs the type's `Deserialize` and `Serialize` some hundred times and catches their panics. A type of which no value
/// can be made has the shape `Unknown`.
pub fn shape_of<T: Serialize + DeserializeOwned>(is_human_readable: bool) -> Traced {
    let tracer = Tracer { is_human_readable, state: RefCell::new(State::new()) };
    let is_made = tracer.make_values::<T>();
    if is_made {
        tracer.probe::<T>();
    }
    let (shape, notes) = if is_made || tracer.has_known_fields() {
        joined::shape(&tracer.state.borrow())
    } else {
        (Shape::Unknown, vec![tracer.why_nothing_is_known()])
    };
    Traced { shape, notes, tracer }
}

impl Traced {
    /// Makes a value with the type's own rules in mind: the same for the same seed.
    pub fn random<T: DeserializeOwned>(&self, seed: u64) -> Option<T> {
        self.tracer.state.borrow_mut().start_random(seed);
        (0..20).find_map(|_| self.tracer.make::<T>().ok())
    }

    /// Makes a value with all that is known of the type: always the same.
    pub fn example<T: DeserializeOwned>(&self) -> Option<T> {
        self.tracer.state.borrow_mut().mode = Mode::Full;
        self.tracer.make::<T>().ok()
    }
}

pub(super) struct Tracer {
    pub(super) is_human_readable: bool,
    /// Borrowed only between calls of the type's code.
    pub(super) state: RefCell<State>,
}

impl Tracer {
    /// Makes a value.
    fn make<T: DeserializeOwned>(&self) -> Result<T, Error> {
        self.state.borrow_mut().start_pass();
        let _former = take_made();
        let made = catch_unwind(AssertUnwindSafe(|| T::deserialize(Recorder::new(self))));
        let made = made.unwrap_or(Err(Error::Panicked));
        let rejection = self.state.borrow_mut().rejection(made.as_ref().err(), take_made());
        if let Some(error) = rejection {
            drop_value(made);
            return Err(error);
        }
        if made.is_ok() {
            self.state.borrow_mut().note_variants();
        }
        made
    }

    /// Makes a value and notes what its type writes.
    fn pass<T: Serialize + DeserializeOwned>(&self) -> Result<(), Error> {
        let value = self.make::<T>()?;
        let write = || {
            let written = catch_unwind(AssertUnwindSafe(|| value.serialize(Writer::new(self))));
            matches!(written, Ok(Ok(())))
        };
        // A value that cannot be written in full shows nothing, so it is written once before anything is noted.
        self.state.borrow_mut().notes_writing = false;
        let is_written = write();
        self.state.borrow_mut().notes_writing = true;
        if !is_written || !write() {
            self.state.borrow_mut().is_writing_refused = true;
        }
        drop_value(value);
        Ok(())
    }

    /// Returns whether the type has shown its fields, although no value could be made of all of them.
    fn has_known_fields(&self) -> bool {
        let state = self.state.borrow();
        let is_struct = matches!(state.places[PlaceId::ROOT].reading.kind, Some(Kind::Struct(_)));
        is_struct && state.places[PlaceId::ROOT].reading.is_complete() && !state.is_exhausted()
    }

    /// Returns why no value could be made.
    fn why_nothing_is_known(&self) -> String {
        let state = self.state.borrow();
        let place = state.pass.blamed.or(state.pass.visited.last().copied()).unwrap_or(PlaceId::ROOT);
        let why = match &state.last_error {
            Some(Error::Panicked) => "the type's `Deserialize` panics",
            _ if state.is_exhausted() => "the type is too large",
            _ => "the type's own rules reject all values that were tried",
        };
        format!("`{}`: {why}", state.places.path(place))
    }
}

/// Drops a value. The type's `Drop` can panic as well.
fn drop_value<T>(value: T) {
    let _dropped = catch_unwind(AssertUnwindSafe(move || drop(value)));
}
