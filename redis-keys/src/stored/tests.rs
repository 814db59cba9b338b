//! What each stored form writes and reads.

#[cfg(all(feature = "gzip", feature = "lz4", feature = "snappy", feature = "zstd"))]
mod compressed;
#[cfg(all(
    feature = "gzip",
    feature = "json",
    feature = "lz4",
    feature = "messagepack",
    feature = "postcard",
    feature = "protobuf",
    feature = "snappy",
    feature = "zstd"
))]
mod every;
#[cfg(feature = "messagepack")]
mod message_pack;
#[cfg(feature = "postcard")]
mod postcard;
#[cfg(feature = "protobuf")]
mod protobuf;

use std::fmt::Debug;

use super::{Stored, StoredError};

fn encoded<V: Stored>(value: &V::Input) -> Result<String, StoredError> {
    bytes::<V>(value).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn bytes<V: Stored>(value: &V::Input) -> Result<Vec<u8>, StoredError> {
    let mut out = Vec::new();
    V::encode(value, &mut out).map(|()| out)
}

/// What reading these bytes says is wrong with them.
#[track_caller]
#[allow(dead_code, reason = "only forms behind features use it")]
fn told<V: Stored>(bytes: impl Into<Vec<u8>>) -> String {
    V::decode(bytes.into()).map(drop).unwrap_err().to_string()
}

fn same<V: Stored<Input = V, Output = V> + PartialEq + Debug>(value: &V, text: &str) {
    assert_eq!(encoded::<V>(value).unwrap(), text);
    assert_eq!(&V::decode(text.into()).unwrap(), value);
    assert!(V::size_hint(value) >= text.len());
}

#[test]
fn numbers() {
    same(&u8::MAX, "255");
    same(&u128::MAX, &u128::MAX.to_string());
    same(&i128::MIN, &i128::MIN.to_string());
    same(&i64::MIN, "-9223372036854775808");
    same(&0usize, "0");
    same(&true, "1");
    same(&false, "0");
}

#[test]
fn what_is_no_number() {
    for text in ["", "256", "-1", " 1", "1 ", "1.0", "0x1", "secret"] {
        let error = u8::decode(text.into()).unwrap_err();
        assert_eq!(error.to_string(), "it is not a whole number that fits into `u8`");
    }
    for text in ["", "true", "2", "01"] {
        assert_eq!(bool::decode(text.into()).unwrap_err().to_string(), "it is neither `1` nor `0`");
    }
    for text in ["", "nan", "inf", "-infinity", "1e999", "1,5"] {
        assert_eq!(f64::decode(text.into()).unwrap_err().to_string(), "it is not a finite number");
    }
    assert!(f32::decode(b"1e39".to_vec()).is_err());
}

#[test]
fn floats() {
    same(&0.1, "0.1");
    same(&-2.0, "-2");
    same(&1e15, "1000000000000000");
    same(&1e16, "1e16");
    same(&0.00001, "0.00001");
    same(&5e-324, "5e-324");
    same(&f64::MAX, "1.7976931348623157e308");
    same(&0.1f32, "0.1");
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(encoded::<f64>(&wrong).unwrap_err().to_string(), "it is not a finite number");
    }
}

#[test]
fn text_and_bytes() {
    assert_eq!(encoded::<String>("é").unwrap(), "é");
    assert_eq!(String::decode("é".into()).unwrap(), "é");
    assert_eq!(String::decode(vec![0xff]).unwrap_err().to_string(), "it is not UTF-8 text");
    assert_eq!(Vec::<u8>::decode(vec![0xff]).unwrap(), [0xff]);
    assert_eq!(encoded::<Vec<u8>>(b"ab").unwrap(), "ab");
}

#[cfg(feature = "bytes")]
#[test]
fn bytes_of_the_crate() {
    assert_eq!(bytes::Bytes::decode(vec![0xff]).unwrap().as_ref(), [0xff]);
    assert_eq!(encoded::<bytes::Bytes>(b"ab").unwrap(), "ab");
}

#[cfg(feature = "json")]
mod json {
    use std::collections::HashMap;

    use serde::{Deserialize, Serialize};

    use super::{Stored as _, encoded};
    use crate::stored::Json;

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Profile {
        name: String,
        age: u8,
    }

    #[test]
    fn values() {
        let ada = Profile { name: "Ada".to_owned(), age: 36 };
        assert_eq!(encoded::<Json<Profile>>(&ada).unwrap(), r#"{"name":"Ada","age":36}"#);
        assert_eq!(Json::<Profile>::decode(br#"{"age":36, "name":"Ada"}"#.to_vec()).unwrap(), ada);
    }

    #[test]
    fn errors_say_where_and_never_what() {
        let told = |text: &str| Json::<Profile>::decode(text.into()).unwrap_err().to_string();
        assert_eq!(told(r#"{"name":"Ada","age":"secret"}"#), "it is JSON of another shape, at line 1, column 28");
        assert_eq!(told("{\"name\":\n\"Ada\""), "it is JSON that ends too early, at line 2, column 5");
        assert_eq!(told("secret"), "it is not JSON, at line 1, column 1");
        let deep = Json::<serde_json::Value>::decode("[".repeat(1000).into()).unwrap_err().to_string();
        assert_eq!(deep, "it is JSON that is nested too deeply to be read, at line 1, column 128");
        assert_eq!(told(r#"{"name":"Ada"}"#), "it is JSON of another shape, at line 1, column 14");
    }

    #[test]
    fn what_json_has_no_form_for() {
        let map = HashMap::from([(Some(1), 2), (None, 3)]);
        assert_eq!(encoded::<Json<HashMap<Option<u8>, u8>>>(&map).unwrap_err().to_string(), "it has no form in JSON");
    }
}
