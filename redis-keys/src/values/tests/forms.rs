//! The forms of keys and records.

use redis_keys_macros::KeySegment;

use super::super::forms::{Form, Notes};
use crate::stored::Stored;

fn text(form: fn(&mut Notes) -> Form) -> String {
    let mut notes = Vec::new();
    let form = form(&mut notes);
    assert_eq!(form.to_string().parse(), Ok(form.clone()));
    assert_eq!(notes, [] as [String; 0]);
    form.to_string()
}

fn form<F: Stored>() -> String {
    text(F::form)
}

#[derive(KeySegment)]
#[redis_key(crate = crate)]
enum Plan {
    Free,
    Paid,
}

struct Reversed;

impl Stored for Reversed {
    type Input = [u8];
    type Output = Vec<u8>;

    fn encode(value: &[u8], out: &mut impl std::io::Write) -> Result<(), crate::stored::StoredError> {
        Vec::<u8>::encode(value, out)
    }

    fn decode(bytes: Vec<u8>) -> Result<Vec<u8>, crate::stored::StoredError> {
        Ok(bytes)
    }
}

#[test]
fn values_as_text_and_as_bytes() {
    assert_eq!((form::<u8>(), form::<usize>(), form::<isize>()), ("u8".into(), "u64".into(), "i64".into()));
    assert_eq!((form::<f64>(), form::<bool>()), ("f64".into(), "bool".into()));
    assert_eq!((form::<String>(), form::<Vec<u8>>()), ("text".into(), "bytes".into()));
    assert_eq!(form::<std::net::IpAddr>(), "text of IpAddr");
    assert_eq!(form::<Plan>(), "text of \"Plan: free, paid\"");
}

#[test]
fn a_form_of_the_program_is_partly_known() {
    let mut notes = Vec::new();
    assert_eq!(Reversed::form(&mut notes).to_string(), "own form Reversed");
    assert_eq!(notes, ["`.`: the bytes of the program's own form are not known, so only its name is compared"]);
}

#[cfg(all(feature = "json", feature = "messagepack", feature = "postcard", feature = "zstd", feature = "secret"))]
mod of_features {
    use redis_keys_macros::RedisHash;
    use serde::{Deserialize, Serialize};

    use super::{form, text};
    use crate::stored::cached::MarkedValue;
    use crate::stored::{Json, MessagePack, Postcard, Secret, Zstd};

    #[test]
    fn serde_types() {
        assert_eq!(form::<Json<Vec<u8>>>(), "Json<[u8]>");
        assert_eq!(form::<MessagePack<uuid::Uuid>>(), "MessagePack<checked<bytes, not \"1 byte\", not \"no bytes\">>");
        assert_eq!(form::<Postcard<(u8, char)>>(), "Postcard<1, (u8, char)>");
        assert_eq!(form::<Postcard<bool, 7>>(), "Postcard<7, bool>");
    }

    #[test]
    fn forms_around_others() {
        assert_eq!(form::<Zstd<Secret<Json<u8>>>>(), "Zstd<Secret<Json<u8>>>");
        assert_eq!(form::<MarkedValue<Zstd<String>>>(), "Zstd<text>");
    }

    #[derive(RedisHash)]
    #[redis_hash(crate = crate)]
    #[allow(dead_code, reason = "only its form matters")]
    struct Profile<T> {
        name: String,
        #[redis_hash(rename = "mail", value = Json<Vec<T>>)]
        mails: Option<Vec<T>>,
        #[redis_hash(default)]
        visits: u32,
    }

    #[test]
    fn records() {
        let profile = text(<Profile<u8> as crate::RedisHash>::form);
        assert_eq!(profile, "record {\n  name: text\n  mail: Json<[u8]>?\n  visits: u32?\n}");
    }

    #[test]
    fn notes_name_the_field_of_a_record() {
        #[derive(Serialize, Deserialize)]
        struct Extra {
            json: serde_json::Value,
        }
        #[derive(RedisHash)]
        #[redis_hash(crate = crate)]
        #[allow(dead_code, reason = "only its form matters")]
        struct Extras {
            #[redis_hash(value = Json<Extra>)]
            one: Extra,
            #[redis_hash(value = Json<serde_json::Value>)]
            all: serde_json::Value,
        }
        let mut notes = Vec::new();
        <Extras as crate::RedisHash>::form(&mut notes);
        let why = "the type accepts several kinds of values, and its own rules decide";
        assert_eq!(notes, [format!("`.one.json`: {why}"), format!("`.all`: {why}")]);
    }
}
