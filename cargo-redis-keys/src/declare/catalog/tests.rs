//! The JSON form, and the limits in words.
#![allow(clippy::panic, reason = "a test that cannot go on")]

use super::*;

const KEY: &str = r#"{"name":"Views","template":"page:seen:{page}:string","type":"string","legacy":null,"formerly":"Page:{page}:{of}:{section}:{ip}","parameters":[{"name":"page","type":"u32","hash_tag":false,"form":"plain","shards":null,"copies":null,"slug_bytes":null,"no_colon":false,"values":{"number":{"from":"0","to":"4294967295"}},"dotted":false,"argument":{"kind":"integer","bits":32,"signed":false,"non_zero":false,"from":"0","to":"4294967295"},"why":null,"own_display":false,"docs":"The page."},{"name":"of","type":"Of","hash_tag":false,"form":"plain","shards":null,"copies":null,"slug_bytes":null,"no_colon":true,"values":null,"dotted":null,"argument":null,"why":"the type `Of` is not known from the sources","own_display":false,"docs":null},{"name":"section","type":"Section","hash_tag":false,"form":"plain","shards":null,"copies":null,"slug_bytes":null,"no_colon":false,"values":{"one_of":["a","b.c"]},"dotted":true,"argument":{"kind":"names","type":"Section","variants":[{"name":"A","text":"a"},{"name":null,"text":"b.c"}]},"why":null,"own_display":true,"docs":null},{"name":"ip","type":"IpAddr","hash_tag":false,"form":"plain","shards":null,"copies":null,"slug_bytes":null,"no_colon":false,"values":"ip_addr","dotted":false,"argument":{"kind":"ip"},"why":null,"own_display":false,"docs":null}],"ttl_ms":86400000,"jitter_ms":600000,"ttl_from_end_of":null,"renew":null,"renew_below_ms":null,"pattern":null,"null_ttl_ms":null,"lease_ms":null,"refresh_percent":null,"near_ms":null,"stale_ms":null,"limit":null,"limit_per_ms":null,"burst":null,"tries":null,"expected":null,"false_positives_per_million":null,"bits":null,"value":"u64","field":null,"max_bytes":10240,"max_len":null,"max_member_bytes":null,"keep_last":null,"keep_about":false,"keep_top":null,"max_key_bytes":128,"reason":null,"rebuild":null,"owner":null,"docs":"How often a page was seen.","allowed":[{"lint":"overlap","reason":"r"}],"file":"src/lib.rs","line":7,"longest":27,"example":"page:seen:42:string","text":{"parts":[{"literal":"page:seen:"},{"parameter":0,"whole":true},{"literal":":string"}],"open":0,"parses":true},"other_text":{"parts":[{"literal":"Page:"},{"parameter":0,"by":"display","zeros":0,"ends":":"}],"open":0,"parses":false},"stored":{"forms":["zstd","json"],"type":"Views"},"stored_field":null,"record":[{"name":"n","stored":{"forms":null,"type":"Of"},"ttl_ms":1000,"optional":true}],"package":"shop","target":"lib:shop","module":"keys","condition":null,"made_by":null}"#;

#[test]
fn a_catalog_is_read_as_it_is_written() {
    let text = format!(
        "{{\"format\":3,\"keys\":[\n{KEY}\n],\"unread\":[\n{{\"file\":\"src/x.rs\",\"line\":9,\"why\":\"macro_rules\"}}\n],\"left_out\":null,\"foreign\":null}}\n"
    );
    let catalog = Catalog::from_json(&text);
    assert_eq!(catalog.map(|catalog| catalog.to_json()), Ok(text.clone()));
    let left_out = format!("{{\"keys\":[\n{}\n],\"unread\":[]}}", KEY.replace("Views", "Others"));
    let foreign = r#""foreign":{"systems":["bullmq"],"patterns":["a:*"]}"#;
    let text = text.replace("\"left_out\":null", &format!("\"left_out\":{left_out}"));
    let text = text.replace("\"foreign\":null", foreign);
    let catalog = Catalog::from_json(&text);
    assert_eq!(catalog.clone().map(|catalog| catalog.to_json()), Ok(text));
    let whole = catalog.map(|catalog| catalog.whole().keys).unwrap_or_default();
    let named: Vec<_> = whole.iter().map(|key| (key.name.as_str(), key.is_left_out)).collect();
    assert_eq!(named, [("Views", false), ("Others", true)]);
}

/// It does not say what it leaves out, or which keys are those of other programs.
#[test]
fn an_earlier_version_is_read() {
    for format in [1, 2] {
        let catalog = Catalog::from_json(&format!("{{\"format\":{format},\"keys\":[],\"unread\":[]}}"));
        assert_eq!(catalog, Ok(Catalog::new(Vec::new(), Vec::new())));
    }
}

#[test]
fn a_file_without_legacy_texts_is_read() {
    let list = |key: &str| Catalog::from_json(&format!("{{\"format\":2,\"keys\":[{key}],\"unread\":[]}}"));
    let new = KEY.replace("\"Page:{page}:{of}:{section}:{ip}\"", "null").replace("true,\"values", "false,\"values");
    let mut old = new.replace("\"legacy\":null,\"formerly\":null,", "");
    old = old
        .replace("\"no_colon\":false,", "")
        .replace("\"rebuild\":null,", "")
        .replace("\"near_ms\":null,\"stale_ms\":null,", "");
    assert_ne!(old, new);
    assert_eq!(list(&old).map(|catalog| catalog.keys.len()), Ok(1));
    assert_eq!(list(&old), list(&new));
}

#[test]
fn other_files_are_rejected() {
    for (text, message) in [
        ("{}", "not a catalogue: missing field `format`"),
        (r#"{"format":4}"#, "the catalogue has format 4, expected 3"),
        (r#"{"format":0}"#, "the catalogue has format 0, expected 3"),
        (r#"{"format":3}"#, "not a catalogue: missing field `keys`"),
        ("", "not a catalogue: EOF"),
    ] {
        let shown = Catalog::from_json(text).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(shown.starts_with(message), "{shown}");
        assert!(shown.contains("\nhelp: "), "{shown}");
    }
}

/// The number of a record's fields is that of its struct.
#[test]
fn a_limit_says_what_a_key_can_store_or_allows() {
    let limits = |changes: &[(&str, &str)]| {
        let key = changes.iter().fold(KEY.to_owned(), |key, (from, to)| key.replace(from, to));
        let catalog = Catalog::from_json(&format!("{{\"format\":3,\"keys\":[{key}],\"unread\":[]}}"));
        let catalog = catalog.unwrap_or_else(|error| panic!("{error}"));
        let key = &catalog.keys[0];
        [key.size_brief(), key.limit().unwrap_or_default()]
    };
    let hash = [
        ("\"string\"", "\"hash\""),
        ("\"max_bytes\":10240,\"max_len\":null", "\"max_bytes\":null,\"max_len\":5000"),
        ("\"max_member_bytes\":null", "\"max_member_bytes\":4096"),
    ];
    let map = [hash.as_slice(), &[("\"field\":null", "\"field\":\"String\"")]].concat();
    let rate = [
        ("\"pattern\":null", "\"pattern\":\"limit\""),
        ("\"limit\":null,\"limit_per_ms\":null,\"burst\":null", "\"limit\":100,\"limit_per_ms\":60000,\"burst\":20"),
        ("\"max_bytes\":10240", "\"max_bytes\":null"),
    ];
    assert_eq!(limits(&[]), ["10KB", "at most 10KB"]);
    assert_eq!(limits(&hash), ["4KB a field", "each field at most 4KB"]);
    assert_eq!(limits(&map), ["5,000 × 4KB", "at most 5,000 elements, each at most 4KB"]);
    assert_eq!(limits(&rate), ["100 in 1m, 20 at once"; 2]);
}
