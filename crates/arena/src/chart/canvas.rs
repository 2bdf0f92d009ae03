//! An SVG that is being written.

use std::fmt::Write;

const INK: &str = "#1f2933";
pub(super) const GRID: &str = "#dde3e8";
pub(super) const AXIS: &str = "#7b8794";
/// Mean width of a letter over the size of the font; wide letters make it more.
const LETTER: f64 = 0.57;

pub(super) struct Canvas {
    body: String,
    width: f64,
}

#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// How wide a text is, about.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * LETTER
}

/// Lines of words that are at most this wide, where words allow it.
pub(super) fn wrap(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("there is a line");
        if !last.is_empty() && text_width(&format!("{last} {word}"), size) > width {
            lines.push(word.to_string());
        } else {
            *last = if last.is_empty() { word.to_string() } else { format!("{last} {word}") };
        }
    }
    lines
}

impl Canvas {
    pub(super) fn new(width: f64) -> Canvas {
        Canvas { body: String::new(), width }
    }

    pub(super) fn line(&mut self, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2], colour: &str, thick: f64) {
        let _ = writeln!(
            self.body,
            r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="{colour}" stroke-width="{thick}"/>"#
        );
    }

    pub(super) fn rect(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2], colour: &str) {
        let _ = writeln!(
            self.body,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" fill="{colour}"/>"#
        );
    }

    pub(super) fn circle(&mut self, [x, y]: [f64; 2], fill: &str, colour: &str) {
        let _ = writeln!(
            self.body,
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="3.5" fill="{fill}" stroke="{colour}" stroke-width="1.5"/>"#
        );
    }

    pub(super) fn path(&mut self, points: &[[f64; 2]], colour: &str, dashed: bool) {
        let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        let dash = if dashed { r#" stroke-dasharray="5 4""# } else { "" };
        let points = points.join(" ");
        let _ = writeln!(
            self.body,
            r#"<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.8"{dash}/>"#
        );
    }

    pub(super) fn text(&mut self, [x, y]: [f64; 2], size: f64, anchor: Anchor, text: &str) {
        let anchor = anchor.name();
        let text = escape(text);
        let _ = writeln!(
            self.body,
            r#"<text x="{x:.1}" y="{y:.1}" font-size="{size}" text-anchor="{anchor}" fill="{INK}">{text}</text>"#
        );
    }

    /// From the bottom upwards.
    pub(super) fn upright_text(&mut self, [x, y]: [f64; 2], size: f64, text: &str) {
        let text = escape(text);
        let _ = writeln!(
            self.body,
            r#"<text transform="translate({x:.1} {y:.1}) rotate(-90)" font-size="{size}" text-anchor="middle" fill="{INK}">{text}</text>"#
        );
    }

    /// The title at the top; gives the height that it took.
    pub(super) fn title(&mut self, title: &str) -> f64 {
        let size = 16.0;
        let lines = wrap(title, size, self.width - 32.0);
        for (number, line) in lines.iter().enumerate() {
            self.text([16.0, 26.0 + 20.0 * number as f64], size, Anchor::Start, line);
        }
        14.0 + 20.0 * lines.len() as f64
    }

    /// Names with their colours and whether they are drawn open, in as many lines as they need; gives the height that
    /// they took.
    pub(super) fn legend(&mut self, top: f64, names: &[(&str, &str, bool)]) -> f64 {
        let size = 12.0;
        let (mut x, mut y) = (16.0, top + 14.0);
        for (name, colour, open) in names {
            let width = 26.0 + text_width(name, size);
            if x + width > self.width - 16.0 && x > 16.0 {
                (x, y) = (16.0, y + 18.0);
            }
            self.rect([x, y - 10.0], [12.0, 12.0], colour);
            if *open {
                self.rect([x + 2.0, y - 8.0], [8.0, 8.0], "#ffffff");
            }
            self.text([x + 17.0, y], size, Anchor::Start, name);
            x += width + 12.0;
        }
        y - top + 10.0
    }

    pub(super) fn finish(self, height: f64) -> String {
        let Canvas { body, width } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\" font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{body}</svg>\n"
        )
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
