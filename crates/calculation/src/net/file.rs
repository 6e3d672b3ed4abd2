//! The file of a net: `KACHINET`, then version, stacks, units of a stack, units, blocks and number of parameters
//! (32 bits each, little endian), the parameters as 16-bit floats, and the CRC-32 of all that.
//!
//! Layers follow one another from the inputs to the logit, each as its weights input by input, then its biases.

use super::inputs::{STACK_INPUTS, TABLE_INPUTS};
use super::product::Product;
use crate::rules::Rules;
use kachi_core::Error;
use std::sync::OnceLock;

/// The first bytes of the file.
pub const MAGIC: &[u8; 8] = b"KACHINET";
/// The version that is read.
pub const VERSION: u32 = 1;

const HEADER: usize = 8 + 6 * 4;
const CHECKSUM: usize = 4;
/// Most units of a layer; a file that asks for more is foreign.
const MOST_UNITS: usize = 4096;
const MOST_BLOCKS: usize = 16;

/// One layer: `outputs` weights for every input, then a bias per output.
#[derive(Debug, Clone)]
pub(super) struct Layer {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    pub(super) weights: Vec<f32>,
    pub(super) biases: Vec<f32>,
}

impl Layer {
    /// The weights of one input.
    #[inline]
    pub(super) fn row(&self, input: usize) -> &[f32] {
        &self.weights[input * self.outputs..(input + 1) * self.outputs]
    }
}

/// A net for the game of 52 cards with a certain number of stacks.
#[derive(Debug, Clone)]
pub struct Net {
    pub(super) rules: Rules,
    pub(super) stack_units: usize,
    pub(super) units: usize,
    /// Inputs of one stack to values and gates.
    pub(super) stack: Layer,
    /// The rest of the table.
    pub(super) table: Layer,
    /// Stacks and table together.
    pub(super) join: Product,
    /// Two layers for every residual block.
    pub(super) tower: Vec<Product>,
    pub(super) out: Layer,
    checksum: u32,
}

impl Net {
    /// The net that comes with the program; nothing for a number of stacks that has none.
    pub fn embedded(stacks: usize) -> Option<&'static Net> {
        static NETS: [OnceLock<Option<Net>>; 3] = [const { OnceLock::new() }; 3];
        let (cell, bytes): (_, &'static [u8]) = match stacks {
            2 => (&NETS[0], include_bytes!("../../nets/calculation-s2.net")),
            3 => (&NETS[1], include_bytes!("../../nets/calculation-s3.net")),
            4 => (&NETS[2], include_bytes!("../../nets/calculation-s4.net")),
            _ => return None,
        };
        cell.get_or_init(|| Net::read(bytes).ok()).as_ref()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// `bad_net`: foreign, of another version, truncated, or damaged.
    pub fn read(bytes: &[u8]) -> Result<Net, Error> {
        let refuse =
            |message: String| Error::new("bad_net", message).hint("a file written by train/train.py");
        if bytes.len() < HEADER + CHECKSUM || &bytes[..8] != MAGIC {
            return Err(refuse("this is no net".to_owned()));
        }
        let (body, check) = bytes.split_at(bytes.len() - CHECKSUM);
        let number = |at: usize| u32::from_le_bytes([body[at], body[at + 1], body[at + 2], body[at + 3]]);
        let [version, stacks, stack_units, units, blocks, count] = [8, 12, 16, 20, 24, 28].map(number);
        if version != VERSION {
            return Err(refuse(format!("version {version} of the net; {VERSION} is read here")));
        }
        let checksum = crc32(body);
        if check != checksum.to_le_bytes() {
            return Err(refuse("the net is damaged: its checksum is wrong".to_owned()));
        }
        let [stacks, stack_units, units, blocks, count] =
            [stacks, stack_units, units, blocks, count].map(|number| number as usize);
        let rules = Rules::calculation(stacks)?;
        let sizes = [stack_units, units];
        if sizes.iter().any(|&size| size == 0 || size > MOST_UNITS) || blocks > MOST_BLOCKS {
            return Err(refuse(format!("layers of {stack_units} and {units} units in {blocks} blocks")));
        }
        let mut shapes = vec![
            (STACK_INPUTS, 2 * stack_units),
            (TABLE_INPUTS, stack_units),
            ((stacks + 1) * stack_units, units),
        ];
        shapes.resize(3 + 2 * blocks, (units, units));
        shapes.push((units, 1));
        let expected: usize = shapes.iter().map(|(inputs, outputs)| (inputs + 1) * outputs).sum();
        if count != expected || body.len() != HEADER + 2 * count {
            return Err(refuse(format!("{count} parameters for layers that have {expected}")));
        }
        let mut values =
            body[HEADER..].chunks_exact(2).map(|pair| half(u16::from_le_bytes([pair[0], pair[1]])));
        let mut layers = shapes.into_iter().map(|(inputs, outputs)| Layer {
            inputs,
            outputs,
            weights: values.by_ref().take(inputs * outputs).collect(),
            biases: values.by_ref().take(outputs).collect(),
        });
        let mut next = || layers.next().ok_or_else(|| refuse("layers are missing".to_owned()));
        let (stack, table, join) = (next()?, next()?, Product::new(next()?));
        let tower = (0..2 * blocks).map(|_| next().map(Product::new)).collect::<Result<_, _>>()?;
        let out = next()?;
        Ok(Net { rules, stack_units, units, stack, table, join, tower, out, checksum })
    }

    /// The game it is for.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How many stacks it is for.
    pub fn stacks(&self) -> usize {
        self.rules.stacks()
    }

    /// The checksum of its file, which names the net in records of play.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }
}

/// The number a 16-bit float stands for. Infinities do not occur in a net and are taken as large numbers.
fn half(bits: u16) -> f32 {
    let (exponent, fraction) = (u32::from(bits >> 10 & 31), u32::from(bits & 1023));
    let size = match exponent {
        0 => fraction as f32 / f32::from(1u16 << 12) / f32::from(1u16 << 12),
        _ => f32::from_bits((exponent + 112) << 23 | fraction << 13),
    };
    if bits >> 15 == 1 { -size } else { size }
}

/// The checksum of ISO 3309, as zlib and PNG compute it.
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut word = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                word = if word & 1 == 1 { word >> 1 ^ 0xEDB8_8320 } else { word >> 1 };
                bit += 1;
            }
            table[byte] = word;
            byte += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |word, &byte| TABLE[((word ^ u32::from(byte)) & 255) as usize] ^ word >> 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_read_exactly() {
        let known = [(0x0000, 0.0), (0x3C00, 1.0), (0xC000, -2.0), (0x3555, 0.333_251_95), (0x7BFF, 65504.0)];
        for (bits, value) in known {
            assert_eq!(half(bits), value);
        }
        // The smallest of the tiny ones, and the largest.
        assert_eq!(half(0x0001), 2f32.powi(-24));
        assert_eq!(half(0x83FF), -1023.0 * 2f32.powi(-24));
    }

    #[test]
    fn the_checksum_is_the_usual_one() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn damaged_truncated_and_foreign_files_are_refused() {
        let good = include_bytes!("../../nets/calculation-s3.net");
        assert!(Net::read(good).is_ok());
        let refused = |bytes: &[u8]| Net::read(bytes).is_err_and(|error| error.code == "bad_net");
        assert!(refused(b"") && refused(b"KACHINET") && refused(&[0; 100]));
        assert!(refused(&good[..good.len() - 1]));
        assert!(refused(&good[..good.len() / 2]));
        for at in [9, 13, 17, 29, 1000, good.len() / 2, good.len() - 2] {
            let mut bad = good.to_vec();
            bad[at] ^= 4;
            assert!(refused(&bad), "byte {at}");
        }
        let mut longer = good.to_vec();
        longer.extend([0, 0]);
        assert!(refused(&longer));
        // A right checksum over a wrong shape does not help.
        let mut shaped = good.to_vec();
        shaped[24] = 3;
        let end = shaped.len() - CHECKSUM;
        let check = crc32(&shaped[..end]);
        shaped[end..].copy_from_slice(&check.to_le_bytes());
        assert!(refused(&shaped));
    }
}
