//! Points, areas and units.

use redis::{Cmd, RedisWrite as _};

use crate::{error::Cause, types::zset::score::Score};

/// A point on the globe, in degrees.
///
/// Redis keeps it to a few decimetres, and only between the latitudes of ±85.05112878: the rest of the globe is not on its
/// map, and is refused before it is sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeoPoint {
    /// How far east, from -180 to 180.
    pub longitude: f64,
    /// How far north, from -85.05112878 to 85.05112878.
    pub latitude: f64,
}

/// What distances are measured in.
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

/// Where a search looks: around a point or a member.
///
/// ```
/// use redis_keys::geo::{GeoArea, GeoUnit};
///
/// let nearby = GeoArea::radius(500.0, GeoUnit::Meters);
/// let on_the_map = GeoArea::rectangle(30.0, 20.0, GeoUnit::Kilometers);
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

/// The end of the map in the north and the south.
pub(super) const MOST_LATITUDE: f64 = 85.051_128_78;

impl GeoPoint {
    /// Adds the longitude and the latitude to a command.
    pub(super) fn push(self, cmd: &mut Cmd) -> Result<(), Cause> {
        if !(-180.0..=180.0).contains(&self.longitude) {
            return Err(Cause::Argument("the longitude is not between -180 and 180"));
        }
        if !(-MOST_LATITUDE..=MOST_LATITUDE).contains(&self.latitude) {
            return Err(Cause::Argument("the latitude is not between -85.05112878 and 85.05112878"));
        }
        cmd.write_arg_fmt(Score(self.longitude));
        cmd.write_arg_fmt(Score(self.latitude));
        Ok(())
    }
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

impl GeoArea {
    /// Up to so far from the middle.
    pub const fn radius(radius: f64, unit: GeoUnit) -> Self {
        Self { shape: Shape::Radius(radius), unit }
    }

    /// So far from west to east and from south to north, with the middle in its middle.
    pub const fn rectangle(width: f64, height: f64, unit: GeoUnit) -> Self {
        Self { shape: Shape::Rectangle(width, height), unit }
    }

    /// Adds the area to a command.
    pub(super) fn push(self, cmd: &mut Cmd) -> Result<(), Cause> {
        let (name, lengths) = match self.shape {
            Shape::Radius(radius) => ("BYRADIUS", [Some(radius), None]),
            Shape::Rectangle(width, height) => ("BYBOX", [Some(width), Some(height)]),
        };
        cmd.write_arg(name.as_bytes());
        for length in lengths.into_iter().flatten() {
            if !(0.0..f64::INFINITY).contains(&length) {
                return Err(Cause::Argument("the distance is negative or not finite"));
            }
            cmd.write_arg_fmt(Score(length));
        }
        cmd.write_arg(self.unit.name().as_bytes());
        Ok(())
    }
}
