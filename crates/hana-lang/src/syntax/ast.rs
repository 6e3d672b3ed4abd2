//! The syntax tree, as the parser reads it: names are text still, parentheses are kept for the printer, every node knows its place.
//! A place where the parser had to give up holds `Broken`; nothing is said about it a second time.

use super::span::Span;
use hana::Card;

/// A name where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A comment, `--` to the end of its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// The text from `--` on, without blanks at the end.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A whole program.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// What it is called.
    pub name: Name,
    /// The declarations, in order.
    pub decls: Vec<Decl>,
    /// The statement that is the program.
    pub body: Stmt,
    /// Every comment, in order.
    pub comments: Vec<Comment>,
    /// All of it.
    pub span: Span,
}

/// A declaration.
#[derive(Debug, Clone, PartialEq)]
pub struct Decl {
    /// What is declared.
    pub kind: DeclKind,
    /// From the first word to the semicolon.
    pub span: Span,
}

/// What is declared.
#[derive(Debug, Clone, PartialEq)]
pub enum DeclKind {
    /// `const name = value;`
    Const {
        /// The name.
        name: Name,
        /// Its value.
        value: Expr,
    },
    /// `var name, name : type;`
    Var {
        /// The names.
        names: Vec<Name>,
        /// Their type.
        ty: TypeExpr,
    },
    /// `oracle name(params) : type;`
    Oracle {
        /// The name.
        name: Name,
        /// What it is asked with.
        params: Vec<Group>,
        /// The type of the answer.
        result: TypeExpr,
    },
    /// `function name(params) : type = body;`
    Function {
        /// The name.
        name: Name,
        /// The parameters.
        params: Vec<Group>,
        /// The type of the value.
        result: TypeExpr,
        /// The value.
        body: Expr,
    },
    /// `procedure name(params); body;`
    Procedure {
        /// The name.
        name: Name,
        /// The parameters.
        params: Vec<Group>,
        /// What it does.
        body: Stmt,
    },
}

/// Parameters of one type: `n, k : Int`.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The names.
    pub names: Vec<Name>,
    /// Their type.
    pub ty: TypeExpr,
}

/// A type as it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeExpr {
    /// Which.
    pub kind: TypeKind,
    /// Its place.
    pub span: Span,
}

/// The types.
#[derive(Debug, Clone, PartialEq)]
pub enum TypeKind {
    /// `Bool`
    Bool,
    /// `Int`
    Int,
    /// `Flower`
    Flower,
    /// `Place`
    Place,
    /// `set T`
    Set(Box<TypeExpr>),
    /// `seq T`
    Seq(Box<TypeExpr>),
    /// `map T of U`
    Map(Box<TypeExpr>, Box<TypeExpr>),
    /// `array [l..h] of T`
    Array(i64, i64, Box<TypeExpr>),
    /// `(T1 * .. * Tn -> U)`
    Function(Vec<TypeExpr>, Box<TypeExpr>),
    /// Not a type; reported already.
    Broken,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Stmt {
    /// Which.
    pub kind: StmtKind,
    /// Its place.
    pub span: Span,
}

/// The statements.
#[derive(Debug, Clone, PartialEq)]
pub enum StmtKind {
    /// `[]`
    Skip,
    /// `begin S; ..; S end`
    Block(Vec<Stmt>),
    /// `if b then S else R`
    If {
        /// The test.
        test: Expr,
        /// If it holds.
        then: Box<Stmt>,
        /// If not.
        otherwise: Option<Box<Stmt>>,
    },
    /// `while b do S`
    While {
        /// The test.
        test: Expr,
        /// What is repeated.
        body: Box<Stmt>,
    },
    /// `assert b`
    Assert(Expr),
    /// `v := e` or `v(i) := e`
    Assign {
        /// The variable.
        target: Name,
        /// The element, of a map or an array.
        index: Option<Expr>,
        /// The new value.
        value: Expr,
    },
    /// `p(e, .., e)`
    Call {
        /// The procedure.
        name: Name,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// Not a statement; reported already.
    Broken,
}

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// Its place.
    pub span: Span,
    /// Levels of nodes below and with this one; the parser keeps it bounded, so that walks over the tree may recurse.
    pub height: u16,
}

/// The expressions.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// `17`
    Number(i64),
    /// `<MATSU, TSURU>`
    Flower(Card),
    /// `true`, `false`
    Truth(bool),
    /// A name.
    Name(String),
    /// `(e)`
    Paren(Box<Expr>),
    /// `not e`
    Not(Box<Expr>),
    /// `-e`
    Negate(Box<Expr>),
    /// `e op e`
    Binary {
        /// The operator.
        op: Operator,
        /// Where it stands.
        op_span: Span,
        /// Left of it.
        left: Box<Expr>,
        /// Right of it.
        right: Box<Expr>,
    },
    /// `e(e, .., e)`: a call, or an element of a map, array or sequence.
    Apply(Box<Expr>, Vec<Expr>),
    /// `if b then e else e`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `let x = e in e`
    Let(Name, Box<Expr>, Box<Expr>),
    /// `lambda (params) . e`
    Lambda(Vec<Group>, Box<Expr>),
    /// `fix f : T . e`
    Fix(Name, TypeExpr, Box<Expr>),
    /// `map x : T => e`
    Tabulate(Name, TypeExpr, Box<Expr>),
    /// `E x in S [b]`, `A x in S [b]`
    Quantified(Quantifier, Name, Box<Expr>, Box<Expr>),
    /// `sum x in S of e`
    Sum(Name, Box<Expr>, Box<Expr>),
    /// `max{e, ..}`, `min{e, ..}`
    Extreme(Extreme, Vec<Expr>),
    /// `{e, .., e}`
    Set(Vec<Expr>),
    /// `{x in S | b}`, `{x : T | b}`
    Filter(Name, Box<Source>, Box<Expr>),
    /// Not an expression; reported already.
    Broken,
}

/// What a comprehension ranges over.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// `in S`
    Set(Expr),
    /// `: T`
    Type(TypeExpr),
}

/// Some or all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `E`
    Some,
    /// `A`
    All,
}

/// Largest or smallest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Extreme {
    /// `max`
    Max,
    /// `min`
    Min,
}

/// The binary operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `or`
    Or,
    /// `&`
    And,
    /// `=`
    Equal,
    /// `<>`
    Unequal,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`: at most, or subset
    AtMost,
    /// `>=`
    AtLeast,
    /// `in`
    In,
    /// `join`: union
    Join,
    /// `minus`: difference
    Minus,
    /// `meet`: intersection
    Meet,
    /// `+`
    Plus,
    /// `-`
    Subtract,
    /// `*`
    Times,
    /// `div`, floored
    Div,
    /// `mod`, floored
    Mod,
}

impl Operator {
    /// All of them, loosest first.
    pub const ALL: [Operator; 17] = [
        Operator::Or,
        Operator::And,
        Operator::Equal,
        Operator::Unequal,
        Operator::Less,
        Operator::Greater,
        Operator::AtMost,
        Operator::AtLeast,
        Operator::In,
        Operator::Join,
        Operator::Minus,
        Operator::Meet,
        Operator::Plus,
        Operator::Subtract,
        Operator::Times,
        Operator::Div,
        Operator::Mod,
    ];

    /// How it is written.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Operator::Or => "or",
            Operator::And => "&",
            Operator::Equal => "=",
            Operator::Unequal => "<>",
            Operator::Less => "<",
            Operator::Greater => ">",
            Operator::AtMost => "<=",
            Operator::AtLeast => ">=",
            Operator::In => "in",
            Operator::Join => "join",
            Operator::Minus => "minus",
            Operator::Meet => "meet",
            Operator::Plus => "+",
            Operator::Subtract => "-",
            Operator::Times => "*",
            Operator::Div => "div",
            Operator::Mod => "mod",
        }
    }

    /// How tightly it binds: 2 for `or`, 3 for `&`, 4 for comparisons, 5 for `join` and `minus`, 6 for `meet`, 7 for sums, 8 for
    /// products. All associate to the left.
    #[must_use]
    pub fn level(self) -> u8 {
        match self {
            Operator::Or => 2,
            Operator::And => 3,
            Operator::Equal
            | Operator::Unequal
            | Operator::Less
            | Operator::Greater
            | Operator::AtMost
            | Operator::AtLeast
            | Operator::In => 4,
            Operator::Join | Operator::Minus => 5,
            Operator::Meet => 6,
            Operator::Plus | Operator::Subtract => 7,
            Operator::Times | Operator::Div | Operator::Mod => 8,
        }
    }
}
