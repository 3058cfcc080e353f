/* tests/promises/memory/test_oom.c - out of memory: every program below is run with allocation 1, 2, 3, ... failing,
 * once and from then on, until it succeeds. A failure must be HEED_ERR_NOMEM, leak nothing and leave the inputs
 * unchanged; the same work afterwards must give the same bits.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "fail_alloc.h"

/* Inputs that outlive the failures. They are made before the count begins. */
static heed_tensor *x, *w, *index_;

static bool elementwise(double *value)
{
    heed_tensor *y = heed_sum(heed_mul(heed_tanh(heed_add(x, w)), heed_exp(heed_transpose(x, 0, 1))));
    *value = y ? heed_item(y) : 0.0;
    return y != NULL;
}

static bool backward(double *value)
{
    heed_tensor *loss = heed_mean(heed_square(heed_sub(heed_softmax(heed_matmul(x, w), 1), w)));
    if (!loss || heed_backward(loss) != HEED_OK)
        return false;
    heed_tensor *g = heed_grad_of(w);
    *value = g ? heed_item(heed_sum(g)) : 0.0;
    heed_set_grad(w, NULL);
    return *value != 0.0 || heed_error_code() == HEED_OK;
}

static bool second_order(double *value)
{
    heed_tensor *y = heed_sum(heed_tanh(heed_mul(w, w))), *g = NULL, *h = NULL;
    if (!y || heed_grad(&y, 1, &w, 1, &g, &(heed_grad_options){.create_graph = true}) != HEED_OK)
        return false;
    y = heed_sum(heed_square(g));
    if (!y || heed_grad(&y, 1, &w, 1, &h, NULL) != HEED_OK)
        return false;
    heed_tensor *s = heed_sum(h);
    *value = s ? heed_item(s) : 0.0;
    return s != NULL;
}

static bool indexing(double *value)
{
    heed_tensor *parts[3] = {heed_slice(w, 0, 0, 2, 1), heed_index_select(w, 0, index_), heed_flip(x, HEED_AXES(0, 1))};
    heed_tensor *y = heed_sort_axis(heed_concat(parts, 3, 0), 0, true, NULL);
    heed_tensor *loss = heed_sum(heed_mul(y, y)), *g = NULL;
    if (!loss || heed_grad(&loss, 1, &w, 1, &g, NULL) != HEED_OK)
        return false;
    heed_tensor *s = heed_sum(heed_cos(g));
    *value = s ? heed_item(s) : 0.0;
    return s != NULL;
}

static heed_tensor *halve(heed_tensor *g, void *user)
{
    (void)user;
    return heed_mul_scalar(g, 0.5);
}

static bool hooks_and_accumulation(double *value)
{
    heed_tensor *y = heed_mul(w, x);
    bool ok = y && heed_add_hook(y, halve, NULL) > 0;
    heed_tensor *loss = heed_sum(y);
    ok = ok && loss && heed_backward_with(loss, &(heed_backward_options){.retain_graph = true}) == HEED_OK;
    ok = ok && heed_backward(loss) == HEED_OK;
    heed_tensor *s = ok ? heed_sum(heed_grad_of(w)) : NULL;
    *value = s ? heed_item(s) : 0.0;
    heed_set_grad(w, NULL);
    return s != NULL;
}

static bool copies(double *value)
{
    heed_scope *quiet = heed_no_grad_begin();
    heed_tensor *to = heed_zeros(HEED_F32, HEED_SHAPE(3, 3));
    bool ok = quiet && to && heed_copy_(to, heed_transpose(w, 0, 1)) == HEED_OK &&
              heed_copy_(to, heed_flip(to, HEED_AXES(1))) == HEED_OK;
    heed_tensor *s = ok ? heed_sum(to) : NULL;
    *value = s ? heed_item(s) : 0.0;
    if (quiet)
        heed_scope_end(quiet);
    return s != NULL;
}

static void make_inputs(void)
{
    heed_manual_seed(3);
    x = heed_retain(heed_randn(HEED_F64, HEED_SHAPE(3, 3)));
    w = heed_retain(heed_set_requires_grad(heed_randn(HEED_F64, HEED_SHAPE(3, 3)), true));
    index_ = heed_retain(HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 2, 0));
}

static void free_inputs(void)
{
    heed_release(x);
    heed_release(w);
    heed_release(index_);
}

#define OOM_TEST(program)                                                                                              \
    START_TEST(oom_##program)                                                                                          \
    {                                                                                                                  \
        fail_alloc_install();                                                                                          \
        make_inputs();                                                                                                 \
        fail_alloc_sweep(program);                                                                                     \
        free_inputs();                                                                                                 \
        fail_alloc_uninstall();                                                                                        \
    }                                                                                                                  \
    END_TEST

OOM_TEST(elementwise)
OOM_TEST(backward)
OOM_TEST(second_order)
OOM_TEST(indexing)
OOM_TEST(hooks_and_accumulation)
OOM_TEST(copies)

HEED_TEST_MAIN("oom", oom_elementwise, oom_backward, oom_second_order, oom_indexing, oom_hooks_and_accumulation,
               oom_copies)
