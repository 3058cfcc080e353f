/* ops/norm/normalize.h - what normalisations share: of rows, which layer norm and RMS norm are, all rules of the op; of
 * any axes, the gradient in public ops. */
#ifndef HEED_OPS_NORM_NORMALIZE_H
#define HEED_OPS_NORM_NORMALIZE_H

#include "ops/support.h"

/* The params of layer_norm and rms_norm. */
typedef struct heed__norm_params {
    heed_shape shape; /* of what is normalised */
    double eps;
    bool uncentred; /* the mean counts as 0 */
} heed__norm_params;

/* Their rules: the inputs are x, weight and bias, of which the last ones may be left out. */
bool heed__norm_infer(const heed_call *call, heed_meta *out);
bool heed__norm_forward(const heed_call *call, heed_tensor *const *out);
void heed__norm_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx);
void heed__norm_backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx);

/* In a record. */
#define HEED__NORM_RULES                                                                                               \
    .n_inputs = 1, .n_outputs = 1, .params_size = sizeof(heed__norm_params),                                           \
    .fields = HEED_FIELDS(HEED_FIELD(heed__norm_params, shape), HEED_FIELD(heed__norm_params, eps)),                   \
    .keeps = HEED_KEEP_INPUT(0) | HEED_KEEP_INPUT(1), .contiguous = true, .infer = heed__norm_infer,                   \
    .forward = heed__norm_forward, .backward = heed__norm_backward, .backward_fused = heed__norm_backward_fused

/* Weight and bias may be NULL; no bias without a weight. */
heed_tensor *heed__norm_apply(const heed_op *op, const heed__norm_params *params, heed_tensor *x, heed_tensor *weight,
                              heed_tensor *bias);

/* -- For other normalisations -------------------------------------------------------------------------------------- */

/* eps is finite and not negative; then *eps is at least the smallest normal number, unless 0. False after heed_fail. */
bool heed__norm_check_eps(const char *where, const heed_tensor *x, double *eps);

/* x is floating-point and has channels, (B, C, ...). False after heed_fail. */
bool heed__norm_check_channels(const char *where, const heed_tensor *x);

/* The input of that number, and whether its gradient is wanted; NULL and false where the call has fewer. */
heed_tensor *heed__norm_given(const heed_call *call, int input);
bool heed__norm_needs(const heed_call *call, int input);

/* h = (x - mean) factor, factor = 1 / sqrt(variance + eps), over these axes; by the kernels' steps: centred twice. In
 * public ops. If squares leave the range of x's dtype, h and factor are f64, and belong to x times `by`. */
typedef struct heed__normalized {
    heed_tensor *h, *factor;
    heed_tensor *by; /* NULL: 1 */
} heed__normalized;
heed__normalized heed__normalize(heed_tensor *x, heed_shape axes, double eps, bool uncentred);

/* a h, in a's dtype. */
heed_tensor *heed__normalized_product(const heed__normalized *of, heed_tensor *a);

/* dx = factor (a - mean(a) - h mean(a h)) for a = g weight; no mean(a) where it is not centred. */
heed_tensor *heed__normalize_gradient(const heed__normalized *of, heed_tensor *a, heed_shape axes, bool uncentred);

/* heed_group_norm of what was checked but for weight and bias; each group of a tensor without elements is empty. */
heed_tensor *heed__group_norm(const char *where, heed_tensor *x, int64_t groups, heed_tensor *weight, heed_tensor *bias,
                              double eps);

#endif
