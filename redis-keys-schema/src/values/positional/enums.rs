//! Enums, whose variants Postcard numbers.

use redis_keys_core::value_shape::{Content, Enum, Variant};

use super::super::finding::{Cause, Outcome};
use super::super::named::as_shape;
use super::{Position, Positional};

impl Positional<'_> {
    /// Compares the variants, and returns whether the enums have the same notation.
    pub(super) fn variants(&mut self, at: &Position, written: &Enum, reader: &Enum) -> bool {
        // A tag beside the content is written as the number of the variant, but it is not read as such.
        let has_numbers = (written.tag.is_some() == written.content.is_some()) && reader.tag.is_none();
        if !has_numbers {
            return written == reader;
        }
        let (sources, targets) = (numbered(written), numbered(reader));
        let at = if sources.len() == 1 { at.clone() } else { at.in_some() };
        for (index, source) in sources.iter().enumerate() {
            match targets.get(index) {
                Some(target) if target.name == source.name => self.contents(&at, source, target),
                Some(target) => {
                    let has = |variants: &[&Variant], name: &str| variants.iter().any(|variant| variant.name == name);
                    let is_moved = has(&sources, &target.name) || has(&targets, &source.name);
                    self.other_name(&at, source, target, is_moved);
                }
                None => self.unknown_number(&at, source, reader),
            }
        }
        true
    }

    fn contents(&mut self, at: &Position, source: &Variant, target: &Variant) {
        let at = Position { place: at.place.variant(&source.name), ..*at };
        self.shape(&at, &as_shape(&source.content), &as_shape(&target.content));
    }

    /// Another variant has this number.
    fn other_name(&mut self, at: &Position, source: &Variant, target: &Variant, is_moved: bool) {
        let (from, to) = (&source.name, &target.name);
        if is_moved || source.content != target.content {
            self.add(at, Outcome::Misread, format!("the variant `{from}` is read as `{to}`"));
        } else {
            self.add(at, Outcome::Notes, format!("the variant `{from}` is called `{to}` by the reader"));
        }
    }

    fn unknown_number(&mut self, at: &Position, source: &Variant, reader: &Enum) {
        let name = &source.name;
        match (reader.reads_others, &source.content) {
            (true, Content::Unit) => {
                self.add(at, Outcome::Notes, format!("the variant `{name}` is read as the variant for others"));
            }
            (true, _) => {
                let what = format!("the variant `{name}` is read as the variant for others, without its content");
                self.add(at, Outcome::Misread, what);
            }
            (false, _) => {
                let cause = Cause::UnknownVariant(name.clone());
                let what = format!("the reader has no variant `{name}`");
                self.findings.add_for(cause, &at.place, Outcome::All, what);
            }
        }
    }
}

/// The variants in the order of their numbers. Aliases have none.
fn numbered(of: &Enum) -> Vec<&Variant> {
    of.variants.iter().filter(|variant| variant.is_written).collect()
}
