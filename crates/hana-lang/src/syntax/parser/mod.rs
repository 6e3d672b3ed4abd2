//! The parser: recursive descent with a look ahead of two tokens. After an error it looks for a place to go on, so that one run reports several
//! errors; what it had to skip becomes `Broken`, about which nothing is said a second time. Nesting is counted, so no text can exhaust the stack.

mod declarations;
mod expressions;
mod statements;

use super::ast::{Expr, ExprKind, Name, Program};
use super::lexer::{Lexed, Token, lex};
use super::span::Span;
use crate::diagnose::Diagnostic;

/// The largest source that is read, in bytes.
pub const MAX_SOURCE: usize = 256 * 1024;
/// The deepest nesting of statements, expressions and types, and the longest chain of operators.
pub const MAX_DEPTH: u16 = 200;
/// Statements between one `begin` and its `end`, elements of a set, arguments, declarations: the most that may stand in a row.
pub const MAX_ROW: usize = 400;
/// Errors after which the parser stops looking.
const MAX_ERRORS: usize = 100;

/// Reads a program.
///
/// ```
/// let program = hana_lang::syntax::parse("program P; var n : Int; n := 1.").unwrap();
/// assert_eq!(program.decls.len(), 1);
/// ```
///
/// # Errors
/// Everything that is wrong with the text, in order.
pub fn parse(source: &str) -> Result<Program, Vec<Diagnostic>> {
    let (program, errors) = parse_all(source);
    if errors.is_empty() { program.ok_or(errors) } else { Err(errors) }
}

/// Reads a program as far as it goes: the tree, with `Broken` parts, and the errors. There is no tree if the text is too large.
#[must_use]
pub fn parse_all(source: &str) -> (Option<Program>, Vec<Diagnostic>) {
    if let Some(error) = too_large(source) {
        return (None, vec![error]);
    }
    let mut parser = Parser::new(lex(source));
    let program = parser.program();
    (Some(program), parser.finish())
}

/// Reads a single expression.
///
/// # Errors
/// Everything that is wrong with the text.
pub fn parse_expression(source: &str) -> Result<Expr, Vec<Diagnostic>> {
    if let Some(error) = too_large(source) {
        return Err(vec![error]);
    }
    let mut parser = Parser::new(lex(source));
    let expr = parser.expr();
    if !parser.at_end() {
        parser.surprise("the expression ends here");
    }
    let errors = parser.finish();
    if errors.is_empty() { Ok(expr) } else { Err(errors) }
}

fn too_large(source: &str) -> Option<Diagnostic> {
    (source.len() > MAX_SOURCE).then(|| {
        let message = format!("the source has {} bytes, and the limit is {MAX_SOURCE}", source.len());
        Diagnostic::new("limit", Span::new(0, 0), message)
    })
}

struct Parser<'s> {
    lexed: Lexed<'s>,
    at: usize,
    depth: u16,
    /// Set when the nesting is too deep or too many errors were found: everything that follows is skipped silently.
    gave_up: bool,
    errors: Vec<Diagnostic>,
}

impl<'s> Parser<'s> {
    fn new(lexed: Lexed<'s>) -> Parser<'s> {
        Parser { lexed, at: 0, depth: 0, gave_up: false, errors: Vec::new() }
    }

    /// All errors of lexer and parser in order. Where a token was already bad, what the parser makes of it is not repeated.
    fn finish(self) -> Vec<Diagnostic> {
        let mut errors = self.lexed.errors;
        for error in self.errors {
            let told = |known: &Diagnostic| {
                known.span.start <= error.span.start && error.span.start <= known.span.end + 1
            };
            if !errors.iter().any(told) {
                errors.push(error);
            }
        }
        errors.sort_by_key(|error| error.span);
        errors
    }

    fn token(&self) -> Token<'s> {
        self.lexed.tokens.get(self.at).map_or(Token::End, |&(token, _)| token)
    }

    fn ahead(&self, by: usize) -> Token<'s> {
        self.lexed.tokens.get(self.at + by).map_or(Token::End, |&(token, _)| token)
    }

    fn span(&self) -> Span {
        self.lexed.tokens.get(self.at).or(self.lexed.tokens.last()).map_or(Span::default(), |&(_, span)| span)
    }

    /// The place of the token before this one.
    fn behind(&self) -> Span {
        let at = self.at.saturating_sub(1);
        self.lexed.tokens.get(at).map_or(Span::default(), |&(_, span)| span)
    }

    fn at_end(&self) -> bool {
        self.token() == Token::End
    }

    fn bump(&mut self) -> Span {
        let span = self.span();
        if !self.at_end() {
            self.at += 1;
        }
        span
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.token(), Token::Sign(found) if found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.token(), Token::Word(found) if found == word)
    }

    fn eat_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.bump();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.bump();
        }
        found
    }

    fn report(&mut self, error: Diagnostic) {
        if self.gave_up {
            return;
        }
        // A second error at the same token is an echo of the first.
        if self.errors.last().is_none_or(|last| last.span != error.span) {
            self.errors.push(error);
        }
        if self.errors.len() >= MAX_ERRORS {
            self.give_up();
        }
    }

    fn give_up(&mut self) {
        self.gave_up = true;
        self.at = self.lexed.tokens.len().saturating_sub(1);
    }

    /// The token here is not what was expected.
    fn surprise(&mut self, expected: &str) {
        let message = format!("expected {expected}, found {}", self.token().words());
        let mut error = Diagnostic::new("syntax", self.span(), message);
        error.hint = self.habit();
        self.report(error);
    }

    /// What people write who come from another language.
    fn habit(&self) -> Option<String> {
        let hint = match (self.token(), self.ahead(1)) {
            (Token::Sign("="), _) if self.after(Token::Sign("=")) => "equality is a single `=`",
            (Token::Sign("&"), _) if self.after(Token::Sign("&")) => "and is a single `&`",
            (Token::Sign("="), Token::Sign("=")) => "equality is a single `=`",
            (Token::Sign("&"), Token::Sign("&")) => "and is a single `&`",
            (Token::Sign("|"), _) => "or is written `or`",
            (Token::Sign(":="), _) => "`:=` assigns in a statement; equality is `=`",
            (Token::Name("and"), _) => "and is written `&`",
            (Token::Name("return"), _) => "a function is its value: function F(x : Int) : Int = x + 1;",
            (Token::Name("for"), _) => "there is no `for`: count with `while`, or use `sum`, `E`, `A`",
            (Token::Name("print" | "write"), _) => "a program prints nothing: its last state is its answer",
            (Token::Name("elif" | "elsif" | "elseif"), _) => "write `else if`",
            _ => return None,
        };
        Some(hint.to_owned())
    }

    /// Does this token stand before the one at hand?
    fn after(&self, token: Token<'_>) -> bool {
        self.at
            .checked_sub(1)
            .and_then(|at| self.lexed.tokens.get(at))
            .is_some_and(|&(before, _)| before == token)
    }

    /// Expects a sign; reports where it is missing.
    fn expect_sign(&mut self, sign: &'static str, after: &str) -> bool {
        let found = self.eat_sign(sign);
        if !found {
            self.surprise(&format!("`{sign}` {after}"));
        }
        found
    }

    fn expect_word(&mut self, word: &'static str, after: &str) -> bool {
        let found = self.eat_word(word);
        if !found {
            self.surprise(&format!("`{word}` {after}"));
        }
        found
    }

    fn name(&mut self, what: &str) -> Option<Name> {
        let span = self.span();
        match self.token() {
            Token::Name(text) => {
                self.bump();
                Some(Name { text: text.to_owned(), span })
            }
            Token::Word(word) => {
                let message = format!("`{word}` is a reserved word and cannot be {what}");
                self.report(Diagnostic::new("syntax", span, message).hint(format!("{word}' is a name")));
                // It was meant as a name: go on as if it were one.
                let plain = word.chars().all(char::is_alphabetic) && !self.begins_something();
                plain.then(|| {
                    self.bump();
                    Name { text: word.to_owned(), span }
                })
            }
            _ => {
                self.surprise(what);
                None
            }
        }
    }

    /// Is this word the beginning of a declaration or a statement, so that it can hardly be meant as a name?
    fn begins_something(&self) -> bool {
        const BEGINNINGS: [&str; 12] = [
            "program",
            "const",
            "var",
            "function",
            "procedure",
            "oracle",
            "begin",
            "end",
            "if",
            "while",
            "assert",
            "else",
        ];
        matches!(self.token(), Token::Word(word) if BEGINNINGS.contains(&word))
    }

    /// Goes one level deeper unless it is too deep already.
    fn deeper<T>(&mut self, broken: impl FnOnce(Span) -> T, read: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MAX_DEPTH {
            self.too_deep(self.span());
            return broken(self.span());
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn too_deep(&mut self, span: Span) {
        let message = format!("nested more than {MAX_DEPTH} levels deep");
        self.report(Diagnostic::new("limit", span, message).hint("give a part of it a name"));
        self.give_up();
    }

    /// An expression of this kind, unless the tree has grown too high.
    fn built(&mut self, kind: ExprKind, span: Span) -> Expr {
        let height = kind.children().map(|child| child.height).max().unwrap_or(0) + 1;
        let expr = Expr { kind, span, height };
        if height > MAX_DEPTH {
            self.too_deep(span);
            return broken(span);
        }
        expr
    }

    /// Is there room for one more in a row?
    fn room(&mut self, row: usize) -> bool {
        if row >= MAX_ROW {
            let message = format!("more than {MAX_ROW} in a row");
            self.report(Diagnostic::new("limit", self.span(), message));
            self.give_up();
        }
        row < MAX_ROW
    }
}

fn broken(span: Span) -> Expr {
    Expr { kind: ExprKind::Broken, span, height: 1 }
}
