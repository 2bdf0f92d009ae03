//! The parameters of a game as text: `rows=5,columns=5` on the command line, an object in a record.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Parameters by name; what is not named has its default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Rules(pub BTreeMap<String, String>);

impl Rules {
    /// Reads `key=value,key=value`. The empty text is no parameter at all.
    pub fn parse(text: &str) -> Result<Rules, RuleError> {
        let mut rules = BTreeMap::new();
        for piece in text.split(',').map(str::trim).filter(|piece| !piece.is_empty()) {
            let (key, value) = piece
                .split_once('=')
                .ok_or_else(|| RuleError(format!("rule `{piece}` has no `=`: write key=value,key=value")))?;
            if rules.insert(key.trim().to_string(), value.trim().to_string()).is_some() {
                return Err(RuleError(format!("rule `{}` is given twice", key.trim())));
            }
        }
        Ok(Rules(rules))
    }

    pub fn with(mut self, key: &str, value: impl ToString) -> Rules {
        self.0.insert(key.to_string(), value.to_string());
        self
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces: Vec<String> = self.0.iter().map(|(key, value)| format!("{key}={value}")).collect();
        f.write_str(&pieces.join(","))
    }
}

/// Numbers and booleans are accepted beside strings.
impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Rules, D::Error> {
        let values = BTreeMap::<String, serde_json::Value>::deserialize(deserializer)?;
        values
            .into_iter()
            .map(|(key, value)| match value {
                serde_json::Value::String(text) => Ok((key, text)),
                serde_json::Value::Number(number) => Ok((key, number.to_string())),
                serde_json::Value::Bool(flag) => Ok((key, flag.to_string())),
                other => Err(serde::de::Error::custom(format!("rule `{key}` cannot be {other}"))),
            })
            .collect::<Result<_, _>>()
            .map(Rules)
    }
}

/// What is wrong with the parameters, as one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError(pub String);

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RuleError {}

/// A game that is made from its parameters.
pub trait FromRules: Sized {
    fn from_rules(rules: &mut RuleReader) -> Result<Self, RuleError>;
}

/// One parameter that a game understands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Parameter {
    pub name: &'static str,
    /// What may be written: `2..12`, `draw|mover_wins`.
    pub values: String,
    pub default: String,
    pub value: String,
    pub meaning: &'static str,
}

/// Takes parameters out of [`Rules`] one by one and learns on the way which there are.
#[derive(Debug)]
pub struct RuleReader {
    given: BTreeMap<String, String>,
    parameters: Vec<Parameter>,
    /// What a parameter is called in messages.
    noun: &'static str,
}

impl RuleReader {
    pub fn new(rules: &Rules) -> RuleReader {
        RuleReader { given: rules.0.clone(), parameters: Vec::new(), noun: "rule" }
    }

    /// For the settings of an agent, which are read in the same way.
    pub fn for_settings(settings: &Rules) -> RuleReader {
        RuleReader { noun: "setting", ..RuleReader::new(settings) }
    }

    pub fn number(
        &mut self,
        name: &'static str,
        meaning: &'static str,
        range: RangeInclusive<f64>,
        default: f64,
    ) -> Result<f64, RuleError> {
        let values = format!("{}..{}", range.start(), range.end());
        let text = self.take(name, meaning, values.clone(), default.to_string());
        match text.parse::<f64>() {
            Ok(value) if range.contains(&value) => Ok(value),
            _ => Err(self.refuse(name, &text, &format!("must be a number in {values}"))),
        }
    }

    /// A duration such as `1s`, `250ms` or `2m`; `None` if it is not given.
    pub fn duration(&mut self, name: &'static str, meaning: &'static str) -> Result<Option<Duration>, RuleError> {
        let text = self.take(name, meaning, "250ms, 1s, 2m".to_string(), "none".to_string());
        if text == "none" {
            return Ok(None);
        }
        let refuse = || self.refuse(name, &text, "must be a time like 250ms, 1s or 2m, at most a day");
        let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic());
        let seconds = match &text[digits.len()..] {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            _ => return Err(refuse()),
        };
        match digits.parse::<f64>() {
            Ok(number) if (0.0..=86_400.0).contains(&(number * seconds)) => {
                Ok(Some(Duration::from_secs_f64(number * seconds)))
            }
            _ => Err(refuse()),
        }
    }

    /// A whole number that need not be given.
    pub fn optional_integer(
        &mut self,
        name: &'static str,
        meaning: &'static str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, RuleError> {
        let values = match range.end() {
            &u64::MAX => format!("{}..", range.start()),
            end => format!("{}..{end}", range.start()),
        };
        let text = self.take(name, meaning, values.clone(), "none".to_string());
        if text == "none" {
            return Ok(None);
        }
        match text.parse::<u64>() {
            Ok(value) if range.contains(&value) => Ok(Some(value)),
            _ => Err(self.refuse(name, &text, &format!("must be a whole number in {values}"))),
        }
    }

    /// Any text, which the caller reads; `values` says what may be written.
    pub fn text(&mut self, name: &'static str, meaning: &'static str, values: &str, default: &'static str) -> String {
        self.take(name, meaning, values.to_string(), default.to_string())
    }

    fn refuse(&self, name: &str, text: &str, what: &str) -> RuleError {
        RuleError(format!("{} {name}={text}: {what}", self.noun))
    }

    pub fn integer(
        &mut self,
        name: &'static str,
        meaning: &'static str,
        range: RangeInclusive<usize>,
        default: usize,
    ) -> Result<usize, RuleError> {
        let values = format!("{}..{}", range.start(), range.end());
        let text = self.take(name, meaning, values.clone(), default.to_string());
        match text.parse::<usize>() {
            Ok(value) if range.contains(&value) => {
                self.note(value.to_string()); // `+8` and `08` are 8
                Ok(value)
            }
            _ => Err(self.refuse(name, &text, &format!("must be a whole number in {values}"))),
        }
    }

    pub fn flag(&mut self, name: &'static str, meaning: &'static str, default: bool) -> Result<bool, RuleError> {
        self.choice(name, meaning, &[("false", false), ("true", true)], if default { "true" } else { "false" })
    }

    /// One of several named values.
    pub fn choice<T: Copy>(
        &mut self,
        name: &'static str,
        meaning: &'static str,
        choices: &[(&'static str, T)],
        default: &'static str,
    ) -> Result<T, RuleError> {
        let names: Vec<&str> = choices.iter().map(|&(text, _)| text).collect();
        let values = names.join("|");
        let text = self.take(name, meaning, values.clone(), default.to_string());
        choices
            .iter()
            .find(|&&(choice, _)| choice == text)
            .map(|&(_, value)| value)
            .ok_or_else(|| self.refuse(name, &text, &format!("must be one of {values}")))
    }

    fn take(&mut self, name: &'static str, meaning: &'static str, values: String, default: String) -> String {
        debug_assert!(self.parameters.iter().all(|known| known.name != name), "{name} is read twice");
        let value = self.given.remove(name).unwrap_or_else(|| default.clone());
        self.parameters.push(Parameter { name, values, default, value: value.clone(), meaning });
        value
    }

    /// Puts the value of the parameter that was just read in its usual form.
    fn note(&mut self, value: String) {
        self.parameters.last_mut().expect("a parameter was just read").value = value;
    }

    /// Every parameter that was asked for; an error if one was given that nobody asked for.
    pub fn finish(self) -> Result<Vec<Parameter>, RuleError> {
        let Some(unknown) = self.given.keys().next() else {
            return Ok(self.parameters);
        };
        let known: Vec<&str> = self.parameters.iter().map(|parameter| parameter.name).collect();
        let possible =
            if known.is_empty() { "there are none".to_string() } else { format!("possible: {}", known.join(", ")) };
        Err(RuleError(format!("unknown {} `{unknown}` ({possible})", self.noun)))
    }
}
