/* tests/promises/test_steady_state.c - a training step that has run before makes no call of the system's allocator:
 * the step before has returned all the memory that it needs. Every case of every layer (tests/nn).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "driver.h"

enum { WARM_UP = 3, STEPS = 5 };

/* Gradients of inputs and parameters; a step if there are parameters. */
static void train(layer_run *run, heed_optimizer *optimizer)
{
    heed_scope *step = heed_scope_begin();
    heed_module_zero_grad(run->net);
    for (int i = 0; i < LAYER_MAX_INPUTS && run->in[i]; i++)
        heed_set_grad(run->in[i], NULL);
    ck_assert_msg(layer_forward(run) && heed_backward(layer_loss(run)) == HEED_OK, "%s, %s: %s", run->layer->name,
                  run->c->name, heed_error_message());
    if (optimizer)
        heed_optimizer_step(optimizer);
    heed_scope_end(step);
}

static void settles(const layer_call *layer, const layer_case *c)
{
    layer_run run = {.layer = layer, .c = c};
    layer_draw_inputs(&run);
    ck_assert(layer_make(&run));
    bool trained = heed_module_parameter_count(run.net) > 0;
    heed_optimizer *optimizer = trained ? heed_optim_adam(run.net, NULL) : NULL;
    ck_assert(!trained || optimizer);
    for (int i = 0; i < WARM_UP; i++)
        train(&run, optimizer);
    int64_t calls = heed_memory_get_stats().system_calls;
    for (int i = 0; i < STEPS; i++)
        train(&run, optimizer);
    ck_assert_msg(heed_memory_get_stats().system_calls == calls, "%s, %s: %lld calls", layer->name, c->name,
                  (long long)(heed_memory_get_stats().system_calls - calls));
    heed_optimizer_free(optimizer);
    for (int i = 0; i < LAYER_MAX_INPUTS && run.in[i]; i++)
        heed_set_grad(run.in[i], NULL);
    heed_module_free(run.net);
}

START_TEST(every_case)
{
    int count;
    const layer_call *layer = &layer_list(&count)[_i];
    size_t limit = heed_memory_set_cache_limit((size_t)256 << 20);
    for (const layer_case *c = layer->cases->cases; c->name; c++)
        settles(layer, c);
    ck_assert_int_eq(heed_error_code(), HEED_OK);
    heed_memory_set_cache_limit(limit);
}
END_TEST

int main(void)
{
    int count;
    (void)layer_list(&count);
    TCase *tcase = heed_test_case("layers");
    tcase_add_loop_test(tcase, every_case, 0, count);
    return heed_run_case("steady_state", tcase);
}
