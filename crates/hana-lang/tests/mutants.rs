//! Every repair of the printed program undone in turn, and what notices it: the checker of types, a fault (an index out of range, the host's
//! look at an oracle's answer), an assert of the program, or the comparison with the native engine. The numbers are those of the errata of hana.

#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use hana::Preset;
use hana_lang::compiled::{Compiled, Kind, Limits};
use hana_lang::differential::{Deciders, game};
use hana_lang::host::deals::Deal;
use hana_lang::host::persons::{Alone, Dealing};
use hana_lang::host::table::{Asked, Company, Money, Table};
use hana_lang::host::{Chance, First, Person, house_of};
use hana_lang::types::check_source;

const PAPER: &str = hana_lang::programs::PAPER.source;
const MODERN: &str = hana_lang::programs::MODERN.source;

#[derive(Debug, PartialEq, Eq, Clone, Copy)]
enum Notices {
    /// The text or its types are refused.
    Checker,
    /// An index out of range.
    Index,
    /// An assert of the program.
    Assert,
    /// The host, which looks at the answers of the oracles.
    Host,
    /// Another question, or other accounts, than the native engine's.
    Engine,
}
use Notices::{Assert, Checker, Engine, Host, Index};

struct Mutant {
    /// The number of the repair.
    repair: u8,
    what: &'static str,
    edits: &'static [(&'static str, &'static str)],
    by: Notices,
}

/// The text without comments and with single blanks, so that edits do not depend on its layout.
fn flat(source: &str) -> String {
    let lines = source.lines().map(|line| line.split("--").next().unwrap());
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

fn mutated(source: &str, mutant: &Mutant) -> String {
    let mut text = flat(source);
    for (from, to) in mutant.edits {
        assert!(text.contains(from), "repair {}: {from:?} is not in the program", mutant.repair);
        text = text.replace(from, to);
    }
    text
}

/// The program alone, by chance, with every number of seats: does it stumble over its own checks?
fn alone(programs: &[Compiled]) -> Option<(Notices, String)> {
    const GAMES: u64 = 20;
    for seed in 0..GAMES {
        for program in programs {
            let seats = usize::from(program.house().seats);
            let company = Alone { person: Chance::new(seed), dealing: Dealing::Seed(seed), seats };
            let mut table = Table::new(program, company).unwrap();
            if let Err(fault) = program.run(&mut table, Limits::default()) {
                let by = match &fault.kind {
                    Kind::Index { .. } => Index,
                    Kind::Assert => Assert,
                    Kind::Oracle(_) => Host,
                    kind => panic!("{kind:?}"),
                };
                return Some((by, format!("seed {seed}, {seats} seats: {fault}")));
            }
        }
    }
    None
}

/// What notices first: the checker, the program's own checks, or the native engine beside it.
fn notices(source: &str, preset: Preset) -> Option<(Notices, String)> {
    const GAMES: u64 = 60;
    let program = match check_source(source) {
        Err(errors) => return Some((Checker, format!("{:?}", errors[0].rule))),
        Ok(program) => program,
    };
    let programs: Vec<Compiled> =
        (3..=6).map(|seats| Compiled::new(&program, house_of(preset, seats)).unwrap()).collect();
    let engine = (0..GAMES).find_map(|seed| {
        programs.iter().find_map(|program| game(program, preset, seed, Deciders::Chance).err())
    });
    match alone(&programs) {
        Some(found) => {
            assert!(engine.is_some(), "the engine notices, too: {}", found.1);
            Some(found)
        }
        None => engine.map(|difference| (Engine, difference.to_string())),
    }
}

fn all_are_noticed(mutants: &[Mutant], source: &str, preset: Preset) {
    assert_eq!(notices(&flat(source), preset), None, "nothing to notice in the program itself");
    for mutant in mutants {
        let source = mutated(source, mutant);
        match notices(&source, preset) {
            Some((by, words)) => {
                assert_eq!(by, mutant.by, "repair {}, {}: {words}", mutant.repair, mutant.what);
            }
            None => panic!("repair {}, {}: nothing notices", mutant.repair, mutant.what),
        }
    }
}

const fn mutant(
    repair: u8,
    what: &'static str,
    by: Notices,
    edits: &'static [(&'static str, &'static str)],
) -> Mutant {
    Mutant { repair, what, edits, by }
}

const HAND_AND_WINDOW: &str = "bouquet(Hand(P)) join bouquet(Window(P))";
const ORDERING: &str = "flower := Ordering(bouquet(YAMA), M);";
const BEFORE_THE_DROP_OUTS: &str = "l := 1; m := 1; n := 1; while";
const ORDERING_FIRST: &str = "flower := Ordering(bouquet(YAMA), M); l := 1; m := 1; n := 1; while";

/// Repair 4 is the host's and has a test of its own.
const OF_THE_PAPER: [Mutant; 30] = [
    mutant(1, "eleven months", Engine, &[("M <= MONTHS", "M < MONTHS")]),
    mutant(1, "two players", Index, &[("while n <= 3 do begin player(n)", "while n < 3 do begin player(n)")]),
    mutant(
        1,
        "two are looked at for teyaku",
        Engine,
        &[("while n <= 3 do begin P := player(n); if", "while n < 3 do begin P := player(n); if")],
    ),
    mutant(
        1,
        "two are paid",
        Engine,
        &[("while n <= 3 do begin P := player(n); C(n)", "while n < 3 do begin P := player(n); C(n)")],
    ),
    mutant(1, "the last seats keep their cards", Assert, &[("while l <= SEATS do", "while l < SEATS do")]),
    mutant(
        1,
        "all of them",
        Index,
        &[("M <= MONTHS", "M < MONTHS"), ("n <= 3", "n < 3"), ("l <= SEATS", "l < SEATS")],
    ),
    mutant(
        2,
        "five seats, whoever sits down",
        Index,
        &[("l <= SEATS & m <= SEATS - 3", "l <= 5 & m <= 5 - 3")],
    ),
    mutant(3, "every month the same deal", Engine, &[("Deal(M);", "Deal(1);")]),
    mutant(
        5,
        "the YAMA is ordered before hands return",
        Index,
        &[(ORDERING, ""), (BEFORE_THE_DROP_OUTS, ORDERING_FIRST)],
    ),
    mutant(
        5,
        "and the hands stay in limbo",
        Assert,
        &[(ORDERING, ""), (BEFORE_THE_DROP_OUTS, ORDERING_FIRST), ("Move-All(bouquet(Hand(l)), YAMA);", "")],
    ),
    mutant(
        6,
        "a card that there is not",
        Checker,
        &[("<KIRI, HOWO> in bouquet(table)", "<KIRI, ONO'TOFU> in bouquet(table)")],
    ),
    mutant(
        7,
        "& for in",
        Checker,
        &[("<YANAGI, ONO'TOFU> in bouquet(table)", "<YANAGI, ONO'TOFU> & bouquet(table)")],
    ),
    mutant(
        8,
        "pine and moon are missing",
        Engine,
        &[(
            "Number({a in bouquet(table) | Point(a) = 20} minus {<YANAGI, ONO'TOFU>, <KIRI, HOWO>}) >= 2",
            "{<MATSU, TSURU>, <SAKURA, MANMAKU>} <= bouquet(table) or {<SAKURA, MANMAKU>, <SUSUKI, MANGETSU>} <= bouquet(table)",
        )],
    ),
    mutant(
        9,
        "who plays pays the tax",
        Index,
        &[(
            "player(n) := l; n := n + 1 end else begin Pay(Hand(l)",
            "player(n) := l; n := n + 1; Pay(Hand(l)",
        )],
    ),
    mutant(
        10,
        "a person is not a place",
        Checker,
        &[("Move-All(Kasu(bouquet(Hand(P))), Window(P))", "Move-All(Kasu(bouquet(P)), Window(P))")],
    ),
    mutant(11, "a player 0", Index, &[("(n + k - 1) mod 3 + 1", "(n + k) mod 3")]),
    mutant(12, "the Window can never be played", Assert, &[(HAND_AND_WINDOW, "bouquet(Hand(P))")]),
    mutant(
        13,
        "a card is its own mate",
        Assert,
        &[("Month(a) = Month(b)} minus {a}", "Month(a) = Month(b)}")],
    ),
    mutant(
        14,
        "one is taken where three lie",
        Assert,
        &[("if Number(T) = 3 then Move-All(T join {a}, Basket(P)) else if", "if")],
    ),
    mutant(15, "Windows beside the table", Assert, &[("if T = {} then W else T", "T join W")]),
    mutant(
        16,
        "nothing stops the round",
        Engine,
        &[("stopped := Battari(bouquet(Basket(P)))", "stopped := false")],
    ),
    mutant(17, "an argument too many", Checker, &[("flower(t)", "flower(t, M)")]),
    mutant(18, "void after any end", Engine, &[("if not stopped & E k", "if E k")]),
    mutant(
        19,
        "nobody is paid",
        Engine,
        &[(
            "else begin n := 1; while n <= 3 do begin P := player(n); C(n)",
            "else begin n := n + 1; while n <= 3 do begin P := player(n); C(n)",
        )],
    ),
    mutant(20, "few means ten for all", Engine, &[("or n = 3 & Number", "or Number")]),
    mutant(21, "a blank for a comma", Checker, &[("expo(2, index)", "expo(2 index)")]),
    mutant(22, "the pot to the smaller", Engine, &[("C(3) <= C(2) then 2", "C(2) < C(3) then 2")]),
    mutant(
        23,
        "a person is paid, not his purse",
        Checker,
        &[("Pay(table, Hand(player(if max", "Pay(table, (player(if max")],
    ),
    mutant(
        24,
        "teyaku multiplied",
        Engine,
        &[(
            "Hand(P), TEYAKU-Bonus(bouquet(Hand(P)))",
            "Hand(P), TEYAKU-Bonus(bouquet(Hand(P))) * expo(2, index)",
        )],
    ),
    mutant(
        24,
        "teyaku multiplied for one payer only",
        Engine,
        &[(
            "Next(n, 2))), Hand(P), TEYAKU-Bonus(bouquet(Hand(P)))",
            "Next(n, 2))), Hand(P), 2 * TEYAKU-Bonus(bouquet(Hand(P)))",
        )],
    ),
];

const OF_TODAY: [Mutant; 16] = [
    mutant(1, "eleven months", Engine, &[("M <= MONTHS", "M < MONTHS")]),
    mutant(1, "two players", Index, &[("if n <= 3 &", "if n < 3 &")]),
    mutant(1, "the last seat is left out", Index, &[("while l <= SEATS do", "while l < SEATS do")]),
    mutant(2, "five seats, whoever sits down", Index, &[("m > SEATS - 3", "m > 5 - 3")]),
    mutant(3, "every month the same deal", Engine, &[("Deal(M);", "Deal(1);")]),
    mutant(
        5,
        "the YAMA is ordered before hands return",
        Index,
        &[(ORDERING, ""), (BEFORE_THE_DROP_OUTS, ORDERING_FIRST)],
    ),
    mutant(
        6,
        "a card that there is not",
        Checker,
        &[(
            "const GREAT = {<YANAGI, ONO'TOFU>, <KIRI, HOWO>}",
            "const GREAT = {<YANAGI, ONO'TOFU>, <KIRI, ONO'TOFU>}",
        )],
    ),
    mutant(
        9,
        "who plays pays the tax",
        Engine,
        &[(
            "begin player(n) := P; n := n + 1 end",
            "begin player(n) := P; Pay(Hand(P), table, (m + 1) * KAN div 2 * expo(2, index)); n := n + 1 end",
        )],
    ),
    mutant(11, "a player 0", Index, &[("(n + k - 1) mod 3 + 1", "(n + k) mod 3")]),
    mutant(
        13,
        "a card is its own mate",
        Assert,
        &[("Month(a) = Month(b)} minus {a}", "Month(a) = Month(b)}")],
    ),
    mutant(
        14,
        "one is taken where three lie",
        Assert,
        &[("if Number(T) = 3 then Move-All(T join {a}, Basket(P)) else if", "if")],
    ),
    mutant(17, "an argument too many", Checker, &[("flower(t)", "flower(t, M)")]),
    mutant(19, "nobody is paid", Engine, &[("win := first; n := 1;", "win := first; n := n + 1;")]),
    mutant(21, "a blank for a comma", Checker, &[("expo(2, index)", "expo(2 index)")]),
    mutant(
        22,
        "the pot to the smaller",
        Engine,
        &[("Points(B(n)) > Points(B(win))", "Points(B(n)) < Points(B(win))")],
    ),
    mutant(
        23,
        "a person is paid, not his purse",
        Checker,
        &[("Pay(table, Hand(player(win)), cash(table))", "Pay(table, player(win), cash(table))")],
    ),
];

#[test]
fn every_repair_of_the_paper_undone_is_noticed() {
    let mut repairs: Vec<u8> = OF_THE_PAPER.iter().map(|mutant| mutant.repair).collect();
    repairs.push(4);
    repairs.sort_unstable();
    repairs.dedup();
    assert_eq!(repairs, (1..=24).collect::<Vec<u8>>(), "all repairs are undone");
    all_are_noticed(&OF_THE_PAPER, PAPER, Preset::Paper);
}

#[test]
fn the_same_repairs_undone_in_the_program_of_today_are_noticed() {
    all_are_noticed(&OF_TODAY, MODERN, Preset::Modern);
}

/// Deals a table with all four cards of a month.
struct NoRedeal;

impl Company for NoRedeal {
    fn deal(&mut self, _: i64, _: usize, _: Money<'_>) -> Result<Deal, String> {
        let run = |from: u32, count: u32| ((1_u64 << count) - 1) << from;
        let mut hands = [0; 6];
        for (person, hand) in (0..).zip(&mut hands[..3]) {
            *hand = run(6 + 7 * person, 7);
        }
        Ok(Deal { hands, table: run(0, 6), yama: run(27, 21), order: (27..48).collect() })
    }

    fn decide(&mut self, asked: Asked) -> Result<hana::month::Decision, String> {
        First.answer(asked)
    }
}

#[test]
fn repair_4_a_deal_that_should_be_dealt_again_is_noticed_by_the_host() {
    let program = Compiled::new(&check_source(PAPER).unwrap(), house_of(Preset::Paper, 3)).unwrap();
    let mut table = Table::new(&program, NoRedeal).unwrap();
    let fault = program.run(&mut table, Limits::default()).unwrap_err();
    assert!(
        matches!(&fault.kind, Kind::Oracle(words) if words.contains("all four cards of a month")),
        "{fault}"
    );
    assert_eq!(fault.span.text(PAPER), "Deal(M)");
}
