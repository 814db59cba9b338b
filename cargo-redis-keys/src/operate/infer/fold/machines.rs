//! Names of machines: `web-1` and `worker-12`.

use std::collections::BTreeMap;

use super::Place;
use super::label::{content, separator, text_label};
use super::node::Node;
use crate::operate::infer::mask::{MARK, form, is_weak, split};
use crate::operate::infer::thresholds::machine_digits;

/// Purposes of machines. A purpose shows that the other names are machines too.
const PURPOSES: &str = "api app backend cache cron db frontend host node proxy server web worker";

impl Node {
    /// Joins names with small numbers that go on alike, if one name is a machine's.
    pub(super) fn join_machines(&mut self, place: Place) {
        let mut groups = BTreeMap::<String, Vec<String>>::new();
        for (label, child) in &self.children {
            // Modules have such names as well.
            if let Some((start, name)) = machine(label, child)
                && (place != Place::Modules || !start.is_empty())
            {
                groups.entry(format!("{start}{}", text_label(separator(name)))).or_default().push(label.clone());
            }
        }
        for (text, mut labels) in groups {
            let of_purpose = labels.iter().filter_map(|label| self.children.get(label).filter(|_| has_purpose(label)));
            let Some(shapes) = of_purpose.map(|node| node.shapes(false)).next() else { continue };
            labels.retain(|label| self.children.get(label).is_some_and(|child| child.shapes(false) == shapes));
            if labels.len() > 1 {
                self.join(&text, &labels);
            }
        }
    }
}

/// The text before the name of a machine and the name, without its number.
fn machine<'l>(label: &'l str, node: &Node) -> Option<(&'l str, &'l str)> {
    let text = name_of(label).filter(|text| !text.contains(MARK))?;
    let (_, longest) = node.lengths?;
    // The label without its mark, and the digits.
    let digits = (u64::from(longest) + 2).saturating_sub(label.len() as u64);
    let name = split(text, is_weak).last().filter(|name| !content(name).is_empty())?;
    (digits <= machine_digits()).then_some((text.strip_suffix(name)?, name))
}

/// A label without the number at its end.
fn name_of(label: &str) -> Option<&str> {
    Some(label.strip_suffix(form::INTEGER)?.strip_suffix(MARK)?.trim_end_matches(['-', '.']))
}

fn has_purpose(label: &str) -> bool {
    let name = name_of(label).and_then(|name| split(name, is_weak).last()).map(content);
    PURPOSES.split_whitespace().any(|purpose| Some(purpose) == name)
}
