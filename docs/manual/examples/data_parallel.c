/* data_parallel.c - examples of heed/data_parallel.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static heed_loader *loader_of(heed_dataset **data)
{
    *data = heed_dataset_new(HEED_TENSORS(heed_linspace(HEED_F32, -1.0, 1.0, 8)));
    return heed_loader_new(*data, &(heed_loader_options){.batch_size = 8});
}

static void example_step(heed_comm *world, heed_nn_linear *net, heed_optimizer *sgd, heed_loader *loader)
{
    /* [heed_data_parallel_new heed_data_parallel_next heed_data_parallel_backward heed_data_parallel_step heed_data_parallel_loss heed_data_parallel_free] */
    heed_data_parallel *team = heed_data_parallel_new(world, sgd, &(heed_data_parallel_options){.shards = 4});
    for (int step = 0; step < 10; step++) {
        heed_tensor *part[1]; /* a shard: 2 of the 8 samples of the batch */
        while (heed_data_parallel_next(team, loader, part)) {
            heed_tensor *x = heed_reshape(part[0], HEED_SHAPE(-1, 1)), *y = heed_mul_scalar(x, 3.0);
            heed_tensor *loss = heed_sum(heed_square(heed_sub(heed_nn_linear_forward(net, x), y)));
            heed_data_parallel_backward(team, loss, (double)heed_dim(x, 0));
        }
        heed_data_parallel_step(team);
    }
    printf("mean loss %.4f\n", heed_data_parallel_loss(team)); /* -> mean loss 0.0001 */
    heed_data_parallel_free(team);
    /* [] */
}

/* [heed_data_parallel_gradients] */
/* The loss of a shard: a sum over its samples. */
static heed_tensor *loss_of(heed_tensor *const *part, double *count, void *net)
{
    (void)count; /* the number of samples, unless it is changed here */
    heed_tensor *x = heed_reshape(part[0], HEED_SHAPE(-1, 1)), *y = heed_mul_scalar(x, 3.0);
    return heed_sum(heed_square(heed_sub(heed_nn_linear_forward(net, x), y)));
}

static void train_in_threads(heed_data_parallel *team, heed_loader *loader, heed_nn_linear *net, int64_t steps)
{
    while (heed_data_parallel_steps(team) < steps) {
        heed_data_parallel_gradients(team, loader, loss_of, net); /* of all shards, several at a time */
        heed_data_parallel_step(team);
    }
    printf("loss %.6f\n", heed_data_parallel_loss(team)); /* -> loss 0.000000 */
}
/* [] */

static void example_threads(heed_comm *world, heed_nn_linear *net, heed_optimizer *sgd, heed_loader *loader)
{
    heed_data_parallel *team = heed_data_parallel_new(world, sgd, &(heed_data_parallel_options){.shards = 4});
    train_in_threads(team, loader, net, 20);
    heed_data_parallel_free(team);
}

static void example_resume(heed_comm *world, heed_nn_linear *net, heed_optimizer *sgd, heed_loader *loader)
{
    heed_data_parallel *team = heed_data_parallel_new(world, sgd, &(heed_data_parallel_options){.shards = 4});
    const char *path = "manual-example-team.heed";
    (void)remove(path);
    /* [heed_data_parallel_save heed_data_parallel_steps heed_data_parallel_set_steps] */
    heed_checkpoint run = {.module = &net->base, .optimizer = sgd, .loader = loader, .step = 500};
    heed_data_parallel_save(team, path, &run, NULL); /* all processes call it, one of them writes */
    heed_checkpoint_load(path, &run);                /* later, with any number of processes */
    heed_data_parallel_set_steps(team, run.step);
    printf("from step %d\n", (int)heed_data_parallel_steps(team)); /* -> from step 500 */
    /* [] */
    (void)remove(path);
    heed_data_parallel_free(team);
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(1);
    heed_dataset *data;
    heed_loader *loader = loader_of(&data);
    heed_comm *world = heed_comm_self();
    heed_nn_linear *net = heed_nn_linear_new(1, 1, NULL);
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.5});
    example_step(world, net, sgd, loader);
    example_threads(world, net, sgd, loader);
    example_resume(world, net, sgd, loader);
    heed_optimizer_free(sgd);
    heed_module_free(&net->base);
    heed_comm_free(world);
    heed_loader_free(loader);
    heed_dataset_free(data);
    return 0;
}
