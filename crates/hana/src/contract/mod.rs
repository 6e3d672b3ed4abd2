//! Requests and replies, query by query: `teyaku`, `dekiyaku`, `field`, `redeal`, `settle`, `month`, `endgame`, `endgame-money`.
//!
//! The types are in [`messages`]; here they are read, checked and answered.

pub mod messages;

use crate::card::{ALL, Card, Cards, DECK};
use crate::field::{self, Waiting};
use crate::house::{Account, Carry, House, Stop};
use crate::month::{Decision, Month};
use crate::search::money::{self, Purse};
use crate::search::open::Open;
use crate::search::{expected, points, sets};
use crate::settle::{End, settle};
use crate::yaku::{self, Dekiyaku, KASU_WITH_WILLOW, Table};
use kachi_core::{Budget, Error, request};
use messages::Names;
use serde::Serialize;
use serde_json::json;

pub use messages::*;

/// Reads cards by name, each with its place.
fn cards(names: &[String], path: &str) -> Result<Vec<Card>, Error> {
    if names.len() > DECK {
        return Err(Error::too_large(path, names.len(), DECK).at_field(path));
    }
    let mut seen = Cards::NONE;
    let mut cards = Vec::with_capacity(names.len());
    for (i, name) in names.iter().enumerate() {
        let at = || format!("{path}[{i}]");
        let card: Card = name.parse().map_err(|error: Error| error.at_field(at()))?;
        if seen.has(card) {
            return Err(
                Error::new("duplicate_card", format!("the card {card} is there twice")).at_field(at())
            );
        }
        seen = seen.with(card);
        cards.push(card);
    }
    Ok(cards)
}

fn set(names: &[String], path: &str) -> Result<Cards, Error> {
    Ok(cards(names, path)?.into_iter().collect())
}

fn three<T>(list: Vec<T>, path: &str) -> Result<[T; 3], Error> {
    let found = list.len();
    list.try_into().map_err(|_| {
        Error::new("wrong_count", format!("there are three players, but {path} has {found} entries"))
            .at_field(path)
    })
}

/// Three disjoint sets.
fn baskets(lists: Vec<Names>) -> Result<[Cards; 3], Error> {
    let lists = three(lists, "baskets")?;
    let mut seen = Cards::NONE;
    let mut baskets = [Cards::NONE; 3];
    for (n, list) in lists.iter().enumerate() {
        let basket = set(list, &format!("baskets[{n}]"))?;
        if let Some(card) = (basket & seen).iter().next() {
            return Err(Error::new("duplicate_card", format!("two players have taken the card {card}"))
                .at_field(format!("baskets[{n}]")));
        }
        seen = seen | basket;
        baskets[n] = basket;
    }
    Ok(baskets)
}

fn index(index: i64) -> Result<u32, Error> {
    u32::try_from(index).ok().filter(|&index| index <= 2).ok_or_else(|| {
        Error::new("bad_index", format!("the exponent of the field is 0, 1 or 2, not {index}"))
            .at_field("index")
    })
}

fn player(number: i64, path: &str) -> Result<Option<usize>, Error> {
    match number {
        0 => Ok(None),
        1..=3 => Ok(Some(number as usize - 1)),
        _ => Err(Error::new("bad_player", format!("players are 1, 2 and 3 (0: nobody), not {number}"))
            .at_field(path)),
    }
}

fn waiting(carry: &[i64]) -> Result<Waiting, Error> {
    const LONGEST: usize = 64;
    if carry.len() > LONGEST {
        return Err(Error::too_large("carry", carry.len(), LONGEST).at_field("carry"));
    }
    Waiting::from_list(carry).ok_or_else(|| {
        Error::new("bad_carry", "only ones and twos can be carried")
            .at_field("carry")
            .hint("\"carry\": [2, 1]")
    })
}

/// Owned names.
fn owned(name: Option<&str>) -> Option<String> {
    name.map(str::to_owned)
}

fn teyaku(request: &TeyakuRequest) -> Result<TeyakuReply, Error> {
    let hand = set(&request.hand, "hand")?;
    if hand.count() != 7 {
        return Err(Error::new("wrong_count", format!("a dealt hand has 7 cards, not {}", hand.count()))
            .at_field("hand"));
    }
    let found = match request.rules {
        TeyakuRules::Full => yaku::full_teyaku(hand),
        TeyakuRules::Paper => yaku::paper_teyaku(hand),
    };
    Ok(TeyakuReply {
        group_a: owned(found.months),
        group_b: owned(found.kinds),
        names: found.names().map(str::to_owned).collect(),
        kan: found.kan,
        window: found.window.names(),
    })
}

fn dekiyaku(request: &DekiyakuRequest) -> Result<DekiyakuReply, Error> {
    let basket = set(&request.basket, "basket")?;
    let table = match request.table {
        DekiyakuTable::EightyEight => Table::EightyEight,
        DekiyakuTable::HanaAwase => Table::HanaAwase,
    };
    let played = Dekiyaku { table, inoshikacho: request.inoshikacho, nanatan_plus: request.nanatan_plus };
    let value = played.value(basket);
    let today = table == Table::EightyEight;
    Ok(DekiyakuReply {
        names: played.made(basket).map(|row| row.name.to_owned()).collect(),
        kan: today.then_some(value),
        points_value: (!today).then_some(value),
        points: basket.points(),
        kasu: (basket & KASU_WITH_WILLOW).count(),
    })
}

fn field_of(request: &FieldRequest) -> Result<FieldReply, Error> {
    let table = set(&request.table, "table")?;
    let mode = match request.mode {
        CarryMode::None => Carry::None,
        CarryMode::Paper => Carry::Paper,
        CarryMode::Queue => Carry::Queue,
    };
    let (index, carry) = field::field(table, &waiting(&request.carry)?, mode);
    Ok(FieldReply { index, multiplier: 1 << index, carry: carry.list() })
}

fn redeal(request: &RedealRequest) -> Result<RedealReply, Error> {
    let table = set(&request.table, "table")?;
    Ok(RedealReply {
        max_same: field::max_same(table),
        redeal: field::redeal(table),
        stranded_if_take_one: field::stranded_if_take_one(table),
    })
}

fn end_of(request: &mut SettleRequest, house: &House, taken: Cards) -> Result<End, Error> {
    let by = player(request.stopped_by, "stopped_by")?;
    let first_sage = player(request.first_sage, "first_sage")?;
    let mode = request.mode.unwrap_or(if by.is_some() { EndMode::Shobu } else { EndMode::Exhausted });
    let sage = match request.sage.take() {
        Some(sage) => three(sage, "sage")?,
        None => [false; 3],
    };
    let stopper =
        || by.ok_or_else(|| Error::new("missing_field", "who stopped the round?").at_field("stopped_by"));
    match mode {
        EndMode::Exhausted if house.settle == Account::Par && taken != ALL => {
            let message = format!("a round that ran out has all 48 cards taken; {} are missing", ALL - taken);
            Err(Error::new("cards_missing", message).at_field("baskets"))
        }
        EndMode::Exhausted => Ok(End::RanOut { first_sage }),
        EndMode::Shobu => Ok(End::Stopped { by: stopper()?, sage }),
        EndMode::Cancel => Ok(End::Cancelled { by: stopper()? }),
    }
}

fn settle_request(mut request: SettleRequest) -> Result<SettleReply, Error> {
    let house = request.preset.rules();
    let baskets = baskets(std::mem::take(&mut request.baskets))?;
    let index = index(request.index)?;
    let end = end_of(&mut request, &house, baskets[0] | baskets[1] | baskets[2])?;
    let paid = settle(&house, &baskets, index, end);
    Ok(SettleReply {
        net: paid.net,
        winner: paid.winner.map_or(0, |winner| winner + 1),
        reason: paid.reason,
        claims: paid.pairwise.and_then(|parts| parts.claims),
        few: paid.pairwise.map(|parts| parts.few),
        fuke: paid.pairwise.map(|parts| parts.fuke),
    })
}

fn permutation(names: &[String], path: &str) -> Result<[Card; DECK], Error> {
    let cards = cards(names, path)?;
    let found = cards.len();
    cards.try_into().map_err(|_| {
        Error::new("wrong_count", format!("{path} must be all 48 cards, not {found}")).at_field(path)
    })
}

fn month(request: &MonthRequest) -> Result<MonthReply, Error> {
    const MOST_CHOICES: usize = 256;
    let mut house = request.preset.rules();
    match request.battari {
        Some(true) => house.stop = Stop::Battari,
        Some(false) if house.stop == Stop::Battari => house.stop = Stop::Never,
        _ => {}
    }
    let deck = permutation(&request.deck, "deck")?;
    let order = permutation(&request.order, "order")?;
    if request.choices.len() > MOST_CHOICES {
        return Err(Error::too_large("choices", request.choices.len(), MOST_CHOICES).at_field("choices"));
    }
    let seats = usize::try_from(request.seats).unwrap_or(0);
    let (mut month, carry) = Month::deal(house, seats, &deck, &order, &waiting(&request.carry)?, 0)?;
    for (i, choice) in request.choices.iter().enumerate() {
        let place = || format!("choices[{i}]");
        let decision = match choice {
            Choice::Say(word) => Decision::Say(*word),
            Choice::Card(name) => {
                Decision::Card(name.parse().map_err(|error: Error| error.at_field(place()))?)
            }
        };
        month.decide(decision).map_err(|error| error.at_field(place()))?;
    }
    let (Some(players), Some(paid), Some(end)) = (month.players(), month.settled(), month.ended()) else {
        let message = format!("the choices end too early: the month asks for {:?}", month.ask());
        return Err(
            Error::new("missing_choice", message).at_field(format!("choices[{}]", request.choices.len()))
        );
    };
    Ok(MonthReply {
        seats_active: players.map(|seat| seat + 1),
        index: month.index(),
        carry: carry.list(),
        teyaku: month.teyaku().map(|teyaku| teyaku.names().collect()),
        turns: month.turn(),
        stopped_by: match end {
            End::RanOut { .. } => 0,
            End::Stopped { by, .. } | End::Cancelled { by } => by + 1,
        },
        baskets: std::array::from_fn(|player| month.basket(player).names()),
        table: month.table().names(),
        net_cash: month.cash().to_vec(),
        pot_left: month.pot(),
        winner: paid.winner.map_or(0, |winner| winner + 1),
        reason: paid.reason,
    })
}

fn open_position(hands: Vec<Names>, table: &[String], yama: &[String], sweep: bool) -> Result<Open, Error> {
    let hands = three(hands, "hands")?;
    let mut read = [(); 3].map(|()| Vec::new());
    for (seat, hand) in hands.iter().enumerate() {
        read[seat] = cards(hand, &format!("hands[{seat}]"))?;
    }
    Open::new(&read, &cards(table, "table")?, &cards(yama, "yama")?, sweep)
}

/// The largest hand whose subsets are all looked at.
const LARGEST_HAND: u32 = 7;
/// Rounds for which the expectation is worked out.
const EXPECTED_TURNS: usize = 9;

fn endgame(request: EndgameRequest, budget: &mut Budget<'_>) -> Result<EndgameReply, Error> {
    let sweep = matches!(request.three, ThreeRule::All);
    let open = open_position(request.hands, &request.table, &request.yama, sweep)?;
    endgame_of(&open, budget)
}

/// What each seat can guarantee from an open position.
///
/// # Errors
/// `too_large`, or `out_of_budget` with what was known.
pub fn endgame_of(open: &Open, budget: &mut Budget<'_>) -> Result<EndgameReply, Error> {
    for (seat, hand) in open.hands().iter().enumerate() {
        if hand.count() > LARGEST_HAND {
            return Err(Error::too_large("cards of a hand", hand.count(), LARGEST_HAND)
                .at_field(format!("hands[{seat}]")));
        }
    }
    let mut known = serde_json::Map::new();
    let mut guaranteed = [0; 3];
    for (seat, points) in guaranteed.iter_mut().enumerate() {
        *points =
            points::guaranteed(open, seat, budget).map_err(|error| error.known(known.clone().into()))?;
        known.insert(format!("guaranteed_{}", seat + 1), json!(*points));
    }
    let mut sets = [(); 3].map(|()| Vec::new());
    for (seat, maximal) in sets.iter_mut().enumerate() {
        let found = sets::maximal(open, seat, budget).map_err(|error| error.known(known.clone().into()))?;
        *maximal = found.into_iter().map(Cards::names).collect();
    }
    let mut reply = EndgameReply { guaranteed, sets, expected: None, expected_exact: None };
    if open.yama().len() <= EXPECTED_TURNS {
        let mut ratios = Vec::new();
        for seat in 0..3 {
            let ratio =
                expected::expected(open, seat, budget).map_err(|error| error.known(known.clone().into()))?;
            ratios.push(ratio);
        }
        reply.expected = Some(std::array::from_fn(|seat| ratios[seat].rounded()));
        reply.expected_exact = Some(std::array::from_fn(|seat| ratios[seat].to_string()));
    }
    Ok(reply)
}

fn endgame_money(request: MoneyRequest, budget: &mut Budget<'_>) -> Result<MoneyReply, Error> {
    let house = request.preset.rules();
    let open = open_position(request.hands, &request.table, &request.yama, true)?;
    let baskets = baskets(request.baskets)?;
    let taken = baskets[0] | baskets[1] | baskets[2];
    if let Some(card) = (taken & open.cards()).iter().next() {
        return Err(Error::new("duplicate_card", format!("the card {card} is taken and still in play"))
            .at_field("baskets"));
    }
    if house.settle == Account::Par && (taken | open.cards()) != ALL {
        let message = format!("all 48 cards must be somewhere; {} are missing", ALL - taken - open.cards());
        return Err(Error::new("cards_missing", message).at_field("baskets"));
    }
    let purse = Purse { open, baskets, index: index(request.index)?, house, said: ([false; 3], None) };
    let mut net = [0; 3];
    for (seat, net) in net.iter_mut().enumerate() {
        *net = money::guaranteed(&purse, seat, budget)?;
    }
    Ok(MoneyReply { net })
}

/// Answers a request.
///
/// # Errors
/// What is wrong with it, or which limit it met.
pub fn answer(query: &str, json: &str, budget: &mut Budget<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    match query {
        "teyaku" => write(out, &teyaku(&request::parse(json)?)?),
        "dekiyaku" => write(out, &dekiyaku(&request::parse(json)?)?),
        "field" => write(out, &field_of(&request::parse(json)?)?),
        "redeal" => write(out, &redeal(&request::parse(json)?)?),
        "settle" => write(out, &settle_request(request::parse(json)?)?),
        "month" => write(out, &month(&request::parse(json)?)?),
        "endgame" => write(out, &endgame(request::parse(json)?, budget)?),
        "endgame-money" => write(out, &endgame_money(request::parse(json)?, budget)?),
        _ => Err(Error::new("unknown_query", format!("hana has no query {query:?}")).at_field("query").hint(
            "the queries are teyaku, dekiyaku, field, redeal, settle, month, endgame and endgame-money",
        )),
    }
}

fn write(out: &mut Vec<u8>, reply: &impl Serialize) -> Result<(), Error> {
    serde_json::to_writer(out, reply).map_err(|error| Error::new("internal_error", error.to_string()))
}
