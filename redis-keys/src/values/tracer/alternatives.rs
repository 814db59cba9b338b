//! Enums without a tag.
//!
//! serde buffers such a value, tries one alternative after the other, and drops the errors of those that do not fit. The
//! errors are [kept](take_made) as they are made, so there is one for each alternative, in their order. That of the
//! alternative that a value was made for shows what to give in the next pass. It also shows whether the value was read as
//! the alternative that was meant: all before it must have rejected it, and it must not.
//!
//! [`take_made`]: super::super::error::take_made

use super::super::error::{Error, Given};
use super::super::place::{PlaceId, Step};
use super::super::reading::{Guess, Kind, Untagged};
use super::state::{Change, State, UNKNOWN_FIELD};

/// A value or an alternative that was rejected while a value was read.
enum Rejected {
    Value(Error),
    /// The alternatives of an enum, of which none fits.
    Enum(String, Vec<Rejected>),
    /// An enum that is an alternative itself, after its alternatives.
    Inlined(String),
}

impl Rejected {
    /// Adds the errors of the alternatives, and the enums among them.
    fn add_to(self, errors: &mut Vec<Error>, inlined: &mut Vec<String>) {
        match self {
            Self::Value(error) => errors.push(error),
            Self::Inlined(name) => inlined.push(name),
            Self::Enum(_, alternatives) => {
                for rejected in alternatives {
                    rejected.add_to(errors, inlined);
                }
            }
        }
    }
}

impl State {
    /// Chooses the alternative that a place is given in this pass, and returns its place: the same for each element of
    /// a list. A place that is no enum without a tag is its own.
    pub(super) fn choose_alternative(&mut self, at: PlaceId) -> Result<PlaceId, Error> {
        let Some(names) = self.places[at].reading.alternatives() else { return Ok(at) };
        let name = match self.chosen(at) {
            Some(name) => {
                self.pass.chosen.push((at, name));
                name
            }
            None => self.choose(at, at, names).ok_or_else(|| self.reject(at))?,
        };
        self.enter(at, Step::Variant(name.to_owned()))
    }

    /// Returns the place of the alternative that was chosen in this pass.
    pub(super) fn alternative_at(&self, at: PlaceId) -> PlaceId {
        let alternatives = self.places[at].reading.alternatives();
        let chosen = alternatives.and_then(|_| self.places.variant(at, self.chosen(at)?));
        chosen.unwrap_or(at)
    }

    /// Returns the chosen alternatives: the enum, the index, and the place of the content.
    fn alternatives(&self) -> impl DoubleEndedIterator<Item = (PlaceId, usize, PlaceId)> {
        self.pass.chosen.iter().filter_map(|(at, chosen)| {
            let names = self.places[*at].reading.alternatives()?;
            let index = names.iter().position(|name| name == chosen)?;
            Some((*at, index, self.places.variant(*at, chosen)?))
        })
    }

    /// Returns the error of the alternative that was chosen, if an enum without a tag has rejected the value, or has
    /// read it as another alternative.
    pub(super) fn rejection(&mut self, failed: Option<&Error>, errors: Vec<Error>) -> Option<Error> {
        match failed {
            None if self.alternatives().next().is_none() => None,
            None => {
                let rejected = self.rejected(errors);
                self.misread_alternative(rejected)
            }
            Some(error) if error.untagged().is_some() => {
                let rejected = self.rejected(errors).pop()?;
                Some(self.error_of(rejected))
            }
            Some(_) => None,
        }
    }

    /// Returns whether the error of a pass can be of this place: only that of an alternative is of a place inside it.
    pub(super) fn can_reject(&self, place: PlaceId) -> bool {
        match self.pass.rejected {
            Some(rejected) => self.places.is_within(place, rejected),
            None => !self.alternatives().any(|(_, _, content)| self.places.is_within(place, content)),
        }
    }

    /// Sorts the errors of a pass: those of the alternatives of an enum are before that of the enum.
    fn rejected(&mut self, errors: Vec<Error>) -> Vec<Rejected> {
        let is_any_known = self.alternatives().next().is_some();
        let known = self.alternatives().filter_map(|(at, ..)| self.places[at].reading.buffered.untagged.clone());
        let known: Vec<Untagged> = known.collect();
        let mut inlined: Vec<_> = known.iter().flat_map(|untagged| untagged.inlined.clone()).collect();
        let mut rejected: Vec<Rejected> = Vec::new();
        let last = errors.len().saturating_sub(1);
        for (index, error) in errors.into_iter().enumerate() {
            let Some(name) = error.untagged() else {
                rejected.push(Rejected::Value(error));
                continue;
            };
            let of_name = known.iter().rev().find(|untagged| untagged.name == name);
            if let Some(index) = inlined.iter().position(|inlined| inlined == name) {
                inlined.remove(index);
                continue;
            }
            // The alternatives of an enum that is an alternative itself are those of the enum around it.
            if of_name.is_none() && !is_any_known && index != last {
                rejected.push(Rejected::Inlined(name.to_owned()));
                continue;
            }
            self.pass.has_unknown_enum |= of_name.is_none();
            let first = match of_name {
                Some(untagged) => rejected.len().saturating_sub(untagged.len),
                None => self.first_of_unknown(&rejected),
            };
            let alternatives = rejected.split_off(first);
            rejected.push(Rejected::Enum(name.to_owned(), alternatives));
        }
        rejected
    }

    /// Returns the index of the first error of an enum that is not known, if it has made the last one: those before it
    /// are of known enums that were read before, or quote what another place was given.
    fn first_of_unknown(&self, rejected: &[Rejected]) -> usize {
        let changed = self.focus.filter(|_| self.change != Change::Nothing);
        let quoted = rejected.iter().rev().find_map(|rejected| self.quoted(rejected));
        let is_of_other = |rejected: &Rejected| self.quoted(rejected).is_some_and(|place| Some(place) != quoted);
        let others = rejected.iter().rposition(is_of_other).map_or(0, |index| index + 1);
        let position = |at: PlaceId| self.pass.visited.iter().position(|visited| *visited == at);
        let own = changed.or(quoted).and_then(position);
        let is_before = |content: PlaceId| own.is_none_or(|own| position(content).is_none_or(|other| other < own));
        let before = self.alternatives().filter(|(_, _, content)| is_before(*content)).map(|(_, index, _)| index);
        before.sum::<usize>().max(others).min(rejected.len())
    }

    /// Returns the error of the alternative that was chosen.
    fn error_of(&mut self, rejected: Rejected) -> Error {
        let (name, alternatives) = match rejected {
            Rejected::Value(error) => return error,
            Rejected::Inlined(name) => return Error::Custom(name),
            Rejected::Enum(name, alternatives) => (name, alternatives),
        };
        // The place that the error is about: the one that was changed, or whose text it quotes.
        let changed = self.focus.filter(|_| self.change != Change::Nothing);
        let about = changed.or_else(|| alternatives.iter().find_map(|rejected| self.quoted(rejected)));
        let is_of = |at: PlaceId, content: PlaceId| {
            let untagged = self.places[at].reading.buffered.untagged.as_ref();
            untagged.is_some_and(|untagged| untagged.name == name && untagged.len == alternatives.len())
                && about.is_none_or(|place| self.places.is_within(place, content))
                && self.pass.rejected.is_none_or(|around| self.places.is_within(at, around))
        };
        let chosen = self.alternatives().rev().find(|(at, _, content)| is_of(*at, *content));
        if let Some((_, index, content)) = chosen {
            self.pass.rejected = Some(content);
            let error = alternatives.into_iter().nth(index).map(|rejected| self.error_of(rejected));
            return error.unwrap_or(Error::Stopped);
        }
        let (mut errors, mut inlined) = (Vec::new(), Vec::new());
        for rejected in alternatives {
            rejected.add_to(&mut errors, &mut inlined);
        }
        self.pass.has_unknown_enum = true;
        self.pass.mismatch = Some((Untagged { name: name.clone(), len: errors.len(), inlined }, errors));
        Error::Custom(name)
    }

    /// Returns the error of the chosen alternative, if a value was made of another one.
    fn misread_alternative(&mut self, rejected: Vec<Rejected>) -> Option<Error> {
        let rejected: Vec<_> = rejected.into_iter().filter(|rejected| self.is_of_alternative(rejected)).collect();
        let expected: usize = self.alternatives().map(|(_, index, _)| index).sum();
        if rejected.len() == expected {
            return None;
        }
        let is_done =
            |at: PlaceId| self.chosen(at).is_some_and(|name| self.places[at].reading.variants.done.contains(name));
        let is_focused = |at: PlaceId| self.focus.is_some_and(|focus| self.places.is_within(focus, at));
        let chosen: Vec<_> = self.alternatives().collect();
        let suspect = chosen.iter().position(|(_, _, content)| is_focused(*content));
        let suspect = suspect.or_else(|| chosen.iter().position(|(at, ..)| !is_done(*at))).unwrap_or_default();
        let before: usize = chosen.iter().take(suspect + 1).map(|(_, index, _)| index).sum();
        self.pass.rejected = chosen.get(suspect).map(|(_, _, content)| *content);
        if rejected.len() < expected {
            return Some(Error::Shadowed);
        }
        let error = rejected.into_iter().nth(before).map(|rejected| self.error_of(rejected));
        Some(error.unwrap_or(Error::Shadowed))
    }

    /// Returns whether an error can be an alternative's: not if it quotes what another place was given.
    fn is_of_alternative(&self, rejected: &Rejected) -> bool {
        let place = self.quoted(rejected);
        place.is_none_or(|place| self.alternatives().any(|(_, _, content)| self.places.is_within(place, content)))
    }

    /// Returns the place whose text an error quotes.
    fn quoted(&self, rejected: &Rejected) -> Option<PlaceId> {
        match rejected {
            Rejected::Value(Error::Unexpected { given: given @ Given::Text(_), .. }) => self.find_given(given),
            Rejected::Value(Error::UnknownVariant { given, .. }) => self.find_given(&Given::Text(given.clone())),
            _ => None,
        }
    }

    /// An enum without a tag has rejected a value, and there is one error for each alternative.
    pub(super) fn learn_mismatch(&mut self) -> bool {
        let Some((untagged, errors)) = self.pass.mismatch.take() else { return false };
        let given = errors.iter().find_map(|error| match error {
            Error::Unexpected { given, .. } => self.find_given(given),
            Error::UnknownVariant { given, .. } => self.find_given(&Given::Text(given.clone())),
            _ => None,
        });
        let map = || self.buffered_maps().first().copied();
        let Some(place) = given.or_else(map).or(self.pass.visited.last().copied()) else { return false };
        self.learn_alternatives(place, untagged, &errors)
    }

    /// Notes an enum without a tag. `false` if it is known already, or cannot be one.
    pub(super) fn learn_alternatives(&mut self, place: PlaceId, untagged: Untagged, errors: &[Error]) -> bool {
        let reading = &self.places[place].reading;
        let is_content = reading.kind.is_none();
        let is_known = reading.buffered.untagged.is_some() || reading.buffered.tag.is_some();
        if is_known || errors.is_empty() || !(is_content || reading.kind == Some(Kind::Buffered)) {
            return false;
        }
        let is_same = |outer: PlaceId| {
            let known = self.places[outer].reading.buffered.untagged.as_ref();
            known.is_some_and(|known| known.name == untagged.name)
        };
        if self.places.around(place).any(is_same) {
            // An enum inside itself.
            return self.leave_out(place);
        }
        self.places[place].reading.buffered.untagged = Some(untagged);
        let Some(names) = self.places[place].reading.alternatives() else {
            // There are too many.
            self.places[place].reading.buffered.untagged = None;
            return false;
        };
        for (name, error) in names.iter().zip(errors) {
            let Some(content) = self.places.enter(place, Step::Variant((*name).to_owned())) else { return false };
            let guess = match error {
                // Its fields are those beside the tag of the enum around it.
                _ if is_content => Some(Guess::Map),
                Error::Unexpected { expected, .. } => Guess::from_expected(expected),
                _ => None,
            };
            let has_own_rules = matches!(error, Error::Unexpected { .. }) && guess.is_none();
            let is_struct =
                is_content || matches!(error, Error::Unexpected { expected, .. } if expected.starts_with("struct"));
            let reading = &mut self.places[content].reading;
            reading.kind = Some(Kind::Buffered);
            reading.buffered.is_struct = is_struct;
            reading.buffered.has_own_rules = has_own_rules;
            reading.buffered.guess = guess.unwrap_or_default();
            if guess == Some(Guess::Map) {
                self.found_maps += 1;
                self.places[content].reading.buffered.became_map = self.found_maps;
            }
        }
        true
    }

    /// Gives up the alternatives of which no value was made, and enums of which that are all.
    pub(super) fn give_up_alternatives(&mut self) {
        for at in self.places.ids() {
            let reading = &mut self.places[at].reading;
            let Some(names) = reading.alternatives() else { continue };
            if reading.variants.done.is_empty() {
                reading.buffered.untagged = None;
                reading.variants.failed.clear();
            } else {
                let variants = &mut reading.variants;
                variants.failed.extend(names.iter().filter(|name| !variants.done.contains(**name)));
            }
        }
    }

    /// Another alternative has read the value. If that one rejects fields that it does not know, so may the one that was
    /// meant, and then its error names those that it has.
    pub(super) fn leave_out_alternative(&mut self) -> bool {
        let Some(content) = self.pass.rejected else { return false };
        let reading = &mut self.places[content].reading;
        if reading.buffered.guess == Guess::Map && reading.fields.names.is_empty() {
            reading.fields.names.push(UNKNOWN_FIELD.to_owned());
            return true;
        }
        reading.fields.names.retain(|name| name != UNKNOWN_FIELD);
        self.leave_out(content)
    }

    /// The alternative has named the fields that it has.
    pub(super) fn learn_declared(&mut self, expected: &[&str]) -> bool {
        let Some(content) = self.pass.rejected else { return false };
        let names = &mut self.places[content].reading.fields.names;
        let is_asked = names.iter().any(|name| name == UNKNOWN_FIELD);
        if is_asked {
            *names = expected.iter().map(|name| (*name).to_owned()).collect();
        }
        is_asked
    }
}
