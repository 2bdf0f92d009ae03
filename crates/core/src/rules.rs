//! The parameters of a game as text: `rows=5,columns=5` on the command line, an object in a record.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

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
}

impl RuleReader {
    pub fn new(rules: &Rules) -> RuleReader {
        RuleReader { given: rules.0.clone(), parameters: Vec::new() }
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
            _ => Err(RuleError(format!("rule {name}={text}: must be a whole number in {values}"))),
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
            .ok_or_else(|| RuleError(format!("rule {name}={text}: must be one of {values}")))
    }

    fn take(&mut self, name: &'static str, meaning: &'static str, values: String, default: String) -> String {
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
            if known.is_empty() { "this game has none".to_string() } else { format!("possible: {}", known.join(", ")) };
        Err(RuleError(format!("unknown rule `{unknown}` ({possible})")))
    }
}
