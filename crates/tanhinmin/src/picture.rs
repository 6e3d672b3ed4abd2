//! Pictures of a position and of its reason. In the picture of a matching the cards stand in the order of their faces, so a card beats exactly the
//! cards to its left in the other row, and the bound is a line: every pair uses a lower card left of it or an upper card right of it.

use crate::position::{Face, Position, Side, Table};
use crate::why::{Line, Matching, Why};
use kachi_core::svg::{Anchor, Drawing, Ink};
use kachi_core::{Error, Seat};

/// The most cards a picture shows.
const MOST_CARDS: usize = 240;

/// A hand as text: ordinary cards, then cut cards.
pub fn hand(side: &Side) -> String {
    let ordinary = side.ordinary.iter().map(ToString::to_string);
    let cuts = side.cuts.iter().map(|face| format!("c{face}"));
    let all: Vec<String> = ordinary.chain(cuts).collect();
    let goal = if side.goal > 0 { format!("   (goal: {} left)", side.goal) } else { String::new() };
    format!("{}{goal}", if all.is_empty() { "(no card)".into() } else { all.join(" ") })
}

/// The table as text.
pub fn table(table: Table) -> String {
    match table {
        Table::Empty => "empty".into(),
        Table::Shows(face) => format!("[{face}]"),
        Table::Cut => "[cut]".into(),
    }
}

/// The two hands and the table, the viewer's hand below.
pub fn board(position: &Position, mover: Seat, viewer: Seat, names: [&str; 2]) -> String {
    let line = |seat: Seat| {
        let side = if seat == mover { position.mover() } else { position.other() };
        let mark = if seat == mover { "▶" } else { " " };
        format!("{mark} {:<8} {}", names[seat.0], hand(side))
    };
    let table = format!("  {:<8} {}", "table", table(position.table()));
    format!("{}\n{table}\n{}", line(viewer.other()), line(viewer))
}

/// The reason as text: one ladder for each matching.
pub fn ladders(position: &Position, why: &Why) -> String {
    if position.cards() > MOST_CARDS {
        return format!("({} cards are too many to draw)", position.cards());
    }
    match why {
        Why::CutOnTable { then } => ladders(&position.after_pass(), then),
        Why::SetAside { lines } => {
            let line = |line: &Line| {
                let scene = Scene::new(position, [line.mover_cuts, line.other_cuts]);
                format!("aside: {} / {}\n{}", line.mover_cuts, line.other_cuts, scene.ladders(&line.why))
            };
            lines.iter().map(line).collect::<Vec<_>>().join("\n")
        }
        _ => Scene::new(position, [0, 0]).ladders(why),
    }
}

/// The cards that count after setting aside.
struct Scene {
    beaters: [Vec<Face>; 2],
    ordinary: [Vec<Face>; 2],
    level: Face,
}

/// One matching, ready to be drawn.
struct Panel<'a> {
    caption: String,
    ink: Ink,
    beaters: Vec<Face>,
    targets: Vec<Face>,
    pairs: &'a [(Face, Face)],
    bound: Option<Face>,
    level: Option<Face>,
}

impl Scene {
    fn new(position: &Position, cuts: [usize; 2]) -> Scene {
        let level = position.table().level().unwrap_or(Face::GROUND);
        let ordinary = |who: usize| {
            let side = &position.sides[who];
            side.ordinary.get(side.goal.saturating_sub(cuts[who])..).unwrap_or(&[]).to_vec()
        };
        let beaters = |who: usize| {
            let mut all = ordinary(who);
            all.extend(position.sides[who].cuts.get(cuts[who]..).unwrap_or(&[]));
            all.sort_unstable();
            all
        };
        Scene { beaters: [beaters(0), beaters(1)], ordinary: [ordinary(0), ordinary(1)], level }
    }

    fn with_table(&self, mut targets: Vec<Face>) -> Vec<Face> {
        targets.push(self.level);
        targets.sort_unstable();
        targets
    }

    fn panels<'a>(&self, why: &'a Why) -> Vec<Panel<'a>> {
        let spare = |who: usize| self.ordinary[who].get(1..).unwrap_or(&[]).to_vec();
        let count = |pairs: &[_]| {
            if pairs.len() == 1 { "1 pair".to_owned() } else { format!("{} pairs", pairs.len()) }
        };
        let mover = |matching: &'a Matching| Panel {
            caption: format!("the mover: {}", count(&matching.pairs)),
            ink: Ink::Mover,
            beaters: self.beaters[0].clone(),
            targets: self.with_table(spare(1)),
            pairs: &matching.pairs,
            bound: Some(matching.bound),
            level: Some(self.level),
        };
        let other = |matching: &'a Matching| Panel {
            caption: format!("the other player: {}", count(&matching.pairs)),
            ink: Ink::Other,
            beaters: self.beaters[1].clone(),
            targets: spare(0),
            pairs: &matching.pairs,
            bound: Some(matching.bound),
            level: None,
        };
        match why {
            Why::Matching { mover: own, other: theirs, .. } => vec![mover(own), other(theirs)],
            Why::SurplusMover { cover } => vec![Panel {
                caption: "the other player covers all ordinary cards of the mover".into(),
                ink: Ink::Other,
                beaters: self.beaters[1].clone(),
                targets: self.ordinary[0].clone(),
                pairs: cover,
                bound: None,
                level: None,
            }],
            Why::SurplusOther { cover, .. } => vec![Panel {
                caption: "the mover covers all ordinary cards of the other player and the table".into(),
                ink: Ink::Mover,
                beaters: self.beaters[0].clone(),
                targets: self.with_table(self.ordinary[1].clone()),
                pairs: cover,
                bound: None,
                level: Some(self.level),
            }],
            Why::SetAside { .. } | Why::CutOnTable { .. } => Vec::new(),
        }
    }

    fn ladders(&self, why: &Why) -> String {
        self.panels(why).iter().map(Panel::ladder).collect::<Vec<_>>().join("\n")
    }
}

/// A card in its column: a beater (upper row) or a target (lower row).
#[derive(Clone, Copy, PartialEq)]
struct Slot {
    face: Face,
    upper: bool,
}

impl Panel<'_> {
    /// All cards in one line by face, beaters before targets of the same face: a beats b iff a stands right of b.
    fn slots(&self) -> Vec<Slot> {
        let upper = self.beaters.iter().map(|&face| Slot { face, upper: true });
        let lower = self.targets.iter().map(|&face| Slot { face, upper: false });
        let mut slots: Vec<Slot> = upper.chain(lower).collect();
        slots.sort_by_key(|slot| (slot.face, !slot.upper));
        slots
    }

    /// The pairs as indices into the slots; each copy of a face is used once.
    fn arcs(&self, slots: &[Slot]) -> Vec<(usize, usize)> {
        let mut used = vec![false; slots.len()];
        let mut find = |face: Face, upper: bool| {
            let at = (0..slots.len()).find(|&i| !used[i] && slots[i] == Slot { face, upper });
            if let Some(i) = at {
                used[i] = true;
            }
            at
        };
        self.pairs.iter().filter_map(|&(a, b)| find(a, true).zip(find(b, false))).collect()
    }

    /// Before which slot the bound stands.
    fn bound_slot(&self, slots: &[Slot]) -> Option<usize> {
        let bound = self.bound?;
        Some(slots.partition_point(|slot| slot.face < bound || (slot.face == bound && slot.upper)))
    }

    fn label(&self, slot: Slot) -> String {
        match (self.level, slot.upper) {
            (Some(level), false) if level == slot.face && slot.face == Face::GROUND => "table".into(),
            _ => slot.face.to_string(),
        }
    }

    /// Beaters above, what they beat below.
    fn ladder(&self) -> String {
        let width = self
            .beaters
            .iter()
            .chain(&self.targets)
            .map(|face| face.to_string().len())
            .max()
            .unwrap_or(1)
            .max(2);
        let mut left = self.pairs.to_vec();
        let mut beaten = Vec::new();
        for &beater in &self.beaters {
            let at = left.iter().position(|pair| pair.0 == beater);
            beaten.push(at.map(|at| left.remove(at).1));
        }
        let row = |title: &str, cells: Vec<String>| {
            let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>width$}")).collect();
            format!("  {title:<7}{}", cells.join(" "))
        };
        let mut unbeaten = self.targets.clone();
        for target in beaten.iter().flatten() {
            crate::rules::remove(&mut unbeaten, *target);
        }
        let show = |face: Face| if face == Face::GROUND { "○".into() } else { face.to_string() };
        let mut text = vec![format!("{}", self.caption)];
        text.push(row("cards", self.beaters.iter().map(ToString::to_string).collect()));
        text.push(row(
            "",
            beaten.iter().map(|b| if b.is_some() { "↓".into() } else { "·".to_owned() }).collect(),
        ));
        text.push(row("beat", beaten.iter().map(|b| b.map_or("·".into(), show)).collect()));
        if !unbeaten.is_empty() {
            let list: Vec<String> = unbeaten.into_iter().map(show).collect();
            text.push(format!("  unbeaten: {}", list.join(" ")));
        }
        text.join("\n")
    }

    fn draw(&self, drawing: &mut Drawing, top: f64) {
        let slots = self.slots();
        let x = |i: usize| MARGIN + i as f64 * STEP;
        let (upper, lower) = (top + 30.0, top + 30.0 + CARD_HEIGHT + GAP);
        drawing.text(MARGIN, top + 16.0, 15.0, Anchor::Start, self.ink, &self.caption);
        for (a, b) in self.arcs(&slots) {
            let from = (x(a) + CARD_WIDTH / 2.0, upper + CARD_HEIGHT);
            drawing.arc(from, (x(b) + CARD_WIDTH / 2.0, lower), 2.0, self.ink);
        }
        for (i, &slot) in slots.iter().enumerate() {
            let on_table = !slot.upper && self.level == Some(slot.face);
            let ink = match (slot.upper, on_table) {
                (true, _) => self.ink,
                (false, true) => Ink::Mark,
                (false, false) => Ink::Plain,
            };
            let y = if slot.upper { upper } else { lower };
            drawing.card(x(i), y, CARD_WIDTH, CARD_HEIGHT, ink, &self.label(slot));
        }
        if let Some(i) = self.bound_slot(&slots) {
            let at = x(i) - (STEP - CARD_WIDTH) / 2.0;
            drawing.line((at, upper - 6.0), (at, lower + CARD_HEIGHT + 6.0), 1.5, Ink::Mark, true);
            let words = format!("bound {}", self.bound.unwrap_or(Face::GROUND));
            drawing.text(at + 4.0, lower + CARD_HEIGHT + 18.0, 11.0, Anchor::Start, Ink::Mark, &words);
        }
    }
}

const MARGIN: f64 = 20.0;
const CARD_WIDTH: f64 = 32.0;
const CARD_HEIGHT: f64 = 44.0;
const STEP: f64 = 40.0;
const GAP: f64 = 56.0;
const PANEL: f64 = 30.0 + 2.0 * CARD_HEIGHT + GAP + 36.0;

/// The reason as an SVG document.
///
/// # Errors
/// `too_large` for more cards than a picture can show.
pub fn svg(position: &Position, why: &Why, verdict: &str) -> Result<String, Error> {
    if position.cards() > MOST_CARDS {
        return Err(Error::too_large("cards in a picture", position.cards(), MOST_CARDS));
    }
    let (mut scene_position, mut inner) = (position.clone(), why);
    let mut cuts = [0, 0];
    loop {
        match inner {
            Why::CutOnTable { then } => {
                scene_position = scene_position.after_pass();
                inner = then;
            }
            // A picture shows one line of a choice: the first, which is the mover's best or the first refutation.
            Why::SetAside { lines } => match lines.first() {
                Some(line) => {
                    cuts = [line.mover_cuts, line.other_cuts];
                    inner = &line.why;
                }
                None => break,
            },
            _ => break,
        }
    }
    let scene = Scene::new(&scene_position, cuts);
    let panels = scene.panels(inner);
    let widest = panels.iter().map(|panel| panel.slots().len()).max().unwrap_or(0);
    let width = (2.0 * MARGIN + widest as f64 * STEP).max(420.0);
    let height = 56.0 + PANEL * panels.len() as f64;
    let description = format!("{position}. {verdict}");
    let mut drawing = Drawing::new(width, height, &format!("tanhinmin {position}"), &description);
    drawing.text(MARGIN, 26.0, 17.0, Anchor::Start, Ink::Plain, verdict);
    drawing.text(
        MARGIN,
        44.0,
        12.0,
        Anchor::Start,
        Ink::Faint,
        "a card beats exactly the cards to its left in the lower row",
    );
    for (i, panel) in panels.iter().enumerate() {
        panel.draw(&mut drawing, 56.0 + i as f64 * PANEL);
    }
    Ok(drawing.finish())
}
