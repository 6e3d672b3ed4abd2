//! One layer of the play file: a dictionary from scattered numbers to codes of chances, exact, about four bytes a state.
//!
//! The upper bits of a number name its *drawer*; the records of a drawer lie side by side, each with the lower bits of the number and the code.
//! Where a drawer begins is told by a block of 32 bytes for 28 drawers: the record at which the block begins (four bytes), then for
//! each drawer how many records of the block come before its end (a byte each). A lookup reads one block and a few
//! neighbouring records. Upper and lower bits are the whole number, so a state outside the table is never taken for
//! one inside.

use kachi_core::Error;

const DRAWERS: u64 = 28;
const BLOCK: usize = 32;
const CODE_BITS: u32 = 16;
/// Records are read as words of up to sixteen bytes, so a section ends with as many spare ones.
const SPARE: usize = 16;

/// The measures of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// States.
    pub count: u64,
    /// Bits of a scattered number.
    pub key_bits: u32,
    /// Bits of a number that are kept in its record.
    pub rest_bits: u32,
}

impl Shape {
    fn drawer_bits(&self) -> u32 {
        self.key_bits.saturating_sub(self.rest_bits)
    }

    fn blocks(&self) -> u64 {
        (1u64 << self.drawer_bits().min(40)).div_ceil(DRAWERS)
    }

    fn width(&self) -> u32 {
        self.rest_bits + CODE_BITS
    }

    /// Bytes of the section.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.blocks() * BLOCK as u64 + (self.count * u64::from(self.width())).div_ceil(8) + SPARE as u64
    }

    /// Whether a section of this shape can be read at all.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        (1..=64).contains(&self.key_bits)
            && self.rest_bits <= self.key_bits
            && self.drawer_bits() <= 40
            && self.count < 1 << 32
    }
}

/// Writes a section from the numbers and codes in increasing order of the numbers.
///
/// # Errors
/// `too_large` for 2^32 states or more.
pub fn write<I>(key_bits: u32, count: u64, records: impl Fn() -> I) -> Result<(Shape, Vec<u8>), Error>
where
    I: Iterator<Item = (u64, u16)>,
{
    if count >= 1 << 32 {
        return Err(Error::too_large("states of a layer", count, 1u64 << 32));
    }
    // Two and a half to five states a drawer.
    let mut drawer_bits = (count * 2 / 5).max(1).ilog2().min(key_bits).min(40);
    loop {
        let shape = Shape { count, key_bits, rest_bits: key_bits - drawer_bits };
        if let Some(bytes) = try_write(shape, records()) {
            return Ok((shape, bytes));
        }
        // A block of too many records, which even scattering makes next to impossible: take more drawers.
        drawer_bits += 1;
        if drawer_bits > key_bits.min(40) {
            return Err(Error::new("too_large", "the numbers of a layer lie too close together"));
        }
    }
}

fn try_write(shape: Shape, records: impl Iterator<Item = (u64, u16)>) -> Option<Vec<u8>> {
    let mut bytes = vec![0; shape.bytes() as usize];
    let (blocks, packed) = bytes.split_at_mut(shape.blocks() as usize * BLOCK);
    let rest_mask = (1u128 << shape.rest_bits) - 1;
    let mut ends = EndsOfDrawers { blocks, drawer: 0, first: 0 };
    let (mut word, mut filled, mut at) = (0u128, 0u32, 0usize);
    let mut written = 0u64;
    for (number, code) in records {
        ends.reach(drawer_of(number, shape.rest_bits), written)?;
        let record = (u128::from(number) & rest_mask) | u128::from(code) << shape.rest_bits;
        word |= record << filled;
        filled += shape.width();
        while filled >= 8 {
            packed[at] = word as u8;
            word >>= 8;
            filled -= 8;
            at += 1;
        }
        written += 1;
    }
    if filled > 0 {
        packed[at] = word as u8;
    }
    ends.reach(shape.blocks() * DRAWERS, written)?;
    Some(bytes)
}

#[inline(always)]
fn drawer_of(number: u64, rest_bits: u32) -> u64 {
    if rest_bits == 64 { 0 } else { number >> rest_bits }
}

/// Writes the blocks while the records go by.
struct EndsOfDrawers<'a> {
    blocks: &'a mut [u8],
    drawer: u64,
    first: u64,
}

impl EndsOfDrawers<'_> {
    /// All records of the drawers before this one have been written. `None` if a block has too many.
    fn reach(&mut self, drawer: u64, written: u64) -> Option<()> {
        while self.drawer < drawer {
            let (block, place) = ((self.drawer / DRAWERS) as usize * BLOCK, (self.drawer % DRAWERS) as usize);
            self.blocks[block + 4 + place] = u8::try_from(written - self.first).ok()?;
            self.drawer += 1;
            if self.drawer.is_multiple_of(DRAWERS) {
                self.first = written;
                if let Some(next) = self.blocks.get_mut(block + BLOCK..block + BLOCK + 4) {
                    next.copy_from_slice(&(written as u32).to_le_bytes());
                }
            }
        }
        Some(())
    }
}

/// A section that is looked up in.
#[derive(Debug, Clone, Copy)]
pub struct Section<'a> {
    shape: Shape,
    blocks: &'a [u8],
    packed: &'a [u8],
}

/// The records of a drawer.
#[derive(Debug, Clone, Copy, Default)]
pub struct Drawer {
    first: u32,
    count: u8,
}

impl<'a> Section<'a> {
    /// A section in its bytes; `None` if there are not as many as the shape asks for.
    #[inline(always)]
    #[must_use]
    pub fn new(shape: Shape, bytes: &'a [u8]) -> Option<Section<'a>> {
        let (blocks, packed) = bytes.split_at_checked(shape.blocks() as usize * BLOCK)?;
        Some(Section { shape, blocks, packed })
    }

    /// The drawer of a number: the first of two waits for memory.
    #[inline(always)]
    #[must_use]
    pub fn drawer(&self, number: u64) -> Drawer {
        let drawer = drawer_of(number, self.shape.rest_bits);
        let (block, place) = ((drawer / DRAWERS) as usize * BLOCK, (drawer % DRAWERS) as usize);
        let Some(block) = self.blocks.get(block..block + BLOCK) else { return Drawer::default() };
        let first = u32::from_le_bytes([block[0], block[1], block[2], block[3]]);
        let before = if place == 0 { 0 } else { block[3 + place] };
        Drawer {
            first: first.wrapping_add(u32::from(before)),
            count: block[4 + place].saturating_sub(before),
        }
    }

    /// Reads the first and the last byte of a drawer's records, which lie in at most two lines of memory.
    #[inline(always)]
    #[must_use]
    pub fn touch(&self, drawer: Drawer) -> u8 {
        let byte = |record: u64| ((record * u64::from(self.shape.width())) >> 3) as usize;
        let first = u64::from(drawer.first);
        let end = first + u64::from(drawer.count);
        let read = |at: usize| self.packed.get(at).copied().unwrap_or(0);
        read(byte(first)) ^ read(byte(end))
    }

    /// The code of a number, if its drawer holds it: the second wait, unless its records have been touched.
    #[inline(always)]
    #[must_use]
    pub fn code(&self, number: u64, drawer: Drawer) -> Option<u16> {
        let rest_mask = if self.shape.rest_bits == 0 { 0 } else { u64::MAX >> (64 - self.shape.rest_bits) };
        let rest = number & rest_mask;
        (0..u64::from(drawer.count)).find_map(|i| {
            let (there, code) = self.record(u64::from(drawer.first) + i)?;
            (there == rest).then_some(code)
        })
    }

    /// The lower bits and the code of a record.
    #[inline(always)]
    fn record(&self, index: u64) -> Option<(u64, u16)> {
        let width = self.shape.width();
        let bit = index * u64::from(width);
        let at = (bit >> 3) as usize;
        if width <= 56 {
            let word = u64::from_le_bytes(self.packed.get(at..at + 8)?.try_into().ok()?) >> (bit & 7);
            Some((word & ((1 << self.shape.rest_bits) - 1), (word >> self.shape.rest_bits) as u16))
        } else {
            let word = u128::from_le_bytes(self.packed.get(at..at + 16)?.try_into().ok()?) >> (bit & 7);
            let rest = word & ((1u128 << self.shape.rest_bits) - 1);
            Some((rest as u64, (word >> self.shape.rest_bits) as u16))
        }
    }

    /// All numbers with their codes, in increasing order.
    pub fn records(&self) -> impl Iterator<Item = (u64, u16)> + use<'a> {
        let section = *self;
        let rest_bits = self.shape.rest_bits;
        (0..1u64 << self.shape.drawer_bits()).flat_map(move |upper| {
            let number = if rest_bits == 64 { 0 } else { upper << rest_bits };
            let drawer = section.drawer(number);
            (0..u64::from(drawer.count)).filter_map(move |i| {
                let (rest, code) = section.record(u64::from(drawer.first) + i)?;
                Some((number | rest, code))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(key_bits: u32, numbers: &[u64]) {
        let records: Vec<(u64, u16)> =
            numbers.iter().map(|&n| (n, (n as u16).wrapping_mul(40_503))).collect();
        let (shape, bytes) = write(key_bits, records.len() as u64, || records.iter().copied()).unwrap();
        assert!(shape.is_sound());
        let section = Section::new(shape, &bytes).unwrap();
        assert_eq!(section.records().collect::<Vec<_>>(), records);
        for &(number, code) in &records {
            assert_eq!(section.code(number, section.drawer(number)), Some(code));
            let next = number.wrapping_add(1) & (u64::MAX >> (64 - key_bits));
            if numbers.binary_search(&next).is_err() {
                assert_eq!(section.code(next, section.drawer(next)), None);
            }
        }
    }

    #[test]
    fn what_is_written_is_found_and_nothing_else() {
        round_trip(1, &[0]);
        round_trip(1, &[0, 1]);
        round_trip(10, &(0..1024).collect::<Vec<u64>>());
        round_trip(64, &[u64::MAX]);
        round_trip(63, &[0, 1 << 40, (1 << 62) + 1]);
        round_trip(20, &(0..3000).map(|i| i * 349).collect::<Vec<u64>>());
        round_trip(40, &(0..3000).map(|i| i * 366_503_875).collect::<Vec<u64>>());
    }

    #[test]
    fn clumps_that_overfill_a_block_are_spread_over_more_drawers() {
        round_trip(20, &(0..5000).collect::<Vec<u64>>());
    }

    #[test]
    fn damaged_bytes_never_panic() {
        let records: Vec<(u64, u16)> = (0..500).map(|i| (i * 2000, i as u16)).collect();
        let (shape, bytes) = write(20, 500, || records.iter().copied()).unwrap();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0xff;
            let section = Section::new(shape, &damaged).unwrap();
            for number in (0..1 << 20).step_by(997) {
                let _ = section.code(number, section.drawer(number));
            }
        }
        assert!(Section::new(shape, &bytes[..40]).is_none_or(|s| s.code(1999, s.drawer(1999)).is_none()));
    }
}
