/* progress.c - examples of heed/progress.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static void example_progress(FILE *terminal)
{
    /* [heed_progress_new heed_progress_step heed_progress_loss heed_progress_free] */
    heed_progress_options options = {.epochs = 10, .steps = 4, .unit = "samples"};
    heed_progress *progress = heed_progress_new(terminal, &options);
    for (int step = 1; step <= 4; step++)
        heed_progress_step(progress, 1.0 / step, 64); /* "epoch 1/10  step 3/4  loss 0.6111  52,100 samples/s ..." */
    printf("mean loss %.4f\n", heed_progress_loss(progress)); /* -> mean loss 0.5208 */
    heed_progress_free(progress);
    /* [] */
}

static void example_state(FILE *terminal)
{
    const heed_progress_options options = {.epochs = 10, .steps = 4};
    heed_progress *before = heed_progress_new(terminal, &options), *after = heed_progress_new(terminal, &options);
    heed_progress_step(before, 0.5, 0);
    /* [heed_progress_get_state heed_progress_set_state] */
    heed_progress_state state;
    heed_progress_get_state(before, &state);
    heed_progress_set_state(after, &state); /* as in a resumed run; heed_checkpoint can store it */
    heed_progress_step(after, 0.25, 0);
    heed_progress_get_state(after, &state);
    printf("epoch %lld, step %lld, loss %.3f\n", (long long)state.epoch, (long long)state.step,
           heed_progress_loss(after)); /* -> epoch 1, step 2, loss 0.375 */
    /* [] */
    heed_progress_free(before);
    heed_progress_free(after);
}

int main(void)
{
    FILE *file = fopen("/dev/null", "w");
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_progress(file);
    example_state(file);
    return fclose(file);
}
