//! Moments of time as text: RFC 3339, in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now.
#[must_use]
pub fn now() -> String {
    text(seconds())
}

/// Seconds since 1970.
#[must_use]
pub fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// So many seconds since 1970, by the calendar.
///
/// ```
/// use kachi_lab::campaign::moment::text;
/// assert_eq!(text(0), "1970-01-01T00:00:00Z");
/// assert_eq!(text(1_709_210_096), "2024-02-29T12:34:56Z");
/// ```
#[must_use]
pub fn text(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Howard Hinnant's days-to-civil: years begin in March, so that leap days come last.
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}
