/* nn/rope_scaling.c - options of RoPE in attention, and frequencies scaled for texts longer than the training texts.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>

#include <heed/graph.h>

#include "nn/multi_head_attention.h"

typedef heed_nn_multi_head_attention_options multi_head_options;

#define TWO_PI 6.28318530717958647693
#define RAMP_MIN 1e-3 /* minimum length of YaRN's ramp, in pairs */

static const char where[] = "nn_multi_head_attention_new";

static const char *const names[] = {"HEED_ROPE_UNSCALED", "HEED_ROPE_LINEAR", "HEED_ROPE_LLAMA3", "HEED_ROPE_DYNAMIC",
                                    "HEED_ROPE_YARN"};

/* -- Checks -------------------------------------------------------------------------------------------------------- */

enum {
    LINEAR = 1 << HEED_ROPE_LINEAR,
    LLAMA3 = 1 << HEED_ROPE_LLAMA3,
    DYNAMIC = 1 << HEED_ROPE_DYNAMIC,
    YARN = 1 << HEED_ROPE_YARN,
    SCALED = LINEAR | LLAMA3 | DYNAMIC | YARN,
    ALL = SCALED | 1 << HEED_ROPE_UNSCALED
};

/* Checks that every given option is finite and not negative, and that RoPE and its scaling use it. */
static bool check_rope_options(const multi_head_options *o)
{
    const struct {
        const char *name;
        double value;
        int users; /* scalings that use the option */
    } options[] = {
        {"rope_interleaved", o->rope_interleaved, ALL},
        {"rope_base", o->rope_base, ALL},
        {"rope_dims", (double)o->rope_dims, ALL},
        {"rope_scaling", (double)o->rope_scaling, ALL},
        {"rope_factor", o->rope_factor, SCALED},
        {"rope_original_len", (double)o->rope_original_len, LLAMA3 | DYNAMIC | YARN},
        {"rope_low_freq_factor", o->rope_low_freq_factor, LLAMA3 | YARN},
        {"rope_high_freq_factor", o->rope_high_freq_factor, LLAMA3 | YARN},
        {"rope_attention_factor", o->rope_attention_factor, YARN},
        {"rope_no_truncate", o->rope_no_truncate, YARN},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const char *name = options[i].name;
        const double value = options[i].value;
        if (!(isfinite(value) && value >= 0.0))
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is %g: must be finite and 0 or more", name, value);
        if (value != 0.0 && !o->rope)
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is %g and rope is false: set rope to use it", name,
                                   value);
        if (value != 0.0 && !(options[i].users & 1 << o->rope_scaling))
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is %g, but rope_scaling %s does not use it", name,
                                   value, names[o->rope_scaling]);
    }
    return true;
}

/* Checks relations between the options of scaling. */
static bool check_scaling(const multi_head_options *o)
{
    const int users = 1 << o->rope_scaling;
    if (users & (LLAMA3 | DYNAMIC | YARN) && o->rope_original_len == 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "rope_original_len is 0: must be above 0 with rope_scaling %s",
                               names[o->rope_scaling]);
    if (users & YARN && o->rope_base <= 1.0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "rope_base is %g: must be above 1 with rope_scaling %s",
                               o->rope_base, names[o->rope_scaling]);
    return !(users & (LLAMA3 | YARN)) || o->rope_low_freq_factor < o->rope_high_freq_factor ||
           heed_fail_false(HEED_ERR_ARGUMENT, where,
                           "rope_low_freq_factor is %g: must be below rope_high_freq_factor, %g",
                           o->rope_low_freq_factor, o->rope_high_freq_factor);
}

static double default_to(double value, double otherwise)
{
    return value == 0.0 ? otherwise : value;
}

bool heed__rope_check(multi_head_options *o)
{
    if ((unsigned)o->rope_scaling > HEED_ROPE_YARN)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "rope_scaling must be one of HEED_ROPE_*, not %d",
                               (int)o->rope_scaling);
    if (!check_rope_options(o))
        return false;
    const bool yarn = o->rope_scaling == HEED_ROPE_YARN;
    o->rope_base = default_to(o->rope_base, 10000.0);
    o->rope_factor = default_to(o->rope_factor, 1.0);
    o->rope_low_freq_factor = default_to(o->rope_low_freq_factor, 1.0);
    o->rope_high_freq_factor = default_to(o->rope_high_freq_factor, yarn ? 32.0 : 4.0);
    o->rope_attention_factor =
        default_to(o->rope_attention_factor, yarn && o->rope_factor > 1.0 ? 0.1 * log(o->rope_factor) + 1.0 : 1.0);
    if (!o->rope)
        return true;
    o->rope_dims = o->rope_dims == 0 ? o->head_dim : o->rope_dims;
    if (o->rope_dims > o->head_dim || o->rope_dims % 2 != 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "rope_dims is %" PRId64 ": must be even and at most head_dim, %" PRId64, o->rope_dims,
                               o->head_dim);
    return check_scaling(o);
}

/* -- Frequencies --------------------------------------------------------------------------------------------------- */

/* Returns the pair, as a real number, that makes `rotations` rotations within the original length. */
static double pair_of(const multi_head_options *o, double rotations)
{
    return (double)o->rope_dims / 2.0 * log((double)o->rope_original_len / (rotations * TWO_PI)) / log(o->rope_base);
}

/* Returns YaRN's r of pair i: it falls from 1 to 0 between the pairs of the highest and lowest unscaled frequencies. */
static double yarn_unscaled(const multi_head_options *o, int64_t i)
{
    double first = pair_of(o, o->rope_high_freq_factor), last = pair_of(o, o->rope_low_freq_factor);
    if (!o->rope_no_truncate) {
        first = floor(first);
        last = ceil(last);
    }
    first = fmax(first, 0.0);
    last = fmin(last, (double)o->rope_dims - 1.0);
    return 1.0 - fmin(fmax(((double)i - first) / fmax(last - first, RAMP_MIN), 0.0), 1.0);
}

/* Returns r of pair i with frequency f: 1 for a pair that stays unscaled, 0 for a fully scaled one. */
static double unscaled_of(const multi_head_options *o, int64_t i, double f)
{
    const double low = o->rope_low_freq_factor, high = o->rope_high_freq_factor;
    switch (o->rope_scaling) {
    case HEED_ROPE_LLAMA3:
        return fmin(fmax(((double)o->rope_original_len * f / TWO_PI - low) / (high - low), 0.0), 1.0);
    case HEED_ROPE_YARN:
        return yarn_unscaled(o, i);
    default:
        return 0.0;
    }
}

heed_tensor *heed__rope_scaled_frequencies(const multi_head_options *o)
{
    heed_tensor *frequencies = heed_zeros(HEED_F64, HEED_SHAPE(o->rope_dims / 2));
    double *f = frequencies ? heed_mutable_f64(frequencies) : NULL;
    for (int64_t i = 0; f && i < o->rope_dims / 2; i++) {
        f[i] = pow(o->rope_base, -2.0 * (double)i / (double)o->rope_dims);
        const double unscaled = unscaled_of(o, i, f[i]);
        f[i] *= unscaled + (1.0 - unscaled) / o->rope_factor;
    }
    return f ? frequencies : NULL;
}

double heed__rope_base_at(const heed_nn_multi_head_attention *net, int64_t length)
{
    const double dims = (double)net->rope_dims, factor = net->rope_factor;
    if (net->rope_scaling != HEED_ROPE_DYNAMIC || length <= net->rope_original_len || dims <= 2.0)
        return net->rope_base; /* the frequency of a single pair is 1 for every base */
    const double stretch = factor * (double)length / (double)net->rope_original_len - (factor - 1.0);
    return net->rope_base * pow(stretch, dims / (dims - 2.0));
}
