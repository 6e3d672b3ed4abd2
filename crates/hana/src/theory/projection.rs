//! The month view: a full state seen through one month is the number of its cards on the table and the moments at which the others will be laid.
//! A laid card takes one mate (or all three); otherwise it stays. Nothing else matters for who clears a month, so finitely many
//! schedules decide the Lemma and the BIKI theorem for the whole deck.

/// The moments at which cards are laid: turn `t` (from 0) has a throw, moment 2t, and a draw, moment 2t + 1.
pub const MOMENTS: usize = 42;
/// The moment of biki's last throw.
pub const LAST_THROW: usize = 40;

/// The table of one month after a card of it was laid: (cards there, cards taken with it).
#[must_use]
pub fn lay(on_table: u32, sweep: bool) -> (u32, u32) {
    match on_table {
        0 => (1, 0),
        3 if sweep => (0, 3),
        _ => (on_table - 1, 1),
    }
}

/// Cards of the month left on the table when `on_table` lie there at the deal and `coming` are laid later.
#[must_use]
pub fn left_over(on_table: u32, coming: u32, sweep: bool) -> u32 {
    (0..coming).fold(on_table, |table, _| lay(table, sweep).0)
}

/// Does biki take a card that he holds to his last throw, when the three others of its month lie on the table or are laid at these moments?
/// `moments` ascend and do not contain the last throw itself.
#[must_use]
pub fn biki_takes_held(on_table: u32, moments: &[usize]) -> bool {
    let before = moments.iter().filter(|&&moment| moment < LAST_THROW).count() as u32;
    let table = left_over(on_table, before, true);
    // The card takes; or it lies down, and only biki's own draw comes after it.
    table > 0 || moments.iter().any(|&moment| moment > LAST_THROW)
}

/// All ascending choices of `count` moments out of those below [`MOMENTS`] that `allowed` allows.
pub fn choices(count: usize, allowed: &dyn Fn(usize) -> bool, visit: &mut dyn FnMut(&[usize])) {
    fn go(
        from: usize,
        count: usize,
        chosen: &mut Vec<usize>,
        allowed: &dyn Fn(usize) -> bool,
        visit: &mut dyn FnMut(&[usize]),
    ) {
        if chosen.len() == count {
            visit(chosen);
            return;
        }
        for moment in (from..MOMENTS).filter(|&moment| allowed(moment)) {
            chosen.push(moment);
            go(moment + 1, count, chosen, allowed, visit);
            chosen.pop();
        }
    }
    go(0, count, &mut Vec::new(), allowed, visit);
}

/// Where the four cards of a month are when Windows are played: numbers of them at each place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Places {
    /// On the table.
    pub table: u8,
    /// In the YAMA.
    pub yama: u8,
    /// In each Hand.
    pub hand: [u8; 3],
    /// In each Window.
    pub window: [u8; 3],
}

impl Places {
    /// All ways to put four cards at the eight places, at most three on the table.
    #[must_use]
    pub fn all() -> Vec<Places> {
        let mut all = Vec::new();
        for code in 0..5_u32.pow(7) {
            let digit = |i: u32| (code / 5_u32.pow(i) % 5) as u8;
            let rest: u8 = (0..7).map(digit).sum();
            if (1..=4).contains(&rest) {
                all.push(Places {
                    table: 4 - rest,
                    yama: digit(0),
                    hand: [digit(1), digit(2), digit(3)],
                    window: [digit(4), digit(5), digit(6)],
                });
            }
        }
        all
    }

    /// Can some order of laying, with some choices, leave a card on the table? `free`: Windows and table are equal candidates.
    #[must_use]
    pub fn can_strand(self, free: bool) -> bool {
        let done = self.yama == 0 && self.hand == [0; 3] && self.window == [0; 3];
        if done {
            return self.table > 0;
        }
        if self.yama > 0 {
            let mut next = self;
            next.yama -= 1;
            next.table = lay(u32::from(self.table), true).0 as u8;
            if next.can_strand(free) {
                return true;
            }
        }
        (0..3).any(|player| {
            let mut from_hand = self;
            let mut from_window = self;
            (self.hand[player] > 0 && {
                from_hand.hand[player] -= 1;
                from_hand.thrown(player, free)
            }) || (self.window[player] > 0 && {
                from_window.window[player] -= 1;
                from_window.thrown(player, free)
            })
        })
    }

    /// After `player` has thrown a card of the month (already taken from his places).
    fn thrown(self, player: usize, free: bool) -> bool {
        let shown = |other: usize| other != player && self.window[other] > 0;
        let any_shown = (0..3).any(shown);
        let may_take_shown = any_shown && self.table != 3 && (free || self.table == 0);
        let must_take_shown = may_take_shown && self.table == 0;
        let mut table = self;
        table.table = lay(u32::from(self.table), true).0 as u8;
        (!must_take_shown && table.can_strand(free))
            || (may_take_shown
                && (0..3).filter(|&other| shown(other)).any(|other| {
                    let mut next = self;
                    next.window[other] -= 1;
                    next.can_strand(free)
                }))
    }
}
