//! Templates from the keys of well-known programs, and properties of any keys.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on")]

use std::collections::BTreeMap;

use redis_keys_tests::corpus::{FIRST, SECOND, GeneratedKey, KeyFormat, keys};

use super::*;

/// What was planted: by template and type, the number of keys.
type Templates = BTreeMap<(String, &'static str), u64>;

fn look<'k>(formats: &[KeyFormat], generated: &'k GeneratedKey) -> FirstLook<'k> {
    let format = &formats[generated.format];
    let number = generated.key.bytes().fold(7_u64, |sum, byte| sum * 31 % 1_000_003 + u64::from(byte));
    FirstLook {
        key: generated.key.as_bytes(),
        declaration: None,
        redis_type: RedisType::named(&format.kind),
        expiry: format.ttl_ms.map_or(Expiry::Never, |ttl| Expiry::In(number % ttl)),
        memory: Some(56 + number % 900),
    }
}

/// The figures of an inference.
#[derive(Debug, Default)]
struct Score {
    templates: usize,
    right_templates: usize,
    keys: u64,
    right_keys: u64,
    missing: Vec<String>,
    invented: Vec<String>,
}

fn score(formats: &[KeyFormat], keys: &[GeneratedKey], found: &[InferredTemplate]) -> Score {
    let mut planted = Templates::new();
    for generated in keys {
        let format = &formats[generated.format];
        *planted.entry((format.template(), RedisType::named(&format.kind).name())).or_default() += 1;
    }
    let mut inferred = Templates::new();
    for template in found {
        let text = template.parts.iter().map(|part| match part {
            Part::Text(text) => text.replace('{', "{{").replace('}', "}}"),
            Part::Parameter(_) => "{}".to_owned(),
        });
        *inferred.entry((text.collect(), template.redis_type.name())).or_default() += template.keys;
    }
    let mut score = Score { templates: planted.len(), keys: keys.len() as u64, ..Score::default() };
    for (template, count) in &planted {
        let found = inferred.get(template).copied().unwrap_or_default();
        if found == *count {
            score.right_templates += 1;
        } else {
            score.missing.push(format!("{} {}: {found} of {count}", template.1, template.0));
        }
        score.right_keys += found.min(*count);
    }
    let invented = inferred.iter().filter(|(template, _)| !planted.contains_key(template));
    score.invented = invented.map(|((text, kind), count)| format!("{kind} {text}: {count}")).collect();
    score
}

fn shown(name: &str, score: &Score) {
    let share = |part: u64, whole: u64| 100.0 * part as f64 / whole as f64;
    println!(
        "{name}: {} of {} templates ({:.1} %), {} of {} keys ({:.1} %)",
        score.right_templates,
        score.templates,
        share(score.right_templates as u64, score.templates as u64),
        score.right_keys,
        score.keys,
        share(score.right_keys, score.keys)
    );
    score.missing.iter().for_each(|line| println!("  missing  {line}"));
    score.invented.iter().for_each(|line| println!("  invented {line}"));
}

#[test]
fn templates_of_known_programs() {
    let both = format!("{FIRST}{SECOND}");
    for (name, list) in [("first half", FIRST), ("second half", SECOND), ("both", &both)] {
        let formats = KeyFormat::read(list);
        for count in [1_000, 10_000, 100_000] {
            let keys = keys(&formats, count, 1);
            let mut learner = Learner::default();
            keys.iter().for_each(|generated| learner.add(&look(&formats, generated)));
            let score = score(&formats, &keys, &learner.templates());
            shown(&format!("{name}, {count}"), &score);
        }
    }
}
