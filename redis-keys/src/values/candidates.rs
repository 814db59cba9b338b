//! Values that are tried where a type has rules of its own, each in turn.

/// Texts: the first is accepted by any text.
pub(super) const TEXTS: [&str; 36] = [
    "a",
    "",
    "0",
    "00000000-0000-4000-8000-000000000001",
    "2026-01-02T03:04:05Z",
    "2026-01-02",
    "03:04:05",
    "2026-01-02T03:04:05",
    "2026-01-02T03:04:05+00:00[UTC]",
    "PT1H",
    "https://a.example/",
    "a@b.example",
    "127.0.0.1",
    "::1",
    "127.0.0.1:80",
    "1.5",
    "1.2.3",
    "en-US",
    "USD",
    "DE",
    "true",
    "0x0000000000000000000000000000000000000001",
    "AAAA",
    "application/json",
    "00000000000000000000000000000001",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "GET",
    "127.0.0.0/8",
    "#000000",
    "UTC",
    "Europe/Berlin",
    "2026-01-02T03:04:05+0000",
    "-----",
    "1h",
    "2026-01",
    "+4915112345678",
];

/// Numbers: counts, then times in seconds and milliseconds.
pub(super) const NUMBERS: [u64; 8] = [0, 1, 2, 10, 100, 1_000, 1_700_000_000, 1_700_000_000_000];

/// Bytes: of any length, and of the usual lengths of identifiers, addresses and keys.
pub(super) const BYTES: [&[u8]; 11] =
    [b"a", &[0; 16], b"", &[0; 4], &[0; 8], &[0; 20], &[0; 32], &[0; 12], &[0; 6], &[0; 24], &[0; 64]];

/// Numbers that are given instead of a candidate, to learn whether the type's own rules reject them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extreme {
    Negative,
    Largest,
}
