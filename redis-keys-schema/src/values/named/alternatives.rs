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
        let first = tries.iter().find(|(_, findings)| outcome(findings) <= Outcome::Notes);
        let best = first.or(tries.iter().min_by_key(|(_, findings)| (outcome(findings), findings.len())));
        let Some((reader, findings)) = best else {
            return self.findings.add(at, Outcome::All, "the reader has no alternatives");
        };
        let common = names_in_common(written, reader);
        let is_meant = |other: &Shape, found: &[Finding]| {
            outcome(found) > Outcome::Unsure && names_in_common(written, other) > common
        };
        let meant = tries.iter().find(|(other, found)| is_meant(other, found));
        if let (Shape::Struct(_), Some((_, failed)), Outcome::Notes | Outcome::Unsure) =
            (reader, meant, outcome(findings))
        {
            return self.read_as_another(at, failed, outcome(findings));
        }
        for finding in findings {
            self.findings.push(at, finding.clone());
        }
    }

    /// The alternative that was meant fails, and another one leaves out what it does not know.
    fn read_as_another(&mut self, at: &Place, failed: &[Finding], read: Outcome) {
        let outcome = if read == Outcome::Notes { Outcome::Misread } else { Outcome::All };
        for finding in failed.iter().filter(|finding| finding.outcome > Outcome::Unsure) {
            let what = format!("read as another alternative: {}", finding.what);
            self.findings.push(at, Finding { outcome, what, ..finding.clone() });
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
