//! Points, areas and units.

use redis::{Cmd, RedisWrite as _};

use crate::command::arguments::{Amount, Arguments, Capacity, Float};
use crate::error::Cause;
use crate::schema::Schema;

/// A point on the globe, in degrees.
///
/// Redis stores it with a precision of a few decimetres. Latitudes beyond ±85.05112878 cannot be stored and are
/// rejected before anything is sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeoPoint {
    /// The longitude, from -180 to 180; positive values are in the east.
    pub longitude: f64,
    /// The latitude, from -85.05112878 to 85.05112878; positive values are in the north.
    pub latitude: f64,
}

const MAX_LONGITUDE: f64 = 180.0;
const MAX_LATITUDE: f64 = 85.051_128_78;

impl Arguments for GeoPoint {
    #[inline]
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        Capacity::new(2, 40)
    }

    fn push(self, cmd: &mut Cmd, schema: &'static Schema) -> Result<Amount, Cause> {
        let Self { longitude, latitude } = self;
        if !(-MAX_LONGITUDE..=MAX_LONGITUDE).contains(&longitude) {
            return Err(Cause::Argument("the longitude is not between -180 and 180"));
        }
        if !(-MAX_LATITUDE..=MAX_LATITUDE).contains(&latitude) {
            return Err(Cause::Argument("the latitude is not between -85.05112878 and 85.05112878"));
        }
        (Float(longitude), Float(latitude)).push(cmd, schema)
    }
}

/// The bits of a cell's number that encode its longitude; the same number of bits encodes its latitude.
const CELL_BITS: u32 = 26;

impl GeoPoint {
    /// Returns the center of the cell with this number, which Redis stores as a member's score.
    ///
    /// The bits of the longitude and of the latitude alternate. Returns `None` if there is no such cell.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is whole, and within 52 bits")]
    pub(super) fn of_cell(score: f64) -> Option<Self> {
        let cells = f64::from(1 << CELL_BITS) * f64::from(1 << CELL_BITS);
        if !(0.0..cells).contains(&score) || score.fract() != 0.0 {
            return None;
        }
        let bits = score as u64;
        Some(Self {
            longitude: degrees(even_bits(bits >> 1), MAX_LONGITUDE),
            latitude: degrees(even_bits(bits), MAX_LATITUDE),
        })
    }
}

/// Returns the center of one of the 2^26 intervals from `-max` to `max`.
fn degrees(interval: u32, max: f64) -> f64 {
    let start = |interval: f64| -max + interval / f64::from(1 << CELL_BITS) * (2.0 * max);
    let center = f64::midpoint(start(f64::from(interval)), start(f64::from(interval) + 1.0));
    center.clamp(-max, max)
}

/// Returns bits 0, 2, 4 and so on.
fn even_bits(bits: u64) -> u32 {
    (0..CELL_BITS).fold(0, |result, bit| result | u32::from(bits >> bit >> bit & 1 == 1) << bit)
}

/// A unit of distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GeoUnit {
    /// `m`
    Meters,
    /// `km`
    Kilometers,
    /// `mi`
    Miles,
    /// `ft`
    Feet,
}

impl GeoUnit {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Meters => "m",
            Self::Kilometers => "km",
            Self::Miles => "mi",
            Self::Feet => "ft",
        }
    }
}

/// The area of a search around a point or a member.
///
/// ```
/// use redis_keys::types::geo::{GeoArea, GeoUnit};
///
/// let nearby = GeoArea::radius(500.0, GeoUnit::Meters);
/// let map_section = GeoArea::rectangle(30.0, 20.0, GeoUnit::Kilometers);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeoArea {
    shape: Shape,
    unit: GeoUnit,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    Radius(f64),
    Rectangle(f64, f64),
}

impl GeoArea {
    /// Creates a circle around the center.
    pub const fn radius(radius: f64, unit: GeoUnit) -> Self {
        Self { shape: Shape::Radius(radius), unit }
    }

    /// Creates a rectangle around the center: `width` from west to east, `height` from south to north.
    pub const fn rectangle(width: f64, height: f64, unit: GeoUnit) -> Self {
        Self { shape: Shape::Rectangle(width, height), unit }
    }
}

impl Arguments for GeoArea {
    #[inline]
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        Capacity::new(4, 48)
    }

    fn push(self, cmd: &mut Cmd, _schema: &'static Schema) -> Result<Amount, Cause> {
        let (name, lengths) = match self.shape {
            Shape::Radius(radius) => ("BYRADIUS", [Some(radius), None]),
            Shape::Rectangle(width, height) => ("BYBOX", [Some(width), Some(height)]),
        };
        cmd.write_arg(name.as_bytes());
        for length in lengths.into_iter().flatten() {
            if !(0.0..f64::INFINITY).contains(&length) {
                return Err(Cause::Argument("the distance is negative or not finite"));
            }
            cmd.write_arg_fmt(Float(length));
        }
        cmd.write_arg(self.unit.name().as_bytes());
        Ok(Amount::Some)
    }
}
