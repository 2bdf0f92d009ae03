//! Vectors of floats on three kinds of processors. A kernel is written once over [`Lanes`] and
//! compiled for each of them.

/// Several floats at once. All functions are only called by code that is compiled for a processor
/// that has the instructions.
pub(super) trait Lanes {
    type Vector: Copy;
    const WIDTH: usize;

    unsafe fn splat(value: f32) -> Self::Vector;
    unsafe fn load(from: *const f32) -> Self::Vector;
    unsafe fn store(to: *mut f32, vector: Self::Vector);
    unsafe fn add(a: Self::Vector, b: Self::Vector) -> Self::Vector;
    unsafe fn subtract(a: Self::Vector, b: Self::Vector) -> Self::Vector;
    unsafe fn multiply(a: Self::Vector, b: Self::Vector) -> Self::Vector;
    unsafe fn divide(a: Self::Vector, b: Self::Vector) -> Self::Vector;
    unsafe fn max(a: Self::Vector, b: Self::Vector) -> Self::Vector;
    unsafe fn min(a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// a * b + c.
    unsafe fn multiply_add(a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    /// 2 to the power of whole numbers between -126 and 127, given as `n + MAGIC`.
    unsafe fn power_of_two(shifted: Self::Vector) -> Self::Vector;
}

/// Adding it to a small float leaves the nearest whole number in the low bits.
pub(super) const MAGIC: f32 = 12_582_912.0; // 1.5 * 2^23

/// e to the power of each lane, to about 1e-7 of it, for lanes up to 88; below -87 it stays at e^-87.
#[inline(always)]
pub(super) unsafe fn exp<L: Lanes>(x: L::Vector) -> L::Vector {
    unsafe {
        let x = L::min(L::max(x, L::splat(-87.0)), L::splat(88.0));
        let shifted = L::multiply_add(x, L::splat(std::f32::consts::LOG2_E), L::splat(MAGIC));
        let whole = L::subtract(shifted, L::splat(MAGIC));
        let mut rest = L::multiply_add(whole, L::splat(-0.693_359_4), x); // ln 2 in two parts
        rest = L::multiply_add(whole, L::splat(2.121_944_4e-4), rest);
        let mut sum = L::splat(1.987_569_1e-4);
        for coefficient in [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_65, 0.5] {
            sum = L::multiply_add(sum, rest, L::splat(coefficient));
        }
        let square = L::multiply(rest, rest);
        let power = L::add(L::multiply_add(sum, square, rest), L::splat(1.0));
        L::multiply(power, L::power_of_two(shifted))
    }
}

/// Eight floats as an array, for processors without wider instructions.
pub(super) enum Portable {}

impl Lanes for Portable {
    type Vector = [f32; 8];
    const WIDTH: usize = 8;

    #[inline(always)]
    unsafe fn splat(value: f32) -> [f32; 8] {
        [value; 8]
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> [f32; 8] {
        unsafe { from.cast::<[f32; 8]>().read() }
    }
    #[inline(always)]
    unsafe fn store(to: *mut f32, vector: [f32; 8]) {
        unsafe { to.cast::<[f32; 8]>().write(vector) }
    }
    #[inline(always)]
    unsafe fn add(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|lane| a[lane] + b[lane])
    }
    #[inline(always)]
    unsafe fn subtract(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|lane| a[lane] - b[lane])
    }
    #[inline(always)]
    unsafe fn multiply(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|lane| a[lane] * b[lane])
    }
    #[inline(always)]
    unsafe fn divide(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|lane| a[lane] / b[lane])
    }
    #[inline(always)]
    unsafe fn max(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|lane| if a[lane] > b[lane] { a[lane] } else { b[lane] })
    }
    #[inline(always)]
    unsafe fn min(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|lane| if a[lane] < b[lane] { a[lane] } else { b[lane] })
    }
    #[inline(always)]
    unsafe fn multiply_add(a: [f32; 8], b: [f32; 8], c: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|lane| a[lane] * b[lane] + c[lane])
    }
    #[inline(always)]
    unsafe fn power_of_two(shifted: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|lane| f32::from_bits(shifted[lane].to_bits().wrapping_add(127) << 23))
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::Lanes;

    /// AVX2 with fused multiply-add.
    pub(crate) enum Avx2 {}

    impl Lanes for Avx2 {
        type Vector = __m256;
        const WIDTH: usize = 8;

        #[inline(always)]
        unsafe fn splat(value: f32) -> __m256 {
            unsafe { _mm256_set1_ps(value) }
        }
        #[inline(always)]
        unsafe fn load(from: *const f32) -> __m256 {
            unsafe { _mm256_loadu_ps(from) }
        }
        #[inline(always)]
        unsafe fn store(to: *mut f32, vector: __m256) {
            unsafe { _mm256_storeu_ps(to, vector) }
        }
        #[inline(always)]
        unsafe fn add(a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_add_ps(a, b) }
        }
        #[inline(always)]
        unsafe fn subtract(a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_sub_ps(a, b) }
        }
        #[inline(always)]
        unsafe fn multiply(a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_mul_ps(a, b) }
        }
        #[inline(always)]
        unsafe fn divide(a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_div_ps(a, b) }
        }
        #[inline(always)]
        unsafe fn max(a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_max_ps(a, b) }
        }
        #[inline(always)]
        unsafe fn min(a: __m256, b: __m256) -> __m256 {
            unsafe { _mm256_min_ps(a, b) }
        }
        #[inline(always)]
        unsafe fn multiply_add(a: __m256, b: __m256, c: __m256) -> __m256 {
            unsafe { _mm256_fmadd_ps(a, b, c) }
        }
        #[inline(always)]
        unsafe fn power_of_two(shifted: __m256) -> __m256 {
            unsafe {
                let biased = _mm256_add_epi32(_mm256_castps_si256(shifted), _mm256_set1_epi32(127));
                _mm256_castsi256_ps(_mm256_slli_epi32::<23>(biased))
            }
        }
    }

    /// AVX-512 foundation.
    pub(crate) enum Avx512 {}

    impl Lanes for Avx512 {
        type Vector = __m512;
        const WIDTH: usize = 16;

        #[inline(always)]
        unsafe fn splat(value: f32) -> __m512 {
            unsafe { _mm512_set1_ps(value) }
        }
        #[inline(always)]
        unsafe fn load(from: *const f32) -> __m512 {
            unsafe { _mm512_loadu_ps(from) }
        }
        #[inline(always)]
        unsafe fn store(to: *mut f32, vector: __m512) {
            unsafe { _mm512_storeu_ps(to, vector) }
        }
        #[inline(always)]
        unsafe fn add(a: __m512, b: __m512) -> __m512 {
            unsafe { _mm512_add_ps(a, b) }
        }
        #[inline(always)]
        unsafe fn subtract(a: __m512, b: __m512) -> __m512 {
            unsafe { _mm512_sub_ps(a, b) }
        }
        #[inline(always)]
        unsafe fn multiply(a: __m512, b: __m512) -> __m512 {
            unsafe { _mm512_mul_ps(a, b) }
        }
        #[inline(always)]
        unsafe fn divide(a: __m512, b: __m512) -> __m512 {
            unsafe { _mm512_div_ps(a, b) }
        }
        #[inline(always)]
        unsafe fn max(a: __m512, b: __m512) -> __m512 {
            unsafe { _mm512_max_ps(a, b) }
        }
        #[inline(always)]
        unsafe fn min(a: __m512, b: __m512) -> __m512 {
            unsafe { _mm512_min_ps(a, b) }
        }
        #[inline(always)]
        unsafe fn multiply_add(a: __m512, b: __m512, c: __m512) -> __m512 {
            unsafe { _mm512_fmadd_ps(a, b, c) }
        }
        #[inline(always)]
        unsafe fn power_of_two(shifted: __m512) -> __m512 {
            unsafe {
                let biased = _mm512_add_epi32(_mm512_castps_si512(shifted), _mm512_set1_epi32(127));
                _mm512_castsi512_ps(_mm512_slli_epi32::<23>(biased))
            }
        }
    }
}
