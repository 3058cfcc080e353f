/* bench/team.c - training by a team of processes: W7's network, its batch cut into shards.
 *
 *     bench_team [SHARDS [BATCH [HIDDEN [STEPS]]]]      default 8 256 256 200; 0 shards: the usual loop, without a team
 *     mpirun -n 2 bench_team 8
 *
 * Prints a step's time at process 0, least and median, the processor's time that it took there, and the bytes that it sent.
 */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <heed/heed.h>
#include <heed/mpi.h>

enum { IMAGES = 6144, PIXELS = 784, CLASSES = 10 };

typedef struct training {
    heed_nn_sequential *net;
    heed_optimizer *sgd;
    heed_loader *loader;
    heed_data_parallel *team; /* NULL: the usual loop */
} training;

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void plain_step(const training *t)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *batch[2];
    heed_loader_next(t->loader, batch);
    heed_optimizer_zero_grad(t->sgd);
    heed_backward(heed_cross_entropy(heed_nn_sequential_forward(t->net, batch[0]), batch[1], NULL));
    heed_optimizer_step(t->sgd);
    heed_scope_end(scope);
}

static void team_step(const training *t)
{
    const heed_class_loss_options sum = {.reduction = HEED_REDUCTION_SUM};
    heed_tensor *part[2];
    while (heed_data_parallel_take(t->team, t->loader, part)) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *loss = heed_cross_entropy(heed_nn_sequential_forward(t->net, part[0]), part[1], &sum);
        heed_data_parallel_backward(t->team, loss, (double)heed_dim(part[0], 0));
        heed_scope_end(scope);
    }
    heed_data_parallel_step(t->team);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const training *t, heed_comm *world, int64_t batch, long shards, int steps)
{
    double *wall = malloc((size_t)steps * sizeof *wall), cpu = 0.0;
    for (int i = -5; i < steps && wall; i++) { /* five to warm up */
        double began = seconds(CLOCK_MONOTONIC), worked = seconds(CLOCK_PROCESS_CPUTIME_ID);
        (t->team ? team_step : plain_step)(t);
        if (i < 0)
            continue;
        wall[i] = seconds(CLOCK_MONOTONIC) - began;
        cpu += seconds(CLOCK_PROCESS_CPUTIME_ID) - worked;
    }
    if (wall && heed_comm_rank(world) == 0) {
        qsort(wall, (size_t)steps, sizeof *wall, by_size);
        printf("%d processes x %d threads, %ld shards: %.3f ms least, %.3f median, %.3f of the processor; "
               "%.0f samples/s; %lld bytes sent a step\n",
               heed_comm_size(world), heed_num_threads(), shards, 1e3 * wall[0], 1e3 * wall[steps / 2],
               1e3 * cpu / steps, (double)batch / wall[steps / 2],
               (long long)heed_comm_bytes_sent(world) / (steps + 5));
    }
    free(wall);
}

static long argument(int argc, char **argv, int i, long otherwise)
{
    return i < argc ? strtol(argv[i], NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    const long shards = argument(argc, argv, 1, 8), batch = argument(argc, argv, 2, 256);
    const long hidden = argument(argc, argv, 3, 256), steps = argument(argc, argv, 4, 200);
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(1);
    heed_comm *world = heed_comm_mpi(MPI_COMM_WORLD, NULL);
    training t = {.net = heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(PIXELS, hidden, NULL),
                                                             heed_nn_function_new("relu", heed_relu),
                                                             heed_nn_linear_new(hidden, CLASSES, NULL)))};
    heed_dataset *data = heed_dataset_new(
        HEED_TENSORS(heed_rand(HEED_F32, HEED_SHAPE(IMAGES, PIXELS)), heed_randint(0, CLASSES, HEED_SHAPE(IMAGES))));
    t.loader = heed_loader_new(data, &(heed_loader_options){.batch_size = batch});
    t.sgd = heed_optim_sgd(&t.net->base, &(heed_optim_sgd_options){.lr = 0.1});
    if (shards > 0)
        t.team = heed_data_parallel_new(world, t.sgd, &(heed_data_parallel_options){.shards = shards});
    measure(&t, world, batch, shards, (int)steps);
    heed_data_parallel_free(t.team);
    heed_optimizer_free(t.sgd);
    heed_loader_free(t.loader);
    heed_dataset_free(data);
    heed_module_free(&t.net->base);
    heed_comm_free(world);
    MPI_Finalize();
    return 0;
}
