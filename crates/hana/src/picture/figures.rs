//! What stands in front of the flowers: lights, animals, ribbons.

use super::brush::{Brush, ink};

/// Paints the figure of a card, by its id; kasu have none.
pub fn figure(brush: &mut Brush, id: u8) {
    match id {
        0 => crane(brush),
        1 | 5 => ribbon(brush, ink::RED, "あかよろし"),
        9 => ribbon(brush, ink::RED, "みよしの"),
        4 => warbler(brush),
        8 => curtain(brush),
        12 => cuckoo(brush),
        16 => bridge(brush),
        20 => butterflies(brush),
        24 => boar(brush),
        28 => moon(brush),
        29 => geese(brush),
        32 => cup(brush),
        36 => deer(brush),
        40 => tofu(brush),
        41 => swallow(brush),
        43 => storm(brush),
        44 => phoenix(brush),
        13 | 17 | 25 | 42 => ribbon(brush, ink::RED, ""),
        21 | 33 | 37 => ribbon(brush, ink::BLUE, ""),
        _ => {}
    }
}

fn ribbon(brush: &mut Brush, colour: &str, poem: &str) {
    let shade = if colour == ink::RED { ink::DARK_RED } else { "#1b3a66" };
    brush.placed(50.0, 74.0, -8.0, 1.0, 1.0, |brush| {
        brush.shape("M-14 -48L14 -48L14 50L-14 50Z", colour, shade, 1.2);
        brush.stroke("M-10.5 -44L10.5 -44L10.5 46L-10.5 46Z", ink::WHITE, 0.6);
        let size = if poem.chars().count() > 4 { 16.0 } else { 19.0 };
        brush.letters(0.0, -26.0, size, ink::BLACK, poem);
    });
}

fn crane(brush: &mut Brush) {
    brush.disc(74.0, 30.0, 19.0, ink::RED);
    brush.placed(42.0, 88.0, 0.0, 1.0, 1.0, |brush| {
        brush.stroke("M-2 26L-6 58M8 26L10 58", ink::BLACK, 2.0);
        brush.shape(
            "M-30 14C-28 -6 -6 -14 14 -6C24 0 26 14 14 24C-2 34 -24 30 -30 14Z",
            ink::WHITE,
            ink::BLACK,
            1.3,
        );
        brush.fill("M-32 12C-38 22 -38 32 -34 40C-28 34 -18 28 -8 28C-18 26 -28 22 -32 12Z", ink::BLACK);
        brush.stroke("M-22 12C-12 20 0 20 12 14M-18 4C-8 12 4 12 14 6", ink::GREY, 1.2);
        brush.shape(
            "M8 -6C14 -20 6 -32 10 -46C13 -54 22 -54 24 -46C26 -38 18 -30 22 -14C24 -6 22 2 16 6Z",
            ink::WHITE,
            ink::BLACK,
            1.3,
        );
        brush.fill("M13 -40C13 -26 17 -20 14 -8L20 -6C23 -18 17 -28 20 -38Z", ink::BLACK);
        brush.fill("M10 -47C12 -55 22 -55 24 -47C20 -50 14 -50 10 -47Z", ink::RED);
        brush.shape("M24 -46L40 -42L23 -40Z", ink::YELLOW, ink::BLACK, 0.8);
        brush.disc(18.5, -45.0, 1.5, ink::BLACK);
    });
}

/// A small sitting bird facing right.
fn small_bird(brush: &mut Brush, body: &str, wing: &str, belly: &str) {
    brush.fill("M-40 14L-14 2L-12 12Z", wing);
    brush.shape("M-20 8C-16 -10 4 -18 16 -14C26 -12 28 0 20 8C10 18 -12 20 -20 8Z", body, ink::BLACK, 1.0);
    brush.fill("M-6 14C4 18 16 12 20 6C14 4 2 8 -6 14Z", belly);
    brush.fill("M-18 8C-10 -8 4 -6 8 -2C2 8 -8 12 -18 8Z", wing);
    brush.shape("M24 -8L34 -6L24 -2Z", ink::YELLOW, ink::BLACK, 0.7);
    brush.disc(18.0, -7.0, 1.8, ink::BLACK);
}

fn warbler(brush: &mut Brush) {
    brush.placed(50.0, 80.0, -14.0, 1.25, 1.25, |brush| {
        small_bird(brush, ink::LIGHT_GREEN, ink::GREEN, ink::YELLOW);
        brush.stroke("M0 16L-2 25M8 15L8 24", ink::BROWN, 1.8);
    });
}

fn curtain(brush: &mut Brush) {
    brush.shape("M2 86C20 76 34 92 50 84C66 76 82 92 98 84L98 158L2 158Z", ink::RED, ink::BLACK, 1.2);
    for (i, x) in [12.0, 32.0, 52.0, 72.0].into_iter().enumerate() {
        let colour = if i % 2 == 0 { ink::WHITE } else { ink::PURPLE };
        let d = format!(
            "M{x:.1} 84C{:.1} 110 {x:.1} 130 {:.1} 158L{:.1} 158C{:.1} 130 {:.1} 110 {:.1} 84Z",
            x + 4.0,
            x + 3.0,
            x + 13.0,
            x + 10.0,
            x + 14.0,
            x + 10.0
        );
        brush.fill(&d, colour);
    }
    brush.stroke("M2 86C20 76 34 92 50 84C66 76 82 92 98 84", ink::BLACK, 4.0);
    brush.stroke("M2 92C20 82 34 98 50 90C66 82 82 98 98 90", ink::YELLOW, 2.2);
    for x in [27.0, 69.0] {
        brush.blossom(x, 122.0, 11.0, 5, ink::YELLOW, ink::BLACK);
    }
}

fn cuckoo(brush: &mut Brush) {
    brush.disc(72.0, 92.0, 20.0, ink::RED);
    brush.disc(64.0, 86.0, 18.0, ink::PAPER);
    brush.placed(46.0, 118.0, -22.0, 1.15, 1.15, |brush| {
        brush.fill("M-38 8L-10 -2L-8 8L-36 16Z", ink::BLACK);
        brush.shape(
            "M-16 4C-8 -10 12 -12 24 -6C28 0 20 8 8 10C-4 12 -14 10 -16 4Z",
            ink::GREY,
            ink::BLACK,
            1.0,
        );
        brush.fill("M-8 0C-12 -22 -22 -28 -30 -30C-16 -32 6 -22 10 -2Z", ink::BLACK);
        brush.stroke("M4 8L10 1M10 9L16 2", ink::WHITE, 1.4);
        brush.shape("M25 -6L34 -4L25 0Z", ink::YELLOW, ink::BLACK, 0.7);
        brush.disc(19.0, -4.0, 1.6, ink::WHITE);
    });
}

fn bridge(brush: &mut Brush) {
    brush.fill("M2 128C30 120 70 136 98 126L98 158L2 158Z", ink::PALE_BLUE);
    brush.stroke("M6 138C20 134 30 142 44 138M56 148C70 144 82 152 94 148", ink::BLUE, 1.4);
    for (x, y) in [(20.0, 118.0), (46.0, 132.0), (72.0, 118.0), (88.0, 130.0)] {
        let d = format!("M{x:.1} {y:.1}L{x:.1} {:.1}", y + 22.0);
        brush.stroke(&d, ink::BROWN, 3.4);
    }
    for (x, y, angle) in [(2.0, 124.0, -14.0), (30.0, 116.0, 22.0), (58.0, 126.0, -14.0), (76.0, 118.0, 16.0)]
    {
        brush.placed(x, y, angle, 1.0, 1.0, |brush| {
            brush.shape("M0 0L38 0L38 9L0 9Z", ink::TAN, ink::BROWN, 1.2);
            brush.stroke("M4 4.5L34 4.5", ink::BROWN, 0.8);
        });
    }
}

fn butterfly(brush: &mut Brush, x: f64, y: f64, angle: f64, scale: f64, colour: &str) {
    brush.placed(x, y, angle, scale, scale, |brush| {
        for side in [-1.0, 1.0] {
            brush.placed(0.0, 0.0, 0.0, side, 1.0, |brush| {
                brush.shape("M1 0C6 -20 28 -24 28 -10C28 0 14 4 1 2Z", colour, ink::BLACK, 1.2);
                brush.shape("M1 2C12 4 20 10 16 18C10 22 4 12 1 4Z", ink::RED, ink::BLACK, 1.2);
                brush.disc(19.0, -11.0, 3.4, ink::WHITE);
                brush.stroke("M1 -6C4 -14 8 -17 11 -20", ink::BLACK, 1.1);
            });
        }
        brush.oval(0.0, 2.0, 2.2, 9.0, 0.0, ink::BLACK);
    });
}

fn butterflies(brush: &mut Brush) {
    butterfly(brush, 34.0, 40.0, -22.0, 1.0, ink::YELLOW);
    butterfly(brush, 70.0, 66.0, 28.0, 0.85, ink::LILAC);
}

fn boar(brush: &mut Brush) {
    brush.placed(50.0, 104.0, 0.0, 1.12, 1.12, |brush| {
        for x in [-26.0, -14.0, 12.0, 22.0] {
            let d = format!("M{x:.1} 14L{:.1} 34L{:.1} 34L{:.1} 14Z", x - 1.0, x + 5.0, x + 8.0);
            brush.fill(&d, ink::BLACK);
        }
        brush.shape("M-36 8C-38 -16 -18 -28 4 -24C20 -26 34 -14 42 4C44 10 40 14 34 13C26 22 8 22 -8 20C-26 24 -35 18 -36 8Z", ink::BROWN, ink::BLACK, 1.4);
        brush.stroke("M-30 -8L-33 -16M-22 -15L-24 -24M-12 -20L-13 -30M-2 -22L-2 -31M8 -22L10 -30", ink::BLACK, 2.2);
        brush.stroke("M-26 4C-16 -2 -6 -2 2 4M-22 12C-12 6 0 8 8 12", ink::TAN, 1.6);
        brush.fill("M14 -22L18 -34L25 -20Z", ink::BLACK);
        brush.disc(28.0, -6.0, 2.4, ink::WHITE);
        brush.disc(28.6, -6.0, 1.2, ink::BLACK);
        brush.shape("M34 10L40 2L37 13Z", ink::WHITE, ink::BLACK, 0.7);
        brush.stroke("M-36 2C-43 0 -42 -8 -46 -8", ink::BLACK, 2.0);
    });
}

fn moon(brush: &mut Brush) {
    brush.disc(52.0, 52.0, 33.0, ink::WHITE);
    brush.stroke("M52 19A33 33 0 1 1 51.9 19", ink::YELLOW, 1.4);
}

fn geese(brush: &mut Brush) {
    for (x, y, scale) in [(28.0, 34.0, 0.9), (62.0, 28.0, 1.0), (50.0, 60.0, 1.15)] {
        brush.placed(x, y, -8.0, scale, scale, |brush| {
            brush.fill(
                "M-20 -6C-12 -10 -4 -4 0 2C4 -6 12 -12 22 -12C16 -4 8 4 2 8C-4 6 -12 2 -20 -6Z",
                ink::BROWN,
            );
            brush.fill("M-10 10C-2 2 10 2 18 6L26 5L19 9C12 14 -2 14 -10 10Z", ink::TAN);
            brush.disc(17.0, 6.5, 1.0, ink::BLACK);
        });
    }
}

fn cup(brush: &mut Brush) {
    brush.placed(50.0, 84.0, 0.0, 1.1, 1.1, |brush| {
        brush.shape("M-32 -14C-30 10 -14 20 0 20C14 20 30 10 32 -14Z", ink::RED, ink::DARK_RED, 1.4);
        brush.shape("M-32 -14A32 9 0 1 1 32 -14A32 9 0 1 1 -32 -14Z", ink::DARK_RED, ink::BLACK, 1.0);
        brush.oval(0.0, -14.0, 26.0, 6.0, 0.0, ink::YELLOW);
        brush.shape("M-10 19L10 19L13 28L-13 28Z", ink::RED, ink::DARK_RED, 1.2);
        brush.letters(0.0, 12.0, 16.0, ink::YELLOW, "寿");
    });
}

fn deer(brush: &mut Brush) {
    brush.placed(50.0, 106.0, 0.0, 1.1, 1.1, |brush| {
        for x in [-22.0, -12.0, 12.0, 20.0] {
            let d = format!("M{x:.1} 10L{:.1} 42L{:.1} 42L{:.1} 10Z", x + 1.0, x + 4.0, x + 6.0);
            brush.fill(&d, ink::BROWN);
        }
        brush.shape(
            "M-28 4C-28 -10 -10 -12 8 -10C24 -12 32 -4 30 8C26 18 -2 18 -14 18C-24 18 -28 12 -28 4Z",
            ink::TAN,
            ink::BROWN,
            1.4,
        );
        for (x, y) in [(-18.0, 0.0), (-8.0, 6.0), (0.0, -2.0), (10.0, 5.0), (18.0, -2.0), (-14.0, 10.0)] {
            brush.disc(x, y, 2.0, ink::WHITE);
        }
        brush.shape(
            "M-18 -4C-26 -18 -22 -30 -22 -38L-10 -36C-10 -24 -8 -14 -4 -6Z",
            ink::TAN,
            ink::BROWN,
            1.4,
        );
        brush.shape(
            "M-24 -46C-18 -50 -8 -48 -6 -40C0 -38 8 -34 6 -30C0 -28 -14 -30 -20 -34C-25 -37 -27 -42 -24 -46Z",
            ink::TAN,
            ink::BROWN,
            1.4,
        );
        brush.leaf(-20.0, -44.0, 13.0, 4.0, 200.0, ink::TAN);
        brush.stroke(
            "M-16 -46C-22 -56 -20 -64 -24 -70M-20 -58L-28 -60M-10 -46C-8 -56 -4 -62 -6 -70M-7 -58L2 -62",
            ink::BROWN,
            2.2,
        );
        brush.disc(-8.0, -40.0, 1.6, ink::BLACK);
        brush.disc(5.0, -32.0, 1.8, ink::BLACK);
    });
}

fn tofu(brush: &mut Brush) {
    brush.fill("M2 138C20 126 34 144 54 134C70 126 84 142 98 134L98 158L2 158Z", ink::BLUE);
    brush.stroke("M8 148C20 142 30 150 42 146", ink::PALE_BLUE, 1.4);
    // The frog.
    brush.placed(22.0, 128.0, -12.0, 1.0, 1.0, |brush| {
        brush.shape("M-13 4C-12 -8 4 -12 12 -6C16 0 10 8 0 8Z", ink::LIGHT_GREEN, ink::DARK_GREEN, 1.0);
        brush.stroke("M-10 4L-18 10M4 8L8 14M-4 8L-4 14", ink::DARK_GREEN, 2.4);
        brush.disc(8.0, -7.0, 2.2, ink::BLACK);
    });
    // The man and his umbrella.
    brush.stroke("M66 30L60 104", ink::BROWN, 2.6);
    brush.shape(
        "M36 56C38 32 54 22 70 22C86 24 98 36 98 58C88 50 80 52 74 56C68 48 58 48 52 54C48 50 42 50 36 56Z",
        ink::YELLOW,
        ink::BLACK,
        1.2,
    );
    brush.stroke("M67 23L52 54M67 23L74 56M67 23L92 53", ink::BROWN, 1.0);
    brush.shape("M58 84C52 104 46 122 46 138L88 138C88 118 84 100 78 84Z", ink::BLACK, ink::BLACK, 1.0);
    brush.fill("M60 92C54 100 52 112 56 120L66 112L66 94Z", ink::RED);
    brush.fill("M74 90C82 100 86 112 80 122L72 112Z", ink::PURPLE);
    brush.shape("M60 70C60 62 76 62 76 70C77 80 73 86 68 86C62 86 59 80 60 70Z", ink::PAPER, ink::BLACK, 1.0);
    brush.fill("M59 68C60 58 76 58 77 68C72 65 64 65 59 68ZM66 60L64 50L72 52L71 60Z", ink::BLACK);
    brush.stroke("M64 75L65 75M71 75L72 75M66 81L70 81", ink::BLACK, 1.4);
}

fn swallow(brush: &mut Brush) {
    brush.placed(52.0, 80.0, -28.0, 1.25, 1.25, |brush| {
        brush.fill("M-8 4L-40 -4L-22 5L-40 16Z", ink::BLACK);
        brush.shape(
            "M-12 4C-6 -8 14 -10 24 -4C26 2 20 8 8 10C-2 11 -10 10 -12 4Z",
            ink::RED,
            ink::BLACK,
            1.0,
        );
        brush.fill("M2 10C10 10 20 6 24 0C16 2 8 4 2 10Z", ink::YELLOW);
        brush.fill("M2 -4C-4 -24 -14 -32 -26 -38C-6 -38 14 -26 14 -6Z", ink::BLACK);
        brush.fill("M2 8C-2 22 -8 28 -18 34C-2 34 10 22 12 8Z", ink::BLACK);
        brush.shape("M24 -4L33 -1L24 2Z", ink::YELLOW, ink::BLACK, 0.7);
        brush.disc(19.0, -3.0, 1.5, ink::WHITE);
    });
}

fn storm(brush: &mut Brush) {
    brush.fill("M2 2L98 2L98 74C76 66 64 86 46 78C30 72 18 84 2 76Z", ink::BLACK);
    brush.fill("M2 76C18 84 30 72 46 78C64 86 76 66 98 74L98 158L2 158Z", ink::RED);
    brush.shape("M58 20L34 78L50 76L36 124L74 62L56 66L76 20Z", ink::YELLOW, ink::BLACK, 1.2);
    brush.placed(72.0, 128.0, 14.0, 1.0, 1.0, |brush| {
        brush.shape("M-18 0A18 18 0 1 1 18 0A18 18 0 1 1 -18 0Z", ink::PAPER, ink::BLACK, 2.4);
        brush.fill("M0 0C-8 -2 -8 -12 0 -12C-2 -8 4 -6 0 0ZM0 0C6 -6 14 -2 10 5C8 0 2 4 0 0ZM0 0C2 8 -6 12 -10 6C-4 6 -4 0 0 0Z", ink::BLUE);
    });
    brush.stroke(
        "M14 12C16 50 10 90 14 148M28 12C30 40 26 60 28 100M88 12C86 44 90 70 88 100",
        ink::GREEN,
        2.6,
    );
}

fn phoenix(brush: &mut Brush) {
    brush.placed(50.0, 60.0, 0.0, 1.0, 1.0, |brush| {
        for (angle, colour) in [
            (150.0, ink::RED),
            (165.0, ink::YELLOW),
            (180.0, ink::GREEN),
            (195.0, ink::BLUE),
            (208.0, ink::RED),
        ] {
            brush.placed(-4.0, 4.0, angle, 1.0, 1.0, |brush| {
                brush.shape("M0 0C16 -7 34 -6 46 2C34 6 16 6 0 0Z", colour, ink::BLACK, 0.8);
                brush.disc(38.0, 1.0, 2.4, ink::YELLOW);
            });
        }
        brush.shape("M-10 2C-16 -24 -32 -34 -44 -38C-22 -46 2 -34 10 -10Z", ink::RED, ink::BLACK, 1.1);
        brush.stroke("M-34 -37C-20 -30 -8 -18 -2 -6M-24 -40C-10 -32 0 -20 4 -8", ink::YELLOW, 1.6);
        brush.shape(
            "M-16 6C-12 -10 10 -16 22 -10C28 -2 20 12 6 14C-6 16 -16 14 -16 6Z",
            ink::YELLOW,
            ink::BLACK,
            1.2,
        );
        brush.stroke("M-8 6C-2 0 6 -2 14 0M-6 10C2 6 8 4 14 5", ink::RED, 1.4);
        brush.shape(
            "M14 -10C16 -26 26 -36 36 -36C42 -34 42 -26 36 -24C28 -20 28 -10 22 -4Z",
            ink::GREEN,
            ink::BLACK,
            1.1,
        );
        brush.shape("M40 -32L50 -30L40 -26Z", ink::RED, ink::BLACK, 0.8);
        brush.fill("M32 -36C28 -44 34 -50 32 -52C38 -48 40 -42 38 -36Z", ink::RED);
        brush.disc(35.5, -31.0, 1.6, ink::BLACK);
        brush.stroke("M0 14L-4 24M8 13L8 24", ink::BROWN, 2.0);
    });
}
