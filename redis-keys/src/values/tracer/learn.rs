//! Learns from the error of a pass what to give in the next one.

use std::collections::BTreeSet;

use super::super::error::{Error, Given};
use super::super::place::{PlaceId, Step};
use super::super::reading::{Guess, Kind, LeftEmpty};
use super::state::State;

/// How many of the last values are tried anew if the type rejects a value as a whole.
const SUSPECTS: usize = 8;

/// The most fields of the same name inside each other that errors lead to: they do not say which struct lacks one.
const MOST_LEVELS: usize = 2;

/// Whether a place is opaque, why it is left empty, and its variants that cannot be made.
pub(super) type GivenUp = (bool, Option<LeftEmpty>, BTreeSet<&'static str>);

impl State {
    /// Learns from a failed pass. `false` if nothing is left to try.
    pub(super) fn learn(&mut self, error: Error) -> bool {
        let is_learned = match &error {
            Error::DuplicateField(name) => return self.learn_alias(name),
            Error::MissingField(name) => self.learn_field(name),
            Error::UnknownVariant { given, variants } => self.learn_variants(given, variants),
            Error::Unexpected { given, expected } => self.learn_kind(given, expected),
            Error::Custom(message) => {
                self.note_numbers(message);
                self.learn_mismatch()
            }
            Error::Shadowed => return self.leave_out_alternative(),
            Error::UnknownField { expected } => self.learn_declared(expected),
            Error::Stopped | Error::Panicked => false,
        };
        self.last_error = Some(error);
        is_learned || self.try_next_candidate()
    }

    /// A field was given twice: its last name is an alias, or the one before it is.
    fn learn_alias(&mut self, name: &'static str) -> bool {
        let Some((place, key)) = self.pass.key.clone() else { return false };
        let fields = &mut self.places[place].reading.fields;
        if key == name {
            // Give the name first: then the alias is the last.
            fields.first.insert(name)
        } else {
            fields.aliases.insert(key, name).is_none()
        }
    }

    /// A struct that serde buffers lacks a field.
    fn learn_field(&mut self, name: &'static str) -> bool {
        let maps = self.buffered_maps();
        let lacking = maps.into_iter().filter(|place| self.can_reject(*place)).find(|place| {
            let names = &self.places[*place].reading.fields.names;
            !names.iter().any(|known| known == name) && self.levels_of(*place, name) < MOST_LEVELS
        });
        let Some(place) = lacking else { return false };
        self.places[place].reading.fields.names.push(name.to_owned());
        true
    }

    /// Returns how many fields of this name are around a place.
    fn levels_of(&self, place: PlaceId, name: &str) -> usize {
        let around = std::iter::once(place).chain(self.places.around(place));
        let steps = around.filter_map(|place| self.places.outer(place));
        steps.filter(|(_, step)| matches!(step, Step::Field(field) if field == name)).count()
    }

    /// Returns the buffered maps of this pass that can lack a field: those that were found last, then from the innermost.
    pub(super) fn buffered_maps(&self) -> Vec<PlaceId> {
        let Some(last) = self.pass.visited.last() else { return Vec::new() };
        let given = self.pass.given.iter().map(|(place, _)| *place);
        let mut around: Vec<_> = [*last].into_iter().chain(self.places.around(*last)).collect();
        around.extend(given);
        if let Some(rejected) = self.pass.rejected {
            // A map without fields can be anywhere before.
            around.extend(self.pass.visited.iter().filter(|place| self.places.is_within(**place, rejected)));
        }
        let mut maps: Vec<_> = around.into_iter().filter(|at| self.places[*at].reading.is_buffered_map()).collect();
        maps.sort_by_key(|place| std::cmp::Reverse(self.places[*place].reading.buffered.became_map));
        maps.into_iter().filter_map(|place| self.fields_of(place)).collect()
    }

    /// Returns the place of the fields: the variant's, if the map is an enum.
    fn fields_of(&self, map: PlaceId) -> Option<PlaceId> {
        match self.places[map].reading.buffered.tag {
            Some(_) => self.places.variant(map, self.chosen(map)?),
            None => Some(map),
        }
    }

    /// A buffered value is an enum: its place is the tag of the map around it, or it is a text itself.
    fn learn_variants(&mut self, given: &str, variants: &'static [&'static str]) -> bool {
        let Some(place) = self.find_given(&Given::Text(given.to_owned())) else { return false };
        let Some((map, Step::Field(tag))) = self.places.outer(place) else {
            return self.learn_texts(place, variants.to_vec());
        };
        let (tag, reading) = (tag.clone(), &self.places[map].reading);
        if reading.kind != Some(Kind::Buffered) || reading.buffered.tag.is_some() || reading.buffered.is_struct {
            return self.learn_texts(place, variants.to_vec());
        }
        if let Some(outer) = self.find_tagged(map, variants) {
            // An enum inside itself: only a variant without another can end that.
            self.places[map].reading.buffered.recursive = Some(outer);
            let simple = self.places[outer].reading.variants.simple.iter().copied().collect();
            return self.learn_texts(place, simple) || self.leave_out(map);
        }
        let reading = &mut self.places[map].reading;
        reading.fields.names.retain(|name| *name != tag);
        reading.buffered.tag = Some((tag, variants));
        true
    }

    /// A buffered value is one of these texts. `false` if it is known already.
    fn learn_texts(&mut self, place: PlaceId, texts: Vec<&'static str>) -> bool {
        let reading = &mut self.places[place].reading;
        let is_new = !texts.is_empty() && reading.named_texts.is_empty();
        if is_new {
            reading.candidate = 1;
            reading.named_texts = texts;
        }
        is_new
    }

    /// Returns the enum with these variants around a map.
    fn find_tagged(&self, map: PlaceId, variants: &[&str]) -> Option<PlaceId> {
        let tag = |place: PlaceId| self.places[place].reading.buffered.tag.as_ref();
        self.places.around(map).find(|outer| tag(*outer).is_some_and(|(_, of)| *of == variants))
    }

    /// A buffered value must be of another kind.
    fn learn_kind(&mut self, given: &Given, expected: &str) -> bool {
        let blamed = self.pass.blamed.filter(|at| self.places[*at].reading.kind == Some(Kind::Buffered));
        let Some(place) = self.find_given(given).or(blamed) else { return false };
        self.pass.blamed = Some(place);
        let Some(guess) = Guess::from_expected(expected) else { return false };
        let buffered = &mut self.places[place].reading.buffered;
        buffered.is_struct |= expected.starts_with("struct");
        if guess == buffered.guess || buffered.tag.is_some() || buffered.tried.contains(&guess) {
            return false;
        }
        buffered.guess = guess;
        if guess == Guess::Map {
            self.found_maps += 1;
            buffered.became_map = self.found_maps;
        }
        self.places[place].reading.candidate = 0;
        true
    }

    /// Returns the buffered place that was given this in the pass.
    pub(super) fn find_given(&self, value: &Given) -> Option<PlaceId> {
        match value {
            Given::Length => {
                let is_list = |place: &PlaceId| self.places[*place].reading.buffered.guess == Guess::List;
                self.pass.given.iter().map(|(place, _)| *place).rev().find(is_list)
            }
            Given::Other => None,
            value => self.pass.given.iter().rev().find(|(_, given)| given == value).map(|(place, _)| *place),
        }
    }

    /// An error can name the numbers that the type accepts.
    fn note_numbers(&mut self, message: &str) {
        let Some(place) = self.pass.blamed.or(self.pass.visited.last().copied()) else { return };
        let reading = &mut self.places[place].reading;
        if reading.named_numbers.is_empty() {
            let numbers = message.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok());
            reading.named_numbers = numbers.filter(|number| *number > 0).take(16).collect();
        }
    }

    /// Gives the next candidate at the place of the mistake, or leaves out what is around it.
    fn try_next_candidate(&mut self) -> bool {
        if let Some(place) = self.pass.blamed {
            return self.places[place].reading.next_candidate() || self.leave_out(place);
        }
        // The type rejects the value as a whole, for example by `try_from`. Any of its parts can be the reason.
        let visited = self.pass.visited.iter().rev().copied();
        let mut suspects: Vec<_> = visited.filter(|place| self.can_reject(*place)).take(SUSPECTS).collect();
        suspects.dedup();
        for place in &suspects {
            let reading = &mut self.places[*place].reading;
            if reading.is_innocent {
                continue;
            }
            let guess = reading.buffered.guess;
            if reading.next_candidate() {
                return true;
            }
            reading.is_innocent = true;
            reading.candidate = 0;
            reading.buffered.guess = guess;
        }
        suspects.first().is_some_and(|last| self.leave_out(*last))
    }

    /// Leaves out the nearest option, list, map or variant around a place of which no value is known.
    pub(super) fn leave_out(&mut self, place: PlaceId) -> bool {
        let is_recursive = self.places[place].reading.is_recursive();
        let is_new = !is_recursive && place != PlaceId::ROOT && !self.places[place].reading.is_opaque;
        self.places[place].reading.is_opaque = !is_recursive;
        if is_new && self.has_unknown_sibling(place) {
            // The next pass asks for it last, and so for all others.
            return true;
        }
        let mut at = place;
        while let Some((outer, step)) = self.places.outer(at) {
            let step = step.clone();
            let reading = &mut self.places[outer].reading;
            let is_left_out = match step {
                Step::Some | Step::Item | Step::Key | Step::Value if reading.left_empty.is_some() => false,
                Step::Some | Step::Item | Step::Key | Step::Value => {
                    reading.left_empty = Some(if is_recursive { LeftEmpty::Recursive } else { LeftEmpty::Opaque });
                    true
                }
                Step::Variant(name) => self.fail_variant(outer, &name, is_recursive),
                Step::Inner | Step::Index(_) | Step::Field(_) => false,
            };
            if is_left_out {
                return true;
            }
            at = outer;
        }
        // Nothing can be left out, but the next pass asks for all other fields first.
        is_new
    }

    /// Returns whether a struct around a place has a field that the type has not asked for yet.
    fn has_unknown_sibling(&self, place: PlaceId) -> bool {
        let mut at = place;
        while let Some((outer, Step::Field(_) | Step::Inner | Step::Index(_))) = self.places.outer(at) {
            if let Some(Kind::Struct(names)) = self.places[outer].reading.kind
                && names.iter().any(|name| self.places.field(outer, name).is_none())
            {
                return true;
            }
            at = outer;
        }
        false
    }

    /// Gives up a variant. `false` if none is left.
    fn fail_variant(&mut self, outer: PlaceId, name: &str, is_recursive: bool) -> bool {
        // The tag of an enum with its content beside it is a place of its own.
        let tag = match self.places[outer].reading.kind {
            Some(Kind::Struct([tag, _])) if self.places[outer].reading.fields.is_adjacent => {
                self.places.field(outer, tag).unwrap_or(outer)
            }
            _ => outer,
        };
        let reading = &mut self.places[tag].reading;
        let Some(names) = reading.variant_names() else { return false };
        let Some(name) = names.iter().find(|known| **known == name) else { return false };
        if is_recursive {
            reading.variants.postponed.insert(name);
        }
        let failed = &mut reading.variants.failed;
        failed.insert(name) && names.iter().any(|name| !failed.contains(name))
    }

    /// Returns what is given up at each place.
    pub(super) fn given_up(&self) -> Vec<GivenUp> {
        let readings = self.places.ids().map(|place| &self.places[place].reading);
        readings.map(|reading| (reading.is_opaque, reading.left_empty, reading.variants.failed.clone())).collect()
    }

    /// Takes back what was given up since.
    pub(super) fn restore(&mut self, given_up: Vec<GivenUp>) {
        for (place, (is_opaque, left_empty, failed)) in self.places.ids().zip(given_up) {
            let reading = &mut self.places[place].reading;
            reading.is_opaque = is_opaque;
            reading.left_empty = left_empty;
            reading.variants.failed = failed;
        }
    }

    /// From now on a type can contain itself, once. `false` if no type needs that.
    pub(super) fn give_postponed(&mut self) -> bool {
        self.recurses = true;
        let mut is_any = false;
        for place in self.places.ids() {
            let reading = &mut self.places[place].reading;
            let variants = &mut reading.variants;
            variants.simple.clone_from(&variants.done);
            let is_postponed = reading.left_empty == Some(LeftEmpty::Recursive);
            is_any |= is_postponed || !variants.postponed.is_empty();
            for name in std::mem::take(&mut variants.postponed) {
                variants.failed.remove(name);
            }
            if is_postponed {
                reading.left_empty = None;
            }
        }
        is_any
    }
}
