//! What a record is.

use super::*;

fn shaped(shape: RecordShape) -> RecordItem<'static> {
    RecordItem { shape, ..item(&[ID]) }
}

#[test]
fn a_record_is_a_struct_with_named_fields() {
    let help = "declare a struct whose fields are the record's";
    item_tells(&shaped(RecordShape::Enum), &[("the item", Rule::Record, help)]);
    item_tells(&shaped(RecordShape::Union), &[("the item", Rule::Record, help)]);
    let help = "give the fields names, as in `{ name: String }`";
    item_tells(&shaped(RecordShape::Tuple), &[("the item", Rule::Record, help)]);
    let help = "give it fields, as in `{ name: String }`";
    item_tells(&shaped(RecordShape::Unit), &[("the item", Rule::Record, help)]);
    let help = "add a field, say `name: String`";
    item_tells(&item(&[]), &[("the item", Rule::Record, help)]);
    item_tells(&item(&[("of", "PhantomData<T>", "")]), &[("the item", Rule::Record, help)]);
}

#[test]
fn one_field_is_always_there() {
    let help = "make one field mandatory: neither an `Option` nor `default`";
    let told = [("the item", Rule::Record, help)];
    item_tells(&item(&[("a", "Option<u64>", "")]), &told);
    item_tells(&item(&[("a", "u64", "default")]), &told);
    item_tells(
        &item(&[("a", "Option<u64>", "ttl = 10m"), ("b", "u64", "default"), ("c", "PhantomData<T>", "")]),
        &told,
    );
    item_tells(&item(&[("a", "Option<u64>", ""), ID]), &[]);
}

#[test]
fn a_record_is_read_with_one_command() {
    let names: Vec<_> = (0..102).map(|number| format!("f{number}")).collect();
    let fields: Vec<Written<'_>> = names.iter().map(|name| (name.as_str(), "u64", "")).collect();
    item_tells(&item(&fields[..100]), &[]);
    let help = "move some of them to another record, or into one field of a struct, `#[redis_hash(value = Json<…>)]`";
    item_tells(&item(&fields), &[("the field f100", Rule::Record, help)]);
    let mut with_phantom = fields[..100].to_vec();
    with_phantom.push(("of", "PhantomData<T>", ""));
    item_tells(&item(&with_phantom), &[]);
}

#[test]
fn a_record_has_no_lifetimes() {
    let mut item = item(&[ID, ("name", "PhantomData<&'a str>", "")]);
    item.lifetimes = vec!["'a".to_owned(), "'b".to_owned()];
    item.fields.push(field(&("text", "Cow<'b, str>", "")));
    let told = [("'a", Rule::Record, "remove `'a`"), ("the type Cow<'b, str>", Rule::Record, "write `String`")];
    item_tells(&item, &told);
}

#[test]
fn the_struct_says_where_redis_keys_lives() {
    let with =
        |attribute: &'static str| RecordItem { attributes: vec![Attribute::Arguments(attribute)], ..item(&[ID]) };
    let path = |attribute: &'static str| {
        let checked = check_record(&with(attribute));
        assert_eq!(checked.diagnostics, []);
        checked.record.crate_path.and_then(|range| attribute.get(range))
    };
    assert_eq!(path("crate = my::keys"), Some("my::keys"));
    assert_eq!(path("crate = \"my::keys\","), Some("my::keys"));
    item_tells(&with("crate"), &[("crate", Rule::Declaration, "write `crate = path::to::redis_keys`")]);
    item_tells(&with("crate = a, crate = b"), &[("crate", Rule::Declaration, "keep one of them")]);
    item_tells(&with("crat = a"), &[("crat", Rule::Declaration, "write `crate`")]);
    item_tells(&with("colour = red"), &[("colour", Rule::Declaration, "the only one is `crate`")]);
    item_tells(&with("default"), &[("default", Rule::Declaration, "move it to a field")]);
    let help = "write `ttl = …` in the key's `#[redis_key(…)]`";
    item_tells(&with("ttl = 1h"), &[("ttl", Rule::Declaration, help)]);
    let help = "write `#[redis_hash(rename = \"…\")]` at the fields that are stored under another name";
    item_tells(&with("rename_all = \"camelCase\""), &[("rename_all", Rule::Declaration, help)]);
}

#[test]
fn the_struct_has_one_attribute() {
    let attributes = vec![Attribute::Arguments("crate = a"), Attribute::Word];
    let twice = RecordItem { attributes, ..item(&[ID]) };
    item_tells(&twice, &[("the attribute 1", Rule::Declaration, "move its options into the first")]);
    let word = RecordItem { attributes: vec![Attribute::Word], ..item(&[ID]) };
    let help = "write, say, `redis_hash(crate = path::to::redis_keys)`, or remove it";
    item_tells(&word, &[("the attribute 0", Rule::Declaration, help)]);
}

#[test]
fn the_struct_and_its_fields_are_told_of_together() {
    let mut item = item(&[("a", "Option<Option<u8>>", "ttll = 1h")]);
    item.attributes = vec![Attribute::Arguments("rename = x")];
    assert_eq!(check_record(&item).diagnostics.len(), 4);
}
