//! The inner loops. A tile is a few rows (fields of a board, or samples) by a few vectors of
//! outputs, whose sums stay in registers: six rows by two vectors of eight floats keep both
//! multipliers of an AVX2 core busy.
//!
//! All pointers come from slices whose lengths were checked by the callers in `mod.rs`.

use super::Finish;
use super::lanes::{Lanes, exp};

/// Rows of a tile at most.
pub(crate) const TALLEST: usize = 6;

/// One layer of a convolution over some boards, or of a multiplication over some rows.
#[derive(Clone, Copy)]
pub(super) struct Job {
    pub input: *const f32,
    pub output: *mut f32,
    /// Of the same layout as the output, added before the activation; null for none.
    pub skip: *const f32,
    /// From one board, or one row, to the next.
    pub input_stride: usize,
    /// Of one field or row.
    pub inputs: usize,
    /// From one field, or one row, to the next.
    pub output_stride: usize,
    /// Boards or rows.
    pub count: usize,
    pub rows: usize,
    pub columns: usize,
    pub kernel: usize,
    pub finish: Finish,
}

/// A block of outputs: its weights ordered by place in the kernel, input, output; its biases; the
/// number of its first output.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub weights: *const f32,
    pub bias: *const f32,
    pub first: usize,
}

/// sums[row][vector] += a[row * row_step + k * step] * b[k * b_step + lane], over all k.
///
/// # Safety
/// The pointers are good for all places that are named.
#[inline(always)]
unsafe fn accumulate<L: Lanes, const R: usize, const V: usize>(
    sums: &mut [[L::Vector; V]; R],
    rows: std::ops::Range<usize>,
    (a, row_step, step): (*const f32, usize, usize),
    (b, b_step): (*const f32, usize),
    count: usize,
) {
    unsafe {
        let (mut a, mut b) = (a, b);
        for _ in 0..count {
            let mut vectors = [L::splat(0.0); V];
            for v in 0..V {
                vectors[v] = L::load(b.add(v * L::WIDTH));
            }
            for r in 0..R {
                if r >= rows.start && r < rows.end {
                    let factor = L::splat(*a.wrapping_add(r * row_step));
                    for v in 0..V {
                        sums[r][v] = L::multiply_add(factor, vectors[v], sums[r][v]);
                    }
                }
            }
            a = a.wrapping_add(step);
            b = b.wrapping_add(b_step);
        }
    }
}

/// # Safety
/// As for [`accumulate`].
#[inline(always)]
unsafe fn begin<L: Lanes, const R: usize, const V: usize>(bias: *const f32) -> [[L::Vector; V]; R] {
    unsafe {
        let mut sums = [[L::splat(0.0); V]; R];
        for row in &mut sums {
            for v in 0..V {
                row[v] = L::load(bias.add(v * L::WIDTH));
            }
        }
        sums
    }
}

/// Adds what is skipped to, activates and stores.
///
/// # Safety
/// As for [`accumulate`]; `place` is that of the first row in the output.
#[inline(always)]
unsafe fn finish<L: Lanes, const R: usize, const V: usize>(sums: [[L::Vector; V]; R], job: &Job, place: usize) {
    unsafe {
        for r in 0..R {
            for v in 0..V {
                let place = place + r * job.output_stride + v * L::WIDTH;
                let mut sum = sums[r][v];
                if !job.skip.is_null() {
                    sum = L::add(sum, L::load(job.skip.add(place)));
                }
                sum = match job.finish {
                    Finish::None => sum,
                    Finish::Relu => L::max(sum, L::splat(0.0)),
                    Finish::Leaky(slope) => L::max(sum, L::multiply(sum, L::splat(slope))),
                };
                L::store(job.output.add(place), sum);
            }
        }
    }
}

/// # Safety
/// As for [`accumulate`].
#[inline(always)]
pub(super) unsafe fn convolve<L: Lanes, const V: usize>(job: &Job, block: Block) {
    unsafe {
        match job.kernel {
            1 | 3 => convolve_boards::<L, V, false>(job, block),
            _ => convolve_boards::<L, V, true>(job, block),
        }
    }
}

/// `WIDE` is for kernels of which more than one column may lie outside the board; apart, because it
/// takes registers from the usual ones.
#[inline(always)]
unsafe fn convolve_boards<L: Lanes, const V: usize, const WIDE: bool>(job: &Job, block: Block) {
    let tiles = job.columns.div_ceil(TALLEST);
    for board in 0..job.count {
        for row in 0..job.rows {
            let mut column = 0;
            for tile in 0..tiles {
                let width = job.columns * (tile + 1) / tiles - column;
                unsafe {
                    match width {
                        1 => convolve_tile::<L, 1, V, WIDE>(job, block, board, row, column),
                        2 => convolve_tile::<L, 2, V, WIDE>(job, block, board, row, column),
                        3 => convolve_tile::<L, 3, V, WIDE>(job, block, board, row, column),
                        4 => convolve_tile::<L, 4, V, WIDE>(job, block, board, row, column),
                        5 => convolve_tile::<L, 5, V, WIDE>(job, block, board, row, column),
                        _ => convolve_tile::<L, 6, V, WIDE>(job, block, board, row, column),
                    }
                }
                column += width;
            }
        }
    }
}

/// Fields side by side. What would lie outside the board is left out, which saves a fifth of the
/// work on a board of six by six.
#[inline(always)]
unsafe fn convolve_tile<L: Lanes, const R: usize, const V: usize, const WIDE: bool>(
    job: &Job,
    block: Block,
    board: usize,
    row: usize,
    column: usize,
) {
    let margin = job.kernel / 2;
    let width = V * L::WIDTH;
    let from = job.input.wrapping_add(board * job.input_stride);
    unsafe {
        let mut sums = begin::<L, R, V>(block.bias.add(block.first));
        for kernel_row in margin.saturating_sub(row)..job.kernel.min(job.rows + margin - row) {
            let line = from.wrapping_add((row + kernel_row - margin) * job.columns * job.inputs);
            for kernel_column in 0..job.kernel {
                let weights = block.weights.add((kernel_row * job.kernel + kernel_column) * job.inputs * width);
                let left = margin.saturating_sub(column + kernel_column);
                let right = (column + R + kernel_column).saturating_sub(job.columns + margin);
                let a = line.wrapping_add((column + kernel_column) * job.inputs).wrapping_sub(margin * job.inputs);
                let a = (a, job.inputs, 1);
                let b = (weights, width);
                match (left, right) {
                    (0, 0) => accumulate::<L, R, V>(&mut sums, 0..R, a, b, job.inputs),
                    (1, 0) => accumulate::<L, R, V>(&mut sums, 1..R, a, b, job.inputs),
                    (0, 1) => accumulate::<L, R, V>(&mut sums, 0..R - 1, a, b, job.inputs),
                    _ if !WIDE => {} // a board of one column
                    _ => {
                        for r in left..R.saturating_sub(right) {
                            accumulate::<L, R, V>(&mut sums, r..r + 1, a, b, job.inputs);
                        }
                    }
                }
            }
        }
        finish::<L, R, V>(
            sums,
            job,
            ((board * job.rows + row) * job.columns + column) * job.output_stride + block.first,
        );
    }
}

/// Inputs that are multiplied in one go: their weights stay in the first-level cache while all rows
/// pass over them.
const DEEPEST: usize = 256;

/// # Safety
/// As for [`accumulate`].
#[inline(always)]
pub(super) unsafe fn multiply<L: Lanes, const V: usize>(job: &Job, block: Block) {
    let mut first = 0;
    while first < job.inputs {
        let part = first..job.inputs.min(first + DEEPEST);
        first = part.end;
        let mut row = 0;
        while row < job.count {
            let height = TALLEST.min(job.count - row);
            let part = part.clone();
            unsafe {
                match height {
                    1 => multiply_tile::<L, 1, V>(job, block, row, part),
                    2 => multiply_tile::<L, 2, V>(job, block, row, part),
                    3 => multiply_tile::<L, 3, V>(job, block, row, part),
                    4 => multiply_tile::<L, 4, V>(job, block, row, part),
                    5 => multiply_tile::<L, 5, V>(job, block, row, part),
                    _ => multiply_tile::<L, 6, V>(job, block, row, part),
                }
            }
            row += height;
        }
    }
}

/// Between the first and the last part of the inputs sums wait in the output.
#[inline(always)]
unsafe fn multiply_tile<L: Lanes, const R: usize, const V: usize>(
    job: &Job,
    block: Block,
    row: usize,
    part: std::ops::Range<usize>,
) {
    let place = row * job.output_stride + block.first;
    let width = V * L::WIDTH;
    unsafe {
        let mut sums = match part.start {
            0 => begin::<L, R, V>(block.bias.add(block.first)),
            _ => load::<L, R, V>(job.output.add(place), job.output_stride),
        };
        let a = (job.input.add(row * job.input_stride + part.start), job.input_stride, 1);
        accumulate::<L, R, V>(&mut sums, 0..R, a, (block.weights.add(part.start * width), width), part.len());
        match part.end == job.inputs {
            true => finish::<L, R, V>(sums, job, place),
            false => store::<L, R, V>(sums, job.output.add(place), job.output_stride),
        }
    }
}

/// # Safety
/// As for [`accumulate`].
#[inline(always)]
unsafe fn load<L: Lanes, const R: usize, const V: usize>(from: *const f32, stride: usize) -> [[L::Vector; V]; R] {
    unsafe {
        let mut sums = [[L::splat(0.0); V]; R];
        for r in 0..R {
            for v in 0..V {
                sums[r][v] = L::load(from.add(r * stride + v * L::WIDTH));
            }
        }
        sums
    }
}

/// # Safety
/// As for [`accumulate`].
#[inline(always)]
unsafe fn store<L: Lanes, const R: usize, const V: usize>(sums: [[L::Vector; V]; R], to: *mut f32, stride: usize) {
    unsafe {
        for r in 0..R {
            for v in 0..V {
                L::store(to.add(r * stride + v * L::WIDTH), sums[r][v]);
            }
        }
    }
}

/// Adds rows of a matrix, each times a factor, to sums that begin with `sums`: a multiplication in
/// which only few inputs differ from 0.
///
/// # Safety
/// Every index is that of a row of `matrix`, which has `width` floats, as `sums` has.
#[inline(always)]
pub(super) unsafe fn add_rows<L: Lanes, const V: usize>(
    rows: &[(u32, f32)],
    matrix: *const f32,
    width: usize,
    sums: *mut f32,
) {
    unsafe {
        let mut place = 0;
        while place + V * L::WIDTH <= width {
            add_rows_block::<L, V>(rows, matrix.add(place), width, sums.add(place));
            place += V * L::WIDTH;
        }
        while place < width {
            add_rows_block::<L, 1>(rows, matrix.add(place), width, sums.add(place));
            place += L::WIDTH;
        }
    }
}

#[inline(always)]
unsafe fn add_rows_block<L: Lanes, const V: usize>(
    rows: &[(u32, f32)],
    matrix: *const f32,
    width: usize,
    sums: *mut f32,
) {
    unsafe {
        let mut block = [L::splat(0.0); V];
        for v in 0..V {
            block[v] = L::load(sums.add(v * L::WIDTH));
        }
        for &(row, factor) in rows {
            let from = matrix.add(row as usize * width);
            let factor = L::splat(factor);
            for v in 0..V {
                block[v] = L::multiply_add(factor, L::load(from.add(v * L::WIDTH)), block[v]);
            }
        }
        for v in 0..V {
            L::store(sums.add(v * L::WIDTH), block[v]);
        }
    }
}

/// The gradient of the weights of a layer, added to `gradient`, which is ordered by place in the
/// kernel, input, output. A board of one field makes it that of a multiplication.
///
/// # Safety
/// The pointers are good for all boards. `job.output` holds the gradient of the outputs.
#[inline(always)]
pub(super) unsafe fn weight_gradient<L: Lanes, const V: usize>(
    job: &Job,
    first_output: usize,
    gradient: *mut f32,
    width: usize,
) {
    let mut input = 0;
    while input < job.inputs {
        let height = TALLEST.min(job.inputs - input);
        for place in 0..job.kernel * job.kernel {
            unsafe {
                let target = gradient.add((place * job.inputs + input) * width + first_output);
                match height {
                    1 => gradient_tile::<L, 1, V>(job, place, input, first_output, target, width),
                    2 => gradient_tile::<L, 2, V>(job, place, input, first_output, target, width),
                    3 => gradient_tile::<L, 3, V>(job, place, input, first_output, target, width),
                    4 => gradient_tile::<L, 4, V>(job, place, input, first_output, target, width),
                    5 => gradient_tile::<L, 5, V>(job, place, input, first_output, target, width),
                    _ => gradient_tile::<L, 6, V>(job, place, input, first_output, target, width),
                }
            }
        }
        input += height;
    }
}

#[inline(always)]
unsafe fn gradient_tile<L: Lanes, const R: usize, const V: usize>(
    job: &Job,
    place: usize,
    input: usize,
    first_output: usize,
    target: *mut f32,
    width: usize,
) {
    let margin = job.kernel / 2;
    let (down, right) = (place / job.kernel, place % job.kernel);
    let rows = margin.saturating_sub(down)..job.rows.min(job.rows + margin - down.min(job.rows + margin));
    let first_column = margin.saturating_sub(right);
    let last_column = job.columns.min(job.columns + margin - right.min(job.columns + margin));
    unsafe {
        let mut sums = load::<L, R, V>(target, width);
        let fields = last_column.saturating_sub(first_column);
        for board in 0..job.count {
            let from = job.input.wrapping_add(board * job.input_stride + input);
            for row in rows.clone() {
                let source = (row + down - margin) * job.columns + first_column + right - margin;
                let output = (board * job.rows + row) * job.columns + first_column;
                let a = (from.wrapping_add(source * job.inputs), 1, job.inputs);
                let b = job.output.wrapping_add(output * job.output_stride + first_output).cast_const();
                accumulate::<L, R, V>(&mut sums, 0..R, a, (b, job.output_stride), fields);
            }
        }
        store::<L, R, V>(sums, target, width);
    }
}

/// Scaled exponential linear units in place.
///
/// # Safety
/// `values` is good for `count` floats, a multiple of the width.
#[inline(always)]
pub(super) unsafe fn selu<L: Lanes>(values: *mut f32, count: usize, scale: f32, alpha: f32) {
    unsafe {
        for place in (0..count).step_by(L::WIDTH) {
            let x = L::load(values.add(place));
            let zero = L::splat(0.0);
            let negative = L::subtract(exp::<L>(L::min(x, zero)), L::splat(1.0));
            let sum = L::multiply_add(negative, L::splat(scale * alpha), L::multiply(L::max(x, zero), L::splat(scale)));
            L::store(values.add(place), sum);
        }
    }
}

/// Hyperbolic tangents in place.
///
/// # Safety
/// As for [`selu`].
#[inline(always)]
pub(super) unsafe fn tanh<L: Lanes>(values: *mut f32, count: usize) {
    unsafe {
        for place in (0..count).step_by(L::WIDTH) {
            let x = L::min(L::max(L::load(values.add(place)), L::splat(-10.0)), L::splat(10.0));
            let power = exp::<L>(L::add(x, x));
            let one = L::splat(1.0);
            L::store(values.add(place), L::divide(L::subtract(power, one), L::add(power, one)));
        }
    }
}
