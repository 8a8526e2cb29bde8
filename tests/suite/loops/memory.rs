//! The memory that random loops work on: what is in it, and whether two ways to run them leave the same there.

use std::sync::Mutex;

use freehold::backend::jit::{Argument, Buffer, Jit};

use super::{MEMORY, SIZE, View, bytes};
use crate::support::generator::rng::Rng;

/// Offset and strides of a view: often apart from others, often not. If they are spread, views are apart as a whole if
/// they are not at the same place.
fn random_place(rng: &mut Rng, element: &str, filling: &Filling, is_spread: bool) -> [i128; 3] {
    let (row, column) = *rng.pick(&[
        (80, 1),
        (80, 1),
        (84, 1),
        (1, 80),
        (3, 1),
        (0, 1),
        (81, 2),
        (1, 1),
    ]);
    let n = MEMORY / 2 / bytes(element);
    let last = (row + column) * (SIZE - 1);
    let offset = match () {
        () if is_spread => rng.below(4) * (SIZE * SIZE + 21),
        () if rng.chance(50) => rng.below(4) * 1601,
        () => rng.below(100),
    };
    let mut offset = offset.min(n - 1 - last.max(SIZE * SIZE));
    if filling.is_in_second_half(element) {
        offset += n;
    }
    [offset, row, column].map(|number| number as i128)
}

/// What has to compute the same.
pub(super) struct Pair<'a> {
    pub(super) compiled: [&'a Jit; 2],
    pub(super) text: &'a str,
    /// Whether products were added without being rounded: where a factor is negated for it, a NaN may have
    /// another sign.
    pub(super) has_fused: bool,
}

/// [`compare_at`] random places.
pub(super) fn compare(rng: &mut Rng, pair: &Pair<'_>, views: &[View], shift: usize) {
    let seed = rng.next();
    let filling = Filling::of(views.iter().map(|view| view.element));
    let is_spread = rng.chance(50);
    let places: Vec<i128> = views
        .iter()
        .flat_map(|view| random_place(rng, view.element, &filling, is_spread))
        .collect();
    let bounds = [rng.range(2, 4), rng.range(2, SIZE - 2)].map(|bound| bound as i128);
    let memory = filled_memory(seed, &filling);
    compare_at(&memory, shift, &places, bounds, pair);
}

/// What is in the two halves of the memory: elements that are floats are numbers.
#[derive(Clone, PartialEq)]
pub(super) enum Filling {
    Integers,
    /// F32, then F64.
    Floats,
    /// F16 or BF16, then F32.
    Halves(&'static str),
}

impl Filling {
    pub(super) fn of(mut elements: impl Iterator<Item = &'static str> + Clone) -> Self {
        let has_floats = elements.clone().any(|element| !element.starts_with('i'));
        match elements.find(|&element| element == "f16" || element == "bf16") {
            Some(half) => Self::Halves(half),
            None if has_floats => Self::Floats,
            None => Self::Integers,
        }
    }

    pub(super) fn is_in_second_half(&self, element: &str) -> bool {
        match self {
            Self::Halves(_) => element == "f32",
            Self::Integers | Self::Floats => element == "f64",
        }
    }
}

/// Random memory for a filling.
pub(super) fn filled_memory(seed: u64, filling: &Filling) -> Vec<u8> {
    static MADE: Mutex<Vec<(Filling, Vec<u8>)>> = Mutex::new(Vec::new());
    moved(seed, filling, MEMORY / 2, &MADE, || random_memory(filling))
}

/// The memory that `make` made for the first caller with this `key`, whose parts of this size begin elsewhere for every
/// seed. Making numbers anew takes longer than the loops that compute with them.
pub(super) fn moved<K: Clone + PartialEq>(
    seed: u64,
    key: &K,
    part: usize,
    made: &Mutex<Vec<(K, Vec<u8>)>>,
    make: impl FnOnce() -> Vec<u8>,
) -> Vec<u8> {
    let mut made = made.lock().unwrap();
    let found = made.iter().position(|(other, _)| other == key);
    let found = found.unwrap_or_else(|| {
        made.push((key.clone(), make()));
        made.len() - 1
    });
    let mut memory = made[found].1.clone();
    drop(made);
    let mut rng = Rng::new(seed);
    for part in memory.chunks_exact_mut(part) {
        // No element is torn.
        let by = 8 * rng.below(part.len() / 8);
        part.rotate_left(by);
    }
    memory
}

fn random_memory(filling: &Filling) -> Vec<u8> {
    let mut numbers = Rng::new(0);
    let mut memory = vec![0u8; MEMORY];
    let (first, second) = memory.split_at_mut(MEMORY / 2);
    let single = |number: u64| (number >> 40) as f32 / (1u64 << 23) as f32 - 1.0;
    if let Filling::Halves(element) = filling {
        for chunk in first.chunks_exact_mut(2) {
            chunk.copy_from_slice(&random_half(&mut numbers, element).to_le_bytes());
        }
        for chunk in second.chunks_exact_mut(4) {
            chunk.copy_from_slice(&single(numbers.next()).to_le_bytes());
        }
        return memory;
    }
    for chunk in first.chunks_exact_mut(4) {
        let number = numbers.next();
        chunk.copy_from_slice(&match filling {
            Filling::Integers => (number as u32).to_le_bytes(),
            _ => single(number).to_le_bytes(),
        });
    }
    for chunk in second.chunks_exact_mut(8) {
        let number = (numbers.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
        chunk.copy_from_slice(&number.to_le_bytes());
    }
    memory
}

/// The bits of a number of type F16 or BF16 from 2^-7 to one, or less than minus that.
pub(super) fn random_half(rng: &mut Rng, element: &str) -> u16 {
    let (mantissa, exponents) = match element {
        "f16" => (10, 8..15),
        _ => (7, 120..127),
    };
    let exponent = rng.range(exponents.start, exponents.end - 1) as u16;
    let others = rng.next() as u16 & (1 << 15 | ((1 << mantissa) - 1));
    exponent << mantissa | others
}

/// Runs both on copies of the memory that begin at `shift` bytes; what they leave in it must be the
/// same.
pub(super) fn compare_at(
    memory: &[u8],
    shift: usize,
    places: &[i128],
    bounds: [i128; 2],
    pair: &Pair<'_>,
) {
    let results = pair.compiled.map(|jit| {
        let mut space = vec![0u8; MEMORY + 64];
        let unaligned = space.as_ptr() as usize % 16;
        let copy = &mut space[16 - unaligned + shift..][..MEMORY];
        copy.copy_from_slice(memory);
        let buffer = Buffer::new(copy, &[MEMORY]);
        let mut arguments = vec![Argument::MemRef(&buffer)];
        arguments.extend(places.iter().chain(&bounds).map(|&n| Argument::Int(n)));
        jit.call("kernel", &arguments).unwrap();
        drop(arguments);
        drop(buffer);
        copy.to_vec()
    });
    let [plain, fast] = results;
    if plain == fast {
        return;
    }
    let is_other = |&i: &usize| plain[i] != fast[i];
    let are_nans = |i: usize| pair.has_fused && are_nans(&plain, i) && are_nans(&fast, i);
    let difference = (0..plain.len()).filter(is_other).find(|&i| !are_nans(i));
    let text = pair.text;
    let around = difference.map(|i| [&plain, &fast].map(|memory| &memory[i & !7..][..8]));
    assert!(
        difference.is_none(),
        "byte {difference:?} of {around:x?} differs with places {places:?} and bounds {bounds:?} in\n{text}"
    );
}

/// Whether this byte is part of a NaN.
fn are_nans(memory: &[u8], byte: usize) -> bool {
    let (single, double) = (byte & !3, byte & !7);
    let single = memory[single..]
        .first_chunk()
        .copied()
        .map(f32::from_le_bytes);
    let double = memory[double..]
        .first_chunk()
        .copied()
        .map(f64::from_le_bytes);
    single.is_some_and(f32::is_nan) || double.is_some_and(f64::is_nan)
}
