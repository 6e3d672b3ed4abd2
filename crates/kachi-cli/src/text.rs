//! Text that lines up: columns, wrapping, numbers. Widths are those of a terminal, where 単 takes two columns.

use anstyle::Style;
/// 1234567 as 1,234,567.
pub(crate) use kachi_lab::simulate::plot::grouped as thousands;
use std::fmt::Write as _;
use std::io;
use unicode_width::UnicodeWidthStr;

/// The beginning of a hash, by which a run is cited. Whoever edits files by hand may have written anything there.
pub(crate) fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

/// A text with a style, in a table.
pub(crate) struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Cell::styled(text, Style::new())
    }

    pub(crate) fn styled(text: impl Into<String>, style: Style) -> Self {
        Cell { text: printable(&text.into()), style }
    }
}

/// Rows whose columns line up. The last column is wrapped to the width of the page; where the others leave no page at all, each row flows over as many
/// lines as it needs.
pub(crate) struct Table {
    rows: Vec<Vec<Cell>>,
    indent: usize,
    page: usize,
}

const GAP: usize = 2;
/// The least width that is worth wrapping to.
const NARROW: usize = 24;

impl Table {
    pub(crate) fn new(indent: usize, page: usize) -> Self {
        Table { rows: Vec::new(), indent, page }
    }

    pub(crate) fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The width of each column but the last.
    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0).saturating_sub(1);
        let width = |column| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell: &Cell| cell.text.width()).max()
        };
        (0..columns).map(|column| width(column).unwrap_or(0)).collect()
    }

    pub(crate) fn write(&self, out: &mut (impl io::Write + ?Sized)) -> io::Result<()> {
        let widths = self.widths();
        let beside: usize = self.indent + widths.iter().map(|width| width + GAP).sum::<usize>();
        if beside.saturating_sub(GAP) > self.page {
            return self.flow(out);
        }
        // A last column without room beside the others stands below them.
        let below = self.page.saturating_sub(beside) < NARROW && beside > self.indent;
        let left = if below { self.indent + 2 * GAP } else { beside };
        let room = self.page.saturating_sub(left).max(NARROW);
        for row in &self.rows {
            let mut line = String::new();
            // Blanks are held back until something follows, so that no line ends with them.
            let mut blanks = self.indent;
            for (cell, &width) in row.iter().zip(&widths) {
                push(&mut line, &mut blanks, &cell.text, cell.style);
                blanks += width - cell.text.width() + GAP;
            }
            if let Some(cell) = row.get(widths.len()).filter(|cell| !cell.text.is_empty()) {
                for (i, part) in wrap_lines(&cell.text, room).iter().enumerate() {
                    if i > 0 || below {
                        writeln!(out, "{line}")?;
                        line = String::new();
                        blanks = left;
                    }
                    push(&mut line, &mut blanks, part, cell.style);
                }
            }
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    /// One row after the other, each word where there is room for it.
    fn flow(&self, out: &mut (impl io::Write + ?Sized)) -> io::Result<()> {
        let hanging = self.indent + 2 * GAP;
        for row in &self.rows {
            let (mut line, mut blanks, mut used) = (String::new(), self.indent, self.indent);
            for cell in row {
                for (i, word) in cell.text.split_whitespace().enumerate() {
                    let (gap, wide) = (if i == 0 { GAP } else { 1 }, word.width());
                    let begun = !line.is_empty();
                    if begun && used + gap + wide > self.page {
                        writeln!(out, "{line}")?;
                        (line, blanks, used) = (String::new(), hanging, hanging);
                    } else if begun {
                        blanks += gap;
                        used += gap;
                    }
                    push(&mut line, &mut blanks, word, cell.style);
                    used += wide;
                }
            }
            writeln!(out, "{line}")?;
        }
        Ok(())
    }
}

fn push(line: &mut String, blanks: &mut usize, text: &str, style: Style) {
    if text.is_empty() {
        return;
    }
    let _ = write!(line, "{:1$}{style}{text}{style:#}", "", *blanks);
    *blanks = 0;
}

/// A text of unknown origin without what a terminal could take for a command; only ends of lines stay.
pub(crate) fn printable(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' => c,
        '\t' => ' ',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(shown).collect()
}

/// Each line of a text, wrapped on its own.
pub(crate) fn wrap_lines(text: &str, width: usize) -> Vec<String> {
    text.split('\n').flat_map(|line| wrap(line, width)).collect()
}

/// Breaks a text at blanks so that no line is wider than `width`, unless a single word is.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_whitespace() {
        let wide = word.width();
        if used > 0 && used + 1 + wide > width {
            lines.push(String::new());
            used = 0;
        }
        if let Some(line) = lines.last_mut() {
            if used > 0 {
                line.push(' ');
                used += 1;
            }
            line.push_str(word);
            used += wide;
        }
    }
    lines
}

/// Writes a paragraph, wrapped and indented; `first` is put before the first line instead of blanks.
pub(crate) fn paragraph(
    out: &mut (impl io::Write + ?Sized),
    first: &str,
    text: &str,
    page: usize,
) -> io::Result<()> {
    let indent = first.width();
    for (i, line) in wrap(text, page.saturating_sub(indent).max(NARROW)).iter().enumerate() {
        let before = if i == 0 { first.to_owned() } else { " ".repeat(indent) };
        writeln!(out, "{}", format!("{before}{line}").trim_end())?;
    }
    Ok(())
}

/// Writes lines as they are, each indented.
pub(crate) fn block(out: &mut (impl io::Write + ?Sized), indent: usize, text: &str) -> io::Result<()> {
    for line in text.lines() {
        writeln!(out, "{}", format!("{:indent$}{line}", "").trim_end())?;
    }
    Ok(())
}

/// A measured number with about three digits that matter, grouped when large.
pub(crate) fn measured(number: f64) -> String {
    match number.abs() {
        size if size >= 1000.0 => {
            let grouped = thousands(size.round() as u64);
            if number < 0.0 { format!("-{grouped}") } else { grouped }
        }
        size if size >= 100.0 => format!("{number:.0}"),
        size if size >= 10.0 => format!("{number:.1}"),
        size if size >= 0.1 || size == 0.0 => format!("{number:.2}"),
        _ => format!("{number:.3e}"),
    }
}

/// "1 claim", "2 claims".
pub(crate) fn count(number: u64, what: &str) -> String {
    format!("{} {what}{}", thousands(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_although_some_letters_are_wide() {
        let mut table = Table::new(1, 80);
        table.row(vec![Cell::new("単貧民"), Cell::new("x")]);
        table.row(vec![Cell::new("go"), Cell::new("y")]);
        let mut out = Vec::new();
        table.write(&mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), " 単貧民  x\n go      y\n");
    }

    #[test]
    fn the_last_column_is_wrapped_under_itself_and_no_line_ends_blank() {
        let mut table = Table::new(0, 30);
        table.row(vec![Cell::new("a"), Cell::new("one two three four five six seven")]);
        table.row(vec![Cell::new("b"), Cell::new("")]);
        let mut out = Vec::new();
        table.write(&mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a  one two three four five six\n   seven\nb\n");
    }

    #[test]
    fn a_last_column_without_room_stands_below() {
        let mut table = Table::new(1, 40);
        table.row(vec![
            Cell::new("a command that is rather long"),
            Cell::new("and what it is good for, in words"),
        ]);
        let mut out = Vec::new();
        table.write(&mut out).unwrap();
        let expected = " a command that is rather long\n     and what it is good for, in words\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn rows_that_are_wider_than_the_page_flow_over_it() {
        let mut table = Table::new(0, 24);
        table.row(["hana-ladder", "complete", "40 of 40 games", "3f2a91c0"].map(Cell::new).into());
        table.row(["a", "running", "", ""].map(Cell::new).into());
        let mut out = Vec::new();
        table.write(&mut out).unwrap();
        let expected = "hana-ladder  complete\n    40 of 40 games\n    3f2a91c0\na  running\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn commands_to_the_terminal_are_not_printed() {
        assert_eq!(printable("a\u{1b}[2J\u{7}\tb\n単"), "a\u{fffd}[2J\u{fffd} b\n単");
        let mut table = Table::new(0, 80);
        table.row(vec![Cell::new("\u{1b}c"), Cell::new("\r")]);
        let mut out = Vec::new();
        table.write(&mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "\u{fffd}c  \u{fffd}\n");
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!([0, 12, 123, 1234, 1_234_567].map(thousands), ["0", "12", "123", "1,234", "1,234,567"]);
        assert_eq!(
            [0.0, 0.52, 12.34, 123.4, 1234.5, 0.0001].map(measured),
            ["0.00", "0.52", "12.3", "123", "1,235", "1.000e-4"]
        );
        assert_eq!([count(1, "claim"), count(2000, "claim")], ["1 claim", "2,000 claims"]);
    }
}
