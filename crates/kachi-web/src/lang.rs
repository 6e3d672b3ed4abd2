//! The two languages of the interface. Both wordings stand side by side where they are used: `lang.t("Moves", "手")`.
//!
//! What a game itself says (verdicts, reasons) is in English with the Japanese terms; pages mark it as such.

use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_LANGUAGE, COOKIE};

/// A language of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lang {
    /// English, with the Japanese terms of the games.
    #[default]
    En,
    /// Japanese.
    Ja,
}

/// The cookie that remembers the choice.
pub(crate) const COOKIE_NAME: &str = "lang";

impl Lang {
    /// The wording in this language.
    pub(crate) fn t<'a>(self, english: &'a str, japanese: &'a str) -> &'a str {
        match self {
            Lang::En => english,
            Lang::Ja => japanese,
        }
    }

    /// Its code.
    pub(crate) fn code(self) -> &'static str {
        self.t("en", "ja")
    }

    /// The language with this code.
    pub(crate) fn of(code: &str) -> Option<Lang> {
        match code {
            "en" => Some(Lang::En),
            "ja" => Some(Lang::Ja),
            _ => None,
        }
    }

    /// What a request wants: the link's own word, then what was chosen before, then what the browser prefers.
    pub(crate) fn wanted(asked: Option<&str>, headers: &HeaderMap) -> Lang {
        asked.and_then(Lang::of).or_else(|| from_cookie(headers)).unwrap_or_else(|| preferred(headers))
    }

    /// A move without a card, if it has a name in every game.
    pub(crate) fn action(self, words: &str) -> &str {
        match (self, words) {
            (Lang::Ja, "pass") => "パス",
            _ => words,
        }
    }

    /// The name of a seat.
    pub(crate) fn seat(self, name: &str) -> &str {
        match (self, name) {
            (Lang::Ja, "first") => "先手",
            (Lang::Ja, "second") => "後手",
            _ => name,
        }
    }
}

fn from_cookie(headers: &HeaderMap) -> Option<Lang> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(name, value)| if name == COOKIE_NAME { Lang::of(value) } else { None })
}

/// The better liked of the two; browsers list them best first, with `q=` weights when they do not.
fn preferred(headers: &HeaderMap) -> Lang {
    let Some(list) = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()) else {
        return Lang::En;
    };
    let weight = |code: &str| {
        let matching = list.split(',').filter_map(|item| {
            let mut parts = item.trim().split(';');
            let tag = parts.next()?.trim();
            let primary = tag.split('-').next()?;
            let q = parts.find_map(|part| part.trim().strip_prefix("q=")?.parse::<f32>().ok());
            primary.eq_ignore_ascii_case(code).then_some(q.unwrap_or(1.0))
        });
        matching.fold(0.0, f32::max)
    };
    let first_ja = list.trim_start().to_ascii_lowercase().starts_with("ja");
    let (en, ja) = (weight("en"), weight("ja"));
    if ja > en || (ja > 0.0 && ja >= en && first_ja) { Lang::Ja } else { Lang::En }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepting(list: &str) -> Lang {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_LANGUAGE, list.parse().unwrap());
        Lang::wanted(None, &headers)
    }

    #[test]
    fn the_browser_s_order_and_weights_count() {
        assert_eq!(accepting("ja,en-US;q=0.7,en;q=0.3"), Lang::Ja);
        assert_eq!(accepting("en-US,en;q=0.9,ja;q=0.8"), Lang::En);
        assert_eq!(accepting("ja-JP, en"), Lang::Ja);
        assert_eq!(accepting("de, fr;q=0.5"), Lang::En);
        assert_eq!(accepting(""), Lang::En);
    }

    #[test]
    fn a_choice_beats_the_browser_and_the_link_beats_both() {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_LANGUAGE, "en".parse().unwrap());
        headers.insert(COOKIE, "a=b; lang=ja".parse().unwrap());
        assert_eq!(Lang::wanted(None, &headers), Lang::Ja);
        assert_eq!(Lang::wanted(Some("en"), &headers), Lang::En);
        assert_eq!(Lang::wanted(Some("tlh"), &headers), Lang::Ja);
    }
}
