//! Graphs as text: trees, grids, and colours with edges.

use super::options::{Options, count, dash, read_options, write_counts};
use crate::position::{Colour, Edge, Graph, GraphSetup, Player};
use kachi_core::notation::Reader;
use kachi_core::{Error, Place};
use std::fmt::Write;

const EXAMPLE: &str = "for example R,BR.BBBR:R:j1-0 (trees), @WRB,RBR:R (grid) or WRB/0-1,1-2:R (edges)";
/// The options of a graph.
const OPTIONS: &str = "jpdaxoe";

/// Reads a graph in any of its forms. Without a mover R is to move.
///
/// ```
/// use shichinarabe::notation::{read_graph, write_graph};
/// let tree = read_graph("R,BR.BBBR:R:j1-0").unwrap();
/// assert_eq!(tree.setup().colours.len(), 8); // the white vertex is number 0
/// assert_eq!(write_graph(&tree), "R,BR.BBBR:R:j1-0");
/// let path = read_graph("WRB/0-1,1-2:B").unwrap();
/// assert_eq!(write_graph(&path), "RB:B");
/// ```
///
/// # Errors
/// What is wrong, and where.
pub fn read_graph(text: &str) -> Result<Graph, Error> {
    let mut reader = Reader::new(text);
    reader.skip_blanks();
    let body = text.split(':').next().unwrap_or(text);
    let (colours, edges) = if reader.eat('@') {
        read_grid(&mut reader)?
    } else if body.contains('/') {
        read_edges(&mut reader)?
    } else {
        read_trees(&mut reader)?
    };
    let options = read_options(&mut reader, OPTIONS, Player::from_colour, EXAMPLE)?;
    let Options { mover, rights, passes, directed, add, delete, variant, .. } = options;
    let mover = mover.unwrap_or(Player::First);
    let setup = GraphSetup { colours, edges, directed, mover, rights, passes, add, delete, variant };
    Graph::new(setup).map_err(|error| {
        let field = error.at.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
        Error { message: format!("{}{field}", error.message), ..error }
            .at(Place::Text(0..text.len()))
            .hint(EXAMPLE)
    })
}

type Parts = (Vec<Colour>, Vec<Edge>);

fn read_grid(reader: &mut Reader<'_>) -> Result<Parts, Error> {
    let mut rows: Vec<Vec<Colour>> = vec![Vec::new()];
    loop {
        reader.skip_blanks();
        match reader.peek() {
            None | Some(':') => break,
            Some(',') => {
                reader.eat(',');
                rows.push(Vec::new());
            }
            Some(_) => {
                let colour = read_colour(reader)?;
                if let Some(row) = rows.last_mut() {
                    row.push(colour);
                }
            }
        }
    }
    let width = rows[0].len();
    if let Some(row) = rows.iter().position(|row| row.len() != width) {
        let message = format!("row {row} of the grid has {} vertices, row 0 has {width}", rows[row].len());
        return Err(Error::new("bad_notation", message).at_text(0..reader.offset()).hint(EXAMPLE));
    }
    let edges = grid_edges(width, rows.len());
    Ok((rows.concat(), edges))
}

fn grid_edges(width: usize, height: usize) -> Vec<Edge> {
    let mut edges = Vec::new();
    for v in 0..width * height {
        if (v + 1) % width != 0 {
            edges.push((v as u32, v as u32 + 1));
        }
        if v + width < width * height {
            edges.push((v as u32, (v + width) as u32));
        }
    }
    edges
}

fn read_colour(reader: &mut Reader<'_>) -> Result<Colour, Error> {
    let letter = reader.peek().unwrap_or(' ');
    let colour = Colour::from_letter(letter.to_ascii_uppercase()).ok_or_else(|| {
        let message = format!("a vertex is W, R or B, not {}", reader.next_in_words());
        Error::new("bad_letter", message).at_text(reader.here()).hint(EXAMPLE)
    })?;
    reader.eat(letter);
    Ok(colour)
}

fn read_edges(reader: &mut Reader<'_>) -> Result<Parts, Error> {
    let mut colours = Vec::new();
    loop {
        reader.skip_blanks();
        if reader.eat('/') {
            break;
        }
        colours.push(read_colour(reader)?);
    }
    let mut edges = Vec::new();
    reader.skip_blanks();
    while reader.peek().is_some_and(|c| c != ':') {
        let from = count(reader)?;
        dash(reader)?;
        edges.push((from, count(reader)?));
        reader.skip_blanks();
        reader.eat(',');
        reader.skip_blanks();
    }
    Ok((colours, edges))
}

fn read_trees(reader: &mut Reader<'_>) -> Result<Parts, Error> {
    let mut colours = vec![Colour::White];
    let mut edges = Vec::new();
    let mut parents = vec![0u32];
    let mut here = 0;
    loop {
        reader.skip_blanks();
        match reader.peek() {
            None | Some(':') => return Ok((colours, edges)),
            Some('.') => {
                if here == 0 {
                    let message = "'.' goes up from a tree, but no tree has begun";
                    return Err(Error::new("bad_notation", message).at_text(reader.here()).hint(EXAMPLE));
                }
                here = parents[here as usize];
                reader.eat('.');
            }
            Some(',') => {
                here = 0;
                reader.eat(',');
            }
            Some('W' | 'w') => {
                let message = "the one white vertex of the tree form is not written; edges follow after '/'";
                return Err(Error::new("bad_letter", message).at_text(reader.here()).hint(EXAMPLE));
            }
            Some(_) => {
                let vertex = colours.len() as u32;
                colours.push(read_colour(reader)?);
                edges.push((here, vertex));
                parents.push(here);
                here = vertex;
            }
        }
    }
}

/// Writes a graph in the shortest form that keeps the numbers of its vertices.
#[must_use]
pub fn write_graph(graph: &Graph) -> String {
    let setup = graph.setup();
    let mut text = trees(setup).or_else(|| grid(setup)).unwrap_or_else(|| {
        let mut text: String = setup.colours.iter().map(|colour| colour.letter()).collect();
        text.push('/');
        let edges: Vec<String> = setup.edges.iter().map(|(u, v)| format!("{u}-{v}")).collect();
        text.push_str(&edges.join(","));
        text
    });
    text.push(':');
    text.push(setup.mover.colour());
    write_counts(&mut text, setup.rights, setup.passes);
    if setup.directed {
        text.push_str(":d");
    }
    for (letter, labels) in [('a', &setup.add), ('x', &setup.delete)] {
        for (i, label) in labels.iter().enumerate() {
            let _ = if i == 0 { write!(text, ":{letter}") } else { write!(text, ",") };
            let _ = write!(text, "{}-{}-{}", label.when, label.edge.0, label.edge.1);
        }
    }
    if setup.variant.one_right_per_turn {
        text.push_str(":o");
    }
    if setup.variant.emptying_wins {
        text.push_str(":e");
    }
    text
}

/// The tree form, if vertex 0 is the only white one and the others are numbered in preorder.
fn trees(setup: &GraphSetup) -> Option<String> {
    let n = setup.colours.len();
    let one_white = setup.colours.iter().skip(1).all(|&colour| colour != Colour::White);
    if setup.directed || setup.edges.len() + 1 != n || !one_white || setup.colours[0] != Colour::White {
        return None;
    }
    let mut parent = vec![u32::MAX; n];
    for &(u, v) in &setup.edges {
        let (u, v) = (u.min(v), u.max(v));
        if parent[v as usize] != u32::MAX {
            return None;
        }
        parent[v as usize] = u;
    }
    let mut text = String::new();
    let mut line = vec![0u32];
    for v in 1..n as u32 {
        let mut ups = 0;
        while *line.last()? != parent[v as usize] {
            line.pop();
            ups += 1;
            line.last()?;
        }
        if line.len() == 1 && v > 1 {
            text.push(',');
        } else {
            text.extend(std::iter::repeat_n('.', ups));
        }
        text.push(setup.colours[v as usize].letter());
        line.push(v);
    }
    Some(text)
}

/// The grid form, if the edges are exactly those of a grid at least two wide and two high.
fn grid(setup: &GraphSetup) -> Option<String> {
    let n = setup.colours.len();
    if setup.directed || n < 4 {
        return None;
    }
    let mut edges: Vec<Edge> = setup.edges.iter().map(|&(u, v)| (u.min(v), u.max(v))).collect();
    edges.sort_unstable();
    let width = edges.iter().find(|&&(u, v)| u == 0 && v > 1)?.1 as usize;
    if !n.is_multiple_of(width) || n / width < 2 {
        return None;
    }
    let mut expected = grid_edges(width, n / width);
    expected.sort_unstable();
    if edges != expected {
        return None;
    }
    let letters: Vec<char> = setup.colours.iter().map(|colour| colour.letter()).collect();
    let rows: Vec<String> = letters.chunks(width).map(|row| row.iter().collect()).collect();
    Some(format!("@{}", rows.join(",")))
}
