//! A graph to play on: vertices are the moves, edges say where the table reaches.

use super::{Sight, Way, ink, sign, tone_class, tone_words};
use kachi::core::scene::{Net, Node};
use maud::{Markup, html};

const STEP: f64 = 64.0;
const MARGIN: f64 = 44.0;

/// The net with its moves.
pub(crate) fn net(net: &Net, seats: &[String], sight: &Sight<'_>) -> Markup {
    let most = |f: fn(&Node) -> f64| net.nodes.iter().map(f).fold(0.0, f64::max);
    let (width, height) =
        (most(|n| n.place.0) * STEP + 2.0 * MARGIN, most(|n| n.place.1) * STEP + 2.0 * MARGIN);
    let at = |node: &Node| (MARGIN + node.place.0 * STEP, MARGIN + node.place.1 * STEP);
    html! {
        // A picture whose links stay links: a group, not an image.
        svg.net viewBox=(format!("0 0 {width:.0} {height:.0}")) width=(format!("{width:.0}")) height=(format!("{height:.0}"))
            role="group" aria-label=(sight.lang.t("the graph", "グラフ")) {
            @for &(from, to, later) in &net.edges {
                @if let (Some(a), Some(b)) = (net.nodes.get(from), net.nodes.get(to)) {
                    @let ((x1, y1), (x2, y2)) = (at(a), at(b));
                    line class=(if later { "edge later" } else { "edge" }) x1=(x1) y1=(y1) x2=(x2) y2=(y2) {}
                    @if net.directed {
                        circle.arrow cx=(x1 + (x2 - x1) * 0.64) cy=(y1 + (y2 - y1) * 0.64) r="4" {}
                    }
                }
            }
            @for node in &net.nodes { (vertex(node, at(node), seats, sight)) }
        }
    }
}

fn vertex(node: &Node, (x, y): (f64, f64), seats: &[String], sight: &Sight<'_>) -> Markup {
    let owner = node.owner.map_or("on-table".to_owned(), |seat| format!("ink-{}", ink(seats, seat)));
    let name = node.owner.and_then(|seat| seats.get(seat.0)).map_or("", |name| sight.lang.seat(name));
    let disc = html! {
        circle class={ "vertex " (owner) } cx=(x) cy=(y) r="20" {}
        text class={ "vertex-name " (owner) } x=(x) y=(y + 6.0) text-anchor="middle" font-size="17" { (node.label) }
    };
    let words = format!("{} {} {name}", sight.lang.t("vertex", "頂点"), node.label);
    let (Some(mv), Way::Link(address)) = (node.moves.first(), sight.way) else {
        return html! { g { title { (words) } (disc) } };
    };
    let line = sight.line(mv);
    let tone = line.map(|line| line.tone);
    let mut label = words;
    if let Some(tone) = tone {
        label = format!("{label}, {}", tone_words(tone, sight.lang));
    }
    if let Some(note) = line.map(|line| line.note.as_str()).filter(|note| !note.is_empty()) {
        label = format!("{label}, {note}");
    }
    let hinted = if sight.hint == Some(mv.as_str()) { " hinted" } else { "" };
    html! {
        a class={ "move node " (tone_class(tone)) (hinted) } href=(address.after(mv).href()) aria-label=(label) data-mv=(mv) {
            title { (label) }
            circle.ring cx=(x) cy=(y) r="26" {}
            (disc)
            @if let Some(tone) = tone {
                circle.sign-disc cx=(x + 18.0) cy=(y - 18.0) r="10" {}
                text.sign-text x=(x + 18.0) y=(y - 13.0) text-anchor="middle" font-size="14" { (sign(tone)) }
            }
        }
    }
}
