//! The checker of graph reasons. It knows the rules and the local equations of the theory, and calls no solver.

use super::graph::{ForestReason, GraphReason, Kind, PartReason, Strategy, suits_of};
use super::suits::SuitsReason;
use crate::position::{Colour, Graph, Player};
use crate::rules::GraphRules;
use crate::theory::race::{NO_LOCK, Race};
use crate::theory::rooted::NONE;
use kachi_core::{Flaw, Game, Why};
use rustc_hash::{FxHashMap, FxHashSet};

impl Strategy {
    /// Walks every play in which the winner follows the strategy; all must end with his win.
    ///
    /// # Errors
    /// The first situation in which it fails.
    pub fn check(&self, graph: &Graph, winner: Player) -> Result<(), Flaw> {
        let rules = GraphRules;
        let mut seen: FxHashSet<Graph> = FxHashSet::default();
        let mut todo = vec![graph.clone()];
        while let Some(position) = todo.pop() {
            if let Some(ending) = rules.ending(&position) {
                Flaw::unless(ending == winner.seat(), || "the strategy leads to a loss".into())?;
                continue;
            }
            let legal = rules.moves(&position);
            if rules.mover(&position) == winner.seat() {
                let setup = position.setup();
                let white = |&v: &u32| setup.colours[v as usize] == Colour::White;
                let whites: Vec<u32> = (0..setup.colours.len() as u32).filter(white).collect();
                let key = (whites, setup.rights, setup.passes);
                let turn = self.turns.get(&key).ok_or_else(|| Flaw::new("the strategy has a gap"))?;
                Flaw::unless(legal.contains(turn), || "the strategy asks for an illegal turn".into())?;
                todo.push(rules.play(&position, turn));
            } else if seen.insert(position.clone()) {
                todo.extend(legal.iter().map(|turn| rules.play(&position, turn)));
            }
        }
        Ok(())
    }
}

impl Why for GraphReason {
    type Position = Graph;
    type Value = Player;

    /// Checks race, sums and the decision, the local equations of a forest, the order of a free player, every suit, and
    /// the strategy if there is one. A search too large for a strategy has nothing to check and is not accepted.
    fn check(&self, graph: &Graph) -> Result<Player, Flaw> {
        let setup = graph.setup();
        let race = Race::new(graph.hands(), setup.mover);
        Flaw::unless(race == self.race, || format!("the race is {race:?}"))?;
        let over = race.over();
        let theory = setup.rights == [0; 2] && setup.delete.is_empty() && setup.passes[0] == setup.passes[1];
        if !matches!(self.kind, Kind::Over | Kind::Search) {
            Flaw::unless(theory && over.is_none(), || "the rule does not cover this position".into())?;
        }
        let margin = || self.value.map(|value| race.decide(value, self.price.unwrap_or(NO_LOCK)));
        let winner = match &self.kind {
            Kind::Over => over.ok_or_else(|| Flaw::new("both players hold cards"))?,
            Kind::Free(order) => check_free(graph, race.winner, order)?,
            Kind::Suits(legs, reason) => check_suits(graph, legs, reason)?,
            Kind::Forest(forest) => {
                forest.check(graph, race.keeper, self.price)?;
                Flaw::unless(self.value == Some(race.keeper.sign() * forest.total), || {
                    "the value is not the total".into()
                })?;
                margin().unwrap_or(race.winner)
            }
            Kind::Parts(parts) => {
                self.check_parts(graph, parts)?;
                self.strategy_winner(graph)?
            }
            Kind::Search => self.strategy_winner(graph)?,
        };
        if let (Kind::Search, Some(strategy)) = (&self.kind, &self.strategy) {
            strategy.check(graph, self.winner)?;
        }
        Flaw::unless(winner == self.winner, || "the other player wins".into())?;
        Ok(winner)
    }
}

impl GraphReason {
    fn strategy_winner(&self, graph: &Graph) -> Result<Player, Flaw> {
        let strategy = self.strategy.as_ref();
        let strategy = strategy.ok_or_else(|| Flaw::new("the search was too large to keep a strategy"))?;
        strategy.check(graph, self.winner)?;
        Ok(self.winner)
    }

    fn check_parts(&self, graph: &Graph, parts: &[PartReason]) -> Result<(), Flaw> {
        if parts.is_empty() {
            return Ok(());
        }
        let mut vertices: Vec<u32> = parts.iter().flat_map(|part| part.vertices.iter().copied()).collect();
        vertices.sort_unstable();
        let held = |&v: &u32| graph.setup().colours[v as usize] != Colour::White;
        let all: Vec<u32> = (0..graph.setup().colours.len() as u32).filter(held).collect();
        Flaw::unless(vertices == all, || "the parts are not all cards, once each".into())?;
        let sum: i64 = parts.iter().map(|part| part.value).sum();
        Flaw::unless(self.value == Some(sum), || format!("the values add up to {sum}"))?;
        let least = parts.iter().filter_map(|part| part.price).min();
        let within = match (self.price, least) {
            (Some(price), Some(least)) => (0..=least).contains(&price),
            (None, _) => true,
            (Some(_), None) => false,
        };
        Flaw::unless(within, || format!("the price is at most the least of a part, {least:?}"))
    }
}

fn check_free(graph: &Graph, player: Player, order: &[u32]) -> Result<Player, Flaw> {
    let mut colours = graph.setup().colours.clone();
    for &v in order {
        Flaw::unless(GraphRules::playable(&colours, graph, player).contains(&v), || {
            format!("{v} cannot be played in this order")
        })?;
        colours[v as usize] = Colour::White;
    }
    Flaw::unless(!colours.contains(&Colour::Held(player)), || "cards are left over".into())?;
    Ok(player)
}

/// Coloured neighbours of every vertex, and whether it touches the table; for graphs without labels.
fn surroundings(graph: &Graph) -> (Vec<Vec<u32>>, Vec<bool>) {
    let setup = graph.setup();
    let n = setup.colours.len();
    let (mut opens, mut access) = (vec![Vec::new(); n], vec![false; n]);
    let mut arc = |u: u32, v: u32| match (setup.colours[u as usize], setup.colours[v as usize]) {
        (_, Colour::White) => {}
        (Colour::White, _) => access[v as usize] = true,
        _ => opens[u as usize].push(v),
    };
    for &(u, v) in &setup.edges {
        arc(u, v);
        if !setup.directed {
            arc(v, u);
        }
    }
    (opens, access)
}

fn check_suits(graph: &Graph, legs: &[Vec<u32>], reason: &SuitsReason) -> Result<Player, Flaw> {
    let (opens, access) = surroundings(graph);
    let suits = suits_of(graph, legs).ok_or_else(|| Flaw::new("a leg holds a vertex that is not a card"))?;
    let mut seen = FxHashSet::default();
    for leg in legs {
        for (i, &v) in leg.iter().enumerate() {
            Flaw::unless(seen.insert(v), || format!("{v} lies in two legs"))?;
            Flaw::unless(access[v as usize] == (i == 0), || format!("{v} touches the table wrongly"))?;
            let next = leg.get(i + 1);
            let back = if i > 0 { Some(leg[i - 1]) } else { None };
            let ahead: Vec<u32> = opens[v as usize].iter().copied().filter(|&u| Some(u) != back).collect();
            Flaw::unless(ahead.iter().collect::<Vec<_>>() == next.into_iter().collect::<Vec<_>>(), || {
                format!("the leg does not go on from {v} as the graph does")
            })?;
        }
    }
    let held = graph.hands().iter().sum::<u64>();
    Flaw::unless(seen.len() as u64 == held, || "some card lies in no leg".into())?;
    reason.check(&suits)
}

impl ForestReason {
    /// Checks values by their local equations and the schedule by its definition, with plain quadratic work.
    fn check(&self, graph: &Graph, keeper: Player, price: Option<i64>) -> Result<(), Flaw> {
        let (opens, access) = surroundings(graph);
        let n = opens.len();
        let owner = |v: u32| match graph.setup().colours[v as usize] {
            Colour::Held(player) => player,
            Colour::White => keeper,
        };
        let values: FxHashMap<u32, i64> = self.values.iter().copied().collect();
        let mut parent = vec![NONE; n];
        let mut order: Vec<u32> = Vec::new();
        let mut todo: Vec<u32> = (0..n as u32).filter(|&v| access[v as usize]).rev().collect();
        let mut seen = vec![false; n];
        while let Some(v) = todo.pop() {
            Flaw::unless(!seen[v as usize], || format!("{v} can be opened in two ways"))?;
            seen[v as usize] = true;
            order.push(v);
            let above = parent[v as usize];
            for &child in opens[v as usize].iter().rev().filter(|&&c| c != above) {
                Flaw::unless(!access[child as usize], || format!("{child} can be opened in two ways"))?;
                parent[child as usize] = v;
                todo.push(child);
            }
        }
        Flaw::unless(values.len() == order.len(), || "a value is missing".into())?;
        let known = |v: u32| values.get(&v).copied().unwrap_or(i64::MIN / 8);
        let below = |v: u32, c: u32| parent[c as usize] == v;
        let sum = |v: u32| opens[v as usize].iter().filter(|&&c| below(v, c)).map(|&c| known(c)).sum::<i64>();
        let mut total = 0;
        // Strictly below: cards of the race winner, and locks.
        let (mut prisoner, mut lock) = (vec![false; n], vec![false; n]);
        for &v in order.iter().rev() {
            let own = owner(v) == keeper;
            let value = if own { (sum(v) + 1).max(0) } else { (sum(v) - 1).min(0) };
            Flaw::unless(known(v) == value, || format!("vertex {v} has value {value}"))?;
            if parent[v as usize] == NONE {
                total += value;
            } else {
                let up = parent[v as usize] as usize;
                prisoner[up] |= prisoner[v as usize] || !own;
                lock[up] |= lock[v as usize] || (own && prisoner[v as usize]);
            }
        }
        Flaw::unless(total == self.total, || format!("the roots add up to {total}"))?;
        // The place that every vertex lies in: a hidden place by the vertex that opens it, NONE for the open.
        let mut place: Vec<Option<u32>> = vec![None; n];
        let mut exposed: Option<i64> = None;
        let mut behind: Vec<(u32, Option<u32>, i64, Option<i64>)> = Vec::new();
        let out_of_reach =
            |&v: &u32| !seen[v as usize] && graph.setup().colours[v as usize] == Colour::Held(keeper.other());
        if (0..n as u32).any(|v| out_of_reach(&v)) {
            exposed = Some(0);
        }
        for &v in &order {
            let up = parent[v as usize];
            let here = if up == NONE { Some(NONE) } else { place[up as usize] };
            let Some(here) = here else { continue };
            let own = owner(v) == keeper;
            if own && prisoner[v as usize] {
                let value = known(v);
                let cheapest = match behind.iter_mut().find(|job| job.0 == here) {
                    Some(job) => &mut job.3,
                    None => &mut exposed,
                };
                *cheapest = Some(cheapest.map_or(value, |least| least.min(value)));
                place[v as usize] = (value > 0).then_some(here);
            } else if !own && lock[v as usize] {
                behind.push((v, (here != NONE).then_some(here), (sum(v) - 1).max(0), None));
                place[v as usize] = Some(v);
            }
        }
        Flaw::unless(exposed == self.exposed, || format!("the cheapest exposed lock is {exposed:?}"))?;
        Flaw::unless(behind.len() == self.hidden.len(), || "a hidden place is missing".into())?;
        let (mut time, mut slack, mut last_due) = (0, i64::MAX, i64::MIN);
        for &(v, cost, cheapest, due) in &self.hidden {
            let job = behind.iter().find(|job| job.0 == v);
            let job = job.ok_or_else(|| Flaw::new(format!("{v} hides no lock")))?;
            Flaw::unless(job.2 == cost && job.3.is_none_or(|lock| lock == cheapest), || {
                format!("opening {v} costs {} for {:?}", job.2, job.3)
            })?;
            let inner =
                self.hidden.iter().filter(|h| behind.iter().any(|job| job.0 == h.0 && job.1 == Some(v)));
            let expected = inner.map(|h| h.3 - h.1).chain([cheapest]).min().unwrap_or(cheapest);
            Flaw::unless(due == expected, || format!("{v} is due at {expected}"))?;
            Flaw::unless(due >= last_due, || "the places are not in order of due dates".into())?;
            last_due = due;
            time += cost;
            slack = slack.min(cheapest - time);
        }
        let hidden = (!self.hidden.is_empty()).then(|| slack.max(0));
        let least = [exposed, hidden].into_iter().flatten().min();
        Flaw::unless(least == price, || format!("the price is {least:?}"))
    }
}
