//! The argument `--namespace`.

use redis_keys_core::limits;

/// The most bytes of a namespace: half a key.
const MAX_BYTES: usize = limits::MAX_KEY_BYTES / 2;

/// Reads a namespace. The text is the one that programs pass to `redis_keys::key::namespace::set`.
pub(crate) fn namespace(text: &str) -> Result<String, String> {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(limits::is_word_byte);
    let starts_with_letter = text.starts_with(|first: char| first.is_ascii_lowercase());
    if text.len() <= MAX_BYTES && starts_with_letter && text.split('.').all(is_word) {
        return Ok(text.to_owned());
    }
    let message = match text.trim_end_matches(':') {
        without if without.len() < text.len() && namespace(without).is_ok() => {
            format!("a namespace does not contain the `:` behind it: write `{without}`")
        }
        _ => format!(
            "a namespace has words of `a` to `z` and `0` to `9`, joined by `.`, starts with a letter, and has at most \
             {MAX_BYTES} bytes, for example `shop.staging`"
        ),
    };
    Err(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_cannot_set_is_refused() {
        let long = "x".repeat(64);
        for text in ["shop", "shop.staging", "s3.eu", &long] {
            assert_eq!(namespace(text).as_deref(), Ok(text));
            // It is valid, or it is only too late for a second one.
            let set = redis_keys::key::namespace::set(text).map_err(|error| error.to_string());
            assert!(set.as_ref().err().is_none_or(|error| error.contains("already")), "{set:?}");
        }
        let long = "x".repeat(65);
        for text in ["", "shop:", ":", "Shop", "3shop", "shop_a", "shop..a", ".shop", "shop.", "shop a", "shöp", &long]
        {
            assert!(namespace(text).is_err() && redis_keys::key::namespace::set(text).is_err(), "{text}");
        }
        let message = namespace("shop:").err().unwrap_or_default();
        assert_eq!(message, "a namespace does not contain the `:` behind it: write `shop`");
    }
}
