/* tests/promises/memory/oom_inputs.h - for the programs test_oom_every_*.c: inputs that outlive failures, and a line
 * per function.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef OOM_INPUTS_H
#define OOM_INPUTS_H

#include "fail_alloc.h"

/* w and v are leaves that require a gradient; w has one. */
#define OOM_INPUTS 13

static union {
    struct {
        heed_tensor *w, *v, *plain, *batch, *row, *two, *wide, *whole, *mask, *index, *places, *lengths, *one;
    };
    heed_tensor *all[OOM_INPUTS];
} oom;

static inline void oom_make_inputs(void)
{
    heed_manual_seed(3);
    oom.w = heed_set_requires_grad(heed_add_scalar(heed_rand(HEED_F64, HEED_SHAPE(3, 3)), 0.5), true);
    oom.v = heed_set_requires_grad(heed_rand(HEED_F64, HEED_SHAPE(3)), true);
    oom.plain = heed_rand(HEED_F64, HEED_SHAPE(3, 3));
    oom.batch = heed_set_requires_grad(heed_rand(HEED_F64, HEED_SHAPE(2, 3, 3)), true);
    oom.row = heed_rand(HEED_F64, HEED_SHAPE(1, 3));
    oom.two = heed_rand(HEED_F32, HEED_SHAPE(2, 3, 4));
    oom.wide = heed_transpose(heed_rand(HEED_F64, HEED_SHAPE(4, 3)), 0, 1);
    oom.whole = heed_arange(HEED_I64, 0, 9, 1);
    oom.mask = heed_compare(oom.plain, HEED_COMPARE_LT, heed_detach(oom.w));
    oom.index = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 2, 0);
    oom.places = HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 3), 0, 1, 2, 2, 1, 0);
    oom.lengths = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 3, 1);
    oom.one = heed_full(HEED_F64, HEED_SHAPE(1), 0.5);
    ck_assert_int_eq(heed_set_grad(oom.w, heed_clone(oom.plain)), HEED_OK);
    for (int i = 0; i < OOM_INPUTS; i++)
        ck_assert_msg(heed_retain(oom.all[i]) != NULL, "input %d: %s", i, heed_error_message());
}

static inline void oom_free_inputs(void)
{
    for (int i = 0; i < OOM_INPUTS; i++)
        heed_release(oom.all[i]);
}

/* -- Values ------------------------------------------------------------------------------------------------------- */

/* Visits the elements in row-major order without memory requests; mixes all into the hash. */
static inline void oom_mix(heed_tensor *t, uint64_t *hash)
{
    heed_shape shape = heed_shape_of(t), at = shape;
    for (int64_t n = 0; n < heed_numel(t); n++) {
        int64_t rest = n;
        for (int axis = shape.rank - 1; axis >= 0; axis--) {
            at.dims[axis] = rest % shape.dims[axis];
            rest /= shape.dims[axis];
        }
        double value = heed_get(t, at);
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        *hash = (*hash ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
        *hash ^= *hash >> 29;
    }
}

static inline uint64_t oom_hash_inputs(void)
{
    uint64_t hash = 1;
    for (int i = 0; i < OOM_INPUTS; i++) {
        oom_mix(oom.all[i], &hash);
        hash = hash * 8 + 4 * heed_has_grad(oom.all[i]) + 2 * heed_requires_grad(oom.all[i]) + heed_grad_enabled();
    }
    if (heed_has_grad(oom.w))
        oom_mix(heed_grad_of(oom.w), &hash);
    return hash;
}

/* Adds the contents of t to *value, bit by bit; returns false for NULL. */
static inline bool oom_take(heed_tensor *t, double *value)
{
    uint64_t hash = 1;
    if (t)
        oom_mix(t, &hash);
    *value += (double)(hash >> 12);
    return t != NULL;
}

/* -- Programs ----------------------------------------------------------------------------------------------------- */

typedef struct oom_program {
    const char *name;
    bool (*run)(double *value);
} oom_program;

/* Defines a program that evaluates an expression. */
#define OOM_TENSOR(name, expression)                                                                                   \
    static bool name(double *value)                                                                                    \
    {                                                                                                                  \
        return oom_take(expression, value);                                                                            \
    }

static inline void oom_sweep(const oom_program *program)
{
    fail_alloc_install();
    oom_make_inputs();
    fail_alloc.inputs = oom_hash_inputs;
    fail_alloc.strict = true;
    fail_alloc_sweep(program->run);
    fail_alloc.inputs = NULL;
    fail_alloc.strict = false;
    oom_free_inputs();
    fail_alloc_uninstall();
}

#define OOM(name_)                                                                                                     \
    {                                                                                                                  \
        .name = #name_, .run = name_                                                                                   \
    }

/* A test of every program, and main: OOM_MAIN("sums", OOM(sum), OOM(mean)). */
#define OOM_MAIN(title, ...)                                                                                           \
    static const oom_program programs[] = {__VA_ARGS__};                                                               \
    START_TEST(every_function)                                                                                         \
    {                                                                                                                  \
        oom_sweep(&programs[_i]);                                                                                      \
    }                                                                                                                  \
    END_TEST                                                                                                           \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        TCase *tcase = heed_test_case(title);                                                                          \
        tcase_add_loop_test(tcase, every_function, 0, sizeof programs / sizeof programs[0]);                           \
        return heed_run_case(title, tcase);                                                                            \
    }

#endif
