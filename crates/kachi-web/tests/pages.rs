//! Pages and API without a socket: what they show, what they refuse, and what they never tell.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod support;

use axum::body::Body;
use axum::http::{Request, header};
use kachi::core::Limits;
use kachi::registry::games;
use kachi_web::lanes::Rules;
use serde_json::{Value, json};
use support::{attributes, house, house_with};

/// A position that no moment is enough for.
const HARD: &str = "@WRBRBRB,RBRBRBR,BRBRBRB,RBRBRBR:R:j2-2";

fn move_links(page: &str) -> Vec<String> {
    let links = attributes(page, "href");
    links.into_iter().filter(|link| link.contains("m=") && !link.starts_with("/picture")).collect()
}

#[tokio::test]
async fn the_first_page_leads_to_every_game() {
    let house = house();
    let page = house.get("/").await;
    assert_eq!(page.status, 200);
    let links = attributes(&page.body, "href");
    for game in games() {
        let link = format!("/{}", game.about().name);
        assert!(links.contains(&link), "{link}");
        assert_eq!(house.get(&link).await.status, 200, "{link}");
    }
}

#[tokio::test]
async fn every_example_of_every_game_is_a_page_with_verdict_and_moves() {
    let house = house();
    for game in games() {
        let about = game.about();
        for example in about.examples {
            let link = format!("/{}/{}", about.name, example.position);
            let page = house.get(&link).await;
            assert_eq!(page.status, 200, "{link}");
            assert!(page.body.contains("id=\"verdict\""), "{link}");
            let board = game.board(example.position).unwrap();
            if board.ended().is_none() {
                assert!(!move_links(&page.body).is_empty(), "{link}");
            }
        }
    }
}

#[tokio::test]
async fn moves_lead_on_and_undo_leads_back() {
    let house = house();
    let page = house.get("/tanhinmin/2,6,7/3,4,5,8@1").await;
    assert!(page.body.contains("href=\"/tanhinmin/2,6,7/3,4,5,8@1?m=6\""), "{}", page.body);
    let next = house.get("/tanhinmin/2,6,7/3,4,5,8@1?m=6").await;
    assert_eq!(next.status, 200);
    assert!(attributes(&next.body, "href").contains(&"/tanhinmin/2,6,7/3,4,5,8@1?m=6&at=0".to_owned()));
    let back = house.get("/tanhinmin/2,6,7/3,4,5,8@1?m=6&at=0").await;
    // The move is still listed, and the board is the first one again.
    assert!(attributes(&back.body, "href").contains(&"/tanhinmin/2,6,7/3,4,5,8@1?m=6".to_owned()));
}

#[tokio::test]
async fn whole_games_can_be_played_by_following_links() {
    let house = house();
    for game in games().iter().filter(|game| game.about().name != "hana") {
        let name = game.about().name;
        let mut link = format!("/{name}/{}", game.about().examples[0].position);
        for ply in 0..120 {
            let page = house.get(&link).await;
            assert_eq!(page.status, 200, "{link}");
            let depth = |link: &str| link.split("m=").nth(1).map_or(0, |moves| moves.split('~').count());
            let deeper = |next: &&String| depth(next) == ply + 1 && !next.contains("at=");
            let links = move_links(&page.body);
            let Some(next) = links.iter().rfind(deeper) else { break };
            link = next.clone();
        }
        let page = house.get(&link).await;
        assert!(link.contains("m="), "{name}");
        assert_eq!(page.status, 200, "{link}");
    }
}

#[tokio::test]
async fn a_wrong_position_is_marked_and_can_be_mended() {
    let house = house();
    let page = house.get("/tanhinmin/1,x,3/2").await;
    assert_eq!(page.status, 400);
    assert!(page.body.contains("<mark>x"), "{}", page.body);
    assert!(page.body.contains("<textarea") && page.body.contains(">1,x,3/2</textarea>"));
    for game in games() {
        for text in ["", "///", "%F0%9F%83%8F", "..", "%3Cscript%3Ealert(1)%3C/script%3E", &"9".repeat(3000)]
        {
            let page = house.get(&format!("/{}?p={text}", game.about().name)).await;
            assert!(
                page.status == 400 || page.status == 413 || page.status == 303,
                "{text}: {}",
                page.status
            );
            assert!(!page.body.contains("<script>"), "{text}");
        }
    }
    let wrong_move = house.get("/tanhinmin/1,3/2?m=9").await;
    assert_eq!(wrong_move.status, 400);
    assert!(wrong_move.body.contains("role=\"alert\""));
}

#[tokio::test]
async fn the_editor_s_text_becomes_a_neat_link() {
    let house = house();
    let answer = house.get("/tanhinmin?p=1+3+4+%2F+2+6").await;
    assert_eq!(answer.status, 303);
    assert_eq!(answer.header("location"), "/tanhinmin/1,3,4/2,6");
}

#[tokio::test]
async fn deals_come_by_seed_and_kind() {
    let house = house();
    for game in games() {
        let name = game.about().name;
        for kind in 0..game.deals().len().max(1) {
            let answer = house.get(&format!("/{name}/deal?kind={kind}&seed=7")).await;
            assert_eq!(answer.status, 303, "{name} {kind}");
            let link = answer.header("location").to_owned();
            assert_eq!(house.get(&link).await.status, 200, "{link}");
            if kind == 0 {
                // The usual deal has a verdict, although it needs more than a moment.
                assert!(!house.get(&link).await.body.contains("No verdict"), "{link}");
            }
            let again = house.get(&format!("/{name}/deal?kind={kind}&seed=7")).await;
            assert_eq!(again.header("location"), link);
        }
    }
}

#[tokio::test]
async fn the_engine_answers_and_hides_its_knowledge_while_one_plays() {
    let house = house();
    let begin = house.get("/tanhinmin/play?p=1,3,4,5,8/2,6,7&you=0&level=5").await;
    let link = begin.header("location").to_owned();
    let page = house.get(&link).await;
    assert_eq!(page.status, 200);
    assert!(!page.body.contains("id=\"why\"") && !page.body.contains("class=\"sign\""), "values are hidden");
    let moved = house.get("/tanhinmin/1,3,4,5,8/2,6,7?m=5&you=0").await;
    assert_eq!(moved.status, 303);
    let answered = moved.header("location");
    assert!(answered.contains("m=5~") && answered.contains("you=0"), "{answered}");
    assert!(house.get("/tanhinmin/1,3,4,5,8/2,6,7?you=0&show=values").await.body.contains("id=\"why\""));
    assert!(house.get("/tanhinmin/1,3,4,5,8/2,6,7?you=0&show=hint").await.body.contains("class=\"hint\""));
}

#[tokio::test]
async fn the_line_is_shown_on_request() {
    let house = house();
    for link in ["/tanhinmin/2,6,7/3,4,5,8@1?show=line", "/babanuki/1,2,3/1,2,3,J@0?show=line"] {
        let page = house.get(link).await;
        assert!(page.body.contains("id=\"line\""), "{link}");
    }
}

#[tokio::test]
async fn pages_speak_two_languages() {
    let house = house();
    let english = house.get("/tanhinmin").await;
    assert!(english.body.contains("<html lang=\"en\">") && english.body.contains(">Moves<"));
    let japanese = house.get_in("/tanhinmin", "accept-language", "ja").await;
    assert!(japanese.body.contains("<html lang=\"ja\">") && japanese.body.contains("指し手"));
    let chosen = house.get("/tanhinmin?lang=ja").await;
    assert!(chosen.header("set-cookie").starts_with("lang=ja"));
    assert!(house.get_in("/claims", "cookie", "lang=ja").await.body.contains("定理と主張"));
}

#[tokio::test]
async fn the_claims_page_has_every_claim_and_opens_counterexamples() {
    let house = house();
    let page = house.get("/claims").await;
    for game in games() {
        for claim in kachi::registry::claims(*game) {
            let anchor = format!("id=\"{}-{}\"", game.about().name, claim.statement().id);
            assert!(page.body.contains(&anchor), "{anchor}");
        }
        for question in kachi::registry::questions(*game) {
            let anchor = format!("class=\"claim open\" id=\"{}-{}\"", game.about().name, question.id);
            assert!(page.body.contains(&anchor), "{anchor}");
        }
    }
    let boards: Vec<String> = page
        .body
        .split("class=\"button small\" href=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap().replace("&amp;", "&"))
        .collect();
    assert!(boards.len() >= 5, "{}", boards.len());
    for link in boards {
        let board = house.get(&link).await;
        assert!(board.status == 200, "{link}: {}", board.status);
    }
    let refuted = house.get("/claims?status=refuted").await;
    assert!(refuted.body.len() < page.body.len());
    assert!(!refuted.body.contains("class=\"claim proved\""));
    let open = house.get("/claims?status=open").await;
    assert!(open.body.contains("class=\"claim open\"") && !open.body.contains("class=\"claim refuted\""));
}

#[tokio::test]
async fn pictures_and_cards_are_served_with_their_own_policy() {
    let house = house();
    let picture = house.get("/picture/tanhinmin/2,6,7/3,4,5,8@1?m=6").await;
    assert_eq!(picture.status, 200);
    assert!(picture.body.starts_with("<svg "));
    assert_eq!(picture.header("content-type"), "image/svg+xml; charset=utf-8");
    assert!(picture.header("content-security-policy").starts_with("default-src 'none'"));
    assert!(house.get("/cards/hana/1a.svg").await.body.starts_with("<svg "));
    for wrong in [
        "/cards/hana/13z.svg",
        "/cards/hana/..%2F..%2Fetc%2Fpasswd",
        "/cards/tanhinmin/1.svg",
        "/assets/x/passwd",
        "/assets/..%2F/x",
    ] {
        assert_eq!(house.get(wrong).await.status, 404, "{wrong}");
    }
}

#[tokio::test]
async fn every_answer_wears_strict_headers_and_no_page_has_inline_code() {
    let house = house();
    let mut links: Vec<String> =
        ["/", "/claims", "/api", "/health", "/nowhere/else", "/tanhinmin/zzz"].map(String::from).to_vec();
    links.extend(games().iter().map(|game| format!("/{}", game.about().name)));
    for link in links {
        let page = house.get(&link).await;
        let policy = page.header("content-security-policy");
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{link}");
        assert_eq!(page.header("x-content-type-options"), "nosniff");
        assert_eq!(page.header("x-frame-options"), "DENY");
        assert!(!page.body.contains(" style=\"") && !page.body.contains("<style"), "{link}");
        assert!(!page.body.contains(" onclick=") && !page.body.contains("javascript:"), "{link}");
        assert!(
            page.body.split("<script").skip(1).all(|script| script.starts_with(" src=\"/assets/")),
            "{link}"
        );
        for outside in ["src=\"http", "href=\"http", "src=\"//", "href=\"//"] {
            assert!(!page.body.contains(outside), "{link} loads nothing from elsewhere");
        }
    }
}

#[tokio::test]
async fn foreign_hosts_and_foreign_forms_are_refused() {
    let house = house();
    let foreign = Request::get("/").header("host", "evil.example").body(Body::empty()).unwrap();
    assert_eq!(house.send(foreign).await.status, 403);
    let form = |name: &str, value: &str| {
        Request::post("/tables")
            .header("host", "localhost")
            .header(name, value)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(Body::from("game=hana"))
            .unwrap()
    };
    assert_eq!(house.send(form("sec-fetch-site", "cross-site")).await.status, 403);
    assert_eq!(house.send(form("origin", "http://evil.example")).await.status, 403);
    assert_eq!(house.send(form("origin", "http://localhost")).await.status, 303);
}

#[tokio::test]
async fn the_api_answers_one_request_and_many() {
    let house = house();
    let one = house.ask(r#"{"id": 7, "game": "tanhinmin", "position": "1,3,4,5,8/2,6,7"}"#).await;
    assert_eq!(one.status, 200);
    assert_eq!(one.header("content-type"), "application/json");
    assert_eq!(one.json()["id"], 7);
    let many: Vec<Value> = games()
        .iter()
        .enumerate()
        .map(|(i, game)| {
            let mut request: Value = serde_json::from_str(&game.typical_request(1)).unwrap();
            request["id"] = json!(i);
            request
        })
        .chain([json!({"id": "bad", "game": "nosuchgame"})])
        .collect();
    let replies = house.ask(Value::Array(many).to_string()).await;
    assert_eq!(replies.status, 200);
    let replies = replies.json();
    for i in 0..games().len() {
        assert_eq!(replies[i]["id"], i);
        assert!(replies[i]["error"].is_null(), "{}", replies[i]);
    }
    assert_eq!(replies[games().len()]["error"]["code"], "unknown_game");
}

#[tokio::test]
async fn limits_are_told_by_status_and_by_name() {
    let tiny =
        Rules { body: 2000, limits: Limits { cards: 50, nodes: 300, bytes: 1 << 20 }, ..Rules::default() };
    let house = house_with(tiny);
    let long = house.ask("x".repeat(5000)).await;
    assert_eq!((long.status.as_u16(), long.json()["error"]["code"].clone()), (413, json!("too_large")));
    assert!(long.json()["error"]["message"].as_str().unwrap().contains("body"));
    let cards: Vec<u32> = (1..=60).collect();
    let large = house.ask(json!({"game": "tanhinmin", "hands": [cards, [3]], "table": 0}).to_string()).await;
    assert_eq!((large.status.as_u16(), large.json()["error"]["code"].clone()), (413, json!("too_large")));
    let deep = house.ask(json!({"game": "graph-shichinarabe", "position": HARD}).to_string()).await;
    let code = deep.json()["error"]["code"].clone();
    assert_eq!((deep.status.as_u16(), code), (422, json!("out_of_budget")), "{}", deep.body);
    assert_eq!(house.ask("{").await.status, 400);
    assert_eq!(house.ask(r#"{"game": "chess"}"#).await.status, 404);
}

#[tokio::test]
async fn a_full_queue_and_a_greedy_client_are_told_apart() {
    let needs_search =
        json!({"game": "graph-shichinarabe", "position": "@WRBRBRB,RBRBRBR,BRBRBRB,RBRBRBR:R:j2-2"})
            .to_string();
    let greedy = house_with(Rules { per_client: 0, ..Rules::default() });
    let answer = greedy.ask(needs_search.clone()).await;
    assert_eq!(
        (answer.status.as_u16(), answer.json()["error"]["code"].clone()),
        (429, json!("too_many_searches")),
        "{}",
        answer.body
    );
    assert_eq!(answer.header("retry-after"), "1");
    // Quick answers do not queue at all.
    assert_eq!(greedy.ask(r#"{"game": "tanhinmin", "position": "1,3/2"}"#).await.status, 200);
    assert_eq!(greedy.app.lanes.waiting(), 0);
}

#[tokio::test]
async fn openapi_describes_every_query_and_resolves() {
    let house = house();
    let document = house.get("/api/v1/openapi.json").await.json();
    assert_eq!(document["openapi"], "3.1.0");
    let schemas = document["components"]["schemas"].as_object().unwrap();
    for game in games() {
        for query in game.queries() {
            assert!(schemas.contains_key(&format!("{}.{}.request", game.about().name, query.name)));
        }
    }
    let text = document.to_string();
    for target in text.split("\"$ref\":\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        let name = target.strip_prefix("#/components/schemas/").unwrap_or_else(|| panic!("{target}"));
        assert!(schemas.contains_key(name), "{target}");
    }
    let tried = house
        .submit("/api", "request=%7B%22game%22%3A%22tanhinmin%22%2C%22position%22%3A%221%2C3%2F2%22%7D")
        .await;
    assert!(tried.body.contains("id=\"reply\"") && tried.body.contains("winner"), "{}", tried.body);
}

#[tokio::test]
async fn health_is_told() {
    let house = house();
    let health = house.get("/health").await;
    assert_eq!(health.json()["status"], "ok");
    assert_eq!(health.header(header::CONTENT_TYPE.as_str()), "application/json");
}
