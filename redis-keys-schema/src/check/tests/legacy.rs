//! `legacy` and `formerly`.

use redis_keys_core::schema;

use super::*;
use crate::declaration::Declaration;
use crate::legacy::{Legacy, LegacyField};

/// Asserts what is reported for a text of the fields `id` and `page`.
#[track_caller]
fn text_reports(text: &str, expected: &[ExpectedMessage<'_>]) {
    let attribute = format!("user:page:{{id}}:{{page}}:string, value = u64, ttl = 1h, legacy = \"{text}\"");
    reports(&["id", "page"], &attribute, expected);
}

/// The legacy text of a declaration without errors.
#[track_caller]
fn legacy(declaration: Declaration) -> Legacy {
    declaration.legacy.unwrap_or_else(|| panic!("the declaration has no legacy text"))
}

#[test]
fn a_format_string_names_the_fields() {
    for text in
        ["User:{id}:{page}", "{page}-{id}-{page}", "{{u}}{id:05}é{page:016x}", "{id:?} {page:X}", "\u{a0}{id}/{page}"]
    {
        text_reports(text, &[]);
    }
    let raw = "user:page:{id}:string, value = u64, ttl = 1h, formerly = r#\"a\\\"{id}\"#";
    reports(&["id"], raw, &[]);
    let parameters = Rule::Parameters;
    text_reports("U:{idd}:{page}", &[("idd", parameters, "did you mean `id`?")]);
    let constant = "write `{{PREFIX}}` if the braces are part of the key, and a constant as text";
    text_reports("{PREFIX}:{id}:{page}", &[("PREFIX", parameters, constant)]);
    text_reports("U:{self.id}:{page}", &[("self.id", parameters, "write `{id}`, and constants as text")]);
    text_reports("U:{}:{page}", &[("{}", parameters, "write `{id}`, and constants as text")]);
    text_reports("U:{id}", &[("a field", parameters, "add `{page}` to the text, or remove the field")]);
    let declaration = Rule::Declaration;
    text_reports("U:{id}:{page", &[("{", declaration, "write `{{` if the brace is part of the key")]);
    text_reports("U:{id}}:{page}", &[("}", declaration, "write `}}` if the brace is part of the key")]);
}

#[test]
fn a_template_with_shards_alone_cannot_have_a_legacy_text() {
    for option in ["legacy", "formerly"] {
        let sharded = format!("user:page:{{id % 8}}:string, value = u64, ttl = 1h, {option} = \"U:{{id}}:{{id}}\"");
        reports(&["id"], &sharded, &[("{id}", Rule::OneKeyEach, "add `{id}` to the template")]);
        let both = format!("user:page:{{id % 8}}:{{id}}:string, value = u64, ttl = 1h, {option} = \"U:{{id}}\"");
        reports(&["id"], &both, &[]);
    }
}

#[test]
fn different_values_give_different_keys() {
    let rule = Rule::OneKeyEach;
    text_reports("U:{id}{page}", &[("{id}{page}", rule, "make both one field, or write the text between them")]);
    let help = "use `:?`, `:x`, `:X`, or zeros such as `:05` on integers";
    for format in [":>5", ":5", ":.2", ":e", ":#x", ":05?", ":"] {
        let expected = if format == ":" { vec![] } else { vec![(format, rule, help)] };
        text_reports(&format!("U:{{id{format}}}:{{page}}"), &expected);
    }
    // `format!` fills text up with spaces.
    let attribute = "user:name:{name}:string, value = u64, ttl = 1h, legacy = \"U:{name:05}\"";
    item_reports(vec![field("name", "String")], attribute, &[(":05", rule, help)]);
    let allowed = "user:page:{id}:{page}:string, value = u64, ttl = 1h, legacy = \"U{id}{page}\", \
                   allow(ambiguous_text, reason = \"it is so\")";
    reports(&["id", "page"], allowed, &[]);
}

#[test]
fn the_literal_is_read_as_it_is() {
    let rule = Rule::Declaration;
    let option = |value: &str, expected: &[ExpectedMessage<'_>]| {
        let attribute = format!("user:name:{{id}}:string, value = u64, ttl = 1h, legacy{value}");
        reports(&["id"], &attribute, expected);
    };
    let example = "give it the text of the `format!` that writes the key, as in `legacy = \"User:{user_id}:Profile\"`";
    option("", &[("legacy", rule, example)]);
    option(" = \"\"", &[("\"\"", rule, example)]);
    option(
        " = User:{id}",
        &[("User:{id}", rule, "write `legacy = \"User:{id}\"`, the text of the `format!` that writes the key")],
    );
    for (macro_call, text) in [
        ("format!(\"User:{id}\")", "\"User:{id}\""),
        ("format!(\"User:{id}\", id = self.id)", "\"User:{id}\""),
        ("std::format!(r#\"User:{id}\"#)", "r#\"User:{id}\"#"),
    ] {
        let help = format!("write `legacy = {text}`, the text of the `format!` that writes the key");
        option(&format!(" = {macro_call}"), &[(macro_call, rule, &help)]);
    }
    let raw = "write a raw string, as in `r\"a\\b\"`, with the characters of the key as they are";
    option(" = \"User\\t{id}\"", &[("\\", rule, raw)]);
    option(" = \"User\t{id}\"", &[("\t", rule, "declare a key without it")]);
}

#[test]
fn a_text_that_never_fits_is_rejected() {
    let text = |padding: usize| format!("U{}:{{id}}-{{page}}", "x".repeat(padding));
    // Each number has a digit.
    text_reports(&text(4096 - "U:1-1".len()), &[]);
    let long = text(4096 - "U:1".len());
    let expected = (long.as_str(), Rule::KeyLength, "leave this key to the code that writes it");
    let attribute = format!("user:page:{{id}}:{{page}}:string, value = u64, ttl = 1h, legacy = \"{long}\"");
    let checked = checked(&["id", "page"], &attribute);
    let [diagnostic] = &checked.diagnostics[..] else { panic!("{:?}", checked.diagnostics) };
    assert_eq!((underlined(&attribute, &diagnostic.place), diagnostic.rule, diagnostic.suggestion.as_str()), expected);
    let message = "a key of at least 4098 bytes exceeds the limit of 4096 for a key with `legacy`";
    assert_eq!(diagnostic.message, message);
}

#[test]
fn a_key_has_one_text_in_use() {
    let rule = Rule::Declaration;
    let both = "user:name:{id}:string, value = u64, ttl = 1h, legacy = \"A{id}\", formerly = \"B{id}\"";
    let help = "keep `legacy` while programs write that text, and `formerly` once they write the template";
    reports(&["id"], both, &[("formerly", rule, help)]);
    let copies = "user:name:{copy}:{id}:string, value = u64, ttl = 1h, copies = 8, legacy = \"A{id}\"";
    reports(&["id"], copies, &[("legacy", Rule::Copies, "declare a key of its own for that text")]);
    let secret = "user:name:{a}:{b}:string, value = Secret<String>, ttl = 1h, legacy = \"{a}{b}\", \
                  allow(ambiguous_text, reason = \"it is so\")";
    let help = "put text between the fields that no value contains";
    reports(&["a", "b"], secret, &[("Secret<String>", rule, help)]);
    let needless = "user:name:{id}:string, value = u64, ttl = 1h, allow(ambiguous_text, reason = \"x\")";
    reports(&["id"], needless, &[("ambiguous_text", rule, "remove the `allow`")]);
}

#[test]
fn the_text_is_apart_from_the_template() {
    let rule = Rule::OneKeyEach;
    let text = |ty: &'static str, text: &str, expected: &[ExpectedMessage<'_>]| {
        let attribute = format!("user:name:{{id}}:string, value = u64, ttl = 1h, formerly = \"{text}\"");
        item_reports(vec![field("id", ty)], &attribute, expected);
    };
    text("String", "user:name:{id}:string", &[("user:name:{id}:string", rule, "remove it")]);
    let no_colon = "add `#[redis_key(no_colon)]` to `id` if the value never contains `:`, or add `allow(overlap, reason \
                    = \"…\")`";
    text("String", "user:name:{id}", &[("user:name:{id}", rule, no_colon)]);
    text("u64", "user:name:{id}", &[]);
    text("String", "user:{id}:String", &[]);
    let differ = "make the texts differ, or add `allow(overlap, reason = \"…\")`";
    text("u64", "user:name:{id:03}:string", &[("user:name:{id:03}:string", rule, differ)]);
}

#[test]
fn a_field_can_have_no_colon() {
    let with_flag = |text: &str, attribute: &'static str, expected: &[ExpectedMessage<'_>]| {
        let mut id = field("id", "String");
        id.attributes = vec![Attribute::Arguments(attribute)];
        let declared = format!("user:name:{{id}}:string, value = u64, ttl = 1h{text}");
        item_reports(vec![id], &declared, expected);
    };
    let legacy = ", legacy = \"user:name:{id}\"";
    with_flag(legacy, "no_colon", &[]);
    with_flag(legacy, "no_colon, base32", &[]);
    let rule = Rule::Declaration;
    with_flag("", "no_colon", &[("a field's attribute", rule, "remove it")]);
    with_flag(legacy, "no_colon = true", &[("a field's attribute", rule, "write `no_colon`")]);
    with_flag(legacy, "no_colon, no_colon", &[("a field's attribute", rule, "keep one of them")]);
}

#[test]
fn fields_are_read_from_both_sides() {
    let open = |text: &str| {
        let types = [("queue", "String"), ("class", "String"), ("hash", "u64")];
        let fields = types.map(|(name, ty)| field(name, ty)).into();
        let attribute =
            format!("job:unique:{{queue}}:{{class}}:{{hash}}:string, value = u64, ttl = 1h, legacy = \"{text}\"");
        let item = item(fields, &attribute);
        let checked = check(&item);
        assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
        let legacy = legacy(checked.declaration);
        (legacy.open(), legacy.ends().into_iter().map(str::to_owned).collect::<Vec<_>>())
    };
    let ends = |texts: [&str; 3]| texts.map(str::to_owned).to_vec();
    assert_eq!(open("unique:{queue}:{class}:{hash}"), (1, ends([":", "", ""])));
    assert_eq!(open("{hash}:{queue}:{class}"), (2, ends([":", ":", ""])));
    assert_eq!(open("{queue}7{class}7{hash}"), (2, ends(["7", "7", ""])));
    assert_eq!(open("{queue}:{class}0x{hash:x}"), (1, ends([":", "", ""])));
}

#[test]
fn a_schema_has_the_text_of_its_declaration() {
    let mut fields = vec![field("id", "&'static u64"), field("page", "u8"), field("name", "String")];
    fields[2].attributes = vec![Attribute::Arguments("no_colon")];
    for option in ["legacy", "formerly"] {
        for allowed in ["", ", allow(ambiguous_text, reason = \"r\")"] {
            let attribute = format!(
                "user:page:{{id % 7}}:{{id}}:{{name}}:{{page}}:string, value = u64, ttl = 1h, {option} = \"U{{page}}\
                 {{{{{{id:05}}}}}}{{name}}:{{page}}é\"{allowed}"
            );
            let item = item(fields.clone(), &attribute);
            let declaration = check(&item).declaration;
            let mut schema = declaration.schema(&item);
            let declared = legacy(declaration);
            let allowed = declared.ambiguous.then(|| schema::Allowance::new("ambiguous_text", "r"));
            if let Ok(schema) = &mut schema {
                schema.allowed = allowed.into_iter().collect();
            }
            let read = schema.ok().and_then(|schema| Legacy::of_schema(&schema));
            let facts = |legacy: &Legacy| {
                let field = |field: &LegacyField| (field.parameter, field.ty.clone(), field.format, field.no_colon);
                let fields: Vec<_> = legacy.fields.iter().map(field).collect();
                (legacy.text.clone(), legacy.in_use, legacy.ambiguous, legacy.literals.clone(), fields)
            };
            assert_eq!(read.as_ref().map(facts), Some(facts(&declared)));
            assert_eq!(read.map(|read| read.glob()), Some(declared.glob()));
        }
    }
}
