//! The dense layers in small whole numbers. A weight is a multiple, from -127 to 127, of a step of its output; an input is a multiple, from 0 to 127, of a
//! step of its row; sums are whole, hence the same on every machine. Four times as many of them fit into a register as floats, and they are what makes
//! looking ahead with the net cheap. The products themselves are those of crate `rten-gemm`.
//!
//! Inputs would have room for one bit more, but then two products no longer fit 16 bits, in which processors without a better instruction add them.

use super::file::Layer;
use multiversion::multiversion;
use rten_gemm::{GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix};
use rten_tensor::NdTensorView;

/// Rows that are multiplied together. No product here is larger than [`ROWS`] times [`COLUMNS`], which is one task to `rten-gemm`: it never leaves the calling
/// thread.
const ROWS: usize = 64;
const COLUMNS: usize = 128;

/// Fewer rows are multiplied as they lie.
const WORTH_PACKING: usize = 8;

/// The largest multiple of a step, of a weight's and of an input's.
const MOST: f32 = 127.0;

thread_local! {
    static MULTIPLIER: GemmExecutor<u8, i8, i32> = GemmExecutor::new();
}

/// A dense layer whose outputs are cut off below zero. Its inputs must not be negative.
#[derive(Clone)]
pub(super) struct Product {
    inputs: usize,
    outputs: usize,
    /// The whole weights, so many outputs at a time, in the order in which they are read.
    panels: Vec<PackedBMatrix<i8>>,
    /// The step of each output's weights.
    steps: Vec<f32>,
    biases: Vec<f32>,
}

impl std::fmt::Debug for Product {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Product")
            .field("inputs", &self.inputs)
            .field("outputs", &self.outputs)
            .finish_non_exhaustive()
    }
}

/// Room for the whole numbers of one call.
#[derive(Debug, Clone, Default)]
pub(super) struct Room {
    inputs: Vec<u8>,
    sums: Vec<i32>,
}

impl Room {
    /// Enough for layers of so many inputs.
    pub(super) fn new(inputs: usize) -> Room {
        Room { inputs: vec![0; ROWS * inputs], sums: vec![0; ROWS * COLUMNS] }
    }
}

impl Product {
    /// The layer with its weights rounded to whole steps.
    pub(super) fn new(layer: Layer) -> Product {
        let (inputs, outputs) = (layer.inputs, layer.outputs);
        let largest = |output: usize| (0..inputs).map(|i| layer.row(i)[output].abs()).fold(0.0, f32::max);
        let steps: Vec<f32> = (0..outputs).map(|output| largest(output) / MOST).collect();
        let whole = |input: usize, output: usize| {
            let step = steps[output];
            if step > 0.0 { (layer.row(input)[output] / step).round() as i8 } else { 0 }
        };
        let panel = |from: usize| {
            let to = (from + COLUMNS).min(outputs);
            let weights: Vec<i8> = (0..inputs)
                .flat_map(|input| (from..to).map(move |output| (input, output)))
                .map(|(i, o)| whole(i, o))
                .collect();
            MULTIPLIER.with(|by| by.prepack_b(NdTensorView::from_data([inputs, to - from], &weights[..])))
        };
        let panels = (0..outputs).step_by(COLUMNS).map(panel).collect();
        Product { inputs, outputs, panels, steps, biases: layer.biases }
    }

    /// `out[row] = input[row] * weights + biases`, or added to what `out` holds, and cut off below zero. The slices hold `rows` rows or more.
    pub(super) fn apply(&self, rows: usize, input: &[f32], out: &mut [f32], add: bool, room: &mut Room) {
        let input = input[..rows * self.inputs].chunks(ROWS * self.inputs);
        let out = out[..rows * self.outputs].chunks_mut(ROWS * self.outputs);
        for (input, out) in input.zip(out) {
            self.apply_part(input, out, add, room);
        }
    }

    fn apply_part(&self, input: &[f32], out: &mut [f32], add: bool, room: &mut Room) {
        let rows = input.len() / self.inputs;
        let whole = &mut room.inputs[..rows * self.inputs];
        let mut row_steps = [0.0; ROWS];
        let each = input.chunks_exact(self.inputs).zip(whole.chunks_exact_mut(self.inputs));
        for ((input, whole), step) in each.zip(&mut row_steps) {
            *step = round(input, whole);
        }
        let matrix = NdTensorView::from_data([rows, self.inputs], &whole[..]);
        // Put in the order in which they are read once for all panels, not once for each.
        let packed = (rows >= WORTH_PACKING).then(|| MULTIPLIER.with(|by| by.prepack_a(matrix)));
        for (p, panel) in self.panels.iter().enumerate() {
            let from = p * COLUMNS;
            let width = panel.cols();
            let sums = &mut room.sums[..rows * width];
            let inputs = packed.as_ref().map_or(GemmInputA::Unpacked(matrix), GemmInputA::Packed);
            let done = MULTIPLIER
                .with(|by| by.gemm(sums, inputs, GemmInputB::Packed(panel), GemmOptions::default()));
            debug_assert!(done.is_ok(), "the sizes fit by construction");
            let (steps, biases) = (&self.steps[from..from + width], &self.biases[from..from + width]);
            for (row, sums) in sums.chunks_exact(width).enumerate() {
                let out = &mut out[row * self.outputs + from..row * self.outputs + from + width];
                finish(sums, row_steps[row], steps, biases, add, out);
            }
        }
    }
}

/// Writes a row as multiples of a step, which is returned.
#[multiversion(targets("x86_64+avx2"))]
fn round(row: &[f32], whole: &mut [u8]) -> f32 {
    let mut largest = [0.0_f32; 16];
    let (parts, rest) = row.as_chunks::<16>();
    for part in parts {
        raise(&mut largest, part);
    }
    raise(&mut largest, rest);
    let largest = largest.iter().fold(0.0_f32, |most, &value| most.max(value));
    if largest <= 0.0 {
        whole.fill(0);
        return 0.0;
    }
    let per_step = MOST / largest;
    for (whole, &value) in whole.iter_mut().zip(row) {
        *whole = (value * per_step + TO_WHOLE).to_bits() as u8;
    }
    largest / MOST
}

/// A float this large has no room for fractions: adding it rounds to the nearest whole number, which then stands in the lowest bits.
const TO_WHOLE: f32 = 8_388_608.0;

#[inline(always)]
fn raise(largest: &mut [f32; 16], values: &[f32]) {
    for (largest, &value) in largest.iter_mut().zip(values) {
        *largest = if value > *largest { value } else { *largest };
    }
}

/// From whole sums to outputs.
#[multiversion(targets("x86_64+avx2"))]
fn finish(sums: &[i32], row_step: f32, steps: &[f32], biases: &[f32], add: bool, out: &mut [f32]) {
    let each =
        sums.iter().zip(steps).zip(biases).map(|((&sum, step), bias)| sum as f32 * (row_step * step) + bias);
    if add {
        out.iter_mut().zip(each).for_each(|(out, value)| *out = (*out + value).max(0.0));
    } else {
        out.iter_mut().zip(each).for_each(|(out, value)| *out = value.max(0.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What [`Product::apply`] is defined to give, number by number.
    fn defined(layer: &Layer, row: &[f32], before: f32, output: usize) -> f32 {
        let column: Vec<f32> = (0..layer.inputs).map(|i| layer.row(i)[output]).collect();
        let step = column.iter().fold(0.0_f32, |most, w| most.max(w.abs())) / MOST;
        let most = row.iter().fold(0.0_f32, |most, &value| most.max(value));
        let whole = |value: f32| (value * (MOST / most)).round_ties_even() as i32;
        let sum: i32 = row.iter().zip(&column).map(|(&x, w)| whole(x) * (w / step).round() as i32).sum();
        let value = sum as f32 * (most / MOST * step) + layer.biases[output];
        (before + value).max(0.0)
    }

    #[test]
    fn the_product_is_exactly_the_sum_of_its_definition() {
        // Larger than one part and one panel, and not a multiple of either.
        let (inputs, outputs) = (70, 150);
        let number = |i: usize| ((i * 7919 + 11) % 1009) as f32 / 100.0;
        let weights: Vec<f32> = (0..inputs * outputs).map(|i| number(i) - 5.0).collect();
        let biases: Vec<f32> = (0..outputs).map(|i| number(i + 5) - 5.0).collect();
        let layer = Layer { inputs, outputs, weights, biases };
        let product = Product::new(layer.clone());
        let mut room = Room::new(inputs);
        for rows in [1, 2, 3, 8, 64, 65, 200] {
            let input: Vec<f32> = (0..rows * inputs).map(|i| number(i + 3)).collect();
            for add in [false, true] {
                let mut out = vec![7.0; rows * outputs];
                product.apply(rows, &input, &mut out, add, &mut room);
                for (place, &value) in out.iter().enumerate() {
                    let (row, output) = (place / outputs, place % outputs);
                    let before = if add { 7.0 } else { 0.0 };
                    let expected = defined(&layer, &input[row * inputs..(row + 1) * inputs], before, output);
                    assert_eq!(value, expected, "row {row} of {rows}, output {output}");
                }
            }
        }
    }

    #[test]
    fn extreme_inputs_do_not_overflow() {
        let inputs = 1280;
        for sign in [1.0, -1.0] {
            let layer = Layer { inputs, outputs: 2, weights: vec![sign; inputs * 2], biases: vec![0.0; 2] };
            let mut out = [0.0; 2];
            Product::new(layer).apply(1, &vec![3.0; inputs], &mut out, false, &mut Room::new(inputs));
            let expected = if sign > 0.0 { 3.0 * inputs as f32 } else { 0.0 };
            assert!((out[0] - expected).abs() < 1e-3 * expected.max(1.0), "{out:?}");
        }
        // A row and a column of nothing.
        let layer = Layer { inputs: 3, outputs: 1, weights: vec![0.0; 3], biases: vec![0.5] };
        let mut out = [0.0; 1];
        Product::new(layer).apply(1, &[0.0; 3], &mut out, false, &mut Room::new(3));
        assert_eq!(out, [0.5]);
    }
}
