//! Strokes and shapes. Lengths are in the units of a card, 100 wide and 160 high.

use std::f64::consts::TAU;
use std::fmt::Write;

/// Colours of the cards.
pub mod ink {
    /// The paper of a card.
    pub const PAPER: &str = "#f8f2e2";
    /// Outlines.
    pub const BLACK: &str = "#23201d";
    /// Lights, ribbons, blossoms.
    pub const RED: &str = "#c9302c";
    /// Shade on red.
    pub const DARK_RED: &str = "#8f1d1f";
    /// Leaves.
    pub const GREEN: &str = "#2f6b3c";
    /// Young leaves.
    pub const LIGHT_GREEN: &str = "#6f9e45";
    /// Needles and grass.
    pub const DARK_GREEN: &str = "#1d4429";
    /// Wisteria, iris, paulownia.
    pub const PURPLE: &str = "#6a4a9c";
    /// Their light side.
    pub const LILAC: &str = "#a88bcb";
    /// Blue ribbons and water.
    pub const BLUE: &str = "#2d5d9f";
    /// Sky and far water.
    pub const PALE_BLUE: &str = "#a9c6e0";
    /// Blossom centres, chrysanthemums.
    pub const YELLOW: &str = "#eab32f";
    /// Cherry blossoms.
    pub const PINK: &str = "#f0a3b3";
    /// Bark and fur.
    pub const BROWN: &str = "#7a4a2b";
    /// Light fur.
    pub const TAN: &str = "#c68a4e";
    /// Feathers, moon.
    pub const WHITE: &str = "#fffdf7";
    /// Distant things.
    pub const GREY: &str = "#8b857b";
}

/// What is painted so far.
#[derive(Debug, Clone, Default)]
pub struct Brush(pub(crate) String);

impl Brush {
    /// A filled path.
    pub fn fill(&mut self, d: &str, colour: &str) {
        let _ = write!(self.0, "<path d=\"{d}\" fill=\"{colour}\"/>");
    }

    /// A filled path with an outline.
    pub fn shape(&mut self, d: &str, colour: &str, outline: &str, width: f64) {
        let _ = write!(
            self.0,
            "<path d=\"{d}\" fill=\"{colour}\" stroke=\"{outline}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"/>"
        );
    }

    /// A stroke.
    pub fn stroke(&mut self, d: &str, colour: &str, width: f64) {
        let _ = write!(
            self.0,
            "<path d=\"{d}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>"
        );
    }

    /// A disc.
    pub fn disc(&mut self, x: f64, y: f64, r: f64, colour: &str) {
        let _ = write!(self.0, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" fill=\"{colour}\"/>");
    }

    /// An ellipse, turned by `angle` degrees.
    pub fn oval(&mut self, x: f64, y: f64, rx: f64, ry: f64, angle: f64, colour: &str) {
        let _ = write!(
            self.0,
            "<ellipse cx=\"{x:.1}\" cy=\"{y:.1}\" rx=\"{rx:.1}\" ry=\"{ry:.1}\" fill=\"{colour}\" \
             transform=\"rotate({angle:.0} {x:.1} {y:.1})\"/>"
        );
    }

    /// Letters, top to bottom.
    pub fn letters(&mut self, x: f64, y: f64, size: f64, colour: &str, text: &str) {
        for (i, letter) in text.chars().enumerate() {
            let y = y + i as f64 * size * 1.05;
            let _ = write!(
                self.0,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{colour}\" text-anchor=\"middle\" \
                 style=\"fill:{colour}\" font-family=\"'Noto Serif CJK JP','Hiragino Mincho ProN',serif\">{letter}</text>"
            );
        }
    }

    /// Paints moved, turned (degrees) and scaled; a negative `sx` mirrors.
    pub fn placed(&mut self, x: f64, y: f64, angle: f64, sx: f64, sy: f64, paint: impl FnOnce(&mut Brush)) {
        let _ = write!(
            self.0,
            "<g transform=\"translate({x:.1} {y:.1}) rotate({angle:.0}) scale({sx:.2} {sy:.2})\">"
        );
        paint(self);
        self.0.push_str("</g>");
    }

    /// A leaf from (x, y) of some length and direction (degrees, 0 to the right).
    pub fn leaf(&mut self, x: f64, y: f64, length: f64, width: f64, angle: f64, colour: &str) {
        let half = length / 2.0;
        let d = format!("M0 0Q{half:.1} {:.1} {length:.1} 0Q{half:.1} {width:.1} 0 0Z", -width);
        self.placed(x, y, angle, 1.0, 1.0, |brush| brush.fill(&d, colour));
    }

    /// A blossom of round petals.
    pub fn blossom(&mut self, x: f64, y: f64, r: f64, petals: u32, colour: &str, heart: &str) {
        for i in 0..petals {
            let angle = TAU * f64::from(i) / f64::from(petals) - TAU / 4.0;
            self.disc(x + r * 0.62 * angle.cos(), y + r * 0.62 * angle.sin(), r * 0.47, colour);
        }
        self.disc(x, y, r * 0.34, heart);
        for i in 0..petals {
            let angle = TAU * (f64::from(i) + 0.5) / f64::from(petals) - TAU / 4.0;
            let (dx, dy) = (angle.cos(), angle.sin());
            let d = format!("M{x:.1} {y:.1}L{:.1} {:.1}", x + r * 0.62 * dx, y + r * 0.62 * dy);
            self.stroke(&d, heart, r * 0.06);
        }
    }

    /// A flower of many narrow petals.
    pub fn rays(&mut self, x: f64, y: f64, r: f64, petals: u32, colour: &str, outline: &str) {
        for i in 0..petals {
            let angle = 360.0 * f64::from(i) / f64::from(petals);
            let width = r * 4.4 / f64::from(petals);
            let d = format!("M0 0Q{:.1} {:.1} {r:.1} 0Q{:.1} {:.1} 0 0Z", r * 0.8, -width, r * 0.8, width);
            self.placed(x, y, angle, 1.0, 1.0, |brush| brush.shape(&d, colour, outline, 0.5));
        }
    }
}
