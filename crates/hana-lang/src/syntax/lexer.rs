//! From text to tokens. A name is a letter, then letters and digits, hyphens that a letter follows, and primes at the end, so `Throw-in` and
//! `index'` are names and `n-1` is three tokens. A flower such as `<MATSU, TSURU>` is one token. Written by hand: the flower and the hyphen
//! need a look ahead that is clearer in code than in expressions.

use super::ast::Comment;
use super::flowers;
use super::span::Span;
use crate::diagnose::Diagnostic;
use hana::Card;

/// The reserved words.
pub const KEYWORDS: [&str; 37] = [
    "program",
    "const",
    "var",
    "function",
    "procedure",
    "oracle",
    "begin",
    "end",
    "if",
    "then",
    "else",
    "while",
    "do",
    "not",
    "or",
    "mod",
    "div",
    "in",
    "E",
    "A",
    "sum",
    "of",
    "map",
    "set",
    "seq",
    "array",
    "join",
    "meet",
    "minus",
    "max",
    "min",
    "assert",
    "true",
    "false",
    "lambda",
    "fix",
    "let",
];

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'s> {
    /// A reserved word.
    Word(&'static str),
    /// A name.
    Name(&'s str),
    /// A number.
    Number(i64),
    /// A flower; none if there is no such flower, which is reported already.
    Flower(Option<Card>),
    /// A sign: `;`, `:=`, `->` ...
    Sign(&'static str),
    /// The end of the text.
    End,
}

impl Token<'_> {
    /// How an error names it.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Token::Word(word) => format!("`{word}`"),
            Token::Name(name) => format!("the name `{name}`"),
            Token::Number(number) => format!("the number {number}"),
            Token::Flower(_) => "a flower".to_owned(),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the text".to_owned(),
        }
    }
}

/// The signs, the longest first.
pub const SIGNS: [&str; 25] = [
    ":=", "..", "=>", "->", "<>", "<=", ">=", ";", ",", ":", ".", "(", ")", "[", "]", "{", "}", "|", "=",
    "<", ">", "&", "+", "-", "*",
];

/// Tokens with their places, and the comments between them.
#[derive(Debug, Default)]
pub struct Lexed<'s> {
    /// The tokens; the last is [`Token::End`].
    pub tokens: Vec<(Token<'s>, Span)>,
    /// The comments, in order.
    pub comments: Vec<Comment>,
    /// What is not a token.
    pub errors: Vec<Diagnostic>,
}

/// Splits a text into tokens. Whatever is no token is reported and passed over.
#[must_use]
pub fn lex(source: &str) -> Lexed<'_> {
    let mut lexer = Lexer { source, at: 0, lexed: Lexed::default() };
    while lexer.step() {}
    let end = Span::new(source.len(), source.len());
    lexer.lexed.tokens.push((Token::End, end));
    lexer.lexed
}

struct Lexer<'s> {
    source: &'s str,
    at: usize,
    lexed: Lexed<'s>,
}

impl<'s> Lexer<'s> {
    fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    fn push(&mut self, token: Token<'s>, length: usize) {
        self.lexed.tokens.push((token, Span::new(self.at, self.at + length)));
        self.at += length;
    }

    /// One token, comment or blank; false at the end.
    fn step(&mut self) -> bool {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return false };
        if first.is_whitespace() {
            self.at += first.len_utf8();
        } else if rest.starts_with("--") {
            self.comment();
        } else if first.is_ascii_alphabetic() {
            let length = name_length(rest);
            let name = &rest[..length];
            let word = KEYWORDS.iter().find(|&&word| word == name);
            self.push(word.map_or(Token::Name(name), |&word| Token::Word(word)), length);
        } else if first.is_ascii_digit() {
            self.number();
        } else if let Some((length, flower, picture)) = flower_length(rest) {
            self.flower(length, flower, picture);
        } else if let Some(&sign) = SIGNS.iter().find(|&&sign| rest.starts_with(sign)) {
            self.push(Token::Sign(sign), sign.len());
        } else {
            self.stray(first);
        }
        true
    }

    fn comment(&mut self) {
        let rest = self.rest();
        let text = rest[..rest.find('\n').unwrap_or(rest.len())].trim_end();
        let span = Span::new(self.at, self.at + text.len());
        self.lexed.comments.push(Comment { text: text.to_owned(), span });
        self.at += text.len();
    }

    fn number(&mut self) {
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = rest[..length].parse().unwrap_or_else(|_| {
            let span = Span::new(self.at, self.at + length);
            let error = Diagnostic::new("number", span, "this number does not fit into an Int")
                .hint(format!("an Int has 64 bits; the largest is {}", i64::MAX));
            self.lexed.errors.push(error);
            0
        });
        self.push(Token::Number(number), length);
    }

    fn flower(&mut self, length: usize, flower: &str, picture: &str) {
        let card = flowers::find(flower, picture);
        if let Err(hint) = &card {
            let span = Span::new(self.at, self.at + length);
            let upper = (flower.to_uppercase(), picture.to_uppercase());
            let hint = match flowers::find(&upper.0, &upper.1) {
                Ok(card) => format!("flowers are written in capitals: {}", flowers::literal(card)),
                Err(_) => hint.clone(),
            };
            let message = format!("there is no flower <{flower}, {picture}>");
            self.lexed.errors.push(Diagnostic::new("flower", span, message).hint(hint));
        }
        self.push(Token::Flower(card.ok()), length);
    }

    fn stray(&mut self, first: char) {
        let rest = self.rest();
        let length = rest
            .char_indices()
            .find(|&(i, c)| {
                i > 0 && (c.is_ascii_alphanumeric() || c.is_whitespace() || ";:=()[]{}<>".contains(c))
            })
            .map_or(rest.len(), |(i, _)| i);
        // What stands in quotes is passed over as a whole.
        let quoted = |quote: char| rest[1..].find([quote, '\n']).map_or(length, |end| end + 2);
        let length = if first == '"' { quoted('"').min(rest.trim_end_matches('\n').len()) } else { length };
        let length = rest[..length].trim_end().len();
        let text = &rest[..length];
        let span = Span::new(self.at, self.at + length);
        let shown: String = text.chars().take(12).map(|c| if c.is_control() { '?' } else { c }).collect();
        let hint = match first {
            '/' => Some("division is `div`, and its remainder `mod`"),
            '%' => Some("the remainder is `mod`"),
            '!' => Some("negation is `not`, and `<>` means unequal"),
            '~' => Some("negation is `not`"),
            '"' => Some("there is no text in HL; a comment begins with `--`"),
            '\'' => Some("a prime belongs to the end of a name: index'"),
            '_' => Some("names are joined by hyphens: Throw-in"),
            c if c.is_alphabetic() => Some("names are made of the letters a-z and A-Z"),
            _ => None,
        };
        let mut error = Diagnostic::new("token", span, format!("`{shown}` means nothing in HL"));
        error.hint = hint.map(str::to_owned);
        self.lexed.errors.push(error);
        self.at += length;
    }
}

/// Length of the name at the start of a text.
fn name_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is = |i: usize, test: fn(&u8) -> bool| bytes.get(i).is_some_and(test);
    let mut at = 1;
    loop {
        if is(at, u8::is_ascii_alphanumeric) {
            at += 1;
        } else if bytes.get(at) == Some(&b'-') && is(at + 1, u8::is_ascii_alphabetic) {
            at += 2;
        } else {
            break;
        }
    }
    while bytes.get(at) == Some(&b'\'') {
        at += 1;
    }
    at
}

/// Length of a flower at the start of a text, and its two names. What only looks like one, as `<Matsu, Tsuru>`, counts too.
fn flower_length(text: &str) -> Option<(usize, &str, &str)> {
    let after = text.strip_prefix('<')?;
    let word =
        |text: &str| text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'\'').count();
    let flower = word(after);
    if flower == 0 || !after.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let second = after[flower..].trim_start_matches(' ').strip_prefix(',')?.trim_start_matches(' ');
    let picture = word(second);
    let end = second[picture..].trim_start_matches(' ').strip_prefix('>')?;
    (picture > 0).then(|| (text.len() - end.len(), &after[..flower], &second[..picture]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(source: &str) -> Vec<Token<'_>> {
        let mut tokens: Vec<_> = lex(source).tokens.into_iter().map(|(token, _)| token).collect();
        tokens.pop();
        tokens
    }

    #[test]
    fn hyphens_and_primes_belong_to_names_only_where_the_rule_says() {
        assert_eq!(tokens("Throw-in"), [Token::Name("Throw-in")]);
        assert_eq!(tokens("index''"), [Token::Name("index''")]);
        assert_eq!(tokens("n-1"), [Token::Name("n"), Token::Sign("-"), Token::Number(1)]);
        assert_eq!(tokens("a-b-2"), [Token::Name("a-b"), Token::Sign("-"), Token::Number(2)]);
        assert_eq!(tokens("n - k"), [Token::Name("n"), Token::Sign("-"), Token::Name("k")]);
        assert_eq!(tokens("a--b"), [Token::Name("a")], "the rest is a comment");
        assert_eq!(tokens("ends end"), [Token::Name("ends"), Token::Word("end")]);
    }

    #[test]
    fn a_flower_is_one_token_and_a_comparison_three() {
        assert_eq!(tokens("<KIRI, HOWO>"), [Token::Flower(hana::Card::from_id(44))]);
        assert_eq!(tokens("<YANAGI,ONO'TOFU>"), [Token::Flower(hana::Card::from_id(40))]);
        assert_eq!(tokens("a < B, C > d").len(), 7);
        assert_eq!(tokens("1 <x").len(), 3);
        assert_eq!(lex("<MATSU, HOWO>").errors.len(), 1);
    }

    #[test]
    fn numbers_and_ranges() {
        assert_eq!(tokens("[1..3]").len(), 5);
        assert_eq!(lex("9223372036854775808").errors[0].rule, "number");
    }
}
