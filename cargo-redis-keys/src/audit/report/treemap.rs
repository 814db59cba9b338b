//! A treemap: rectangles whose areas are in proportion to sizes, close to squares.
//!
//! Squarified treemaps, by Bruls, Huizing and van Wijk: cells are laid in rows along the shorter side of what is left, and a row
//! ends where one more cell would make its cells narrower.

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// The rectangles of sizes, which are sorted, the largest first. They fill the whole area.
pub(super) fn squarified(sizes: &[u64], area: Rect) -> Vec<Rect> {
    let total: f64 = sizes.iter().map(|size| as_float(*size)).sum();
    let scale = if total > 0.0 { area.width * area.height / total } else { 0.0 };
    let areas: Vec<_> = sizes.iter().map(|size| as_float(*size) * scale).collect();
    let mut cells = Vec::with_capacity(areas.len());
    let mut left = area;
    let mut rest = areas.as_slice();
    while !rest.is_empty() {
        let side = left.width.min(left.height);
        let mut length = 1;
        while length < rest.len() && worst(rest, length + 1, side) <= worst(rest, length, side) {
            length += 1;
        }
        let (row, others) = rest.split_at(length);
        left = lay(row, left, &mut cells);
        rest = others;
    }
    cells
}

/// The largest ratio of sides in a row of the first cells.
fn worst(areas: &[f64], length: usize, side: f64) -> f64 {
    let row = areas.get(..length).unwrap_or(areas);
    let sum: f64 = row.iter().sum();
    let thickness = sum / side;
    let ratio = |area: &f64| {
        let width = area / thickness;
        (width / thickness).max(thickness / width)
    };
    row.iter().map(ratio).fold(0.0, f64::max)
}

/// Lays a row along the shorter side. Returns what is left.
fn lay(row: &[f64], left: Rect, cells: &mut Vec<Rect>) -> Rect {
    let sum: f64 = row.iter().sum();
    let is_wide = left.width >= left.height;
    let side = if is_wide { left.height } else { left.width };
    let thickness = if side > 0.0 { sum / side } else { 0.0 };
    let mut place = 0.0;
    for area in row {
        let length = if thickness > 0.0 { area / thickness } else { 0.0 };
        cells.push(if is_wide {
            Rect { x: left.x, y: left.y + place, width: thickness, height: length }
        } else {
            Rect { x: left.x + place, y: left.y, width: length, height: thickness }
        });
        place += length;
    }
    if is_wide {
        Rect { x: left.x + thickness, width: (left.width - thickness).max(0.0), ..left }
    } else {
        Rect { y: left.y + thickness, height: (left.height - thickness).max(0.0), ..left }
    }
}

#[allow(clippy::cast_precision_loss, reason = "a picture is less precise")]
fn as_float(size: u64) -> f64 {
    size as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Rect = Rect { x: 10.0, y: 20.0, width: 600.0, height: 400.0 };

    #[test]
    fn areas_are_in_proportion_and_close_to_squares() {
        // The example of the paper.
        let sizes = [6, 6, 4, 3, 2, 2, 1];
        let cells = squarified(&sizes, AREA);
        for (cell, size) in cells.iter().zip(sizes) {
            assert!((cell.width * cell.height - as_float(size) * 10_000.0).abs() < 0.001, "{cell:?}");
            assert!(cell.width / cell.height < 3.1 && cell.height / cell.width < 3.1, "{cell:?}");
            assert!(cell.x >= 10.0 && cell.x + cell.width <= 610.001 && cell.y + cell.height <= 420.001, "{cell:?}");
        }
        assert_eq!(cells[0], Rect { x: 10.0, y: 20.0, width: 300.0, height: 200.0 });
    }

    #[test]
    fn every_size_has_a_finite_cell() {
        for sizes in [&[][..], &[0], &[0, 0], &[5, 0], &[u64::MAX, u64::MAX, 1], &[1; 300]] {
            let cells = squarified(sizes, AREA);
            assert_eq!(cells.len(), sizes.len());
            for Rect { x, y, width, height } in cells {
                assert!([x, y, width, height].iter().all(|number| number.is_finite() && *number >= 0.0), "{sizes:?}");
            }
        }
    }
}
