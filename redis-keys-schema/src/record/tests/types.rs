//! The types of fields.

use super::*;

#[test]
fn options_are_recognised() {
    for ty in ["Option<u8>", "std::option::Option<u8>", "::core::option::Option<u8>", "Option<Vec<u8>>"] {
        assert_eq!(reads(("a", ty, "")).presence, Presence::Optional, "{ty}");
    }
    for ty in ["u8", "my::Option<u8>", "Vec<Option<u8>>", "Options<u8>", "Option"] {
        assert_eq!(reads(("a", ty, "")).presence, Presence::Mandatory, "{ty}");
    }
    assert_eq!(reads(("a", "PhantomData<T>", "")).presence, Presence::Phantom);
}

#[test]
fn a_record_owns_what_it_holds() {
    for (ty, instead) in [
        ("&str", "String"),
        ("&'a str", "String"),
        ("&'static mut str", "String"),
        ("&'a [u8]", "Vec<u8>"),
        ("&'a [u8; 4]", "[u8; 4]"),
        ("&'a&'b u64", "u64"),
        ("Option<&'a str>", "Option<String>"),
        ("Cow<'a, str>", "String"),
        ("std::borrow::Cow<'_, [u8]>", "Vec<u8>"),
        ("Option<Cow<'a, u64>>", "Option<u64>"),
    ] {
        reports(("a", ty, ""), &[(&format!("the type {ty}"), Rule::Record, &format!("write `{instead}`"))]);
    }
    let help = "write an owned type, as in `String`";
    for ty in ["Name<'a>", "Vec<&'a str>", "Option<Name<'_, u8>>", "Vec<Cow<'a, str>>"] {
        reports(("a", ty, "value = Json<X>"), &[(&format!("the type {ty}"), Rule::Record, help)]);
    }
    for ty in ["Name<'static>", "Cow<'static, str>", "Name<'a'>", "[u8; 'x']"] {
        reports(("a", ty, ""), &[]);
    }
}

#[test]
fn there_is_one_kind_of_nothing() {
    let reported = [("the type Option<Option<u8>>", Rule::Record, "write `Option<u8>`")];
    reports(("a", "Option<Option<u8>>", ""), &reported);
    reports(("a", "Option<Option<u8>>", "value = Json<Option<u8>>"), &[]);
    reports(("a", "Option<u8>", "value = Json<Option<u8>>"), &[("Option<u8>", Rule::StoredForm, "write `u8`")]);
    reports(("a", "Option<u8>", "value = Json<u8>"), &[]);
    reports(("a", "Option<u8>", "value = Mine<Option<u8>>"), &[]);
}

#[test]
fn a_stored_form_is_no_type_of_a_field() {
    let help = "write `#[redis_hash(value = Json<Mail>)]`, and `Mail` as the field's type";
    reports(("a", "Json<Mail>", ""), &[("the type Json<Mail>", Rule::StoredForm, help)]);
    reports(("a", "Option<Json<Mail>>", ""), &[("the type Option<Json<Mail>>", Rule::StoredForm, help)]);
    reports(("a", "other::Json<Mail>", ""), &[]);
}

#[test]
fn our_stored_forms_are_recognised() {
    reports(("a", "P", "value = json<P>"), &[("json", Rule::StoredForm, "write `Json`")]);
    reports(("a", "P", "value = Json"), &[("Json", Rule::StoredForm, "write `Json<Profile>`")]);
    reports(("a", "P", "value = my::Form"), &[]);
}
