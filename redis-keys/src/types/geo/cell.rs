//! Points as Redis keeps them: as the number of a cell, with 26 bits for the longitude and 26 for the latitude in turn.

use super::{GeoPoint, area::MOST_LATITUDE};

const BITS: u32 = 26;

/// The middle of the cell of that number; nothing where there is no such cell.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is whole, and within 52 bits")]
pub(super) fn point(score: f64) -> Option<GeoPoint> {
    let cells = 2_f64.powi(2 * BITS.cast_signed());
    if !(0.0..cells).contains(&score) || score.fract() != 0.0 {
        return None;
    }
    let bits = score as u64;
    Some(GeoPoint {
        longitude: degrees(every_other(bits >> 1), 180.0),
        latitude: degrees(every_other(bits), MOST_LATITUDE),
    })
}

/// The middle of a stripe, of which 2^26 go from minus the most to the most.
fn degrees(stripe: u32, most: f64) -> f64 {
    let end = |stripe: f64| -most + stripe / f64::from(1 << BITS) * (2.0 * most);
    let middle = f64::midpoint(end(f64::from(stripe)), end(f64::from(stripe) + 1.0));
    middle.clamp(-most, most)
}

/// Bits 0, 2, 4 and so on.
fn every_other(bits: u64) -> u32 {
    (0..BITS).fold(0, |stripe, bit| stripe | u32::from(bits >> (2 * bit) & 1 == 1) << bit)
}
