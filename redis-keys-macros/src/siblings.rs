//! The keys of a crate that may be fields of one object: the one thing that is known of other keys here.

use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::sync::{LazyLock, Mutex, PoisonError};

use redis_keys_schema::{Elder, Sibling, Warning};

use crate::input::Input;

/// The crate and the shape of the object, and the keys that were the first field of an object each: text alone, since tokens
/// don't outlive their derive.
type Elders = HashMap<(Option<OsString>, Option<OsString>, String), Vec<Known>>;

static ELDERS: LazyLock<Mutex<Elders>> = LazyLock::new(Mutex::default);

struct Known {
    elder: Elder,
    /// What tells its declaration from others: an editor expands each anew whenever something changes.
    declared: String,
}

/// What is told of a key that is a field of the same object as one before it.
pub(crate) fn meet(input: &Input<'_>, sibling: &Sibling) -> Option<Warning> {
    let shape = (env::var_os("CARGO_MANIFEST_DIR"), env::var_os("CARGO_CRATE_NAME"), sibling.shape.clone());
    let mut elders = ELDERS.lock().unwrap_or_else(PoisonError::into_inner);
    told(elders.entry(shape).or_default(), sibling, input.place())
}

/// Takes note of the key where it is the first of its object.
fn told(elders: &mut Vec<Known>, sibling: &Sibling, declared: String) -> Option<Warning> {
    let known = elders.iter().position(|known| known.declared == declared);
    if let Some(at) = known {
        elders.remove(at);
    }
    if let Some(known) = elders.iter().find(|known| sibling.is_of_the_object_of(&known.elder)) {
        return sibling.warning(&known.elder);
    }
    let (name, place) = declared.split_once(' ').unwrap_or((&declared, ""));
    let place = place.rsplit_once(':').map_or(place, |(place, _)| place);
    let elder = sibling.elder(name, place);
    elders.insert(known.unwrap_or(elders.len()), Known { elder, declared });
    None
}

#[cfg(test)]
mod tests {
    use redis_keys_schema::{Attribute, Field, Item, Policy, Shape, check};

    use super::*;

    fn sibling(template: &str, name: &str) -> Option<Sibling> {
        let attribute = format!("{template}, value = u64, ttl = 1h");
        let fields = vec![Field { name: name.to_owned(), ty: "u64", phantom: false, attributes: vec![] }];
        let attributes = vec![Attribute::Arguments(&attribute)];
        check(&Item { shape: Shape::Struct, documented: true, attributes, fields }, &Policy::default()).sibling
    }

    /// The key that is named, if there is one.
    fn named(elders: &mut Vec<Known>, template: &str, name: &str, declared: &str) -> Option<String> {
        let told = told(elders, &sibling(template, name)?, declared.to_owned())?;
        told.message.split("the key `").nth(1)?.split('`').next().map(str::to_owned)
    }

    #[test]
    fn the_first_of_each_object_is_named() {
        let elders = &mut Vec::new();
        assert_eq!(named(elders, "shop:{order_id}:name:string", "order_id", "First src/a.rs:1:8"), None);
        assert_eq!(named(elders, "shop:{customer_id}:name:string", "customer_id", "Second src/a.rs:2:8"), None);
        assert_eq!(named(elders, "shop:{customer}:age:string", "customer", "X a:3:8").as_deref(), Some("Second"));
        assert_eq!(named(elders, "shop:{id}:town:string", "id", "Y a:4:8").as_deref(), Some("First"));
        // It may be expanded anew, and be the field of another object then.
        assert_eq!(named(elders, "shop:{order_id}:names:string", "order_id", "First src/a.rs:1:8"), None);
        let moved = named(elders, "shop:{order}:price:string", "order", "Second src/a.rs:2:8");
        assert_eq!((moved.as_deref(), elders.len()), (Some("First"), 1));
    }
}
