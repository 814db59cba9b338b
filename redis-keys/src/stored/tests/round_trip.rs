//! Values that are written without an error are read back equal.

#![allow(clippy::option_option, reason = "it is what is tested")]

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use super::{decode_error, encode, encode_error};
use crate::stored::{Json, Lz4, MessagePack, Postcard, Protobuf, Stored, Zstd};

/// A float that equals itself.
#[derive(Serialize, Deserialize, Clone, Copy, Debug)]
struct Float(f64);

impl PartialEq for Float {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Unit;

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Empty {}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Newtype<T>(T);

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Pair<A, B>(A, B);

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Side {
    Left,
    Right,
}

/// Bytes as such, and not as a list of numbers.
#[derive(Clone, PartialEq, Debug)]
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Bytes;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut elements: A) -> Result<Bytes, A::Error> {
                let mut bytes = Vec::new();
                while let Some(byte) = elements.next_element()? {
                    bytes.push(byte);
                }
                Ok(Bytes(bytes))
            }
        }
        deserializer.deserialize_byte_buf(Visitor)
    }
}

/// Every kind of serde's data model.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
enum Node {
    Unit,
    UnitStruct(Unit),
    Empty(Empty),
    Nothing(()),
    NoFields {},
    Bool(bool),
    Small(i8, u16),
    Large(i64, u64),
    Wide(i128),
    WideUnsigned { number: u128 },
    Float(Float),
    Single(Newtype<f32>),
    Char(char),
    Text(String),
    Borrowed(Cow<'static, str>),
    Bytes(Bytes),
    Side(Side),
    Option(Option<Box<Node>>),
    OptionOfOption(Option<Option<u8>>),
    OptionOfUnit(Option<()>),
    OptionOfUnitStruct(Option<Unit>),
    OptionOfNewtype(Option<Newtype<Option<bool>>>),
    OptionOfFloat(Option<Float>),
    Result(Result<Box<Node>, ()>),
    List(Vec<Node>),
    Tuple(Box<(Node, Option<Node>, [u8; 3])>),
    Fields { node: Box<Node>, option: Option<Float>, newtype: Newtype<Box<Node>> },
    Pair(Pair<Unit, Box<Node>>),
    ByText(BTreeMap<String, Node>),
    ByNumber(BTreeMap<i64, Node>),
    ByWideNumber(BTreeMap<u128, Option<Node>>),
    ByBool(BTreeMap<bool, Node>),
    ByChar(BTreeMap<char, Node>),
    BySide(BTreeMap<Side, Node>),
    ByOption(BTreeMap<Option<u8>, Node>),
    ByUnit(BTreeMap<(), Node>),
    ByPair(BTreeMap<(u8, u8), Node>),
}

fn float() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => any::<f64>(),
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 5e-324, f64::MAX]),
    ]
}

fn side() -> impl Strategy<Value = Side> {
    prop::sample::select(vec![Side::Left, Side::Right])
}

fn leaf() -> impl Strategy<Value = Node> {
    let fixed = vec![
        Node::Unit,
        Node::UnitStruct(Unit),
        Node::Empty(Empty {}),
        Node::Nothing(()),
        Node::NoFields {},
        Node::Option(None),
        Node::OptionOfOption(None),
        Node::OptionOfOption(Some(None)),
        Node::OptionOfOption(Some(Some(1))),
        Node::OptionOfUnit(None),
        Node::OptionOfUnit(Some(())),
        Node::OptionOfUnitStruct(Some(Unit)),
        Node::OptionOfNewtype(Some(Newtype(None))),
        Node::OptionOfNewtype(Some(Newtype(Some(true)))),
        Node::Result(Err(())),
    ];
    prop_oneof![
        2 => prop::sample::select(fixed),
        1 => any::<bool>().prop_map(Node::Bool),
        1 => any::<(i8, u16)>().prop_map(|(a, b)| Node::Small(a, b)),
        1 => any::<(i64, u64)>().prop_map(|(a, b)| Node::Large(a, b)),
        1 => any::<i128>().prop_map(Node::Wide),
        1 => any::<u128>().prop_map(|number| Node::WideUnsigned { number }),
        1 => float().prop_map(|float| Node::Float(Float(float))),
        1 => any::<f32>().prop_map(|float| Node::Single(Newtype(float))),
        1 => any::<char>().prop_map(Node::Char),
        1 => any::<String>().prop_map(Node::Text),
        1 => any::<String>().prop_map(|text| Node::Borrowed(text.into())),
        1 => any::<Vec<u8>>().prop_map(|bytes| Node::Bytes(Bytes(bytes))),
        1 => side().prop_map(Node::Side),
        1 => prop::option::of(float()).prop_map(|float| Node::OptionOfFloat(float.map(Float))),
    ]
}

fn map<K, V>(keys: K, values: V) -> impl Strategy<Value = BTreeMap<K::Value, V::Value>>
where
    K: Strategy<Value: Ord>,
    V: Strategy,
{
    prop::collection::btree_map(keys, values, 0..4)
}

fn node() -> impl Strategy<Value = Node> {
    leaf().prop_recursive(8, 40, 4, |node| {
        let boxed = || node.clone().prop_map(Box::new);
        prop_oneof![
            boxed().prop_map(|node| Node::Option(Some(node))),
            boxed().prop_map(|node| Node::Result(Ok(node))),
            prop::collection::vec(node.clone(), 0..4).prop_map(Node::List),
            (node.clone(), prop::option::of(node.clone()), any::<[u8; 3]>())
                .prop_map(|tuple| Node::Tuple(Box::new(tuple))),
            (boxed(), prop::option::of(float()), boxed()).prop_map(|(node, option, newtype)| {
                Node::Fields { node, option: option.map(Float), newtype: Newtype(newtype) }
            }),
            boxed().prop_map(|node| Node::Pair(Pair(Unit, node))),
            map(any::<String>(), node.clone()).prop_map(Node::ByText),
            map(any::<i64>(), node.clone()).prop_map(Node::ByNumber),
            map(any::<u128>(), prop::option::of(node.clone())).prop_map(Node::ByWideNumber),
            map(any::<bool>(), node.clone()).prop_map(Node::ByBool),
            map(any::<char>(), node.clone()).prop_map(Node::ByChar),
            map(side(), node.clone()).prop_map(Node::BySide),
            map(any::<Option<u8>>(), node.clone()).prop_map(Node::ByOption),
            map(Just(()), node.clone()).prop_map(Node::ByUnit),
            map(any::<(u8, u8)>(), node.clone()).prop_map(Node::ByPair),
        ]
    })
}

/// Checks that a value is read back equal if it is written. Returns whether it is written.
#[track_caller]
fn check<F: Stored<Input = P, Output = P>, P: PartialEq + Debug>(value: &P) -> bool {
    let mut stored = Vec::new();
    let written = F::encode(value, &mut stored).is_ok();
    if written {
        assert_eq!(&F::decode(stored).unwrap(), value);
    }
    written
}

#[track_caller]
fn check_all<P: Serialize + DeserializeOwned + PartialEq + Debug>(value: &P) {
    check::<Json<P>, P>(value);
    check::<Zstd<Json<P>>, P>(value);
    check::<MessagePack<P>, P>(value);
    check::<Lz4<Postcard<P>>, P>(value);
    check::<Postcard<P>, P>(value);
}

/// A type that serde buffers when it reads.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(untagged)]
enum UntaggedEnum {
    Float(Float),
    Wide(i128),
    Option(Option<Option<bool>>),
    Text(String),
    List(Vec<UntaggedEnum>),
    Map(BTreeMap<String, UntaggedEnum>),
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(tag = "type")]
enum TaggedEnum {
    Unit,
    Fields { node: Option<Box<TaggedEnum>>, float: Float },
    Wide { number: u128 },
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(tag = "type", content = "content")]
enum Adjacent {
    Unit,
    Newtype(Option<Box<Adjacent>>),
    Tuple(Float, Option<()>),
    Fields { number: u128 },
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct FlattenedStruct {
    name: Option<String>,
    #[serde(flatten)]
    tagged: TaggedEnum,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct FlattenedMap {
    name: String,
    #[serde(flatten)]
    map: BTreeMap<String, Option<Float>>,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Skipping {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first: Option<u8>,
    second: u8,
}

fn tagged() -> impl Strategy<Value = TaggedEnum> {
    let leaf = prop_oneof![Just(TaggedEnum::Unit), any::<u128>().prop_map(|number| TaggedEnum::Wide { number })];
    leaf.prop_recursive(4, 8, 1, |node| {
        (prop::option::of(node.prop_map(Box::new)), float())
            .prop_map(|(node, float)| TaggedEnum::Fields { node, float: Float(float) })
    })
}

fn untagged() -> impl Strategy<Value = UntaggedEnum> {
    let leaf = prop_oneof![
        "[a-z]{1,9}".prop_map(UntaggedEnum::Text),
        float().prop_map(|float| UntaggedEnum::Float(Float(float))),
        any::<Option<Option<bool>>>().prop_map(UntaggedEnum::Option),
    ];
    leaf.prop_recursive(4, 20, 3, |node| {
        prop_oneof![
            prop::collection::vec(node.clone(), 0..3).prop_map(UntaggedEnum::List),
            prop::collection::btree_map("[a-z]{1,9}", node, 0..3).prop_map(UntaggedEnum::Map),
        ]
    })
}

fn adjacent() -> impl Strategy<Value = Adjacent> {
    let leaf = prop_oneof![
        Just(Adjacent::Unit),
        any::<u128>().prop_map(|number| Adjacent::Fields { number }),
        (float(), any::<Option<()>>()).prop_map(|(float, option)| Adjacent::Tuple(Float(float), option)),
    ];
    leaf.prop_recursive(4, 8, 1, |node| prop::option::of(node.prop_map(Box::new)).prop_map(Adjacent::Newtype))
}

/// A chain of one kind of nesting, which ends in `None` or an empty list.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
enum Chain {
    Boxed(BoxedStruct),
    List(List),
    Enum(Enum),
    Newtype(Newtypes),
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct BoxedStruct {
    inner: Option<Box<BoxedStruct>>,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct List(Vec<List>);

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
enum Enum {
    Leaf,
    Newtype(Box<Enum>),
    Tuple(u8, Box<Enum>),
    Fields { inner: Box<Enum> },
}

/// Only `Newtypes(None)` can be represented in JSON.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Newtypes(Option<Box<Newtypes>>);

fn chain() -> impl Strategy<Value = Chain> {
    (0..4, 0..300usize).prop_map(|(kind, depth)| match kind {
        0 => Chain::Boxed(
            (0..depth).fold(BoxedStruct { inner: None }, |inner, _| BoxedStruct { inner: Some(Box::new(inner)) }),
        ),
        1 => Chain::List((0..depth).fold(List(Vec::new()), |inner, _| List(vec![inner]))),
        2 => Chain::Enum((0..depth).fold(Enum::Leaf, |inner, level| match level % 3 {
            0 => Enum::Newtype(Box::new(inner)),
            1 => Enum::Tuple(1, Box::new(inner)),
            _ => Enum::Fields { inner: Box::new(inner) },
        })),
        _ => Chain::Newtype((0..depth).fold(Newtypes(None), |inner, _| Newtypes(Some(Box::new(inner))))),
    })
}

#[derive(Clone, PartialEq, prost::Message)]
struct Message {
    #[prost(message, optional, boxed, tag = "1")]
    inner: Option<Box<Message>>,
    #[prost(string, repeated, tag = "2")]
    texts: Vec<String>,
    #[prost(map = "int32, message", tag = "3")]
    map: HashMap<i32, Message>,
    #[prost(oneof = "Choice", tags = "4, 5")]
    choice: Option<Choice>,
    #[prost(double, repeated, tag = "6")]
    floats: Vec<f64>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
enum Choice {
    #[prost(message, tag = "4")]
    Message(Box<Message>),
    #[prost(bytes, tag = "5")]
    Bytes(Vec<u8>),
}

fn message() -> impl Strategy<Value = Message> {
    let leaf = (any::<Vec<String>>(), prop::option::of(any::<Vec<u8>>()), any::<Vec<f64>>());
    (leaf, prop::collection::vec(0..3, 0..150)).prop_map(|((texts, bytes, floats), levels)| {
        let leaf = Message { texts, floats, choice: bytes.map(Choice::Bytes), ..Message::default() };
        levels.into_iter().fold(leaf, |inner, kind| match kind {
            0 => Message { inner: Some(Box::new(inner)), ..Message::default() },
            1 => Message { map: HashMap::from([(1, inner)]), ..Message::default() },
            _ => Message { choice: Some(Choice::Message(Box::new(inner))), ..Message::default() },
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_kind_of_value(value in node()) {
        check_all(&value);
    }

    #[test]
    fn deep_values(value in chain(), depth in 0..300) {
        check_all(&value);
        let value = (0..depth).fold(serde_json::json!(null), |inner, _| serde_json::json!([inner]));
        check::<Json<serde_json::Value>, _>(&value);
        check::<MessagePack<serde_json::Value>, _>(&value);
    }

    #[test]
    fn buffered_values(untagged in untagged(), tagged in tagged(), adjacent in adjacent(), float in float()) {
        check::<Json<UntaggedEnum>, _>(&untagged);
        check::<MessagePack<UntaggedEnum>, _>(&untagged);
        check::<Json<Adjacent>, _>(&adjacent);
        check::<MessagePack<Adjacent>, _>(&adjacent);
        check::<Json<TaggedEnum>, _>(&tagged);
        check::<MessagePack<TaggedEnum>, _>(&tagged);
        let flattened = FlattenedStruct { name: None, tagged };
        check::<Json<FlattenedStruct>, _>(&flattened);
        check::<MessagePack<FlattenedStruct>, _>(&flattened);
        let flattened = FlattenedMap { name: String::new(), map: BTreeMap::from([("a".to_owned(), Some(Float(float)))]) };
        check::<Json<FlattenedMap>, _>(&flattened);
        check::<MessagePack<FlattenedMap>, _>(&flattened);
    }

    #[test]
    fn messages(value in message()) {
        check::<Protobuf<Message>, _>(&value);
    }
}

const NON_FINITE: &str = "NaN and infinite numbers cannot be stored as JSON: store `None`";
const EMPTY_SOME: &str = "`Some(None)` and `Some(())` would be read back as `None`: use an enum";
const TOO_DEEP: &str = "nested too deeply to be read back: about 100 levels are possible";
const WIDE: &str = "`flatten`, `untagged` and `tag` cannot read back `u128` and `i128`: store text";

#[test]
fn floats_without_a_representation_are_rejected() {
    for float in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(encode_error::<Json<f64>>(&float), NON_FINITE);
        assert_eq!(encode_error::<Json<Vec<f64>>>(&vec![1.0, float]), NON_FINITE);
        assert_eq!(encode_error::<Json<Option<f64>>>(&Some(float)), NON_FINITE);
        assert_eq!(encode_error::<Zstd<Json<f64>>>(&float), NON_FINITE);
    }
    assert_eq!(encode_error::<Json<f32>>(&f32::NAN), NON_FINITE);
    assert!(check::<MessagePack<Float>, _>(&Float(f64::NAN)));
    assert!(check::<Postcard<Float>, _>(&Float(f64::NEG_INFINITY)));
}

/// A type that reads `null` as NaN.
#[derive(Serialize, Debug)]
struct Lenient(f64);

impl PartialEq for Lenient {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl<'de> Deserialize<'de> for Lenient {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::deserialize(deserializer).map(|float: Option<f64>| Self(float.unwrap_or(f64::NAN)))
    }
}

/// A type that distinguishes a missing field from `null`.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Patch {
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "some")]
    email: Option<Option<String>>,
}

fn some<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

#[test]
fn types_that_read_null_are_stored() {
    assert!(check::<Json<Lenient>, _>(&Lenient(f64::NAN)));
    assert_eq!(encode_error::<Json<Lenient>>(&Lenient(f64::INFINITY)), NON_FINITE);
    for email in [None, Some(None), Some(Some("ada@example.org".to_owned()))] {
        let patch = Patch { email };
        assert!(check::<Json<Patch>, _>(&patch));
        assert!(check::<MessagePack<Patch>, _>(&patch));
    }
}

#[test]
fn nested_options_are_rejected() {
    assert_eq!(encode_error::<Json<Option<Option<u8>>>>(&Some(None)), EMPTY_SOME);
    assert_eq!(encode_error::<Json<Vec<Option<()>>>>(&vec![None, Some(())]), EMPTY_SOME);
    assert_eq!(encode_error::<Json<Option<Newtype<Unit>>>>(&Some(Newtype(Unit))), EMPTY_SOME);
    assert_eq!(encode_error::<MessagePack<Option<Option<u8>>>>(&Some(None)), EMPTY_SOME);
    assert!(check::<Json<Option<Option<u8>>>, _>(&Some(Some(1))));
    assert!(check::<Postcard<Option<Option<u8>>>, _>(&Some(None)));
}

#[test]
fn too_deep_values_are_rejected() {
    fn boxed(depth: usize) -> BoxedStruct {
        (0..depth).fold(BoxedStruct { inner: None }, |inner, _| BoxedStruct { inner: Some(Box::new(inner)) })
    }
    for depth in [70, 99, 101, 200, 2_000] {
        let (value, fits) = (boxed(depth), depth <= 100);
        assert_eq!(check::<Json<BoxedStruct>, _>(&value), fits, "{depth}");
        assert_eq!(check::<MessagePack<BoxedStruct>, _>(&value), fits, "{depth}");
        assert_eq!(check::<Postcard<BoxedStruct>, _>(&value), fits, "{depth}");
    }
    assert_eq!(encode_error::<Json<BoxedStruct>>(&boxed(200)), TOO_DEEP);
    assert_eq!(encode_error::<MessagePack<BoxedStruct>>(&boxed(2_000)), TOO_DEEP);
    let nested = |depth| {
        (0..depth).fold(Message::default(), |inner, _| Message { inner: Some(Box::new(inner)), ..Message::default() })
    };
    assert!(check::<Protobuf<Message>, _>(&nested(100)));
    let error = "nested too deeply to be read back: at most 100 levels are possible";
    assert_eq!(encode_error::<Protobuf<Message>>(&nested(101)), error);
}

#[test]
fn what_serde_cannot_read_back_is_rejected() {
    assert_eq!(encode_error::<Json<TaggedEnum>>(&TaggedEnum::Wide { number: 1 }), WIDE);
    let skipped = "fields with `skip_serializing_if` cannot be read back: remove the attribute";
    assert_eq!(encode_error::<Postcard<Skipping>>(&Skipping { first: None, second: 2 }), skipped);
    assert!(check::<Json<Skipping>, _>(&Skipping { first: None, second: 2 }));
}

/// The exceptions that the documentation of the module lists.
#[test]
fn documented_exceptions() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(tag = "type")]
    enum KeyedEnum {
        Map { map: BTreeMap<u32, u8> },
    }
    let stored = encode::<Json<KeyedEnum>>(&KeyedEnum::Map { map: BTreeMap::from([(1, 2)]) });
    assert!(decode_error::<Json<KeyedEnum>>(stored).starts_with("JSON does not match the type"));
    let stored = encode::<Postcard<UntaggedEnum>>(&UntaggedEnum::Text(String::new()));
    assert!(decode_error::<Postcard<UntaggedEnum>>(stored).starts_with("Postcard cannot read types"));
}

#[test]
fn large_values_are_read_back_or_rejected() {
    let error = "exceeds 64MB when decoded";
    let wide = vec![None::<[u64; 32]>; 300_000];
    assert_eq!(encode_error::<Json<Vec<Option<[u64; 32]>>>>(&wide), error);
    assert_eq!(encode_error::<Zstd<MessagePack<Vec<Option<[u64; 32]>>>>>(&wide), error);
    assert_eq!(encode_error::<Postcard<Vec<Option<[u64; 32]>>>>(&wide), error);
    let maps = vec![BTreeMap::from([(1, None)]); 30_000];
    assert_eq!(encode_error::<Json<Vec<BTreeMap<u8, Option<[u64; 32]>>>>>(&maps), error);
    let lists = vec![vec![None]; 32_000];
    assert_eq!(encode_error::<Json<Vec<Vec<Option<[[u64; 32]; 3]>>>>>(&lists), error);
    let narrow = vec![None::<u8>; 300_000];
    assert!(check::<Json<Vec<Option<u8>>>, _>(&narrow));
    assert!(check::<Postcard<Vec<Option<u8>>>, _>(&narrow));
    let texts = |count| Message { texts: vec![String::new(); count], ..Message::default() };
    assert!(check::<Protobuf<Message>, _>(&texts(1 << 19)));
    assert_eq!(encode_error::<Protobuf<Message>>(&texts((1 << 19) + 1)), error);
}
