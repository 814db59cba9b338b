//! `sibling_fields`: finds earlier keys of a crate that are fields of the same object.

use std::collections::HashMap;

use redis_keys_schema::{EarlierSibling, Sibling, Warning};

/// The keys of a crate that were the first field of an object each, by the shape of the object. Only text is kept:
/// tokens do not outlive their derive.
#[derive(Default)]
pub struct Siblings(HashMap<String, Vec<Registration>>);

struct Registration {
    sibling: EarlierSibling,
    /// Identifies the declaration: an editor expands each again after a change.
    declared: String,
}

impl Siblings {
    /// The warning for a key that is a field of the same object as an earlier one. `declared` identifies the
    /// declaration: its name, file, line and column.
    pub fn check(&mut self, sibling: &Sibling, declared: String) -> Option<Warning> {
        register(self.0.entry(sibling.shape.clone()).or_default(), sibling, declared)
    }
}

/// Registers a key if it is the first of its object.
fn register(registered: &mut Vec<Registration>, sibling: &Sibling, declared: String) -> Option<Warning> {
    let previous = registered.iter().position(|known| known.declared == declared);
    if let Some(at) = previous {
        registered.remove(at);
    }
    if let Some(known) = registered.iter().find(|known| sibling.shares_object_with(&known.sibling)) {
        return sibling.warning(&known.sibling);
    }
    let (name, place) = declared.split_once(' ').unwrap_or((&declared, ""));
    let place = place.rsplit_once(':').map_or(place, |(place, _)| place);
    let sibling = sibling.earlier(name, place);
    registered.insert(previous.unwrap_or(registered.len()), Registration { sibling, declared });
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
        let item = Item { name: "Case".to_owned(), shape: Shape::Struct, documented: true, attributes, fields };
        check(&item, &Policy::default()).sibling
    }

    /// The struct that the warning names, if there is one.
    fn named(registered: &mut Vec<Registration>, template: &str, name: &str, declared: &str) -> Option<String> {
        let warning = register(registered, &sibling(template, name)?, declared.to_owned())?;
        warning.message.split("` of `").nth(1)?.split('`').next().map(str::to_owned)
    }

    #[test]
    fn the_first_field_of_each_object_is_named() {
        let registered = &mut Vec::new();
        let mut named = |template, name, declared| named(registered, template, name, declared);
        assert_eq!(named("shop:{order_id}:name:string", "order_id", "First src/a.rs:1:8"), None);
        assert_eq!(named("shop:{customer_id}:name:string", "customer_id", "Second src/a.rs:2:8"), None);
        assert_eq!(named("shop:{customer}:age:string", "customer", "X a:3:8").as_deref(), Some("Second"));
        assert_eq!(named("shop:{id}:town:string", "id", "Y a:4:8").as_deref(), Some("First"));
        // An edited declaration can become the field of another object.
        assert_eq!(named("shop:{order_id}:names:string", "order_id", "First src/a.rs:1:8"), None);
        let moved = named("shop:{order}:price:string", "order", "Second src/a.rs:2:8");
        assert_eq!((moved.as_deref(), registered.len()), (Some("First"), 1));
    }
}
