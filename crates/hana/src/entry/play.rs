//! A game of twelve months as a board: hidden hands, the score sheet, what is certain, and what the good player would do.

use crate::month::{Ask, Decision, Month};
use crate::picture::board::{self, NAMES, PLAYERS};
use crate::picture::scene::season_scene;
use crate::players::sampled::{self, Sampled};
use crate::season::{Season, decision_word, read_decision};
use crate::theory::sure::{Sure, Theorem, sure};
use kachi_core::scene::Scene;
use kachi_core::surface::{Board, By, Ended, MoveLine, Report, Status, Tone};
use kachi_core::{Budget, Error, Seat};

/// Decisions with one possible answer are made at once.
pub(super) fn advanced(mut season: Season) -> Season {
    while let Some(Ask::Take { from, .. } | Ask::Throw { from, .. }) = season.ask() {
        let mut cards = from.iter();
        let (Some(only), None) = (cards.next(), cards.next()) else { break };
        if season.decide(Decision::Card(only)).is_err() {
            break;
        }
    }
    season
}

/// A game of twelve months in play.
pub(super) struct Play {
    pub(super) season: Season,
}

/// The player asked, and the month as his seat sees it.
struct Asked {
    ask: Ask,
    seat: usize,
    seen: Month,
    player: Option<usize>,
}

impl Play {
    fn asked(&self) -> Result<Asked, Error> {
        let over = || Error::new("already_over", "the last month is played: the game is over");
        let month = self.season.month();
        let (ask, i) = (self.season.ask().ok_or_else(over)?, month.asked_seat().ok_or_else(over)?);
        let player = month.players().and_then(|players| players.iter().position(|&seat| seat == i));
        Ok(Asked { ask, seat: i, seen: month.as_seen_by(i), player })
    }
}

/// Mean money, in mon, by which answers must differ before one is called worse.
const ALIKE: f64 = 8.0;

/// How a decision is said.
fn decision_words(ask: Ask, decision: Decision) -> String {
    match (ask, decision) {
        (Ask::Throw { .. }, Decision::Card(card)) => format!("throw {card}, {}", card.words()),
        (_, Decision::Card(card)) => format!("take {card}, {}", card.words()),
        (Ask::Active { .. }, Decision::Say(true)) => "play this month".into(),
        (Ask::Active { .. }, Decision::Say(false)) => "drop and pay the fee".into(),
        (Ask::Cancel { .. }, Decision::Say(true)) => "cancel: end the round for half your dekiyaku".into(),
        (Ask::Cancel { .. }, Decision::Say(false)) => "go on".into(),
        (_, Decision::Say(true)) => "shobu 勝負: stop and be paid".into(),
        (_, Decision::Say(false)) => "sage 下げ: go on for more".into(),
    }
}

fn sure_words(sure: &Sure) -> String {
    let which = match (sure.any, sure.cards.count()) {
        (any, count) if any == count => sure.cards.join(" "),
        (any, _) => format!("any {any} of {}", sure.cards.join(" ")),
    };
    format!(
        "{which}: {} ({}; {} points with what comes along)",
        sure.theorem.words(),
        sure.theorem.name(),
        sure.points
    )
}

/// The seed of the good player's imagination: the position itself.
fn imagination(notation: &str) -> u64 {
    notation.bytes().fold(0, |hash, byte| kachi_core::surface::fold(hash, u64::from(byte)))
}

impl Board for Play {
    fn notation(&self) -> String {
        self.season.to_string()
    }

    fn seats(&self) -> Vec<String> {
        NAMES.iter().take(self.season.seats()).map(|&name| name.to_owned()).collect()
    }

    fn mover(&self) -> Option<Seat> {
        self.season.mover().map(Seat)
    }

    fn ended(&self) -> Option<Ended> {
        self.season.is_over().then(|| {
            let purses = self.season.purses();
            let most = purses.iter().copied().max().unwrap_or(0);
            let winners: Vec<Seat> =
                (0..purses.len()).filter(|&seat| purses[seat] == most).map(Seat).collect();
            let names: Vec<&str> = winners.iter().map(|seat| NAMES[seat.0]).collect();
            let words = format!("All months are played: {} won most, {most:+} mon.", names.join(" and "));
            Ended { words, winners }
        })
    }

    fn drawing(&self, viewer: Seat) -> String {
        board::season(&self.season, viewer.0)
    }

    fn scene(&self, viewer: Seat) -> Scene {
        season_scene(&self.season, viewer.0, &decision_words)
    }

    fn hidden(&self) -> bool {
        !self.season.is_over()
    }

    fn report(&self, budget: &mut Budget<'_>) -> Result<Report, Error> {
        let asked = self.asked()?;
        budget.spend(u64::from(sampled::DEALS))?;
        let mut good = Sampled::new(imagination(&self.notation()));
        let judged = good.judge(&asked.seen, asked.ask);
        let best = sampled::best(&judged);
        let top = best.map_or(0.0, |best| judged[best].mean);
        let certain = asked.player.map(|player| sure(&asked.seen, player)).unwrap_or_default();
        let moves = judged
            .iter()
            .enumerate()
            .map(|(i, judgement)| MoveLine {
                mv: decision_word(asked.ask, judgement.decision),
                words: decision_words(asked.ask, judgement.decision),
                // Imagined deals cannot tell small differences apart.
                tone: if Some(i) == best || top - judgement.mean < ALIKE {
                    Tone::Winning
                } else {
                    Tone::Middling
                },
                note: match asked.player {
                    Some(_) => format!(
                        "{:+.0} mon on average in imagined deals; {}",
                        judgement.mean,
                        decision_words(asked.ask, judgement.decision)
                    ),
                    None => decision_words(asked.ask, judgement.decision),
                },
            })
            .collect();
        Ok(Report {
            verdict: verdict(&asked, &certain),
            standing: self.standing(top),
            advice: advice(&asked, best.map(|best| judged[best].decision)),
            moves,
            best,
            by: ground(&certain),
            reason: reasons(&certain),
            drawing: board::season(&self.season, self.season.mover().unwrap_or(0)),
        })
    }

    fn svg(&self, _: &mut Budget<'_>) -> Result<String, Error> {
        let asked = self.asked()?;
        let title = format!(
            "Month {}, the {} player to decide",
            self.season.number(),
            NAMES[self.season.seat(asked.seat)]
        );
        Ok(board::month_svg(&asked.seen, asked.player, asked.seen.dealt(asked.seat), &title))
    }

    fn answer(&self, budget: &mut Budget<'_>) -> Result<String, Error> {
        let report = self.report(budget)?;
        let moves: Vec<_> = report
            .moves
            .iter()
            .map(|line| serde_json::json!({"move": line.mv, "words": line.words, "note": line.note}))
            .collect();
        let answer = serde_json::json!({
            "verdict": report.verdict,
            "best": report.best.map(|best| report.moves[best].mv.clone()),
            "heuristic": true,
            "moves": moves,
            "sure": report.reason,
            "purses": self.season.purses(),
        });
        Ok(answer.to_string())
    }

    fn play(&self, mv: &str) -> Result<Box<dyn Board>, Error> {
        let asked = self.asked()?;
        let legal = || {
            let words: Vec<String> = sampled::answers(asked.ask)
                .into_iter()
                .map(|decision| decision_word(asked.ask, decision))
                .collect();
            format!("possible now: {}", words.join(" "))
        };
        let decision = read_decision(asked.ask, mv).map_err(|error| error.hint(legal()))?;
        let mut season = self.season.clone();
        season.decide(decision).map_err(|error| Error::new("illegal_move", error.message).hint(legal()))?;
        Ok(Box::new(Play { season: advanced(season) }))
    }
}

impl Play {
    /// Purses as a share between 0 and 1, with what the mover may expect this month.
    fn standing(&self, expected: f64) -> Vec<f64> {
        const LARGE: f64 = 600.0;
        let mover = self.season.mover();
        let share = |(seat, purse): (usize, i64)| {
            let more = if Some(seat) == mover { expected } else { -expected / 2.0 };
            1.0 / (1.0 + (-(purse as f64 + more) / LARGE * 4.0).exp())
        };
        self.season.purses().into_iter().enumerate().map(share).collect()
    }
}

fn verdict(asked: &Asked, certain: &[Sure]) -> String {
    match (asked.player, certain.first()) {
        (None, _) => "It is not yet known who plays this month.".into(),
        (Some(player), Some(best)) => format!(
            "{}: at least {} points are certain if the round runs out ({}).",
            PLAYERS[player],
            best.points,
            best.theorem.name()
        ),
        (Some(player), None) => {
            format!(
                "{}: nothing is certain for you yet; all 48 cards will be taken if the round runs out.",
                PLAYERS[player]
            )
        }
    }
}

fn advice(asked: &Asked, best: Option<Decision>) -> String {
    let Some(best) = best else { return "There is nothing to decide.".into() };
    let words = decision_words(asked.ask, best);
    match asked.player {
        Some(_) => format!(
            "The good player would {words}. This is a heuristic, not a proof: it comes from {} imagined deals that agree with \
             what you can see, played out greedily with an exact end.",
            sampled::DEALS
        ),
        None => format!("By the hand alone: {words}."),
    }
}

/// What the certain part of the answer rests on; the recommended move is heuristic and its advice says so.
fn ground(certain: &[Sure]) -> By {
    match certain.first() {
        Some(sure) if sure.theorem == Theorem::Biki => By {
            rule: sure.theorem.name().into(),
            status: Status::Proved,
            reference: sure.theorem.proof().map(str::to_owned),
            nodes: None,
        },
        Some(sure) => By {
            rule: format!("{} for what is certain", sure.theorem.name()),
            status: Status::Checked,
            reference: Some(sure.theorem.claim().into()),
            nodes: None,
        },
        None => By {
            rule: format!("{} imagined deals", sampled::DEALS),
            status: Status::Estimated,
            reference: None,
            nodes: None,
        },
    }
}

fn reasons(certain: &[Sure]) -> Vec<String> {
    let mut reason: Vec<String> = certain.iter().map(sure_words).collect();
    if reason.is_empty() {
        reason.push("No theorem makes one of your cards certain.".into());
    } else {
        reason.push(
            "Each line is certain by itself, not all together, and only if the round is not stopped.".into(),
        );
    }
    reason
}
