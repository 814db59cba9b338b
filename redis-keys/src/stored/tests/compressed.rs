//! The compressing forms.

use std::io::{self, Write as _};

use flate2::{Compression, GzBuilder, write::GzEncoder};

use super::{Stored, StoredError, bytes, told};
use crate::stored::{Gzip, Lz4, MAX_DECOMPRESSED_BYTES, MIN_COMPRESSED_BYTES, Snappy, Zstd};

const PLAIN: u8 = 0xff;

/// Each with its mark.
macro_rules! each {
    ($form:ident, $mark:ident => $check:block) => {
        each!(@ $form $mark $check Zstd 0xfe, Gzip 0xfc, Snappy 0xf7, Lz4 0xf6);
    };
    (@ $form:ident $mark:ident $check:block $($name:ident $byte:literal),*) => {$({
        type $form<F> = $name<F>;
        let $mark: u8 = $byte;
        $check
    })*};
}

/// Bytes that nothing can compress.
fn noise(len: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(42);
    (0..len).map(|_| random.u8(..)).collect()
}

/// Errors of this form say what it is read as, and nothing else.
#[track_caller]
fn wrong<F: Stored>(mark: u8, packed: &[u8]) -> String {
    told::<F>([&[mark], packed].concat())
}

#[test]
fn small_values_stay_as_they_are() {
    each!(Form, mark => {
        assert_eq!(bytes::<Form<String>>("Ada").unwrap(), b"\xffAda");
        assert_eq!(bytes::<Form<String>>("").unwrap(), b"\xff");
        let below = "a".repeat(MIN_COMPRESSED_BYTES - 1);
        let stored = bytes::<Form<String>>(&below).unwrap();
        assert_eq!((stored.len(), stored[0]), (MIN_COMPRESSED_BYTES, PLAIN));
        assert_eq!(Form::<String>::decode(stored).unwrap(), below);
        let from = "a".repeat(MIN_COMPRESSED_BYTES);
        let stored = bytes::<Form<String>>(&from).unwrap();
        assert_eq!(stored[0], mark);
        assert!(stored.len() < 60);
        assert_eq!(Form::<String>::decode(stored).unwrap(), from);
        assert_eq!(Form::<String>::decode(b"\xff".to_vec()).unwrap(), "");
    });
}

#[test]
fn what_gets_no_smaller_stays_as_it_is() {
    let noise = noise(2_000);
    each!(Form, mark => {
        let stored = bytes::<Form<Vec<u8>>>(&noise).unwrap();
        assert_ne!(stored[0], mark);
        assert_eq!((stored[0], &stored[1..]), (PLAIN, &noise[..]));
        assert_eq!(Form::<Vec<u8>>::decode(stored).unwrap(), noise);
    });
}

#[test]
fn one_goes_around_another() {
    let text = "less is more, ".repeat(100);
    let stored = bytes::<Zstd<Gzip<Lz4<Snappy<String>>>>>(&text).unwrap();
    assert_eq!(Zstd::<Gzip<Lz4<Snappy<String>>>>::decode(stored).unwrap(), text);
}

#[test]
fn marks_are_told_apart() {
    each!(Form, mark => {
        let told_of = |bytes: &[u8]| told::<Form<Vec<u8>>>(bytes);
        assert_eq!(told_of(b""), "it is empty, without the mark that a compressing form writes");
        for plain in [&b"{}"[..], b"secret", b"12", "é".as_bytes(), b"\x00", b"\xfd", b"\xf5"] {
            assert_eq!(told_of(plain), "it does not begin with the mark that a compressing form writes");
        }
        for (other, name) in [(0xfe, "Zstd"), (0xfc, "Gzip"), (0xf7, "Snappy"), (0xf6, "Lz4")] {
            if other != mark {
                assert_eq!(told_of(&[other, 1, 2, 3]), format!("it is compressed as `{name}`"));
            }
        }
    });
}

/// So that a value from before the form was wrapped is never taken for a compressed one.
#[test]
fn no_text_and_no_message_begins_with_a_mark() {
    for first in 0..=char::MAX as u32 {
        let Some(first) = char::from_u32(first) else { continue };
        let byte = first.encode_utf8(&mut [0; 4]).as_bytes()[0];
        assert!(![0xf6, 0xf7, 0xfc, 0xfe, 0xff].contains(&byte), "{first}");
    }
    for mark in [0xf6u8, 0xf7, 0xfc, 0xfe, 0xff] {
        // Six and seven are no wire types, and four ends a group that has to begin first.
        assert!([4, 6, 7].contains(&(mark & 7)), "{mark}");
    }
}

#[test]
fn broken_bytes_are_refused() {
    let text = noise(300).repeat(4);
    each!(Form, mark => {
        let stored = bytes::<Form<Vec<u8>>>(&text).unwrap();
        assert_eq!(stored[0], mark);
        for end in 1..stored.len() {
            let error = told::<Form<Vec<u8>>>(&stored[..end]);
            assert!(error.starts_with("it has the mark of `"), "{end} of {}: {error}", stored.len());
        }
        let error = told::<Form<Vec<u8>>>([&stored[..], b"more"].concat());
        assert!(error.ends_with("` and cannot be decompressed as such"), "{error}");
    });
}

#[test]
fn the_inner_form_has_its_own_errors() {
    each!(Form, mark => {
        assert_eq!(told::<Form<String>>([PLAIN, 0xc3]), "it is not UTF-8 text");
        let stored = bytes::<Form<Vec<u8>>>(&[0xc3; 1000]).unwrap();
        assert_eq!(stored[0], mark);
        assert_eq!(told::<Form<String>>(stored), "it is not UTF-8 text");
    });
}

#[test]
fn the_largest_value_comes_back() {
    let largest = vec![7; MAX_DECOMPRESSED_BYTES];
    each!(Form, mark => {
        let stored = bytes::<Form<Vec<u8>>>(&largest).unwrap();
        assert_eq!(stored[0], mark);
        assert!(Form::<Vec<u8>>::decode(stored).unwrap() == largest);
    });
}

#[test]
fn what_could_not_be_read_back_is_not_written() {
    let too_large = vec![7; MAX_DECOMPRESSED_BYTES + 1];
    let error = "before compression it has more than 16MB, which would not be read back";
    each!(Form, _mark => {
        assert_eq!(bytes::<Form<Vec<u8>>>(&too_large).unwrap_err().to_string(), error);
        assert_eq!(bytes::<Form<Endless>>("x").unwrap_err().to_string(), error);
        assert_eq!(bytes::<Form<Careless>>("x").unwrap_err().to_string(), error);
    });
}

/// Writes as long as it can.
struct Endless;

/// The same, and does not look at what writing says.
struct Careless;

impl Stored for Endless {
    type Input = str;
    type Output = ();

    fn encode(value: &str, out: &mut impl io::Write) -> Result<(), StoredError> {
        loop {
            out.write_all(value.repeat(100_000).as_bytes()).map_err(|_| StoredError::new("it ends"))?;
        }
    }

    fn decode(_bytes: Vec<u8>) -> Result<(), StoredError> {
        Ok(())
    }

    fn size_hint(_value: &str) -> usize {
        usize::MAX
    }
}

impl Stored for Careless {
    type Input = str;
    type Output = ();

    fn encode(value: &str, out: &mut impl io::Write) -> Result<(), StoredError> {
        let block = value.repeat(1 << 20);
        for _ in 0..20 {
            drop(out.write(block.as_bytes()));
        }
        out.flush().map_err(|_| StoredError::new("it cannot be flushed"))
    }

    fn decode(_bytes: Vec<u8>) -> Result<(), StoredError> {
        Ok(())
    }
}

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut writer = GzEncoder::new(Vec::new(), Compression::best());
    writer.write_all(plain).unwrap();
    writer.finish().unwrap()
}

/// Behind the mark stands what every program for the format writes and reads.
#[test]
fn what_other_programs_compress_is_read() {
    let text = "less is more, ".repeat(100);
    let read = |mark: u8, packed: &[u8]| [&[mark], packed].concat();
    let file = GzBuilder::new().filename("text").comment("a text").extra(vec![1; 300]);
    let mut writer = file.write(Vec::new(), Compression::none());
    writer.write_all(text.as_bytes()).unwrap();
    assert_eq!(Gzip::<String>::decode(read(0xfc, &writer.finish().unwrap())).unwrap(), text);
    // A frame without its size, and with a checksum.
    let mut writer = zstd::stream::write::Encoder::new(Vec::new(), 19).unwrap();
    writer.include_checksum(true).unwrap();
    writer.write_all(text.as_bytes()).unwrap();
    assert_eq!(Zstd::<String>::decode(read(0xfe, &writer.finish().unwrap())).unwrap(), text);
    // The smallest values too, which are not compressed here.
    let small = snap::raw::Encoder::new().compress_vec(b"a").unwrap();
    assert_eq!(Snappy::<String>::decode(read(0xf7, &small)).unwrap(), "a");
    let small = lz4_flex::block::compress_prepend_size(b"a");
    assert_eq!(Lz4::<String>::decode(read(0xf6, &small)).unwrap(), "a");
}

#[test]
fn bombs_are_refused() {
    let bomb = vec![0; MAX_DECOMPRESSED_BYTES + 1];
    let too_large = "it decompresses to more than 16MB";
    assert_eq!(wrong::<Zstd<Vec<u8>>>(0xfe, &zstd::bulk::compress(&bomb, 19).unwrap()), too_large);
    // Without its size in the frame.
    assert_eq!(wrong::<Zstd<Vec<u8>>>(0xfe, &zstd::stream::encode_all(&bomb[..], 3).unwrap()), too_large);
    assert_eq!(wrong::<Gzip<Vec<u8>>>(0xfc, &gzip(&bomb)), too_large);
    assert_eq!(wrong::<Snappy<Vec<u8>>>(0xf7, &snap::raw::Encoder::new().compress_vec(&bomb).unwrap()), too_large);
    assert_eq!(wrong::<Lz4<Vec<u8>>>(0xf6, &lz4_flex::block::compress_prepend_size(&bomb)), too_large);
}

#[test]
fn claims_of_size_are_not_believed() {
    // A frame of 4 GB, of 8 MB in one byte, with a window of 2 GB, and one that is three bytes long.
    for frame in [
        &b"\x28\xb5\x2f\xfd\xa0\xff\xff\xff\xff\x01\x00\x00"[..],
        b"\x28\xb5\x2f\xfd\xa0\x00\x00\x80\x00\x09\x00\x00a",
        b"\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00",
        b"\x28\xb5\x2f",
    ] {
        assert_eq!(
            wrong::<Zstd<Vec<u8>>>(0xfe, frame),
            "it has the mark of `Zstd` and cannot be decompressed as such",
            "{frame:x?}"
        );
    }
    let cannot = "it has the mark of `Snappy` and cannot be decompressed as such";
    assert_eq!(wrong::<Snappy<Vec<u8>>>(0xf7, b"\x80\x80\x80\x04\x00a"), cannot);
    assert_eq!(wrong::<Snappy<Vec<u8>>>(0xf7, b"\xff\xff\xff\xff\x0f\x00a"), "it decompresses to more than 16MB");
    let cannot = "it has the mark of `Lz4` and cannot be decompressed as such";
    assert_eq!(wrong::<Lz4<Vec<u8>>>(0xf6, b"\x00\x00\x80\x00\x10a"), cannot);
    assert_eq!(wrong::<Lz4<Vec<u8>>>(0xf6, b"\xff\xff\xff\xff\x10a"), "it decompresses to more than 16MB");
}
