//! Four seats, counted by seat from the mover. The counts were published with the theory and found independently there.

use babanuki::Mode;
use babanuki::search::rational::Rational;
use babanuki::search::{Guarantees, chance};
use babanuki::shape::{Shape, all_shapes};
use kachi_core::Budget;

struct Row {
    labels: u32,
    shapes: usize,
    first: [usize; 4],
    not_last: [usize; 4],
    endless_only: [usize; 4],
    /// Rational outcomes: unique, endless play by all four possible, endless play only.
    rational: [usize; 3],
}

#[rustfmt::skip]
const ROWS: [Row; 7] = [
    Row { labels: 2, shapes: 24, first: [3, 1, 0, 18], not_last: [12, 16, 12, 18], endless_only: [2, 2, 2, 2], rational: [23, 0, 0] },
    Row { labels: 3, shapes: 116, first: [30, 16, 3, 51], not_last: [56, 59, 45, 57], endless_only: [16, 16, 18, 20], rational: [96, 0, 0] },
    Row { labels: 4, shapes: 336, first: [75, 56, 29, 99], not_last: [123, 127, 109, 128], endless_only: [62, 59, 59, 65], rational: [216, 2, 2] },
    Row { labels: 5, shapes: 768, first: [138, 114, 80, 180], not_last: [230, 222, 205, 229], endless_only: [153, 148, 153, 161], rational: [337, 3, 0] },
    Row { labels: 6, shapes: 1524, first: [237, 192, 156, 302], not_last: [371, 365, 344, 376], endless_only: [323, 306, 315, 326], rational: [440, 34, 0] },
    Row { labels: 7, shapes: 2748, first: [380, 313, 258, 458], not_last: [566, 552, 530, 566], endless_only: [593, 573, 593, 603], rational: [519, 192, 0] },
    Row { labels: 8, shapes: 4620, first: [560, 482, 406, 651], not_last: [808, 797, 771, 815], endless_only: [1022, 983, 1013, 1025], rational: [599, 629, 0] },
];

#[test]
fn four_seats_are_counted_as_published() {
    let table = Guarantees::solve(4, 8, Mode::Pairs, &[], &mut Budget::default()).unwrap();
    for row in ROWS {
        let shapes = all_shapes(4, row.labels, Mode::Pairs);
        assert_eq!(shapes.len(), row.shapes);
        let count = |wanted: &dyn Fn(u8, u8) -> bool| {
            let of = |q: usize| {
                let fits = |shape: &&Shape| {
                    let found = table.of(shape).unwrap()[q];
                    wanted(found.strict, found.lenient)
                };
                shapes.iter().filter(fits).count()
            };
            [of(0), of(1), of(2), of(3)]
        };
        assert_eq!(count(&|strict, _| strict == 1), row.first, "{} labels", row.labels);
        assert_eq!(count(&|strict, _| strict < 4), row.not_last, "{} labels", row.labels);
        assert_eq!(
            count(&|strict, lenient| strict == 4 && lenient < 4),
            row.endless_only,
            "{} labels",
            row.labels
        );
        let rational = Rational::solve(&shapes, Mode::Pairs, usize::MAX, &mut Budget::default()).unwrap();
        let mut found = [0; 3];
        for shape in &shapes {
            let outcomes = rational.of(shape).unwrap();
            let endless = outcomes.iter().any(|leaving| leaving.is_empty());
            found[0] += usize::from(outcomes.len() == 1);
            found[1] += usize::from(endless);
            found[2] += usize::from(endless && outcomes.len() == 1);
        }
        assert_eq!(found, row.rational, "{} labels", row.labels);
    }
}

#[test]
fn three_seats_may_play_for_ever_from_eight_labels_on() {
    let count = |labels: u32| {
        let shapes = all_shapes(3, labels, Mode::Pairs);
        let rational = Rational::solve(&shapes, Mode::Pairs, usize::MAX, &mut Budget::default()).unwrap();
        let endless = |shape: &Shape| rational.of(shape).unwrap().iter().any(|leaving| leaving.is_empty());
        let example = Shape { seats: 3, joker: 0, counts: vec![1, 4, 3] };
        (shapes.iter().filter(|shape| endless(shape)).count(), labels == 8 && endless(&example))
    };
    assert_eq!(count(7), (0, false));
    let (found, example) = count(8);
    assert!(found > 0 && example, "{found} positions");
}

#[test]
fn five_seats_may_play_for_ever_in_27_positions_of_five_labels() {
    let shapes = all_shapes(5, 5, Mode::Pairs);
    assert_eq!(shapes.len(), 5580);
    let rational = Rational::solve(&shapes, Mode::Pairs, usize::MAX, &mut Budget::default()).unwrap();
    let endless = |shape: &&Shape| rational.of(shape).unwrap().iter().any(|leaving| leaving.is_empty());
    assert_eq!(shapes.iter().filter(endless).count(), 27);
}

#[test]
fn blind_chances_of_three_hands_of_four() {
    // Four labels in each hand: two shared by each two seats; the joker with the mover, the next, the victim.
    let expected = [[0.5209, 0.2024, 0.2768], [0.1330, 0.4420, 0.4250], [0.3544, 0.2057, 0.4399]];
    for (joker, expected) in (0..3).zip(expected) {
        let shape = Shape { seats: 3, joker, counts: vec![2, 2, 2] };
        let found = chance::last(&shape, Mode::Pairs).unwrap();
        assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(
            found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 6e-5),
            "{found:?}"
        );
    }
}
