//! Values without a name that tells their alternatives apart: `untagged`.

use redis_keys_core::value_shape::{Shape, Written};

use super::super::finding::{Finding, Findings, Outcome, Place, outcome};
use super::Named;

impl Named<'_> {
    /// Each alternative is in some values.
    pub(super) fn written_as_one_of(&mut self, at: &Place, shapes: &[Shape], reader: &Shape) {
        let at = at.in_some_unless(shapes.len() == 1);
        for shape in shapes {
            for finding in self.findings_of(&at, shape, reader) {
                if !self.findings.0.contains(&finding) {
                    self.findings.push(&at, finding);
                }
            }
        }
    }

    /// The reader takes the first alternative that fits, so a value is lost only if it fits none.
    pub(super) fn read_as_one_of(&mut self, at: &Place, written: &Shape, shapes: &[Shape]) {
        if *written == Shape::Unknown && shapes.contains(written) {
            return self.findings.add_not_known(at);
        }
        // What all values of an alternative do is of interest, even if the place is only in some.
        let tries = shapes.iter().map(|reader| (reader, self.findings_of(&at.in_each(), written, reader)));
        let tries: Vec<_> = tries.collect();
        let best = tries.iter().min_by_key(|(_, findings)| (outcome(findings), findings.len()));
        let Some((reader, findings)) = best else {
            return self.findings.add(at, Outcome::All, "the reader has no alternatives");
        };
        let closer = |(other, findings): &&(&Shape, Vec<Finding>)| {
            outcome(findings) > Outcome::Unsure && names_in_common(written, other) > names_in_common(written, reader)
        };
        // The alternative that was meant fails, and another one ignores what it does not know.
        if outcome(findings) == Outcome::Notes
            && let Some((_, failed)) = tries.iter().find(closer)
        {
            let what = failed.iter().find(|finding| finding.outcome > Outcome::Unsure);
            let what = what.map_or("", |finding| &finding.what);
            return self.findings.add(at, Outcome::Misread, format!("read as another alternative: {what}"));
        }
        for finding in findings {
            self.findings.push(at, finding.clone());
        }
    }

    fn findings_of(&self, at: &Place, written: &Shape, reader: &Shape) -> Vec<Finding> {
        let mut findings = Findings::default();
        Named { is_json: self.is_json, findings: &mut findings }.shape(at, written, reader);
        findings.0
    }
}

/// The number of written fields that the reader has as well.
fn names_in_common(written: &Shape, reader: &Shape) -> usize {
    let (Shape::Struct(written), Shape::Struct(reader)) = (written, reader) else { return 0 };
    let is_read = |name: &str| reader.fields.iter().any(|field| field.name == name);
    written.fields.iter().filter(|field| field.written != Written::Never && is_read(&field.name)).count()
}
