//! Curves over an axis of numbers.

use super::canvas::{AXIS, Anchor, Canvas, GRID};
use super::scale::Scale;
use super::{COLOURS, Value};

/// Curves through points with error bars.
#[derive(Clone, Debug, Default)]
pub struct CurveChart {
    pub title: String,
    pub x_label: String,
    pub y_label: String,
    pub curves: Vec<Curve>,
}

/// Points in the order of their places.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    pub name: String,
    pub points: Vec<(f64, Value)>,
    /// Open circles and dashes, for figures that were not measured here.
    pub open: bool,
    /// The number of its colour; curves that belong together share one.
    pub colour: usize,
}

const WIDTH: f64 = 780.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 70.0;
/// Error bars at the same place stand this far apart.
const APART: f64 = 5.0;

impl Curve {
    fn colour(&self) -> &'static str {
        COLOURS[1 + self.colour % (COLOURS.len() - 1)]
    }
}

impl CurveChart {
    pub fn svg(&self) -> String {
        let mut canvas = Canvas::new(WIDTH);
        let mut top = canvas.title(&self.title);
        let names: Vec<(&str, &str, bool)> =
            self.curves.iter().map(|curve| (&*curve.name, curve.colour(), curve.open)).collect();
        top += canvas.legend(top, &names) + 6.0;
        let bottom = top + HEIGHT;
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let x = Scale::over_any(points().map(|(x, _)| *x), [LEFT + 14.0, WIDTH - 36.0], 9.0);
        let y = Scale::over(points().flat_map(|(_, value)| value.ends()), [bottom, top], 6.0);
        self.grid(&mut canvas, &x, &y, [top, bottom]);
        let middle = (self.curves.len().max(1) - 1) as f64 / 2.0;
        for (number, curve) in self.curves.iter().enumerate() {
            draw(&mut canvas, curve, &x, &y, (number as f64 - middle) * APART);
        }
        canvas.finish(bottom + 50.0)
    }

    fn grid(&self, canvas: &mut Canvas, x: &Scale, y: &Scale, [top, bottom]: [f64; 2]) {
        for (figure, name) in y.ticks() {
            let place = y.place(figure);
            canvas.line([LEFT, place], [WIDTH - 22.0, place], GRID, 1.0);
            canvas.text([LEFT - 8.0, place + 4.0], 11.0, Anchor::End, &name);
        }
        for (figure, name) in x.ticks() {
            let place = x.place(figure);
            canvas.line([place, bottom], [place, bottom + 4.0], AXIS, 1.0);
            canvas.text([place, bottom + 18.0], 11.0, Anchor::Middle, &name);
        }
        canvas.line([LEFT, bottom], [WIDTH - 22.0, bottom], AXIS, 1.2);
        canvas.text([(LEFT + WIDTH) / 2.0, bottom + 40.0], 12.0, Anchor::Middle, &self.x_label);
        canvas.upright_text([20.0, (top + bottom) / 2.0], 12.0, &self.y_label);
    }
}

fn draw(canvas: &mut Canvas, curve: &Curve, x: &Scale, y: &Scale, shift: f64) {
    let colour = curve.colour();
    let place = |(at, value): &(f64, Value)| [x.place(*at) + shift, y.place(value.value)];
    canvas.path(&curve.points.iter().map(place).collect::<Vec<_>>(), colour, curve.open);
    for point in &curve.points {
        let [px, py] = place(point);
        if let Some(spread) = point.1.spread {
            let [low, high] = spread.map(|end| y.place(end));
            canvas.line([px, low], [px, high], colour, 1.3);
            for end in [low, high] {
                canvas.line([px - 3.0, end], [px + 3.0, end], colour, 1.3);
            }
        }
        canvas.circle([px, py], if curve.open { "#ffffff" } else { colour }, colour);
    }
}
