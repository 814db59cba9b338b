//! What the attributes of a field say.

use std::time::Duration;

use super::assignment::{Assignment, split};
use super::{AttributeOf, Presence, RecordField, field_type, habit, names};
use crate::Rule;
use crate::diagnostic::{Diagnostic, Place};
use crate::item::Field;
use crate::limits::LONGEST_TTL;
use crate::options::{StoredForm, read_length};
use crate::piece::Piece;
use crate::suggest::{list, nearest};

/// An option of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// `rename = "mail"`
    Rename,
    /// `default`
    Default,
    /// `value = Json<Address>`
    Value,
    /// `ttl = 10m`
    Ttl,
}

impl Name {
    pub(super) const ALL: [Self; 4] = [Self::Rename, Self::Default, Self::Value, Self::Ttl];

    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Rename => "rename",
            Self::Default => "default",
            Self::Value => "value",
            Self::Ttl => "ttl",
        }
    }

    pub(super) fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|name| name.text() == text)
    }

    /// How it is written, with a value that fits.
    pub(super) const fn example(self) -> &'static str {
        match self {
            Self::Rename => "rename = \"…\"",
            Self::Default => "default",
            Self::Value => "value = Json<Address>",
            Self::Ttl => "ttl = 10m",
        }
    }
}

/// Reads a field and its attributes.
pub(super) fn read(number: usize, field: &Field<'_>, diagnostics: &mut Vec<Diagnostic>) -> RecordField {
    let optional = field_type::payload(field.ty).is_some();
    let presence = match (field.phantom, optional) {
        (true, _) => Presence::Phantom,
        (false, true) => Presence::Optional,
        (false, false) => Presence::Mandatory,
    };
    let constant = if field.phantom { String::new() } else { names::constant(&field.name) };
    let stored = field.name.clone();
    let mut reader = Reader {
        field,
        given: [false; 4],
        read: RecordField { stored, constant, presence, ..RecordField::default() },
        expires: None,
        diagnostics,
    };
    for (attribute, text) in field.attributes.iter().enumerate() {
        let of = AttributeOf { field: Some(number), number: attribute };
        let examples = "rename = \"…\"";
        for assignment in split(text, of, examples, reader.diagnostics) {
            reader.option(assignment, of);
        }
    }
    reader.finish(number)
}

struct Reader<'r, 't> {
    field: &'r Field<'t>,
    /// Whether each option was given.
    given: [bool; 4],
    read: RecordField,
    /// Where it is said that the field expires.
    expires: Option<Place>,
    diagnostics: &'r mut Vec<Diagnostic>,
}

impl<'t> Reader<'_, 't> {
    fn option(&mut self, assignment: Assignment<'t>, of: AttributeOf) {
        let place = of.place(assignment.name.range());
        if self.field.phantom {
            let message = "a `PhantomData` is not stored, so that there is nothing to say of it";
            self.tell(Diagnostic::new(of.whole(), Rule::Declaration, message).help("remove the attribute"));
            return;
        }
        let Some(name) = Name::from_text(assignment.name.text) else {
            let (meant, diagnostic) = unknown(assignment, self.field);
            if let Some(meant) = meant {
                self.mark(meant, &place);
            }
            self.tell(Diagnostic { place, ..diagnostic });
            return;
        };
        if self.mark(name, &place) {
            let message = format!("`{}` is given twice", name.text());
            self.tell(Diagnostic::new(place, Rule::Declaration, message).help("keep one of them"));
            return;
        }
        let value = assignment.value.map(Piece::bare).filter(|value| !value.is_empty());
        match (name, value) {
            (Name::Default, None) if assignment.value.is_none() => self.default(place),
            (Name::Default, value) => {
                let place = value.map_or(place, |value| of.place(value.range()));
                let message = "`default` takes no value: a missing field becomes its type's `Default`";
                self.tell(Diagnostic::new(place, Rule::Declaration, message).help("write `default`"));
            }
            // An empty text in quotes is a name, of a kind.
            (Name::Rename, None) if assignment.value.is_some_and(|value| !value.is_empty()) => {
                let empty = assignment.value.unwrap_or(assignment.name);
                self.rename(Piece { text: "", ..empty }, of.place(empty.range()));
            }
            (_, None) => {
                let message = format!("`{}` has no value", name.text());
                let help = format!("write `{}`", name.example());
                self.tell(Diagnostic::new(place, Rule::Declaration, message).help(help));
            }
            (Name::Rename, Some(value)) => self.rename(value, of.place(value.range())),
            (Name::Value, Some(value)) => self.value(value, of),
            (Name::Ttl, Some(value)) => self.ttl(value, of),
        }
    }

    fn tell(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Takes note that an option was given or meant. Tells whether it was already.
    fn mark(&mut self, name: Name, place: &Place) -> bool {
        if name == Name::Default && self.read.presence == Presence::Mandatory {
            self.read.presence = Presence::Default;
        }
        if name == Name::Ttl {
            self.expires.get_or_insert(place.clone());
        }
        self.given.get_mut(name as usize).is_some_and(|given| std::mem::replace(given, true))
    }

    fn default(&mut self, place: Place) {
        if self.read.presence == Presence::Optional {
            let message = "an `Option` is `None` where the field is missing, without `default`";
            self.tell(Diagnostic::new(place, Rule::Declaration, message).help("remove it"));
        }
    }

    fn rename(&mut self, value: Piece<'_>, place: Place) {
        match names::fault(value.text) {
            None => {
                value.text.clone_into(&mut self.read.stored);
                self.read.rename = Some(place);
            }
            Some((message, help)) => self.tell(Diagnostic::new(place, Rule::Record, message).help(help)),
        }
    }

    fn value(&mut self, value: Piece<'_>, of: AttributeOf) {
        let mut told = Vec::new();
        let form = StoredForm::parse(value, &mut told);
        self.diagnostics.extend(told.into_iter().map(|diagnostic| of.placed(diagnostic)));
        let Some(form) = form else { return };
        if let Some(diagnostic) = field_type::form_of_an_option(self.field, value, &form) {
            self.tell(of.placed(diagnostic));
        }
        self.read.value = Some((of.number, form));
    }

    fn ttl(&mut self, value: Piece<'_>, of: AttributeOf) {
        if value.text == "never" {
            let message = "a field stays as long as its key, unless it says how long";
            self.tell(Diagnostic::new(of.place(value.range()), Rule::Expiry, message).help("remove the `ttl`"));
            return;
        }
        let mut told = Vec::new();
        let ttl = read_length(value, Rule::Expiry, &mut told);
        self.diagnostics.extend(told.into_iter().map(|diagnostic| of.placed(diagnostic)));
        if ttl.is_some_and(|ttl| ttl > LONGEST_TTL) {
            let message = format!("`{}` is longer than ten years, which is as good as never", value.text);
            self.tell(Diagnostic::new(of.place(value.range()), Rule::Expiry, message).help("remove the `ttl`"));
        }
        self.read.ttl = ttl.filter(|ttl| *ttl <= LONGEST_TTL && *ttl > Duration::ZERO);
    }

    fn finish(mut self, number: usize) -> RecordField {
        if self.field.phantom {
            return self.read;
        }
        if let Some(place) = self.expires.take()
            && self.read.presence == Presence::Mandatory
        {
            let Field { name, ty, .. } = self.field;
            let message = format!("a field that expires goes missing by itself, and `{name}` is mandatory");
            let help = format!("write `{name}: Option<{ty}>`, or add `default`");
            self.tell(Diagnostic::new(place, Rule::Expiry, message).help(help));
        }
        if let Some(diagnostic) =
            field_type::refusal(number, self.field, self.given.get(Name::Value as usize).is_some_and(|given| *given))
        {
            self.tell(diagnostic);
        }
        self.read
    }
}

/// Nobody's name for an option: what it is like, or which there are.
fn unknown(assignment: Assignment<'_>, field: &Field<'_>) -> (Option<Name>, Diagnostic) {
    let word = assignment.name.text;
    if let Some(translated) = habit::translate(assignment, field) {
        return translated;
    }
    let meant = nearest(word, Name::ALL.map(Name::text));
    let range = assignment.name.range();
    let diagnostic = match meant {
        Some(meant) => {
            Diagnostic::at(range, Rule::Declaration, format!("there is no option `{word}`: did you mean `{meant}`?"))
                .help(format!("write `{meant}`"))
        }
        None => Diagnostic::at(range, Rule::Declaration, format!("a record's field has no option `{word}`"))
            .help(format!("the options are {}", list(Name::ALL.map(Name::text), "and"))),
    };
    (meant.and_then(Name::from_text), diagnostic)
}
