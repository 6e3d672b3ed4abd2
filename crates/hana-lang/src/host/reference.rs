//! The same hosts for the reference interpreter: the state and the question are brought into the form of the compiled evaluator, the answer is
//! brought back. Slow, and only there so that both engines can be asked the same.

use crate::compiled::exchange::{from_core, to_core};
use crate::compiled::{Compiled, Fault as CompiledFault, Kind, Oracles as Host, Question, State};
use crate::core::interpret::{Fault, FaultKind, Oracles};
use crate::core::value::Value;

/// A host for the reference interpreter.
pub struct Reference<'a> {
    program: &'a Compiled,
    host: &'a mut dyn Host,
}

impl<'a> Reference<'a> {
    /// The host of a compiled program, for its elaborated term.
    pub fn new(program: &'a Compiled, host: &'a mut dyn Host) -> Reference<'a> {
        Reference { program, host }
    }
}

impl Oracles for Reference<'_> {
    fn ask(&mut self, oracle: &str, state: &Value, arguments: &[Value]) -> Result<Value, Fault> {
        let house = self.program.house();
        let foreign =
            || Fault::new(FaultKind::Untyped, format!("the oracle {oracle} is not one of the program"));
        let number =
            self.program.oracles().iter().position(|known| known.name == oracle).ok_or_else(foreign)?;
        let declared = &self.program.oracles()[number];
        let args = declared.params.iter().zip(arguments);
        let args: Option<Vec<_>> = args.map(|(param, value)| from_core(value, &param.ty, house)).collect();
        let state = state_of(self.program, state).ok_or_else(foreign)?;
        let question = Question { oracle: number, args: &args.ok_or_else(foreign)?, state: &state };
        let answer = self.host.answer(question).map_err(|words| Fault::new(FaultKind::Oracle, words))?;
        to_core(&answer, &declared.result, house).ok_or_else(foreign)
    }
}

/// A state of the reference interpreter as one of the compiled evaluator.
#[must_use]
pub fn state_of(program: &Compiled, record: &Value) -> Option<State> {
    let vars = program.vars().iter().map(|(var, cell)| (var.name.as_str(), &var.ty, *cell));
    State::from_core(record, vars, program.house())
}

/// Do both engines speak of the same kind of fault? Limits are engine by engine.
#[must_use]
pub fn same_kind(compiled: &CompiledFault, reference: &Fault) -> bool {
    let kind = match compiled.kind {
        Kind::Index { .. } | Kind::NegativeExponent => FaultKind::Range,
        Kind::Overflow => FaultKind::Overflow,
        Kind::DivisionByZero => FaultKind::Division,
        Kind::Assert => FaultKind::Assert,
        Kind::Oracle(_) => FaultKind::Oracle,
        Kind::OutOfFuel => FaultKind::Fuel,
        Kind::TooDeep | Kind::TooLarge => FaultKind::Depth,
    };
    kind == reference.kind
}
