/* ops/norm/normalize.h - shared by the normalisations: the functions of the ops layer_norm and rms_norm, which
 * normalise rows, and gradients composed of public ops, for normalisation over any axes. */
#ifndef HEED_OPS_NORM_NORMALIZE_H
#define HEED_OPS_NORM_NORMALIZE_H

#include "ops/support.h"

/* The params of layer_norm and rms_norm. */
typedef struct heed__norm_params {
    heed_shape shape; /* shape of the normalised axes */
    double eps;
    bool uncentred; /* true: the mean is taken as 0 */
} heed__norm_params;

/* The functions of both ops. The inputs are x, weight and bias; weight and bias are optional. */
bool heed__norm_infer(const heed_call *call, heed_meta *out);
bool heed__norm_forward(const heed_call *call, heed_tensor *const *out);
void heed__norm_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx);
void heed__norm_backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx);

/* The fields that the two ops' records (heed_op) have in common. */
#define HEED__NORM_RULES                                                                                               \
    .n_inputs = 1, .n_outputs = 1, .params_size = sizeof(heed__norm_params),                                           \
    .fields = HEED_FIELDS(HEED_FIELD(heed__norm_params, shape), HEED_FIELD(heed__norm_params, eps)),                   \
    .saved = HEED_SAVE_INPUT(0) | HEED_SAVE_INPUT(1), .contiguous = true, .infer = heed__norm_infer,                   \
    .forward = heed__norm_forward, .backward = heed__norm_backward, .backward_fused = heed__norm_backward_fused

/* Checks `params` and applies the op. weight and bias may be NULL; a bias needs a weight. Returns NULL after
 * heed_fail. */
heed_tensor *heed__norm_apply(const heed_op *op, const heed__norm_params *params, heed_tensor *x, heed_tensor *weight,
                              heed_tensor *bias);

/* -- For other normalisations -------------------------------------------------------------------------------------- */

/* Checks that eps is finite and not negative. Raises a positive *eps below the smallest normal number of x's dtype to
 * that number. Returns false after heed_fail. */
bool heed__norm_check_eps(const char *where, const heed_tensor *x, double *eps);

/* Checks that x is floating-point and has channels, (B, C, ...). Returns false after heed_fail. */
bool heed__norm_check_channels(const char *where, const heed_tensor *x);

/* heed__norm_given returns the input with index `input`, and heed__norm_needs whether its gradient is requested. They
 * return NULL and false if the call has fewer inputs. */
heed_tensor *heed__norm_given(const heed_call *call, int input);
bool heed__norm_needs(const heed_call *call, int input);

/* h = (x - mean) factor with factor = 1 / sqrt(variance + eps); mean and variance are taken over the given axes.
 * heed__normalize subtracts the mean twice, as the kernels do, and is composed of public ops. If squares leave the
 * range of x's dtype, h and factor are f64 and computed from x times `by`. */
typedef struct heed__normalized {
    heed_tensor *h, *factor;
    heed_tensor *by; /* NULL means 1 */
} heed__normalized;
heed__normalized heed__normalize(heed_tensor *x, heed_shape axes, double eps, bool uncentred);

/* Returns a h in a's dtype; NULL after an error. */
heed_tensor *heed__normalized_product(const heed__normalized *of, heed_tensor *a);

/* Returns dx = factor (a - mean(a) - h mean(a h)) for a = g weight, without the term mean(a) if `uncentred`. NULL after
 * an error. */
heed_tensor *heed__normalize_gradient(const heed__normalized *of, heed_tensor *a, heed_shape axes, bool uncentred);

/* heed_group_norm without its checks, except the checks of weight and bias. x may be empty. */
heed_tensor *heed__group_norm(const char *where, heed_tensor *x, int64_t groups, heed_tensor *weight, heed_tensor *bias,
                              double eps);

#endif
