/* ops/loss/loss.h - what losses share: checks and reductions. */
#ifndef HEED_OPS_LOSS_LOSS_H
#define HEED_OPS_LOSS_LOSS_H

#include "ops/support.h"

/* -- Any loss ------------------------------------------------------------------------------------------------------ */

/* False after heed_fail. */
bool heed__check_reduction(const char *where, heed_reduction reduction);

/* The mean of the losses, their sum, or the losses themselves. */
heed_tensor *heed__reduce_loss(heed_tensor *losses, heed_reduction reduction);

/* Losses of pairs: two tensors of one floating-point dtype and one shape, and a reduction. False after heed_fail. */
bool heed__check_loss(const char *where, const heed_tensor *input, const heed_tensor *target, heed_reduction reduction);

/* Of options: a margin is finite; eps is finite and not negative. False after heed_fail. */
bool heed__check_margin(const char *where, double margin);
bool heed__check_eps(const char *where, double eps);

/* Where the target is 1 one loss, where it is -1 the other, elsewhere 0. */
heed_tensor *heed__where_pairs(heed_tensor *target, heed_tensor *alike, heed_tensor *apart);

/* -- Losses of classes --------------------------------------------------------------------------------------------- */

/* Of an op of inputs (..., C) and targets (...) that gives losses (...). */
typedef struct heed__class_params {
    bool has_ignored;
    int64_t ignored; /* -1, which is no class, unless has_ignored */
    double smoothing;
} heed__class_params;

/* Applies the op, and reduces what it gives: the mean is over the targets that count. */
heed_tensor *heed__class_loss(const heed_op *op, heed_tensor *input, heed_tensor *targets,
                              const heed_class_loss_options *options);

bool heed__infer_class_loss(const heed_call *call, heed_meta *out);

/* Of an input of this shape: C. */
int64_t heed__classes(const heed_shape *shape);

/* In forward: HEED_ERR_INDEX for a target that counts and is no class. */
bool heed__check_targets(const heed_call *call);

/* In backward, bool (..., C): the class of each target. */
heed_tensor *heed__target_classes(const heed_call *call);

/* In backward, (..., C): `dx`, with exactly 0 in the rows of targets that are ignored. */
heed_tensor *heed__where_counted(const heed_call *call, heed_tensor *dx);

#endif
