//! The independent checker. It calls no solver and no theory, and knows only how to count cards: it accepts a reason iff every
//! part of it is true of the position, and returns the winner that the parts prove.
//!
//! What it trusts are the statements themselves: Theorems 1 and 3 (proved in Coq), Rule 4 (checked), and the rules of the game.

use super::{Excuse, Line, Matching, MoveWhy, Pair, Why};
use crate::position::{Face, Position, Side, Table};
use crate::rules::{Move, Outcome};
use crate::theory::Player;
use kachi_core::Flaw;

/// What two sides look like once cards are set aside; the table is a plain level.
struct Scene {
    x: Vec<Face>,
    u: Vec<Face>,
    z: Vec<Face>,
    v: Vec<Face>,
    level: Face,
}

impl Scene {
    /// Sets aside `cuts` weakest cut cards and as many weakest ordinary cards as the goal still asks for.
    fn new(position: &Position, level: Face, cuts: [usize; 2]) -> Result<Scene, Flaw> {
        let rest = |side: &Side, cuts: usize| {
            let ordinary = side.goal.checked_sub(cuts);
            let kept = ordinary.and_then(|n| side.ordinary.get(n..)).zip(side.cuts.get(cuts..));
            kept.map(|(ordinary, cuts)| (ordinary.to_vec(), cuts.to_vec()))
        };
        let mover = rest(position.mover(), cuts[0]);
        let other = rest(position.other(), cuts[1]);
        let ((x, u), (z, v)) = mover
            .zip(other)
            .ok_or_else(|| Flaw::new("a side sets aside a number of cards that it does not have"))?;
        Ok(Scene { x, u, z, v, level })
    }

    fn mover_beaters(&self) -> Vec<Face> {
        [&self.x[..], &self.u].concat()
    }

    fn other_beaters(&self) -> Vec<Face> {
        [&self.z[..], &self.v].concat()
    }

    /// Z + r.
    fn other_targets(&self) -> Vec<Face> {
        [&self.z[..], &[self.level]].concat()
    }
}

/// Checks a reason and returns the winner it proves.
///
/// ```
/// use tanhinmin::{Position, theory::Player, why::{check, why}};
/// let position: Position = "2,6,7/3,4,5,8@1".parse()?;
/// let reason = why(&position, &mut Default::default())?;
/// assert_eq!(check(&position, &reason), Ok(Player::Mover));
/// let another: Position = "2,6,7/3,4,8,9@1".parse()?;
/// assert!(check(&another, &reason).is_err(), "a reason speaks about one position only");
/// # Ok::<(), kachi_core::Error>(())
/// ```
///
/// # Errors
/// The first flaw.
pub fn check(position: &Position, why: &Why) -> Result<Player, Flaw> {
    match (position.table(), why) {
        (Table::Cut, Why::CutOnTable { then }) => {
            let [mover, other] = position.sides.clone();
            let next = Position { table: Table::Empty, sides: [other, mover] };
            Ok(check(&next, then)?.opponent())
        }
        (Table::Cut, _) => {
            Err(Flaw::new("a cut card lies on the table, but the reason does not begin with a pass"))
        }
        (_, Why::CutOnTable { .. }) => Err(Flaw::new("no cut card lies on the table")),
        (Table::Empty, _) => check_open(position, Face::GROUND, why),
        (Table::Shows(level), _) => check_open(position, level, why),
    }
}

fn check_open(position: &Position, level: Face, why: &Why) -> Result<Player, Flaw> {
    let goals = position.mover().goal + position.other().goal > 0;
    let cuts = position.mover().cuts.len() + position.other().cuts.len() > 0;
    match why {
        Why::SetAside { lines } => {
            Flaw::unless(goals && cuts, || "setting aside by choice needs goals and cut cards".into())?;
            check_lines(position, level, lines)
        }
        _ => {
            Flaw::unless(!(goals && cuts), || "with goals and cut cards the choices must be shown".into())?;
            check_scene(&Scene::new(position, level, [0, 0])?, why)
        }
    }
}

/// Theorem 1 or 3 on what remains.
fn check_scene(scene: &Scene, why: &Why) -> Result<Player, Flaw> {
    match why {
        Why::Matching { mover, other, no_surplus } => {
            match no_surplus {
                Some([of_mover, of_other]) => {
                    check_mover_excuse(scene, *of_mover)?;
                    check_other_excuse(scene, *of_other)?;
                }
                None => Flaw::unless(scene.u.is_empty() && scene.v.is_empty(), || {
                    "there are cut cards, so both surplus cases must be excluded".into()
                })?,
            }
            let targets0 = [scene.z.get(1..).unwrap_or(&[]), &[scene.level]].concat();
            let targets1 = scene.x.get(1..).unwrap_or(&[]).to_vec();
            let mu0 = check_matching(mover, scene.mover_beaters(), targets0)?;
            let mu1 = check_matching(other, scene.other_beaters(), targets1)?;
            Ok(if mu0 > mu1 { Player::Mover } else { Player::Other })
        }
        Why::SurplusMover { cover } => {
            let top = scene.u.last().ok_or_else(|| Flaw::new("the mover has no cut card"))?;
            Flaw::unless(*top <= scene.level, || format!("the mover's cut card c{top} is legal"))?;
            Flaw::unless(below(&scene.z, *top) <= 1, || format!("two cards of the other are below c{top}"))?;
            check_cover(cover, scene.other_beaters(), scene.x.clone())?;
            Ok(Player::Other)
        }
        Why::SurplusOther { cover, no_surplus } => {
            check_mover_excuse(scene, *no_surplus)?;
            let top = scene.v.last().ok_or_else(|| Flaw::new("the other player has no cut card"))?;
            Flaw::unless(below(&scene.x, *top) <= 1, || format!("two cards of the mover are below c{top}"))?;
            check_cover(cover, scene.mover_beaters(), scene.other_targets())?;
            Ok(Player::Mover)
        }
        Why::SetAside { .. } | Why::CutOnTable { .. } => {
            Err(Flaw::new("this kind of reason cannot stand here"))
        }
    }
}

/// Rule 4: the lines must cover what they have to.
fn check_lines(position: &Position, level: Face, lines: &[Line]) -> Result<Player, Flaw> {
    let first = lines.first().ok_or_else(|| Flaw::new("no line is given"))?;
    let mut winner = None;
    for line in lines {
        let scene = Scene::new(position, level, [line.mover_cuts, line.other_cuts])?;
        let proved = check_scene(&scene, &line.why)?;
        let same = winner.is_none_or(|winner| winner == proved);
        Flaw::unless(same, || "the lines have different winners".into())?;
        winner = Some(proved);
    }
    let ways = |side: &Side| {
        let possible = |&cuts: &usize| side.goal.checked_sub(cuts).is_some_and(|n| n <= side.ordinary.len());
        (0..=side.cuts.len()).filter(possible).collect::<Vec<_>>()
    };
    let same_choice = lines.iter().all(|line| line.mover_cuts == first.mover_cuts);
    let has_mover = |cuts: &usize| lines.iter().any(|line| line.mover_cuts == *cuts);
    let has_other = |cuts: &usize| lines.iter().any(|line| line.other_cuts == *cuts);
    let (complete, winner) = match winner {
        Some(Player::Mover) => (same_choice && ways(position.other()).iter().all(has_other), Player::Mover),
        _ => (ways(position.mover()).iter().all(has_mover), Player::Other),
    };
    Flaw::unless(complete, || "a choice of the losing side is not answered".into())?;
    Ok(winner)
}

/// Checks pairs and bound; returns the size of the largest matching, now proved.
fn check_matching(matching: &Matching, a: Vec<Face>, b: Vec<Face>) -> Result<usize, Flaw> {
    let below = below(&b, matching.bound);
    let above = above(&a, matching.bound);
    check_pairs(&matching.pairs, a, b)?;
    let size = matching.pairs.len();
    Flaw::unless(below + above == size, || {
        format!("level {} proves at most {} pairs, but {size} are shown", matching.bound, below + above)
    })?;
    Ok(size)
}

/// The pairs must beat every target.
fn check_cover(cover: &[Pair], a: Vec<Face>, targets: Vec<Face>) -> Result<(), Flaw> {
    let all = targets.len();
    check_pairs(cover, a, targets)?;
    Flaw::unless(cover.len() == all, || format!("{} of {all} cards are covered", cover.len()))
}

/// Distinct cards of A beat distinct cards of B.
fn check_pairs(pairs: &[Pair], a: Vec<Face>, b: Vec<Face>) -> Result<(), Flaw> {
    if let Some((beater, target)) = pairs.iter().find(|(beater, target)| beater <= target) {
        return Err(Flaw::new(format!("{beater} does not beat {target}")));
    }
    let (used_a, used_b) = pairs.iter().copied().unzip();
    check_held(used_a, a)?;
    check_held(used_b, b)
}

/// Every used card is there, as often as it is used.
fn check_held(mut used: Vec<Face>, mut held: Vec<Face>) -> Result<(), Flaw> {
    used.sort_unstable();
    held.sort_unstable();
    let mut left = held.into_iter();
    match used.into_iter().find(|card| !left.any(|other| other == *card)) {
        Some(card) => Err(Flaw::new(format!("card {card} is not there, or used too often"))),
        None => Ok(()),
    }
}

fn below(cards: &[Face], level: Face) -> usize {
    cards.iter().filter(|&&card| card < level).count()
}

fn above(cards: &[Face], level: Face) -> usize {
    cards.iter().filter(|&&card| card > level).count()
}

/// The mover's surplus (case 1) does not apply.
fn check_mover_excuse(scene: &Scene, excuse: Excuse) -> Result<(), Flaw> {
    let top = scene.u.last();
    let holds = match excuse {
        Excuse::NoCutCard => top.is_none(),
        Excuse::CutCardLegal => top.is_some_and(|&top| top > scene.level),
        Excuse::TwoWeaker => top.is_some_and(|&top| below(&scene.z, top) >= 2),
        Excuse::NotCovered(t) => below(&scene.x, t) + above(&scene.other_beaters(), t) < scene.x.len(),
    };
    Flaw::unless(holds, || format!("the mover's surplus is not excluded by {excuse:?}"))
}

/// The other's surplus (case 2) does not apply; legality is no clause of it.
fn check_other_excuse(scene: &Scene, excuse: Excuse) -> Result<(), Flaw> {
    let top = scene.v.last();
    let holds = match excuse {
        Excuse::NoCutCard => top.is_none(),
        Excuse::CutCardLegal => false,
        Excuse::TwoWeaker => top.is_some_and(|&top| below(&scene.x, top) >= 2),
        Excuse::NotCovered(t) => {
            let targets = scene.other_targets();
            below(&targets, t) + above(&scene.mover_beaters(), t) < targets.len()
        }
    };
    Flaw::unless(holds, || format!("the other's surplus is not excluded by {excuse:?}"))
}

/// Checks the reason of one move: plays it by the rules and checks the reason of what follows.
///
/// # Errors
/// The first flaw.
pub fn check_move(position: &Position, mv: &MoveWhy) -> Result<(), Flaw> {
    let illegal = |error: kachi_core::Error| Flaw::new(error.message);
    match (position.play(mv.mv).map_err(illegal)?, &mv.why) {
        (Outcome::Won, _) => Flaw::unless(mv.wins, || format!("{} wins at once", mv.mv)),
        (Outcome::Goes(next), Some(why)) => {
            let proved = check(&next, why)?;
            Flaw::unless((proved == Player::Other) == mv.wins, || {
                format!("the reason for {} proves the opposite", mv.mv)
            })?;
            match mv.reply {
                Some(reply) => check_reply(&next, reply),
                None => Flaw::unless(mv.wins, || format!("{} loses, but no reply is given", mv.mv)),
            }
        }
        (Outcome::Goes(_), None) => Err(Flaw::new(format!("no reason is given for {}", mv.mv))),
    }
}

fn check_reply(next: &Position, reply: Move) -> Result<(), Flaw> {
    next.play(reply).map(|_| ()).map_err(|error| Flaw::new(format!("the reply {reply}: {}", error.message)))
}
