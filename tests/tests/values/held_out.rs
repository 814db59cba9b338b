//! Changes that had no part in the development of the rules.
#![allow(dead_code, unreachable_pub, reason = "the types are only stored and read")]

changes! {
    optional_replaced_by_default {
        pub struct V { stock: Option<u32>, shelf: u8 }
    } {
        pub struct V { #[serde(default)] stock: u32, shelf: u8 }
    }
    inner_struct_made_optional {
        pub struct V { author: Author }
        pub struct Author { name: Option<String> }
    } {
        pub struct V { author: Option<Author> }
        pub struct Author { name: Option<String>, age: Option<u8> }
    }
    texts_to_structs {
        pub struct V { tags: Vec<String> }
    } {
        pub struct V { tags: Vec<Tag> }
        pub struct Tag { label: String }
    }
    bool_to_enum {
        pub struct V { agreed: bool }
    } {
        pub struct V { agreed: Answer }
        pub enum Answer { No, Yes, Later }
    }
    #[texts(Same, Same, Other)]
    variants_in_snake_case {
        pub enum V { InStock, SoldOut(u8) }
    } {
        #[serde(rename_all = "snake_case")]
        pub enum V { InStock, SoldOut(u8) }
    }
    second_value_in_variant {
        pub enum V { Moved(u8), Gone }
    } {
        pub enum V { Moved(u8, u8), Gone }
    }
    adjacent_tag_introduced {
        pub enum V { Moved(u8), Gone }
    } {
        #[serde(tag = "state", content = "to")]
        pub enum V { Moved(u8), Gone }
    }
    tag_renamed {
        #[serde(tag = "type")]
        pub enum V { Moved { to: u8 }, Gone }
    } {
        #[serde(tag = "state")]
        pub enum V { Moved { to: u8 }, Gone }
    }
    struct_in_tagged_variant {
        #[serde(tag = "type")]
        pub enum V { Moved { to: u8, urgent: Option<bool> }, Gone }
    } {
        #[serde(tag = "type")]
        pub enum V { Moved(Moved), Gone }
        pub struct Moved { to: u8, urgent: Option<bool> }
    }
    struct_to_tagged_enum {
        pub struct V { to: u8 }
    } {
        #[serde(tag = "type")]
        pub enum V { Moved { to: u8 } }
    }
    optional_struct_flattened {
        pub struct V { id: u8 }
    } {
        pub struct V { id: u8, #[serde(flatten)] author: Option<Author> }
        pub struct Author { age: u8 }
    }
    map_flattened {
        pub struct V { id: u8, age: u8 }
    } {
        pub struct V { id: u8, #[serde(flatten)] rest: BTreeMap<String, u8> }
    }
    type_changed_in_flattened {
        pub struct V { id: u8, #[serde(flatten)] author: Author }
        pub struct Author { #[serde(skip_serializing_if = "Option::is_none")] age: Option<u8> }
    } {
        pub struct V { id: u8, #[serde(flatten)] author: Author }
        pub struct Author { #[serde(skip_serializing_if = "Option::is_none")] age: Option<String> }
    }
    milliseconds_to_seconds {
        pub struct V { #[serde(with = "chrono::serde::ts_milliseconds")] at: Instant }
    } {
        pub struct V { #[serde(with = "chrono::serde::ts_seconds")] at: Instant }
    }
    own_functions_for_an_option {
        pub struct V { age: Option<u8> }
    } {
        pub struct V { #[serde(with = "same")] age: Option<u8> }
    } {
        mod same {
            use serde::{Deserialize, Deserializer, Serialize, Serializer};

            #[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
            pub fn serialize<S: Serializer>(age: &Option<u8>, serializer: S) -> Result<S::Ok, S::Error> {
                age.serialize(serializer)
            }

            pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
                Option::deserialize(deserializer)
            }
        }
    }
    #[texts(Other, Other, Same)]
    uuid_without_hyphens {
        pub struct V { id: uuid::Uuid }
    } {
        pub struct V { #[serde(with = "uuid::serde::simple")] id: uuid::Uuid }
    }
    date_to_time {
        pub struct V { at: chrono::NaiveDate }
    } {
        pub struct V { at: Instant }
    }
    addresses_of_one_version {
        pub struct V { from: std::net::IpAddr }
    } {
        pub struct V { from: std::net::Ipv4Addr }
    }
    result_widened {
        pub struct V { found: Result<u8, String> }
    } {
        pub struct V { found: Result<u16, String> }
    }
    types_that_contain_each_other {
        pub struct V { shelf: Option<Box<Shelf>> }
        pub struct Shelf { boxes: Vec<V>, number: u8 }
    } {
        pub struct V { shelf: Option<Box<Shelf>> }
        pub struct Shelf { boxes: Vec<V>, number: u16 }
    }
    variant_added_to_recursive_enum {
        pub enum V { Value(f64), Sum(Box<V>, Box<V>), Negated(Box<V>) }
    } {
        pub enum V { Value(f64), Sum(Box<V>, Box<V>), Negated(Box<V>), Product(Vec<V>) }
    }
    no_longer_written {
        pub struct V { id: u8, age: u8 }
    } {
        pub struct V { id: u8, #[serde(skip_serializing, default)] age: u8 }
    }
    bytes_to_text {
        pub struct V { raw: Vec<u8> }
    } {
        pub struct V { raw: String }
    }
    several_changes_at_once {
        pub struct V { id: u8, delta: i16, name: String }
    } {
        #[serde(rename_all = "UPPERCASE", deny_unknown_fields)]
        pub struct V {
            #[serde(alias = "id")]
            id: u32,
            #[serde(alias = "delta", default)]
            delta: i64,
            #[serde(alias = "name")]
            name: String,
        }
    }
    alternatives_reordered {
        pub struct V { found: Vec<Found> }
        #[serde(untagged)]
        pub enum Found { Page { title: String }, Number(i32), Flag(bool) }
    } {
        pub struct V { found: Vec<Found> }
        #[serde(untagged)]
        pub enum Found { Flag(bool), Number(i32), Page { title: String } }
    }
    alternatives_made_strict {
        pub struct V { limit: Limit }
        #[serde(untagged)]
        pub enum Limit { Size(Size), Time(Time) }
        #[serde(deny_unknown_fields)]
        pub struct Size { bytes: u64 }
        #[serde(deny_unknown_fields)]
        pub struct Time { seconds: u32, #[serde(skip_serializing_if = "Option::is_none")] jitter: Option<u32> }
    } {
        pub struct V { limit: Limit }
        #[serde(untagged)]
        pub enum Limit { Size(Size), Time(Time) }
        #[serde(deny_unknown_fields)]
        pub struct Size { bytes: u64 }
        #[serde(deny_unknown_fields)]
        pub struct Time { seconds: u32 }
    }
    alternatives_inside_alternatives {
        pub struct V { to: To, id: u8 }
        #[serde(untagged)]
        pub enum To { Place(Place), Name(String) }
        #[serde(untagged)]
        pub enum Place { Street { street: String, number: u16 }, Post { code: u32 } }
    } {
        pub struct V { to: To, id: u8 }
        #[serde(untagged)]
        pub enum To { Place(Place), Name(String) }
        #[serde(untagged)]
        pub enum Place { Street { street: String, number: String }, Post { code: u32 } }
    }
    optional_alternatives {
        pub struct V { reply: Option<Reply>, count: u8 }
        #[serde(untagged)]
        pub enum Reply { Code { code: u8 }, Text { text: String } }
    } {
        pub struct V { reply: Option<Reply>, count: u8 }
        #[serde(untagged)]
        pub enum Reply { Code { code: u8 }, Text { text: Vec<String> } }
    }
    alternatives_that_contain_themselves {
        #[serde(untagged)]
        pub enum V { Number(f64), List(Vec<V>) }
    } {
        #[serde(untagged)]
        pub enum V { Number(f64), List(Vec<V>), Name { name: String } }
    }
    struct_to_alternatives {
        pub struct V { owner: Owner }
        pub struct Owner { name: String }
    } {
        pub struct V { owner: Owner }
        #[serde(untagged)]
        pub enum Owner { Person { name: String }, Team { team: String, size: u8 } }
    }
    two_fields_of_the_same_alternatives {
        pub struct V { first: Side, second: Side }
        #[serde(untagged)]
        pub enum Side { Left { left: u8 }, Right { right: String } }
    } {
        pub struct V { first: Side, second: Side }
        #[serde(untagged)]
        pub enum Side { Left { left: u8 }, Right { right: u8 } }
    }
}
