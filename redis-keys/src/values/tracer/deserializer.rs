//! The deserializer that notes what a type asks for, and answers.

mod accesses;

use std::any::type_name;

use redis_keys_core::value_shape::Number;
use serde::de::{Deserializer, Visitor};

use self::accesses::{Choice, Elements, Entries, Fields, Tagged};
use super::super::candidates::{BYTES, Extreme, NUMBERS, TEXTS};
use super::super::error::{Error, Given};
use super::super::place::{PlaceId, Step};
use super::super::reading::{Guess, Kind, Leaf};
use super::Tracer;
use super::state::{Change, Mode, State};

/// A value that is read: one place of the whole.
#[derive(Clone, Copy)]
pub(super) struct Recorder<'t> {
    tracer: &'t Tracer,
    at: PlaceId,
}

impl<'t> Recorder<'t> {
    /// The whole value.
    pub(super) fn new(tracer: &'t Tracer) -> Self {
        Self { tracer, at: PlaceId::ROOT }
    }

    fn with<R>(&self, act: impl FnOnce(&mut State) -> R) -> R {
        act(&mut self.tracer.state.borrow_mut())
    }

    fn enter(&self, step: Step) -> Result<Self, Error> {
        Ok(Self { at: self.with(|state| state.enter(self.at, step))?, ..*self })
    }

    /// Returns the place of the alternative that is given, if the place has several.
    fn alternative(&self) -> Result<Self, Error> {
        Ok(Self { at: self.with(|state| state.choose_alternative(self.at))?, ..*self })
    }

    fn ask(&self, kind: Kind) -> Result<(), Error> {
        self.with(|state| state.ask(self.at, kind))
    }

    /// Answers for a value without parts.
    fn leaf<R>(&self, leaf: Leaf, visit: impl FnOnce(Answer) -> Result<R, Error>) -> Result<R, Error> {
        let answer = self.with(|state| state.answer(self.at, leaf))?;
        let result = visit(answer);
        self.with(|state| {
            if result.is_ok() {
                state.pass.visited.push(self.at);
            } else if !answer.is_random {
                state.pass.blamed.get_or_insert(self.at);
            }
        });
        result
    }

    /// Answers for a number, of which a type has none below `lowest` or above `highest`.
    fn number<R>(
        &self,
        number: Number,
        (lowest, highest): (i128, i128),
        visit: impl FnOnce(i128) -> Result<R, Error>,
    ) -> Result<R, Error> {
        self.leaf(Leaf::Number(number), |answer| {
            let value = self.with(|state| state.number(self.at, answer, lowest, highest));
            visit(value)
        })
    }

    fn text(&self, answer: Answer) -> String {
        self.with(|state| state.text(answer))
    }

    fn bytes(answer: Answer) -> &'static [u8] {
        BYTES.get(answer.candidate).copied().unwrap_or_default()
    }

    /// Opens a type that can contain itself, and returns its place.
    ///
    /// If it does, the place is the one of the type around it, of which the shortest value is given. It ends the pass as
    /// long as it is not known which value is short.
    fn open<V>(&self, kind: Kind) -> Result<(Self, Open<'t>), Error> {
        self.with(|state| {
            let visitor = type_name::<V>();
            let outer = state.pass.open.iter().rev().find(|(open, _)| *open == visitor).map(|(_, outer)| *outer);
            if let Some(outer) = outer {
                state.places[self.at].reading.kind = Some(Kind::Recursive(outer));
                if !state.recurses || state.pass.nested > 0 {
                    return Err(state.reject(self.at));
                }
                state.pass.nested += 1;
            }
            let at = outer.unwrap_or(self.at);
            state.ask(at, kind)?;
            state.pass.open.push((visitor, at));
            Ok((Self { at, ..*self }, Open { tracer: self.tracer, is_nested: outer.is_some() }))
        })
    }

    /// Returns the elements of a list, or the entries of a map.
    fn len(&self, most: usize) -> usize {
        self.with(|state| match state.is_left_empty(self.at) {
            true => 0,
            false if state.mode == Mode::Random => 1 + state.draw_index(most),
            false => 1,
        })
    }

    fn tuple(&self, len: usize) -> Elements<'t> {
        Elements { list: *self, left: len, index: Some(0) }
    }

    fn fields(&self, names: Vec<String>) -> Fields<'t> {
        let mut names = self.with(|state| state.given_fields(self.at, names));
        names.reverse();
        Fields { of: *self, left: names, name: String::new() }
    }

    /// Returns the fields of a struct whose names are known.
    fn declared_fields(&self, names: &[&'static str]) -> Fields<'t> {
        let names = self.with(|state| {
            let fields = &state.places[self.at].reading.fields;
            let mut names: Vec<_> = names.iter().filter(|name| !fields.aliases.contains_key(**name)).collect();
            // No value is given after one of which none is known.
            let is_opaque = |name: &str| {
                let place = state.places.field(self.at, name);
                place.is_some_and(|place| state.places.has_opaque(place))
            };
            names.sort_by_key(|name| (is_opaque(name), !fields.first.contains(*name)));
            names.into_iter().map(|name| (*name).to_owned()).collect()
        });
        self.fields(names)
    }

    /// Returns the fields of a map that serde buffers, as far as they are known.
    fn buffered_fields(&self) -> Fields<'t> {
        let names = self.with(|state| {
            state.pass.visited.push(self.at);
            state.places[self.at].reading.fields.names.clone()
        });
        self.fields(names)
    }

    /// Answers with the tag of an enum and the fields of the chosen variant.
    fn tagged<'de, V: Visitor<'de>>(
        &self,
        tag: &str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let Some(variant) = self.with(|state| state.choose(self.at, self.at, variants)) else {
            return Err(self.with(|state| state.reject(self.at)));
        };
        let content = self.enter(Step::Variant(variant.to_owned()))?.alternative()?;
        visitor.visit_map(Tagged {
            tag: Some(tag.to_owned()),
            is_at_tag: false,
            variant,
            fields: content.buffered_fields(),
        })
    }

    /// Answers with a kind of value where the value is buffered.
    fn buffered<'de, V: Visitor<'de>>(&self, guess: Guess, visitor: V) -> Result<V::Value, Error> {
        match guess {
            Guess::Text => visitor.visit_str(&self.with(|state| state.buffered_text(self.at))),
            Guess::Number => visitor.visit_u64(self.with(|state| state.buffered_number(self.at))),
            Guess::Float => visitor.visit_f64(1.5),
            Guess::Bool => visitor.visit_bool(true),
            Guess::Unit => visitor.visit_unit(),
            Guess::List => {
                let left = self.len(3);
                visitor.visit_seq(Elements { list: *self, left, index: None })
            }
            Guess::Tuple(len) => visitor.visit_seq(self.tuple(len)),
            Guess::Map => match self.with(|state| state.places[self.at].reading.buffered.tag.clone()) {
                Some((tag, variants)) => self.tagged(&tag, variants, visitor),
                None => visitor.visit_map(self.buffered_fields()),
            },
        }
    }
}

/// A type that is being read.
struct Open<'t> {
    tracer: &'t Tracer,
    /// Whether it is inside another value of the type.
    is_nested: bool,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        let pass = &mut self.tracer.state.borrow_mut().pass;
        pass.open.pop();
        if self.is_nested {
            pass.nested -= 1;
        }
    }
}

/// Which value a place is given.
#[derive(Clone, Copy)]
pub(super) struct Answer {
    candidate: usize,
    extreme: Option<Extreme>,
    is_random: bool,
}

impl State {
    /// Chooses the answer for a value without parts.
    fn answer(&mut self, at: PlaceId, leaf: Leaf) -> Result<Answer, Error> {
        self.ask(at, Kind::Leaf(leaf))?;
        let reading = &self.places[at].reading;
        if reading.is_opaque {
            return Err(self.reject(at));
        }
        let is_free = reading.candidate == 0 && reading.rejects.is_empty();
        let mut answer =
            Answer { candidate: reading.candidate, extreme: None, is_random: self.mode == Mode::Random && is_free };
        match self.change {
            Change::Candidate(place, candidate) if place == at => answer.candidate = candidate,
            Change::Extreme(place, extreme) if place == at => answer.extreme = Some(extreme),
            _ => {}
        }
        Ok(answer)
    }

    fn number(&mut self, at: PlaceId, answer: Answer, lowest: i128, highest: i128) -> i128 {
        let number = match answer.extreme {
            Some(Extreme::Negative) => -1,
            Some(Extreme::Largest) => highest,
            None if answer.is_random => self.random_number(lowest, highest),
            None => {
                let named = answer.candidate.checked_sub(NUMBERS.len());
                let named = named.and_then(|index| self.places[at].reading.named_numbers.get(index));
                named.or(NUMBERS.get(answer.candidate)).copied().unwrap_or_default().into()
            }
        };
        number.clamp(lowest, highest)
    }

    fn random_number(&mut self, lowest: i128, highest: i128) -> i128 {
        let below = |most: u64| u64::try_from(highest).unwrap_or(most).min(most);
        let number = match self.draw(4) {
            0 => self.draw(10).into(),
            1 => self.draw(below(1 << 16)).into(),
            2 => highest - i128::from(self.draw(3)),
            _ => self.draw(below(1 << 40)).into(),
        };
        if lowest < 0 && self.draw(2) == 0 { -number } else { number }
    }

    fn text(&mut self, answer: Answer) -> String {
        if !answer.is_random {
            return TEXTS.get(answer.candidate).copied().unwrap_or_default().to_owned();
        }
        match self.draw(4) {
            0 => String::new(),
            1 => self.draw(1_000).to_string(),
            2 => "Ada".to_owned(),
            _ => format!("text {}", self.draw(1 << 20)),
        }
    }

    /// Returns a text that no other place is given, so that an error that quotes it names the place.
    fn buffered_text(&mut self, at: PlaceId) -> String {
        let reading = &self.places[at].reading;
        let text = match reading.candidate.checked_sub(1) {
            None => format!("guess{}", at.number()),
            Some(index) => {
                let texts = if reading.named_texts.is_empty() { &TEXTS[..] } else { &reading.named_texts };
                texts.get(index).copied().unwrap_or_default().to_owned()
            }
        };
        self.pass.given.push((at, Given::Text(text.clone())));
        text
    }

    /// Returns a number that few other places are given.
    fn buffered_number(&mut self, at: PlaceId) -> u64 {
        let reading = &self.places[at].reading;
        let number = match reading.candidate.checked_sub(1) {
            None => at.number() as u64 % 100,
            Some(index) => {
                let named = index.checked_sub(NUMBERS.len()).and_then(|index| reading.named_numbers.get(index));
                named.or(NUMBERS.get(index)).copied().unwrap_or_default()
            }
        };
        self.pass.given.push((at, Given::Number(number)));
        number
    }

    /// Returns the kind of value that a buffered place is given in this pass.
    fn buffered_guess(&mut self, at: PlaceId) -> Guess {
        match self.change {
            Change::Guess(place, guess) if place == at => guess,
            _ => self.places[at].reading.buffered.guess,
        }
    }
}

/// The integers of serde, each with its range.
macro_rules! integers {
    ($($method:ident $visit:ident $type:ident $number:ident;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let range = (i128::try_from($type::MIN).unwrap_or(i128::MIN), i128::try_from($type::MAX).unwrap_or(i128::MAX));
            self.number(Number::$number, range, |number| visitor.$visit(number.try_into().unwrap_or_default()))
        }
    )*};
}

impl<'de> Deserializer<'de> for Recorder<'_> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        self.tracer.is_human_readable
    }

    integers! {
        deserialize_u8 visit_u8 u8 U8;
        deserialize_u16 visit_u16 u16 U16;
        deserialize_u32 visit_u32 u32 U32;
        deserialize_u64 visit_u64 u64 U64;
        deserialize_u128 visit_u128 u128 U128;
        deserialize_i8 visit_i8 i8 I8;
        deserialize_i16 visit_i16 i16 I16;
        deserialize_i32 visit_i32 i32 I32;
        deserialize_i64 visit_i64 i64 I64;
        deserialize_i128 visit_i128 i128 I128;
    }

    #[allow(clippy::cast_precision_loss, reason = "the numbers have fewer digits")]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.number(Number::F32, (-(1 << 20), 1 << 20), |number| visitor.visit_f32(number as f32 / 4.0))
    }

    #[allow(clippy::cast_precision_loss, reason = "the numbers have fewer digits")]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.number(Number::F64, (-(1 << 40), 1 << 40), |number| visitor.visit_f64(number as f64 / 10.0))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.leaf(Leaf::Bool, |answer| {
            let is_true = if answer.is_random { self.with(|state| state.draw(2) == 0) } else { answer.candidate == 0 };
            visitor.visit_bool(is_true)
        })
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.leaf(Leaf::Char, |answer| {
            let index = if answer.is_random { self.with(|state| state.draw(3)) } else { 0 };
            visitor.visit_char(match index {
                0 => 'a',
                1 => 'é',
                _ => '7',
            })
        })
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.leaf(Leaf::Text, |answer| visitor.visit_str(&self.text(answer)))
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.leaf(Leaf::Text, |answer| visitor.visit_string(self.text(answer)))
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.leaf(Leaf::Bytes, |answer| visitor.visit_bytes(Self::bytes(answer)))
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.leaf(Leaf::Bytes, |answer| visitor.visit_byte_buf(Self::bytes(answer).to_vec()))
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.leaf(Leaf::Unit, |_| visitor.visit_unit())
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        // The tag of an enum: the error names its variants.
        self.leaf(Leaf::Identifier, |_| visitor.visit_str(&self.with(|state| state.buffered_text(self.at))))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.ask(Kind::Option)?;
        if self.with(|state| state.is_left_empty(self.at)) {
            return visitor.visit_none();
        }
        visitor.visit_some(self.enter(Step::Some)?)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value, Error> {
        // All formats write it as its only field: it is the same place.
        let (own, _open) = self.open::<V>(Kind::Newtype)?;
        visitor.visit_newtype_struct(own)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.ask(Kind::List)?;
        let left = self.len(3);
        visitor.visit_seq(Elements { list: self, left, index: None })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        self.ask(Kind::Tuple(len))?;
        visitor.visit_seq(self.tuple(len))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let (own, _open) = self.open::<V>(Kind::Tuple(len))?;
        visitor.visit_seq(own.tuple(len))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        // The derive asks for a map if a field has `flatten`.
        if type_name::<V>().contains("::deserialize::__Visitor") {
            let (own, _open) = self.open::<V>(Kind::Flattened)?;
            return visitor.visit_map(own.buffered_fields());
        }
        self.ask(Kind::Map)?;
        visitor.visit_map(Entries { map: self, left: self.len(2) })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let (own, _open) = self.open::<V>(Kind::Struct(fields))?;
        visitor.visit_map(own.declared_fields(fields))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let (own, _open) = self.open::<V>(Kind::Enum(variants))?;
        if own.with(|state| state.change == Change::UnknownVariant(own.at)) {
            return visitor.visit_enum(Choice { of: own, variant: None });
        }
        // The content of such an enum is the field beside its tag.
        let is_adjacent = type_name::<V>().contains("AdjacentlyTaggedEnumVariant");
        let chosen = own.with(|state| {
            let outer = state.places.outer(own.at).map(|(outer, _)| outer).filter(|_| is_adjacent);
            if let Some(outer) = outer {
                state.places[outer].reading.fields.is_adjacent = true;
            }
            state.choose(own.at, outer.unwrap_or(own.at), variants).ok_or_else(|| state.reject(own.at))
        });
        visitor.visit_enum(Choice { of: own, variant: Some(chosen?) })
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let own = self.alternative()?;
        own.ask(Kind::Buffered)?;
        if own.with(|state| state.places[own.at].reading.is_opaque) {
            return Err(own.with(|state| state.reject(own.at)));
        }
        if type_name::<V>().contains("TaggedContentVisitor") {
            own.with(|state| state.places[own.at].reading.buffered.guess = Guess::Map);
        }
        own.with(|state| state.pass.visited.push(own.at));
        let result = own.buffered(own.with(|state| state.buffered_guess(own.at)), visitor);
        if result.is_err() {
            own.with(|state| {
                state.pass.blamed.get_or_insert(own.at);
            });
        }
        result
    }
}
