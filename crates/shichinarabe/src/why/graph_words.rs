//! Graph reasons in words and as JSON.

use super::graph::{GraphReason, Kind, Names};
use crate::position::Player;
use crate::rules::{Action, Turn};
use serde_json::{Value, json};

impl GraphReason {
    /// The reason in words, one thought a line; `label` names a vertex.
    #[must_use]
    pub fn words(&self, names: Names, label: &dyn Fn(u32) -> String) -> Vec<String> {
        let name = |player: Player| names.of(player);
        let (race, keeper) = (name(self.race.winner), name(self.race.keeper));
        if self.kind == Kind::Over {
            return vec![format!("{} holds no card and has won.", name(self.winner))];
        }
        let hands = self.race.hands;
        let why_race = if hands[0] == hands[1] { "moves first" } else { "has fewer cards" };
        let mut words = vec![format!(
            "Race: {} holds {}, {} holds {}, {} to move. {race} {why_race} and wins the race; {keeper} must lock {race} in.",
            name(Player::First),
            hands[0],
            name(Player::Second),
            hands[1],
            name(self.race.mover)
        )];
        let list = |vertices: &[u32]| {
            let mut text: Vec<String> = vertices.iter().take(LISTED).map(|&v| label(v)).collect();
            if vertices.len() > LISTED {
                text.push("...".into());
            }
            text.join(" ")
        };
        match &self.kind {
            Kind::Over => {}
            Kind::Free(order) => {
                words.push(format!("{race} is free: {} can be played alone, in this order.", list(order)));
            }
            Kind::Suits(legs, reason) => {
                for (leg, line) in
                    legs.iter().zip(&reason.suits).filter(|(leg, _)| !leg.is_empty()).take(LISTED)
                {
                    let lock = match line.price {
                        Some(0) => format!("locks {race} in for nothing"),
                        Some(price) => format!("locks {race} in for {price}"),
                        None => format!("no lock for {keeper}"),
                    };
                    words.push(format!(
                        "{}: value {:+}, class {}; {lock}.",
                        list(leg),
                        line.value,
                        line.class.name()
                    ));
                }
                self.tell_margin(&mut words, names, Some(reason.sum), reason.price);
            }
            Kind::Forest(forest) => {
                words.push(match forest.exposed {
                    Some(lock) => format!("The cheapest exposed lock of {keeper} is worth {lock}."),
                    None => format!("{keeper} has no exposed lock."),
                });
                for &(v, cost, lock, _) in forest.hidden.iter().take(LISTED) {
                    words.push(format!(
                        "Hidden below {}: opening it costs {race} {cost} and shows a lock worth {lock}.",
                        label(v)
                    ));
                }
                self.tell_margin(&mut words, names, self.value, self.price);
            }
            Kind::Parts(parts) => {
                for part in parts.iter().take(LISTED) {
                    let lock = match part.price {
                        Some(price) => format!("locks {race} in for {price}"),
                        None => format!("no lock for {keeper}"),
                    };
                    words.push(format!("Part {}: value {:+}; {lock}.", list(&part.vertices), part.value));
                }
                self.tell_margin(&mut words, names, self.value, self.price);
            }
            Kind::Search => {
                let winner = name(self.winner);
                words.push(format!(
                    "All continuations were searched or decided by the joker rules: {winner} wins."
                ));
            }
        }
        if let Some(strategy) = &self.strategy {
            words.push(format!(
                "A strategy for {} of {} turns covers every reply; it is checked without the solver.",
                name(self.winner),
                strategy.turns.len()
            ));
        }
        words
    }

    fn tell_margin(&self, words: &mut Vec<String>, names: Names, value: Option<i64>, price: Option<i64>) {
        let (race, keeper) = (names.of(self.race.winner), names.of(self.race.keeper));
        let Some(value) = value else { return };
        let view = self.race.keeper.sign() * value;
        let Some(price) = price else {
            words.push(if self.winner == self.race.winner && view > 0 {
                format!("Nothing locks {race} in: {race} plays on freely and wins.")
            } else {
                format!(
                    "The value is {view:+} for the keeper {keeper}: too little for any lock, {race} wins."
                )
            });
            return;
        };
        let margin = view - price;
        words.push(format!(
            "Value {view:+} for the keeper {keeper}, price of the lock {price}, margin {margin:+}."
        ));
        words.push(match margin.signum() {
            1 => format!("The margin is positive: {keeper} keeps {race} locked in and wins."),
            -1 => format!("The margin is negative: {keeper} cannot afford the lock, {race} wins."),
            _ if self.winner == self.race.keeper => {
                format!(
                    "The margin is 0 and {race} is to move: {race} runs out of moves first, {keeper} wins."
                )
            }
            _ => {
                format!("The margin is 0 and {keeper} is to move: {keeper} must open the lock, {race} wins.")
            }
        });
    }

    /// The reason as JSON; `label` names a vertex.
    #[must_use]
    pub fn json(&self, names: Names, label: &dyn Fn(u32) -> Value) -> Value {
        let name = |player: Player| names.of(player).to_string();
        let all = |vertices: &[u32]| vertices.iter().map(|&v| label(v)).collect::<Vec<_>>();
        let mut value = json!({
            "hands": self.race.hands,
            "mover": name(self.race.mover),
            "race": name(self.race.winner),
            "keeper": name(self.race.keeper),
            "winner": name(self.winner),
        });
        let (kind, details) = match &self.kind {
            Kind::Over => ("over", json!({})),
            Kind::Free(order) => ("free", json!({"order": all(order)})),
            Kind::Suits(legs, reason) => {
                let legs: Vec<Value> = legs.iter().map(|leg| Value::Array(all(leg))).collect();
                ("suits", json!({"legs": legs, "reason": reason}))
            }
            Kind::Forest(forest) => {
                let hidden = forest.hidden.iter().take(TOLD);
                let hidden: Vec<Value> = hidden
                    .map(|&(v, cost, lock, due)| json!({"open": label(v), "cost": cost, "lock": lock, "due": due}))
                    .collect();
                let told = json!({"total": forest.total, "exposed": forest.exposed, "hidden": hidden});
                ("forest", told)
            }
            Kind::Parts(parts) => {
                let parts: Vec<Value> = parts
                    .iter()
                    .map(|p| json!({"vertices": all(&p.vertices), "value": p.value, "price": p.price}))
                    .collect();
                ("parts", json!({"parts": parts}))
            }
            Kind::Search => ("search", json!({})),
        };
        if let (Value::Object(map), Value::Object(details)) = (&mut value, details) {
            map.insert("kind".into(), json!(kind));
            map.extend(details);
            if let Some(sum) = self.value {
                map.insert("value".into(), json!(sum));
                map.insert("price".into(), json!(self.price));
                let margin = self.price.map(|price| self.race.keeper.sign() * sum - price);
                map.insert("margin".into(), json!(margin));
            }
            if let Some(strategy) = &self.strategy {
                map.insert("strategy_turns".into(), json!(strategy.turns.len()));
            }
        }
        value
    }
}

/// Vertices named in one line of words.
const LISTED: usize = 24;
/// Hidden places told in JSON.
const TOLD: usize = 1000;

/// A turn in words; `label` names a vertex.
pub(crate) fn turn_words(turn: &Turn, label: &dyn Fn(u32) -> String) -> String {
    let action = match turn.action {
        Action::Play(v) => format!("play {}", label(v)),
        Action::Pass => "pass".into(),
    };
    if turn.joker.is_empty() {
        return action;
    }
    let targets: Vec<String> = turn.joker.iter().map(|&v| label(v)).collect();
    format!("joker on {}, then {action}", targets.join(" and "))
}
