/* ops/loss/loss.h - checks and reductions shared by the losses. */
#ifndef HEED_OPS_LOSS_LOSS_H
#define HEED_OPS_LOSS_LOSS_H

#include "ops/support.h"

/* -- All losses ---------------------------------------------------------------------------------------------------- */

/* Returns false after heed_fail. */
bool heed__check_reduction(const char *where, heed_reduction reduction);

/* The mean of the losses, their sum, or the losses themselves. */
heed_tensor *heed__reduce_loss(heed_tensor *losses, heed_reduction reduction);

/* Checks that input and target have the same floating-point dtype and the same shape, and checks the reduction. Returns
 * false after heed_fail. */
bool heed__check_loss(const char *where, const heed_tensor *input, const heed_tensor *target, heed_reduction reduction);

/* Check options: a margin must be finite; eps must be finite and not negative. Return false after heed_fail. */
bool heed__check_margin(const char *where, double margin);
bool heed__check_eps(const char *where, double eps);

/* Returns `if_same` if the target is 1, `if_different` if it is -1, else 0. */
heed_tensor *heed__where_pairs(heed_tensor *target, heed_tensor *if_same, heed_tensor *if_different);

/* -- Classification losses ----------------------------------------------------------------------------------------- */

/* Parameters of an op with inputs (..., C) and targets (...) that returns losses (...). */
typedef struct heed__class_params {
    bool has_ignored;
    int64_t ignored; /* the ignored target; -1, which is not a class, if has_ignored is false */
    double smoothing;
} heed__class_params;

/* Applies the op and reduces its losses; the mean is over the targets that are not ignored. */
heed_tensor *heed__class_loss(const heed_op *op, heed_tensor *input, heed_tensor *targets,
                              const heed_class_loss_options *options);

bool heed__infer_class_loss(const heed_call *call, heed_meta *out);

/* Returns C, the number of classes, for an input of this shape. */
int64_t heed__classes(const heed_shape *shape);

/* For forward: HEED_ERR_INDEX for a target outside the classes, unless it is ignored. */
bool heed__check_targets(const heed_call *call);

/* For backward: bool (..., C), true at the class of every target. */
heed_tensor *heed__target_classes(const heed_call *call);

/* For backward: returns dx (..., C) with exactly 0 in the rows of ignored targets. */
heed_tensor *heed__where_counted(const heed_call *call, heed_tensor *dx);

#endif
