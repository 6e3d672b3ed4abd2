//! Types, terms and formulas of proof files: the text that the core prints, with `==` and `<<` for formulas, so that `=`
//! stays the test. `m(k)` looks up a map, sequence or array.

use super::ProofError;
use super::lexer::Word;
use crate::core::check::type_of;
use crate::core::module::Module;
use crate::core::prim::Prim;
use crate::core::term::{Hint, Term};
use crate::core::ty::{Name, Ty};
use crate::core::value::{Place, Set, Value, flower_name};
use crate::kernel::formula::Formula;
use hana::card::Card;
use std::ops::Range;

/// How deep terms and formulas may nest in the text.
const DEPTH: u32 = 60;
/// How deep and how large terms may become by chains of operators and by abbreviations.
const TERM_DEPTH: u32 = 400;
const TERM_SIZE: u64 = 100_000;

/// What a name stands for.
#[derive(Clone)]
pub(super) enum Meaning {
    Variable(Ty),
    Abbreviation(Term),
}

pub(super) struct Reader<'a> {
    words: &'a [(Word, Range<usize>)],
    at: usize,
    depth: u32,
    pub(super) module: &'a Module,
    pub(super) scope: Vec<(String, Meaning)>,
}

type Read<T> = Result<T, ProofError>;

impl<'a> Reader<'a> {
    pub(super) fn new(words: &'a [(Word, Range<usize>)], module: &'a Module) -> Reader<'a> {
        Reader { words, at: 0, depth: 0, module, scope: Vec::new() }
    }

    pub(super) fn peek(&self) -> &Word {
        self.words.get(self.at).map_or(&Word::End, |(word, _)| word)
    }

    pub(super) fn place(&self) -> Range<usize> {
        let last = self.words.len().saturating_sub(1);
        self.words.get(self.at.min(last)).map_or(0..0, |(_, place)| place.clone())
    }

    pub(super) fn skip_to(&mut self, at: usize) {
        self.at = at;
    }

    fn next(&mut self) -> Word {
        let word = self.peek().clone();
        self.at += 1;
        word
    }

    pub(super) fn wrong<T>(&self, expected: &str) -> Read<T> {
        let found = match self.peek() {
            Word::Name(name) => name.clone(),
            Word::Number(n) => n.to_string(),
            Word::Flower(flower) => flower.clone(),
            Word::Sign(sign) => (*sign).to_owned(),
            Word::End => "the end of the text".to_owned(),
        };
        Err(ProofError::new(self.place(), format!("expected {expected}, found {found}")))
    }

    pub(super) fn is(&self, text: &str) -> bool {
        match self.peek() {
            Word::Name(name) => name == text,
            Word::Sign(sign) => *sign == text,
            _ => false,
        }
    }

    pub(super) fn take(&mut self, text: &str) -> bool {
        let found = self.is(text);
        if found {
            self.at += 1;
        }
        found
    }

    pub(super) fn expect(&mut self, text: &str) -> Read<()> {
        if self.take(text) { Ok(()) } else { self.wrong(&format!("`{text}`")) }
    }

    pub(super) fn name(&mut self) -> Read<String> {
        match self.peek().clone() {
            Word::Name(name) => {
                self.at += 1;
                Ok(name)
            }
            _ => self.wrong("a name"),
        }
    }

    fn number(&mut self) -> Read<i64> {
        let negative = self.take("-");
        match self.next() {
            Word::Number(n) => Ok(if negative { -n } else { n }),
            _ => {
                self.at -= 1;
                self.wrong("a number")
            }
        }
    }

    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= DEPTH {
            return Err(ProofError::new(self.place(), format!("nested deeper than {DEPTH}")));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    pub(super) fn ty(&mut self) -> Read<Ty> {
        self.deeper(|reader| {
            if reader.take("(") {
                let mut arguments = Vec::new();
                while !reader.take("->") {
                    if !arguments.is_empty() {
                        reader.expect("*")?;
                    }
                    arguments.push(reader.ty()?);
                }
                let result = reader.ty()?;
                reader.expect(")")?;
                return Ok(Ty::fun(arguments, result));
            }
            let place = reader.place();
            Ok(match reader.name()?.as_str() {
                "Bool" => Ty::Bool,
                "Int" => Ty::Int,
                "Flower" => Ty::Flower,
                "Place" => Ty::Place,
                "State" => reader.module.state.clone(),
                "Oracle" => reader.module.oracle.clone(),
                "set" => Ty::set(reader.ty()?),
                "seq" => Ty::seq(reader.ty()?),
                "map" => {
                    let key = reader.ty()?;
                    reader.expect("of")?;
                    Ty::map(key, reader.ty()?)
                }
                "array" => {
                    reader.expect("[")?;
                    let low = reader.number()?;
                    reader.expect("..")?;
                    let high = reader.number()?;
                    reader.expect("]")?;
                    reader.expect("of")?;
                    Ty::array(low, high, reader.ty()?)
                }
                other => return Err(ProofError::new(place, format!("{other} is not a type"))),
            })
        })
    }

    /// `x : T` lists.
    fn binder(&mut self) -> Read<(String, Ty)> {
        let name = self.name()?;
        self.expect(":")?;
        Ok((name, self.ty()?))
    }

    pub(super) fn binders(&mut self, separator: &str) -> Read<Vec<(String, Ty)>> {
        let mut binders = vec![self.binder()?];
        while self.take(separator) {
            binders.push(self.binder()?);
        }
        Ok(binders)
    }

    fn under<T>(&mut self, binders: &[(String, Ty)], inner: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        let before = self.scope.len();
        for (name, ty) in binders {
            self.scope.push((name.clone(), Meaning::Variable(ty.clone())));
        }
        let result = inner(self);
        self.scope.truncate(before);
        result
    }

    fn bounded(&self, term: &Term) -> Read<()> {
        if term.depth() > TERM_DEPTH || term.size() > TERM_SIZE {
            let message = format!("the term is deeper than {TERM_DEPTH} or larger than {TERM_SIZE} nodes");
            return Err(ProofError::new(self.place(), message));
        }
        Ok(())
    }

    pub(super) fn type_of(&self, term: &Term, place: Range<usize>) -> Read<Ty> {
        self.bounded(term)?;
        type_of(self.module, term)
            .map_err(|error| ProofError::new(place, format!("{term} has no type: {error}")))
    }

    pub(super) fn formula(&mut self) -> Read<Formula> {
        self.deeper(|reader| {
            if reader.take("forall") {
                let binders = reader.binders(",")?;
                reader.expect(".")?;
                let body = reader.under(&binders, Self::formula)?;
                return Ok(binders.iter().rev().fold(body, |body, (name, ty)| body.forall(name, ty)));
            }
            let first = reader.conjunction()?;
            if reader.take("=>") { Ok(first.implies(reader.formula()?)) } else { Ok(first) }
        })
    }

    fn conjunction(&mut self) -> Read<Formula> {
        let mut whole = self.atom()?;
        let mut count = 1;
        while self.take("and") {
            count += 1;
            if count > DEPTH {
                return Err(ProofError::new(self.place(), format!("more than {DEPTH} conjuncts")));
            }
            whole = whole.and(self.atom()?);
        }
        Ok(whole)
    }

    fn atom(&mut self) -> Read<Formula> {
        for word in ["defined", "ends"] {
            if self.take(word) {
                let place = self.place();
                self.expect("(")?;
                let term = self.term()?;
                self.expect(")")?;
                let ty = self.type_of(&term, place)?;
                return Ok(if word == "ends" {
                    Formula::ends(&term, &ty)
                } else {
                    Formula::defined(&term, &ty)
                });
            }
        }
        if self.is("(") && self.bracket_holds_formula() {
            self.at += 1;
            let formula = self.formula()?;
            self.expect(")")?;
            return Ok(formula);
        }
        let place = self.place();
        let one = self.term()?;
        let equal = self.is("==");
        if !equal && !self.is("<<") {
            return self.wrong("`==` or `<<`");
        }
        self.at += 1;
        let two = self.term()?;
        let ty = self.type_of(&one, place.start..self.place().start)?;
        Ok(if equal { Formula::Eq(ty, one, two) } else { Formula::Le(ty, one, two) })
    }

    /// A bracket may open a formula or a term; only formulas have these words inside.
    fn bracket_holds_formula(&self) -> bool {
        let mut open = 0_u32;
        for (word, _) in &self.words[self.at..] {
            match word {
                Word::Sign("(") => open += 1,
                Word::Sign(")") => {
                    open = open.saturating_sub(1);
                    if open == 0 {
                        return false;
                    }
                }
                Word::Sign("==" | "<<" | "=>") => return true,
                Word::Name(name) if matches!(name.as_str(), "forall" | "defined" | "ends") => return true,
                Word::Sign(";") | Word::End => return false,
                _ => {}
            }
        }
        false
    }

    pub(super) fn term(&mut self) -> Read<Term> {
        self.deeper(|reader| {
            if reader.take("lambda") {
                reader.expect("(")?;
                let binders = if reader.is(")") { Vec::new() } else { reader.binders(";")? };
                reader.expect(")")?;
                reader.expect(".")?;
                let body = reader.under(&binders, Self::term)?;
                let params: Vec<(&str, Ty)> =
                    binders.iter().map(|(name, ty)| (name.as_str(), ty.clone())).collect();
                return Ok(Term::lambda(&params, &body));
            }
            if reader.take("fix") {
                let binder = reader.binder()?;
                reader.expect(".")?;
                let body = reader.under(std::slice::from_ref(&binder), Self::term)?;
                let (name, ty) = binder;
                let body = body.close(&[(Name::from(name.as_str()), ty.clone())]);
                return Ok(Term::fix(Hint::from(name.as_str()), ty, body));
            }
            if reader.take("let") {
                let binder = reader.binder()?;
                reader.expect("=")?;
                let value = reader.operators(1)?;
                reader.expect("in")?;
                let body = reader.under(std::slice::from_ref(&binder), Self::term)?;
                return Ok(Term::app(Term::lambda(&[(binder.0.as_str(), binder.1)], &body), [value]));
            }
            if reader.take("if") {
                let test = reader.term()?;
                reader.expect("then")?;
                let yes = reader.term()?;
                reader.expect("else")?;
                return Ok(Term::if_then_else(test, yes, reader.term()?));
            }
            reader.operators(0)
        })
    }

    fn operator(&self, level: usize) -> Option<&'static str> {
        const LEVELS: [&[&str]; 7] = [
            &["or"],
            &["&"],
            &["=", "<>", "<=", ">=", "<", ">", "in", "subset"],
            &["join", "minus"],
            &["meet"],
            &["+w", "-w", "+", "-"],
            &["*", "div", "mod"],
        ];
        LEVELS.get(level)?.iter().find(|sign| self.is(sign)).copied()
    }

    fn operators(&mut self, level: usize) -> Read<Term> {
        if level == 7 {
            return self.postfix();
        }
        let mut whole = self.operators(level + 1)?;
        while let Some(sign) = self.operator(level) {
            self.bounded(&whole)?;
            let place = self.place();
            self.at += 1;
            let other = self.operators(level + 1)?;
            let prim = match sign {
                "or" => {
                    whole = Term::or(whole, other);
                    continue;
                }
                "&" => {
                    whole = Term::and(whole, other);
                    continue;
                }
                "=" => Prim::Eq,
                "<>" => Prim::Ne,
                "<=" => match self.type_of(&whole, place)? {
                    Ty::Set(_) => Prim::Subset,
                    _ => Prim::Le,
                },
                ">=" => Prim::Ge,
                "<" => Prim::Lt,
                ">" => Prim::Gt,
                "in" => Prim::In,
                "subset" => Prim::Subset,
                "join" => Prim::Join,
                "minus" => Prim::Minus,
                "meet" => Prim::Meet,
                "+w" => Prim::WrapAdd,
                "-w" => Prim::WrapSub,
                "+" => Prim::Add,
                "-" => Prim::Sub,
                "*" => Prim::Mul,
                "div" => Prim::Div,
                _ => Prim::Mod,
            };
            whole = Term::prim(prim, [whole, other]);
        }
        Ok(whole)
    }

    fn arguments(&mut self) -> Read<Vec<Term>> {
        let mut arguments = Vec::new();
        self.expect("(")?;
        while !self.take(")") {
            if !arguments.is_empty() {
                self.expect(",")?;
            }
            arguments.push(self.term()?);
        }
        Ok(arguments)
    }

    fn postfix(&mut self) -> Read<Term> {
        let place = self.place();
        let mut whole = self.primary()?;
        loop {
            self.bounded(&whole)?;
            if self.is("(") {
                let arguments = self.arguments()?;
                let ty = self.type_of(&whole, place.clone())?;
                let get = match ty {
                    Ty::Map(..) => Some(Prim::MapGet),
                    Ty::Seq(_) => Some(Prim::SeqGet),
                    Ty::Array(..) => Some(Prim::ArrayGet),
                    _ => None,
                };
                whole = match get {
                    Some(prim) => Term::prim(prim, std::iter::once(whole).chain(arguments)),
                    None => Term::app(whole, arguments),
                };
            } else if self.is(".") && matches!(self.words.get(self.at + 1), Some((Word::Name(_), _))) {
                self.at += 1;
                whole = Term::field(whole, self.name()?);
            } else if self.is("{") {
                self.at += 1;
                let name = self.name()?;
                self.expect("=")?;
                let value = self.term()?;
                self.expect("}")?;
                whole = Term::with(whole, name, value);
            } else {
                return Ok(whole);
            }
        }
    }

    fn bracketed_type(&mut self) -> Read<Ty> {
        self.expect("[")?;
        let ty = self.ty()?;
        self.expect("]")?;
        Ok(ty)
    }

    /// `x in S`, then a body with `x` of the element type; gives hint, element type, set, closed body.
    fn ranged(&mut self, between: &str, end: Option<&str>) -> Read<(Hint, Ty, Term, Term)> {
        let name = self.name()?;
        self.expect("in")?;
        let place = self.place();
        let set = self.operators(3)?;
        let Ty::Set(element) = self.type_of(&set, place.clone())? else {
            return Err(ProofError::new(place, format!("{set} is not a set")));
        };
        let element = (*element).clone();
        self.expect(between)?;
        let binder = [(name.clone(), element.clone())];
        let body = match end {
            Some(_) => self.under(&binder, Self::term)?,
            None => self.under(&binder, |reader| reader.operators(5))?,
        };
        if let Some(end) = end {
            self.expect(end)?;
        }
        let body = body.close(&[(Name::from(name.as_str()), element.clone())]);
        Ok((Hint::from(name.as_str()), element, set, body))
    }

    fn primary(&mut self) -> Read<Term> {
        let place = self.place();
        match self.next() {
            Word::Number(n) => Ok(Term::int(n)),
            Word::Flower(text) => {
                let found = (0..48)
                    .filter_map(Card::from_id)
                    .find(|card| flower_name(*card).chars().filter(|c| !c.is_whitespace()).eq(text.chars()));
                match found {
                    Some(card) => Ok(Term::constant(Value::Flower(card), Ty::Flower)),
                    None => Err(ProofError::new(place, format!("there is no flower {text}"))),
                }
            }
            Word::Sign("(") => {
                if self.is("-") {
                    let (at, number) = (self.at, self.number());
                    if let (Ok(n), true) = (number, self.is(")")) {
                        self.at += 1;
                        return Ok(Term::int(n));
                    }
                    self.at = at;
                }
                let term = self.term()?;
                self.expect(")")?;
                Ok(term)
            }
            Word::Sign("-") => {
                let inner = self.deeper(Self::postfix)?;
                Ok(Term::prim(Prim::Neg, [inner]))
            }
            Word::Sign("{") => self.braces(&place),
            Word::Name(name) => self.named(&name, place),
            _ => {
                self.at -= 1;
                self.wrong("a term")
            }
        }
    }

    /// `{}[T]`, `{e1, ..}`, `{x in S | b}`.
    fn braces(&mut self, place: &Range<usize>) -> Read<Term> {
        if self.take("}") {
            let element = self.bracketed_type()?;
            return Ok(Term::constant(Value::Set(Set::empty(&element)), Ty::set(element)));
        }
        let at = self.at;
        if let Word::Name(_) = self.peek() {
            self.at += 1;
            let ranged = self.is("in");
            self.at = at;
            if ranged {
                let (name, element, set, test) = self.ranged("|", Some("}"))?;
                return Ok(Term::filter(name, element, set, test));
            }
        }
        let mut items = vec![self.term()?];
        while self.take(",") {
            items.push(self.term()?);
            if items.len() > TERM_DEPTH as usize {
                return Err(ProofError::new(place.clone(), format!("more than {TERM_DEPTH} elements")));
            }
        }
        self.expect("}")?;
        let element = self.type_of(&items[0], place.clone())?;
        Ok(Term::set_of(element, items))
    }

    fn named(&mut self, name: &str, place: Range<usize>) -> Read<Term> {
        if let Some((_, meaning)) = self.scope.iter().rev().find(|(other, _)| other == name) {
            return Ok(match meaning {
                Meaning::Variable(ty) => Term::free(name, ty.clone()),
                Meaning::Abbreviation(term) => term.clone(),
            });
        }
        if name == "while" {
            self.expect("[")?;
            let number = self.number()?;
            self.expect("]")?;
            let name = format!("while[{number}]");
            if self.module.get(&name).is_some() {
                return Ok(Term::global(name));
            }
            return Err(ProofError::new(place, format!("the program has no loop number {number}")));
        }
        if self.module.get(name).is_some() {
            return Ok(Term::global(name));
        }
        let prim = match name {
            "true" => return Ok(Term::bool(true)),
            "false" => return Ok(Term::bool(false)),
            "table" => return Ok(Term::constant(Value::Place(Place::Table), Ty::Place)),
            "YAMA" => return Ok(Term::constant(Value::Place(Place::Yama), Ty::Place)),
            "bottom" => return Ok(Term::bottom(self.bracketed_type()?)),
            "Err" => return Ok(Term::err(self.bracketed_type()?, "")),
            "all" => Prim::All(self.bracketed_type()?),
            "tabulate" => Prim::Tabulate(self.bracketed_type()?),
            "sum" => {
                let (name, element, set, body) = self.ranged("of", None)?;
                return Ok(Term::sum(name, element, set, body));
            }
            "E" | "A" => {
                let (hint, element, set, body) = self.ranged("[", Some("]"))?;
                let build = if name == "E" { Term::exists } else { Term::every };
                return Ok(build(hint, element, set, body));
            }
            "not" => {
                let inner = self.deeper(|reader| reader.operators(2))?;
                return Ok(Term::prim(Prim::Not, [inner]));
            }
            _ => match BUILTINS.iter().find(|prim| prim.name() == name) {
                Some(prim) => prim.clone(),
                None => return Err(ProofError::new(place, format!("{name} has no meaning here"))),
            },
        };
        if prim.arity() == 0 {
            return Ok(Term::prim(prim, []));
        }
        let arguments = self.arguments()?;
        if arguments.len() != prim.arity() {
            let message = format!("{name} takes {} arguments, {} are given", prim.arity(), arguments.len());
            return Err(ProofError::new(place, message));
        }
        Ok(Term::prim(prim, arguments))
    }
}

/// Primitives written as functions.
const BUILTINS: [Prim; 20] = [
    Prim::Neg,
    Prim::Expo,
    Prim::Max,
    Prim::Min,
    Prim::Month,
    Prim::Point,
    Prim::Hand,
    Prim::Window,
    Prim::Basket,
    Prim::Seats,
    Prim::Kan,
    Prim::Months,
    Prim::Number,
    Prim::Length,
    Prim::SeqGet,
    Prim::MapGet,
    Prim::MapSet,
    Prim::ArrayGet,
    Prim::ArraySet,
    Prim::Fold,
];
