//! Elements of registers at other places of registers.
//!
//! What an operation moves is a list of where each element of the result comes from ([`Place`]). Registers that
//! are there already are taken as they are, as are halves, quarters and copies of one element; everything else
//! is picked by instructions with tables: from two registers at a time with AVX-512, and with AVX2 from one,
//! of which the outcomes are put together.

use regalloc2::VReg;
use rustc_hash::FxHashMap;

use super::{Registers, Select, Shape};
use crate::wide::code::{Inst, Operand, Size, VECTOR};
use crate::wide::forms::{self, Form};
use crate::wide::refusal::Refusal;

/// A lane of a register, by the number of the register.
pub(super) type Place = (usize, usize);

/// Registers that elements are picked from, and what was picked before.
pub(super) struct Pool {
    pub(super) registers: Vec<(VReg, Size)>,
    pub(super) bits: u32,
    /// The places of a register, none for lanes that do not matter.
    known: FxHashMap<(Vec<Option<Place>>, Size), VReg>,
}

impl Pool {
    pub(super) fn new(bits: u32) -> Self {
        Self {
            registers: Vec::new(),
            bits,
            known: FxHashMap::default(),
        }
    }

    /// Adds the registers of a vector; the first of them gets the returned number.
    pub(super) fn add(&mut self, registers: &[VReg], size: Size) -> usize {
        let first = self.registers.len();
        let sized = registers.iter().map(|&register| (register, size));
        self.registers.extend(sized);
        first
    }
}

/// The place of element `i` of a vector of this shape whose registers begin with number `first`.
pub(super) fn place(first: usize, shape: Shape, i: usize) -> Place {
    (first + i / shape.per_register(), i % shape.per_register())
}

/// The instructions that interleave the first and the second half of the elements in each 128 bits.
pub(super) fn interleavings(bits: u32) -> [&'static Form; 2] {
    match bits {
        8 => [&forms::UNPACK_LOW_I8, &forms::UNPACK_HIGH_I8],
        16 => [&forms::UNPACK_LOW_I16, &forms::UNPACK_HIGH_I16],
        32 => [&forms::UNPACK_LOW_I32, &forms::UNPACK_HIGH_I32],
        _ => [&forms::UNPACK_LOW_I64, &forms::UNPACK_HIGH_I64],
    }
}

/// The instruction that interleaves half of the elements of two registers in each 128 bits, if that is wanted.
fn interleaving(sources: [usize; 2], wanted: &[Option<Place>], bits: u32) -> Option<&'static Form> {
    let forms = interleavings(bits);
    let per = 128 / bits as usize;
    let mut halves = [0, per / 2].into_iter().zip(forms);
    let found = halves.find(|(half, _)| {
        let at = |i: usize| (sources[i % 2], i / per * per + half + i % per / 2);
        (0..)
            .zip(wanted)
            .all(|(i, place)| place.is_none_or(|place| place == at(i)))
    });
    found.map(|(_, form)| form)
}

/// The number by which an instruction takes halves of two registers of 256 bits, if those are wanted.
fn halves(sources: [usize; 2], wanted: &[Option<Place>], bits: u32) -> Option<u8> {
    let per = 128 / bits as usize;
    let half = |wanted: &[Option<Place>]| {
        (0..4u8).find(|half| {
            let (source, first) = (sources[usize::from(half / 2)], usize::from(half % 2) * per);
            let mut places = (first..).zip(wanted);
            places.all(|(at, place)| place.is_none_or(|place| place == (source, at)))
        })
    };
    let (low, high) = wanted.split_at_checked(per)?;
    Some(half(low)? | half(high)? << 4)
}

impl Select<'_> {
    /// The registers of a vector of this shape whose elements are at these places.
    pub(super) fn pick_all(
        &mut self,
        pool: &mut Pool,
        places: &[Place],
        shape: Shape,
    ) -> Result<Registers, Refusal> {
        let groups = places.chunks(shape.per_register());
        groups
            .map(|group| {
                let wanted: Vec<Option<Place>> = group.iter().copied().map(Some).collect();
                self.pick(pool, &wanted, shape.size)
            })
            .collect()
    }

    /// A register whose lanes are at these places; lanes without a place do not matter.
    pub(super) fn pick(
        &mut self,
        pool: &mut Pool,
        wanted: &[Option<Place>],
        size: Size,
    ) -> Result<VReg, Refusal> {
        let key = (wanted.to_vec(), size);
        if let Some(&known) = pool.known.get(&key) {
            return Ok(known);
        }
        let picked = self.pick_anew(pool, wanted, size)?;
        pool.known.insert(key, picked);
        Ok(picked)
    }

    fn pick_anew(
        &mut self,
        pool: &Pool,
        wanted: &[Option<Place>],
        size: Size,
    ) -> Result<VReg, Refusal> {
        let bytes = (pool.bits / 8) as usize;
        let mut sources: Vec<usize> = wanted.iter().flatten().map(|place| place.0).collect();
        sources.sort_unstable();
        sources.dedup();
        if let [source] = sources[..] {
            let (register, from) = pool.registers[source];
            let lanes = || {
                (0..)
                    .zip(wanted)
                    .filter_map(|(i, place)| Some((i, (*place)?.1)))
            };
            let first = lanes().next().map_or(0, |(i, lane)| (lane as i64) - i);
            let is_row = lanes().all(|(i, lane)| lane as i64 - i == first);
            let n = wanted
                .iter()
                .rposition(Option::is_some)
                .map_or(0, |last| last + 1);
            if is_row && first >= 0 {
                let (at, length) = (first as usize * bytes, n * bytes);
                let is_half = from == Size::Z && at == 32 && length > 16;
                if at == 0 || is_half || at / 16 == (at + length - 1) / 16 {
                    let length = if is_half { 32 } else { 16 };
                    return self.piece(register, from, at, length);
                }
            }
            let mut all = lanes().map(|(_, lane)| lane);
            if let Some(lane) = all.next()
                && all.all(|other| other == lane)
            {
                let first = self.piece(register, from, lane * bytes, bytes.min(16))?;
                return self.splat_first(first, pool.bits, size);
            }
        }
        // What is at the beginning of other registers, in pieces of 128 or 256 bits.
        for piece in [Size::Y, Size::X] {
            let per = piece.bytes() / bytes;
            let is_joined = piece < size
                && wanted.chunks(per).all(|group| {
                    let source = group[0].map(|place| place.0);
                    source.is_some_and(|source| pool.registers[source].1 >= piece)
                        && (0..)
                            .zip(group)
                            .all(|(i, place)| *place == source.map(|s| (s, i)))
                });
            if is_joined && wanted.len() * bytes == size.bytes() {
                let pieces = wanted
                    .chunks(per)
                    .filter_map(|group| Some(pool.registers[group[0]?.0].0));
                let pieces: Registers = pieces.collect();
                return Ok(self.join(pieces, piece.bytes(), size)?[0]);
            }
        }
        if let [a, b] = sources[..]
            && [a, b]
                .iter()
                .all(|&source| pool.registers[source].1 == size)
        {
            for [a, b] in [[a, b], [b, a]] {
                if let Some(form) = interleaving([a, b], wanted, pool.bits) {
                    let registers = [a, b].map(|source| pool.registers[source].0);
                    return self.vector_op(form, size, &registers, None);
                }
            }
            if !self.level.has_avx512
                && size == Size::Y
                && let Some(halves) = halves([a, b], wanted, pool.bits)
            {
                let registers = [a, b].map(|source| pool.registers[source].0);
                return self.vector_op(&forms::PICK_128, size, &registers, Some(halves));
            }
        }
        let widest = (sources.iter()).map(|&source| pool.registers[source].1);
        let size = widest.max().unwrap_or(size).max(size);
        match (self.level.has_avx512, pool.bits) {
            (true, 8) if !self.level.has_vbmi => self.pick_bytes(pool, &sources, wanted, size),
            (true, _) => self.pick_by_tables(pool, &sources, wanted, size, pool.bits),
            (false, 32 | 64) if size == Size::Y => self.pick_words(pool, &sources, wanted),
            (false, _) => self.pick_halves(pool, &sources, wanted, size),
        }
    }

    /// The first element of a register in all lanes.
    fn splat_first(&mut self, register: VReg, bits: u32, size: Size) -> Result<VReg, Refusal> {
        if self.is_splat(register, size) {
            return Ok(register);
        }
        let form = match bits {
            8 => &forms::SPLAT_I8,
            16 => &forms::SPLAT_I16,
            32 => &forms::SPLAT_I32,
            _ => &forms::SPLAT_I64,
        };
        self.resizing_op(form, size, (size, Size::X), register, None)
    }

    /// With AVX-512: from the first two registers, then from what came of it and the next one, and so on.
    fn pick_by_tables(
        &mut self,
        pool: &Pool,
        sources: &[usize],
        wanted: &[Option<Place>],
        size: Size,
        bits: u32,
    ) -> Result<VReg, Refusal> {
        let form = match bits {
            8 => &forms::PICK_I8,
            16 => &forms::PICK_I16,
            32 => &forms::PICK_I32,
            _ => &forms::PICK_I64,
        };
        let n = size.bytes() * 8 / bits as usize;
        let mut picked = match sources.first() {
            Some(&first) => pool.registers[first].0,
            // Nothing is wanted.
            None => pool.registers[0].0,
        };
        let steps = match sources {
            [] => return Ok(picked),
            [only] => vec![(*only, *only)],
            all => all[1..].iter().map(|&next| (all[0], next)).collect(),
        };
        for (step, (first, next)) in steps.into_iter().enumerate() {
            let mut table = Vec::with_capacity(size.bytes());
            for i in 0..n {
                let at = match wanted.get(i).copied().flatten() {
                    Some((source, lane)) if source == next && first != next => n + lane,
                    Some((source, lane)) if source == first && step == 0 => lane,
                    // Picked before.
                    _ => i,
                };
                table.extend_from_slice(&(at as u64).to_le_bytes()[..bits as usize / 8]);
            }
            picked = self.pick_from_two(form, size, picked, pool.registers[next].0, &table)?;
        }
        Ok(picked)
    }

    fn pick_from_two(
        &mut self,
        form: &'static Form,
        size: Size,
        a: VReg,
        b: VReg,
        table: &[u8],
    ) -> Result<VReg, Refusal> {
        let table = self.constant_register(size, table)?;
        let code = self.code(form, size)?;
        let result = self.b.register(VECTOR, self.current);
        let operands = [
            Operand::Def(result, size),
            Operand::Use(table, size),
            Operand::Use(b, size),
        ];
        let mut inst = Inst::new(code, &operands);
        inst.tied = Some(a);
        self.push(inst);
        Ok(result)
    }

    /// Bytes with AVX-512 but without VBMI: pairs of bytes that have those for even places, then those for odd
    /// ones, of which the right ones are taken.
    fn pick_bytes(
        &mut self,
        pool: &Pool,
        sources: &[usize],
        wanted: &[Option<Place>],
        size: Size,
    ) -> Result<VReg, Refusal> {
        let n = size.bytes();
        let mut halves = [None, None];
        for (parity, half) in halves.iter_mut().enumerate() {
            let at = |i: usize| wanted.get(i).copied().flatten();
            let pairs: Vec<Option<Place>> = (0..n / 2)
                .map(|pair| at(2 * pair + parity).map(|(source, lane)| (source, lane / 2)))
                .collect();
            let own: Vec<usize> = (sources.iter().copied())
                .filter(|&source| pairs.iter().flatten().any(|place| place.0 == source))
                .collect();
            if own.is_empty() {
                continue;
            }
            let picked = self.pick_by_tables(pool, &own, &pairs, size, 16)?;
            let table: Vec<u8> = (0..n)
                .map(|i| match at(i) {
                    Some((_, lane)) if i % 2 == parity => (i % 16 / 2 * 2 + lane % 2) as u8,
                    _ => 0x80,
                })
                .collect();
            let table = self.constant_register(size, &table)?;
            *half = Some(self.vector_op(&forms::PICK_BYTES, size, &[picked, table], None)?);
        }
        match halves {
            [Some(even), Some(odd)] => self.vector_op(&forms::OR_I32, size, &[even, odd], None),
            [Some(half), None] | [None, Some(half)] => Ok(half),
            [None, None] => Ok(pool.registers[0].0),
        }
    }

    /// Elements of 32 and 64 bits with AVX2, in 256 bits.
    fn pick_words(
        &mut self,
        pool: &Pool,
        sources: &[usize],
        wanted: &[Option<Place>],
    ) -> Result<VReg, Refusal> {
        let words = (pool.bits / 32) as usize;
        let size = Size::Y;
        let mut result = None;
        for &source in sources {
            let mut table = Vec::with_capacity(size.bytes());
            let mut is_own = 0u8;
            let mut is_in_place = true;
            for word in 0..8 {
                let place = wanted.get(word / words).copied().flatten();
                let at = match place.filter(|place| place.0 == source) {
                    Some((_, lane)) => {
                        is_own |= 1 << word;
                        let at = lane * words + word % words;
                        is_in_place &= at == word;
                        at
                    }
                    None => word,
                };
                table.extend_from_slice(&(at as u32).to_le_bytes());
            }
            let mut picked = pool.registers[source].0;
            if !is_in_place {
                let table = self.constant_register(size, &table)?;
                picked = self.vector_op(&forms::PERMUTE_I32, size, &[table, picked], None)?;
            }
            result = Some(match result {
                Some(before) => {
                    self.vector_op(&forms::BLEND_I32, size, &[before, picked], Some(is_own))?
                }
                None => picked,
            });
        }
        Ok(result.unwrap_or(pool.registers[0].0))
    }

    /// Anything with AVX2: bytes of each half of each register, which stay in their half or cross over.
    fn pick_halves(
        &mut self,
        pool: &Pool,
        sources: &[usize],
        wanted: &[Option<Place>],
        size: Size,
    ) -> Result<VReg, Refusal> {
        let bytes = (pool.bits / 8) as usize;
        let mut result = None;
        for &source in sources {
            for is_crossing in [false, true] {
                let table: Vec<u8> = (0..size.bytes())
                    .map(|i| {
                        let place = wanted.get(i / bytes).copied().flatten();
                        match place.filter(|place| place.0 == source) {
                            Some((_, lane)) => {
                                let at = lane * bytes + i % bytes;
                                match (at / 16 != i / 16) == is_crossing {
                                    true => (at % 16) as u8,
                                    false => 0x80,
                                }
                            }
                            None => 0x80,
                        }
                    })
                    .collect();
                if table.iter().all(|&at| at == 0x80) {
                    continue;
                }
                let mut register = pool.registers[source].0;
                if is_crossing {
                    let swap = Some(0x4e);
                    register = self.resizing_op(
                        &forms::PERMUTE_I64,
                        Size::Y,
                        (Size::Y, Size::Y),
                        register,
                        swap,
                    )?;
                }
                let table = self.constant_register(size, &table)?;
                let picked = self.vector_op(&forms::PICK_BYTES, size, &[register, table], None)?;
                result = Some(match result {
                    Some(before) => {
                        self.vector_op(&forms::OR_I32, size, &[before, picked], None)?
                    }
                    None => picked,
                });
            }
        }
        Ok(result.unwrap_or(pool.registers[0].0))
    }
}
