//! The arithmetic of networks on the CPU: dense layers and convolutions over weights packed in
//! blocks of outputs, with what follows them (bias, sum, activation) done before results are
//! stored, and the gradients of weights.
//!
//! Numbers of channels are padded to a multiple of [`PAD`] wherever results are stored; padding
//! holds zeros. Code for AVX-512, AVX2 and any processor is chosen when the program runs.
//!
//! `unsafe` is needed for the vector instructions and for loads without bounds checks. Against safe
//! loops that the compiler vectorises by itself it gains a factor of about four (`meeple bench
//! network`). Lengths are checked once for each layer, here.
#![allow(unsafe_code)]

mod lanes;
mod packed;
mod tiles;

use std::sync::OnceLock;

pub use packed::{Aligned, Packed, padded};

pub(crate) use tiles::TALLEST;

use lanes::Portable;
use tiles::{Block, Job};

/// Stored channels are a multiple of this.
pub const PAD: usize = 8;

/// The instructions that are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Instructions {
    Portable,
    Avx2,
    Avx512,
}

impl Instructions {
    /// The best that this processor has; `MEEPLE_INSTRUCTIONS` can ask for less.
    pub fn detect() -> Instructions {
        static FOUND: OnceLock<Instructions> = OnceLock::new();
        *FOUND.get_or_init(|| match std::env::var("MEEPLE_INSTRUCTIONS").as_deref() {
            Ok("portable") => Instructions::Portable,
            Ok("avx2") => Instructions::best().min(Instructions::Avx2),
            _ => Instructions::best(),
        })
    }

    #[cfg(target_arch = "x86_64")]
    fn best() -> Instructions {
        let has_avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        match has_avx2 {
            true if is_x86_feature_detected!("avx512f") => Instructions::Avx512,
            true => Instructions::Avx2,
            false => Instructions::Portable,
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn best() -> Instructions {
        Instructions::Portable
    }

    /// Those that can be used here, the plainest first.
    pub fn available() -> Vec<Instructions> {
        let all = [Instructions::Portable, Instructions::Avx2, Instructions::Avx512];
        all.into_iter().filter(|&some| some <= Instructions::best()).collect()
    }
}

/// What happens to a sum before it is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Finish {
    None,
    Relu,
    /// Negative sums are multiplied by this, which is between 0 and 1.
    Leaky(f32),
}

/// Several boards, or rows of one field each, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Boards<'a> {
    pub values: &'a [f32],
    /// From one board to the next; at least as long as a board.
    pub stride: usize,
    pub count: usize,
    pub rows: usize,
    pub columns: usize,
    /// Stored for each field.
    pub channels: usize,
}

impl Boards<'_> {
    /// Single rows.
    pub fn rows(values: &[f32], stride: usize, count: usize, channels: usize) -> Boards<'_> {
        Boards { values, stride, count, rows: 1, columns: 1, channels }
    }

    fn fields(&self) -> usize {
        self.rows * self.columns
    }

    fn check(&self) {
        assert!(self.stride >= self.fields() * self.channels && self.fields() > 0);
        let needed = self.count.saturating_sub(1) * self.stride + self.fields() * self.channels;
        assert!(self.count == 0 || self.values.len() >= needed, "the input is too short");
    }
}

/// A convolution, or with a kernel of one field a multiplication of every field, into `output`,
/// which has `weights.outputs()` floats for each field. `skip` is of the same layout and is added
/// before the activation.
pub fn convolve(
    instructions: Instructions,
    input: Boards<'_>,
    weights: &Packed,
    skip: Option<&[f32]>,
    finish: Finish,
    output: &mut [f32],
) {
    input.check();
    assert!(instructions <= Instructions::best());
    assert_eq!(input.channels, weights.inputs(), "the weights are for another number of channels");
    let results = input.count * input.fields() * weights.outputs();
    assert!(output.len() >= results && skip.is_none_or(|skip| skip.len() >= results), "the output is too short");
    let is_flat = weights.kernel() == 1 && (input.fields() == 1 || input.stride == input.fields() * input.channels);
    let mut job = Job {
        input: input.values.as_ptr(),
        output: output.as_mut_ptr(),
        skip: skip.map_or(std::ptr::null(), <[f32]>::as_ptr),
        input_stride: input.stride,
        inputs: input.channels,
        output_stride: weights.outputs(),
        count: input.count,
        rows: input.rows,
        columns: input.columns,
        kernel: weights.kernel(),
        finish,
    };
    if is_flat && input.fields() > 1 {
        job.count *= input.fields();
        job.input_stride = input.channels;
    }
    for (first, width, values) in weights.blocks() {
        let block = Block { weights: values.as_ptr(), bias: weights.bias().as_ptr(), first };
        // Sound: lengths were checked above, and the instructions are there.
        unsafe {
            match is_flat {
                true => multiply_block(instructions, &job, block, width),
                false => convolve_block(instructions, &job, block, width),
            }
        }
    }
}

/// Adds to `gradient`, ordered as unpacked weights with padded outputs (place in the kernel, input,
/// output), what `outputs`, the gradient of the results of [`convolve`], makes of it.
pub fn weight_gradient(
    instructions: Instructions,
    input: Boards<'_>,
    kernel: usize,
    outputs: (&[f32], usize),
    gradient: &mut [f32],
) {
    input.check();
    let (values, width) = outputs;
    assert!(instructions <= Instructions::best());
    assert!(width.is_multiple_of(PAD) && kernel % 2 == 1);
    assert!(values.len() >= input.count * input.fields() * width, "the gradient of the outputs is too short");
    assert!(gradient.len() >= kernel * kernel * input.channels * width, "the gradient is too short");
    // Groups of boards stay in the cache while all tiles pass over them.
    let group = (16_384 / (input.fields() * (input.channels + width))).clamp(1, input.count.max(1));
    let mut first = 0;
    while first < input.count {
        let job = Job {
            input: input.values[first * input.stride..].as_ptr(),
            output: values[first * input.fields() * width..].as_ptr().cast_mut(),
            skip: std::ptr::null(),
            input_stride: input.stride,
            inputs: input.channels,
            output_stride: width,
            count: group.min(input.count - first),
            rows: input.rows,
            columns: input.columns,
            kernel,
            finish: Finish::None,
        };
        let mut output = 0;
        while output < width {
            let block = if width - output >= 2 * PAD { 2 * PAD } else { PAD };
            // Sound: as in `convolve`; the outputs are only read.
            unsafe { gradient_block(instructions, &job, output, block, gradient.as_mut_ptr(), width) }
            output += block;
        }
        first += group;
    }
}

/// Adds rows of a matrix of `width` columns, each times its factor, to `sums`.
pub fn add_rows(instructions: Instructions, rows: &[(u32, f32)], matrix: &[f32], width: usize, sums: &mut [f32]) {
    assert!(instructions <= Instructions::best());
    assert!(width.is_multiple_of(PAD) && sums.len() >= width);
    let most = matrix.len() / width;
    assert!(rows.iter().all(|&(row, _)| (row as usize) < most), "a row that the matrix does not have");
    // Sound: all rows are within the matrix.
    unsafe {
        match instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 | Instructions::Avx2 => x86::add_rows(rows, matrix.as_ptr(), width, sums.as_mut_ptr()),
            _ => tiles::add_rows::<Portable, 4>(rows, matrix.as_ptr(), width, sums.as_mut_ptr()),
        }
    }
}

/// Scaled exponential linear units in place; the length is a multiple of [`PAD`].
pub fn selu(instructions: Instructions, values: &mut [f32], scale: f32, alpha: f32) {
    assert!(values.len().is_multiple_of(PAD) && instructions <= Instructions::best());
    // Sound: the length is a multiple of the width.
    unsafe {
        match instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 | Instructions::Avx2 => x86::selu(values.as_mut_ptr(), values.len(), scale, alpha),
            _ => tiles::selu::<Portable>(values.as_mut_ptr(), values.len(), scale, alpha),
        }
    }
}

/// Hyperbolic tangents in place; the length is a multiple of [`PAD`].
pub fn tanh(instructions: Instructions, values: &mut [f32]) {
    assert!(values.len().is_multiple_of(PAD) && instructions <= Instructions::best());
    // Sound: the length is a multiple of the width.
    unsafe {
        match instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 | Instructions::Avx2 => x86::tanh(values.as_mut_ptr(), values.len()),
            _ => tiles::tanh::<Portable>(values.as_mut_ptr(), values.len()),
        }
    }
}

/// The widest block of outputs that these instructions like.
fn widest(instructions: Instructions) -> usize {
    match instructions {
        Instructions::Avx512 => 64,
        _ => 2 * PAD,
    }
}

unsafe fn convolve_block(instructions: Instructions, job: &Job, block: Block, width: usize) {
    debug_assert!(width <= widest(instructions));
    unsafe {
        match (instructions, width) {
            #[cfg(target_arch = "x86_64")]
            (Instructions::Avx512, 64) => x86::convolve_64(job, block),
            #[cfg(target_arch = "x86_64")]
            (Instructions::Avx512 | Instructions::Avx2, 16) => x86::convolve_16(job, block),
            #[cfg(target_arch = "x86_64")]
            (Instructions::Avx512 | Instructions::Avx2, _) => x86::convolve_8(job, block),
            (_, 16) => tiles::convolve::<Portable, 2>(job, block),
            _ => tiles::convolve::<Portable, 1>(job, block),
        }
    }
}

unsafe fn multiply_block(instructions: Instructions, job: &Job, block: Block, width: usize) {
    debug_assert!(width <= widest(instructions));
    unsafe {
        match (instructions, width) {
            #[cfg(target_arch = "x86_64")]
            (Instructions::Avx512, 64) => x86::multiply_64(job, block),
            #[cfg(target_arch = "x86_64")]
            (Instructions::Avx512 | Instructions::Avx2, 16) => x86::multiply_16(job, block),
            #[cfg(target_arch = "x86_64")]
            (Instructions::Avx512 | Instructions::Avx2, _) => x86::multiply_8(job, block),
            (_, 16) => tiles::multiply::<Portable, 2>(job, block),
            _ => tiles::multiply::<Portable, 1>(job, block),
        }
    }
}

unsafe fn gradient_block(
    instructions: Instructions,
    job: &Job,
    output: usize,
    block: usize,
    gradient: *mut f32,
    width: usize,
) {
    unsafe {
        match (instructions, block) {
            #[cfg(target_arch = "x86_64")]
            (Instructions::Avx512 | Instructions::Avx2, 16) => x86::gradient_16(job, output, gradient, width),
            #[cfg(target_arch = "x86_64")]
            (Instructions::Avx512 | Instructions::Avx2, _) => x86::gradient_8(job, output, gradient, width),
            (_, 16) => tiles::weight_gradient::<Portable, 2>(job, output, gradient, width),
            _ => tiles::weight_gradient::<Portable, 1>(job, output, gradient, width),
        }
    }
}

/// The kernels compiled for wider instructions.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::lanes::{Avx2, Avx512};
    use super::tiles::{self, Block, Job};

    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn convolve_64(job: &Job, block: Block) {
        unsafe { tiles::convolve::<Avx512, 4>(job, block) }
    }
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn multiply_64(job: &Job, block: Block) {
        unsafe { tiles::multiply::<Avx512, 4>(job, block) }
    }
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn convolve_16(job: &Job, block: Block) {
        unsafe { tiles::convolve::<Avx2, 2>(job, block) }
    }
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn convolve_8(job: &Job, block: Block) {
        unsafe { tiles::convolve::<Avx2, 1>(job, block) }
    }
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn multiply_16(job: &Job, block: Block) {
        unsafe { tiles::multiply::<Avx2, 2>(job, block) }
    }
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn multiply_8(job: &Job, block: Block) {
        unsafe { tiles::multiply::<Avx2, 1>(job, block) }
    }
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn gradient_16(job: &Job, output: usize, gradient: *mut f32, width: usize) {
        unsafe { tiles::weight_gradient::<Avx2, 2>(job, output, gradient, width) }
    }
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn gradient_8(job: &Job, output: usize, gradient: *mut f32, width: usize) {
        unsafe { tiles::weight_gradient::<Avx2, 1>(job, output, gradient, width) }
    }
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn add_rows(rows: &[(u32, f32)], matrix: *const f32, width: usize, sums: *mut f32) {
        unsafe { tiles::add_rows::<Avx2, 8>(rows, matrix, width, sums) }
    }
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn selu(values: *mut f32, count: usize, scale: f32, alpha: f32) {
        unsafe { tiles::selu::<Avx2>(values, count, scale, alpha) }
    }
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn tanh(values: *mut f32, count: usize) {
        unsafe { tiles::tanh::<Avx2>(values, count) }
    }
}
