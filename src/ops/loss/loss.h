/* ops/loss/loss.h - checks and reductions shared by the losses.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_LOSS_LOSS_H
#define HEED_OPS_LOSS_LOSS_H

#include "ops/support.h"

/* Returns false after heed_fail. */
bool heed__check_reduction(const char *where, heed_reduction reduction);

/* The mean of the losses, their sum, or the losses themselves. */
heed_tensor *heed__reduce_loss(heed_tensor *losses, heed_reduction reduction);

/* Checks that input and target have the same floating-point dtype and the same shape, and checks the reduction. Returns
 * false after heed_fail. */
bool heed__check_loss(const char *where, const heed_tensor *input, const heed_tensor *target, heed_reduction reduction);

/* Checks that the margin is finite. Returns false after heed_fail. */
bool heed__check_margin(const char *where, double margin);

/* Returns `if_same` if the target is 1, `if_different` if it is -1, else 0. */
heed_tensor *heed__where_pairs(heed_tensor *target, heed_tensor *if_same, heed_tensor *if_different);

#endif
