/* heed/gradcheck.h - checks gradients against finite differences, for heed's ops, your own ops and whole models.
 *
 *     static heed_tensor *f(heed_tensor *const *in, void *user) { return cube(in[0]); }
 *     ...
 *     heed_gradcheck_result r;
 *     if (heed_gradcheck(f, NULL, &x, 1, NULL, &r) != HEED_OK) puts(r.report);
 *
 * Numeric derivatives are five-point central differences,
 *     f'(x) = (f(x-2h) - 8 f(x-h) + 8 f(x+h) - f(x+2h)) / 12h  + O(h^4),
 * with h = eps max(1, |x|). An entry passes if |analytic - numeric| <= atol + rtol |numeric|; NaN and infinity fail.
 *
 * To check a model, pass its parameters as inputs. The function then puts its arguments in their place:
 *
 *     heed_tensor *width = net->width;
 *     net->width = in[0];
 *     heed_tensor *y = heed_nn_nw_kernel_regression_forward(net, q, k, v);
 *     net->width = width;
 *     return y;
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_GRADCHECK_H
#define HEED_GRADCHECK_H

#include <heed/graph.h>

HEED_BEGIN_DECLS

/* The function to check, from any number of inputs to one tensor of floating-point dtype. It is called many times with
 * copies of the inputs, must always return the same value for the same inputs, and may return NULL on failure. It is a
 * callback under the rules of heed/scope.h. */
typedef heed_tensor *(*heed_gradcheck_fn)(heed_tensor *const *inputs, void *user);

/* Options of heed_gradcheck and heed_gradgradcheck; NULL: all of them 0. */
typedef struct heed_gradcheck_options {
    double eps;             /* 0: 1e-3 */
    double atol;            /* 0: 1e-8 for order 1, 1e-6 for order 2 */
    double rtol;            /* 0: the same number as for atol */
    bool random_projection; /* compares one random projection u^T J v per input instead of the full Jacobian J: for
                               models for which J is too large */
    bool contiguous_only;   /* skips the checks with strided views of the inputs and of the output gradient, and with
                               expanded, transposed and flipped output gradients */
    uint64_t seed;          /* seed of the random projections and output gradients */
    HEED_RESERVED;
} heed_gradcheck_options;

/* The size of a report, its final NUL included. */
#define HEED_GRADCHECK_REPORT_MAX 512

/* The result of a check. */
typedef struct heed_gradcheck_result {
    bool passed;          /* all derivatives agree */
    int order;            /* 1 or 2 */
    int64_t compared;     /* number of derivatives compared */
    double max_error;     /* the largest |analytic - numeric| / (1 + |numeric|) */
    int input;            /* index of the input with the largest error or the failure (order 2: n_inputs means g) */
    int64_t input_index;  /* element of that input (row-major) */
    int64_t output_index; /* element of the output (order 2: of the concatenated gradients). With random_projection,
                             input_index and output_index are -1; if nothing was compared, `input` is -1, too */
    double analytic; /* the analytic derivative there, from backward or backward_fused, whichever is less accurate */
    double numeric;  /* the finite difference there */
    char report[HEED_GRADCHECK_REPORT_MAX]; /* one readable paragraph */
} heed_gradcheck_result;

/* Compares d fn / d inputs[i] with numeric derivatives, for every f64 input that requires a gradient.
 * Other inputs are passed unchanged. Derivatives are computed with and without create_graph, that is, by the ops'
 * backward and by backward_fused. Both must be correct, and the report names the wrong one. Output gradients that are
 * expanded (as heed_sum produces), transposed or flipped must give the same gradients as contiguous copies. A second
 * backward pass must give the same bits, and fn must return the same value while recording is off. `result` may be
 * NULL. The inputs' values, .grad and graphs do not change.
 *
 * Returns HEED_OK if all checks passed.
 * Errors: HEED_ERR_STATE if the derivatives differ (the report says where, and is the pending error's message);
 * HEED_ERR_DTYPE if an input that requires a gradient is not f64; HEED_ERR_ARGUMENT if no input requires a gradient, an
 * option is out of range, or fn reads one of the input tensors itself instead of the copy that it is passed; errors of
 * fn.
 * torch: torch.autograd.gradcheck */
HEED_API heed_status heed_gradcheck(heed_gradcheck_fn fn, void *user, heed_tensor *const *inputs, int n_inputs,
                                    const heed_gradcheck_options *options, heed_gradcheck_result *result);

/* Checks second derivatives: runs heed_gradcheck on the map (inputs, g) -> g^T d fn / d inputs with a random g.
 * Second derivatives and the gradient's dependence on g are both compared. It also checks that the gradient is the same
 * with and without create_graph.
 * Errors: as heed_gradcheck, and HEED_ERR_UNSUPPORTED if an op lacks a second derivative.
 * torch: torch.autograd.gradgradcheck */
HEED_API heed_status heed_gradgradcheck(heed_gradcheck_fn fn, void *user, heed_tensor *const *inputs, int n_inputs,
                                        const heed_gradcheck_options *options, heed_gradcheck_result *result);

HEED_END_DECLS

#endif
