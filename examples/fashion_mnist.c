/* examples/fashion_mnist.c - classifies pictures of 28 x 28 pixels into ten kinds of clothing with a multilayer
 * perceptron, a convolutional network after Y. LeCun's LeNet-5 (1998), or a small Vision Transformer.
 * H. Xiao, K. Rasul, R. Vollgraf: Fashion-MNIST (2017). Data: dataset-fashion-mnist, by scripts/setup --examples.
 * Shares training.c (command line, pictures), saving.c (stopping and resuming) and team.c (running under mpirun)
 * with other examples.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "team.h"

static const char *const classes[] = {"T-shirt", "trouser", "pullover", "dress", "coat",
                                      "sandal",  "shirt",   "sneaker",  "bag",   "boot"};

static const char *data = "/usr/share/datasets/fashion-mnist", *model = "mlp";
static int64_t epochs = 6, limit;

static const training_option options[] = {
    {"data", "FOLDER", "folder with the four files of the data set", .text = &data},
    {"model", "NAME", "mlp, cnn or vit", .text = &model},
    {"epochs", "N", "passes over the training pictures", .count = &epochs, .least = 1},
    {"limit", "N", "use only the first N pictures of every set; 0: all", .count = &limit},
    TEAM_OPTIONS,
    SAVING_OPTIONS,
};

enum { BATCH = 128 };

static const char *path_of(const char *name)
{
    return training_path("%s/%s-ubyte.gz", data, name);
}

static heed_tensor *load(const char *name, heed_io_idx_options o)
{
    return heed_slice(heed_io_idx_read(path_of(name), &o), 0, 0, limit > 0 ? limit : HEED_END, 1);
}

static heed_tensor *flat(heed_tensor *x)
{
    return heed_reshape(x, HEED_SHAPE(heed_dim(x, 0), -1));
}

static void *function(const char *name, heed_tensor *(*f)(heed_tensor *x))
{
    return heed_nn_function_new(name, f);
}

/* (B, 1, 28, 28) -> (B, 10) */
static heed_module *make_net(void)
{
    if (strcmp(model, "mlp") == 0)
        return &heed_nn_sequential_new(HEED_MODULES(function("flat", flat), heed_nn_linear_new(784, 256, NULL),
                                                    function("relu", heed_relu), heed_nn_dropout_new(0.1),
                                                    heed_nn_linear_new(256, 10, NULL)))
                    ->base;
    if (strcmp(model, "cnn") == 0)
        return &heed_nn_sequential_new(
                    HEED_MODULES(
                        heed_nn_conv_new(1, 16, HEED_SHAPE(5, 5), &(heed_nn_conv_options){.padding = HEED_SHAPE(2)}),
                        function("relu", heed_relu), heed_nn_max_pool_new(HEED_SHAPE(2, 2), NULL),
                        heed_nn_conv_new(16, 32, HEED_SHAPE(5, 5), NULL), function("relu", heed_relu),
                        heed_nn_max_pool_new(HEED_SHAPE(2, 2), NULL), function("flat", flat),
                        heed_nn_linear_new(800, 128, NULL), function("relu", heed_relu), heed_nn_dropout_new(0.3),
                        heed_nn_linear_new(128, 10, NULL)))
                    ->base;
    if (strcmp(model, "vit") == 0)
        return &heed_nn_vision_transformer_new(HEED_SHAPE(1, 28, 28), HEED_SHAPE(4), 10,
                                               &(heed_nn_vision_transformer_options){.hidden_size = 64,
                                                                                     .num_heads = 4,
                                                                                     .ffn_size = 128,
                                                                                     .num_layers = 2,
                                                                                     .dropout = 0.1,
                                                                                     .embedding_dropout = 0.1})
                    ->base;
    training_refuse("--model %s: must be mlp, cnn or vit", model);
}

/* One step on one batch; returns the mean loss. */
static double step_alone(heed_module *net, heed_loader *loader, heed_optimizer *adam)
{
    heed_tensor *batch[2];
    heed_loader_next(loader, batch);
    heed_tensor *loss = heed_cross_entropy(heed_module_forward(net, batch[0]), batch[1], NULL);
    heed_optimizer_zero_grad(adam);
    heed_backward(loss);
    heed_optimizer_step(adam);
    return heed_item(loss);
}

/* The same step by a team, in which this process has some shards of the batch. */
static double step_together(heed_module *net, heed_loader *loader, heed_data_parallel *team)
{
    heed_tensor *part[2];
    while (heed_data_parallel_next(team, loader, part)) {
        heed_scope *shard = heed_scope_begin();
        heed_tensor *loss = heed_cross_entropy(heed_module_forward(net, part[0]), part[1],
                                               &(heed_class_loss_options){.reduction = HEED_REDUCTION_SUM});
        heed_data_parallel_backward(team, loss, (double)heed_dim(part[0], 0));
        heed_scope_end(shard);
    }
    heed_data_parallel_step(team);
    return heed_data_parallel_loss(team);
}

static void train(heed_comm *world, heed_module *net, heed_tensor *images, heed_tensor *labels)
{
    heed_dataset *pictures = heed_dataset_new(HEED_TENSORS(images, labels));
    heed_loader *loader = heed_loader_new(pictures, &(heed_loader_options){.batch_size = BATCH, .shuffle = true});
    int64_t steps = heed_loader_batches(loader);
    heed_tensor *losses = heed_zeros(HEED_F64, HEED_SHAPE(epochs));
    heed_optimizer *adam = heed_optim_adam(net, &(heed_optim_adam_options){.lr = 2e-3});
    heed_schedule *schedule = heed_schedule_new_cosine(adam, epochs * steps, 0.0);
    heed_progress *progress =
        heed_progress_new(stdout, &(heed_progress_options){epochs, steps, .unit = "samples", .curve = 10});
    heed_checkpoint run = {.module = net, .optimizer = adam, .loader = loader, .progress = progress};
    saving_extra(&run, "losses", losses);
    saving_begin(&run);
    heed_data_parallel *team = NULL;
    if (team_shards > 0) {
        team = heed_data_parallel_new(world, adam, &(heed_data_parallel_options){.shards = team_shards, .module = net});
        heed_data_parallel_set_steps(team, run.step);
    }
    for (; saving_goes_on(&run, epochs * steps); run.step++) {
        heed_scope *step = heed_scope_begin();
        double loss = team ? step_together(net, loader, team) : step_alone(net, loader, adam);
        heed_schedule_step(schedule);
        bool last = (run.step + 1) % steps == 0;
        heed_progress_step(progress, loss, last ? heed_numel(labels) - (steps - 1) * BATCH : BATCH);
        heed_set_(losses, HEED_INDEX(run.step / steps), heed_progress_loss(progress));
        heed_scope_end(step);
    }
    heed_data_parallel_free(team);
    heed_schedule_free(schedule);
    saving_end(&run);
    heed_dataset_free(pictures);
    if (heed_comm_rank(world) == 0)
        training_plot_losses(losses, NULL);
}

/* The confusion matrix (10, 10): every process counts its own shards of the pictures, and all get the sum. */
static heed_tensor *count_guesses(heed_comm *world, heed_module *net, heed_tensor *images, heed_tensor *labels)
{
    int64_t n = heed_numel(labels), begin, end;
    heed_shards *pass = heed_shards_new(world, n, team_shards > 0 ? team_shards : (n + 499) / 500);
    while (heed_shards_next(pass, &begin, &end)) {
        heed_scope *shard = heed_no_grad_begin();
        heed_tensor *logits = heed_module_forward(net, heed_slice(images, 0, begin, end, 1));
        heed_tensor *guess = heed_one_hot(heed_argmax(logits, 1, false), 10, HEED_F64);
        heed_tensor *truth = heed_one_hot(heed_slice(labels, 0, begin, end, 1), 10, HEED_F64);
        heed_shards_add(pass, HEED_TENSORS(heed_matmul(heed_transpose(truth, 0, 1), guess)));
        heed_scope_end(shard);
    }
    heed_tensor *counts;
    heed_shards_sum(pass, &counts, 1);
    heed_shards_free(pass);
    return counts;
}

/* Prints the accuracy, and draws the confusion matrix as shares of every class. */
static void test(heed_comm *world, heed_module *net, heed_tensor *images, heed_tensor *labels)
{
    heed_module_eval(net);
    heed_tensor *counts = count_guesses(world, net, images, labels);
    double right = heed_item(heed_sum(heed_mul(counts, heed_eye(HEED_F64, 10, 10))));
    printf("test accuracy %.2f %%\n", 100.0 * right / (double)heed_numel(labels));
    if (heed_comm_rank(world) > 0)
        return;
    heed_tensor *shares = heed_div(counts, heed_sum_axes(counts, HEED_AXES(1), true));
    heed_plot_heatmap(shares, training_picture("confusion.png"),
                      &(heed_plot_heatmap_options){"prediction", "truth", .xticks = classes, .xtick_count = 10,
                                                   .yticks = classes, .ytick_count = 10,
                                                   .colormap = HEED_COLORMAP_BLUES, .cell_values = shares,
                                                   .panel_width = 640, .panel_height = 560});
}

int main(int argc, char **argv)
{
    training_begin(argc, argv, "Trains a classifier on Fashion-MNIST and tests it.", TRAINING_OPTIONS(options));
    static const char *const files[] = {"train-images-idx3", "train-labels-idx1", "t10k-images-idx3",
                                        "t10k-labels-idx1"};
    for (int i = 0; i < 4; i++)
        (void)training_input(path_of(files[i]));
    const heed_io_idx_options images = {.scale = 1.0 / 90},
                              labels = {.dtype = HEED_I64}; /* 90: the standard deviation */
    const heed_shape pictures = HEED_SHAPE(-1, 1, 28, 28);
    heed_comm *world = team_join();
    heed_module *net = make_net();
    if (heed_comm_rank(world) == 0)
        printf("%" PRId64 " parameters\n", heed_module_parameter_numel(net));
    train(world, net, heed_reshape(load(files[0], images), pictures), load(files[1], labels));
    test(world, net, heed_reshape(load(files[2], images), pictures), load(files[3], labels));
    team_leave(world);
    heed_module_free(net);
    return 0;
}
