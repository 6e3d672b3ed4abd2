//! JSON laid out for people: one field a line, lists of plain values on one line, fields in the order they came in.

/// Lays out a JSON text that is already valid.
pub(crate) fn pretty(json: &str) -> String {
    let mut layout = Layout { text: json, at: 0, out: String::with_capacity(json.len() * 2) };
    layout.whole();
    layout.out.push('\n');
    layout.out
}

struct Layout<'a> {
    text: &'a str,
    at: usize,
    out: String,
}

impl Layout<'_> {
    /// Goes through the text bracket by bracket, without recursion.
    fn whole(&mut self) {
        let mut depth = 0;
        while let Some(c) = self.text[self.at..].chars().next() {
            match c {
                '"' => self.string(),
                '[' | '{' => match self.flat_end() {
                    Some(end) => self.flat(end),
                    None => {
                        depth += 1;
                        self.open(c, depth);
                    }
                },
                ']' | '}' => {
                    depth -= 1;
                    self.line(depth);
                    self.push(c);
                }
                ',' => {
                    self.push(c);
                    self.line(depth);
                }
                ':' => {
                    self.push(c);
                    self.out.push(' ');
                }
                c if c.is_ascii_whitespace() => self.at += 1,
                c => self.push(c),
            }
        }
    }

    fn push(&mut self, c: char) {
        self.out.push(c);
        self.at += c.len_utf8();
    }

    fn open(&mut self, c: char, depth: usize) {
        self.push(c);
        self.line(depth);
    }

    fn line(&mut self, depth: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', 2 * depth));
    }

    fn string(&mut self) {
        let end = self.at + string_len(&self.text[self.at..]);
        self.out.push_str(&self.text[self.at..end]);
        self.at = end;
    }

    /// The end of the list or object that begins here, if it fits on a line: lists of short things, empty things.
    fn flat_end(&self) -> Option<usize> {
        const LONGEST: usize = 76;
        let (mut depth, mut at) = (0, self.at);
        let bytes = self.text.as_bytes();
        while at < bytes.len() && at - self.at <= LONGEST {
            match bytes[at] {
                b'"' => {
                    at += string_len(&self.text[at..]);
                    continue;
                }
                b'[' | b'{' => depth += 1,
                b']' | b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        None
    }

    fn flat(&mut self, end: usize) {
        while self.at < end {
            match self.text[self.at..].chars().next() {
                Some('"') => self.string(),
                Some(c @ (',' | ':')) => {
                    self.push(c);
                    self.out.push(' ');
                }
                Some(c) if c.is_ascii_whitespace() => self.at += 1,
                Some(c) => self.push(c),
                None => return,
            }
        }
    }
}

/// The length of the string literal at the start of the text.
fn string_len(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::pretty;
    use serde_json::Value;

    #[test]
    fn short_things_stay_on_one_line_and_order_is_kept() {
        let json = r#"{"winner":0,"by":{"rule":"Theorem 1"},"a":[1,2,"x, [y]\""],"long":{"first":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","second":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"}}"#;
        let expected = "{\n  \"winner\": 0,\n  \"by\": {\"rule\": \"Theorem 1\"},\n  \"a\": [1, 2, \"x, [y]\\\"\"],\n  \"long\": {\n    \"first\": \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\",\n    \"second\": \"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\"\n  }\n}\n";
        assert_eq!(pretty(json), expected);
    }

    #[test]
    fn the_value_does_not_change() {
        let inner: Vec<String> = (0..40).map(|i| format!(r#"{{"k{i}":[{i},[],{{}},"\\\"単"]}}"#)).collect();
        let json = format!("[{}]", inner.join(" , "));
        let [before, after]: [Value; 2] =
            [&json, &pretty(&json)].map(|text| serde_json::from_str(text).unwrap());
        assert_eq!(before, after);
    }

    #[test]
    fn deep_nesting_overflows_no_stack() {
        let json = format!("{}{}", "[".repeat(3000), "]".repeat(3000));
        assert_eq!(pretty(&json).replace(['\n', ' '], ""), json);
    }
}
