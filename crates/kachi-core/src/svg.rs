//! Pictures. A [`Drawing`] collects shapes and becomes a complete SVG document that reads well on light
//! and dark pages, carries a title and a description for screen readers, and needs nothing from outside.

use std::fmt::Write;

/// What a shape means; the style sheet of the document turns it into colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Text and outlines.
    Plain,
    /// Captions, things of less weight.
    Faint,
    /// The player to move, or the first player.
    Mover,
    /// The other player.
    Other,
    /// What wins.
    Win,
    /// What loses.
    Lose,
    /// Something to look at: the card on the table, a bound.
    Mark,
}

impl Ink {
    fn class(self) -> &'static str {
        match self {
            Ink::Plain => "plain",
            Ink::Faint => "faint",
            Ink::Mover => "mover",
            Ink::Other => "other",
            Ink::Win => "win",
            Ink::Lose => "lose",
            Ink::Mark => "mark",
        }
    }
}

/// Where a text stands relative to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// The point is its left end.
    Start,
    /// The point is its middle.
    Middle,
    /// The point is its right end.
    End,
}

/// Colours by class, light first. Written out for each class, because many viewers know no CSS variables.
const STYLE: &str = "\
text{font-family:system-ui,'Noto Sans','Noto Sans CJK JP',sans-serif}\
.sheet{fill:#fffdf8}.card{fill:#fff}.line{fill:none}\
text.plain,.dot.plain{fill:#23211e}.card.plain,.line.plain{stroke:#23211e}\
text.faint,.dot.faint{fill:#8a8378}.card.faint,.line.faint{stroke:#8a8378}\
text.mover,.dot.mover{fill:#1f5fa8}.card.mover,.line.mover{stroke:#1f5fa8}\
text.other,.dot.other{fill:#b3422e}.card.other,.line.other{stroke:#b3422e}\
text.win,.dot.win{fill:#1c7c4a}.card.win,.line.win{stroke:#1c7c4a}\
text.lose,.dot.lose{fill:#b3422e}.card.lose,.line.lose{stroke:#b3422e}\
text.mark,.dot.mark{fill:#a86b00}.card.mark,.line.mark{stroke:#a86b00}\
@media(prefers-color-scheme:dark){\
.sheet{fill:#1d1c1a}.card{fill:#2a2825}\
text.plain,.dot.plain{fill:#ece7dd}.card.plain,.line.plain{stroke:#ece7dd}\
text.faint,.dot.faint{fill:#948d80}.card.faint,.line.faint{stroke:#948d80}\
text.mover,.dot.mover{fill:#7db4f0}.card.mover,.line.mover{stroke:#7db4f0}\
text.other,.dot.other{fill:#f08d78}.card.other,.line.other{stroke:#f08d78}\
text.win,.dot.win{fill:#6fcf97}.card.win,.line.win{stroke:#6fcf97}\
text.lose,.dot.lose{fill:#f08d78}.card.lose,.line.lose{stroke:#f08d78}\
text.mark,.dot.mark{fill:#e9b44c}.card.mark,.line.mark{stroke:#e9b44c}}";

/// A picture under construction; lengths are in pixels.
///
/// ```
/// use kachi_core::svg::{Anchor, Drawing, Ink};
/// let mut drawing = Drawing::new(120.0, 60.0, "Two cards", "A 3 beats a 2");
/// drawing.card(10.0, 10.0, 30.0, 40.0, Ink::Mover, "3");
/// drawing.text(60.0, 30.0, 14.0, Anchor::Start, Ink::Faint, "a < b");
/// let svg = drawing.finish();
/// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
/// assert!(svg.contains("a &lt; b"));
/// ```
#[derive(Debug, Clone)]
pub struct Drawing {
    width: f64,
    height: f64,
    title: String,
    description: String,
    body: String,
}

impl Drawing {
    /// An empty sheet with its title and a description for those who cannot see it.
    pub fn new(width: f64, height: f64, title: &str, description: &str) -> Self {
        let (title, description) = (escape(title), escape(description));
        Drawing { width, height, title, description, body: String::new() }
    }

    /// A straight line; `dashed` for what is only possible or missing.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), width: f64, ink: Ink, dashed: bool) {
        let dash = if dashed { " stroke-dasharray=\"4 4\"" } else { "" };
        let class = ink.class();
        let _ = writeln!(
            self.body,
            "<line class=\"line {class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke-width=\"{width}\"{dash}/>",
            from.0, from.1, to.0, to.1
        );
    }

    /// A smooth curve between two points that leaves and arrives vertically.
    pub fn arc(&mut self, from: (f64, f64), to: (f64, f64), width: f64, ink: Ink) {
        let middle = f64::midpoint(from.1, to.1);
        let class = ink.class();
        let _ = writeln!(
            self.body,
            "<path class=\"line {class}\" d=\"M{:.1} {:.1}C{:.1} {middle:.1} {:.1} {middle:.1} {:.1} {:.1}\" stroke-width=\"{width}\"/>",
            from.0, from.1, from.0, to.0, to.0, to.1
        );
    }

    /// A path in SVG's own words, stroked only.
    pub fn path(&mut self, d: &str, width: f64, ink: Ink) {
        let class = ink.class();
        let _ = writeln!(
            self.body,
            "<path class=\"line {class}\" d=\"{}\" stroke-width=\"{width}\"/>",
            escape(d)
        );
    }

    /// A filled circle.
    pub fn dot(&mut self, centre: (f64, f64), radius: f64, ink: Ink) {
        let class = ink.class();
        let _ = writeln!(
            self.body,
            "<circle class=\"dot {class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\"/>",
            centre.0, centre.1
        );
    }

    /// A card with its face in the middle.
    pub fn card(&mut self, x: f64, y: f64, width: f64, height: f64, ink: Ink, face: &str) {
        let class = ink.class();
        let _ = writeln!(
            self.body,
            "<rect class=\"card {class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width}\" height=\"{height}\" rx=\"4\" stroke-width=\"1.5\"/>"
        );
        let letters = face.chars().count().max(2) as f64;
        let size = (height * 0.42).min(width * 1.5 / letters);
        self.text(x + width / 2.0, y + height / 2.0 + size * 0.36, size, Anchor::Middle, ink, face);
    }

    /// A line of text; `y` is its base line.
    pub fn text(&mut self, x: f64, y: f64, size: f64, anchor: Anchor, ink: Ink, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let class = ink.class();
        let _ = writeln!(
            self.body,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.1}\" text-anchor=\"{anchor}\">{}</text>",
            escape(text)
        );
    }

    /// The document.
    pub fn finish(&self) -> String {
        let (width, height) = (self.width, self.height);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title desc\">\n\
             <title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>\n<style>{STYLE}</style>\n\
             <rect class=\"sheet\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>\n{}</svg>\n",
            self.title, self.description, self.body
        )
    }
}

/// Text made safe inside XML.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}
