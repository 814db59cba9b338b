//! Counters of encrypted values.

use super::counters;

counters! {
    "secret";

    Encrypted   encrypted   "Values that were encrypted.";
    Decrypted   decrypted   "Values that were decrypted.";
    OlderKey    older_keys  "Values that were decrypted with another key than the newest one.";
    Undecryptable undecryptable "Values that could not be decrypted."
        => warn "a value cannot be decrypted: it was changed, or its key is not in the keyring";
}
