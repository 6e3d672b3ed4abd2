//! The twelve flowers, each in one arrangement that leaves room for a figure (`busy`) and one that fills the card.

use super::brush::{Brush, ink};

/// Paints the flower of a month. `busy`: a figure or a ribbon will stand in front, so keep to the edges. `second`: the other of two kasu.
pub fn flower(brush: &mut Brush, month: u8, busy: bool, second: bool) {
    match month {
        1 => pine(brush, busy, second),
        2 => plum(brush, busy, second),
        3 => cherry(brush, busy, second),
        4 => wisteria(brush, busy, second),
        5 => iris(brush, busy, second),
        6 => peony(brush, busy, second),
        7 => clover(brush, busy, second),
        8 => susuki(brush, second),
        9 => chrysanthemum(brush, busy, second),
        10 => maple(brush, busy, second),
        11 => willow(brush, busy),
        _ => paulownia(brush, busy, second),
    }
}

/// One cushion of needles.
fn cushion(brush: &mut Brush, x: f64, y: f64, r: f64) {
    let d = format!(
        "M{:.1} {y:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {y:.1}Q{x:.1} {:.1} {:.1} {y:.1}Z",
        x - r,
        x - r,
        y - r * 1.15,
        x + r,
        y - r * 1.15,
        x + r,
        y + r * 0.28,
        x - r
    );
    brush.fill(&d, ink::DARK_GREEN);
    for i in -4..=4 {
        let lean = f64::from(i) / 4.6;
        let d = format!(
            "M{x:.1} {:.1}L{:.1} {:.1}",
            y - r * 0.05,
            x + lean * r * 0.82,
            y - r * (0.72 - 0.4 * lean.abs())
        );
        brush.stroke(&d, ink::LIGHT_GREEN, 1.0);
    }
}

fn pine(brush: &mut Brush, busy: bool, second: bool) {
    brush.stroke("M20 158C34 128 22 108 46 92C64 80 60 60 78 50", ink::BROWN, 6.0);
    brush.stroke("M44 94C30 88 26 82 22 74", ink::BROWN, 4.0);
    let cushions: &[(f64, f64, f64)] = if busy {
        &[(24.0, 150.0, 20.0), (58.0, 146.0, 22.0), (84.0, 128.0, 15.0), (84.0, 154.0, 17.0)]
    } else if second {
        &[
            (26.0, 60.0, 22.0),
            (70.0, 42.0, 25.0),
            (52.0, 94.0, 25.0),
            (80.0, 124.0, 19.0),
            (30.0, 140.0, 24.0),
        ]
    } else {
        &[
            (30.0, 46.0, 24.0),
            (74.0, 74.0, 23.0),
            (30.0, 98.0, 23.0),
            (70.0, 124.0, 24.0),
            (30.0, 150.0, 22.0),
        ]
    };
    for &(x, y, r) in cushions {
        cushion(brush, x, y, r);
    }
}

fn plum(brush: &mut Brush, busy: bool, second: bool) {
    brush.stroke("M10 154C30 130 28 104 52 88C70 76 74 50 92 30", ink::BROWN, 5.5);
    brush.stroke("M50 90C38 72 34 54 38 28", ink::BROWN, 3.5);
    brush.stroke("M30 122C48 122 64 128 86 122", ink::BROWN, 3.0);
    let blossoms: &[(f64, f64, f64)] = if busy {
        &[(20.0, 132.0, 12.0), (80.0, 126.0, 13.0), (54.0, 144.0, 11.0), (88.0, 46.0, 9.0)]
    } else if second {
        &[
            (36.0, 38.0, 13.0),
            (74.0, 62.0, 15.0),
            (34.0, 92.0, 12.0),
            (72.0, 120.0, 15.0),
            (22.0, 140.0, 11.0),
        ]
    } else {
        &[
            (44.0, 30.0, 12.0),
            (84.0, 40.0, 13.0),
            (30.0, 72.0, 14.0),
            (64.0, 94.0, 15.0),
            (38.0, 126.0, 14.0),
            (82.0, 132.0, 12.0),
        ]
    };
    for &(x, y, r) in blossoms {
        brush.blossom(x, y, r, 5, ink::RED, ink::YELLOW);
    }
    for &(x, y) in &[(62.0, 30.0), (90.0, 70.0), (14.0, 108.0)] {
        brush.disc(x, y, 3.2, ink::DARK_RED);
    }
}

fn cherry(brush: &mut Brush, busy: bool, second: bool) {
    if !busy {
        brush.stroke("M8 150C40 140 40 90 94 66", ink::BROWN, 4.5);
    }
    let blossoms: &[(f64, f64, f64)] = if busy {
        &[
            (20.0, 30.0, 14.0),
            (50.0, 22.0, 15.0),
            (80.0, 32.0, 14.0),
            (34.0, 52.0, 13.0),
            (66.0, 52.0, 13.0),
            (88.0, 60.0, 9.0),
        ]
    } else if second {
        &[
            (28.0, 42.0, 16.0),
            (66.0, 30.0, 15.0),
            (78.0, 66.0, 16.0),
            (42.0, 78.0, 17.0),
            (24.0, 114.0, 15.0),
            (66.0, 112.0, 17.0),
        ]
    } else {
        &[
            (30.0, 30.0, 15.0),
            (70.0, 44.0, 17.0),
            (34.0, 68.0, 16.0),
            (72.0, 86.0, 15.0),
            (36.0, 108.0, 17.0),
            (74.0, 126.0, 15.0),
        ]
    };
    for &(x, y, r) in blossoms {
        brush.leaf(x, y, r * 1.5, r * 0.5, 30.0 + x, ink::LIGHT_GREEN);
        brush.blossom(x, y, r, 5, ink::PINK, ink::RED);
    }
}

/// One hanging cluster.
fn raceme(brush: &mut Brush, x: f64, y: f64, length: u32) {
    for i in 0..length {
        let f = f64::from(i);
        let wide = (f64::from(length) - f) / f64::from(length);
        let y = y + f * 7.6;
        brush.oval(x - 6.5 * wide, y, 4.6, 3.8, 35.0, ink::PURPLE);
        brush.oval(x + 6.5 * wide, y, 4.6, 3.8, -35.0, ink::PURPLE);
        brush.oval(x, y + 2.6, 3.4, 3.8, 0.0, ink::LILAC);
    }
}

fn wisteria(brush: &mut Brush, busy: bool, second: bool) {
    brush.stroke("M4 20C34 8 60 26 98 12", ink::BROWN, 4.0);
    let clusters: &[(f64, f64, u32)] = if busy {
        &[(18.0, 34.0, 9), (82.0, 34.0, 9), (50.0, 30.0, 4)]
    } else if second {
        &[(22.0, 36.0, 9), (52.0, 42.0, 13), (82.0, 34.0, 11)]
    } else {
        &[(20.0, 36.0, 13), (50.0, 36.0, 10), (80.0, 38.0, 14)]
    };
    for &(x, y, length) in clusters {
        raceme(brush, x, y, length);
    }
    for (x, angle) in [(10.0, 60.0), (32.0, 110.0), (40.0, 60.0), (64.0, 115.0), (70.0, 50.0), (92.0, 110.0)]
    {
        brush.leaf(x, 18.0, 20.0, 6.0, angle, ink::GREEN);
    }
}

fn iris_flower(brush: &mut Brush, x: f64, y: f64, scale: f64) {
    brush.placed(x, y, 0.0, scale, scale, |brush| {
        brush.fill("M0 2C-8 -6 -6 -20 0 -24C6 -20 8 -6 0 2Z", ink::LILAC);
        brush.fill("M0 0C-10 -10 -24 -8 -24 4C-20 12 -8 10 0 0Z", ink::PURPLE);
        brush.fill("M0 0C10 -10 24 -8 24 4C20 12 8 10 0 0Z", ink::PURPLE);
        brush.fill("M0 -2C-9 6 -7 20 0 22C7 20 9 6 0 -2Z", ink::PURPLE);
        brush.stroke("M0 2L0 12M-4 1L-13 3M4 1L13 3", ink::YELLOW, 2.0);
    });
}

fn iris(brush: &mut Brush, busy: bool, second: bool) {
    for (x, top, lean) in [
        (14.0, 74.0, -6.0),
        (30.0, 54.0, 4.0),
        (48.0, 66.0, -3.0),
        (64.0, 48.0, 5.0),
        (82.0, 70.0, -4.0),
        (92.0, 88.0, 3.0),
    ] {
        let d = format!(
            "M{:.1} 158Q{:.1} 110 {:.1} {top}Q{:.1} 112 {:.1} 158Z",
            x - 5.0,
            x - 4.0,
            x + lean,
            x + 6.0,
            x + 5.0
        );
        brush.fill(&d, if (x as i32) % 4 == 0 { ink::LIGHT_GREEN } else { ink::GREEN });
    }
    if busy {
        iris_flower(brush, 26.0, 52.0, 0.9);
        iris_flower(brush, 72.0, 44.0, 1.0);
    } else if second {
        iris_flower(brush, 34.0, 48.0, 1.2);
        iris_flower(brush, 70.0, 80.0, 1.1);
    } else {
        iris_flower(brush, 64.0, 40.0, 1.3);
        iris_flower(brush, 28.0, 74.0, 1.0);
    }
}

fn peony_flower(brush: &mut Brush, x: f64, y: f64, r: f64) {
    brush.blossom(x, y, r, 8, ink::DARK_RED, ink::DARK_RED);
    brush.blossom(x, y, r * 0.8, 7, ink::RED, ink::RED);
    brush.blossom(x, y, r * 0.52, 6, ink::PINK, ink::YELLOW);
}

fn peony(brush: &mut Brush, busy: bool, second: bool) {
    brush.stroke("M50 158C48 130 46 116 50 92", ink::GREEN, 4.0);
    for (x, y, angle) in [
        (50.0, 140.0, 200.0),
        (50.0, 138.0, -20.0),
        (50.0, 122.0, 160.0),
        (50.0, 120.0, 20.0),
        (48.0, 150.0, 172.0),
        (52.0, 150.0, 8.0),
    ] {
        brush.leaf(x, y, 42.0, 11.0, angle, ink::GREEN);
    }
    if busy {
        peony_flower(brush, 50.0, 116.0, 27.0);
    } else if second {
        peony_flower(brush, 56.0, 56.0, 30.0);
        peony_flower(brush, 36.0, 112.0, 22.0);
    } else {
        peony_flower(brush, 48.0, 74.0, 36.0);
    }
}

/// A stem as a cubic curve.
type Stem = [(f64, f64); 4];

fn along(stem: &Stem, t: f64) -> (f64, f64) {
    let u = 1.0 - t;
    let weights = [u * u * u, 3.0 * u * u * t, 3.0 * u * t * t, t * t * t];
    stem.iter()
        .zip(weights)
        .fold((0.0, 0.0), |(x, y), (point, weight)| (x + weight * point.0, y + weight * point.1))
}

fn clover(brush: &mut Brush, busy: bool, second: bool) {
    let stems: [Stem; 4] = [
        [(10.0, 156.0), (16.0, 110.0), (44.0, 60.0), (90.0, 34.0)],
        [(34.0, 156.0), (40.0, 112.0), (30.0, 80.0), (12.0, 50.0)],
        [(60.0, 156.0), (62.0, 128.0), (74.0, 104.0), (92.0, 84.0)],
        [(84.0, 156.0), (82.0, 146.0), (86.0, 136.0), (93.0, 124.0)],
    ];
    for (i, stem) in stems.iter().enumerate() {
        let mirrored = stem.map(|(x, y)| (if second { 100.0 - x } else { x }, y));
        let [a, b, c, d] = mirrored;
        let path = format!("M{} {}C{} {} {} {} {} {}", a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1);
        brush.stroke(&path, ink::BROWN, 1.8);
        let leaves: u32 = [9, 7, 6, 3][i];
        let upto = if busy { leaves * 2 / 3 } else { leaves };
        for leaf in 1..=upto {
            let (x, y) = along(&mirrored, f64::from(leaf) / f64::from(leaves));
            brush.oval(x - 5.5, y + 1.0, 5.2, 3.4, 25.0, ink::GREEN);
            brush.oval(x + 5.5, y - 1.0, 5.2, 3.4, -25.0, ink::LIGHT_GREEN);
            brush.oval(x, y - 5.5, 3.2, 5.0, 0.0, if leaf % 2 == 0 { ink::RED } else { ink::GREEN });
        }
    }
}

fn susuki(brush: &mut Brush, second: bool) {
    brush.fill("M2 152L2 112C26 78 72 74 98 104L98 152Q98 158 92 158L8 158Q2 158 2 152Z", ink::DARK_GREEN);
    for i in 0..15 {
        let x = 6.0 + f64::from(i) * 6.4;
        let base = 100.0 - 24.0 * (1.0 - ((x - 52.0) / 52.0).powi(2));
        let lean = if second { -8.0 } else { 8.0 };
        let d = format!(
            "M{x:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}",
            base + 18.0,
            x,
            base - 4.0,
            x + lean,
            base - 14.0
        );
        brush.stroke(&d, ink::LIGHT_GREEN, 1.3);
        brush.oval(x + lean, base - 15.0, 1.6, 4.4, if second { -25.0 } else { 25.0 }, ink::TAN);
    }
}

fn chrysanthemum(brush: &mut Brush, busy: bool, second: bool) {
    brush.stroke("M50 158C52 120 46 90 52 60", ink::GREEN, 3.5);
    for (y, angle) in [(140.0, 200.0), (136.0, -25.0), (112.0, 165.0), (108.0, 10.0)] {
        brush.leaf(50.0, y, 34.0, 11.0, angle, ink::GREEN);
    }
    let flowers: &[(f64, f64, f64, &str)] = if busy {
        &[(24.0, 122.0, 18.0, ink::YELLOW), (76.0, 132.0, 20.0, ink::RED), (80.0, 34.0, 13.0, ink::YELLOW)]
    } else if second {
        &[(34.0, 50.0, 25.0, ink::YELLOW), (70.0, 92.0, 24.0, ink::RED), (30.0, 128.0, 18.0, ink::YELLOW)]
    } else {
        &[(60.0, 48.0, 28.0, ink::RED), (30.0, 96.0, 22.0, ink::YELLOW), (74.0, 128.0, 18.0, ink::YELLOW)]
    };
    for &(x, y, r, colour) in flowers {
        brush.rays(x, y, r, 16, colour, ink::BROWN);
        brush.disc(x, y, r * 0.24, ink::TAN);
    }
}

/// One leaf of seven points.
pub(super) fn maple_leaf(brush: &mut Brush, x: f64, y: f64, r: f64, angle: f64, colour: &str) {
    brush.placed(x, y, angle, r / 20.0, r / 20.0, |brush| {
        brush.shape(
            "M0 18L-2 8L-12 14L-9 6L-20 4L-12 -1L-18 -11L-8 -8L-7 -18L0 -11L7 -18L8 -8L18 -11L12 -1L20 4L9 6L12 14L2 8Z",
            colour,
            ink::DARK_RED,
            0.7,
        );
        brush.stroke("M0 26L0 -8M0 6L-12 2M0 6L12 2M0 0L-10 -8M0 0L10 -8", ink::DARK_RED, 0.9);
    });
}

fn maple(brush: &mut Brush, busy: bool, second: bool) {
    brush.stroke("M4 30C34 34 60 24 96 40", ink::BROWN, 3.0);
    let leaves: &[(f64, f64, f64, f64, &str)] = if busy {
        &[
            (22.0, 34.0, 15.0, 20.0, ink::RED),
            (52.0, 26.0, 14.0, -15.0, ink::YELLOW),
            (82.0, 38.0, 16.0, 30.0, ink::RED),
            (88.0, 72.0, 11.0, -30.0, ink::TAN),
        ]
    } else if second {
        &[
            (28.0, 42.0, 18.0, -20.0, ink::RED),
            (72.0, 40.0, 17.0, 25.0, ink::YELLOW),
            (50.0, 82.0, 21.0, 5.0, ink::RED),
            (26.0, 124.0, 16.0, 40.0, ink::TAN),
            (76.0, 124.0, 18.0, -30.0, ink::RED),
        ]
    } else {
        &[
            (26.0, 34.0, 17.0, 15.0, ink::YELLOW),
            (70.0, 48.0, 20.0, -20.0, ink::RED),
            (32.0, 82.0, 20.0, -5.0, ink::RED),
            (74.0, 100.0, 16.0, 35.0, ink::TAN),
            (44.0, 130.0, 19.0, 10.0, ink::RED),
        ]
    };
    for &(x, y, r, angle, colour) in leaves {
        maple_leaf(brush, x, y, r, angle, colour);
    }
}

fn willow(brush: &mut Brush, busy: bool) {
    brush.stroke("M100 4C70 10 40 6 0 16", ink::BROWN, 6.0);
    let strands: &[(f64, f64)] = if busy {
        &[(8.0, 104.0), (20.0, 76.0), (80.0, 70.0), (92.0, 110.0)]
    } else {
        &[
            (10.0, 120.0),
            (24.0, 92.0),
            (38.0, 134.0),
            (54.0, 84.0),
            (68.0, 126.0),
            (82.0, 96.0),
            (93.0, 138.0),
        ]
    };
    for &(x, length) in strands {
        let d = format!("M{x:.1} 12Q{:.1} {:.1} {x:.1} {:.1}", x + 5.0, length * 0.5, 12.0 + length);
        brush.stroke(&d, ink::GREEN, 1.4);
        let mut y = 24.0;
        while y < length {
            brush.leaf(x + 1.5, y, 9.0, 2.6, 65.0, ink::GREEN);
            brush.leaf(x + 1.5, y + 4.0, 9.0, 2.6, 115.0, ink::LIGHT_GREEN);
            y += 10.0;
        }
    }
}

/// An upright spike of bells.
fn spike(brush: &mut Brush, x: f64, y: f64, bells: u32) {
    let d = format!("M{x:.1} {y:.1}L{x:.1} {:.1}", y - f64::from(bells) * 8.0 - 4.0);
    brush.stroke(&d, ink::GREEN, 1.6);
    for i in 0..bells {
        let y = y - f64::from(i) * 8.0;
        let wide = 6.0 - f64::from(i) * 4.0 / f64::from(bells);
        brush.oval(x - wide, y - 3.0, 3.6, 4.8, 40.0, ink::PURPLE);
        brush.oval(x + wide, y - 3.0, 3.6, 4.8, -40.0, ink::PURPLE);
    }
    brush.oval(x, y - f64::from(bells) * 8.0 - 4.0, 3.0, 4.6, 0.0, ink::LILAC);
}

fn paulownia(brush: &mut Brush, busy: bool, second: bool) {
    if !busy {
        spike(brush, 50.0, 84.0, 7);
        spike(brush, 28.0, 94.0, if second { 4 } else { 5 });
        spike(brush, 72.0, 94.0, if second { 5 } else { 4 });
    }
    let low = 118.0;
    for (x, angle, size) in [(50.0, 90.0, 44.0), (46.0, 152.0, 50.0), (54.0, 28.0, 50.0)] {
        brush.placed(x, low - 18.0, angle, size / 46.0, size / 46.0, |brush| {
            brush.shape(
                "M0 0C8 -18 26 -20 32 -12C38 -10 44 -6 48 0C44 6 38 10 32 12C26 20 8 18 0 0Z",
                if second { ink::LIGHT_GREEN } else { ink::GREEN },
                ink::DARK_GREEN,
                0.8,
            );
            brush.stroke("M2 0L44 0M16 0L26 -11M16 0L26 11M28 0L36 -8M28 0L36 8", ink::DARK_GREEN, 0.9);
        });
    }
}
