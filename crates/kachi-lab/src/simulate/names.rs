//! Names beside dots: each where it can be read, and is taken for that of its own dot.

use super::plot::Frame;

/// About the room that a letter of a name takes.
const LETTER: (f64, f64) = (6.8, 12.0);
/// Half of the room of a dot.
const DOT: f64 = 5.0;

/// A part of the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Room {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Room {
    pub(super) fn of(frame: &Frame) -> Room {
        Room { left: frame.x(0.0), top: frame.y(1.0), right: frame.x(1.0), bottom: frame.y(0.0) }
    }

    pub(super) fn around((x, y): (f64, f64)) -> Room {
        Room { left: x - DOT, top: y - DOT, right: x + DOT, bottom: y + DOT }
    }

    /// A level or upright line.
    pub(super) fn between(from: (f64, f64), to: (f64, f64)) -> Room {
        Room {
            left: from.0.min(to.0) - 1.0,
            top: from.1.min(to.1) - 1.0,
            right: from.0.max(to.0) + 1.0,
            bottom: from.1.max(to.1) + 1.0,
        }
    }

    /// The point of the room that is nearest to another one.
    pub(super) fn nearest(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (x.clamp(self.left, self.right), y.clamp(self.top, self.bottom))
    }

    fn distance(&self, at: (f64, f64)) -> f64 {
        let near = self.nearest(at);
        (near.0 - at.0).hypot(near.1 - at.1)
    }

    fn meets(&self, other: &Room) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn holds(&self, other: &Room) -> bool {
        self.left <= other.left
            && other.right <= self.right
            && self.top <= other.top
            && other.bottom <= self.bottom
    }
}

/// Puts names beside dots so that all can be read, and each is taken for that of its own dot.
pub(super) struct Names {
    /// Where names may stand.
    pub(super) frame: Room,
    /// The dots that have names.
    pub(super) dots: Vec<(f64, f64)>,
    /// What no name may hide.
    pub(super) taken: Vec<Room>,
    /// What names should rather not stand on.
    pub(super) line: Vec<Room>,
}

/// A name so near to its dot needs nothing to tie it to it.
const NEAR: f64 = 12.0;

impl Names {
    /// Is another dot nearly as near to the name as its own?
    fn is_strange(&self, room: &Room, own: (f64, f64)) -> bool {
        let others = self.dots.iter().filter(|&&dot| dot != own).map(|&dot| room.distance(dot));
        others.fold(f64::INFINITY, f64::min) < room.distance(own) + 4.0
    }

    /// The room for the name of the dot at a place: where it hides no dot, no bar and no other name, inside the frame, and of these the nearest; rather further away than on
    /// the line of the best, or nearer to another dot than to its own. A name that had to go elsewhere, or stands beside a stranger, is to be tied to its dot.
    pub(super) fn place(&mut self, (x, y): (f64, f64), name: &str) -> (Room, bool) {
        let width = LETTER.0 * name.chars().count() as f64;
        let beside =
            |left: f64, bottom: f64| Room { left, top: bottom - LETTER.1, right: left + width, bottom };
        let rows = (-9..=9).map(|row| f64::from(row) * (LETTER.1 + 1.0) / 2.0);
        let places = rows.flat_map(|row| {
            let bottom = y + LETTER.1 / 2.0 + row;
            [x + 8.0, x - 8.0 - width, x - width / 2.0, x + 30.0, x - 30.0 - width]
                .map(|left| beside(left, bottom))
        });
        let free = |room: &Room| self.frame.holds(room) && !self.taken.iter().any(|other| other.meets(room));
        let cost = |room: &Room| {
            let own = room.distance((x, y));
            let strange = self.is_strange(room, (x, y));
            let on_line = self.line.iter().any(|line| line.meets(room));
            // Names stand to the right of their dots if nothing else tells.
            let habit = if room.left > x { 0.0 } else { 0.5 };
            own + habit + if strange { 8.0 } else { 0.0 } + if on_line { 24.0 } else { 0.0 }
        };
        let places = places.filter(free).map(|room| (cost(&room), room));
        let best = places.min_by(|(a, _), (b, _)| a.total_cmp(b));
        let room = best.map_or_else(|| beside(x + 8.0, y - 4.0), |(_, room)| room);
        self.taken.push(room);
        let is_tied = room.distance((x, y)) > NEAR || self.is_strange(&room, (x, y));
        if is_tied {
            self.taken.push(Room::between((x, y), room.nearest((x, y))));
        }
        (room, is_tied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_out_of_each_others_way() {
        let frame = Room { left: 0.0, top: 0.0, right: 600.0, bottom: 300.0 };
        let dots = [(290.0, 100.0), (295.0, 97.0), (300.0, 104.0), (590.0, 8.0), (3.0, 296.0)];
        let mut names =
            Names { frame, dots: dots.to_vec(), taken: dots.map(Room::around).to_vec(), line: vec![] };
        let placed = dots.map(|dot| names.place(dot, "union-look1").0);
        for (i, room) in placed.iter().enumerate() {
            assert!(frame.holds(room), "{room:?}");
            assert!(!dots.iter().any(|&dot| Room::around(dot).meets(room)), "{room:?} hides a dot");
            assert!(!placed[..i].iter().any(|other| other.meets(room)), "{room:?}");
        }
    }

    #[test]
    fn names_that_could_be_taken_for_those_of_other_dots_are_tied_to_their_own() {
        let frame = Room { left: 0.0, top: 0.0, right: 600.0, bottom: 300.0 };
        let place = |dots: &[(f64, f64)]| {
            let taken = dots.iter().map(|&dot| Room::around(dot)).collect();
            let mut names = Names { frame, dots: dots.to_vec(), taken, line: vec![] };
            dots.iter().map(|&dot| names.place(dot, "net-look1").1).collect::<Vec<_>>()
        };
        assert_eq!(place(&[(100.0, 100.0), (400.0, 200.0)]), [false, false]);
        assert!(place(&[(300.0, 100.0), (300.0, 102.0)]).contains(&true), "two dots in one place");
    }
}
