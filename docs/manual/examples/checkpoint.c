/* checkpoint.c - examples of heed/checkpoint.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static void example_run(const char *path, int64_t until)
{
    heed_nn_linear *net = heed_nn_linear_new(2, 1, NULL);
    heed_optimizer *adam = heed_optim_adam(&net->base, NULL);
    /* [heed_checkpoint_save heed_checkpoint_load heed_checkpoint_exists] */
    heed_checkpoint run = {.module = &net->base, .optimizer = adam};
    if (heed_checkpoint_exists(path))
        heed_checkpoint_load(path, &run);
    printf("from step %lld ", (long long)run.step);
    for (; run.step < until; run.step++)
        heed_optimizer_step(adam); /* a real training step also computes gradients */
    heed_checkpoint_save(path, &run, NULL);
    printf("to %lld. ", (long long)run.step); /* -> from step 0 to 300. from step 300 to 500. */
    /* [] */
    heed_optimizer_free(adam);
    heed_module_free(&net->base);
}

int main(void)
{
    const char *path = "manual-example.heed";
    heed_set_error_handler(heed_exit_on_error, NULL);
    (void)remove(path);
    example_run(path, 300);
    example_run(path, 500); /* as a second process would */
    return remove(path);
}
