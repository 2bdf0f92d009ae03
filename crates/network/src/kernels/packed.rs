//! Weights in the order in which the kernels read them.

use super::{Instructions, PAD, widest};

/// The number of channels that are stored for so many.
pub const fn padded(channels: usize) -> usize {
    channels.next_multiple_of(PAD)
}

/// Floats that begin at a multiple of 64 bytes.
#[derive(Clone, Debug, Default)]
pub struct Aligned {
    lines: Vec<Line>,
    length: usize,
}

#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line([f32; 16]);

impl Aligned {
    pub fn zeroed(length: usize) -> Aligned {
        Aligned { lines: vec![Line([0.0; 16]); length.div_ceil(16)], length }
    }
}

impl std::ops::Deref for Aligned {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        // Sound: a line is 16 floats without padding, and there are enough of them.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.length) }
    }
}

impl std::ops::DerefMut for Aligned {
    fn deref_mut(&mut self) -> &mut [f32] {
        // Sound: as above.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.length) }
    }
}

/// The weights and biases of a layer. Every block of outputs is on its own: by place in the kernel,
/// input, output.
#[derive(Clone, Debug)]
pub struct Packed {
    kernel: usize,
    inputs: usize,
    outputs: usize,
    widths: Vec<usize>,
    values: Aligned,
    bias: Aligned,
}

impl Packed {
    /// All zeros, for a kernel of so many rows and columns.
    pub fn zeroed(instructions: Instructions, kernel: usize, inputs: usize, outputs: usize) -> Packed {
        let outputs = padded(outputs);
        let mut widths = Vec::new();
        let mut left = outputs;
        for width in [widest(instructions), 2 * PAD, PAD] {
            while left >= width {
                widths.push(width);
                left -= width;
            }
        }
        let values = Aligned::zeroed(kernel * kernel * inputs * outputs);
        Packed { kernel, inputs, outputs, widths, values, bias: Aligned::zeroed(outputs) }
    }

    pub fn kernel(&self) -> usize {
        self.kernel
    }

    /// Stored inputs of one field.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Stored outputs of one field.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    pub fn bias(&self) -> &[f32] {
        &self.bias
    }

    pub fn bias_mut(&mut self) -> &mut [f32] {
        &mut self.bias
    }

    /// Sets all weights. `weight` is asked for each place in the kernel, stored input and stored
    /// output, and says 0 for padding.
    pub fn fill(&mut self, mut weight: impl FnMut(usize, usize, usize) -> f32) {
        let (mut first, mut place) = (0, 0);
        for &width in &self.widths {
            for kernel_place in 0..self.kernel * self.kernel {
                for input in 0..self.inputs {
                    for output in first..first + width {
                        self.values[place] = weight(kernel_place, input, output);
                        place += 1;
                    }
                }
            }
            first += width;
        }
    }

    /// The first output, the width and the weights of each block.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (usize, usize, &[f32])> {
        let of_one_output = self.kernel * self.kernel * self.inputs;
        let mut first = 0;
        self.widths.iter().map(move |&width| {
            let values = &self.values[first * of_one_output..][..width * of_one_output];
            first += width;
            (first - width, width, values)
        })
    }
}
