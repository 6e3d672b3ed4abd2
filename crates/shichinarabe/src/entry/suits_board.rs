//! A suit game in play.

use crate::analysis::{analyse_suits, suits_rule};
use crate::contract::SuitsReply;
use crate::notation::write_suits;
use crate::picture::{suits_scene, suits_svg, suits_text};
use crate::position::Suits;
use crate::rules::{SuitRules, SuitState};
use crate::strategy::best_suit;
use crate::why::SuitsReason;
use kachi_core::scene::Scene;
use kachi_core::surface::{Board, Ended, MoveLine, Report, Tone};
use kachi_core::{Budget, Error, Game, Seat};

pub(super) struct SuitsBoard(pub(super) Suits);

impl SuitsBoard {
    fn legal(&self) -> Vec<usize> {
        let mover = self.0.mover();
        let suits = self.0.suits().iter().enumerate();
        suits.filter(|(_, suit)| suit.first() == Some(&mover)).map(|(i, _)| i).collect()
    }
}

impl Board for SuitsBoard {
    fn notation(&self) -> String {
        write_suits(&self.0)
    }

    fn seats(&self) -> Vec<String> {
        vec!["L".into(), "R".into()]
    }

    fn mover(&self) -> Option<Seat> {
        self.ended().is_none().then(|| self.0.mover().seat())
    }

    fn ended(&self) -> Option<Ended> {
        let winner = SuitRules.ending(&SuitState::from(&self.0))?;
        let name = |seat: Seat| ['L', 'R'][seat.0.min(1)];
        let words = if self.0.hands().contains(&0) {
            format!("{} has no cards left and wins.", name(winner))
        } else {
            format!("{} cannot play and loses; {} wins.", name(winner.other()), name(winner))
        };
        Some(Ended { words, winners: vec![winner] })
    }

    fn drawing(&self, _viewer: Seat) -> String {
        suits_text(&self.0, &[])
    }

    fn scene(&self, _viewer: Seat) -> Scene {
        suits_scene(&self.0)
    }

    fn report(&self, _budget: &mut Budget<'_>) -> Result<Report, Error> {
        let answer = analyse_suits(&self.0);
        let reason = SuitsReason::new(&self.0, &answer).with_refutations(&self.0, &answer);
        let mover = self.0.mover();
        let (winner, opponent) = (answer.winner.letter(), mover.other().letter());
        let legal = if self.0.hands().contains(&0) { vec![] } else { self.legal() };
        let line = |&i: &usize| {
            let wins = answer.winning.contains(&i);
            let suit: String = self.0.suits()[i].iter().take(12).map(|owner| owner.letter()).collect();
            let reply = reason.refutations.iter().find(|refutation| refutation.0 == i);
            let note = match reply {
                Some((_, reply)) => format!("{opponent} answers {reply}"),
                None => String::new(),
            };
            MoveLine {
                mv: i.to_string(),
                words: format!("play the {} of suit {i} ({suit})", mover.letter()),
                tone: if wins { Tone::Winning } else { Tone::Losing },
                note,
            }
        };
        let moves: Vec<MoveLine> = legal.iter().map(line).collect();
        let best = best_suit(&self.0, &answer).and_then(|suit| legal.iter().position(|&i| i == suit));
        let advice = match best.map(|i| legal[i]) {
            None => format!("{} has no move.", mover.letter()),
            Some(suit) if answer.winner == mover => format!("Play suit {suit}: it keeps the win."),
            Some(suit) => {
                format!("Every move loses; suit {suit} leaves {opponent} the fewest winning answers.")
            }
        };
        let count = match answer.winning.len() {
            0 => String::new(),
            1 => " with 1 winning move".into(),
            n => format!(" with {n} winning moves"),
        };
        Ok(Report {
            verdict: format!("{winner} wins ({} to move){count}.", mover.letter()),
            standing: if winner == 'L' { vec![1.0, 0.0] } else { vec![0.0, 1.0] },
            moves,
            best,
            advice,
            by: suits_rule(),
            reason: reason.words(),
            drawing: suits_text(&self.0, &answer.winning),
        })
    }

    fn svg(&self, _budget: &mut Budget<'_>) -> Result<String, Error> {
        let answer = analyse_suits(&self.0);
        Ok(suits_svg(&self.0, answer.winner, &answer.winning))
    }

    fn answer(&self, _budget: &mut Budget<'_>) -> Result<String, Error> {
        let answer = analyse_suits(&self.0);
        let why = SuitsReason::new(&self.0, &answer).with_refutations(&self.0, &answer);
        let reply = SuitsReply {
            winner: answer.winner.letter(),
            winning_moves: answer.winning,
            by: suits_rule(),
            why,
        };
        serde_json::to_string(&reply).map_err(|error| Error::new("unwritable", error.to_string()))
    }

    fn play(&self, mv: &str) -> Result<Box<dyn Board>, Error> {
        let legal = self.legal();
        let list: Vec<String> = legal.iter().map(usize::to_string).collect();
        let hint = format!("legal: {}", list.join(", "));
        let suit: usize = mv.trim().parse().map_err(|_| {
            Error::new("bad_move", format!("a move is the number of a suit, not {mv:?}")).hint(hint.clone())
        })?;
        let next = if self.0.hands().contains(&0) { None } else { self.0.after(suit) };
        let next = next.ok_or_else(|| {
            let message = format!("suit {suit} does not begin with a card of {}", self.0.mover().letter());
            Error::new("illegal_move", message).hint(hint)
        })?;
        Ok(Box::new(SuitsBoard(next)))
    }
}
