//! Stored names and constants.

use super::*;

#[test]
fn a_field_is_stored_under_its_name() {
    let read = reads(("email", "String", ""));
    assert_eq!((read.stored.as_str(), read.constant.as_str()), ("email", "EMAIL"));
    let read = reads(("email", "String", "rename = \"e-mail:v2\""));
    assert_eq!((read.stored.as_str(), read.constant.as_str()), ("e-mail:v2", "EMAIL"));
    assert_eq!(reads(("email", "String", "rename = mail")).stored, "mail");
    assert_eq!(reads(("email", "String", "rename = r#\"a\"b\"#")).stored, "a\"b");
}

#[test]
fn constants_are_upper_case() {
    for (field, constant) in [
        ("user_id", "USER_ID"),
        ("userId", "USER_ID"),
        ("type", "TYPE"),
        ("_hidden", "HIDDEN"),
        ("x1", "X1"),
        ("_1", "_1"),
        ("__", "__"),
        ("größe", "GRÖSSE"),
        ("名", "名"),
    ] {
        assert_eq!(super::super::field::constant_of(field), constant);
    }
}

#[test]
fn a_stored_name_is_a_word() {
    let long = format!("rename = \"{}\"", "a".repeat(65));
    let most = format!("rename = \"{}\"", "a".repeat(64));
    for (attribute, underlined, help) in [
        ("rename = \"\"", "\"\"", "write a name, or remove `rename`"),
        ("rename = \"e mail\"", "e mail", "write `e_mail`"),
        ("rename = \"e\tmail\"", "e\tmail", "write `e_mail`"),
        ("rename = \"e\u{7}\"", "e\u{7}", "write `e`"),
        ("rename = \"\u{7}\"", "\u{7}", "write a name of letters"),
        ("rename = \"e\\nmail\"", "e\\nmail", "write `e_nmail`"),
        (&long, &long[10..75], "write a shorter name: each stored record repeats it"),
    ] {
        reports(("email", "String", attribute), &[(underlined, Rule::Record, help)]);
    }
    assert_eq!(reads(("email", "String", &most)).stored.len(), 64);
    let long = "a".repeat(65);
    let place = format!("the field {long}");
    let help = "add `#[redis_hash(rename = \"…\")]` with a shorter name";
    reports((&long, "String", ""), &[(&place, Rule::Record, help)]);
    assert_eq!(reads((&long, "String", "rename = a")).stored, "a");
}

#[test]
fn no_two_fields_have_one_name() {
    let fields = [ID, ("email", "String", "rename = \"mail\""), ("post", "String", "rename = \"mail\"")];
    item_reports(&item(&fields), &[("mail", Rule::Record, "write another name")]);
    let help = "add `#[redis_hash(rename = \"…\")]` to one of them";
    let fields = [ID, ("email", "String", "rename = \"mail\""), ("mail", "String", "")];
    item_reports(&item(&fields), &[("the field mail", Rule::Record, help)]);
    item_reports(&item(&[ID, ("a", "u8", "rename = b"), ("b", "u8", "rename = a")]), &[]);
    item_reports(&item(&[("of", "PhantomData<T>", ""), ("x", "u8", "rename = of")]), &[]);
}

#[test]
fn no_two_fields_have_one_constant() {
    let fields = [("aB", "u8", ""), ("a_b", "u8", "")];
    item_reports(&item(&fields), &[("the field a_b", Rule::Record, "rename one of the fields")]);
}
