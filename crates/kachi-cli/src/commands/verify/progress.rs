//! The progress bar of a check, on standard error and only when that is a terminal.

use crate::text::{measured, thousands};
use indicatif::{ProgressBar, ProgressStyle};
use kachi::verify::Progress;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const TICK: Duration = Duration::from_millis(100);

/// Claims done, cases checked, and how fast.
pub(super) struct Bar {
    bar: ProgressBar,
    cases: AtomicU64,
    /// The tenth of a second in which the words were last renewed.
    renewed: AtomicU64,
}

impl Bar {
    pub(super) fn new(claims: usize, colourful: bool) -> Self {
        let bar = ProgressBar::new(claims as u64);
        let colour = if colourful { ".green" } else { "" };
        let template = format!("{{spinner}} [{{bar:16{colour}}}] {{pos}}/{{len}} claims  {{wide_msg}}");
        // The template is ours and right; if it were not, the usual style would do.
        let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.progress_chars("█░░"));
        bar.enable_steady_tick(TICK);
        Bar { bar, cases: AtomicU64::new(0), renewed: AtomicU64::new(0) }
    }

    /// Takes news from any thread; the words change ten times a second at most.
    pub(super) fn hear(&self, news: Progress<'_>) {
        match news {
            Progress::Shard { claim, size, checked } => {
                let cases = self.cases.fetch_add(checked, Ordering::Relaxed) + checked;
                let elapsed = self.bar.elapsed();
                let now = (elapsed.as_millis() / TICK.as_millis()) as u64;
                if self.renewed.swap(now, Ordering::Relaxed) != now {
                    let rate = measured(cases as f64 / elapsed.as_secs_f64().max(1e-3));
                    let cases = thousands(cases);
                    self.bar.set_message(format!("{} size {size}  {cases} cases, {rate}/s", claim.id));
                }
            }
            Progress::Done(_) => self.bar.inc(1),
        }
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
