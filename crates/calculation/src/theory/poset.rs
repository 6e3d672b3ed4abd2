//! The stack game as it is defined, on any labelled poset of unseen cards: slow and clear, for any number of chains.
//!
//! `x < y` says that x must leave before y; F(x) is the set of stacks on which x may not be put, because a card lies there that must leave
//! before x and would be buried. Putting x on stack s makes everything that comes after x, or is forbidden on s, come after all that comes before
//! x, and forbids it on s and wherever x was forbidden.
//!
//! States are compared up to isomorphism and a permutation of the stacks. [`Poset::canonical`] finds the representative by colour refinement
//! and, where colours leave a choice, by trying every card of the first colour class; nothing is taken from the two-chain form, so
//! that each can check the other.

use kachi_core::{Budget, Error, Limits};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most cards of a poset.
pub const MOST: usize = 24;

/// A state of the stack game on a labelled poset.
///
/// ```
/// use calculation::theory::poset::{Poset, chance};
/// // Two cards that nothing orders, one allowed on stack 0 only, the other on stacks 1 and 2 only.
/// let state = Poset::new(3, &[vec![], vec![]], &[vec![1, 2], vec![0]]).unwrap();
/// assert_eq!(chance(&state, 1, &mut kachi_core::Budget::default()).unwrap(), 0.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Poset {
    cards: u8,
    stacks: u8,
    /// The cards that must leave before each card.
    down: [u32; MOST],
    /// The stacks on which each card may not be put.
    forbidden: [u8; MOST],
}

impl Poset {
    /// `chains` chains of `length` cards, no order between them, every stack free.
    ///
    /// # Errors
    /// `too_large` for more than 24 cards, `bad_stacks` unless there are 1 to 8 stacks.
    pub fn start(stacks: usize, chains: usize, length: usize) -> Result<Poset, Error> {
        let cards = chains.saturating_mul(length);
        let down = |i: usize| (i - i % length..i).collect();
        if cards > MOST {
            return Err(Error::too_large("cards of the poset", cards, MOST));
        }
        Poset::new(stacks, &(0..cards).map(down).collect::<Vec<_>>(), &vec![Vec::new(); cards])
    }

    /// A state from the list of cards that precede each card, and the list of stacks forbidden for it. The order is closed: what
    /// precedes a predecessor precedes, and a stack forbidden for a predecessor is forbidden.
    ///
    /// # Errors
    /// `too_large`, `bad_stacks`, `bad_card` and `bad_stack` for numbers that do not exist, `cyclic_order`, `bad_forbidden` if the lists differ in length.
    pub fn new(stacks: usize, down: &[Vec<usize>], forbidden: &[Vec<usize>]) -> Result<Poset, Error> {
        let cards = down.len();
        if cards > MOST {
            return Err(Error::too_large("cards of the poset", cards, MOST).at_field("down"));
        }
        if !(1..=8).contains(&stacks) {
            let message = format!("there are 1 to 8 stacks, not {stacks}");
            return Err(Error::new("bad_stacks", message).at_field("stacks"));
        }
        if forbidden.len() != cards {
            let message = format!("{cards} cards, but {} lists of forbidden stacks", forbidden.len());
            return Err(Error::new("bad_forbidden", message).at_field("forbidden"));
        }
        let mut state =
            Poset { cards: cards as u8, stacks: stacks as u8, down: [0; MOST], forbidden: [0; MOST] };
        for (i, before) in down.iter().enumerate() {
            for (k, &card) in before.iter().enumerate() {
                if card >= cards {
                    let message = format!("there is no card {card}; cards are 0 to {}", cards - 1);
                    return Err(Error::new("bad_card", message).at_field(format!("down[{i}][{k}]")));
                }
                state.down[i] |= 1 << card;
            }
        }
        for (i, list) in forbidden.iter().enumerate() {
            for (k, &stack) in list.iter().enumerate() {
                if stack >= stacks {
                    let message = format!("there is no stack {stack}; stacks are 0 to {}", stacks - 1);
                    return Err(Error::new("bad_stack", message).at_field(format!("forbidden[{i}][{k}]")));
                }
                state.forbidden[i] |= 1 << stack;
            }
        }
        state.close()
    }

    /// The order closed under transitivity, forbidden stacks handed on.
    fn close(mut self) -> Result<Poset, Error> {
        for k in 0..self.cards() {
            for i in 0..self.cards() {
                if self.down[i] >> k & 1 == 1 {
                    self.down[i] |= self.down[k];
                }
            }
        }
        for i in 0..self.cards() {
            if self.down[i] >> i & 1 == 1 {
                let message = format!("card {i} must leave before itself");
                return Err(Error::new("cyclic_order", message).at_field(format!("down[{i}]")));
            }
        }
        let handed: Vec<u8> = (0..self.cards())
            .map(|i| members(self.down[i]).fold(self.forbidden[i], |all, k| all | self.forbidden[k]))
            .collect();
        self.forbidden[..handed.len()].copy_from_slice(&handed);
        Ok(self)
    }

    /// Unseen cards.
    #[must_use]
    pub fn cards(&self) -> usize {
        usize::from(self.cards)
    }

    /// Stacks of the game.
    #[must_use]
    pub fn stacks(&self) -> usize {
        usize::from(self.stacks)
    }

    fn all_stacks(&self) -> u8 {
        u8::MAX >> (8 - self.stacks)
    }

    /// Whether some card is forbidden on every stack.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        self.forbidden[..self.cards()].iter().any(|&stacks| stacks == self.all_stacks())
    }

    /// The state after putting card x on stack s; `None` if that is forbidden.
    ///
    /// # Panics
    /// If there is no such card.
    #[must_use]
    pub fn put(&self, x: usize, s: usize) -> Option<Poset> {
        if self.forbidden[x] >> s & 1 == 1 {
            return None;
        }
        let mut after = *self;
        for w in 0..self.cards() {
            if self.down[w] >> x & 1 == 1 || self.forbidden[w] >> s & 1 == 1 {
                after.down[w] |= self.down[x];
                after.forbidden[w] |= self.forbidden[x] | 1 << s;
            }
        }
        after.remove(x);
        Some(after)
    }

    fn remove(&mut self, x: usize) {
        let below = (1u32 << x) - 1;
        self.down.copy_within(x + 1.., x);
        self.forbidden.copy_within(x + 1.., x);
        self.cards -= 1;
        let cards = self.cards();
        for before in &mut self.down[..cards] {
            *before = (*before & below) | (*before >> 1 & !below);
        }
        self.down[cards..].fill(0);
        self.forbidden[cards..].fill(0);
    }

    /// The stacks that differ in what they forbid, one of each kind.
    fn distinct_stacks(&self) -> impl Iterator<Item = usize> {
        let columns: Vec<u32> = (0..self.stacks()).map(|s| self.column(s)).collect();
        (0..self.stacks()).filter(move |&s| !columns[..s].contains(&columns[s]))
    }

    /// The cards that are forbidden on a stack.
    fn column(&self, s: usize) -> u32 {
        (0..self.cards()).fold(0, |all, i| all | u32::from(self.forbidden[i] >> s & 1) << i)
    }

    /// The representative of all states that are the same game.
    #[must_use]
    pub fn canonical(&self) -> Poset {
        let mut colours = [0u64; MOST];
        for (i, colour) in colours[..self.cards()].iter_mut().enumerate() {
            *colour = u64::from(self.down[i].count_ones()) << 8 | u64::from(self.forbidden[i].count_ones());
        }
        let mut best = None;
        self.search(&self.up(), colours, &mut best);
        best.unwrap_or(*self)
    }

    fn up(&self) -> [u32; MOST] {
        let mut up = [0; MOST];
        for i in 0..self.cards() {
            members(self.down[i]).for_each(|k| up[k] |= 1 << i);
        }
        up
    }

    /// Refines the colours; where two cards still share one, tries each card of the first such class.
    fn search(&self, up: &[u32; MOST], mut colours: [u64; MOST], best: &mut Option<Poset>) {
        let cards = self.cards();
        let order = self.refine(up, &mut colours);
        let tied = order[..cards].windows(2).position(|pair| colours[pair[0]] == colours[pair[1]]);
        let Some(first) = tied else {
            let found = self.relabelled(&order[..cards]);
            if best.is_none_or(|best| found < best) {
                *best = Some(found);
            }
            return;
        };
        let colour = colours[order[first]];
        for &card in order[first..cards].iter().take_while(|&&card| colours[card] == colour) {
            let mut chosen = colours;
            chosen[card] = mix(colour ^ 0x5bd1_e995);
            self.search(up, chosen, best);
        }
    }

    /// Repeats telling cards apart by the colours of what comes before and after them and of the stacks forbidden for them, until nothing new is
    /// told apart. Gives the cards in the order of their colours.
    fn refine(&self, up: &[u32; MOST], colours: &mut [u64; MOST]) -> [usize; MOST] {
        let cards = self.cards();
        let mut classes = 0;
        loop {
            let mut order = std::array::from_fn(|i| i);
            order[..cards].sort_unstable_by_key(|&card| colours[card]);
            let differ = |pair: &[usize]| colours[pair[0]] != colours[pair[1]];
            let now = 1 + order[..cards].windows(2).filter(|pair| differ(pair)).count();
            if now == classes || now == cards {
                return order;
            }
            classes = now;
            let mixed: [u64; MOST] = std::array::from_fn(|i| mix(colours[i]));
            let mut stacks = [0u64; 8];
            for (s, stack) in stacks.iter_mut().enumerate().take(self.stacks()) {
                *stack = mix(members(self.column(s)).fold(7, |sum: u64, i| sum.wrapping_add(mixed[i])));
            }
            for i in 0..cards {
                let sum = |set: u32| members(set).fold(0, |sum: u64, k| sum.wrapping_add(mixed[k]));
                let of_stacks = members(u32::from(self.forbidden[i]));
                let stacks = of_stacks.fold(0, |sum: u64, s| sum.wrapping_add(stacks[s]));
                colours[i] = mix(mixed[i] ^ sum(self.down[i]).rotate_left(17))
                    .wrapping_add(mix(sum(up[i]) ^ stacks.rotate_left(31)));
            }
        }
    }

    /// The state with its cards in this order and the stacks sorted.
    fn relabelled(&self, order: &[usize]) -> Poset {
        let mut place = [0usize; MOST];
        order.iter().enumerate().for_each(|(new, &old)| place[old] = new);
        let mut columns: Vec<u32> = (0..self.stacks())
            .map(|s| members(self.column(s)).fold(0, |all, i| all | 1 << place[i]))
            .collect();
        columns.sort_unstable();
        let mut found = Poset { down: [0; MOST], forbidden: [0; MOST], ..*self };
        for (new, &old) in order.iter().enumerate() {
            found.down[new] = members(self.down[old]).fold(0, |all, i| all | 1 << place[i]);
            for (s, column) in columns.iter().enumerate() {
                found.forbidden[new] |= ((column >> new & 1) as u8) << s;
            }
        }
        found
    }

    /// Calls `each` with the canonical form of every live state after one more card; the same one may come more than once.
    pub fn for_each_next(&self, mut each: impl FnMut(&Poset)) {
        for x in 0..self.cards() {
            self.after(x).for_each(|after| each(&after.canonical()));
        }
    }

    /// Bytes of a state of so many cards.
    #[must_use]
    pub fn width(cards: usize) -> usize {
        4 * cards
    }

    /// The state as bytes: for every card the cards before it (three bytes) and the stacks forbidden for it.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let word = |i: usize| (self.down[i] | u32::from(self.forbidden[i]) << 24).to_le_bytes();
        (0..self.cards()).flat_map(word).collect()
    }

    /// The state from what [`Poset::to_bytes`] gave. Any other bytes give a state without meaning.
    #[must_use]
    pub fn from_bytes(stacks: usize, bytes: &[u8]) -> Poset {
        let cards = (bytes.len() / 4).min(MOST);
        let mut state = Poset {
            cards: cards as u8,
            stacks: stacks.clamp(1, 8) as u8,
            down: [0; MOST],
            forbidden: [0; MOST],
        };
        let all = (1u32 << cards) - 1;
        for (i, word) in bytes.chunks_exact(4).take(cards).enumerate() {
            let word = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
            (state.down[i], state.forbidden[i]) = (word & all, (word >> 24) as u8 & state.all_stacks());
        }
        state
    }

    /// The distinct live states after putting card x on a stack.
    fn after(&self, x: usize) -> impl Iterator<Item = Poset> + '_ {
        self.distinct_stacks().filter_map(move |s| self.put(x, s)).filter(|after| !after.is_dead())
    }
}

/// The elements of a set of bits.
fn members(set: u32) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let member = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        Some(member)
    })
}

/// Spreads a number over 64 bits.
fn mix(number: u64) -> u64 {
    let mut x = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// How many live states with cards can be reached, the start included; each spends `price` of the budget.
///
/// # Errors
/// `out_of_budget`; `too_large` if the states of two layers take more memory than the limit.
pub fn count(start: &Poset, price: u64, budget: &mut Budget<'_>) -> Result<u64, Error> {
    let mut total = 0;
    if start.is_dead() {
        return Ok(0);
    }
    let mut layer = FxHashSet::from_iter([start.canonical()]);
    for _ in 0..start.cards() {
        total += layer.len() as u64;
        let mut next = FxHashSet::default();
        for state in &layer {
            budget.spend(price)?;
            for x in 0..state.cards() {
                next.extend(state.after(x).map(|after| after.canonical()));
            }
            let bytes = ((layer.len() + next.len()) * 2 * size_of::<Poset>()) as u64;
            if bytes > budget.limits().bytes {
                return Err(Error::too_large("bytes for the states", bytes, budget.limits().bytes));
            }
        }
        layer = next;
    }
    Ok(total)
}

/// The chance that a state is won under best play; each state on the way spends `price` of the budget.
///
/// # Errors
/// `out_of_budget`; `too_large` if the states take more memory than the limit.
pub fn chance(state: &Poset, price: u64, budget: &mut Budget<'_>) -> Result<f64, Error> {
    if state.is_dead() {
        return Ok(0.0);
    }
    recursion(&state.canonical(), &mut FxHashMap::default(), price, budget)
}

/// Chances of small games, with those that were worked out before.
#[derive(Debug, Default)]
pub struct Games {
    known: FxHashMap<Poset, f64>,
}

impl Games {
    /// The chance that a game is won under best play. However many cards it has, it is worked out: for a dozen at most.
    pub fn chance(&mut self, game: &Poset) -> f64 {
        if game.is_dead() {
            return 0.0;
        }
        let limits = Limits { cards: u64::MAX, nodes: u64::MAX, bytes: u64::MAX };
        recursion(&game.canonical(), &mut self.known, 0, &mut Budget::new(limits)).unwrap_or(0.0)
    }
}

fn recursion(
    state: &Poset,
    known: &mut FxHashMap<Poset, f64>,
    price: u64,
    budget: &mut Budget<'_>,
) -> Result<f64, Error> {
    if state.cards() == 0 {
        return Ok(1.0);
    }
    if let Some(&chance) = known.get(state) {
        return Ok(chance);
    }
    budget.spend(price)?;
    let bytes = (known.len() * 2 * size_of::<(Poset, f64)>()) as u64;
    if bytes > budget.limits().bytes {
        return Err(Error::too_large("bytes for the states", bytes, budget.limits().bytes));
    }
    let mut sum = 0.0;
    for x in 0..state.cards() {
        let mut best = 0.0;
        for after in state.after(x) {
            best = f64::max(best, recursion(&after.canonical(), known, price, budget)?);
        }
        sum += best;
    }
    let chance = sum / state.cards() as f64;
    known.insert(*state, chance);
    Ok(chance)
}
