//! Agents with open settings: `ismcts:exploration=?[0.1,2.0],iterations=1000`.

use std::fmt;

/// An agent text with open settings, and the values to try for each.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    /// The fixed text before each open setting's value, and what follows the last.
    texts: Vec<String>,
    open: Vec<Open>,
}

#[derive(Clone, Debug, PartialEq)]
struct Open {
    name: String,
    values: Vec<String>,
}

/// A text that names no settings to try, as one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceError(pub String);

impl fmt::Display for SpaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SpaceError {}

/// More candidates than anybody can compare.
const MOST: usize = 4096;

impl Space {
    /// Reads `?[low,high]` (`grid` values at equal distances, both ends included), `?[low,high,log]` (at
    /// equal ratios) and `?{a,b,c}` (these). Between whole ends that are far enough apart values are whole.
    pub fn parse(text: &str, grid: usize) -> Result<Space, SpaceError> {
        let mut space = Space { texts: Vec::new(), open: Vec::new() };
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('?') {
            let name = before.strip_suffix('=').map(|before| before.rsplit([':', ',', '(']).next().unwrap_or(before));
            let name =
                name.ok_or_else(|| SpaceError(format!("`?` stands for a value: write key=?[low,high] in `{text}`")))?;
            let (values, after) =
                values(after, grid).map_err(|error| SpaceError(format!("setting `{name}`: {error}")))?;
            space.open.push(Open { name: name.trim().to_string(), values });
            space.texts.push(before.to_string());
            rest = after;
        }
        space.texts.push(rest.to_string());
        let count = space.open.iter().fold(1usize, |count, open| count.saturating_mul(open.values.len()));
        match (space.open.len(), count) {
            (0, _) => Err(SpaceError(format!("`{text}` leaves nothing open: write key=?[low,high] or key=?{{a,b}}"))),
            (_, 2..=MOST) => Ok(space),
            _ => Err(SpaceError(format!("`{text}` has {count} candidates: there must be 2 to {MOST}"))),
        }
    }

    pub fn names(&self) -> Vec<String> {
        self.open.iter().map(|open| open.name.clone()).collect()
    }

    /// All candidates.
    pub fn agents(&self) -> Vec<String> {
        self.candidates().into_iter().map(|(agent, _)| agent).collect()
    }

    /// Every combination: the agent and its values.
    pub(super) fn candidates(&self) -> Vec<(String, Vec<String>)> {
        let mut chosen: Vec<Vec<String>> = vec![Vec::new()];
        for open in &self.open {
            let longer = |begun: &Vec<String>| {
                let begun = begun.clone();
                open.values
                    .iter()
                    .map(move |value| [&begun[..], std::slice::from_ref(value)].concat())
                    .collect::<Vec<_>>()
            };
            chosen = chosen.iter().flat_map(longer).collect();
        }
        chosen.into_iter().map(|values| (self.fill(&values), values)).collect()
    }

    fn fill(&self, values: &[String]) -> String {
        let filled = self.texts.iter().zip(values.iter().map(String::as_str).chain([""]));
        filled.map(|(text, value)| format!("{text}{value}")).collect()
    }
}

/// The values that a text begins with, and the rest of the text.
fn values(text: &str, grid: usize) -> Result<(Vec<String>, &str), String> {
    if let Some(list) = text.strip_prefix('{') {
        let (list, rest) = list.split_once('}').ok_or("`{` is not closed")?;
        return Ok((list.split(',').map(|value| value.trim().to_string()).collect(), rest));
    }
    let range = text.strip_prefix('[').ok_or("after `?` comes [low,high] or {a,b,c}")?;
    let (range, rest) = range.split_once(']').ok_or("`[` is not closed")?;
    let pieces: Vec<&str> = range.split(',').map(str::trim).collect();
    let (low, high, log) = match pieces[..] {
        [low, high] => (low, high, false),
        [low, high, "log"] => (low, high, true),
        _ => return Err(format!("`[{range}]` is no range: write [low,high] or [low,high,log]")),
    };
    let number = |text: &str| text.parse::<f64>().map_err(|_| format!("`{text}` is no number"));
    let ends = (low.parse::<i64>(), high.parse::<i64>());
    let whole = matches!(ends, (Ok(low), Ok(high)) if high.saturating_sub(low) >= grid as i64 - 1);
    let (low, high) = (number(low)?, number(high)?);
    if low >= high || (log && low <= 0.0) {
        return Err(format!("`[{range}]` is empty: the lower end comes first, and a ratio needs a positive one"));
    }
    let mut values: Vec<String> = spread(low, high, log, grid.max(2)).map(|value| shown(value, whole)).collect();
    values.dedup();
    Ok((values, rest))
}

fn spread(low: f64, high: f64, log: bool, count: usize) -> impl Iterator<Item = f64> {
    (0..count).map(move |step| {
        let share = step as f64 / (count - 1) as f64;
        if log { low * (high / low).powf(share) } else { low + (high - low) * share }
    })
}

/// With four significant digits, or whole if both ends are.
fn shown(value: f64, whole: bool) -> String {
    if whole {
        return format!("{value:.0}");
    }
    let digits = (3 - value.abs().max(1e-12).log10().floor() as i32).max(0) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_cover_their_ranges() {
        let agents = |text: &str, grid| -> Vec<String> {
            Space::parse(text, grid).unwrap().candidates().into_iter().map(|(agent, _)| agent).collect()
        };
        assert_eq!(agents("a:x=?[0.1,0.5],y=1", 3), ["a:x=0.1,y=1", "a:x=0.3,y=1", "a:x=0.5,y=1"]);
        assert_eq!(agents("a:x=?[1,100,log]", 3), ["a:x=1", "a:x=10", "a:x=100"]);
        assert_eq!(agents("a:x=?[1,8]", 3), ["a:x=1", "a:x=4", "a:x=8"], "whole ends far apart have whole points");
        assert_eq!(agents("a:x=?[0,2]", 5), ["a:x=0", "a:x=0.5", "a:x=1", "a:x=1.5", "a:x=2"]);
        assert_eq!(
            agents("a:x=?{p,q},z=f(?)".replace("z=f(?)", "z=f(2)").as_str(), 5),
            ["a:x=p,z=f(2)", "a:x=q,z=f(2)"]
        );
        assert_eq!(agents("a:x=?[0.5,1],y=?{u,v}", 2), ["a:x=0.5,y=u", "a:x=0.5,y=v", "a:x=1,y=u", "a:x=1,y=v"]);
        let space = Space::parse("a:x=?[0.5,1],y=?{u,v}", 2).unwrap();
        assert_eq!(space.names(), ["x", "y"]);
    }

    #[test]
    fn errors_say_what_is_wrong() {
        for (text, part) in [
            ("a:x=1", "nothing open"),
            ("a:?[1,2]", "key=?[low,high]"),
            ("a:x=?[2,1]", "lower end comes first"),
            ("a:x=?[0,1,log]", "positive"),
            ("a:x=?[0,one]", "`one` is no number"),
            ("a:x=?[0,1", "not closed"),
            ("a:x=?", "after `?` comes"),
            ("a:x=?{p}", "2 to 4096"),
            ("a:x=?[0,1],y=?[0,1,2]", "no range"),
        ] {
            let error = Space::parse(text, 5).unwrap_err().0;
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
