/* nn/positional_encoding.c - adds sines and cosines of the position: PositionalEncoding of Dive into Deep Learning.
 *
 *     P[i, 2j] = sin(i / 10000^(2j/h)),   P[i, 2j+1] = cos(i / 10000^(2j/h))
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>

#include <heed/ops.h>

#include "nn/transformer_block.h"

static const char where_new[] = "nn_positional_encoding_new";
static const char where_forward[] = "nn_positional_encoding_forward";

enum { MAX_LEN = 1000 }; /* default, as in Dive into Deep Learning */

static heed_tensor *forward_positional_encoding(heed_module *m, heed_tensor *x)
{
    return heed_nn_positional_encoding_forward((heed_nn_positional_encoding *)m, x);
}

static void release_encoding(heed_module *m)
{
    heed_release(((heed_nn_positional_encoding *)m)->P);
}

/* Returns P, owned by the caller, or NULL after heed_fail. */
static heed_tensor *make_encoding(int64_t max_len, int64_t h, heed_dtype dtype)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *P = heed_empty(HEED_F64, HEED_SHAPE(max_len, h));
    double *out = heed_mutable_f64(P);
    for (int64_t column = 0; out && column < h; column++) {
        double divisor = pow(10000.0, (double)(column - column % 2) / (double)h);
        for (int64_t i = 0; i < max_len; i++) {
            double angle = (double)i / divisor;
            out[i * h + column] = column % 2 == 0 ? sin(angle) : cos(angle);
        }
    }
    P = out ? heed_retain(heed_to_dtype(P, dtype)) : NULL;
    heed_scope_end(scope);
    return P;
}

heed_nn_positional_encoding *heed_nn_positional_encoding_new(int64_t hidden_size,
                                                             const heed_nn_positional_encoding_options *options)
{
    HEED_ENTER(where_new);
    heed_nn_positional_encoding_options o = options ? *options : (heed_nn_positional_encoding_options){0};
    int64_t max_len = o.max_len == 0 ? MAX_LEN : o.max_len;
    if (!heed__layer_check_size(where_new, "hidden_size", hidden_size) ||
        !heed__layer_check_size(where_new, "max_len", max_len) || !heed__layer_check_dtype(where_new, o.dtype) ||
        !heed__layer_check_dropout(where_new, o.dropout))
        return NULL;
    heed_nn_positional_encoding *net = heed_module_new("positional_encoding", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward_positional_encoding;
    net->base.on_free = release_encoding;
    net->dropout = o.dropout;
    net->P = make_encoding(max_len, hidden_size, o.dtype);
    return heed__layer_finish(net, net->P != NULL);
}

heed_tensor *heed__positional_encoding_add(const char *where, heed_nn_positional_encoding *net, heed_tensor *x,
                                           int64_t first)
{
    if (!heed__layer_check_given(where, net, "x", x) ||
        !heed__layer_check_tensor(where, "x", x, heed_dtype_of(net->P), HEED_SHAPE(-1, -1, heed_dim(net->P, 1))))
        return NULL;
    const int64_t steps = heed_dim(x, 1), max_len = heed_dim(net->P, 0);
    if (steps > max_len - first)
        return first == 0 ? heed_fail_null(HEED_ERR_SHAPE, where,
                                           "x has %" PRId64 " steps: must be at most max_len, %" PRId64, steps, max_len)
                          : heed_fail_null(HEED_ERR_SHAPE, where,
                                           "x has %" PRId64 " steps, after %" PRId64
                                           " cached steps: must be at most max_len, %" PRId64 ", in all",
                                           steps, first, max_len);
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *sum = heed_add(x, heed_slice(net->P, 0, first, first + steps, 1));
    return heed_scope_return(scope, heed_dropout(sum, net->dropout, net->base.training));
}

heed_tensor *heed_nn_positional_encoding_forward(heed_nn_positional_encoding *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD(where_forward, net);
    return heed__positional_encoding_add(where_forward, net, x, 0);
}
