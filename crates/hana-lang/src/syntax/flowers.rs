//! The names of the forty-eight flowers: `<MATSU, TSURU>` is the crane on the pine. Within a month the pictures stand in card order.

use crate::diagnose::nearest;
use hana::Card;

/// Pictures of the months 1 to 12 in card order.
const PICTURES: [[&str; 4]; 12] = [
    ["TSURU", "AKATAN", "KASU1", "KASU2"],
    ["UGUISU", "AKATAN", "KASU1", "KASU2"],
    ["MANMAKU", "AKATAN", "KASU1", "KASU2"],
    ["HOTOTOGISU", "TAN", "KASU1", "KASU2"],
    ["YATSUHASHI", "TAN", "KASU1", "KASU2"],
    ["CHO", "AOTAN", "KASU1", "KASU2"],
    ["INOSHISHI", "TAN", "KASU1", "KASU2"],
    ["MANGETSU", "KARI", "KASU1", "KASU2"],
    ["SAKAZUKI", "AOTAN", "KASU1", "KASU2"],
    ["SHIKA", "AOTAN", "KASU1", "KASU2"],
    ["ONO'TOFU", "TSUBAME", "TAN", "KASU1"],
    ["HOWO", "KASU1", "KASU2", "KASU3"],
];

/// The flower as programs write it.
///
/// ```
/// use hana_lang::syntax::flowers;
/// let crane = hana::Card::from_id(0).unwrap();
/// assert_eq!(flowers::literal(crane), "<MATSU, TSURU>");
/// assert_eq!(flowers::find("MATSU", "TSURU"), Ok(crane));
/// ```
#[must_use]
pub fn literal(card: Card) -> String {
    format!("<{}, {}>", card.paper_flower(), picture(card))
}

/// What the card shows, as programs write it.
#[must_use]
pub fn picture(card: Card) -> &'static str {
    PICTURES[usize::from(card.month() - 1)][usize::from(card.letter())]
}

fn months() -> impl Iterator<Item = (u8, &'static str)> {
    (1..=12).filter_map(|month| Card::new(month, 0).map(|card| (month, card.paper_flower())))
}

/// The card of that name.
///
/// # Errors
/// A hint for the person who wrote it.
pub fn find(flower: &str, picture: &str) -> Result<Card, String> {
    let Some((month, _)) = months().find(|&(_, name)| name == flower) else {
        let near = nearest(flower, months().map(|(_, name)| name));
        return Err(match near {
            Some(name) => format!("did you mean {name}?"),
            None => {
                let names: Vec<&str> = months().map(|(_, name)| name).collect();
                format!("the flowers are {}", names.join(" "))
            }
        });
    };
    let pictures = PICTURES[usize::from(month - 1)];
    let letter = pictures.iter().position(|&name| name == picture);
    letter
        .and_then(|letter| Card::new(month, u8::try_from(letter).ok()?))
        .ok_or_else(|| format!("{flower} shows {}", pictures.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_has_a_name_of_its_own() {
        for card in hana::card::ALL.iter() {
            assert_eq!(find(card.paper_flower(), picture(card)), Ok(card));
        }
    }

    #[test]
    fn names_say_what_the_cards_are_worth() {
        for card in hana::card::ALL.iter() {
            let name = picture(card);
            assert_eq!(name.starts_with("KASU"), card.value() == 1, "{name}");
            assert_eq!(name.ends_with("TAN"), card.value() == 5, "{name}");
        }
    }
}
