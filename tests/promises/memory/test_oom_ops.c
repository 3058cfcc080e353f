/* tests/promises/memory/test_oom_ops.c - out of memory in every op: forward and a recorded backward of its small
 * cases, with every allocation made to fail in turn. One test per op.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "driver_sample.h"
#include "oom_inputs.h"

/* The case under test and its inputs, which are made before allocations fail. */
static const op_case *running;
static heed_tensor *inputs[OP_MAX_INPUTS];

static uint64_t hash_inputs(void)
{
    uint64_t hash = 1;
    for (int i = 0; i < running->n_inputs; i++)
        oom_mix(inputs[i], &hash);
    return hash;
}

static bool add_sum(heed_tensor *t, double *value)
{
    heed_tensor *sum = heed_sum(t);
    *value += sum ? heed_item(sum) : 0.0;
    return sum != NULL;
}

static bool forward_and_backward(double *value)
{
    heed_tensor *y = running->run(inputs, running);
    if (!y || !heed_requires_grad(y))
        return y != NULL;
    heed_tensor *leaves[OP_MAX_INPUTS], *g[OP_MAX_INPUTS];
    int n = 0;
    for (int i = 0; i < running->n_inputs; i++)
        if (heed_requires_grad(inputs[i]))
            leaves[n++] = inputs[i];
    heed_tensor *loss = heed_sum(y);
    if (!loss || heed_grad(&loss, 1, leaves, n, g, &(heed_grad_options){.create_graph = true}) != HEED_OK)
        return false;
    bool ok = add_sum(loss, value);
    for (int i = 0; i < n; i++)
        ok = ok && add_sum(g[i], value);
    return ok;
}

static void sweep_case(const op_entry *op, const op_case *given)
{
    const op_case filled = op_case_of(op->cases, given), *c = &filled;
    heed_tensor *values[OP_MAX_INPUTS] = {0};
    running = c;
    ck_assert_msg(op_draw(op->name, c, values), "%s", heed_error_message());
    for (int i = 0; i < c->n_inputs; i++) {
        inputs[i] = heed_retain(heed_clone(values[i]));
        if (c->in[i].kind == OP_FLOAT && c->max_order >= 0)
            heed_set_requires_grad(inputs[i], true);
    }
    heed_thread_cleanup();
    fail_alloc.inputs = hash_inputs;
    fail_alloc.strict = true;
    fail_alloc_sweep(forward_and_backward);
    for (int i = 0; i < c->n_inputs; i++)
        heed_release(inputs[i]);
}

/* A few cases are enough: the others differ in shapes, not in allocations. */
START_TEST(every_allocation)
{
    enum { MOST_CASES = 16, MAX_ELEMENTS = 20 };
    int count, swept = 0;
    const op_entry *op = &op_entries(&count)[_i];
    if (!heed_test_chooses(op->name))
        return;
    fail_alloc_install();
    for (const op_case *c = op->cases->cases; c && c->name && swept < MOST_CASES; c++) {
        int64_t numel = heed_shape_numel(c->in[0].shape);
        if (numel > MAX_ELEMENTS || numel < 2)
            continue;
        sweep_case(op, c);
        swept++;
    }
    fail_alloc_uninstall();
    ck_assert_msg(swept > 0, "%s has no small case", op->name);
}
END_TEST

int main(void)
{
    int count;
    (void)op_entries(&count);
    TCase *tcase = heed_test_case("ops");
    tcase_add_loop_test(tcase, every_allocation, 0, count);
    return heed_run_case("oom_ops", tcase);
}
