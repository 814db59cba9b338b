//! Ids as text and as numbers.

use std::time::{Duration, UNIX_EPOCH};

use super::super::{EntryId, ParseEntryIdError};

#[test]
fn ids_are_read_as_they_are_written() {
    for (text, id) in [
        ("0-0", EntryId::MIN),
        ("1767225600000-3", EntryId::new(1_767_225_600_000, 3)),
        ("18446744073709551615-18446744073709551615", EntryId::MAX),
    ] {
        assert_eq!(text.parse(), Ok(id));
        assert_eq!(id.to_string(), text);
        assert_eq!(EntryId::from_bits(id.to_bits()), id);
        assert_eq!(EntryId::from(<(u64, u64)>::from(id)), id);
    }
    assert_eq!("007-01".parse(), Ok(EntryId::new(7, 1)));
    assert_eq!(format!("{:?}", EntryId::new(7, 1)), "EntryId(7-1)");
}

#[test]
fn what_is_no_id_is_not_read() {
    for text in [
        "",
        "-",
        "1",
        "1-",
        "-1",
        "1-2-3",
        "+1-2",
        "1-+2",
        "1--2",
        " 1-2",
        "1-2 ",
        "18446744073709551616-0",
        "$",
        "é-1",
    ] {
        let error: ParseEntryIdError = text.parse::<EntryId>().unwrap_err();
        assert_eq!(error.to_string(), "the id of an entry is two whole numbers, as in `1767225600000-3`");
    }
}

#[test]
fn the_milliseconds_come_first() {
    let ids = [EntryId::MIN, EntryId::new(0, 1), EntryId::new(0, u64::MAX), EntryId::new(1, 0), EntryId::MAX];
    assert!(ids.is_sorted());
    assert_eq!(ids[2].next(), Some(ids[3]));
    assert_eq!(ids[3].previous(), Some(ids[2]));
    assert_eq!((EntryId::MIN.previous(), EntryId::MAX.next()), (None, None));
}

#[test]
fn moments() {
    let moment = UNIX_EPOCH + Duration::from_millis(1_500);
    assert_eq!(EntryId::at(moment), EntryId::new(1_500, 0));
    assert_eq!(EntryId::at(moment).time(), Some(moment));
    assert_eq!(EntryId::at(UNIX_EPOCH - Duration::from_secs(1)), EntryId::MIN);
}
