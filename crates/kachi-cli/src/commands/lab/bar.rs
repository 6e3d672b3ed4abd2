//! How far a run is, on standard error, when that is a terminal.

use crate::text::{measured, printable, thousands};
use indicatif::{ProgressBar, ProgressStyle};
use kachi_lab::simulate::words::rate_of;
use kachi_lab::work::{Progress, Work};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use terminal_size::terminal_size_of;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

const TICK: Duration = Duration::from_millis(100);

/// Columns of a terminal that does not tell.
const USUAL: usize = 80;

/// Units or stages done, how fast, and what is known so far.
pub(crate) struct Bar {
    bar: ProgressBar,
    units: Option<u64>,
    unit: &'static str,
    success: Option<&'static str>,
    begun: AtomicBool,
    /// The tenth of a second in which the words were last renewed.
    renewed: AtomicU64,
}

impl Bar {
    pub(crate) fn new(work: &dyn Work, name: &str, colourful: bool) -> Self {
        let units = work.units();
        let bar = ProgressBar::new(units.unwrap_or(1));
        let colour = if colourful { ".green" } else { "" };
        let of = if units.is_some() { " {eta}" } else { "" };
        // Whoever hears of no width draws for a usual terminal.
        let columns = terminal_size_of(std::io::stderr()).map_or(USUAL, |(width, _)| usize::from(width.0));
        let (name, wide) = fitted(&printable(name), units.unwrap_or(0), columns);
        let template = match wide {
            0 => format!("{{spinner}} {{prefix}} {{pos}}/{{len}}  {{wide_msg}}{of}"),
            wide => {
                format!("{{spinner}} {{prefix}} [{{bar:{wide}{colour}}}] {{pos}}/{{len}}  {{wide_msg}}{of}")
            }
        };
        // The template is ours and right; if it were not, the usual style would do.
        let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.progress_chars("█░░"));
        bar.set_prefix(name);
        bar.enable_steady_tick(TICK);
        let unit = work.unit();
        Bar {
            bar,
            units,
            unit,
            success: work.success(),
            begun: AtomicBool::new(false),
            renewed: AtomicU64::new(u64::MAX),
        }
    }

    /// Takes news from any thread; the words change ten times a second at most.
    pub(crate) fn hear(&self, news: &Progress) {
        let elapsed = self.bar.elapsed();
        let now = (elapsed.as_millis() / TICK.as_millis()) as u64;
        if self.renewed.swap(now, Ordering::Relaxed) == now {
            return;
        }
        let Progress { tally, found, stages, all_stages, words, .. } = news;
        if !self.begun.swap(true, Ordering::Relaxed) && found.units > 0 && self.units.is_some() {
            // What earlier runs did took no time in this one.
            self.bar.set_position(found.units);
            self.bar.reset_eta();
        }
        if self.units.is_some() {
            self.bar.set_position(tally.units);
        } else {
            self.bar.set_length(*all_stages);
            self.bar.set_position(*stages);
        }
        let fresh = tally.units.saturating_sub(found.units) as f64 / elapsed.as_secs_f64().max(1e-3);
        let (rate, unit) = (measured(fresh), self.unit);
        self.bar.set_message(match (self.success, self.units) {
            (Some(won), _) => format!("{won} {}  {fresh:.1} {unit}/s", rate_of(tally.good, tally.units)),
            // How many there are stands beside the bar already.
            (None, Some(_)) => format!("{words}  {rate} {unit}/s").trim_start().to_owned(),
            (None, None) => format!("{words}  {} {unit}, {rate}/s", thousands(tally.units)),
        });
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// How much of a name, and how wide a bar, leaves room for numbers and words on one line: a line that is broken cannot be drawn again.
fn fitted(name: &str, units: u64, columns: usize) -> (String, usize) {
    const WIDEST: usize = 16;
    const SPINNER: usize = 2;
    // The brackets of the bar, the gaps, the time that is left, and a few letters of the words.
    const REST: usize = 2 + 3 + 4 + 8;
    let numbers = 2 * units.to_string().len() + 1;
    let free = columns.saturating_sub(SPINNER + REST + numbers);
    let wide = free.saturating_sub(name.width()).min(WIDEST);
    let wide = if wide < WIDEST / 2 { 0 } else { wide };
    if name.width() + wide <= free {
        return (name.to_owned(), wide);
    }
    let mut cut = String::new();
    for letter in name.chars() {
        if cut.width() + letter.width().unwrap_or(0) + 1 > free {
            break;
        }
        cut.push(letter);
    }
    (cut + "…", wide)
}

#[cfg(test)]
mod tests {
    use super::fitted;
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn a_line_of_progress_fits_into_any_terminal() {
        assert_eq!(fitted("hana-ladder", 800_000, 100), ("hana-ladder".to_owned(), 16));
        let name = "calculation-3-plans-look0-net-look1-単貧民";
        for columns in 0..120 {
            let (name, wide) = fitted(name, 800_000, columns);
            let line = 2 + name.width() + 1 + (wide + 3) + 13 + 2;
            assert!(line <= columns || columns < 40, "{line} in {columns}: {name} {wide}");
            assert!(wide == 0 || wide >= 8);
        }
    }
}
