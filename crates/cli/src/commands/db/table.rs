//! Tables as text, as comma-separated values and as JSON.

use std::io::Write;

use meeple_store::{Table, Value};
use serde_json::json;

/// Aligned columns; numbers with at most four decimals.
pub(super) fn write_text(out: &mut dyn Write, table: &Table) -> std::io::Result<()> {
    let rows: Vec<Vec<String>> = table.rows.iter().map(|row| row.iter().map(short).collect()).collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([table.columns[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
    let is_text = |column: usize| table.rows.iter().any(|row| matches!(row[column], Value::Text(_)));
    let left: Vec<bool> = (0..table.columns.len()).map(is_text).collect();
    for row in std::iter::once(&table.columns).chain(&rows) {
        let cells = row.iter().zip(&widths).zip(&left).map(|((cell, &width), left)| match left {
            true => format!("{cell:<width$}"),
            false => format!("{cell:>width$}"),
        });
        let cells: Vec<String> = cells.collect();
        writeln!(out, "{}", cells.join("  ").trim_end())?;
    }
    Ok(())
}

pub(super) fn write_csv(out: &mut dyn Write, table: &Table) -> std::io::Result<()> {
    let columns: Vec<String> = table.columns.iter().map(|name| quoted(name)).collect();
    writeln!(out, "{}", columns.join(","))?;
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(|value| quoted(&exact(value))).collect();
        writeln!(out, "{}", cells.join(","))?;
    }
    Ok(())
}

pub(super) fn json_rows(table: &Table) -> Vec<Vec<serde_json::Value>> {
    let cell = |value: &Value| match value {
        Value::Null => json!(null),
        Value::Integer(number) => json!(number),
        Value::Real(number) => json!(number),
        Value::Text(text) => json!(text),
    };
    table.rows.iter().map(|row| row.iter().map(cell).collect()).collect()
}

pub(super) fn short(value: &Value) -> String {
    match value {
        Value::Null => "-".to_string(),
        Value::Real(number) if number.abs() < 1e9 => format!("{:.4}", number),
        _ => exact(value),
    }
}

/// Nothing for nothing.
fn exact(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => text.clone(),
    }
}

fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_string(),
    }
}
