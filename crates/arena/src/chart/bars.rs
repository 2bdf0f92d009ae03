//! Bars lie on their side, so that long names fit beside them.

use super::canvas::{AXIS, Anchor, Canvas, GRID, text_width, wrap};
use super::scale::Scale;
use super::{COLOURS, Value};

/// Groups of bars, one bar for each series.
#[derive(Clone, Debug, Default)]
pub struct BarChart {
    pub title: String,
    /// What the figures are.
    pub unit: String,
    pub series: Vec<Series>,
    pub groups: Vec<Group>,
}

/// The bars of one kind.
#[derive(Clone, Debug, Default)]
pub struct Series {
    pub name: String,
    /// The number of its colour.
    pub colour: usize,
}

impl Series {
    fn colour(&self) -> &'static str {
        COLOURS[self.colour % COLOURS.len()]
    }
}

/// Bars that stand together, in the order of the series.
#[derive(Clone, Debug, Default)]
pub struct Group {
    pub label: String,
    pub bars: Vec<Option<Value>>,
}

const WIDTH: f64 = 780.0;
const BAR: f64 = 13.0;
const GAP: f64 = 12.0;
const LABEL: f64 = 12.0;
const WIDEST_LABEL: f64 = 270.0;
/// For the figure beside the longest bar.
const MARGIN: f64 = 56.0;

impl BarChart {
    pub fn svg(&self) -> String {
        let mut canvas = Canvas::new(WIDTH);
        let mut top = canvas.title(&self.title);
        let names: Vec<(&str, &str, bool)> =
            self.series.iter().map(|series| (&*series.name, series.colour(), false)).collect();
        top += canvas.legend(top, &names);
        let labels: Vec<Vec<String>> =
            self.groups.iter().map(|group| wrap(&group.label, LABEL, WIDEST_LABEL)).collect();
        let widest = labels.iter().flatten().map(|line| text_width(line, LABEL)).fold(40.0, f64::max);
        let scale = self.scale(widest + 28.0);
        let heights: Vec<f64> = labels.iter().map(|lines| self.height(lines.len())).collect();
        let bottom = top + heights.iter().sum::<f64>() + 4.0;
        self.grid(&mut canvas, &scale, top, bottom);
        let mut y = top;
        for ((group, lines), height) in self.groups.iter().zip(&labels).zip(heights) {
            label(&mut canvas, lines, widest + 20.0, y + height / 2.0);
            let bars = BAR * group.bars.len() as f64;
            self.bars(&mut canvas, &scale, group, y + (height - bars) / 2.0);
            y += height;
        }
        let zero = scale.place(0.0);
        canvas.line([zero, top], [zero, bottom], AXIS, 1.2);
        canvas.finish(bottom + 46.0)
    }

    fn height(&self, lines: usize) -> f64 {
        (BAR * self.series.len() as f64).max(15.0 * lines as f64) + GAP
    }

    fn scale(&self, left: f64) -> Scale {
        let values = self.groups.iter().flat_map(|group| &group.bars).flatten();
        let figures = values.flat_map(|value| value.ends()).chain([0.0]);
        Scale::over(figures, [left, WIDTH - MARGIN], 6.0)
    }

    fn grid(&self, canvas: &mut Canvas, scale: &Scale, top: f64, bottom: f64) {
        for (figure, name) in scale.ticks() {
            let x = scale.place(figure);
            canvas.line([x, top], [x, bottom], GRID, 1.0);
            canvas.text([x, bottom + 16.0], 11.0, Anchor::Middle, &name);
        }
        let middle = (scale.ticks().iter().map(|(figure, _)| scale.place(*figure)).sum::<f64>())
            / scale.ticks().len().max(1) as f64;
        canvas.text([middle, bottom + 36.0], 12.0, Anchor::Middle, &self.unit);
    }

    fn bars(&self, canvas: &mut Canvas, scale: &Scale, group: &Group, top: f64) {
        let zero = scale.place(0.0);
        for (number, (bar, series)) in group.bars.iter().zip(&self.series).enumerate() {
            let Some(value) = bar else { continue };
            let (y, end) = (top + BAR * number as f64, scale.place(value.value));
            canvas.rect([zero.min(end), y + 0.5], [(end - zero).abs().max(1.0), BAR - 1.0], series.colour());
            let reach = match value.spread {
                Some([low, high]) => {
                    whisker(canvas, [scale.place(low), scale.place(high)], y + BAR / 2.0);
                    scale.place(high)
                }
                None => end,
            };
            canvas.text([reach.max(end).max(zero) + 5.0, y + 10.5], 10.5, Anchor::Start, &figure(value.value));
        }
    }
}

fn label(canvas: &mut Canvas, lines: &[String], right: f64, middle: f64) {
    let first = middle + 4.0 - 7.5 * (lines.len() - 1) as f64;
    for (number, line) in lines.iter().enumerate() {
        canvas.text([right, first + 15.0 * number as f64], LABEL, Anchor::End, line);
    }
}

fn whisker(canvas: &mut Canvas, [low, high]: [f64; 2], y: f64) {
    let colour = "#1f2933";
    canvas.line([low, y], [high, y], colour, 1.2);
    for x in [low, high] {
        canvas.line([x, y - 3.5], [x, y + 3.5], colour, 1.2);
    }
}

/// Three significant digits, about.
fn figure(value: f64) -> String {
    match value.abs() {
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}
