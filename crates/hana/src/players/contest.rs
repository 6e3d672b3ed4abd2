//! How much better one player is than another: one challenger against two others of a kind, the same deal with the challenger in every seat.

use super::{Player, play};
use crate::field::Waiting;
use crate::house::House;
use crate::month::Month;
use crate::season::shuffled;

/// The result of a contest; a deal counts once, with the mean of its three months.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contest {
    /// Months played: three a deal.
    pub months: u64,
    /// The challenger's mean net a month, in mon, without teyaku and pot.
    pub mean: f64,
    /// Half the width of the 95% confidence interval of the mean.
    pub half_width: f64,
}

/// Lets a challenger play every seat of the deals with these seeds against two others. Players are made afresh for each month, with its seed.
pub fn contest(
    house: House,
    seeds: std::ops::Range<u64>,
    challenger: &dyn Fn(u64) -> Box<dyn Player>,
    other: &dyn Fn(u64) -> Box<dyn Player>,
) -> Contest {
    let mut deals = Vec::new();
    for seed in seeds {
        let (deck, order) = shuffled(seed, 1, 3);
        let Ok((start, _)) = Month::deal(house, 3, &deck, &order, &Waiting::default(), 0) else { continue };
        let mut sum = 0;
        for seat in 0..3 {
            let mut month = start;
            let mut seated: Vec<Box<dyn Player>> =
                (0..3)
                    .map(|place| {
                        if place == seat { challenger(seed) } else { other(seed + place as u64 * 1_000_003) }
                    })
                    .collect();
            let mut players: Vec<&mut dyn Player> = Vec::new();
            for player in &mut seated {
                players.push(player.as_mut());
            }
            play(&mut month, &mut players);
            sum += month.settled().map_or(0, |paid| paid.net[seat]);
        }
        deals.push(sum as f64 / 3.0);
    }
    let count = deals.len().max(1) as f64;
    let mean = deals.iter().sum::<f64>() / count;
    let variance = deals.iter().map(|net| (net - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    Contest { months: 3 * deals.len() as u64, mean, half_width: 1.96 * (variance / count).sqrt() }
}
