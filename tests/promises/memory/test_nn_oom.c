/* tests/promises/memory/test_nn_oom.c - layers without memory: making, running, differentiating and freeing their
 * cases (tests/nn) with allocation 1, 2, 3, ... failing, once and from then on. Nothing leaks, inputs and states stay
 * as they were, and the next try gives the same bits. One test per layer.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "driver.h"
#include "oom_inputs.h"

#define MAX_ELEMENTS 200 /* of inputs and parameters: larger cases make no more allocations */
#define MAX_LEAVES 64

static layer_run running;

static uint64_t hash_inputs(void)
{
    uint64_t hash = 1;
    for (int i = 0; i < LAYER_MAX_INPUTS && running.in[i]; i++)
        oom_mix(running.in[i], &hash);
    return hash;
}

typedef struct leaf_list {
    heed_tensor *leaves[MAX_LEAVES];
    int n;
} leaf_list;

static heed_status add_leaf(const heed_module_visit *visit, void *user)
{
    leaf_list *list = user;
    ck_assert_int_lt(list->n, MAX_LEAVES);
    if (!visit->is_buffer)
        list->leaves[list->n++] = visit->tensor;
    return HEED_OK;
}

/* Outputs, and gradients by inputs and parameters. */
static bool run(layer_run *r, double *value)
{
    heed_tensor *g[MAX_LEAVES], *y = layer_make(r) ? layer_forward(r) : NULL, *loss = y ? layer_loss(r) : NULL;
    if (!loss || (r->net->forward && !r->in[1] && !heed_module_forward(r->net, r->in[0])))
        return false;
    leaf_list list = {.n = 0};
    for (int i = 0; i < LAYER_MAX_INPUTS && r->in[i]; i++)
        if (heed_requires_grad(r->in[i]))
            list.leaves[list.n++] = r->in[i];
    if (heed_module_walk(r->net, add_leaf, &list) != HEED_OK ||
        heed_grad(&loss, 1, list.leaves, list.n, g, &(heed_grad_options){.allow_unused = true}) != HEED_OK)
        return false;
    for (int i = 0; i < r->n_out; i++)
        (void)oom_take(r->out[i], value);
    for (int i = 0; i < list.n; i++)
        (void)oom_take(g[i], value);
    return true;
}

static bool make_and_run(double *value)
{
    layer_run r = running;
    bool ok = run(&r, value);
    (void)heed_module_free(r.net);
    return ok;
}

static bool is_small(layer_run *r)
{
    ck_assert_msg(layer_make(r), "%s, %s: %s", r->layer->name, r->c->name, heed_error_message());
    int64_t n = layer_numel(r);
    ck_assert_int_eq(heed_module_free(r->net), HEED_OK);
    r->net = NULL;
    return n <= MAX_ELEMENTS;
}

START_TEST(every_allocation)
{
    int count, swept = 0;
    const layer_call *layer = &layer_list(&count)[_i];
    fail_alloc_install();
    fail_alloc.inputs = hash_inputs;
    fail_alloc.strict = true;
    for (const layer_case *c = layer->cases->cases; c->name; c++) {
        heed_scope *scope = heed_scope_begin();
        running = (layer_run){.layer = layer, .c = c};
        layer_draw_inputs(&running);
        for (int i = 0; i < LAYER_MAX_INPUTS; i++)
            running.in[i] = heed_retain(running.in[i]);
        ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
        if (is_small(&running)) {
            fail_alloc_sweep(make_and_run);
            swept++;
        }
        for (int i = 0; i < LAYER_MAX_INPUTS; i++)
            heed_release(running.in[i]);
    }
    fail_alloc_uninstall();
    ck_assert_msg(swept > 0, "%s has no small case", layer->name);
}
END_TEST

/* -- Initialisers and other functions ------------------------------------------------------------------------------ */

static bool initial_values(double *value)
{
    heed_manual_seed(1);
    heed_tensor *t = heed_zeros(HEED_F32, HEED_SHAPE(3, 2));
    bool ok = t && heed_nn_init_uniform_(t, -1, 1) == HEED_OK && heed_nn_init_normal_(t, 0, 1) == HEED_OK &&
              heed_nn_init_kaiming_uniform_(t) == HEED_OK && heed_nn_init_xavier_uniform_(t) == HEED_OK;
    return ok && oom_take(t, value);
}

static bool adding(double *value)
{
    heed_nn_sequential *net = heed_nn_sequential_new(NULL, 0);
    bool ok = net && heed_nn_sequential_add(net, heed_nn_layer_norm_new(HEED_SHAPE(3), NULL)) == HEED_OK;
    *value = ok ? (double)heed_module_parameter_numel(&net->base) : 0.0;
    (void)heed_module_free((heed_module *)net);
    return ok;
}

/* Batch norm that cannot finish leaves its running statistics as they were. */
static heed_nn_batch_norm *norm;
static heed_tensor *batch;

static uint64_t hash_norm(void)
{
    uint64_t hash = 1;
    oom_mix(norm->running_mean, &hash);
    oom_mix(norm->running_var, &hash);
    oom_mix(norm->num_batches_tracked, &hash);
    return hash;
}

static bool batch_norm(double *value)
{
    const heed_tensor *y = heed_nn_batch_norm_forward(norm, batch);
    if (y)
        *value = (double)heed_data_f32(y)[0]; /* instead of a sum, which may fail after the forward has changed them */
    return y != NULL;
}

START_TEST(running_statistics)
{
    fail_alloc_install();
    fail_alloc.strict = true;
    fail_alloc.inputs = hash_norm;
    norm = heed_nn_batch_norm_new(3, NULL);
    batch = heed_retain(heed_rand(HEED_F32, HEED_SHAPE(4, 3)));
    fail_alloc_sweep(batch_norm);
    heed_release(batch);
    heed_module_free(&norm->base);
    fail_alloc_uninstall();
}
END_TEST

START_TEST(other_functions)
{
    bool (*const programs[])(double *) = {initial_values, adding};
    fail_alloc_install();
    fail_alloc.strict = true;
    fail_alloc_sweep(programs[_i]);
    fail_alloc_uninstall();
}
END_TEST

int main(void)
{
    int count;
    (void)layer_list(&count);
    TCase *tcase = heed_test_case("layers");
    tcase_add_loop_test(tcase, every_allocation, 0, count);
    tcase_add_test(tcase, running_statistics);
    tcase_add_loop_test(tcase, other_functions, 0, 2);
    return heed_run_case("nn_oom", tcase);
}
