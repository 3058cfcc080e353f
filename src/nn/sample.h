/* nn/sample.h - penalties of tokens that a sequence already has, shared by sampling and beam search.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NN_SAMPLE_H
#define HEED_NN_SAMPLE_H

#include <heed/generate.h>

#include "nn/layer.h"

/* Returns true if the penalty changes scores: 0 and 1 mean no penalty. */
static inline bool heed__penalises(double penalty)
{
    return penalty != 0.0 && penalty != 1.0;
}

/* heed__check_penalty checks the option repetition_penalty. heed__check_history checks that `history` is NULL or i64 of
 * `shape`, where -1 is any size. Both return false after heed_fail. */
bool heed__check_penalty(const char *where, double penalty);
bool heed__check_history(const char *where, const heed_tensor *history, heed_shape shape);

/* Returns scores (N, V) as f64. In row i, the scores of the tokens history[i], (N, H), are divided by the penalty if
 * they are positive, and multiplied by it otherwise; negative tokens are skipped. Returns NULL after heed_fail. */
heed_tensor *heed__penalise(const char *where, heed_tensor *scores, heed_tensor *history, double penalty);

#endif
