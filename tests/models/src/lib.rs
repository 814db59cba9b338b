//! Models of what threads share, which `loom` runs under every interleaving.
//!
//! They are the files of the library itself, with the locks and atomics of `loom` in place of those of `std`.

#![cfg(test)]

mod near;
mod schema {
    pub(crate) use redis_keys::schema::Schema;
}
