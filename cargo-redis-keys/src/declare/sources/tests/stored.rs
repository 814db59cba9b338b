//! The stored form of a value follows from its type, as far as the sources have it.

use super::read_text;

/// The stored form of the value of a key that is declared after these items: its forms, its type, and the fields of a
/// record.
fn stored(name: &str, items: &str, ty: &str) -> String {
    let key = "#[derive(RedisKey)] #[redis_key(a:b:string, value = u64, ttl = 1h)] struct Key<T> {}";
    let read = read_text(name, &format!("{items}\n{key}\n"));
    let declaration = read.declarations.last().unwrap();
    let ty = syn::parse_str(ty).unwrap();
    let (form, record) = read.scopes.stored(declaration.scope, &declaration.item.generics, &ty);
    let forms = form.forms.map_or("?".to_owned(), |forms| forms.join(" "));
    let fields: Vec<_> = record.into_iter().flatten().collect();
    let fields = fields.iter().map(|field| {
        let forms = field.stored.forms.as_ref().map_or("?".to_owned(), |forms| forms.join(" "));
        let optional = if field.optional { "?" } else { "" };
        let ttl = field.ttl_ms.map(|ttl| format!(" {ttl}ms")).unwrap_or_default();
        format!("; {}{optional}: [{forms}] {}{ttl}", field.name, field.stored.type_name)
    });
    format!("[{forms}] {}{}", form.type_name, fields.collect::<String>())
}

#[test]
fn forms_are_found_behind_aliases() {
    const RECORD: &str = "#[derive(RedisHash)] struct Settings { theme: String, #[redis_hash(ttl = 1m)] code: Option<u32>, \
        #[redis_hash(rename = \"p\", value = Form)] profile: Profile } struct Profile; type Form = Json<Profile>;";
    for (index, (items, ty, expected)) in [
        ("", "u64", "[] u64"),
        ("", "Vec<u8>", "[] Vec<u8>"),
        ("", "Json<HashMap<String, u8>>", "[json] HashMap<String, u8>"),
        ("", "Secret<Zstd<MessagePack<Profile>>>", "[secret zstd messagepack] Profile"),
        ("", "Postcard<Profile, 2>", "[postcard] Profile"),
        ("type A = Zstd<B>; type B = Json<String>;", "A", "[zstd json] String"),
        ("type A = B; type B = A;", "A", "[?] A"),
        ("struct Own;", "Own", "[?] Own"),
        ("struct Own;", "Gzip<Own>", "[?] Own"),
        ("struct Json<T>(T);", "Json<String>", "[?] Json<String>"),
        ("type A<T> = Json<T>;", "A<String>", "[?] A<String>"),
        ("", "T", "[?] T"),
        ("", "Json<T>", "[json] T"),
        (RECORD, "Settings", "[] Settings; theme: [] String; code?: [] u32 60000ms; p: [json] Profile"),
        ("#[derive(RedisHash)] struct Bad;", "Bad", "[] Bad"),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(stored(&format!("stored-{index}"), items, ty), expected, "{items} {ty}");
    }
}
