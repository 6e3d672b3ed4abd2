//! The one product of matrices that the net needs, on crate `gemm-f32`, behind a safe function.

use super::file::Layer;

/// `out[row] = input[row] * weights`, or added to what `out` holds; biases are not touched.
///
/// # Panics
/// Never for slices that hold `rows` rows of the layer's sizes.
#[allow(unsafe_code)]
pub(super) fn multiply(layer: &Layer, rows: usize, input: &[f32], out: &mut [f32], add: bool) {
    let (inputs, outputs) = (layer.inputs, layer.outputs);
    assert!(input.len() >= rows * inputs && out.len() >= rows * outputs);
    assert!(layer.weights.len() == inputs * outputs);
    if rows == 0 {
        return;
    }
    // Slices are never longer than isize::MAX, so the strides fit.
    let (inputs_stride, outputs_stride) = (inputs as isize, outputs as isize);
    // SAFETY: gemm reads `outputs x inputs` numbers of the weights and `inputs x rows` of the input and writes
    // `outputs x rows` of the output with the strides below; the assertions above say that all of them are inside
    // their slices. The output is borrowed mutably, hence apart from the others.
    unsafe {
        (gemm_f32::gemm::f32::get_gemm_fn())(
            outputs,
            rows,
            inputs,
            out.as_mut_ptr(),
            outputs_stride,
            1,
            add,
            layer.weights.as_ptr(),
            outputs_stride,
            1,
            input.as_ptr(),
            inputs_stride,
            1,
            1.0,
            1.0,
            false,
            false,
            false,
            gemm_common::Parallelism::None,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_product_is_the_sum_of_its_definition() {
        let (inputs, outputs) = (7, 5);
        let number = |i: usize| ((i * 37 + 11) % 19) as f32 - 9.0;
        let weights: Vec<f32> = (0..inputs * outputs).map(number).collect();
        let layer = Layer { inputs, outputs, weights, biases: vec![0.0; outputs] };
        for rows in [1, 2, 3, 8, 33] {
            let input: Vec<f32> = (0..rows * inputs).map(|i| number(i + 3)).collect();
            let mut out = vec![1.0; rows * outputs];
            multiply(&layer, rows, &input, &mut out, true);
            for row in 0..rows {
                for o in 0..outputs {
                    let sum: f32 = (0..inputs).map(|i| input[row * inputs + i] * layer.row(i)[o]).sum();
                    assert_eq!(out[row * outputs + o], 1.0 + sum);
                }
            }
            multiply(&layer, rows, &input, &mut out, false);
            assert_eq!(out[0], (0..inputs).map(|i| input[i] * layer.row(i)[0]).sum::<f32>());
        }
    }
}
