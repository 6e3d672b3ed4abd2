//! A piece of the source: half-open bytes. Every node of the tree knows its own, so that an error or a fault can point at it.

use std::ops::Range;

/// Bytes `start..end` of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// From byte to byte.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Span {
        let short = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span { start: short(start), end: short(end) }
    }

    /// From the beginning of this piece to the end of the other.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// As a range of bytes.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The text of this piece; empty if it does not belong to this source.
    #[must_use]
    pub fn text(self, source: &str) -> &str {
        source.get(self.range()).unwrap_or("")
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Span {
        Span::new(range.start, range.end)
    }
}
