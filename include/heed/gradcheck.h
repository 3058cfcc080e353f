/* heed/gradcheck.h - checks gradients against finite differences: of ops, of your own ops, of whole models.
 *
 *     static heed_tensor *f(heed_tensor *const *in, void *user) { return cube(in[0]); }
 *     ...
 *     heed_gradcheck_result r;
 *     if (heed_gradcheck(f, NULL, &x, 1, NULL, &r) != HEED_OK) puts(r.report);
 *
 * Numeric derivatives are five-point central differences,
 *     f'(x) = (f(x-2h) - 8 f(x-h) + 8 f(x+h) - f(x+2h)) / 12h  + O(h^4),
 * with h = eps max(1, |x|). An entry passes when |analytic - numeric| <= atol + rtol |numeric|; NaN and infinity fail.
 *
 * To check a model, give its parameters as inputs, and in fn lend the model what fn was called with:
 *
 *     heed_tensor *width = net->width;
 *     net->width = in[0];
 *     heed_tensor *y = heed_nn_nw_kernel_regression_forward(net, q, k, v);
 *     net->width = width;
 *     return y;
 */
#ifndef HEED_GRADCHECK_H
#define HEED_GRADCHECK_H

#include <heed/graph.h>

HEED_BEGIN_DECLS

/* The function to check: any number of inputs to one tensor of floating-point dtype. It is called many times with
 * copies of the inputs, must give the same value each time for the same inputs, and may return NULL to fail. It
 * runs as heed/scope.h says of functions of others. */
typedef heed_tensor *(*heed_gradcheck_fn)(heed_tensor *const *inputs, void *user);

/* What heed_gradcheck and heed_gradgradcheck may be told; NULL: all of them 0. */
typedef struct heed_gradcheck_options {
    double eps;             /* 0: 1e-3 */
    double atol;            /* 0: 1e-8 for order 1, 1e-6 for order 2 */
    double rtol;            /* 0: like atol */
    bool random_projection; /* compare one random projection u^T J v per input instead of the full Jacobian: for
                               models too large for the latter */
    bool contiguous_only;   /* Skips the round with strided views of every input and of the output gradient, and the
                               checks with expanded, transposed and flipped output gradients. */
    uint64_t seed;          /* for projections and output gradients */
    HEED_RESERVED;
} heed_gradcheck_options;

/* The size of a report, its final NUL included. */
#define HEED_GRADCHECK_REPORT_MAX 512

/* What was found. */
typedef struct heed_gradcheck_result {
    bool passed;          /* all derivatives agree */
    int order;            /* 1 or 2 */
    int64_t compared;     /* derivatives compared */
    double max_error;     /* the largest |analytic - numeric| / (1 + |numeric|) */
    int input;            /* where that was, or where the check failed: which input (order 2: n_inputs is g), */
    int64_t input_index;  /* which of its elements (row-major), */
    int64_t output_index; /* of which element of the output (order 2: of the gradients, one after the other); both
                             indices are -1 with random_projection, and all three where nothing was compared */
    double analytic;      /* by the rule that is further off */
    double numeric;       /* the finite difference there */
    char report[HEED_GRADCHECK_REPORT_MAX]; /* one readable paragraph */
} heed_gradcheck_result;

/* Compares d fn / d inputs[i] with numeric derivatives, for every f64 input that requires a gradient; the others are
 * passed as they are. Derivatives are taken with create_graph and without, by each op's backward and by its
 * backward_fused: both must be right, and the report names the one that is not. An expanded output gradient, such as
 * heed_sum passes on, a transposed one and a flipped one must each give the same gradients as a contiguous copy.
 * Also requires that a second backward
 * pass gives the same bits, and fn the same value while recording is off. `result` may be NULL. Returns HEED_OK when
 * passed; HEED_ERR_STATE when the derivatives differ (the report says where, and is the pending error's message);
 * HEED_ERR_DTYPE when an input that requires a gradient is not f64; HEED_ERR_ARGUMENT when none does, an option is out
 * of range, or fn reads one of these tensors itself and not the copy it is called with; or what fn failed with. The
 * inputs' values, .grad and graphs are as before.
 * torch: torch.autograd.gradcheck */
HEED_API heed_status heed_gradcheck(heed_gradcheck_fn fn, void *user, heed_tensor *const *inputs, int n_inputs,
                                    const heed_gradcheck_options *options, heed_gradcheck_result *result);

/* heed_gradcheck for the gradient itself: checks the map (inputs, g) -> g^T d fn / d inputs, with a random g, so that
 * second derivatives and the gradient's dependence on g are both compared; and that the gradient is the same with
 * create_graph and without. HEED_ERR_UNSUPPORTED when an op has no second derivative; other results and errors as
 * heed_gradcheck.
 * torch: torch.autograd.gradgradcheck */
HEED_API heed_status heed_gradgradcheck(heed_gradcheck_fn fn, void *user, heed_tensor *const *inputs, int n_inputs,
                                        const heed_gradcheck_options *options, heed_gradcheck_result *result);

HEED_END_DECLS

#endif
