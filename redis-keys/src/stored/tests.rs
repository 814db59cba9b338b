//! Bytes that each stored form writes and reads.

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
mod every_form;
#[cfg(all(feature = "json", feature = "messagepack", feature = "postcard", feature = "protobuf"))]
mod formats;
#[cfg(all(
    feature = "json",
    feature = "lz4",
    feature = "messagepack",
    feature = "postcard",
    feature = "protobuf",
    feature = "zstd"
))]
mod round_trip;

use std::fmt::Debug;

use super::Stored;

fn encode<F: Stored>(value: &F::Input) -> Vec<u8> {
    let mut out = Vec::new();
    F::encode(value, &mut out).unwrap();
    out
}

fn encode_error<F: Stored>(value: &F::Input) -> String {
    F::encode(value, &mut Vec::new()).unwrap_err().to_string()
}

#[track_caller]
fn decode_error<F: Stored>(bytes: impl AsRef<[u8]>) -> String {
    F::decode(bytes.as_ref().to_vec()).map(drop).unwrap_err().to_string()
}

#[track_caller]
fn assert_stored_as<F: Stored<Input = F, Output = F> + PartialEq + Debug>(value: &F, text: &str) {
    assert_eq!(encode::<F>(value), text.as_bytes());
    assert_eq!(&F::decode(text.into()).unwrap(), value);
    assert!(F::size_hint(value) >= text.len());
}

#[test]
fn integers_and_bools() {
    assert_stored_as(&u8::MAX, "255");
    assert_stored_as(&u128::MAX, &u128::MAX.to_string());
    assert_stored_as(&i128::MIN, &i128::MIN.to_string());
    assert_stored_as(&i64::MIN, "-9223372036854775808");
    assert_stored_as(&0usize, "0");
    assert_stored_as(&true, "1");
    assert_stored_as(&false, "0");
    for text in ["", "256", "-1", " 1", "1 ", "1.0", "0x1", "secret"] {
        assert_eq!(decode_error::<u8>(text), "not an integer in the range of `u8`");
    }
    for text in ["", "true", "2", "01"] {
        assert_eq!(decode_error::<bool>(text), "neither `1` nor `0`");
    }
}

#[test]
fn floats() {
    assert_stored_as(&0.1, "0.1");
    assert_stored_as(&-2.0, "-2");
    assert_stored_as(&1e15, "1000000000000000");
    assert_stored_as(&1e16, "1e16");
    assert_stored_as(&0.00001, "0.00001");
    assert_stored_as(&5e-324, "5e-324");
    assert_stored_as(&f64::MAX, "1.7976931348623157e308");
    assert_stored_as(&0.1f32, "0.1");
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(encode_error::<f64>(&value), "not a finite number");
    }
    for text in ["", "nan", "inf", "-infinity", "1e999", "1,5"] {
        assert_eq!(decode_error::<f64>(text), "not a finite number");
    }
    assert_eq!(decode_error::<f32>("1e39"), "not a finite number");
}

#[test]
fn text_and_bytes() {
    assert_eq!(encode::<String>("é"), "é".as_bytes());
    assert_eq!(String::decode("é".into()).unwrap(), "é");
    assert_eq!(decode_error::<String>([0xff]), "not UTF-8");
    assert_eq!(encode::<Vec<u8>>(b"ab"), b"ab");
    assert_eq!(Vec::<u8>::decode(vec![0xff]).unwrap(), [0xff]);
}

#[cfg(feature = "bytes")]
#[test]
fn bytes_of_the_crate() {
    assert_eq!(encode::<bytes::Bytes>(b"ab"), b"ab");
    assert_eq!(bytes::Bytes::decode(vec![0xff]).unwrap().as_ref(), [0xff]);
}

#[derive(crate::KeySegment, Debug, PartialEq)]
#[redis_key(crate = crate)]
enum Section {
    BasicInfo,
    #[redis_key(rename = "orders")]
    PastOrders,
}

#[test]
fn types_of_parameters_have_the_same_text() {
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

    assert_stored_as(&Section::BasicInfo, "basic.info");
    assert_stored_as(&Section::PastOrders, "orders");
    assert_stored_as(&Ipv4Addr::new(192, 0, 2, 7), "c0000207");
    assert_stored_as(&Ipv6Addr::LOCALHOST, "00000000000000000000000000000001");
    assert_stored_as(&IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7)), "c0000207");
    assert_stored_as(&crate::parameter::bucket::Month::new(2026, 1).unwrap(), "202601");
    assert!(decode_error::<Section>("Basic.info").contains("not a text of the type as a parameter"));
    decode_error::<Ipv4Addr>("C0000207");
    decode_error::<Ipv4Addr>([0xFF, 0xFE]);
    decode_error::<crate::parameter::bucket::Month>("202613");
}

#[cfg(feature = "uuid")]
#[test]
fn a_uuid_is_stored_without_hyphens() {
    let uuid = uuid::Uuid::from_u128(0x67e5_5044_10b1_426f_9247_bb68_0e5f_e0c8);
    assert_stored_as(&uuid, "67e5504410b1426f9247bb680e5fe0c8");
    // Nobody wrote this by redis-keys.
    decode_error::<uuid::Uuid>("67e55044-10b1-426f-9247-bb680e5fe0c8");
}

#[cfg(feature = "chrono")]
#[test]
fn a_date_is_stored_in_digits() {
    assert_stored_as(&chrono::NaiveDate::from_ymd_opt(2026, 1, 31).unwrap(), "20260131");
    decode_error::<chrono::NaiveDate>("20260230");
    assert!(!encode_error::<chrono::NaiveDate>(&chrono::NaiveDate::from_ymd_opt(-1, 1, 31).unwrap()).is_empty());
}
