//! The compressing forms.

use std::io::{self, Write as _};

use flate2::write::GzEncoder;
use flate2::{Compression, GzBuilder};

use super::{decode_error, encode, encode_error};
use crate::stored::{Gzip, Lz4, MAX_DECOMPRESSED_BYTES, MIN_COMPRESSED_BYTES, Snappy, Stored, StoredError, Zstd};

const UNCOMPRESSED: u8 = 0xff;
const CORRUPT: &str = "the compressed data is corrupt";
const TOO_LARGE: &str = "decompresses to more than 16MB";

/// Runs a check for each compressing form and its marker.
macro_rules! for_each_form {
    ($form:ident, $marker:ident => $check:block) => {
        for_each_form!(@ $form $marker $check Zstd 0xfe, Gzip 0xfc, Snappy 0xf7, Lz4 0xf6);
    };
    (@ $form:ident $marker:ident $check:block $($name:ident $byte:literal),*) => {$({
        type $form<F> = $name<F>;
        let $marker: u8 = $byte;
        $check
    })*};
}

/// Incompressible bytes.
fn noise(len: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(42);
    (0..len).map(|_| random.u8(..)).collect()
}

#[track_caller]
fn decompress_error<F: Stored>(marker: u8, compressed: &[u8]) -> String {
    decode_error::<F>([&[marker], compressed].concat())
}

#[test]
fn small_values_stay_as_they_are() {
    for_each_form!(Form, marker => {
        assert_eq!(encode::<Form<String>>("Ada"), b"\xffAda");
        assert_eq!(encode::<Form<String>>(""), b"\xff");
        let below = "a".repeat(MIN_COMPRESSED_BYTES - 1);
        let stored = encode::<Form<String>>(&below);
        assert_eq!((stored.len(), stored[0]), (MIN_COMPRESSED_BYTES, UNCOMPRESSED));
        assert_eq!(Form::<String>::decode(stored).unwrap(), below);
        let from = "a".repeat(MIN_COMPRESSED_BYTES);
        let stored = encode::<Form<String>>(&from);
        assert_eq!(stored[0], marker);
        assert!(stored.len() < 60);
        assert_eq!(Form::<String>::decode(stored).unwrap(), from);
        assert_eq!(Form::<String>::decode(b"\xff".to_vec()).unwrap(), "");
    });
}

#[test]
fn what_gets_no_smaller_stays_as_it_is() {
    let noise = noise(2_000);
    for_each_form!(Form, marker => {
        let stored = encode::<Form<Vec<u8>>>(&noise);
        assert_ne!(stored[0], marker);
        assert_eq!((stored[0], &stored[1..]), (UNCOMPRESSED, &noise[..]));
        assert_eq!(Form::<Vec<u8>>::decode(stored).unwrap(), noise);
    });
}

#[test]
fn one_goes_around_another() {
    let text = "less is more, ".repeat(100);
    let stored = encode::<Zstd<Gzip<Lz4<Snappy<String>>>>>(&text);
    assert_eq!(Zstd::<Gzip<Lz4<Snappy<String>>>>::decode(stored).unwrap(), text);
}

#[test]
fn markers_are_distinguished() {
    for_each_form!(Form, marker => {
        for bytes in [&b""[..], b"{}", b"secret", b"12", "é".as_bytes(), b"\x00", b"\xfd", b"\xf5"] {
            assert_eq!(decode_error::<Form<Vec<u8>>>(bytes), "missing compression marker");
        }
        for (other, name) in [(0xfe, "Zstd"), (0xfc, "Gzip"), (0xf7, "Snappy"), (0xf6, "Lz4")] {
            if other != marker {
                assert_eq!(decode_error::<Form<Vec<u8>>>([other, 1, 2, 3]), format!("compressed as `{name}`"));
            }
        }
    });
}

/// Otherwise a value from before the form was wrapped could be taken for a compressed one.
#[test]
fn no_text_and_no_message_starts_with_a_marker() {
    for first in 0..=char::MAX as u32 {
        let Some(first) = char::from_u32(first) else { continue };
        let byte = first.encode_utf8(&mut [0; 4]).as_bytes()[0];
        assert!(![0xf6, 0xf7, 0xfc, 0xfe, 0xff].contains(&byte), "{first}");
    }
    for marker in [0xf6u8, 0xf7, 0xfc, 0xfe, 0xff] {
        // There are no wire types 6 and 7, and 4 ends a group that has to start first.
        assert!([4, 6, 7].contains(&(marker & 7)), "{marker}");
    }
}

#[test]
fn broken_bytes_are_refused() {
    let text = noise(300).repeat(4);
    for_each_form!(Form, marker => {
        let stored = encode::<Form<Vec<u8>>>(&text);
        assert_eq!(stored[0], marker);
        for end in 1..stored.len() {
            assert_eq!(decode_error::<Form<Vec<u8>>>(&stored[..end]), CORRUPT, "{end} of {}", stored.len());
        }
        assert_eq!(decode_error::<Form<Vec<u8>>>([&stored[..], b"more"].concat()), CORRUPT);
    });
}

#[test]
fn the_inner_form_has_its_own_errors() {
    for_each_form!(Form, marker => {
        assert_eq!(decode_error::<Form<String>>([UNCOMPRESSED, 0xc3]), "not UTF-8");
        let stored = encode::<Form<Vec<u8>>>(&[0xc3; 1000]);
        assert_eq!(stored[0], marker);
        assert_eq!(decode_error::<Form<String>>(stored), "not UTF-8");
    });
}

#[test]
fn the_largest_value_comes_back() {
    let largest = vec![7; MAX_DECOMPRESSED_BYTES];
    for_each_form!(Form, marker => {
        let stored = encode::<Form<Vec<u8>>>(&largest);
        assert_eq!(stored[0], marker);
        assert!(Form::<Vec<u8>>::decode(stored).unwrap() == largest);
    });
}

#[test]
fn what_could_not_be_read_back_is_not_written() {
    let too_large = vec![7; MAX_DECOMPRESSED_BYTES + 1];
    let error = "exceeds 16MB before compression";
    for_each_form!(Form, _marker => {
        assert_eq!(encode_error::<Form<Vec<u8>>>(&too_large), error);
        assert_eq!(encode_error::<Form<Endless>>("x"), error);
        assert_eq!(encode_error::<Form<Careless>>("x"), error);
    });
}

/// Writes without end.
struct Endless;

/// Writes more than allowed, and ignores errors.
struct Careless;

impl Stored for Endless {
    type Input = str;
    type Output = ();

    fn encode(value: &str, out: &mut impl io::Write) -> Result<(), StoredError> {
        loop {
            out.write_all(value.repeat(100_000).as_bytes()).map_err(|_| StoredError::new("write failed"))?;
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
        out.flush().map_err(|_| StoredError::new("flush failed"))
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

/// The marker is followed by the standard format.
#[test]
fn output_of_other_programs_is_read() {
    let text = "less is more, ".repeat(100);
    let marked = |marker: u8, compressed: &[u8]| [&[marker], compressed].concat();
    let file = GzBuilder::new().filename("text").comment("a text").extra(vec![1; 300]);
    let mut writer = file.write(Vec::new(), Compression::none());
    writer.write_all(text.as_bytes()).unwrap();
    assert_eq!(Gzip::<String>::decode(marked(0xfc, &writer.finish().unwrap())).unwrap(), text);
    // A frame without its size, and with a checksum.
    let mut writer = zstd::stream::write::Encoder::new(Vec::new(), 19).unwrap();
    writer.include_checksum(true).unwrap();
    writer.write_all(text.as_bytes()).unwrap();
    assert_eq!(Zstd::<String>::decode(marked(0xfe, &writer.finish().unwrap())).unwrap(), text);
    // Small values too, which this crate does not compress.
    let small = snap::raw::Encoder::new().compress_vec(b"a").unwrap();
    assert_eq!(Snappy::<String>::decode(marked(0xf7, &small)).unwrap(), "a");
    let small = lz4_flex::block::compress_prepend_size(b"a");
    assert_eq!(Lz4::<String>::decode(marked(0xf6, &small)).unwrap(), "a");
}

#[test]
fn decompression_bombs_are_rejected() {
    let bomb = vec![0; MAX_DECOMPRESSED_BYTES + 1];
    let snappy = snap::raw::Encoder::new().compress_vec(&bomb).unwrap();
    for error in [
        decompress_error::<Zstd<Vec<u8>>>(0xfe, &zstd::bulk::compress(&bomb, 19).unwrap()),
        // Without the size in the frame.
        decompress_error::<Zstd<Vec<u8>>>(0xfe, &zstd::stream::encode_all(&bomb[..], 3).unwrap()),
        decompress_error::<Gzip<Vec<u8>>>(0xfc, &gzip(&bomb)),
        decompress_error::<Snappy<Vec<u8>>>(0xf7, &snappy),
        decompress_error::<Lz4<Vec<u8>>>(0xf6, &lz4_flex::block::compress_prepend_size(&bomb)),
    ] {
        assert_eq!(error, TOO_LARGE);
    }
}

#[test]
fn claimed_sizes_are_not_trusted() {
    for (what, frame) in [
        ("4GB", &b"\x28\xb5\x2f\xfd\xa0\xff\xff\xff\xff\x01\x00\x00"[..]),
        ("8MB in one byte", b"\x28\xb5\x2f\xfd\xa0\x00\x00\x80\x00\x09\x00\x00a"),
        ("a window of 2GB", b"\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00"),
        ("three bytes", b"\x28\xb5\x2f"),
    ] {
        assert_eq!(decompress_error::<Zstd<Vec<u8>>>(0xfe, frame), CORRUPT, "{what}");
    }
    assert_eq!(decompress_error::<Snappy<Vec<u8>>>(0xf7, b"\x80\x80\x80\x04\x00a"), CORRUPT);
    assert_eq!(decompress_error::<Snappy<Vec<u8>>>(0xf7, b"\xff\xff\xff\xff\x0f\x00a"), TOO_LARGE);
    assert_eq!(decompress_error::<Lz4<Vec<u8>>>(0xf6, b"\x00\x00\x80\x00\x10a"), CORRUPT);
    assert_eq!(decompress_error::<Lz4<Vec<u8>>>(0xf6, b"\xff\xff\xff\xff\x10a"), TOO_LARGE);
}
