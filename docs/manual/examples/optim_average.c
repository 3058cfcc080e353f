/* optim_average.c - examples of heed/optim/average.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

/* Stands for a training step: sets the weight to a value. */
static void train(heed_nn_linear *net, double value)
{
    heed_nn_init_uniform_(net->weight, value, value);
}

static void example_swap(void)
{
    heed_nn_linear *net = heed_nn_linear_new(1, 1, NULL);
    /* [heed_average_new heed_average_update heed_average_swap heed_average_free] */
    heed_average *average = heed_average_new(&net->base, NULL); /* equal weights; .decay = 0.999 favours recent ones */
    for (int epoch = 1; epoch <= 5; epoch++) {
        train(net, epoch); /* all steps of the epoch */
        heed_average_update(average);
    }
    heed_average_swap(average); /* evaluate with the average of 1, 2, 3, 4, 5 */
    printf("%g ", heed_item(net->weight));
    heed_average_swap(average);             /* continue from 5 */
    printf("%g\n", heed_item(net->weight)); /* -> 3 5 */
    heed_average_free(average);
    /* [] */
    heed_module_free(&net->base);
}

static void example_state(void)
{
    heed_nn_linear *net = heed_nn_linear_new(3, 2, NULL);
    /* [heed_average_state] */
    heed_average *ema = heed_average_new(&net->base, &(heed_average_options){.decay = 0.99});
    heed_average_update(ema);
    heed_dict *extra = heed_average_state(ema);
    for (int64_t i = 0; i < heed_dict_size(extra); i++)
        printf("%s ", heed_dict_name(extra, i)); /* -> n_averaged module.weight module.bias */
    heed_checkpoint run = {.module = &net->base, .extra = extra};
    heed_checkpoint_save("run.heed", &run, NULL); /* heed_checkpoint_load also restores the averages */
    heed_dict_free(extra);
    heed_average_free(ema);
    /* [] */
    heed_module_free(&net->base);
    remove("run.heed");
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_swap();
    example_state();
    return 0;
}
