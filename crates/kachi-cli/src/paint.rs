//! Colours by meaning. Colour never carries a meaning alone: a symbol or a word always says the same.

use anstyle::{AnsiColor, Style};
use kachi::core::surface::Tone;

/// The styles of one stream; all of them plain when there is no colour.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paint {
    pub(crate) good: Style,
    pub(crate) bad: Style,
    pub(crate) middling: Style,
    pub(crate) strong: Style,
    pub(crate) faint: Style,
    pub(crate) mark: Style,
}

impl Paint {
    pub(crate) fn new(colourful: bool) -> Self {
        let style = |style: Style| if colourful { style } else { Style::new() };
        let colour = |colour: AnsiColor| style(colour.on_default());
        Paint {
            good: colour(AnsiColor::Green),
            bad: colour(AnsiColor::Red),
            middling: colour(AnsiColor::Yellow),
            strong: style(Style::new().bold()),
            faint: style(Style::new().dimmed()),
            mark: colour(AnsiColor::Cyan),
        }
    }

    /// The colour of a move's value.
    pub(crate) fn tone(&self, tone: Tone) -> Style {
        match tone {
            Tone::Winning => self.good,
            Tone::Losing => self.bad,
            Tone::Middling => self.middling,
        }
    }
}

/// The symbol of a move's value.
pub(crate) fn symbol(tone: Tone) -> &'static str {
    match tone {
        Tone::Winning => "✓",
        Tone::Losing => "✗",
        Tone::Middling => "~",
    }
}
