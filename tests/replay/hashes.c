/* tests/replay/hashes.c - prints hashes of the outputs and gradients of all ops, one line per sample; scripts/replay
 * compares the lines of two revisions, scripts/bits of two processors. Samples are the cases of the gradient checks
 * (tests/ops) and the larger ones of large.c, in f64 and f32, contiguous and transposed.
 *
 *     replay_hashes [OP]      all samples, or only those of an op ("large": of large.c)
 *
 *     tanh (2, 3), f64, plain: y 9c64c1e56ed7dc37, dx 4ee29a9f0c2cd9ff, recorded 4ee29a9f0c2cd9ff, ddx 2bb9...
 *
 * dx is the hash of all gradients by the fused rules, `recorded` by the rules made of ops, and ddx of their gradients.
 * All NaN count as the same number. A sample that fails prints its error. Exit code: 0, or 3 if the processor lacks the
 * instruction set of HEED_ISA.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "from.h"
#include "hash.h"
#include "large.h"
#include "ops/driver_sample.h"

static heed_tensor *with_one_nan(heed_tensor *x)
{
    bool floating = heed_dtype_of(x) == HEED_F32 || heed_dtype_of(x) == HEED_F64;
    return floating ? heed_where(heed_isnan(x), heed_full(heed_dtype_of(x), HEED_SCALAR, (double)NAN), x) : x;
}

static uint64_t hash_all(heed_tensor *const *tensors, int n)
{
    uint64_t hash = HASH_BEGIN;
    heed_scope *scope = heed_no_grad_begin();
    for (int i = 0; i < n; i++)
        hash = hash_tensor(hash, with_one_nan(tensors[i]));
    (void)heed_scope_end(scope);
    return hash;
}

/* -- Samples ------------------------------------------------------------------------------------------------------- */

/* Returns different numbers from 1/2 to 3/2 in the dtype and shape of y, for use as an output gradient. */
static heed_tensor *weights_like(heed_tensor *y)
{
    heed_scope *scope = heed_no_grad_begin();
    heed_generator *generator = heed_generator_new(1);
    heed_tensor *u = FROM(generator, heed_rand(HEED_F64, heed_shape_of(y)));
    heed_generator_free(generator);
    return heed_scope_return(scope, heed_to_dtype(heed_add_scalar(u, 0.5), heed_dtype_of(y)));
}

static bool set_leaves(op_sample *s, heed_tensor *const *values, heed_dtype dtype, op_layout layout)
{
    for (int i = 0; i < s->c->n_inputs; i++) {
        const op_input *in = &s->c->in[i];
        heed_tensor *x = heed_dtype_of(values[i]) == HEED_F64 ? heed_to_dtype(values[i], dtype) : values[i];
        bool requires_grad = in->kind == OP_FLOAT && s->c->max_order >= 0;
        bool applies = op_layout_applies(layout, &in->shape);
        if (!x || !op_set_leaf(s, i, x, applies ? layout : OP_PLAIN, requires_grad))
            return false;
    }
    return true;
}

static int leaves_with_gradient(const op_sample *s, heed_tensor **leaves)
{
    int n = 0;
    for (int i = 0; i < s->c->n_inputs; i++)
        if (heed_requires_grad(s->leaves[i]))
            leaves[n++] = s->leaves[i];
    return n;
}

/* Writes to `second` the gradients of the gradients that depend on the leaves, and returns their number. */
static int differentiate_again(heed_tensor *const *first, heed_tensor *const *leaves, int n, heed_tensor **second)
{
    heed_tensor *outputs[OP_MAX_INPUTS], *weights[OP_MAX_INPUTS];
    int m = 0;
    for (int i = 0; i < n; i++)
        if (heed_requires_grad(first[i])) {
            outputs[m] = first[i];
            weights[m++] = weights_like(first[i]);
        }
    heed_grad_options options = {.grad_outputs = weights, .allow_unused = true};
    if (m == 0 || heed_grad(outputs, m, leaves, n, second, &options) != HEED_OK)
        return 0;
    int found = 0;
    for (int i = 0; i < n; i++)
        if (second[i])
            second[found++] = second[i];
    return found;
}

static void print_sample(op_sample *s)
{
    heed_tensor *leaves[OP_MAX_INPUTS], *grads[OP_MAX_INPUTS], *second[OP_MAX_INPUTS];
    int n = leaves_with_gradient(s, leaves);
    heed_tensor *y = op_call(s->leaves, s);
    (void)printf("y %016" PRIx64, y ? hash_all(&y, 1) : 0);
    heed_tensor *g = y && n > 0 ? weights_like(y) : NULL;
    heed_grad_options fused = {.grad_outputs = &g, .retain_graph = true}, recorded = fused;
    recorded.create_graph = true;
    if (g && heed_grad(&y, 1, leaves, n, grads, &fused) == HEED_OK)
        (void)printf(", dx %016" PRIx64, hash_all(grads, n));
    if (g && heed_grad(&y, 1, leaves, n, grads, &recorded) == HEED_OK) {
        (void)printf(", recorded %016" PRIx64, hash_all(grads, n));
        int found = s->c->max_order == 0 ? differentiate_again(grads, leaves, n, second) : 0;
        if (found > 0)
            (void)printf(", ddx %016" PRIx64, hash_all(second, found));
    }
}

static void print_case(const char *op, const op_case *c, heed_dtype dtype, op_layout layout)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *values[OP_MAX_INPUTS];
    op_sample s = {.c = c};
    (void)printf("%s %s, %s, %s: ", op, c->name, heed_dtype_name(dtype), op_layout_name(layout));
    if (op_draw(op, c, values) && set_leaves(&s, values, dtype, layout))
        print_sample(&s);
    (void)printf("%s%s\n", heed_error_code() == HEED_OK ? "" : " ", heed_error_message());
    heed_error_clear();
    (void)heed_scope_end(scope);
}

static void print_cases(const char *op, const op_cases *cases)
{
    for (const op_case *c = cases->cases; c && c->name; c++) {
        const op_case filled = op_case_of(cases, c);
        for (int dtype = 0; dtype < 2; dtype++) {
            print_case(op, &filled, dtype == 0 ? HEED_F64 : HEED_F32, OP_PLAIN);
            print_case(op, &filled, dtype == 0 ? HEED_F64 : HEED_F32, OP_TRANSPOSED);
        }
    }
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : NULL;
    if (!heed_neg(heed_ones(HEED_F32, HEED_SHAPE(1))))
        return 3;
    int count;
    const op_entry *ops = op_entries(&count);
    for (int i = 0; i < count; i++)
        if (!only || strcmp(only, ops[i].name) == 0)
            print_cases(ops[i].name, ops[i].cases);
    if (!only || strcmp(only, "large") == 0)
        print_cases("large", &large_cases);
    return 0;
}
