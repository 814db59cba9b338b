//! The changes on which the rules were developed.
#![allow(dead_code, unreachable_pub, reason = "the types are only stored and read")]

changes! {
    // Fields.
    optional_field_added {
        pub struct V { id: u32, city: String }
    } {
        pub struct V { id: u32, city: String, floor: Option<u8> }
    }
    mandatory_field_added {
        pub struct V { id: u32 }
    } {
        pub struct V { id: u32, floor: u8 }
    }
    field_with_default_added {
        pub struct V { id: u32 }
    } {
        pub struct V { id: u32, #[serde(default)] note: String }
    }
    field_added_in_front {
        pub struct V { id: u32 }
    } {
        pub struct V { #[serde(default)] shelf: u32, id: u32 }
    }
    field_added_to_elements {
        pub struct V { lines: Vec<Line>, paid: bool }
        pub struct Line { count: u8 }
    } {
        pub struct V { lines: Vec<Line>, paid: bool }
        pub struct Line { count: u8, #[serde(default)] rebate: u8 }
    }
    fields_added_to_default_struct {
        pub struct V { id: u32 }
    } {
        #[derive(Default)]
        #[serde(default)]
        pub struct V { id: u32, note: String, codes: Vec<u8> }
    }
    optional_field_removed {
        pub struct V { id: u32, floor: Option<u8> }
    } {
        pub struct V { id: u32 }
    }
    field_renamed {
        pub struct V { id: u32, city: String }
    } {
        pub struct V { id: u32, town: String }
    }
    field_renamed_with_alias {
        pub struct V { id: u32, city: String }
    } {
        pub struct V { id: u32, #[serde(alias = "city")] town: String }
    }
    field_renamed_in_code {
        pub struct V { id: u32, city: String }
    } {
        pub struct V { id: u32, #[serde(rename = "city")] town: String }
    }
    fields_in_camel_case {
        pub struct V { home_town: String }
    } {
        #[serde(rename_all = "camelCase")]
        pub struct V { home_town: String }
    }
    fields_reordered {
        pub struct V { city: String, street: String, number: u8 }
    } {
        pub struct V { street: String, city: String, number: u8 }
    }
    field_skipped {
        pub struct V { id: u32, floor: u8 }
    } {
        pub struct V { id: u32, #[serde(skip)] floor: u8 }
    }
    none_not_written {
        pub struct V { id: u32, floor: Option<u8> }
    } {
        pub struct V { id: u32, #[serde(skip_serializing_if = "Option::is_none")] floor: Option<u8> }
    }
    empty_list_not_written {
        pub struct V { id: u32, codes: Vec<u8> }
    } {
        pub struct V { id: u32, #[serde(default, skip_serializing_if = "Vec::is_empty")] codes: Vec<u8> }
    }
    unknown_fields_denied {
        #[serde(deny_unknown_fields)]
        pub struct V { id: u32 }
    } {
        #[serde(deny_unknown_fields)]
        pub struct V { id: u32, #[serde(default)] floor: u8 }
    }

    // Types of values.
    integers_widened {
        pub struct V { visits: u32, delta: i16 }
    } {
        pub struct V { visits: u64, delta: i64 }
    }
    byte_widened {
        pub struct V { floor: u8 }
    } {
        pub struct V { floor: u16 }
    }
    sign_dropped {
        pub struct V { delta: i32 }
    } {
        pub struct V { delta: u32 }
    }
    float_widened {
        pub struct V { share: f32, floor: u8 }
    } {
        pub struct V { share: f64, floor: u8 }
    }
    integer_to_float {
        pub struct V { visits: u32 }
    } {
        pub struct V { visits: f64 }
    }
    integer_to_text {
        pub struct V { id: u64 }
    } {
        pub struct V { id: String }
    }
    value_made_optional {
        pub struct V { id: u64, city: String }
    } {
        pub struct V { id: Option<u64>, city: String }
    }
    one_to_many {
        pub struct V { tag: String }
    } {
        pub struct V { tag: Vec<String> }
    }
    newtypes_introduced {
        pub struct V { id: u64, city: String }
    } {
        pub struct V { id: Id, city: City }
        pub struct Id(u64);
        #[serde(transparent)]
        pub struct City { name: String }
    }
    pointers_introduced {
        pub struct V { id: u32, city: std::borrow::Cow<'static, str> }
    } {
        pub struct V { id: Box<u32>, city: Box<str> }
    }
    anything_accepted {
        pub struct V { id: u32 }
    } {
        pub struct V { id: serde_json::Value }
    }
    zero_rejected {
        pub struct V { floor: u8 }
    } {
        pub struct V { floor: std::num::NonZeroU8 }
    }
    own_conversion {
        pub struct V { percent: u8 }
    } {
        pub struct V { percent: Percent }
        #[derive(Clone)]
        #[serde(try_from = "u8", into = "u8")]
        pub struct Percent(u8);
    } {
        impl TryFrom<u8> for Percent {
            type Error = &'static str;

            fn try_from(percent: u8) -> Result<Self, Self::Error> {
                if percent <= 100 { Ok(Self(percent)) } else { Err("more than 100") }
            }
        }

        impl From<Percent> for u8 {
            fn from(percent: Percent) -> Self {
                percent.0
            }
        }
    }
    float_to_decimal_text {
        pub struct V { price: f64 }
    } {
        pub struct V { #[serde(with = "decimal")] price: f64 }
    } {
        mod decimal {
            use serde::{Deserialize, Deserializer, Serializer, de};

            #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
            pub fn serialize<S: Serializer>(price: &f64, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(price)
            }

            pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
            }
        }
    }
    #[texts(Same, Other, Other)]
    #[also(r#"{"id": "f47ac10b-58cc-4372-a567-0e02b2c3d479"}"#)]
    uuid_to_text {
        pub struct V { id: uuid::Uuid }
    } {
        pub struct V { id: String }
    }
    time_to_seconds {
        pub struct V { at: Instant }
    } {
        pub struct V { #[serde(with = "chrono::serde::ts_seconds")] at: Instant }
    }
    chrono_to_jiff {
        pub struct V { at: Instant }
    } {
        pub struct V { at: jiff::Timestamp }
    }
    duration_to_seconds {
        pub struct V { wait: std::time::Duration }
    } {
        pub struct V { wait: u64 }
    }

    // Lists, tuples and maps.
    tuple_to_struct {
        pub struct V { place: (u8, u16) }
    } {
        pub struct V { place: Place }
        pub struct Place { floor: u8, room: u16 }
    }
    #[texts(Other, Other, Other)]
    set_to_list {
        pub struct V { codes: BTreeSet<u16> }
    } {
        pub struct V { codes: Vec<u16> }
    }
    list_to_array {
        pub struct V { codes: Vec<u16> }
    } {
        pub struct V { codes: [u16; 2] }
    }
    map_to_struct {
        pub struct V { counts: BTreeMap<String, u8> }
    } {
        pub struct V { counts: Counts }
        pub struct Counts { reads: u8 }
    }
    numbers_to_texts_as_keys {
        pub struct V { counts: BTreeMap<u64, u8> }
    } {
        pub struct V { counts: BTreeMap<String, u8> }
    }
    recursive_type {
        pub struct V { id: u8, children: Vec<V> }
    } {
        pub struct V { id: u8, children: Vec<V>, #[serde(default)] depth: u8 }
    }
    generic_type {
        pub struct V { ids: Page<u32>, names: Page<String> }
        pub struct Page<T> { items: Vec<T>, number: u8 }
    } {
        pub struct V { ids: Page<u64>, names: Page<Option<String>> }
        pub struct Page<T> { items: Vec<T>, number: u8 }
    }

    // Flattened structs.
    fields_flattened {
        pub struct V { id: u64, floor: u8, city: Option<String> }
    } {
        pub struct V { id: u64, #[serde(flatten)] place: Place }
        pub struct Place { floor: u8, city: Option<String> }
    }
    inner_struct_flattened {
        pub struct V { id: u64, place: Place }
        pub struct Place { floor: u8 }
    } {
        pub struct V { id: u64, #[serde(flatten)] place: Place }
        pub struct Place { floor: u8 }
    }
    field_added_to_flattened {
        pub struct V { id: u64, #[serde(flatten)] place: Place }
        pub struct Place { floor: u8 }
    } {
        pub struct V { id: u64, #[serde(flatten)] place: Place }
        pub struct Place { floor: u8, room: u8 }
    }

    // Enums.
    text_to_enum {
        pub struct V { plan: String }
    } {
        pub struct V { plan: Plan }
        pub enum Plan { Free, Paid }
    }
    #[texts(Other, Other, Other)]
    text_to_enum_with_other {
        pub struct V { plan: String }
    } {
        pub struct V { plan: Plan }
        pub enum Plan { Free, Paid, #[serde(other)] Unknown }
    }
    variant_added_at_the_end {
        pub enum V { Free, Paid }
    } {
        pub enum V { Free, Paid, Team(u8) }
    }
    variant_added_in_the_middle {
        pub enum V { Free, Paid }
    } {
        pub enum V { Free, Team, Paid }
    }
    variant_removed {
        pub enum V { Paid(u8), Team(u8), Free }
    } {
        pub enum V { Paid(u8), Free }
    }
    #[texts(Same, Same, Other)]
    variant_renamed {
        pub enum V { Free, Paid }
    } {
        pub enum V { Free, Pro }
    }
    #[texts(Other, Other, Other)]
    variant_renamed_with_alias {
        pub enum V { Free, Paid }
    } {
        pub enum V { Free, #[serde(alias = "Paid")] Pro }
    }
    content_added_to_variant {
        pub enum V { Free, Paid }
    } {
        pub enum V { Free, Paid(u8) }
    }
    field_added_to_variant {
        pub enum V { Paid { seats: u8 }, Free }
    } {
        pub enum V { Paid { seats: u8, #[serde(default)] rebate: u8 }, Free }
    }
    struct_instead_of_fields_of_variant {
        pub enum V { Paid { seats: u8 }, Free }
    } {
        pub enum V { Paid(Seats), Free }
        pub struct Seats { seats: u8 }
    }

    // Enums in other notations.
    tag_introduced {
        pub enum V { Mail { to: u8 }, Text { number: String } }
    } {
        #[serde(tag = "kind")]
        pub enum V { Mail { to: u8 }, Text { number: String } }
    }
    variant_added_to_tagged {
        #[serde(tag = "kind")]
        pub enum V { Mail { to: u8 }, Silent }
    } {
        #[serde(tag = "kind")]
        pub enum V { Mail { to: u8 }, Silent, Push { urgent: bool } }
    }
    mandatory_field_added_to_tagged {
        #[serde(tag = "kind")]
        pub enum V { Mail { to: u8 }, Silent }
    } {
        #[serde(tag = "kind")]
        pub enum V { Mail { to: u8, subject: String }, Silent }
    }
    optional_field_added_to_tagged {
        #[serde(tag = "kind")]
        pub enum V { Mail { to: u8 }, Silent }
    } {
        #[serde(tag = "kind")]
        pub enum V { Mail { to: u8, subject: Option<String> }, Silent }
    }
    type_changed_in_tagged {
        #[serde(tag = "kind")]
        pub enum V { Mail { to: u8 }, Silent }
    } {
        #[serde(tag = "kind")]
        pub enum V { Mail { to: String }, Silent }
    }
    field_added_to_adjacently_tagged {
        #[serde(tag = "kind", content = "data")]
        pub enum V { Mail { to: u8 }, Text(u8), Silent }
    } {
        #[serde(tag = "kind", content = "data")]
        pub enum V { Mail { to: u8, copy: u8 }, Text(u8), Silent }
    }
    variant_added_to_untagged {
        #[serde(untagged)]
        pub enum V { Number(u32), Name(String) }
    } {
        #[serde(untagged)]
        pub enum V { Number(u32), Name(String), Flag(bool) }
    }
    #[also("7")]
    variant_removed_from_untagged {
        #[serde(untagged)]
        pub enum V { Number(u32), Name(String) }
    } {
        #[serde(untagged)]
        pub enum V { Name(String) }
    }
    #[also(r#"{"to": ["a", "b"]}"#)]
    text_to_untagged {
        pub struct V { to: String }
    } {
        pub struct V { to: To }
        #[serde(untagged)]
        pub enum To { One(String), Many(Vec<String>) }
    }
    field_added_to_untagged_variant {
        #[serde(untagged)]
        pub enum V { Number { number: u32 }, Place { floor: u32 } }
    } {
        #[serde(untagged)]
        pub enum V { Number { number: u32 }, Place { floor: u32, room: u32 } }
    }
    // Enums without a tag that each value has, and values that a type reads by its own rules.
    untagged_introduced {
        pub struct V { id: u32, note: String }
    } {
        pub struct V { id: u32, payment: Payment }
        #[serde(untagged)]
        pub enum Payment { Card { number: u64 }, Cash { currency: String } }
    }
    field_added_to_untagged_in_a_field {
        pub struct V { payment: Payment }
        #[serde(untagged)]
        pub enum Payment { Card(Card), Cash(Cash) }
        pub struct Card { number: u64 }
        pub struct Cash { currency: String }
    } {
        pub struct V { payment: Payment }
        #[serde(untagged)]
        pub enum Payment { Card(Card), Cash(Cash) }
        pub struct Card { number: u64, code: u16 }
        pub struct Cash { currency: String }
    }
    #[also(r#"{"payment": {"number": 1, "state": "Late"}}"#)]
    variant_added_inside_untagged {
        pub struct V { payment: Payment }
        #[serde(untagged)]
        pub enum Payment { Card { number: u64, state: State }, Cash { currency: String, state: State } }
        pub enum State { Open, Paid }
    } {
        pub struct V { payment: Payment }
        #[serde(untagged)]
        pub enum Payment { Card { number: u64, state: State }, Cash { currency: String, state: State } }
        pub enum State { Open, Late, Paid }
    }
    value_made_optional_in_untagged {
        pub struct V { payment: Payment }
        #[serde(untagged)]
        pub enum Payment { Card { number: u64, holder: String }, Cash { currency: String } }
    } {
        pub struct V { payment: Payment }
        #[serde(untagged)]
        pub enum Payment { Card { number: u64, holder: Option<String> }, Cash { currency: String } }
    }
    #[also(
        r#"{"type": "Paid", "currency": "EUR", "cents": 18446744073709551615}"#,
        r#"{"type": "Paid", "currency": "EUR", "cents": -1}"#
    )]
    numbers_changed_in_untagged_beside_a_tag {
        #[serde(tag = "type")]
        pub enum V { Paid(Payment), Failed { payment: Payment, reason: String } }
        #[serde(untagged)]
        pub enum Payment { Card { number: u64 }, Cash { currency: String, cents: u64 } }
    } {
        #[serde(tag = "type")]
        pub enum V { Paid(Payment), Failed { payment: Payment, reason: String } }
        #[serde(untagged)]
        pub enum Payment { Card { number: u64 }, Cash { currency: String, cents: i32 } }
    }
    #[also(r#"{"urls": ["a", "b"], "id": 1}"#)]
    list_read_by_own_rules {
        pub struct V { id: u8, #[serde(flatten)] pages: Pages }
        pub struct Pages { urls: Vec<String> }
    } {
        pub struct V { id: u8, #[serde(flatten)] pages: Pages }
        pub struct Pages { #[serde(deserialize_with = "links")] urls: Vec<Link> }
        pub struct Link { url: String }
    } {
        fn links<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<Link>, D::Error> {
            use serde::de::Error as _;
            use serde_json::Value;

            let Value::Array(links) = Value::deserialize(deserializer)? else { return Err(D::Error::custom("no list")) };
            let read = |link| match link {
                Value::String(url) => Ok(Link { url }),
                link => serde_json::from_value(link).map_err(D::Error::custom),
            };
            links.into_iter().map(read).collect()
        }
    }
    text_to_a_secret {
        pub struct V { plan: Plan }
        pub enum Plan { Free, Paid(Paid) }
        pub struct Paid { key: String, seats: u8 }
    } {
        pub struct V { plan: Plan }
        pub enum Plan { Free, Paid(Paid) }
        pub struct Paid { #[serde(deserialize_with = "decrypt")] key: String, seats: u8 }
    } {
        fn decrypt<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
            let text = String::deserialize(deserializer)?;
            text.strip_prefix("encrypted:").map(str::to_owned).ok_or(serde::de::Error::custom("not encrypted"))
        }
    }
}
