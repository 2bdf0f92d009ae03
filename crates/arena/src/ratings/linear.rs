//! Symmetric positive definite matrices, as small as the number of agents.

/// The inverse by Cholesky's decomposition.
pub(super) fn inverse(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let lower = cholesky(matrix);
    let column = |unit: usize| {
        let mut forward = vec![0.0; size];
        for row in unit..size {
            let known: f64 = (unit..row).map(|other| lower[row][other] * forward[other]).sum();
            forward[row] = (f64::from(u8::from(row == unit)) - known) / lower[row][row];
        }
        let mut solution = vec![0.0; size];
        for row in (0..size).rev() {
            let known: f64 = (row + 1..size).map(|other| lower[other][row] * solution[other]).sum();
            solution[row] = (forward[row] - known) / lower[row][row];
        }
        solution
    };
    (0..size).map(column).collect()
}

fn cholesky(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut lower = vec![vec![0.0; size]; size];
    for row in 0..size {
        for column in 0..=row {
            let known: f64 = (0..column).map(|other| lower[row][other] * lower[column][other]).sum();
            let rest = matrix[row][column] - known;
            lower[row][column] = match row == column {
                true => rest.sqrt(),
                false => rest / lower[column][column],
            };
        }
    }
    lower
}

pub(super) fn times(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    let product = |row: &Vec<f64>| row.iter().zip(vector).map(|(a, b)| a * b).sum();
    matrix.iter().map(product).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_undoes() {
        let matrix = vec![vec![4.0, -2.0, 1.0], vec![-2.0, 5.0, 0.5], vec![1.0, 0.5, 3.0]];
        let inverse = inverse(&matrix);
        for (row, column) in (0..3).flat_map(|row| (0..3).map(move |column| (row, column))) {
            let entry = times(&inverse, &matrix[column])[row];
            assert!((entry - f64::from(u8::from(row == column))).abs() < 1e-12, "{row} {column}: {entry}");
        }
    }
}
