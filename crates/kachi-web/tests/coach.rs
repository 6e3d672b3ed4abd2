//! The solitaire as a coach for a deck on the person's own table, and as auto-play.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod support;

use support::{House, attributes, house};

/// Where the button for the next step of auto-play leads.
fn next_step(page: &str) -> Option<String> {
    let tag =
        page.split("<a ").skip(1).find(|tag| tag.split('>').next().unwrap().contains("data-auto-step"))?;
    attributes(&format!(" {tag}"), "href").into_iter().next()
}

async fn follow(house: &House, link: &str) -> String {
    let page = house.get(link).await;
    assert_eq!(page.status, 200, "{link}");
    page.body
}

#[tokio::test(flavor = "multi_thread")]
async fn the_coach_is_told_what_turns_up_and_says_the_chances() {
    let house = house();
    let page = follow(&house, "/calculation").await;
    let coach = page.split("id=\"coach-head\"").nth(1).expect("the way to the coach");
    let begin = attributes(coach, "href").into_iter().next().unwrap();
    let mut link = begin;
    for card in ["7", "K", "4"] {
        let page = follow(&house, &link).await;
        // Somebody whose placed cards could be taken on first may have to say that the next one comes.
        let told = attributes(&page, "href")
            .into_iter()
            .find(|link| link.ends_with(&format!("={card}")) || link.ends_with(&format!("~{card}")));
        link = told.unwrap_or_else(|| panic!("{card} can be told: {link}"));
        let page = follow(&house, &link).await;
        assert!(page.contains("id=\"moves\"") && page.contains(" %"), "chances of every placement at {link}");
        link = next_step(&page).expect("a placement is advised");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn auto_play_steps_to_the_end_of_a_deal() {
    let house = house();
    let dealt = house.get("/calculation/deal?seed=7").await;
    let mut link = dealt.header("location").to_owned();
    let mut steps = 0;
    let page = loop {
        let page = follow(&house, &link).await;
        let Some(next) = next_step(&page) else { break page };
        link = next;
        steps += 1;
        assert!(steps <= 200, "it ends");
    };
    assert!(steps >= 40, "{steps}");
    assert!(!page.contains("To move"), "the game is over");
    // One can go back to any of these boards.
    assert!(page.contains("rel=\"prev\""));
}
