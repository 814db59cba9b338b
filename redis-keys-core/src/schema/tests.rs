//! The literal form, and the lists.

use super::*;
use crate::limits::{DEFAULT_MAX_BYTES, LONGEST_TTL};

/// A schema with every option that its kind can have.
fn full(kind: Kind) -> Schema<String> {
    let text = |text: &str| text.to_owned();
    let parameters = [
        Parameter::new("user", "u64", true, ParameterForm::Shard(16)),
        Parameter::new("name", "&'a str", false, ParameterForm::Digest),
        Parameter::new("sort", "Vec<u8>", false, ParameterForm::Base32),
        Parameter::new("page", "String", false, ParameterForm::Slug(None)),
        Parameter::new("shop", "String", false, ParameterForm::Slug(Some(60))),
        Parameter::new("copy", "u32", false, ParameterForm::Copy(8)),
        Parameter { no_colon: true, ..Parameter::new("tag", "String", false, ParameterForm::Base32) },
        Parameter { no_colon: true, ..Parameter::new("word", "&str", true, ParameterForm::Plain) },
        Parameter::new("r#type", "my::Type<{ len(\"a\nb: c\") }>", false, ParameterForm::Plain),
    ];
    let mut schema = Schema::new("Name", "a:b:{c}:x", kind, &Parameters::from_iter(parameters));
    schema.expiry = Expiry::from_ms(86_400_000, 1);
    schema.renew = Some(Renew::Below(Duration::from_secs(60)));
    schema.ttl_from_end_of = Some(text("day"));
    schema.value = Some(text("Json<X>"));
    schema.docs = Some(text("It \"is\"\n\tso."));
    schema.legacy = Some(text("X:{c}"));
    schema.reason = Some(text("why"));
    schema.rebuild = Some(text("how"));
    schema.owner = Some(text("who"));
    schema.allowed = Allowances::from_iter([Allowance::new("overlap", "it\nis: so"), Allowance::new("long_word", "b")]);
    schema.file = text("src/a b.rs");
    schema.line = 7;
    schema.max_key_bytes = 100;
    schema
}

fn schemas() -> Vec<Schema<String>> {
    let second = Duration::from_secs(1);
    let mut schemas: Vec<_> = Kind::ALL.map(full).into();
    schemas.extend([Keep::Last(5), Keep::AboutLast(6)].map(|keep| Schema {
        keep: Some(keep),
        max_len: None,
        renew: Some(Renew::Read),
        max_member_bytes: Some(1),
        ..full(Kind::Stream)
    }));
    schemas.push(Schema { keep: Some(Keep::Top(7)), max_len: None, renew: Some(Renew::Write), ..full(Kind::ZSet) });
    schemas.push(Schema { max_len: Some(9), renew: None, field: Some("F".to_owned()), ..full(Kind::Hash) });
    schemas.extend(
        [
            (Kind::String, Role::Cache(CacheOptions::new(second, second, Some(80)))),
            (Kind::String, Role::Cache(CacheOptions::new(second, second, None))),
            (Kind::String, Role::Cache(CacheOptions::new(second, second, None).with_near(Some(second)))),
            (Kind::String, Role::Cache(CacheOptions::new(second, second, Some(80)).with_near(Some(second)))),
            (Kind::String, Role::Cache(CacheOptions::new(second, second, None).with_stale(Some(second)))),
            (Kind::String, Role::Cache(CacheOptions::new(second, second * 300, None).with_stale(Some(LONGEST_TTL)))),
            (Kind::String, Role::Lock),
            (Kind::String, Role::Limit(LimitOptions::new(100, second, 20))),
            (Kind::ZSet, Role::Jobs(JobOptions::new(second, 5))),
        ]
        .map(|(kind, role)| {
            let limits = Limits::usual(kind, Some(role), None);
            Schema { role: Some(role), max_bytes: limits.max_bytes, ..full(kind) }
        }),
    );
    let plain = Schema::new("", "", Kind::Bitmap, &Parameters::default());
    schemas.push(Schema { max_bytes: Some(1), ..plain.clone() });
    schemas.push(Schema { formerly: Some("X:{c}".to_owned()), ..plain.clone() });
    schemas.push(plain);
    schemas
}

#[test]
fn a_schema_equals_its_literal_form() {
    for schema in schemas() {
        let end_of = schema.ttl_from_end_of.as_deref().unwrap_or_default();
        let literals = (schema.key_literals(), schema.option_literals(), schema.role_literals());
        let built = Schema::from_literals(
            literals.0,
            literals.1,
            literals.2,
            end_of,
            schema.allowed_lines(),
            schema.legacy_literals(),
        );
        assert_eq!(built.into_owned(), schema);
        let texts = schema.to_texts();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert_eq!(Schema::from_texts(&texts), Some(schema));
        assert_eq!(Schema::from_texts(&texts[1..]), None);
    }
}

#[test]
fn a_value_lives_for_its_ttl_its_jitter_and_stale() {
    let seconds = Duration::from_secs;
    let mut schema = full(Kind::String);
    schema.expiry = Expiry::NEVER;
    assert_eq!(schema.longest_life(), None);
    schema.expiry = Expiry::new(seconds(10), seconds(2));
    assert_eq!(schema.longest_life(), Some(seconds(12)));
    let options = CacheOptions::new(seconds(1), seconds(1), None);
    schema.role = Some(Role::Cache(options));
    assert_eq!(schema.longest_life(), Some(seconds(12)));
    schema.role = Some(Role::Cache(options.with_stale(Some(seconds(30)))));
    assert_eq!(schema.longest_life(), Some(seconds(42)));
}

#[test]
fn usual_limits_are_not_printed() {
    let schema = Schema::new("", "", Kind::String, &Parameters::default());
    assert_eq!((schema.max_bytes, schema.option_literals()), (Some(DEFAULT_MAX_BYTES), Schema::NO_OPTIONS));
    assert_eq!(schema.role_literals(), Schema::NO_ROLE);
}

#[test]
fn the_name_of_an_allowed_lint_has_no_white_space() {
    let allowed = Allowances::from_iter([Allowance::new("a\n b", "c"), Allowance::new("d\r\ne: f", "")]);
    let again: Allowances<String> = allowed.as_str().iter().collect();
    assert_eq!((again.as_str().iter().count(), &again), (2, &allowed));
}

#[test]
fn lists_are_read_as_they_are_written() {
    let schema = full(Kind::String);
    let allowed: Vec<_> = schema.allowed.as_str().iter().map(|allowed| (allowed.lint, allowed.reason)).collect();
    assert_eq!(allowed, [("overlap", "it is: so"), ("long_word", "b")]);
    let parameters = schema.parameters.as_str();
    let names: Vec<_> = parameters.iter().map(|parameter| (parameter.name, parameter.type_name)).collect();
    let expected = [
        ("user", "u64"),
        ("name", "&'a str"),
        ("sort", "Vec<u8>"),
        ("page", "String"),
        ("shop", "String"),
        ("copy", "u32"),
        ("tag", "String"),
        ("word", "&str"),
        ("r#type", "my::Type<{ len(\"a b: c\") }>"),
    ];
    assert_eq!(names, expected);
    assert_eq!(parameters.get(5).map(|copy| (copy.form, copy.hash_tag)), Some((ParameterForm::Copy(8), false)));
    assert!(parameters.get(0).is_some_and(|user| user.hash_tag) && parameters.len() == 9 && !parameters.is_empty());
}
