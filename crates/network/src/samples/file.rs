//! Samples in a file, so that a run can go on where it was interrupted.
//!
//! All numbers are little-endian. The file begins with eight letters, the number of floats of an
//! input and of what is hidden (u32 each) and the number of samples (u64). For each sample
//! follow its key (u64), weight (f32), six payoffs (f32), the number of legal policy indices (u32), these
//! indices (u16) and their shares (f32), and the words (u32) of its packed input and of what is hidden.
//! A checksum (u64) of all that ends the file. Decisions that a policy learns from at once are not kept.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::{fmt, iter};

use meeple_core::rng::mix;
use meeple_core::{MAX_PLAYERS, Payoffs};

use super::{Packed, Sample};

const LETTERS: &[u8; 8] = b"MEEPLES2";
/// Of files from before what is hidden was kept: they have one length fewer.
const OLD_LETTERS: &[u8; 8] = b"MEEPLES1";
/// Larger files are refused.
const LARGEST_FILE: u64 = 1 << 34;
/// No input has more floats.
const LONGEST_INPUT: usize = 1 << 21;
/// There are no more policy indices.
const MOST_LEGAL: usize = 1 << 16;
/// How far the sum of a policy may be from 1.
const TOLERANCE: f32 = 1e-3;

/// Why a file was not written, or is no file of samples.
#[derive(Debug)]
pub enum SampleError {
    Io(PathBuf, io::Error),
    /// Not of the format, cut short, or with numbers that make no sense.
    Damaged(PathBuf, &'static str),
}

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SampleError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            SampleError::Damaged(path, why) => write!(f, "{} is not a usable file of samples: {why}", path.display()),
        }
    }
}

impl std::error::Error for SampleError {}

/// Writes beside the place and moves it there, so that there is never half a file. All samples have
/// inputs of the same length.
pub fn write(path: &Path, samples: &[Sample]) -> Result<(), SampleError> {
    let part = path.with_extension("part");
    let written = write_to(&part, samples).and_then(|()| fs::rename(&part, path));
    written.map_err(|error| SampleError::Io(path.to_path_buf(), error))
}

fn write_to(path: &Path, samples: &[Sample]) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    let mut checksum = Checksum::default();
    let mut bytes = Vec::new();
    let lengths = |sample: &Sample| [&sample.input, &sample.hidden].map(Packed::len);
    let common = samples.first().map_or([0; 2], lengths);
    bytes.extend(LETTERS);
    common.iter().for_each(|&length| bytes.extend((length as u32).to_le_bytes()));
    bytes.extend((samples.len() as u64).to_le_bytes());
    for sample in samples {
        assert_eq!(lengths(sample), common, "inputs of different lengths do not go into one file");
        append(sample, &mut bytes);
        checksum.take_whole_words(&mut bytes, &mut out)?;
    }
    checksum.finish(&bytes);
    out.write_all(&bytes)?;
    out.write_all(&checksum.0.to_le_bytes())?;
    out.into_inner()?.sync_all()
}

fn append(sample: &Sample, bytes: &mut Vec<u8>) {
    bytes.extend(sample.key.to_le_bytes());
    for number in iter::once(sample.weight).chain(sample.payoffs) {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend((sample.legal.len() as u32).to_le_bytes());
    sample.legal.iter().for_each(|index| bytes.extend(index.to_le_bytes()));
    sample.policy.iter().for_each(|share| bytes.extend(share.to_le_bytes()));
    let words = sample.input.words().iter().chain(sample.hidden.words());
    words.for_each(|word| bytes.extend(word.to_le_bytes()));
}

pub fn read(path: &Path) -> Result<Vec<Sample>, SampleError> {
    let io_error = |error| SampleError::Io(path.to_path_buf(), error);
    let damaged = |why| SampleError::Damaged(path.to_path_buf(), why);
    if fs::metadata(path).map_err(io_error)?.len() > LARGEST_FILE {
        return Err(damaged("it is too large"));
    }
    parse(&fs::read(path).map_err(io_error)?).map_err(damaged)
}

/// The reason, if these bytes are no samples.
fn parse(bytes: &[u8]) -> Result<Vec<Sample>, &'static str> {
    let (content, sum) = bytes.split_last_chunk::<8>().ok_or("it is too short")?;
    let is_old = content.starts_with(OLD_LETTERS);
    if !is_old && !content.starts_with(LETTERS) {
        return Err("it does not begin like one");
    }
    let mut checksum = Checksum::default();
    checksum.finish(content);
    if checksum.0 != u64::from_le_bytes(*sum) {
        return Err("its checksum is wrong: it was cut short or changed");
    }
    let mut reader = Reader(&content[LETTERS.len()..]);
    let own = u32::from_le_bytes(reader.take()?) as usize;
    let lengths = [own, if is_old { 0 } else { u32::from_le_bytes(reader.take()?) as usize }];
    let count = u64::from_le_bytes(reader.take()?);
    if lengths.iter().any(|&length| length > LONGEST_INPUT) {
        return Err("its inputs are too long");
    }
    let mut samples = Vec::new();
    for _ in 0..count {
        samples.push(reader.sample(lengths)?);
    }
    if reader.0.is_empty() { Ok(samples) } else { Err("something follows the last sample") }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], &'static str> {
        let (first, rest) = self.0.split_first_chunk().ok_or("a sample is cut short")?;
        self.0 = rest;
        Ok(*first)
    }

    /// So many numbers; memory is only used for those that are there.
    fn list<const N: usize, T>(&mut self, count: usize, number: impl Fn([u8; N]) -> T) -> Result<Vec<T>, &'static str> {
        let (list, rest) = self.0.split_at_checked(N.saturating_mul(count)).ok_or("a sample is cut short")?;
        self.0 = rest;
        Ok(list.as_chunks().0.iter().map(|&bytes| number(bytes)).collect())
    }

    fn packed(&mut self, length: usize) -> Result<Packed, &'static str> {
        let mut words = self.list(2 * length.div_ceil(32), u32::from_le_bytes)?;
        words.extend(self.list(Packed::others(length, &words), u32::from_le_bytes)?);
        Packed::from_words(length, words.into()).ok_or("an input makes no sense")
    }

    fn sample(&mut self, [input, hidden]: [usize; 2]) -> Result<Sample, &'static str> {
        let key = u64::from_le_bytes(self.take()?);
        let weight = f32::from_le_bytes(self.take()?);
        let mut payoffs = Payoffs::default();
        for payoff in &mut payoffs[..MAX_PLAYERS] {
            *payoff = f32::from_le_bytes(self.take()?);
        }
        let count = u32::from_le_bytes(self.take()?) as usize;
        if count > MOST_LEGAL {
            return Err("a sample has too many legal actions");
        }
        let legal = self.list(count, u16::from_le_bytes)?.into_boxed_slice();
        let policy = self.list(count, f32::from_le_bytes)?.into_boxed_slice();
        let (input, hidden) = (self.packed(input)?, self.packed(hidden)?);
        check(Sample { input, hidden, legal, policy, drawn: None, payoffs, key, weight })
    }
}

fn check(sample: Sample) -> Result<Sample, &'static str> {
    let Sample { legal, policy, payoffs, weight, .. } = &sample;
    if legal.is_empty() || legal.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Err("the legal actions of a sample are not in order");
    }
    let shares = policy.iter().all(|share| (0.0..=1.0).contains(share));
    let sum: f32 = policy.iter().sum();
    if !shares || (sum != 0.0 && (sum - 1.0).abs() > TOLERANCE) {
        return Err("the policy of a sample is none");
    }
    if !payoffs.iter().all(|payoff| (-1.0..=1.0).contains(payoff)) {
        return Err("the payoffs of a sample are out of range");
    }
    if !(weight.is_finite() && *weight > 0.0) {
        return Err("the weight of a sample is out of range");
    }
    Ok(sample)
}

/// Over words of eight bytes; the last one is filled up with zeros.
#[derive(Default)]
struct Checksum(u64);

impl Checksum {
    fn add(&mut self, word: [u8; 8]) {
        self.0 = mix(self.0.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ u64::from_le_bytes(word));
    }

    /// Writes out the whole words at the beginning of `bytes`, which keeps the rest.
    fn take_whole_words(&mut self, bytes: &mut Vec<u8>, out: &mut impl Write) -> io::Result<()> {
        let (words, rest) = bytes.as_chunks();
        words.iter().for_each(|&word| self.add(word));
        out.write_all(words.as_flattened())?;
        let whole = bytes.len() - rest.len();
        bytes.drain(..whole);
        Ok(())
    }

    fn finish(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        words.iter().for_each(|&word| self.add(word));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.add(last);
    }
}
