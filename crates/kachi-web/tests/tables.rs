//! Games with hidden cards: played to their end, kept move by move, and never telling what their person must not see.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod support;

use kachi::hana::season::Season;
use kachi::registry::{find, games};
use std::collections::BTreeSet;
use support::{House, buttons, house, sit_down};

/// Everything but the record of moves, which names cards that everybody has seen, this month or earlier.
fn without_record(page: &str) -> String {
    let cut = |page: &str, from: &str, to: &str| match page.split_once(from) {
        Some((before, rest)) => {
            let after = rest.split_once(to).map_or("", |(_, after)| after);
            format!("{before}{after}")
        }
        None => page.to_owned(),
    };
    cut(&cut(page, "<p class=\"news\"", "</p>"), "<ol class=\"history\"", "</ol>")
}

/// The cards that seat 0 of a hana game must not know: the others' hands and the yama.
fn unseen_in_hana(house: &House, table: &str) -> BTreeSet<String> {
    let (board, _) = house.kept(table).board(find("hana").unwrap()).unwrap();
    if board.ended().is_some() {
        return BTreeSet::new();
    }
    let season: Season = board.notation().parse().unwrap();
    let month = season.month();
    let others: Vec<_> = match month.players() {
        Some(players) => (0..3).filter(|&p| season.seat(players[p]) != 0).map(|p| month.hand(p)).collect(),
        None => (0..season.seats()).filter(|&i| season.seat(i) != 0).map(|i| month.dealt(i)).collect(),
    };
    let mut unseen: BTreeSet<String> = month.yama().iter().map(ToString::to_string).collect();
    for hand in others {
        unseen.extend(hand.iter().map(|card| card.to_string()));
    }
    unseen
}

fn words(page: &str) -> BTreeSet<&str> {
    page.split(|letter: char| !letter.is_ascii_alphanumeric()).collect()
}

/// Makes one of the moves that are offered; false when the game is over. Whoever always took the same back could see the joker come and go for ever.
async fn go_on(house: &House, table: &str, page: &str, pick: usize) -> bool {
    let moves = buttons(page);
    let Some(mv) = moves.get(pick % moves.len().max(1)) else { return false };
    let ply = house.kept(table).moves.len();
    let moved = house.submit(&format!("{table}/move"), &format!("mv={mv}&ply={ply}")).await;
    assert_eq!(moved.status, 303, "{mv}: {}", moved.body);
    true
}

#[tokio::test(flavor = "multi_thread")]
async fn twelve_months_of_hana_to_the_end_with_a_score_sheet_and_no_card_told() {
    let house = house();
    let table = sit_down(&house, "hana", 0, 1).await;
    let mut months = BTreeSet::new();
    for turn in 0..400 {
        // Hint and values are made from what the person sees, so they may tell no more.
        let view = ["", "?show=values", "?show=hint"][turn % 3];
        let page = house.get(&format!("{table}{view}")).await.body;
        let shown = without_record(&page);
        let told: Vec<String> = unseen_in_hana(&house, &table)
            .into_iter()
            .filter(|card| words(&shown).contains(card.as_str()))
            .collect();
        assert!(told.is_empty(), "turn {turn}: the page tells {told:?}");
        months.extend(page.split("month ").nth(1).and_then(|rest| rest.split(' ').next()).map(str::to_owned));
        if !go_on(&house, &table, &page, turn * 5).await {
            break;
        }
    }
    let page = house.get(&table).await.body;
    assert!(page.contains("All months are played"), "{page}");
    assert!(months.len() >= 12, "{months:?}");
    let sheet = page.split("<caption>").nth(1).expect("the score sheet");
    let rows = sheet.split("<tbody>").nth(1).unwrap().split("</tbody>").next().unwrap();
    assert_eq!(rows.matches("<tr>").count(), 12);
    // What was won was lost by somebody: the sums cancel, up to what is left in the pot.
    assert!(sheet.contains("<tfoot>"));
    assert!(page.contains("id=\"sit-down\""), "another game is one click away");
}

#[tokio::test(flavor = "multi_thread")]
async fn closed_babanuki_is_played_to_its_end_with_two_to_five_seats() {
    let house = house();
    let entry = find("babanuki").unwrap();
    let hidden: Vec<usize> =
        entry.deals().iter().enumerate().filter(|(_, deal)| deal.hidden).map(|(kind, _)| kind).collect();
    let mut sizes = BTreeSet::new();
    for kind in hidden {
        let table = sit_down(&house, "babanuki", kind, 5).await;
        let mut over = false;
        for turn in 0..300 {
            let page = house.get(&format!("{table}?show=values")).await.body;
            let (board, _) = house.kept(&table).board(entry).unwrap();
            sizes.insert(board.seats().len());
            if board.ended().is_some() {
                over = true;
                break;
            }
            let mine =
                board.notation().split('/').next().unwrap().split(',').filter(|card| *card != "-").count();
            let faces =
                page.matches("class=\"card label\"").count() + page.matches("class=\"card joker\"").count();
            assert!(faces <= mine, "only the own hand is face up: {faces} of {mine}");
            if !go_on(&house, &table, &page, turn).await {
                break;
            }
        }
        assert!(over, "kind {kind}");
    }
    assert_eq!(sizes, BTreeSet::from([2, 3, 4, 5]));
}

#[tokio::test]
async fn neither_the_deal_nor_its_seed_is_ever_told_and_no_click_counts_twice() {
    let house = house();
    for game in games() {
        for (kind, _) in game.deals().iter().enumerate().filter(|(_, deal)| deal.hidden) {
            let name = game.about().name;
            let table = sit_down(&house, name, kind, 3).await;
            for _ in 0..6 {
                let page = house.get(&table).await;
                assert_eq!(page.status, 200);
                let kept = house.kept(&table);
                assert!(!page.body.contains(&kept.start), "{name}");
                let seed = kept.start.rsplit('@').next().unwrap();
                assert!(!page.body.contains(seed), "{name} {seed}");
                let (board, _) = kept.board(*game).unwrap();
                if board.ended().is_none() {
                    assert!(!page.body.contains(&board.notation()), "{name}");
                }
                let Some(mv) = buttons(&page.body).first().cloned() else { break };
                let ply = kept.moves.len();
                assert!(go_on(&house, &table, &page.body, 0).await);
                let after = house.kept(&table);
                assert!(after.moves.len() > ply);
                // The same click again changes nothing.
                house.submit(&format!("{table}/move"), &format!("mv={mv}&ply={ply}")).await;
                assert_eq!(house.kept(&table), after);
            }
        }
    }
}

#[tokio::test]
async fn unknown_tables_and_forged_moves_are_refused() {
    let house = house();
    assert_eq!(house.get("/table/0123456789abcdef0123456789abcdef").await.status, 404);
    let table = sit_down(&house, "hana", 0, 3).await;
    let before = house.kept(&table);
    let ply = before.moves.len();
    let forged = house.submit(&format!("{table}/move"), &format!("mv=nonsense&ply={ply}")).await;
    assert_eq!(forged.status, 400);
    assert_eq!(house.kept(&table), before);
    assert_eq!(house.submit("/tables", "game=tanhinmin&kind=0").await.status, 400);
    assert_eq!(house.submit("/tables", "game=nosuchgame").await.status, 404);
}
