//! Programs, declarations, parameters and types.

use super::Parser;
use crate::diagnose::{Diagnostic, nearest};
use crate::syntax::ast::{Decl, DeclKind, Group, Name, Program, Stmt, StmtKind, TypeExpr, TypeKind};
use crate::syntax::lexer::Token;
use crate::syntax::span::Span;

const DECLARATIONS: [&str; 5] = ["const", "var", "function", "procedure", "oracle"];
const BASES: [&str; 4] = ["Bool", "Int", "Flower", "Place"];

impl Parser<'_> {
    pub(super) fn program(&mut self) -> Program {
        let start = self.span();
        let nameless = Name { text: "NAMELESS".to_owned(), span: start };
        let mut name = nameless.clone();
        if self.eat_word("program") {
            name = self.name("the name of the program").unwrap_or(nameless);
            self.expect_sign(";", "after the name of the program");
        } else {
            let error = Diagnostic::new("syntax", start, "a program begins with `program NAME;`");
            self.report(error.hint("program TRIAL; var n : Int; n := 1."));
        }
        let mut decls = Vec::new();
        while let Token::Word(word) = self.token() {
            if !DECLARATIONS.contains(&word) || !self.room(decls.len()) {
                break;
            }
            decls.extend(self.declaration());
        }
        let body = self.stmt();
        self.ending(&body);
        let comments = std::mem::take(&mut self.lexed.comments);
        Program { name, decls, body, comments, span: start.to(self.behind()) }
    }

    /// The full stop, and nothing after it.
    fn ending(&mut self, body: &Stmt) {
        if body.kind == StmtKind::Broken {
            return;
        }
        if !self.is_sign(".") {
            let spare_end = self.is_word("end") || (self.is_sign(";") && self.ahead(1) == Token::Word("end"));
            if spare_end {
                let error = Diagnostic::new("syntax", self.span(), "this `end` has no `begin`");
                self.report(error.note(self.behind(), "the statement of the program ends here"));
            } else if self.at_end() {
                let error =
                    Diagnostic::new("syntax", self.behind(), "the program does not end with a full stop");
                self.report(error.hint("write `end.`"));
            } else {
                let error = Diagnostic::new(
                    "syntax",
                    self.span(),
                    format!("expected `.` at the end of the program, found {}", self.token().words()),
                );
                self.report(error.hint("a program is one statement; several go between `begin` and `end`"));
            }
            return;
        }
        self.bump();
        if !self.at_end() {
            let message = format!("the program has ended, but {} follows", self.token().words());
            self.report(Diagnostic::new("syntax", self.span(), message).hint("the full stop ends a program"));
        }
    }

    fn declaration(&mut self) -> Option<Decl> {
        let start = self.span();
        let procedure = self.is_word("procedure");
        let kind = match self.token() {
            Token::Word("const") => self.constant(),
            Token::Word("var") => self.variables(),
            Token::Word("oracle") => self.oracle(),
            Token::Word("function") => self.function(),
            _ => self.procedure(),
        };
        if kind.is_none() {
            self.skip_to_next_declaration(procedure);
            return None;
        }
        if !self.eat_sign(";") {
            self.surprise("`;` after the declaration");
            self.skip_to_next_declaration(procedure);
        }
        kind.map(|kind| Decl { kind, span: start.to(self.behind()) })
    }

    /// Skips to where the next declaration or the statement of the program begins: after the semicolon, or, since a procedure has semicolons
    /// inside, at a word that begins a declaration.
    fn skip_to_next_declaration(&mut self, procedure: bool) {
        let mut open = 0;
        loop {
            match self.token() {
                Token::End => break,
                Token::Word(word) if DECLARATIONS.contains(&word) => break,
                Token::Word("begin") if self.after(Token::Sign(";")) => break,
                Token::Sign("(") => {
                    open += 1;
                    self.bump();
                }
                Token::Sign(")") => {
                    open = usize::saturating_sub(open, 1);
                    self.bump();
                }
                Token::Sign(";") if open == 0 && !procedure => {
                    self.bump();
                    break;
                }
                _ => {
                    self.bump();
                }
            }
        }
    }

    fn constant(&mut self) -> Option<DeclKind> {
        self.bump();
        let name = self.name("the name of the constant")?;
        if self.is_sign(":=") {
            let error = Diagnostic::new(
                "syntax",
                self.span(),
                "a constant is defined with `=`; `:=` assigns to a variable",
            );
            self.report(error.hint(format!("const {} = ...;", name.text)));
        } else if !self.is_sign("=") {
            self.surprise("`=` and the value of the constant");
            return None;
        }
        self.bump();
        Some(DeclKind::Const { name, value: self.expr() })
    }

    fn variables(&mut self) -> Option<DeclKind> {
        self.bump();
        let names = self.names("the name of the variable")?;
        if !self.expect_sign(":", "and the type of the variable") {
            return None;
        }
        Some(DeclKind::Var { names, ty: self.ty() })
    }

    fn names(&mut self, what: &str) -> Option<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.eat_sign(",") && self.room(names.len()) {
            names.push(self.name(what)?);
        }
        Some(names)
    }

    fn oracle(&mut self) -> Option<DeclKind> {
        self.bump();
        let name = self.name("the name of the oracle")?;
        let params = self.params()?;
        if !self.expect_sign(":", "and the type of the answer") {
            return None;
        }
        Some(DeclKind::Oracle { name, params, result: self.ty() })
    }

    fn function(&mut self) -> Option<DeclKind> {
        self.bump();
        let name = self.name("the name of the function")?;
        let params = self.params()?;
        if !self.expect_sign(":", "and the type of the value") {
            return None;
        }
        let result = self.ty();
        if !self.expect_sign("=", "and the value of the function") {
            return None;
        }
        Some(DeclKind::Function { name, params, result, body: self.expr() })
    }

    fn procedure(&mut self) -> Option<DeclKind> {
        self.bump();
        let name = self.name("the name of the procedure")?;
        let params = self.params()?;
        if self.is_sign(":") {
            let error = Diagnostic::new("syntax", self.span(), "a procedure has no type: it does something");
            self.report(error.hint("what has a value is a `function`"));
            return None;
        }
        self.expect_sign(";", "after the head of the procedure");
        let body = self.stmt();
        Some(DeclKind::Procedure { name, params, body })
    }

    /// `(n, k : Int; S : set Flower)`.
    pub(super) fn params(&mut self) -> Option<Vec<Group>> {
        let open = self.span();
        if !self.expect_sign("(", "and the parameters, `()` if there are none") {
            return None;
        }
        let mut groups = Vec::new();
        if self.eat_sign(")") {
            return Some(groups);
        }
        loop {
            let names = self.names("the name of a parameter")?;
            if !self.expect_sign(":", "and the type of the parameter") {
                return None;
            }
            groups.push(Group { names, ty: self.ty() });
            if !self.room(groups.len()) {
                return None;
            }
            if self.eat_sign(")") {
                return Some(groups);
            }
            if self.is_sign(",") {
                let error = Diagnostic::new(
                    "syntax",
                    self.span(),
                    "parameters of different types are separated by `;`",
                );
                self.report(error.hint("(n, k : Int; S : set Flower)"));
                self.bump();
            } else if !self.eat_sign(";") {
                let message = format!("expected `)`, found {}", self.token().words());
                self.report(Diagnostic::new("syntax", self.span(), message).note(open, "opened here"));
                return None;
            }
        }
    }

    pub(super) fn ty(&mut self) -> TypeExpr {
        let broken = |span| TypeExpr { kind: TypeKind::Broken, span };
        self.deeper(broken, |parser| {
            let start = parser.span();
            let kind = parser.type_kind();
            TypeExpr {
                kind,
                span: if parser.behind().end > start.start { start.to(parser.behind()) } else { start },
            }
        })
    }

    fn type_kind(&mut self) -> TypeKind {
        match self.token() {
            Token::Name(name) => {
                let known = match name {
                    "Bool" => TypeKind::Bool,
                    "Int" => TypeKind::Int,
                    "Flower" => TypeKind::Flower,
                    "Place" => TypeKind::Place,
                    _ => return self.unknown_type(name, self.span()),
                };
                self.bump();
                known
            }
            Token::Word("set") => {
                self.bump();
                self.eat_word("of").then(|| self.spare_of("set"));
                TypeKind::Set(Box::new(self.ty()))
            }
            Token::Word("seq") => {
                self.bump();
                self.eat_word("of").then(|| self.spare_of("seq"));
                TypeKind::Seq(Box::new(self.ty()))
            }
            Token::Word("map") => {
                self.bump();
                let from = self.ty();
                if !self.expect_word("of", "and the type of the elements: map Place of Int") {
                    return TypeKind::Broken;
                }
                TypeKind::Map(Box::new(from), Box::new(self.ty()))
            }
            Token::Word("array") => self.array(),
            Token::Sign("(") => self.function_type(),
            _ => {
                self.surprise("a type");
                TypeKind::Broken
            }
        }
    }

    fn spare_of(&mut self, word: &str) {
        let message = format!("`{word}` is followed by the type of its elements, without `of`");
        self.report(Diagnostic::new("syntax", self.behind(), message).hint(format!("{word} Flower")));
    }

    fn unknown_type(&mut self, name: &str, span: Span) -> TypeKind {
        let other = match name.to_lowercase().as_str() {
            "integer" | "number" | "nat" => Some("Int"),
            "boolean" | "truth" => Some("Bool"),
            "card" => Some("Flower"),
            _ => None,
        };
        let near = other.or_else(|| nearest(name, BASES)).map(|near| format!("did you mean {near}?"));
        let hint =
            near.unwrap_or_else(|| "the types are Bool, Int, Flower, Place, set, seq, map, array".to_owned());
        self.report(Diagnostic::new("type", span, format!("there is no type {name}")).hint(hint));
        self.bump();
        TypeKind::Broken
    }

    fn array(&mut self) -> TypeKind {
        self.bump();
        let mut bounds = [0; 2];
        if !self.expect_sign("[", "and the bounds: array [1..3] of Int") {
            return TypeKind::Broken;
        }
        for (i, bound) in bounds.iter_mut().enumerate() {
            let Token::Number(number) = self.token() else {
                self.surprise("a number as bound of the array");
                return TypeKind::Broken;
            };
            self.bump();
            *bound = number;
            if i == 0 && !self.expect_sign("..", "between the bounds") {
                return TypeKind::Broken;
            }
        }
        if !self.expect_sign("]", "after the bounds")
            || !self.expect_word("of", "and the type of the elements")
        {
            return TypeKind::Broken;
        }
        TypeKind::Array(bounds[0], bounds[1], Box::new(self.ty()))
    }

    fn function_type(&mut self) -> TypeKind {
        self.bump();
        let mut from = Vec::new();
        while !self.is_sign("->") {
            from.push(self.ty());
            if !self.room(from.len()) {
                return TypeKind::Broken;
            }
            if !self.eat_sign("*") {
                break;
            }
        }
        if !self.expect_sign("->", "in the type of a function: (Int * Int -> Bool)") {
            return TypeKind::Broken;
        }
        let to = self.ty();
        if !self.expect_sign(")", "after the type of a function") {
            return TypeKind::Broken;
        }
        TypeKind::Function(from, Box::new(to))
    }

    /// A statement that could not be read.
    pub(super) fn broken_stmt(span: Span) -> Stmt {
        Stmt { kind: StmtKind::Broken, span }
    }
}
