//! The printer: a program laid out in the one way of the house, with every comment kept. It changes blanks and line breaks only (and drops a
//! semicolon before `end`), and printing twice is printing once.
//!
//! A comment behind code stays behind it; one on a line of its own stays before what follows; one inside an expression moves before the
//! statement. One blank line between statements or declarations is kept. A block stays on one line if it was written on one and fits.

mod exprs;
mod stmts;

use super::ast::{Comment, Decl, DeclKind, Group, Program, Stmt};
use super::parser::parse;
use super::span::Span;
use crate::diagnose::Diagnostic;
use exprs::{flat_type, layout};

/// The longest line, where the text allows it.
pub const WIDTH: usize = 100;
/// How often a text is laid out again until nothing changes.
const SETTLE: usize = 4;
/// Separates code from a comment behind it until all lines are known and the comments are aligned.
const BEHIND: char = '\u{1}';

/// The program laid out.
///
/// ```
/// let text = hana_lang::syntax::format("program P; var n:Int;begin n:=1;n:=n+1 end.").unwrap();
/// assert_eq!(text, "program P;\nvar n : Int;\n\nbegin n := 1; n := n + 1 end.\n");
/// ```
///
/// # Errors
/// The errors of syntax; a program with errors is left alone.
pub fn format(source: &str) -> Result<String, Vec<Diagnostic>> {
    let mut text = once(source)?;
    // Where a comment had to move, what stands around it may fit on a line now; a second time settles that.
    for _ in 0..SETTLE {
        let again = once(&text)?;
        if again == text {
            break;
        }
        text = again;
    }
    Ok(text)
}

fn once(source: &str) -> Result<String, Vec<Diagnostic>> {
    let program = parse(source)?;
    let mut printer = Printer { source, comments: &program.comments, out: String::new(), last: 0 };
    printer.program(&program);
    Ok(aligned(&printer.out))
}

struct Printer<'s> {
    source: &'s str,
    /// Those not yet printed.
    comments: &'s [Comment],
    out: String,
    /// Where in the source the last thing printed ends.
    last: usize,
}

impl Printer<'_> {
    fn program(&mut self, program: &Program) {
        self.lead(program.span.start as usize, 0);
        self.out.push_str(&format!("program {};", program.name.text));
        self.last = program.name.span.end as usize;
        self.behind(self.last);
        self.out.push('\n');
        for decl in &program.decls {
            self.lead(inner_end(decl), 0);
            self.space(decl.span.start as usize);
            self.decl(decl);
            self.last = decl.span.end as usize;
            self.behind(self.last);
            self.out.push('\n');
        }
        let start = stmts::head_end(&program.body);
        let comments = self.comments.first().is_some_and(|comment| (comment.span.start as usize) < start);
        if !comments && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
        self.lead(start, 0);
        self.stmt(&program.body, 0);
        self.out.push('.');
        self.last = program.span.end as usize;
        self.behind(program.span.end as usize);
        self.out.push('\n');
        self.lead(self.source.len(), 0);
    }

    fn decl(&mut self, decl: &Decl) {
        let text = match &decl.kind {
            DeclKind::Const { name, value } => {
                let head = format!("const {} = ", name.text);
                let value = layout(value, head.len(), 1);
                format!("{head}{value};")
            }
            DeclKind::Var { names, ty } => {
                let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
                format!("{} : {};", wrapped("var ", &names, 4), flat_type(ty))
            }
            DeclKind::Oracle { name, params, result } => {
                format!("oracle {}{} : {};", name.text, flat_params(params), flat_type(result))
            }
            DeclKind::Function { name, params, result, body } => {
                let head = format!("function {}{} : {} =", name.text, flat_params(params), flat_type(result));
                let on_line = layout(body, head.len() + 1, 1);
                if on_line.contains('\n') {
                    format!("{head}\n  {};", layout(body, 2, 1))
                } else {
                    format!("{head} {on_line};")
                }
            }
            DeclKind::Procedure { name, params, body } => {
                self.out.push_str(&format!("procedure {}{};", name.text, flat_params(params)));
                self.procedure_body(body);
                return;
            }
        };
        self.out.push_str(&text);
    }

    fn procedure_body(&mut self, body: &Stmt) {
        let short = self.one_line(body).filter(|text| self.column() + 1 + text.len() < WIDTH);
        match short {
            Some(text) => self.out.push_str(&format!(" {text}")),
            None => {
                let indent = if matches!(body.kind, super::ast::StmtKind::Block(_)) { 0 } else { 2 };
                self.newline(indent);
                self.stmt(body, indent);
            }
        }
        self.out.push(';');
    }

    fn column(&self) -> usize {
        self.out.len() - self.out.rfind('\n').map_or(0, |newline| newline + 1)
    }

    fn newline(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    /// Comments before a place in the source, each on its own line; the cursor stands at the indentation before and after.
    fn lead(&mut self, before: usize, indent: usize) {
        while let [comment, rest @ ..] = self.comments
            && (comment.span.start as usize) < before
        {
            self.space(comment.span.start as usize);
            let text = comment.text.clone();
            self.out.push_str(&text);
            self.newline(indent);
            self.last = comment.span.end as usize;
            self.comments = rest;
        }
    }

    /// A blank line if the source has one here, but not directly after `begin`.
    fn space(&mut self, start: usize) {
        let between = self.source.get(self.last..start).unwrap_or("");
        // What stands before the first and after the last line break is no whole line.
        let lines: Vec<&str> = between.split('\n').collect();
        let blank = lines.len() > 2 && lines[1..lines.len() - 1].iter().any(|line| line.trim().is_empty());
        let line = self.out.rfind('\n').map_or(0, |newline| newline + 1);
        let before = self.out[..line].trim_end_matches(['\n', ' ']);
        let opens = before.is_empty()
            || before.ends_with(" begin")
            || before.ends_with("\nbegin")
            || before == "begin";
        if blank && !opens && self.out[line..].trim().is_empty() && !self.out[..line].ends_with("\n\n") {
            self.out.insert(line, '\n');
        }
    }

    /// A comment that stands on the same line of the source goes behind the code.
    fn behind(&mut self, end: usize) -> bool {
        let [comment, rest @ ..] = self.comments else { return false };
        let start = comment.span.start as usize;
        let nothing =
            |text: &str| !text.contains('\n') && ["", ";", "then", "do", "else"].contains(&text.trim());
        let same_line = start >= end && self.source.get(end..start).is_some_and(nothing);
        if same_line {
            self.out.push(BEHIND);
            let text = comment.text.clone();
            self.out.push_str(&text);
            self.last = comment.span.end as usize;
            self.comments = rest;
        }
        same_line
    }

    /// Is there a comment inside this piece?
    fn commented(&self, span: Span) -> bool {
        self.comments.iter().any(|comment| span.start <= comment.span.start && comment.span.start < span.end)
    }
}

/// Where the part of a declaration ends inside which no comment can stay.
fn inner_end(decl: &Decl) -> usize {
    match &decl.kind {
        DeclKind::Procedure { body, .. } => stmts::head_end(body),
        _ => decl.span.end as usize,
    }
}

fn flat_params(groups: &[Group]) -> String {
    let group = |group: &Group| {
        let names: Vec<&str> = group.names.iter().map(|name| name.text.as_str()).collect();
        format!("{} : {}", names.join(", "), flat_type(&group.ty))
    };
    format!("({})", groups.iter().map(group).collect::<Vec<_>>().join("; "))
}

/// Words separated by commas over as many lines as they need.
fn wrapped(head: &str, words: &[&str], indent: usize) -> String {
    let (mut text, mut column) = (head.to_owned(), head.len());
    for (i, word) in words.iter().enumerate() {
        let comma = if i + 1 < words.len() { "," } else { "" };
        if i > 0 {
            if column + word.len() + 2 > WIDTH {
                text.push('\n');
                text.extend(std::iter::repeat_n(' ', indent));
                column = indent;
            } else {
                text.push(' ');
                column += 1;
            }
        }
        text.push_str(word);
        text.push_str(comma);
        column += word.len() + comma.len();
    }
    text
}

/// Comments behind code in neighbouring lines begin in one column, if the lines are not too long for that.
fn aligned(text: &str) -> String {
    let lines: Vec<(&str, Option<&str>)> = text
        .lines()
        .map(|line| line.split_once(BEHIND).map_or((line, None), |(code, comment)| (code, Some(comment))))
        .collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < lines.len() {
        let run = lines[at..].iter().take_while(|(_, comment)| comment.is_some()).count().max(1);
        let width = |code: &str| code.trim_end().chars().count();
        let column = lines[at..at + run].iter().map(|(code, _)| width(code)).max().unwrap_or(0);
        for (code, comment) in &lines[at..at + run] {
            let code = code.trim_end();
            out.push_str(code);
            if let Some(comment) = comment {
                let fits = column + 2 + comment.chars().count() <= WIDTH;
                let blanks = if fits { column - width(code) + 2 } else { 2 };
                out.extend(std::iter::repeat_n(' ', blanks));
                out.push_str(comment);
            }
            out.push('\n');
        }
        at += run;
    }
    let end = out.trim_end().len();
    out.truncate(end);
    out.push('\n');
    out
}
