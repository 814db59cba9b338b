//! Predictions beside observations, and how many agree.

use redis_keys::stored::{Json, MessagePack, Postcard, Stored};
use redis_keys::values::{Traced, shape_of};
use redis_keys_core::value_shape::{Codec, Form};
use redis_keys_schema::values::{Outcome, outcome, read};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::observed::{Observed, Texts, difference};

/// The values of each type that are stored.
const VALUES: u64 = 250;

/// How many predictions are right.
#[derive(Debug, Default)]
pub(crate) struct Checks {
    changes: usize,
    judged: usize,
    /// The prediction and the observation agree whether values are lost.
    right: usize,
    /// Predicted to be read, and lost.
    unsafe_predictions: Vec<String>,
    /// Predicted to be lost, and read.
    too_strict: Vec<String>,
    /// Predicted as an error, and misread.
    understated: Vec<String>,
    /// Predicted as not known, and lost.
    unsure: Vec<String>,
    /// Predicted to be lost in the program that writes them.
    unread: Vec<String>,
}

/// A value type of serde.
pub(crate) trait Value: Serialize + DeserializeOwned {}

impl<T: Serialize + DeserializeOwned> Value for T {}

impl Checks {
    /// Checks a change in each codec and in both directions, with more values as JSON.
    pub(crate) fn change<A: Value, B: Value>(&mut self, name: &str, texts: [Texts; 3], also: &[&str]) {
        self.changes += 1;
        let [json, message_pack, postcard] = texts;
        self.in_form::<A, B, Json<A>, Json<B>>(name, Codec::Json, json, also);
        self.in_form::<A, B, MessagePack<A>, MessagePack<B>>(name, Codec::MessagePack, message_pack, also);
        self.in_form::<A, B, Postcard<A>, Postcard<B>>(name, Codec::Postcard(1), postcard, also);
    }

    fn in_form<A: Value, B: Value, F, G>(&mut self, name: &str, codec: Codec, texts: Texts, also: &[&str])
    where
        F: Stored<Input = A, Output = A>,
        G: Stored<Input = B, Output = B>,
    {
        let is_text = codec == Codec::Json;
        let (old, new) = (shape_of::<A>(is_text), shape_of::<B>(is_text));
        let (old_form, new_form) = (Form::Serde(codec, old.shape.clone()), Form::Serde(codec, new.shape.clone()));
        self.reads_itself(&format!("{name} {codec:?} old"), &old_form);
        self.reads_itself(&format!("{name} {codec:?} new"), &new_form);
        self.judge(
            &format!("{name} {codec:?} old to new"),
            &old_form,
            &new_form,
            &observe::<A, B, F, G>(&old, texts, also),
        );
        self.judge(
            &format!("{name} {codec:?} new to old"),
            &new_form,
            &old_form,
            &observe::<B, A, G, F>(&new, texts, also),
        );
    }

    /// Each type of the changes reads its own values, unless the format cannot read them at all.
    fn reads_itself(&mut self, name: &str, form: &Form) {
        let findings = read(form, form);
        if outcome(&findings) > Outcome::Unsure && !matches!(form, Form::Serde(Codec::Postcard(_), _)) {
            self.unread.push(format!("{name}: {form}\n   {findings:?}"));
        }
    }

    /// Compares a prediction with what happened.
    pub(crate) fn judge(&mut self, name: &str, written: &Form, reader: &Form, observed: &Observed) {
        let Some(actual) = observed.outcome() else { return };
        let findings = read(written, reader);
        let predicted = outcome(&findings);
        self.judged += 1;
        let is_lost = |outcome| outcome > Outcome::Unsure;
        if is_lost(predicted) == is_lost(actual) {
            self.right += 1;
        }
        let text = || {
            let Observed { stored, failed, misread } = observed;
            let example = misread.first().map(|(written, read)| format!(", {written} as {read}")).unwrap_or_default();
            let what = findings.iter().map(|finding| format!("{}: {}", finding.place, finding.what));
            let what = what.collect::<Vec<_>>().join("; ");
            let happened = format!("{failed} of {stored} fail, {} are misread{example}", misread.len());
            let forms = format!("{written}\n   {reader}").replace("\n  ", " ");
            format!("{name}: predicted {predicted:?}, observed {actual:?} ({happened})\n   {what}\n   {forms}")
        };
        match (predicted, actual) {
            (Outcome::Reads | Outcome::Notes, actual) if is_lost(actual) => self.unsafe_predictions.push(text()),
            (predicted, actual) if is_lost(predicted) && !is_lost(actual) => self.too_strict.push(text()),
            (Outcome::Some | Outcome::All, Outcome::Misread) => self.understated.push(text()),
            (Outcome::Unsure, actual) if is_lost(actual) => self.unsure.push(text()),
            _ => {}
        }
    }

    /// Prints the figures. Nothing may be unsafe, and only some predictions may be wrong.
    pub(crate) fn finish(&self, name: &str, changes: usize, wrong: usize) {
        let Self { judged, right, unsafe_predictions, too_strict, understated, unsure, unread, .. } = self;
        println!("{name}: {} changes, {judged} checks, {right} right", self.changes);
        let kinds = [
            ("unsafe", unsafe_predictions),
            ("understated", understated),
            ("too strict", too_strict),
            ("lost and not known", unsure),
            ("not read by the same program", unread),
        ];
        for (kind, texts) in kinds {
            println!("{} {kind}", texts.len());
            for text in texts {
                println!("  {text}");
            }
        }
        assert_eq!((self.changes, unsafe_predictions.len(), understated.len(), unread.len()), (changes, 0, 0, 0));
        assert!(right + wrong >= *judged, "{right} of {judged} are right");
    }
}

/// Stores values of one type, and reads them as the other.
fn observe<A: Value, B: Value, F, G>(traced: &Traced, texts: Texts, also: &[&str]) -> Observed
where
    F: Stored<Input = A>,
    G: Stored<Output = B>,
{
    let mut observed = Observed::default();
    let random = (1..VALUES).filter_map(|seed| traced.random::<A>(seed));
    // Those of the other type do not have to be of this one.
    let by_hand = also.iter().filter_map(|text| serde_json::from_str(text).ok());
    for value in random.chain(by_hand) {
        observed.add::<F, G>(&value, |read| difference(&value, read, texts));
    }
    observed
}

/// Pairs of types with the name `V`, and types and implementations that only the new one needs. `texts` is for changes
/// after which another text is meant: in JSON, `MessagePack` and Postcard. `also` has values as JSON, which the tracer does
/// not make.
macro_rules! changes {
    ($($(#[texts($json:ident, $message_pack:ident, $postcard:ident)])? $(#[also($($also:literal),*)])? $name:ident { $($old:item)* } { $($new:item)* } $({ $($helper:item)* })?)*) => {
        $(mod $name {
            pub(super) mod old {
                #[allow(unused_imports, reason = "few types need them all")]
                use crate::types::*;

                $(#[derive(Serialize, Deserialize)] $old)*
            }
            pub(super) mod new {
                #[allow(unused_imports, reason = "few types need them all")]
                use crate::types::*;

                $(#[derive(Serialize, Deserialize)] $new)*
                $($($helper)*)?
            }
        })*

        pub(crate) fn run(checks: &mut crate::checks::Checks) {
            #[allow(unused_imports, reason = "changes need it seldom")]
            use crate::observed::Texts::{Other, Same};
            $(
                #[allow(unused_mut, unused_assignments, reason = "changes need it seldom")]
                let mut texts = [Same; 3];
                $(texts = [$json, $message_pack, $postcard];)?
                checks.change::<$name::old::V, $name::new::V>(stringify!($name), texts, &[$($($also),*)?]);
            )*
        }
    };
}
