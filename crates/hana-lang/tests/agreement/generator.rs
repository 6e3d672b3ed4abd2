//! Random programs that have types. Every expression is made for a type that is wanted, so the checker must accept the whole; some of them run
//! into faults, which is wanted, too. The shapes that the compiled evaluator recognises are made on purpose.

use kachi_core::random::Dealer;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ty {
    Bool,
    Int,
    Flower,
    Place,
    Set(Box<Ty>),
    Map(Box<Ty>, Box<Ty>),
    Array(i64, i64, Box<Ty>),
    Seq(Box<Ty>),
    /// From numbers to numbers.
    Function,
}
use Ty::{Bool, Flower, Function, Int, Place};

fn set(of: Ty) -> Ty {
    Ty::Set(Box::new(of))
}

fn map(from: Ty, to: Ty) -> Ty {
    Ty::Map(Box::new(from), Box::new(to))
}

fn text(ty: &Ty) -> String {
    match ty {
        Bool => "Bool".into(),
        Int => "Int".into(),
        Flower => "Flower".into(),
        Place => "Place".into(),
        Ty::Set(of) => format!("set {}", text(of)),
        Ty::Map(from, to) => format!("map {} of {}", text(from), text(to)),
        Ty::Array(low, high, of) => format!("array [{low}..{high}] of {}", text(of)),
        Ty::Seq(of) => format!("seq {}", text(of)),
        Function => "(Int -> Int)".into(),
    }
}

/// A declared function or procedure.
struct Declared {
    name: String,
    params: Vec<Ty>,
    result: Option<Ty>,
}

pub(crate) struct Generator {
    dealer: Dealer,
    vars: Vec<(String, Ty)>,
    consts: Vec<(String, Ty)>,
    declared: Vec<Declared>,
    locals: Vec<(String, Ty)>,
    /// May the state and the oracles be used? Not in constants.
    stateful: bool,
    fresh: usize,
    counters: Vec<String>,
}

const FLOWERS: [&str; 8] = [
    "<MATSU, TSURU>",
    "<UME, AKATAN>",
    "<SAKURA, KASU1>",
    "<SUSUKI, MANGETSU>",
    "<KIKU, AOTAN>",
    "<YANAGI, ONO'TOFU>",
    "<KIRI, KASU3>",
    "<KIRI, HOWO>",
];

impl Generator {
    pub(crate) fn new(seed: u64) -> Generator {
        let bouquet = map(Place, set(Flower));
        let vars = [
            ("i0", Int),
            ("i1", Int),
            ("b0", Bool),
            ("f0", Flower),
            ("f1", Flower),
            ("p0", Place),
            ("sf", set(Flower)),
            ("tf", set(Flower)),
            ("si", set(Int)),
            ("sp", set(Place)),
            ("sb", set(Bool)),
            ("bq", bouquet),
            ("mi", map(Flower, Int)),
            ("ca", map(Place, Int)),
            ("mb", map(Bool, set(Int))),
            ("ar", Ty::Array(1, 3, Box::new(Int))),
            ("ab", Ty::Array(0, 2, Box::new(Bool))),
            ("nest", map(Bool, Ty::Array(1, 3, Box::new(Int)))),
            ("sq", Ty::Seq(Box::new(Flower))),
        ];
        Generator {
            dealer: Dealer::new(seed),
            vars: vars.map(|(name, ty)| (name.to_owned(), ty)).to_vec(),
            consts: Vec::new(),
            declared: Vec::new(),
            locals: Vec::new(),
            stateful: false,
            fresh: 0,
            counters: Vec::new(),
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.dealer.below(bound as u64) as usize
    }

    fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    /// Nearly always.
    fn often(&mut self) -> bool {
        !self.one_in(12)
    }

    /// A number that is nearly always from 1 to `most`.
    fn index(&mut self, most: i64, depth: usize) -> String {
        let number = self.expr(&Int, depth);
        if self.often() { format!("(1 + ({number}) mod {most})") } else { number }
    }

    fn name(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}{}", self.fresh)
    }

    fn base(&mut self) -> Ty {
        match self.below(5) {
            0 => Bool,
            1 => Place,
            2 => Int,
            _ => Flower,
        }
    }

    fn some_type(&mut self) -> Ty {
        match self.below(8) {
            0 => set(Int),
            1 => set(Flower),
            2 => map(Place, set(Flower)),
            3 if self.stateful => Ty::Array(1, 3, Box::new(Int)),
            _ => self.base(),
        }
    }

    /// A name of the type that is in force.
    fn known(&mut self, ty: &Ty) -> Option<String> {
        let mut names: Vec<String> = self
            .locals
            .iter()
            .chain(&self.consts)
            .filter(|(_, of)| of == ty)
            .map(|(name, _)| name.clone())
            .collect();
        if self.stateful {
            names.extend(self.vars.iter().filter(|(_, of)| of == ty).map(|(name, _)| name.clone()));
        }
        let count = names.len();
        (count > 0).then(|| names.swap_remove(self.below(count)))
    }

    fn under(&mut self, name: &str, ty: Ty, make: impl FnOnce(&mut Self) -> String) -> String {
        self.locals.push((name.to_owned(), ty));
        let text = make(self);
        self.locals.pop();
        text
    }

    pub(crate) fn expr(&mut self, ty: &Ty, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(ty);
        }
        match self.below(10) {
            0 => {
                let test = self.expr(&Bool, depth - 1);
                format!("(if {test} then {} else {})", self.expr(ty, depth - 1), self.expr(ty, depth - 1))
            }
            1 => {
                let bound = self.some_type();
                let value = self.expr(&bound, depth - 1);
                let name = self.name("x");
                let body = self.under(&name, bound, |generator| generator.expr(ty, depth - 1));
                format!("(let {name} = {value} in {body})")
            }
            2 => self.call(ty, depth).unwrap_or_else(|| self.made(ty, depth)),
            3 => self.known(ty).unwrap_or_else(|| self.made(ty, depth)),
            _ => self.made(ty, depth),
        }
    }

    fn call(&mut self, ty: &Ty, depth: usize) -> Option<String> {
        let fitting: Vec<usize> =
            (0..self.declared.len()).filter(|&i| self.declared[i].result.as_ref() == Some(ty)).collect();
        if fitting.is_empty() || !self.stateful {
            return None;
        }
        let i = fitting[self.below(fitting.len())];
        let (name, params) = (self.declared[i].name.clone(), self.declared[i].params.clone());
        let args: Vec<String> = params.iter().map(|param| self.expr(param, depth - 1)).collect();
        Some(format!("{name}({})", args.join(", ")))
    }

    fn leaf(&mut self, ty: &Ty) -> String {
        if !self.one_in(3)
            && let Some(name) = self.known(ty)
        {
            return name;
        }
        match ty {
            Bool => if self.one_in(2) { "true" } else { "false" }.into(),
            Int => match self.below(12) {
                0 => "SEATS".into(),
                1 => "KAN".into(),
                2 => "9223372036854775807".into(),
                3 => "(-1)".into(),
                n => (n - 4).to_string(),
            },
            Flower => FLOWERS[self.below(FLOWERS.len())].into(),
            Place => match self.below(4) {
                0 => "table".into(),
                1 => "YAMA".into(),
                n => format!("{}({})", ["Hand", "Basket"][n - 2], 1 + self.below(3)),
            },
            Ty::Set(of) => {
                let count = self.below(4);
                let parts: Vec<String> = (0..count).map(|_| self.leaf(of)).collect();
                // A set without elements needs its type from somewhere.
                if parts.is_empty() {
                    self.known(ty).unwrap_or_else(|| self.single(of))
                } else {
                    format!("{{{}}}", parts.join(", "))
                }
            }
            Ty::Map(from, to) => {
                let name = self.name("k");
                let body = self.under(&name, (**from).clone(), |generator| generator.leaf(to));
                format!("(map {name} : {} => {body})", text(from))
            }
            Ty::Array(..) => self.only_var(ty),
            Ty::Seq(_) => self.only_var(ty),
            Function => {
                let name = self.name("n");
                format!("(lambda ({name} : Int) . {name} + 1)")
            }
        }
    }

    fn single(&mut self, of: &Ty) -> String {
        let element = self.leaf(of);
        format!("{{{element}}}")
    }

    /// Arrays and sequences exist as variables and parameters only.
    fn only_var(&mut self, ty: &Ty) -> String {
        self.known(ty).unwrap_or_else(|| if matches!(ty, Ty::Seq(_)) { "sq".into() } else { "ar".into() })
    }

    fn made(&mut self, ty: &Ty, depth: usize) -> String {
        let d = depth - 1;
        match ty {
            Bool => self.made_bool(d),
            Int => self.made_int(d),
            Flower => match self.below(4) {
                0 if self.stateful => {
                    let more = if self.often() { " join {<KIRI, HOWO>}" } else { "" };
                    format!("Pick({}, {}{more})", self.expr(&Int, d), self.expr(&set(Flower), d))
                }
                1 if self.stateful => format!("sq({})", self.index(1, d)),
                _ => self.leaf(ty),
            },
            Place => match self.below(3) {
                0 => format!("Window({})", self.index(3, d)),
                1 => format!("Hand(1 + ({}) mod 3)", self.expr(&Int, d)),
                _ => self.leaf(ty),
            },
            Ty::Set(of) => self.made_set(of, d),
            Ty::Map(from, to) => {
                let name = self.name("k");
                let body = self.under(&name, (**from).clone(), |generator| generator.expr(to, d));
                format!("(map {name} : {} => {body})", text(from))
            }
            Ty::Array(..) if self.stateful && *ty == Ty::Array(1, 3, Box::new(Int)) && self.one_in(2) => {
                format!("nest({})", self.expr(&Bool, d))
            }
            Ty::Array(..) => self.only_var(ty),
            Ty::Seq(_) => self.only_var(ty),
            Function => {
                let name = self.name("n");
                let body = self.under(&name, Int, |generator| generator.expr(&Int, d));
                format!("(lambda ({name} : Int) . {body})")
            }
        }
    }

    fn made_bool(&mut self, d: usize) -> String {
        match self.below(12) {
            0 => format!("({} or {})", self.expr(&Bool, d), self.expr(&Bool, d)),
            1 => format!("({} & {})", self.expr(&Bool, d), self.expr(&Bool, d)),
            2 => format!("(not {})", self.expr(&Bool, d)),
            3 => {
                let op = ["<", ">", "<=", ">=", "=", "<>"][self.below(6)];
                format!("({} {op} {})", self.expr(&Int, d), self.expr(&Int, d))
            }
            4 => {
                let ty = self.some_type();
                let op = ["=", "<>"][self.below(2)];
                format!("({} {op} {})", self.expr(&ty, d), self.expr(&ty, d))
            }
            5 => {
                let of = self.base();
                format!("({} in {})", self.expr(&of, d), self.expr(&set(of.clone()), d))
            }
            6 => {
                let ty = set(self.base());
                format!("({} <= {})", self.expr(&ty, d), self.expr(&ty, d))
            }
            7 if self.stateful => format!("Say({})", self.expr(&Int, d)),
            8 if self.stateful => format!("ab({})", self.index(2, d)),
            9 => {
                let quantifier = ["E", "A"][self.below(2)];
                let name = self.name("e");
                let over = self.expr(&set(Flower), d);
                let test = self.test(&name, d);
                format!("({quantifier} {name} in {over} [{test}])")
            }
            _ => {
                let of = self.base();
                let quantifier = ["E", "A"][self.below(2)];
                let name = self.name("e");
                let over = self.expr(&set(of.clone()), d);
                let test = self.under(&name, of, |generator| generator.expr(&Bool, d));
                format!("({quantifier} {name} in {over} [{test}])")
            }
        }
    }

    /// A test of a flower: often one of the shapes that are recognised.
    fn test(&mut self, name: &str, d: usize) -> String {
        match self.below(7) {
            0 => format!("Point({name}) = {}", [1, 5, 10, 20][self.below(4)]),
            1 => format!("Point({name}) = 5 & Month({name}) <> 11"),
            2 => format!("Month({name}) = Month({})", self.expr(&Flower, d)),
            3 => format!("Month({}) = Month({name})", self.expr(&Flower, d)),
            4 => format!("Month({name}) = {}", self.expr(&Int, d)),
            5 => format!("Point({name}) div (Month({name}) - {}) >= 0", self.below(14)),
            _ => self.under(name, Flower, |generator| generator.expr(&Bool, d)),
        }
    }

    fn made_int(&mut self, d: usize) -> String {
        match self.below(16) {
            0 => format!("({} + {})", self.expr(&Int, d), self.expr(&Int, d)),
            1 => format!("({} - {})", self.expr(&Int, d), self.expr(&Int, d)),
            2 => format!("({} * {})", self.expr(&Int, d), self.expr(&Int, d)),
            3 => format!("({} div {})", self.expr(&Int, d), self.index(9, d)),
            4 => format!("({} mod {})", self.expr(&Int, d), self.index(5, d)),
            5 => format!("(- {})", self.expr(&Int, d)),
            6 => {
                let word = ["max", "min"][self.below(2)];
                format!("{word}{{{}, {}}}", self.expr(&Int, d), self.expr(&Int, d))
            }
            7 => format!("expo({}, {})", self.index(4, d), self.index(6, d)),
            8 => format!("Point({})", self.expr(&Flower, d)),
            9 => {
                let ty = set(self.base());
                format!("Number({})", self.expr(&ty, d))
            }
            10 if self.stateful => match self.below(5) {
                0 => format!("ar({})", self.index(3, d)),
                1 => format!("mi({})", self.expr(&Flower, d)),
                2 => format!("ca({})", self.expr(&Place, d)),
                3 => format!("nest({})({})", self.expr(&Bool, d), self.index(3, d)),
                _ => "Length(sq)".into(),
            },
            11 => {
                let name = self.name("e");
                let over = self.expr(&set(Flower), d);
                format!("(sum {name} in {over} of Point({name}))")
            }
            12 if self.stateful => {
                let (name, other) = (self.name("e"), self.name("q"));
                format!("(sum {name} in {{{other} : Place | true}} of ca({name}))")
            }
            13 => {
                let of = self.base();
                let name = self.name("e");
                let over = self.expr(&set(of.clone()), d);
                let body = self.under(&name, of, |generator| generator.expr(&Int, d));
                format!("(sum {name} in {over} of ({body}))")
            }
            14 => format!("{}({})", self.expr(&Function, d), self.expr(&Int, d)),
            _ => {
                let (itself, n) = (self.name("g"), self.name("n"));
                let step = self.under(&n, Int, |generator| generator.expr(&Int, d));
                let start = self.expr(&Int, d);
                format!(
                    "(fix {itself} : (Int -> Int) . lambda ({n} : Int) . if {n} <= 0 then 1 else ({step}) + {itself}({n} - 1))(({start}) mod 5)"
                )
            }
        }
    }

    fn made_set(&mut self, of: &Ty, d: usize) -> String {
        let ty = set(of.clone());
        match self.below(7) {
            0 => {
                let op = ["join", "meet", "minus"][self.below(3)];
                format!("({} {op} {})", self.expr(&ty, d), self.expr(&ty, d))
            }
            1 => format!("{{{}, {}}}", self.expr(of, d), self.expr(of, d)),
            2 if *of != Int => {
                let name = self.name("e");
                let test = if *of == Flower {
                    self.test(&name, d)
                } else {
                    self.under(&name, of.clone(), |generator| generator.expr(&Bool, d))
                };
                format!("{{{name} : {} | {test}}}", text(of))
            }
            3 if *of == Flower && self.stateful => format!("bq({})", self.expr(&Place, d)),
            4 if *of == Int && self.stateful => format!("mb({})", self.expr(&Bool, d)),
            5 => self.leaf(&ty),
            _ => {
                let name = self.name("e");
                let over = self.expr(&ty, d);
                let test = if *of == Flower {
                    self.test(&name, d)
                } else {
                    self.under(&name, of.clone(), |generator| generator.expr(&Bool, d))
                };
                format!("{{{name} in {over} | {test}}}")
            }
        }
    }

    fn statement(&mut self, depth: usize) -> String {
        let d = 3;
        match self.below(if depth == 0 { 6 } else { 11 }) {
            0 => {
                let (q, s) = (self.expr(&Place, 2), self.expr(&set(Flower), 1));
                let p = self.name("p");
                let test = if self.one_in(2) { format!("{p} = {q}") } else { format!("{q} = {p}") };
                format!("bq := map {p} : Place => if {test} then bq({p}) join {s} else bq({p}) minus {s}")
            }
            1 => "sq := Row()".into(),
            2 => {
                let updates = [
                    ("ar", Int, Int),
                    ("mi", Flower, Int),
                    ("ca", Place, Int),
                    ("ab", Int, Bool),
                    ("bq", Place, set(Flower)),
                    ("mb", Bool, set(Int)),
                    ("nest", Bool, Ty::Array(1, 3, Box::new(Int))),
                ];
                let (name, index, value) = updates[self.below(updates.len())].clone();
                let at = if index == Int { self.index(2, 2) } else { self.expr(&index, 2) };
                format!("{name}({at}) := {}", self.expr(&value, d))
            }
            3 => {
                let test = self.expr(&Bool, 2);
                if self.often() { format!("assert {test} or i1 < 40") } else { format!("assert {test}") }
            }
            4 | 5 => {
                let i = self.below(self.vars.len());
                let (name, ty) = self.vars[i].clone();
                format!("{name} := {}", self.expr(&ty, d))
            }
            6 => format!(
                "if {} then {} else {}",
                self.expr(&Bool, d),
                self.statement(depth - 1),
                self.statement(depth - 1)
            ),
            7 => {
                let counter = self.name("c");
                // Declared at the end, so that nothing else can change it.
                self.counters.push(counter.clone());
                let test = self.expr(&Bool, 2);
                let body = self.statement(depth - 1);
                format!(
                    "begin {counter} := 0; while {counter} < 4 & ({test}) do begin {body}; {counter} := {counter} + 1 end end"
                )
            }
            8 => {
                let count = 1 + self.below(3);
                let parts: Vec<String> = (0..count).map(|_| self.statement(depth - 1)).collect();
                format!("begin {} end", parts.join("; "))
            }
            9 => "[]".into(),
            _ => {
                let fitting: Vec<usize> =
                    (0..self.declared.len()).filter(|&i| self.declared[i].result.is_none()).collect();
                if fitting.is_empty() {
                    return "[]".into();
                }
                let i = fitting[self.below(fitting.len())];
                let (name, params) = (self.declared[i].name.clone(), self.declared[i].params.clone());
                let args: Vec<String> = params.iter().map(|param| self.expr(param, d)).collect();
                format!("{name}({})", args.join(", "))
            }
        }
    }

    fn params(&mut self) -> Vec<(String, Ty)> {
        let count = self.below(3);
        (0..count)
            .map(|_| {
                let ty = if self.one_in(5) { Function } else { self.some_type() };
                (self.name("a"), ty)
            })
            .collect()
    }

    fn group(params: &[(String, Ty)]) -> String {
        let groups: Vec<String> = params.iter().map(|(name, ty)| format!("{name} : {}", text(ty))).collect();
        groups.join("; ")
    }

    /// A whole program.
    pub(crate) fn program(&mut self) -> String {
        let mut lines = Vec::new();
        for _ in 0..2 {
            let ty = if self.one_in(2) { self.base() } else { set(self.base()) };
            let (name, value) = (self.name("CONST"), self.expr(&ty, 3));
            lines.push(format!("const {name} = {value};"));
            self.consts.push((name, ty));
        }
        self.stateful = true;
        for _ in 0..3 {
            let (name, params, result) = (self.name("Fun"), self.params(), self.some_type());
            self.locals = params.clone();
            let body = self.expr(&result, 3);
            self.locals.clear();
            lines.push(format!("function {name}({}) : {} = {body};", Self::group(&params), text(&result)));
            let params = params.into_iter().map(|(_, ty)| ty).collect();
            self.declared.push(Declared { name, params, result: Some(result) });
        }
        for _ in 0..2 {
            let (name, params) = (self.name("Proc"), self.params());
            self.locals = params.clone();
            let body = self.statement(2);
            self.locals.clear();
            lines.push(format!("procedure {name}({}); {body};", Self::group(&params)));
            let params = params.into_iter().map(|(_, ty)| ty).collect();
            self.declared.push(Declared { name, params, result: None });
        }
        let count = 3 + self.below(5);
        let mut body = vec!["sq := Row()".to_owned()];
        body.extend((0..count).map(|_| self.statement(2)).collect::<Vec<_>>());
        let vars = self.vars.iter().map(|(name, ty)| format!("var {name} : {};", text(ty)));
        let counters = self.counters.iter().map(|name| format!("var {name} : Int;"));
        let oracles = [
            "oracle Pick(n : Int; S : set Flower) : Flower;",
            "oracle Say(n : Int) : Bool;",
            "oracle Row() : seq Flower;",
        ];
        let head: Vec<String> = vars.chain(counters).chain(oracles.map(str::to_owned)).collect();
        format!("program RANDOM;\n{}\n{}\nbegin {} end.", head.join("\n"), lines.join("\n"), body.join(";\n"))
    }
}
