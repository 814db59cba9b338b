//! Any text in an attribute or a type: no panic, and messages with a place and a suggestion.

use proptest::prelude::*;

use super::*;

#[rustfmt::skip]
const CRUMBS: [&str; 56] = [
    "rename", "default", "value", "ttl", "crate", "name", "with", "skip", "flatten", "json", "alias", "rename_all",
    "expire", "defualt", "id", "mail", ",", ", ", ",,", " ", "\n", "=", " = ", "==", "=>", "<", ">", "(", ")", "[", "]",
    "{", "}", "\"", "r#\"", "\"#", "r#", "'", "\\", "#", "%", "::", ".", "é", "名", "\"mail\"", "\"\"", "\"e mail\"",
    "Json<P>", "Option<", "Zstd<", "never", "1h", "3600", "1.5h", "99999999999999999999w",
];

#[rustfmt::skip]
const TYPES: [&str; 15] = [
    "u64", "Option<u64>", "Option<Option<u64>>", "Option<", "Option<>", "&", "&'a", "&'a str", "&&[u8]", "Json<P>",
    "Option<Json<Option<P>>>", "PhantomData<T>", "<T as A>::B", "", "é<名>",
];

fn random_tokens() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&CRUMBS[..]), 0..16).prop_map(|crumbs| crumbs.concat())
}

fn ty() -> impl Strategy<Value = String> {
    prop_oneof![4 => prop::sample::select(&TYPES[..]).prop_map(str::to_owned), 1 => any::<String>()]
}

fn assert_well_reported(item: &RecordItem<'_>) {
    let checked = check_record(item, &Policy::default());
    for diagnostic in checked.diagnostics.iter() {
        assert_ne!(underlined(item, &diagnostic.place), "no part of the text", "{diagnostic:?}");
        assert!(!diagnostic.suggestion.is_empty(), "no suggestion: {diagnostic:?}");
    }
    // The expansion of a record without diagnostics relies on its being whole.
    if let Ok(fields) = checked.diagnostics.finish(checked.record.fields) {
        assert_eq!(fields.len(), item.fields.len());
        assert!(fields.iter().any(|field| field.presence == Presence::Mandatory));
        let mut stored: Vec<_> = fields.iter().filter(|field| field.presence != Presence::Phantom).collect();
        assert!(stored.iter().all(|field| !field.stored.is_empty() && !field.constant.is_empty()));
        let all = stored.len();
        stored.sort_by_key(|field| &field.stored);
        stored.dedup_by_key(|field| &field.stored);
        assert_eq!(stored.len(), all);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn random_tokens_are_reported_well(of_item in random_tokens(), first in random_tokens(), second in random_tokens(), name in "[a-zA-Z_é]{1,70}", ty in ty()) {
        let mut random_tokens = item(&[ID, (&name, &ty, &first), ("mail", "Option<P>", &second)]);
        assert_well_reported(&random_tokens);
        random_tokens.fields[1].attributes.push(Attribute::Arguments(&second));
        random_tokens.lifetimes = vec!["'a".to_owned()];
        random_tokens.attributes = vec![Attribute::Arguments(&of_item)];
        assert_well_reported(&random_tokens);
    }

    #[test]
    fn any_text_is_reported_well(attribute in any::<String>(), ty in any::<String>()) {
        assert_well_reported(&item(&[ID, ("a", &ty, &attribute)]));
    }

    #[test]
    fn the_name_to_write_instead_is_right(name in "[ \\\\a-z\t]{1,20}") {
        let attribute = format!("rename = \"{name}\"");
        let reported = check_record(&item(&[ID, ("a", "u8", &attribute)]), &Policy::default()).diagnostics;
        let instead = reported.iter().filter_map(|diagnostic| diagnostic.suggestion.strip_prefix("write `")?.strip_suffix('`'));
        for instead in instead.filter(|instead| *instead != "id") {
            let attribute = format!("rename = \"{instead}\"");
            prop_assert_eq!(&*check_record(&item(&[ID, ("a", "u8", &attribute)]), &Policy::default()).diagnostics, &[]);
        }
    }
}
