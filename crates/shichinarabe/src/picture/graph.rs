//! Graphs: a tree below the table is drawn in layers, a grid as a grid, anything else in layers by distance from the table.

use crate::notation::write_graph;
use crate::position::{Colour, Graph, Player};
use kachi_core::svg::{Anchor, Drawing, Ink};
use std::collections::VecDeque;
use std::fmt::Write;

/// Vertices that are drawn at most.
pub(super) const DRAWN: usize = 400;

/// Where each vertex stands, in columns and rows.
pub(super) fn layout(graph: &Graph) -> Vec<(f64, f64)> {
    let setup = graph.setup();
    let n = setup.colours.len();
    if let Some(rows) = write_graph(graph).strip_prefix('@').and_then(|text| text.split(':').next()) {
        let width = rows.find(',').unwrap_or(rows.len()).max(1);
        return (0..n).map(|v| ((v % width) as f64, (v / width) as f64)).collect();
    }
    let mut near = vec![Vec::new(); n];
    for &(u, v) in setup.edges.iter().chain(setup.add.iter().map(|label| &label.edge)) {
        near[u as usize].push(v as usize);
        near[v as usize].push(u as usize);
    }
    // Breadth first from the table gives rows; depth first below each vertex gives the order within them.
    let mut row = vec![usize::MAX; n];
    let mut children = vec![Vec::new(); n];
    let mut queue: VecDeque<usize> = (0..n).filter(|&v| setup.colours[v] == Colour::White).collect();
    let mut tops: Vec<usize> = queue.iter().copied().collect();
    for &v in &tops {
        row[v] = 0;
    }
    let mut rest = 0..n;
    loop {
        while let Some(v) = queue.pop_front() {
            for &u in &near[v] {
                if row[u] == usize::MAX {
                    row[u] = row[v] + 1;
                    children[v].push(u);
                    queue.push_back(u);
                }
            }
        }
        match rest.find(|&v| row[v] == usize::MAX) {
            Some(v) => {
                row[v] = 1;
                tops.push(v);
                queue.push_back(v);
            }
            None => break,
        }
    }
    let mut place = vec![(0.0, 0.0); n];
    let mut column = 0.0;
    for &top in &tops {
        // Leaves take the next free column, inner vertices stand over the middle of their children.
        let mut stack = vec![(top, false)];
        while let Some((v, done)) = stack.pop() {
            if children[v].is_empty() {
                place[v] = (column, row[v] as f64);
                column += 1.0;
            } else if done {
                let (first, last) = (children[v][0], children[v][children[v].len() - 1]);
                place[v] = (f64::midpoint(place[first].0, place[last].0), row[v] as f64);
            } else {
                stack.push((v, true));
                stack.extend(children[v].iter().rev().map(|&child| (child, false)));
            }
        }
    }
    place
}

/// The graph as a picture: owners coloured, white vertices as the table, winning vertices marked.
#[must_use]
pub fn graph_svg(graph: &Graph, winner: Player, winning: &[u32]) -> String {
    let setup = graph.setup();
    let title = format!("{} wins with {} to move", winner.colour(), setup.mover.colour());
    if setup.colours.len() > DRAWN {
        let words = format!("{} vertices are too many to draw", setup.colours.len());
        let mut drawing = Drawing::new(480.0, 80.0, &title, &words);
        drawing.text(16.0, 30.0, 16.0, Anchor::Start, Ink::Plain, &title);
        drawing.text(16.0, 58.0, 13.0, Anchor::Start, Ink::Faint, &words);
        return drawing.finish();
    }
    let step = 46.0;
    let place = layout(graph);
    let most = |f: fn(&(f64, f64)) -> f64| place.iter().map(f).fold(0.0, f64::max);
    let (width, height) = (most(|p| p.0) * step + 80.0, most(|p| p.1) * step + 120.0);
    let at = |v: u32| (40.0 + place[v as usize].0 * step, 70.0 + place[v as usize].1 * step);
    let description = graph_text(graph, winning);
    let mut drawing = Drawing::new(width.max(340.0), height, &title, &description);
    drawing.text(16.0, 28.0, 16.0, Anchor::Start, Ink::Plain, &title);
    for &(u, v) in &setup.edges {
        drawing.line(at(u), at(v), 1.5, Ink::Faint, false);
        if setup.directed {
            let ((x1, y1), (x2, y2)) = (at(u), at(v));
            drawing.dot((x1 + (x2 - x1) * 0.68, y1 + (y2 - y1) * 0.68), 3.5, Ink::Faint);
        }
    }
    for label in &setup.add {
        drawing.line(at(label.edge.0), at(label.edge.1), 1.5, Ink::Mark, true);
    }
    for (v, colour) in setup.colours.iter().enumerate() {
        let (x, y) = at(v as u32);
        let ink = match colour {
            Colour::White => Ink::Faint,
            Colour::Held(Player::First) => Ink::Other,
            Colour::Held(Player::Second) => Ink::Mover,
        };
        if winning.contains(&(v as u32)) {
            drawing.dot((x, y), 20.0, Ink::Win);
        }
        drawing.card(x - 14.0, y - 14.0, 28.0, 28.0, ink, &v.to_string());
    }
    drawing.text(16.0, height - 14.0, 12.0, Anchor::Start, Ink::Faint, &words(graph));
    drawing.finish()
}

fn words(graph: &Graph) -> String {
    let setup = graph.setup();
    let [red, blue] = graph.hands();
    let mut words = format!("R (red) holds {red}, B (blue) holds {blue}, {} to move", setup.mover.colour());
    for (what, counts) in [("jokers", setup.rights), ("passes", setup.passes)] {
        if counts != [0; 2] {
            let _ = write!(words, "; {what} R {}, B {}", counts[0], counts[1]);
        }
    }
    words
}

/// The graph as text: one line per vertex, playable ones marked.
#[must_use]
pub fn graph_text(graph: &Graph, winning: &[u32]) -> String {
    let setup = graph.setup();
    let n = setup.colours.len();
    let mut text = String::new();
    if let Some(rows) = write_graph(graph).strip_prefix('@').and_then(|text| text.split(':').next()) {
        for row in rows.split(',') {
            let _ =
                writeln!(text, "  {}", row.chars().map(|c| format!("{c} ")).collect::<String>().trim_end());
        }
    } else if n <= DRAWN {
        let mut near = vec![Vec::new(); n];
        for &(u, v) in &setup.edges {
            near[u as usize].push(v);
            if !setup.directed {
                near[v as usize].push(u);
            }
        }
        for (v, near) in near.iter().enumerate() {
            let star = if winning.contains(&(v as u32)) { '*' } else { ' ' };
            let to: Vec<String> = near.iter().map(u32::to_string).collect();
            let _ = writeln!(text, "{star} {v:>3} {}  - {}", setup.colours[v].letter(), to.join(" "));
        }
    } else {
        let _ = writeln!(text, "  a graph of {n} vertices and {} edges", setup.edges.len());
    }
    text.push_str(&words(graph));
    text
}

/// The graph in the language of Graphviz: red and blue vertices, white ones as boxes, winning ones with a thick rim; labels that
/// add or delete edges as dashed and dotted lines.
#[must_use]
pub fn graph_dot(graph: &Graph, winning: &[u32]) -> String {
    let setup = graph.setup();
    let (kind, arrow) = if setup.directed { ("digraph", "->") } else { ("graph", "--") };
    let mut text = format!(
        "{kind} shichinarabe {{\n  label=\"{}\";\n  node [style=filled, fontname=\"sans-serif\"];\n",
        words(graph)
    );
    for (v, colour) in setup.colours.iter().enumerate() {
        let look = match colour {
            Colour::White => "shape=box, fillcolor=white",
            Colour::Held(Player::First) => "shape=circle, fillcolor=\"#f4b6a8\"",
            Colour::Held(Player::Second) => "shape=circle, fillcolor=\"#b5d0f2\"",
        };
        let rim = if winning.contains(&(v as u32)) { ", penwidth=4" } else { "" };
        let _ = writeln!(text, "  {v} [{look}{rim}];");
    }
    for (u, v) in &setup.edges {
        let _ = writeln!(text, "  {u} {arrow} {v};");
    }
    for (labels, style, sign) in [(&setup.add, "dashed", '+'), (&setup.delete, "dotted", '-')] {
        for label in labels {
            let (u, v) = label.edge;
            let _ = writeln!(text, "  {u} {arrow} {v} [style={style}, label=\"{sign}{}\"];", label.when);
        }
    }
    text.push_str("}\n");
    text
}
