//! The bytes of the stored forms, and those of the crates that the page names.

use redis::ToRedisArgs;
use redis_keys::Stored;
use redis_keys::stored::{Json, MessagePack, Postcard, Protobuf};
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, prost::Message)]
struct Point {
    #[prost(uint32, tag = "1")]
    x: u32,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Pair {
    name: String,
    count: Option<u32>,
}

fn bytes<F: Stored>(value: &F::Input) -> Vec<u8> {
    let mut bytes = Vec::new();
    F::encode(value, &mut bytes).unwrap();
    bytes
}

#[track_caller]
fn assert_as_redis<F: Stored<Input = T>, T: ToRedisArgs>(value: T) {
    assert_eq!([bytes::<F>(&value)].to_vec(), value.to_redis_args());
}

#[test]
fn the_forms_are_those_of_other_crates() {
    assert_as_redis::<u64, _>(u64::MAX);
    assert_as_redis::<i32, _>(-1);
    assert_as_redis::<bool, _>(true);
    for float in [1.0, 0.5, -1e-7, 1e16, 1.5e17, f64::MAX, f64::MIN_POSITIVE] {
        let theirs = float.to_redis_args().concat();
        let ours = bytes::<f64>(&float);
        assert_eq!(<f64 as Stored>::decode(theirs).map(f64::to_bits), Ok(float.to_bits()));
        let read: f64 = redis::from_redis_value(redis::Value::BulkString(ours)).unwrap();
        assert_eq!(read.to_bits(), float.to_bits());
    }
    assert_eq!((bytes::<f64>(&1.0), 1.0_f64.to_redis_args()), (b"1".to_vec(), vec![b"1.0".to_vec()]));
    assert_eq!(bytes::<String>("ada"), b"ada");
    assert_eq!(bytes::<Vec<u8>>(b"\x00\xff"), b"\x00\xff");

    let pair = Pair { name: "Ada".to_owned(), count: Some(7) };
    assert_eq!(bytes::<Json<Pair>>(&pair), serde_json::to_vec(&pair).unwrap());
    assert_eq!(bytes::<MessagePack<Pair>>(&pair), rmp_serde::to_vec_named(&pair).unwrap());
    assert_eq!(<MessagePack<Pair> as Stored>::decode(rmp_serde::to_vec(&pair).unwrap()).unwrap(), pair);
    assert_eq!(bytes::<Postcard<Pair>>(&pair), [vec![1], postcard::to_allocvec(&pair).unwrap()].concat());
    let point = Point { x: 7 };
    assert_eq!(bytes::<Protobuf<Point>>(&point), prost::Message::encode_to_vec(&point));
}
