//! Enums, and what is written or read instead of them.

use std::borrow::Cow;

use redis_keys_core::value_shape::{Content, Enum, Field, Shape, Struct, Variant};

use super::super::finding::{Cause, Outcome, Place};
use super::super::shown::{content_kind, quoted};
use super::Named;

impl Named<'_> {
    /// An enum is written, or read, or both.
    pub(super) fn choice(&mut self, at: &Place, written: &Shape, reader: &Shape) {
        match (written, reader) {
            (Shape::Enum(written), Shape::Enum(reader)) => {
                if written.tag == reader.tag && written.content == reader.content {
                    self.variants(at, written, reader);
                } else {
                    self.findings.add(at, Outcome::All, "the notation of the enum has changed");
                }
            }
            (Shape::Enum(written), Shape::Text) if written.tag.is_none() => self.enum_as_text(at, written),
            (Shape::Text | Shape::TextLike(_), Shape::Enum(reader)) if reader.tag.is_none() => {
                self.text_as_enum(at, reader);
            }
            // MessagePack reads variants by their numbers, too.
            (Shape::Number(number), Shape::Enum(reader))
                if !self.is_json && reader.tag.is_none() && !number.is_float() =>
            {
                let what = format!("`{}` is read as the number of a variant", number.name());
                self.findings.add(at, Outcome::Misread, what);
            }
            (Shape::Enum(Enum { tag: Some(tag), content: None, variants, .. }), Shape::Struct(reader)) => {
                self.tagged_as_struct(at, tag, variants, reader);
            }
            (Shape::Struct(written), Shape::Enum(Enum { tag: Some(tag), .. }))
                if !written.fields.iter().any(|field| field.name == *tag) =>
            {
                self.findings.add(at, Outcome::All, format!("the tag `{tag}` is not written"));
            }
            _ => self.differs(at, written, reader),
        }
    }

    fn variants(&mut self, at: &Place, written: &Enum, reader: &Enum) {
        let variants: Vec<_> = written.variants.iter().filter(|variant| variant.is_written).collect();
        let at = at.in_some_unless(variants.len() == 1);
        for variant in variants {
            match reader.variants.iter().find(|known| known.name == variant.name) {
                Some(known) => self.contents(&at.variant(&variant.name), variant, known, written),
                None => self.unknown_variant(&at, variant, reader),
            }
        }
    }

    fn unknown_variant(&mut self, at: &Place, variant: &Variant, reader: &Enum) {
        let name = &variant.name;
        // Only a variant without content is read as `#[serde(other)]` in each notation.
        if reader.reads_others && variant.content == Content::Unit {
            self.findings.add(at, Outcome::Notes, format!("the variant `{name}` is read as the variant for others"));
        } else {
            let cause = Cause::UnknownVariant(name.clone());
            self.findings.add_for(cause, at, Outcome::All, format!("the reader has no variant `{name}`"));
        }
    }

    /// Compares the content of a variant, whose notation depends on the enum.
    fn contents(&mut self, at: &Place, written: &Variant, reader: &Variant, of: &Enum) {
        if of.tag.is_some() && of.content.is_none() {
            return self.shape(at, &beside_tag(&written.content), &beside_tag(&reader.content));
        }
        match (&written.content, &reader.content) {
            (Content::Unit | Content::Newtype(Shape::Unit), Content::Unit) => {}
            // Without content there is no field for it, as without an optional value.
            (Content::Unit, Content::Newtype(Shape::Option(_))) if of.tag.is_some() => {}
            (Content::Unit, _) | (_, Content::Unit) => {
                let (written, reader) = (content_kind(&written.content), content_kind(&reader.content));
                self.findings.add(at, Outcome::All, format!("{written} is written, {reader} is expected"));
            }
            (written, reader) => self.shape(at, &as_shape(written), &as_shape(reader)),
        }
    }

    fn enum_as_text(&mut self, at: &Place, written: &Enum) {
        let at = at.in_some_unless(written.variants.len() == 1);
        for variant in written.variants.iter().filter(|variant| variant.is_written && variant.content != Content::Unit)
        {
            self.findings.add(&at.variant(&variant.name), Outcome::All, "it has content, text is expected");
        }
    }

    fn text_as_enum(&mut self, at: &Place, reader: &Enum) {
        if reader.reads_others && reader.variants.iter().all(|variant| variant.content == Content::Unit) {
            self.findings.add(at, Outcome::Notes, "texts that name no variant are read as the variant for others");
        } else {
            let units = reader.variants.iter().filter(|variant| variant.content == Content::Unit);
            let names = quoted(units.map(|variant| variant.name.as_str()));
            self.findings.add(at, Outcome::Some, format!("any text is written, only {names} can be read"));
        }
    }

    /// The tag is a field beside those of the variant.
    fn tagged_as_struct(&mut self, at: &Place, tag: &str, variants: &[Variant], reader: &Struct) {
        let at = at.in_some_unless(variants.len() == 1);
        for variant in variants.iter().filter(|variant| variant.is_written) {
            let shape = beside_tag(&variant.content);
            let Shape::Struct(fields) = &*shape else {
                self.findings.add(&at.variant(&variant.name), Outcome::Unsure, "the type is not known");
                continue;
            };
            let mut fields = fields.clone();
            fields.fields.push(Field::new(tag, Shape::Text));
            self.fields(&at, &fields, reader);
        }
    }
}

/// The content of a variant as the shape that is written for it.
pub(in super::super) fn as_shape(content: &Content) -> Cow<'_, Shape> {
    match content {
        Content::Unit => Cow::Owned(Shape::Unit),
        Content::Newtype(shape) => Cow::Borrowed(shape),
        Content::Tuple(items) => Cow::Owned(Shape::Tuple(items.clone())),
        Content::Struct(fields) => Cow::Owned(Shape::Struct(fields.clone())),
    }
}

/// The content of a variant whose tag is one of its fields.
fn beside_tag(content: &Content) -> Cow<'_, Shape> {
    match content {
        Content::Unit | Content::Newtype(Shape::Unit) => Cow::Owned(Shape::Struct(Struct::default())),
        content => as_shape(content),
    }
}
