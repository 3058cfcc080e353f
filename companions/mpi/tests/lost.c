/* mpi/tests/lost.c - process 1 sleeps for too long while the others wait: every process prints its error on a line.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <unistd.h>

#include <heed/heed.h>
#include <heed/mpi.h>

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    heed_comm *world = heed_comm_mpi(MPI_COMM_WORLD, &(heed_comm_options){.timeout = 2.0});
    heed_nn_linear *net = heed_nn_linear_new(3, 4, NULL);
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.1});
    heed_dataset *data = heed_dataset_new(HEED_TENSORS(heed_ones(HEED_F32, HEED_SHAPE(8, 3))));
    heed_loader *loader = heed_loader_new(data, &(heed_loader_options){.batch_size = 8});
    heed_data_parallel *team = heed_data_parallel_new(
        world, sgd, &(heed_data_parallel_options){.shards = heed_comm_size(world), .broadcast = true});
    heed_tensor *batch[1];
    while (heed_data_parallel_next(team, loader, batch))
        heed_data_parallel_backward(team, heed_sum(heed_nn_linear_forward(net, batch[0])), 1.0);
    if (heed_comm_rank(world) == 1)
        sleep(6);
    heed_status status = heed_data_parallel_step(team);
    printf("%d: %s: %s\n", heed_comm_rank(world), heed_status_name(status), heed_error_message());
    heed_data_parallel_free(team);
    heed_loader_free(loader);
    heed_dataset_free(data);
    heed_optimizer_free(sgd);
    heed_module_free(&net->base);
    heed_comm_free(world);
    MPI_Finalize();
    return 0;
}
