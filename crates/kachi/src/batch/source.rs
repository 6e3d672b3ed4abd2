//! The input side of a stream: cuts it into pieces of whole lines, numbers them, and passes over lines that are too long.

use memchr::{memchr, memrchr};
use std::io::{self, ErrorKind, Read};

/// Bytes asked for in one read.
const READ: usize = 1 << 18;
/// The largest piece, unless a single line is longer.
const LARGEST: usize = 1 << 17;
/// Below this a piece is a single line.
const SMALLEST: usize = 1 << 9;

/// A numbered part of the input.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// Its place in the order of the output, counted from 0.
    pub(super) ticket: u64,
    /// Bytes of a line that was too long and has been passed over; it stands after the piece's lines.
    pub(super) overlong: Option<u64>,
}

/// The input and what has been read ahead of it.
pub(super) struct Source<R> {
    input: R,
    /// Bytes read but not handed out are `ahead[start..end]`; of these the first `bare` hold no line end.
    ahead: Vec<u8>,
    start: usize,
    end: usize,
    bare: usize,
    ended: bool,
    line_limit: usize,
    goal: usize,
    ticket: u64,
}

impl<R: Read> Source<R> {
    /// A source that hands out single lines until it is told to hand out more.
    pub(super) fn new(input: R, line_limit: usize) -> Self {
        let ahead = vec![0; READ];
        Source { input, ahead, start: 0, end: 0, bare: 0, ended: false, line_limit, goal: 0, ticket: 0 }
    }

    /// Makes the next pieces larger or smaller than one of `bytes`.
    pub(super) fn resize(&mut self, bytes: usize, larger: bool) {
        let goal = if larger { (bytes * 2).clamp(SMALLEST, LARGEST) } else { bytes / 2 };
        // Other workers may have gone the same way already: never move against the direction asked for.
        self.goal = if larger { self.goal.max(goal) } else { self.goal.min(goal) };
        if self.goal < SMALLEST {
            self.goal = 0;
        }
    }

    /// Puts the next whole lines into `lines`; `None` at the end of the input.
    pub(super) fn next(&mut self, lines: &mut Vec<u8>) -> io::Result<Option<Piece>> {
        lines.clear();
        loop {
            if let Some(len) = self.whole_lines() {
                self.hand_out(len, lines);
                return Ok(Some(self.piece(None)));
            }
            let waiting = self.end - self.start;
            if waiting > self.line_limit {
                let bytes = self.pass_over()?;
                return Ok(Some(self.piece(Some(bytes))));
            }
            if self.ended {
                if waiting == 0 {
                    return Ok(None);
                }
                self.hand_out(waiting, lines);
                return Ok(Some(self.piece(None)));
            }
            self.read()?;
        }
    }

    fn piece(&mut self, overlong: Option<u64>) -> Piece {
        let ticket = self.ticket;
        self.ticket += 1;
        Piece { ticket, overlong }
    }

    /// How many bytes to hand out: whole lines, about as many as the goal says. `None` while no line is complete.
    fn whole_lines(&mut self) -> Option<usize> {
        let waiting = &self.ahead[self.start..self.end];
        let Some(first) = memchr(b'\n', &waiting[self.bare..]) else {
            self.bare = waiting.len();
            return None;
        };
        let first = self.bare + first;
        if first >= self.goal {
            return Some(first + 1);
        }
        let at_goal = self.goal.min(waiting.len());
        let last = memrchr(b'\n', &waiting[..at_goal]).unwrap_or(first);
        Some(last + 1)
    }

    fn hand_out(&mut self, len: usize, lines: &mut Vec<u8>) {
        lines.extend_from_slice(&self.ahead[self.start..self.start + len]);
        self.start += len;
        self.bare = 0;
    }

    /// Reads once: what is there is answered before more is waited for.
    fn read(&mut self) -> io::Result<()> {
        if self.start > 0 {
            self.ahead.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == self.ahead.len() {
            let grown = (self.ahead.len() * 2).min(self.line_limit + READ).max(self.end + READ);
            self.ahead.resize(grown, 0);
        }
        let count = loop {
            match self.input.read(&mut self.ahead[self.end..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        self.end += count;
        self.ended = count == 0;
        Ok(())
    }

    /// Drops the rest of a line that is too long; returns its length.
    fn pass_over(&mut self) -> io::Result<u64> {
        let mut bytes = 0;
        loop {
            let waiting = &self.ahead[self.start..self.end];
            if let Some(len) = memchr(b'\n', waiting) {
                bytes += len as u64;
                self.start += len + 1;
                self.bare = 0;
                return Ok(bytes);
            }
            bytes += waiting.len() as u64;
            (self.start, self.end, self.bare) = (0, 0, 0);
            if self.ended {
                return Ok(bytes);
            }
            self.read()?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads at most `step` bytes at a time, like a slow pipe.
    struct Drip<'a>(&'a [u8], usize);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(buffer.len()).min(self.0.len());
            let (now, later) = self.0.split_at(count);
            buffer[..count].copy_from_slice(now);
            self.0 = later;
            Ok(count)
        }
    }

    fn pieces(text: &str, step: usize, limit: usize, goal: usize) -> Vec<(String, Option<u64>)> {
        let mut source = Source::new(Drip(text.as_bytes(), step), limit);
        source.goal = goal;
        let (mut lines, mut all) = (Vec::new(), Vec::new());
        while let Some(piece) = source.next(&mut lines).unwrap() {
            assert_eq!(piece.ticket, all.len() as u64);
            all.push((String::from_utf8(lines.clone()).unwrap(), piece.overlong));
        }
        all
    }

    #[test]
    fn pieces_are_whole_lines_and_lose_nothing() {
        let text = "a\nbb\n\nccc\nlast without end";
        for step in [1, 2, 3, 7, 100] {
            for goal in [0, 1, 4, 1000] {
                let pieces = pieces(text, step, 100, goal);
                assert_eq!(pieces.iter().map(|(lines, _)| lines.as_str()).collect::<String>(), text);
                let (_, whole) = pieces.split_last().unwrap();
                assert!(whole.iter().all(|(lines, _)| lines.ends_with('\n')), "{step} {goal} {pieces:?}");
            }
        }
    }

    #[test]
    fn without_a_goal_each_piece_is_one_line() {
        let pieces = pieces("a\nbb\nc\n", 100, 100, 0);
        assert_eq!(pieces, [("a\n".into(), None), ("bb\n".into(), None), ("c\n".into(), None)]);
    }

    #[test]
    fn overlong_lines_are_counted_and_passed_over_in_their_place() {
        let long = "x".repeat(50);
        let text = format!("a\n{long}\nb\n{long}");
        for step in [1, 3, 1000] {
            let pieces = pieces(&text, step, 10, 0);
            // A long line that arrives whole is left to the contract, which refuses it with the same error.
            let refused = pieces.iter().filter(|(lines, over)| *over == Some(50) || lines.trim().len() == 50);
            assert_eq!(refused.count(), 2, "{step} {pieces:?}");
            assert_eq!(pieces[0].0, "a\n");
            assert_eq!(pieces[2].0, "b\n");
        }
    }

    #[test]
    fn an_endless_line_takes_no_more_memory_than_the_limit() {
        let mut source = Source::new(io::repeat(b'x').take(50 << 20), 1 << 20);
        let mut lines = Vec::new();
        assert_eq!(source.next(&mut lines).unwrap().unwrap().overlong, Some(50 << 20));
        assert!(source.ahead.len() <= (1 << 20) + 2 * READ, "{}", source.ahead.len());
        assert!(lines.capacity() <= 1 << 20);
    }
}
