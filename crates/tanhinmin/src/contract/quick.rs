//! The way most requests of a batch take: hands and a table, no cut cards, no goals. Reading and writing by hand instead of by derived code
//! halves the cost of a line. Whatever is unusual in the least (another field, an escape, a sign, a wrong face) is left to the derived code, which
//! defines the contract; a property test holds the two together, byte for byte.

use super::AnalyzeReply;
use crate::position::{Face, Position, Side, Table};
use crate::rules::Move;
use crate::why::{Matching, Why};
use kachi_core::Limits;
use std::io::Write;

/// Reads a plain request; `None` leaves it to the derived code.
pub(super) fn read(json: &str, limits: &Limits) -> Option<Position> {
    let mut scan = Scan { bytes: json.as_bytes(), at: 0 };
    let (mut hands, mut table) = (None, None);
    let [mut id, mut game, mut query] = [false; 3];
    scan.expect(b'{')?;
    loop {
        let key = scan.word()?;
        scan.expect(b':')?;
        match key {
            b"id" if !std::mem::replace(&mut id, true) => scan.skip_id()?,
            b"game" if !std::mem::replace(&mut game, true) => drop(scan.word()?),
            b"query" if !std::mem::replace(&mut query, true) => drop(scan.word()?),
            b"hands" if hands.is_none() => hands = Some(scan.hands()?),
            b"table" if table.is_none() => table = Some(scan.number()?),
            _ => return None,
        }
        match scan.next()? {
            b',' => {}
            b'}' => break,
            _ => return None,
        }
    }
    scan.skip_blanks();
    let [mover, other]: [Side; 2] = hands?;
    let usual = scan.at == scan.bytes.len() && (mover.len() + other.len()) as u64 <= limits.cards;
    let table = match table {
        None | Some(0) => Table::Empty,
        Some(face) => Table::Shows(Face::new(face)?),
    };
    (usual && !mover.is_empty() && !other.is_empty()).then_some(Position { table, sides: [mover, other] })
}

/// A cursor over bytes that gives up at the first surprise.
struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scan<'a> {
    fn skip_blanks(&mut self) {
        while self.bytes.get(self.at).is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn next(&mut self) -> Option<u8> {
        self.skip_blanks();
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn expect(&mut self, wanted: u8) -> Option<()> {
        (self.next()? == wanted).then_some(())
    }

    /// A string of plain characters.
    fn word(&mut self) -> Option<&'a [u8]> {
        self.expect(b'"')?;
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=31))?;
        self.at += end + 1;
        (rest[end] == b'"').then_some(&rest[..end])
    }

    /// A whole number of at most nine digits, as JSON writes it.
    fn number(&mut self) -> Option<u32> {
        self.skip_blanks();
        let start = self.at;
        let mut value = 0_u32;
        while let Some(digit) = self.bytes.get(self.at).filter(|byte| byte.is_ascii_digit()) {
            if self.at - start == 9 {
                return None;
            }
            value = value * 10 + u32::from(digit - b'0');
            self.at += 1;
        }
        let digits = self.at - start;
        let well_formed = digits > 0 && (digits == 1 || self.bytes[start] != b'0');
        let ends = self.bytes.get(self.at).is_some_and(|byte| !matches!(byte, b'.' | b'e' | b'E'));
        (well_formed && ends).then_some(value)
    }

    fn skip_id(&mut self) -> Option<()> {
        self.skip_blanks();
        if self.bytes.get(self.at) == Some(&b'"') {
            self.word().map(|_| ())
        } else {
            self.number().map(|_| ())
        }
    }

    fn hands(&mut self) -> Option<[Side; 2]> {
        self.expect(b'[')?;
        let mover = self.hand()?;
        self.expect(b',')?;
        let other = self.hand()?;
        self.expect(b']')?;
        Some([mover, other])
    }

    fn hand(&mut self) -> Option<Side> {
        self.expect(b'[')?;
        let mut ordinary = Vec::with_capacity(32);
        loop {
            ordinary.push(Face::new(self.number()?)?);
            match self.next()? {
                b',' => {}
                b']' => break,
                _ => return None,
            }
        }
        if !ordinary.is_sorted() {
            ordinary.sort_unstable();
        }
        Some(Side { ordinary, ..Side::default() })
    }
}

/// Writes the reply about a plain position; false leaves it to the derived code.
pub(super) fn write(reply: &AnalyzeReply, out: &mut Vec<u8>) -> bool {
    let (Why::Matching { mover, other, no_surplus: None }, None) = (&reply.why, &reply.moves) else {
        return false;
    };
    let (Some(reference), None) = (&reply.by.reference, reply.by.nodes) else { return false };
    out.extend_from_slice(b"{\"winner\":");
    number(out, u64::from(reply.winner));
    out.extend_from_slice(b",\"winning_moves\":[");
    for (i, &mv) in reply.winning_moves.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        write_move(out, mv);
    }
    out.extend_from_slice(b"],\"best_move\":");
    match reply.best_move {
        Some(mv) => write_move(out, mv),
        None => out.extend_from_slice(b"null"),
    }
    if reply.best_move_loses {
        out.extend_from_slice(b",\"best_move_loses\":true");
    }
    out.extend_from_slice(b",\"margin\":");
    if reply.margin < 0 {
        out.push(b'-');
    }
    number(out, reply.margin.unsigned_abs());
    out.extend_from_slice(b",\"mu\":[");
    number(out, reply.mu[0] as u64);
    out.push(b',');
    number(out, reply.mu[1] as u64);
    // Rule and reference are names of ours, without characters to escape.
    out.extend_from_slice(b"],\"by\":{\"rule\":\"");
    out.extend_from_slice(reply.by.rule.as_bytes());
    out.extend_from_slice(b"\",\"status\":\"proved\",\"reference\":\"");
    out.extend_from_slice(reference.as_bytes());
    out.extend_from_slice(b"\"},\"why\":{\"rule\":\"matching\",\"mover\":");
    write_matching(out, mover);
    out.extend_from_slice(b",\"other\":");
    write_matching(out, other);
    out.extend_from_slice(b"}}");
    true
}

fn write_matching(out: &mut Vec<u8>, matching: &Matching) {
    out.extend_from_slice(b"{\"pairs\":[");
    for (i, (beater, target)) in matching.pairs.iter().enumerate() {
        out.extend_from_slice(if i > 0 { b",[" } else { b"[" });
        number(out, u64::from(beater.get()));
        out.push(b',');
        number(out, u64::from(target.get()));
        out.push(b']');
    }
    out.extend_from_slice(b"],\"bound\":");
    number(out, u64::from(matching.bound.get()));
    out.push(b'}');
}

fn write_move(out: &mut Vec<u8>, mv: Move) {
    match mv {
        Move::Discard(face) => number(out, u64::from(face.get())),
        Move::Cut(face) => {
            out.extend_from_slice(b"\"c");
            number(out, u64::from(face.get()));
            out.push(b'"');
        }
        Move::Pass => out.extend_from_slice(b"\"pass\""),
    }
}

/// A number in decimal; most are ranks of a deck.
fn number(out: &mut Vec<u8>, value: u64) {
    match value {
        0..10 => out.push(b'0' + value as u8),
        10..100 => out.extend_from_slice(&[b'0' + (value / 10) as u8, b'0' + (value % 10) as u8]),
        // Writing into memory cannot fail.
        _ => drop(write!(out, "{value}")),
    }
}
