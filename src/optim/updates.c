/* optim/updates.c - updates of a parameter and its buffers, moving averages and sums of squares. optim/update_loops.h
 * has the loops, for f32 and f64.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "optim/updates.h"

#include <float.h>
#include <math.h>

#include "optim/clip.h"

#define REAL float
#define TYPED(name) name##_f32
#define SQUARE_ROOT sqrtf
#define LEAST FLT_MIN
#define DATA heed_data_f32
#define MUTABLE_DATA heed_mutable_f32
#include "optim/update_loops.h"
#undef REAL
#undef TYPED
#undef SQUARE_ROOT
#undef LEAST
#undef DATA
#undef MUTABLE_DATA

#define REAL double
#define TYPED(name) name##_f64
#define SQUARE_ROOT sqrt
#define LEAST DBL_MIN
#define DATA heed_data_f64
#define MUTABLE_DATA heed_mutable_f64
#include "optim/update_loops.h"

static bool is_f32(const heed__slot *slot)
{
    return heed_dtype_of(slot->target) == HEED_F32;
}

void heed__update_sgd(const heed__sgd_rule *rule, heed__slot *slot)
{
    (is_f32(slot) ? update_sgd_f32 : update_sgd_f64)(rule, slot);
}

void heed__update_adam(const heed__adam_rule *rule, heed__slot *slot)
{
    (is_f32(slot) ? update_adam_f32 : update_adam_f64)(rule, slot);
}

void heed__update_rmsprop(const heed__rmsprop_rule *rule, heed__slot *slot)
{
    (is_f32(slot) ? update_rmsprop_f32 : update_rmsprop_f64)(rule, slot);
}

void heed__update_adagrad(const heed__adagrad_rule *rule, heed__slot *slot)
{
    (is_f32(slot) ? update_adagrad_f32 : update_adagrad_f64)(rule, slot);
}

void heed__update_lion(const heed__lion_rule *rule, heed__slot *slot)
{
    (is_f32(slot) ? update_lion_f32 : update_lion_f64)(rule, slot);
}

void heed__update_muon(const heed__muon_rule *rule, heed__slot *slot)
{
    (is_f32(slot) ? update_muon_f32 : update_muon_f64)(rule, slot);
}

void heed__move_average(heed_tensor *a, const heed_tensor *p, double weight)
{
    if (heed_dtype_of(a) == HEED_F32)
        move_average_f32(heed_numel(a), heed_mutable_f32(a), heed_data_f32(p), (float)weight);
    else
        move_average_f64(heed_numel(a), heed_mutable_f64(a), heed_data_f64(p), weight);
}

double heed__sum_of_squares(const heed_tensor *x, int64_t begin, int64_t end)
{
    return heed_dtype_of(x) == HEED_F32 ? sum_of_squares_f32(end - begin, heed_data_f32(x) + begin, 1.0)
                                        : sum_of_squares_f64(end - begin, heed_data_f64(x) + begin, 1.0);
}

double heed__sum_of_scaled_squares(const heed_tensor *x, int64_t begin, int64_t end, double scale)
{
    return heed_dtype_of(x) == HEED_F32 ? sum_of_squares_f32(end - begin, heed_data_f32(x) + begin, scale)
                                        : sum_of_squares_f64(end - begin, heed_data_f64(x) + begin, scale);
}
