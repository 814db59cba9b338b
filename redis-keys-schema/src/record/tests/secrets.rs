//! The lint `plain_secret` for fields.

use super::*;
use crate::tests::applied::Editable as _;
use crate::{Level, Lint};

/// Asserts the help for a field of a record, which avoids the warning when it is followed.
#[track_caller]
fn warns(field: (&str, &str, &str), expected: Option<&str>) {
    let item = item(&[ID, field]);
    let checked = check_record(&item, &Policy::default());
    assert_eq!(*checked.diagnostics, [], "{field:?}");
    let found: Vec<_> = checked.warnings.iter().map(|warning| (warning.lint, warning.suggestion.as_str())).collect();
    assert_eq!(found, expected.map(|help| (Lint::PlainSecret, help)).into_iter().collect::<Vec<_>>(), "{field:?}");
    for warning in checked.warnings {
        assert_eq!(warning.place, Place::Field(1));
        let edited = check_record(&item.edited(&warning.edits), &Policy::default());
        assert!(edited.warnings.is_empty() && edited.diagnostics.is_empty(), "{warning}\n{edited:?}");
    }
}

#[test]
fn fields_of_records_are_secrets_by_their_names() {
    let add = |ty: &str| format!("add `#[redis_hash(value = Secret<{ty}>)]`");
    for name in ["password", "api_key", "refresh_token", "card_number", "apiKey", "tokens"] {
        warns((name, "String", ""), Some(&add("String")));
    }
    warns(("secret", "Option<Vec<u8>>", ""), Some(&add("Vec<u8>")));
    warns(("token", "String", "rename = \"t\""), Some(&add("String")));
    warns(("token", "Token", "default, value = Json<Token>"), Some("write `Secret<Json<Token>>`"));
    warns(("otp", "u32", ""), Some(&add("u32")));
    for (name, ty) in [
        ("token_count", "u64"),
        ("tokens", "u64"),
        ("has_password", "bool"),
        ("otp_sent_at", "u64"),
        ("password_hash", "String"),
        ("secretary", "String"),
        ("session_id", "String"),
        ("token", "PhantomData<T>"),
    ] {
        let item = item(&[ID, (name, ty, "")]);
        assert_eq!(check_record(&item, &Policy::default()).warnings, [], "{name}: {ty}");
    }
    warns(("token", "String", "value = Secret<String>"), None);
}

#[test]
fn fields_of_records_opt_out_with_a_reason() {
    warns(("token", "String", "allow(plain_secret, reason = \"public\")"), None);
    warns(("token", "String", "rename = t, allow(plain_secret, reason = \"public\"), default"), None);
    let record = item(&[ID, ("name", "String", "default, allow(plain_secret, reason = \"x\")")]);
    let place = Place::FieldAttribute(1, 0, 15..27);
    let unneeded = "unused `allow(plain_secret)`: the lint does not fire for this field";
    assert_eq!(
        check_record(&record, &Policy::default()).warnings,
        [Warning::new(Lint::UnneededAllow, place, unneeded, "remove it")]
    );
}

#[test]
fn the_policy_sets_the_level_of_fields_of_records() {
    for level in [Level::Allow, Level::Deny] {
        let mut policy = Policy::default();
        policy.lints.set(Lint::PlainSecret, level);
        let warnings = check_record(&item(&[ID, ("token", "String", "")]), &policy).warnings;
        let levels: Vec<_> = warnings.iter().map(|warning| warning.level).collect();
        assert_eq!(levels, if level == Level::Deny { vec![level] } else { vec![] });
    }
}
