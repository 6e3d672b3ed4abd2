//! The product formula: the chance of a plan from the chances of its foundations alone and in pairs,
//! `product of p_fg / product of p_f^(m-2)` for m foundations (for four: divided by the squares).
//!
//! Evaluating is the work of the player, so it is done in batches: [`Evaluator::submit`] works out the six two-chain states of a
//! plan and takes from the parent plan and from a small cache what is known already; [`Evaluator::finish`] asks the
//! [`Chances`] for all the rest at once. Cache and parents only repeat what the chances said, so they never
//! change a value.

use super::Plan;
use super::joint::Joint;
use super::regenerate::Beam;
use super::shape::{Shape, Shapes};
use crate::position::{MOST_FOUNDATIONS, MOST_STACKS};
use crate::rules::Rules;
use crate::theory::chains::sort;
use crate::theory::chance::Recursion;
use crate::theory::{Chances, TwoChains};
use multiversion::multiversion;

/// Pairs of foundations: 01 02 03 12 13 23.
pub const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

/// A foundation has at most twelve cards in its stack game: of thirteen slots the head is not part of it.
const MOST_CHAIN: usize = 12;

/// The two-chain state of a pair of foundations: both words and the sorted cuts. Cuts fit half bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairState {
    words: u64,
    cuts: u32,
}

impl PairState {
    fn new(early_a: u32, early_b: u32, cuts: [u8; MOST_STACKS]) -> PairState {
        let [c0, c1, c2, c3] = cuts.map(u32::from);
        PairState {
            words: u64::from(early_a) | u64::from(early_b) << 24,
            cuts: c0 | c1 << 8 | c2 << 16 | c3 << 24,
        }
    }

    /// The same state as theory writes it.
    pub fn two_chains(self, stacks: usize) -> TwoChains {
        let early_a = (self.words & 0xFF_FFFF) as u32;
        let early_b = (self.words >> 24) as u32;
        let cards = early_a.count_ones() + early_b.count_ones();
        let cuts = self.cuts.to_le_bytes();
        let cut_a = cuts.map(|cut| cut >> 4);
        let cut_b = cuts.map(|cut| cut & 15);
        TwoChains::from_words(stacks, cards as usize, early_a, early_b, cut_a, cut_b)
    }

    #[inline]
    fn place(self, bits: u32) -> usize {
        let mixed = (self.words ^ u64::from(self.cuts).rotate_left(37)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> (64 - bits)) as usize
    }
}

/// What the product formula says about a plan, and from which states. A chance that nobody knows is NaN: such a pair
/// counts as independent.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Worth {
    pub(crate) value: f64,
    states: [PairState; 6],
    pairs: [f32; 6],
    singles: [f32; MOST_FOUNDATIONS],
}

/// The factors of a plan, exactly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factors {
    /// The chance of each foundation's cards alone.
    pub single: [f64; MOST_FOUNDATIONS],
    /// The chance of each pair of foundations, in the order of [`PAIRS`].
    pub pair: [f64; 6],
    /// The product.
    pub value: f64,
}

#[derive(Debug, Clone, Copy)]
struct Known {
    words: u64,
    cuts: u32,
    chance: f32,
}

/// Marks the words of a state that this batch asks for already; its place among those asked for stands where the chance will be.
const ASKED: u64 = 1 << 63;
/// Nothing cached: no state has all bits set.
const NOTHING: Known = Known { words: u64::MAX, cuts: u32::MAX, chance: 0.0 };
/// States in the cache, as a power of two; 8 MB.
const CACHE_BITS: u32 = 19;

/// Beams whose lists are kept.
const MOST_BEAMS: usize = 2;

/// Evaluates plans of one game.
pub struct Evaluator {
    rules: Rules,
    /// Cards that no stack takes may come in time; otherwise they make a plan worthless.
    tails: bool,
    /// Last cards of every foundation whose game corrects the formula.
    last: usize,
    joint: Joint,
    shapes: Shapes,
    single: Vec<f32>,
    single_source: Recursion,
    cache: Vec<Known>,
    jobs: Vec<Worth>,
    /// Job and pair of every state that is asked for.
    missing: Vec<(u32, u8)>,
    /// Further jobs and pairs with a state that is asked for, and its place in `missing`.
    shared: Vec<(u32, u8, u32)>,
    states: Vec<TwoChains>,
    found: Vec<f64>,
    evaluated: u64,
    asked: u64,
    /// Lists of the last beams: like the cache they only repeat what the chances said.
    beams: Vec<Beam>,
}

impl std::fmt::Debug for Evaluator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Evaluator")
            .field("rules", &self.rules)
            .field("evaluated", &self.evaluated)
            .field("asked", &self.asked)
            .finish_non_exhaustive()
    }
}

impl Evaluator {
    /// An evaluator for this game.
    pub fn new(rules: &Rules) -> Evaluator {
        let places = (MOST_CHAIN + 1) * 13_usize.pow(rules.stacks() as u32);
        Evaluator {
            rules: rules.clone(),
            tails: false,
            last: 0,
            joint: Joint::default(),
            shapes: Shapes::new(rules),
            single: vec![f32::NAN; places],
            single_source: Recursion::new(rules.stacks()),
            cache: vec![NOTHING; 1 << CACHE_BITS],
            jobs: Vec::new(),
            missing: Vec::new(),
            shared: Vec::new(),
            states: Vec::new(),
            found: Vec::new(),
            evaluated: 0,
            asked: 0,
            beams: Vec::new(),
        }
    }

    /// The same evaluator that also gives a value to plans in which some unseen cards may go on no stack any more: they must then be drawn when
    /// their turn has come. The paper's method gives such plans the value 0.
    #[must_use]
    pub fn with_tails(mut self, tails: bool) -> Evaluator {
        self.tails = tails;
        self.beams.clear();
        self
    }

    /// The same evaluator that corrects the product formula by the exact game of the last so many cards of every foundation together, at most
    /// [`MOST_LAST`](super::joint::MOST_LAST); 0 leaves the formula as it is.
    #[must_use]
    pub fn with_joint(mut self, last: usize) -> Evaluator {
        self.last = last;
        self.beams.clear();
        self
    }

    /// The game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Plans evaluated so far, and pair chances asked for because neither parent nor cache knew them.
    pub fn counts(&self) -> (u64, u64) {
        (self.evaluated, self.asked)
    }

    /// Starts a new batch.
    #[inline]
    pub fn begin(&mut self) {
        // A batch that was not finished leaves marks in the cache.
        for (job, p) in self.missing.drain(..) {
            let state = self.jobs[job as usize].states[usize::from(p)];
            self.cache[state.place(CACHE_BITS)] = NOTHING;
        }
        self.jobs.clear();
        self.shared.clear();
    }

    /// Adds a plan to the batch and gives its number. `parent` is the plan that it was made from, if it is at hand.
    #[inline]
    pub fn submit(&mut self, plan: &Plan, parent: Option<&Worth>) -> usize {
        submit(self, plan, parent)
    }

    #[inline(always)]
    fn add(&mut self, plan: &Plan, parent: Option<&Worth>) -> usize {
        self.evaluated += 1;
        let number = self.jobs.len();
        let mut worth = Worth::default();
        let shape = self.shapes.of(plan, self.tails);
        if shape.in_time == 0.0 {
            self.jobs.push(worth);
            return number;
        }
        let foundations = self.rules.foundations();
        for f in 0..foundations {
            worth.singles[f] = self.single(&shape, f);
        }
        // `finish` multiplies the product to it.
        worth.value = shape.in_time;
        if self.last > 0 {
            worth.value *= self.joint.correction(&shape, &plan.order, self.last);
        }
        let words = shape.words(&plan.order);
        let mut ask = [false; PAIRS.len()];
        for (p, &(f, g)) in PAIRS.iter().enumerate() {
            if g >= foundations {
                worth.pairs[p] = 1.0;
            } else if shape.count[f] == 0 {
                worth.pairs[p] = worth.singles[g];
            } else if shape.count[g] == 0 {
                worth.pairs[p] = worth.singles[f];
            } else {
                let state = PairState::new(words[f][g], words[g][f], shape.cuts_of_pair(f, g));
                worth.states[p] = state;
                match parent {
                    Some(parent) if parent.states[p] == state => worth.pairs[p] = parent.pairs[p],
                    _ => ask[p] = true,
                }
            }
        }
        // Only now the cache, so that the waits for it overlap.
        for (p, _) in ask.iter().enumerate().filter(|&(_, &ask)| ask) {
            let state = worth.states[p];
            let known = &mut self.cache[state.place(CACHE_BITS)];
            if known.cuts == state.cuts && known.words == state.words {
                worth.pairs[p] = known.chance;
            } else if known.cuts == state.cuts && known.words == state.words | ASKED {
                self.shared.push((number as u32, p as u8, known.chance.to_bits()));
            } else {
                let place = f32::from_bits(self.missing.len() as u32);
                *known = Known { words: state.words | ASKED, cuts: state.cuts, chance: place };
                self.missing.push((number as u32, p as u8));
            }
        }
        self.jobs.push(worth);
        number
    }

    /// Looks up what is missing and works out all values of the batch.
    pub fn finish(&mut self, chances: &mut dyn Chances) {
        self.states.clear();
        let stacks = self.rules.stacks();
        for &(job, p) in &self.missing {
            let state = self.jobs[job as usize].states[usize::from(p)];
            self.states.push(state.two_chains(stacks));
        }
        self.found.clear();
        self.found.resize(self.states.len(), 0.0);
        if !self.states.is_empty() {
            self.asked += self.states.len() as u64;
            chances.chances(&self.states, &mut self.found);
        }
        for (job, p, place) in self.shared.drain(..) {
            self.jobs[job as usize].pairs[usize::from(p)] = self.found[place as usize] as f32;
        }
        for ((job, p), &chance) in self.missing.drain(..).zip(&self.found) {
            let worth = &mut self.jobs[job as usize];
            let chance = chance as f32;
            worth.pairs[usize::from(p)] = chance;
            let state = worth.states[usize::from(p)];
            self.cache[state.place(CACHE_BITS)] = Known { words: state.words, cuts: state.cuts, chance };
        }
        let foundations = self.rules.foundations();
        for worth in &mut self.jobs {
            if worth.value > 0.0 {
                worth.value *= product(foundations, worth);
            }
        }
    }

    /// The lists of the last beam of so many plans.
    pub(super) fn take_beam(&mut self, most: usize) -> Beam {
        match self.beams.iter().position(|beam| beam.most() == most) {
            Some(place) => self.beams.swap_remove(place),
            None => Beam::of(most),
        }
    }

    /// Keeps the lists of a beam; those of the usual one and of a wider one.
    pub(super) fn keep_beam(&mut self, beam: Beam) {
        if self.beams.len() == MOST_BEAMS {
            self.beams.clear();
        }
        self.beams.push(beam);
    }

    /// The value of a plan of the batch.
    #[inline]
    pub fn value(&self, job: usize) -> f64 {
        self.jobs[job].value
    }

    /// All that is known about a plan of the batch.
    #[inline]
    pub fn worth(&self, job: usize) -> Worth {
        self.jobs[job]
    }

    /// Evaluates one plan.
    pub fn evaluate(&mut self, plan: &mut Plan, chances: &mut dyn Chances) -> f64 {
        self.begin();
        self.submit(plan, None);
        self.finish(chances);
        plan.worth = self.jobs[0];
        plan.worth.value
    }

    /// The factors of a plan in full precision; pairs whose chance nobody knows are NaN, and so is the value.
    ///
    /// The formula of the paper: a card that no stack takes makes a factor 0.
    pub fn factors(&mut self, plan: &Plan, chances: &mut dyn Chances) -> Factors {
        let shape = self.shapes.of(plan, false);
        let words = shape.words(&plan.order);
        let (foundations, stacks) = (self.rules.foundations(), self.rules.stacks());
        let mut factors = Factors { single: [1.0; MOST_FOUNDATIONS], pair: [1.0; 6], value: 1.0 };
        for f in 0..foundations {
            factors.single[f] = self.single_source.chance(&shape.alone(f));
        }
        // All pairs at once: an exact source works out only once what they have in common.
        let pairs = || PAIRS.iter().enumerate().filter(|&(_, &(_, g))| g < foundations);
        let pair = |f: usize, g: usize| PairState::new(words[f][g], words[g][f], shape.cuts_of_pair(f, g));
        let states: Vec<TwoChains> = pairs().map(|(_, &(f, g))| pair(f, g).two_chains(stacks)).collect();
        let mut found = vec![0.0; states.len()];
        chances.chances(&states, &mut found);
        for ((p, _), chance) in pairs().zip(found) {
            factors.pair[p] = chance;
        }
        let power = foundations as i32 - 2;
        let below: f64 = factors.single[..foundations].iter().map(|p| p.powi(power)).product();
        let above: f64 = factors.pair.iter().product();
        let zero = factors.single.iter().chain(&factors.pair).any(|&p| p == 0.0);
        factors.value = if zero { 0.0 } else { above / below };
        factors
    }

    #[inline(always)]
    fn single(&mut self, shape: &Shape, f: usize) -> f32 {
        let stacks = self.rules.stacks();
        let mut cuts = shape.cuts[f];
        sort(&mut cuts, stacks);
        let place = cuts[..stacks]
            .iter()
            .fold(usize::from(shape.count[f]), |place, &cut| place * 13 + usize::from(cut));
        let known = self.single[place];
        if known.is_nan() {
            let chance = self.single_source.chance(&shape.alone(f)) as f32;
            self.single[place] = chance;
            return chance;
        }
        known
    }
}

/// Compiled also for processors with wide registers: words are worked out sixteen slots at a time.
#[multiversion(targets("x86_64+popcnt+bmi1+bmi2+lzcnt+avx2"))]
fn submit(evaluator: &mut Evaluator, plan: &Plan, parent: Option<&Worth>) -> usize {
    evaluator.add(plan, parent)
}

fn product(foundations: usize, worth: &Worth) -> f64 {
    let single = worth.singles.map(f64::from);
    let mut value = 1.0;
    for (p, &(f, g)) in PAIRS.iter().enumerate() {
        if g < foundations {
            let pair = f64::from(worth.pairs[p]);
            value *= if pair.is_nan() { single[f] * single[g] } else { pair };
        }
    }
    let below: f64 = single[..foundations].iter().product();
    if below == 0.0 || value == 0.0 {
        return 0.0;
    }
    match foundations {
        4 => value / (below * below),
        3 => value / below,
        2 => value,
        _ => below,
    }
}
