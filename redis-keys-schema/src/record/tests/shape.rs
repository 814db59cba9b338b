//! The shape of a record.

use super::*;

fn shaped(shape: RecordShape) -> RecordItem<'static> {
    RecordItem { shape, ..item(&[ID]) }
}

#[test]
fn a_record_is_a_struct_with_named_fields() {
    let help = "declare a struct whose fields are the record's";
    item_reports(&shaped(RecordShape::Enum), &[("the item", Rule::Record, help)]);
    item_reports(&shaped(RecordShape::Union), &[("the item", Rule::Record, help)]);
    let help = "write names, as in `{ name: String }`";
    item_reports(&shaped(RecordShape::Tuple), &[("the item", Rule::Record, help)]);
    let help = "write fields, as in `{ name: String }`";
    item_reports(&shaped(RecordShape::Unit), &[("the item", Rule::Record, help)]);
    let help = "add a field, as in `name: String`";
    item_reports(&item(&[]), &[("the item", Rule::Record, help)]);
    item_reports(&item(&[("of", "PhantomData<T>", "")]), &[("the item", Rule::Record, help)]);
}

#[test]
fn one_field_is_always_there() {
    let help = "make one field mandatory: neither an `Option` nor `default`";
    let reported = [("the item", Rule::Record, help)];
    item_reports(&item(&[("a", "Option<u64>", "")]), &reported);
    item_reports(&item(&[("a", "u64", "default")]), &reported);
    item_reports(
        &item(&[("a", "Option<u64>", "ttl = 10m"), ("b", "u64", "default"), ("c", "PhantomData<T>", "")]),
        &reported,
    );
    item_reports(&item(&[("a", "Option<u64>", ""), ID]), &[]);
}

#[test]
fn a_record_is_read_with_one_command() {
    let names: Vec<_> = (0..102).map(|index| format!("f{index}")).collect();
    let fields: Vec<FieldText<'_>> = names.iter().map(|name| (name.as_str(), "u64", "")).collect();
    item_reports(&item(&fields[..100]), &[]);
    let help = "move some fields to another record, or into one field with `#[redis_hash(value = Json<…>)]`";
    item_reports(&item(&fields), &[("the field f100", Rule::Record, help)]);
    let mut with_phantom = fields[..100].to_vec();
    with_phantom.push(("of", "PhantomData<T>", ""));
    item_reports(&item(&with_phantom), &[]);
}

#[test]
fn a_record_has_no_lifetimes() {
    let mut item = item(&[ID, ("name", "PhantomData<&'a str>", "")]);
    item.lifetimes = vec!["'a".to_owned(), "'b".to_owned()];
    item.fields.push(field(&("text", "Cow<'b, str>", "")));
    let reported = [("'a", Rule::Record, "remove `'a`"), ("the type Cow<'b, str>", Rule::Record, "write `String`")];
    item_reports(&item, &reported);
}

#[test]
fn the_struct_has_the_path_to_redis_keys() {
    let with =
        |attribute: &'static str| RecordItem { attributes: vec![Attribute::Arguments(attribute)], ..item(&[ID]) };
    let path = |attribute: &'static str| {
        let checked = check_record(&with(attribute), &Policy::default());
        assert_eq!(*checked.diagnostics, []);
        checked.record.crate_path.and_then(|range| attribute.get(range))
    };
    assert_eq!(path("crate = my::keys"), Some("my::keys"));
    assert_eq!(path("crate = \"my::keys\","), Some("my::keys"));
    item_reports(&with("crate"), &[("crate", Rule::Declaration, "write `crate = path::to::redis_keys`")]);
    item_reports(&with("crate = a, crate = b"), &[("crate", Rule::Declaration, "keep one of them")]);
    item_reports(&with("crat = a"), &[("crat", Rule::Declaration, "did you mean `crate`?")]);
    item_reports(&with("colour = red"), &[("colour", Rule::Declaration, "the only option is `crate`")]);
    item_reports(&with("default"), &[("default", Rule::Declaration, "move it to a field")]);
    let help = "write `ttl = …` in the key's `#[redis_key(…)]`, or move it to a field";
    item_reports(&with("ttl = 1h"), &[("ttl", Rule::Declaration, help)]);
    let help = "write `#[redis_hash(rename = \"…\")]` at the fields that are stored under another name";
    item_reports(&with("rename_all = \"camelCase\""), &[("rename_all", Rule::Declaration, help)]);
}

#[test]
fn the_struct_has_one_attribute() {
    let attributes = vec![Attribute::Arguments("crate = a"), Attribute::Word];
    let twice = RecordItem { attributes, ..item(&[ID]) };
    item_reports(&twice, &[("the attribute 1", Rule::Declaration, "move its options into the first")]);
    let word = RecordItem { attributes: vec![Attribute::Word], ..item(&[ID]) };
    let help = "write `redis_hash(crate = path::to::redis_keys)`, for example, or remove it";
    item_reports(&word, &[("the attribute 0", Rule::Declaration, help)]);
}

#[test]
fn the_struct_and_its_fields_are_reported_together() {
    let mut item = item(&[("a", "Option<Option<u8>>", "ttll = 1h")]);
    item.attributes = vec![Attribute::Arguments("rename = x")];
    assert_eq!(check_record(&item, &Policy::default()).diagnostics.len(), 4);
}
