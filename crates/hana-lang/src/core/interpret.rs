//! The reference interpreter: call by value, left to right, straight from the definition. It keeps its own stack of
//! what remains to be done, so no term can overflow the machine's; fuel and depth limits end in a fault of their own
//! kind, which says nothing about the term.

use super::delta::{delta, untyped};
use super::module::Module;
use super::prim::Prim;
use super::term::{Kind, Term};
use super::ty::Name;
use super::value::{House, Value};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Why an evaluation has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// An index, seat or exponent outside its range.
    Range,
    /// A result that does not fit 64 bits.
    Overflow,
    /// `div` or `mod` by zero.
    Division,
    /// A failed assertion.
    Assert,
    /// An oracle's answer outside its set, or no answer.
    Oracle,
    /// The term is bottom: it says of itself that it does not end.
    Bottom,
    /// The fuel ran out before the evaluation ended. Not a statement about the term.
    Fuel,
    /// More pending work or deeper closures than the limit allows. Not a statement about the term.
    Depth,
    /// The term has no type: it was not checked before it was run.
    Untyped,
}

impl FaultKind {
    /// Whether the calculus calls this Err: a fault that every run of the term shows.
    pub fn is_err(self) -> bool {
        matches!(
            self,
            FaultKind::Range
                | FaultKind::Overflow
                | FaultKind::Division
                | FaultKind::Assert
                | FaultKind::Oracle
        )
    }
}

/// A fault with its reason for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// The reason in words.
    pub reason: String,
}

impl Fault {
    /// A fault.
    pub fn new(kind: FaultKind, reason: impl Into<String>) -> Fault {
        Fault { kind, reason: reason.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Fault {}

/// How much an evaluation may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Steps.
    pub fuel: u64,
    /// Pending operations.
    pub stack: usize,
    /// How deep closures may nest in closures.
    pub closures: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { fuel: 100_000_000, stack: 1_000_000, closures: 2_000 }
    }
}

/// Whoever answers the oracle calls.
pub trait Oracles {
    /// The answer of the oracle to its arguments in a state.
    ///
    /// # Errors
    /// Any fault the host detects; it becomes the outcome of the run.
    fn ask(&mut self, oracle: &str, state: &Value, arguments: &[Value]) -> Result<Value, Fault>;
}

/// Nobody: every question is a fault.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoOracles;

impl Oracles for NoOracles {
    fn ask(&mut self, oracle: &str, _: &Value, _: &[Value]) -> Result<Value, Fault> {
        Err(Fault::new(FaultKind::Oracle, format!("nobody answers for the oracle {oracle}")))
    }
}

/// A function value. Compared by identity; no rule of the calculus compares functions.
#[derive(Debug, Clone)]
pub struct Closure(Arc<Code>);

#[derive(Debug)]
enum Code {
    /// A lambda with the values of its loose indices.
    Lambda { arity: usize, body: Term, scope: Scope },
    /// A fixed point: the lambda under it, with itself as index 0 outside the parameters.
    Fix { body: Term, scope: Scope },
    /// An oracle: arguments are the state and then the question.
    Oracle(Name),
}

impl Closure {
    /// The oracle of this name as a function value.
    pub fn oracle(name: impl Into<Name>) -> Closure {
        Closure(Arc::new(Code::Oracle(name.into())))
    }

    fn depth(&self) -> u32 {
        match &*self.0 {
            Code::Lambda { scope, .. } | Code::Fix { scope, .. } => scope.depth(),
            Code::Oracle(_) => 0,
        }
    }

    fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }
}

impl PartialEq for Closure {
    fn eq(&self, other: &Closure) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
impl Eq for Closure {}
impl PartialOrd for Closure {
    fn partial_cmp(&self, other: &Closure) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Closure {
    fn cmp(&self, other: &Closure) -> Ordering {
        self.address().cmp(&other.address())
    }
}
impl Hash for Closure {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.address().hash(state);
    }
}

/// The values of the loose indices, innermost first.
#[derive(Debug, Clone, Default)]
struct Scope(Option<Arc<Bound>>);

#[derive(Debug)]
struct Bound {
    value: Value,
    outer: Scope,
    depth: u32,
}

impl Scope {
    fn depth(&self) -> u32 {
        self.0.as_ref().map_or(0, |bound| bound.depth)
    }

    fn push(self, value: Value) -> Scope {
        // How deep dropping may have to go: through the scope, and through closures inside the value.
        let inner = function_depth(&value);
        let depth = self.depth().max(inner).saturating_add(1);
        Scope(Some(Arc::new(Bound { value, outer: self, depth })))
    }

    fn get(&self, index: u32) -> Option<&Value> {
        let mut scope = self;
        for _ in 0..index {
            scope = &scope.0.as_ref()?.outer;
        }
        scope.0.as_ref().map(|bound| &bound.value)
    }
}

fn function_depth(value: &Value) -> u32 {
    match value {
        Value::Function(closure) => closure.depth(),
        Value::Record(fields) => fields.iter().map(|(_, value)| function_depth(value)).max().unwrap_or(0),
        Value::Map(items) | Value::Seq(items) | Value::Array(_, items) => match items.first() {
            Some(Value::Function(_) | Value::Map(_) | Value::Array(..) | Value::Record(_)) => {
                items.iter().map(function_depth).max().unwrap_or(0)
            }
            _ => 0,
        },
        _ => 0,
    }
}

/// What remains to be done with the value being computed.
enum Frame {
    /// The function of an application is being computed.
    Function(Term, Scope),
    /// Arguments: done so far, the application's term, where.
    Arguments(Value, Vec<Value>, Term, Scope),
    /// Fields of a record term.
    Fields(Vec<(Name, Value)>, Term, Scope),
    /// `e.v`.
    Project(Name),
    /// `e{v = e'}`: the record is being computed.
    Update(Term, Scope),
    /// `e{v = e'}`: the new value is being computed.
    Put(Value, Name),
    /// The test of an `if`.
    Choose(Term, Scope),
    /// Arguments of a primitive.
    Operands(Vec<Value>, Term, Scope),
    /// The values of a map under construction: the function, what is still to come (last first), what is done.
    Table(Closure, Vec<Value>, Vec<Value>),
    /// A fold: the step, the elements still to come (last first).
    Folding(Closure, Vec<Value>),
}

enum Next {
    Eval(Term, Scope),
    Return(Value),
    Call(Closure, Vec<Value>),
}

/// Evaluates terms of a module in a house.
pub struct Interpreter<'a> {
    module: &'a Module,
    house: House,
    limits: Limits,
    oracles: &'a mut dyn Oracles,
    steps: u64,
}

impl<'a> Interpreter<'a> {
    /// An interpreter with fresh fuel.
    pub fn new(module: &'a Module, house: House, limits: Limits, oracles: &'a mut dyn Oracles) -> Self {
        Interpreter { module, house, limits, oracles, steps: 0 }
    }

    /// Steps taken so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The value of a closed term.
    ///
    /// # Errors
    /// The fault in which the evaluation ended.
    pub fn eval(&mut self, term: &Term) -> Result<Value, Fault> {
        self.run(Next::Eval(term.clone(), Scope::default()))
    }

    /// The value of a function at arguments.
    ///
    /// # Errors
    /// The fault in which the evaluation ended.
    pub fn apply(&mut self, function: &Value, arguments: Vec<Value>) -> Result<Value, Fault> {
        match function {
            Value::Function(closure) => self.run(Next::Call(closure.clone(), arguments)),
            _ => Err(untyped("application")),
        }
    }

    /// Runs the module's main term from a state with the interpreter's oracles; gives the last state.
    ///
    /// # Errors
    /// The fault in which the run ended.
    pub fn run_main(&mut self, state: Value) -> Result<Value, Fault> {
        let oracles = match &self.module.oracle {
            super::ty::Ty::Record(fields) => Value::Record(
                fields
                    .iter()
                    .map(|(name, _)| (name.clone(), Value::Function(Closure::oracle(name.clone()))))
                    .collect(),
            ),
            _ => return Err(untyped("main")),
        };
        let main = self.module.main.clone();
        let main = self.eval(&main)?;
        let program = self.apply(&main, vec![oracles])?;
        self.apply(&program, vec![state])
    }

    fn run(&mut self, mut next: Next) -> Result<Value, Fault> {
        let mut stack: Vec<Frame> = Vec::new();
        loop {
            self.steps += 1;
            if self.steps > self.limits.fuel {
                return Err(Fault::new(
                    FaultKind::Fuel,
                    format!("out of fuel after {} steps", self.limits.fuel),
                ));
            }
            if stack.len() > self.limits.stack {
                let reason = format!("more than {} operations are pending", self.limits.stack);
                return Err(Fault::new(FaultKind::Depth, reason));
            }
            next = match next {
                Next::Eval(term, scope) => self.eval_step(&term, scope, &mut stack)?,
                Next::Call(closure, arguments) => self.call(&closure, arguments)?,
                Next::Return(value) => match stack.pop() {
                    Some(frame) => self.resume(frame, value, &mut stack)?,
                    None => return Ok(value),
                },
            };
        }
    }

    fn eval_step(&mut self, term: &Term, scope: Scope, stack: &mut Vec<Frame>) -> Result<Next, Fault> {
        Ok(match term.kind() {
            &Kind::Bound(index) => {
                Next::Return(scope.get(index).cloned().ok_or_else(|| untyped("variable"))?)
            }
            Kind::Free(..) => return Err(untyped("free variable")),
            Kind::Global(name) => {
                let definition = self.module.get(name).ok_or_else(|| untyped("definition"))?;
                Next::Eval(definition.body.clone(), Scope::default())
            }
            Kind::Const(value, _) => Next::Return(value.clone()),
            Kind::Lam(params, body) => {
                self.closure_depth(&scope)?;
                let code = Code::Lambda { arity: params.len(), body: body.clone(), scope };
                Next::Return(Value::Function(Closure(Arc::new(code))))
            }
            Kind::Fix(_, _, body) => {
                self.closure_depth(&scope)?;
                Next::Return(Value::Function(Closure(Arc::new(Code::Fix { body: body.clone(), scope }))))
            }
            Kind::App(function, _) => {
                stack.push(Frame::Function(term.clone(), scope.clone()));
                Next::Eval(function.clone(), scope)
            }
            Kind::Record(fields) => match fields.first() {
                None => Next::Return(Value::Record(Arc::from([]))),
                Some((_, first)) => {
                    let first = first.clone();
                    stack.push(Frame::Fields(Vec::with_capacity(fields.len()), term.clone(), scope.clone()));
                    Next::Eval(first, scope)
                }
            },
            Kind::Field(record, name) => {
                stack.push(Frame::Project(name.clone()));
                Next::Eval(record.clone(), scope)
            }
            Kind::With(record, ..) => {
                stack.push(Frame::Update(term.clone(), scope.clone()));
                Next::Eval(record.clone(), scope)
            }
            Kind::If(test, ..) => {
                stack.push(Frame::Choose(term.clone(), scope.clone()));
                Next::Eval(test.clone(), scope)
            }
            Kind::Prim(prim, arguments) => match arguments.first() {
                None => self.prim(prim, Vec::new(), stack)?,
                Some(first) => {
                    let first = first.clone();
                    stack.push(Frame::Operands(
                        Vec::with_capacity(arguments.len()),
                        term.clone(),
                        scope.clone(),
                    ));
                    Next::Eval(first, scope)
                }
            },
            Kind::Bottom(_) => return Err(Fault::new(FaultKind::Bottom, "the term is bottom")),
            Kind::Err(_, remark) => return Err(Fault::new(FaultKind::Assert, &*remark.0)),
        })
    }

    fn closure_depth(&self, scope: &Scope) -> Result<(), Fault> {
        if scope.depth() > self.limits.closures {
            let reason = format!("closures nest deeper than {}", self.limits.closures);
            return Err(Fault::new(FaultKind::Depth, reason));
        }
        Ok(())
    }

    fn call(&mut self, closure: &Closure, arguments: Vec<Value>) -> Result<Next, Fault> {
        Ok(match &*closure.0 {
            Code::Lambda { arity, body, scope } => {
                if *arity != arguments.len() {
                    return Err(untyped("application"));
                }
                let scope = arguments.into_iter().fold(scope.clone(), Scope::push);
                Next::Eval(body.clone(), scope)
            }
            Code::Fix { body, scope } => {
                let Kind::Lam(params, inner) = body.kind() else { return Err(untyped("fix")) };
                if params.len() != arguments.len() {
                    return Err(untyped("application"));
                }
                let scope = scope.clone().push(Value::Function(closure.clone()));
                let scope = arguments.into_iter().fold(scope, Scope::push);
                Next::Eval(inner.clone(), scope)
            }
            Code::Oracle(name) => match arguments.split_first() {
                Some((state, question)) => Next::Return(self.oracles.ask(name, state, question)?),
                None => return Err(untyped("oracle")),
            },
        })
    }

    fn resume(&mut self, frame: Frame, value: Value, stack: &mut Vec<Frame>) -> Result<Next, Fault> {
        Ok(match frame {
            Frame::Function(term, scope) => {
                let Kind::App(_, arguments) = term.kind() else { return Err(untyped("application")) };
                match arguments.first() {
                    None => call_value(value, Vec::new())?,
                    Some(first) => {
                        let first = first.clone();
                        let done = Vec::with_capacity(arguments.len());
                        stack.push(Frame::Arguments(value, done, term, scope.clone()));
                        Next::Eval(first, scope)
                    }
                }
            }
            Frame::Arguments(function, mut done, term, scope) => {
                done.push(value);
                let Kind::App(_, arguments) = term.kind() else { return Err(untyped("application")) };
                match arguments.get(done.len()) {
                    None => call_value(function, done)?,
                    Some(following) => {
                        let following = following.clone();
                        stack.push(Frame::Arguments(function, done, term, scope.clone()));
                        Next::Eval(following, scope)
                    }
                }
            }
            Frame::Fields(mut done, term, scope) => {
                let Kind::Record(fields) = term.kind() else { return Err(untyped("record")) };
                done.push((fields[done.len()].0.clone(), value));
                match fields.get(done.len()) {
                    None => Next::Return(Value::Record(done.into())),
                    Some((_, following)) => {
                        let following = following.clone();
                        stack.push(Frame::Fields(done, term, scope.clone()));
                        Next::Eval(following, scope)
                    }
                }
            }
            Frame::Project(name) => {
                Next::Return(value.field(&name).cloned().ok_or_else(|| untyped("field"))?)
            }
            Frame::Update(term, scope) => {
                let Kind::With(_, name, following) = term.kind() else {
                    return Err(untyped("record update"));
                };
                stack.push(Frame::Put(value, name.clone()));
                Next::Eval(following.clone(), scope)
            }
            Frame::Put(record, name) => {
                let Value::Record(fields) = record else { return Err(untyped("record update")) };
                let replace = |(field, old): &(Name, Value)| {
                    (field.clone(), if *field == name { value.clone() } else { old.clone() })
                };
                Next::Return(Value::Record(fields.iter().map(replace).collect()))
            }
            Frame::Choose(term, scope) => {
                let Kind::If(_, yes, no) = term.kind() else { return Err(untyped("if")) };
                match value {
                    Value::Bool(true) => Next::Eval(yes.clone(), scope),
                    Value::Bool(false) => Next::Eval(no.clone(), scope),
                    _ => return Err(untyped("if")),
                }
            }
            Frame::Operands(mut done, term, scope) => {
                done.push(value);
                let Kind::Prim(prim, arguments) = term.kind() else { return Err(untyped("primitive")) };
                match arguments.get(done.len()) {
                    None => self.prim(prim, done, stack)?,
                    Some(following) => {
                        let following = following.clone();
                        stack.push(Frame::Operands(done, term, scope.clone()));
                        Next::Eval(following, scope)
                    }
                }
            }
            Frame::Table(function, mut keys, mut done) => {
                done.push(value);
                match keys.pop() {
                    None => Next::Return(Value::Map(done.into())),
                    Some(key) => {
                        stack.push(Frame::Table(function.clone(), keys, done));
                        Next::Call(function, vec![key])
                    }
                }
            }
            Frame::Folding(step, mut elements) => match elements.pop() {
                None => Next::Return(value),
                Some(element) => {
                    stack.push(Frame::Folding(step.clone(), elements));
                    Next::Call(step, vec![element, value])
                }
            },
        })
    }

    fn prim(
        &mut self,
        prim: &Prim,
        mut arguments: Vec<Value>,
        stack: &mut Vec<Frame>,
    ) -> Result<Next, Fault> {
        match prim {
            Prim::Fold => {
                let Ok([Value::Set(set), start, Value::Function(step)]) = <[Value; 3]>::try_from(arguments)
                else {
                    return Err(untyped("fold"));
                };
                let mut elements = set.elements();
                elements.reverse();
                stack.push(Frame::Folding(step, elements));
                Ok(Next::Return(start))
            }
            Prim::Tabulate(key) => {
                let Some(Value::Function(function)) = arguments.pop() else {
                    return Err(untyped("tabulate"));
                };
                let mut keys = Value::all(key, &self.house).ok_or_else(|| untyped("tabulate"))?;
                keys.reverse();
                match keys.pop() {
                    None => Ok(Next::Return(Value::Map(Arc::from([])))),
                    Some(first) => {
                        stack.push(Frame::Table(function.clone(), keys, Vec::new()));
                        Ok(Next::Call(function, vec![first]))
                    }
                }
            }
            _ => delta(prim, &arguments, &self.house).map(Next::Return),
        }
    }
}

fn call_value(function: Value, arguments: Vec<Value>) -> Result<Next, Fault> {
    match function {
        Value::Function(closure) => Ok(Next::Call(closure, arguments)),
        _ => Err(untyped("application")),
    }
}
