/* tests/cxx/program.cpp - heed from C++: what the macros make of their arguments, and a training run. test_cxx.py
 * compiles and runs it for each standard and with each compiler.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(what)                                                                                                    \
    do {                                                                                                               \
        if (!(what)) {                                                                                                 \
            std::printf("%s:%d: %s\n%s\n", __FILE__, __LINE__, #what, heed_error_message());                           \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (0)

static int calls;

static heed_tensor *counted(heed_tensor *x)
{
    calls++;
    return x;
}

template <typename T, int copies> static T *same(T *x)
{
    return copies > 0 ? x : nullptr;
}

static void shapes()
{
    constexpr heed_shape s = HEED_SHAPE(2, 3, 4);
    static_assert(s.rank == 3 && s.dims[2] == 4, "a shape is a constant expression where its dims are");
    const int n = 5;
    const std::vector<double> some(6);
    heed_shape mixed = HEED_SHAPE(n, static_cast<int64_t>(some.size()), 7L);
    CHECK(mixed.rank == 3 && mixed.dims[0] == 5 && mixed.dims[1] == 6 && mixed.dims[2] == 7 && mixed.dims[3] == 0);
    const heed_shape most = HEED_SHAPE(1, 2, 3, 4, 5, 6, 7, 8);
    CHECK(most.rank == HEED_MAX_RANK && most.dims[7] == 8);
    heed_shape scalar = HEED_SCALAR;
    CHECK(scalar.rank == 0 && heed_shape_numel(scalar) == 1);
    heed_tensor *x = heed_ones(HEED_F64, HEED_SHAPE(2, 3));
    CHECK(heed_item(heed_sum_axes(x, HEED_ALL_AXES, false)) == 6);
    CHECK(heed_get(heed_sum_axes(x, HEED_AXES(-1), false), HEED_INDEX(1)) == 3);
}

static void tensors()
{
    int n = 3;
    float half = 0.5F;
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 1, n, half, 4L),
                *y = heed_zeros(HEED_F32, HEED_SHAPE(1, 2));
    CHECK(heed_numel(x) == 4 && heed_get(x, HEED_INDEX(0, 1)) == 3 && heed_get(x, HEED_INDEX(1, 0)) == 0.5);
    CHECK(heed_item(HEED_TENSOR(HEED_F64, HEED_SCALAR, 2.5)) == 2.5);
    calls = 0;
    heed_tensor *z = heed_concat(HEED_TENSORS(counted(x), counted(y), (same<heed_tensor, 1>(x))), 0);
    CHECK(calls == 2 && heed_dim(z, 0) == 5 && heed_get(z, HEED_INDEX(4, 1)) == 4);
    CHECK(heed_dim(heed_stack(HEED_TENSORS(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, 2)), 0), 0) == 1);
    CHECK(!heed_concat(HEED_TENSORS(x, nullptr), 0) && heed_error_code() == HEED_ERR_ARGUMENT);
    heed_error_clear();
    CHECK(!heed_concat(HEED_TENSORS(NULL, x), 0));
    heed_error_clear();
}

/* As many as a list holds. */
static void long_lists()
{
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(1));
#define EIGHT t, t, t, t, t, t, t, t
    CHECK(heed_dim(heed_concat(HEED_TENSORS(EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT), 0), 0) == 64);
#undef EIGHT
#define TEN 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    CHECK(heed_item(heed_sum(
              HEED_TENSOR(HEED_F64, HEED_SHAPE(100), TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN))) == 550);
#undef TEN
}

static bool all_zero(const int64_t (&reserved)[4])
{
    return (reserved[0] | reserved[1] | reserved[2] | reserved[3]) == 0;
}

static double momentum_of(const heed_optim_sgd_options *o)
{
    CHECK(o->lr == 0.1 && o->weight_decay == 0 && !o->nesterov && all_zero(o->reserved));
    return o->momentum;
}

static void options()
{
    const double momentum = 0.5;
    CHECK(momentum_of(HEED_OPTIONS(heed_optim_sgd_options, .lr = 0.1)) == 0);
    CHECK(momentum_of(HEED_OPTIONS(heed_optim_sgd_options, .momentum = 2 * momentum, .lr = 0.1)) == 1);
/* Options within what a field is set to: one object hides the other, which is harmless. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
    CHECK(momentum_of(HEED_OPTIONS(heed_optim_sgd_options, .lr = 0.1,
                                   .momentum = 1 + momentum_of(HEED_OPTIONS(heed_optim_sgd_options, .lr = 0.1)))) == 1);
#pragma GCC diagnostic pop
    const heed_plot_lines_options limits =
        *HEED_OPTIONS(heed_plot_lines_options, .xlim[0] = -1, .xlim[1] = 1, .xlabel = "x", .yscale = HEED_AXIS_LOG);
    CHECK(limits.xlim[0] == -1 && limits.xlim[1] == 1 && limits.yscale == HEED_AXIS_LOG && limits.title == nullptr);
    CHECK(std::strcmp(limits.xlabel, "x") == 0 && limits.ylim[1] == 0 && all_zero(limits.reserved));
    const heed_plot_series series[] = {*HEED_OPTIONS(heed_plot_series, .label = "train"),
                                       *HEED_OPTIONS(heed_plot_series, .label = "held out")};
    CHECK(std::strcmp(series[0].label, "train") == 0 && std::strcmp(series[1].label, "held out") == 0 && !series[1].y);
    heed_optim_sgd_options plain = {};
    plain.lr = 0.1;
    CHECK(momentum_of(&plain) == 0);
}

static void most_options()
{
    struct numbers {
        int a[17];
    };
    const numbers n = *HEED_OPTIONS(numbers, .a[0] = 1, .a[1] = 2, .a[2] = 3, .a[3] = 4, .a[4] = 5, .a[5] = 6,
                                    .a[6] = 7, .a[7] = 8, .a[8] = 9, .a[9] = 10, .a[10] = 11, .a[11] = 12, .a[12] = 13,
                                    .a[13] = 14, .a[14] = 15, .a[15] = 16);
    for (int i = 0; i < 16; i++)
        CHECK(n.a[i] == i + 1);
    CHECK(n.a[16] == 0);
}

/* A model of one's own, and a list of modules one of which is made of a lambda. */
struct two_layers {
    heed_module base;
    heed_nn_sequential *layers;
};

static heed_tensor *run_layers(heed_module *m, heed_tensor *x)
{
    return heed_module_forward(&reinterpret_cast<two_layers *>(m)->layers->base, x);
}

static two_layers *two_layers_new()
{
    two_layers *net = static_cast<two_layers *>(heed_module_new("two_layers", sizeof(two_layers)));
    CHECK(net);
    net->base.forward = run_layers;
    net->layers = heed_nn_sequential_new(HEED_MODULES(
        heed_nn_linear_new(2, 8, HEED_OPTIONS(heed_nn_linear_options, .dtype = HEED_F64)),
        heed_nn_function_new("tanh", [](heed_tensor *x) { return heed_tanh(x); }),
        heed_nn_linear_new(8, 1, HEED_OPTIONS(heed_nn_linear_options, .dtype = HEED_F64, .no_bias = true))));
    CHECK(net->layers && heed_module_child(&net->base, "layers", &net->layers->base));
    return net;
}

static void train()
{
    heed_manual_seed(1);
    two_layers *net = two_layers_new();
    heed_tensor *x = heed_randn(HEED_F64, HEED_SHAPE(64, 2));
    heed_tensor *y = heed_sin(heed_sum_axes(x, HEED_AXES(1), true));
    heed_optimizer *adam = heed_optim_adam(&net->base, HEED_OPTIONS(heed_optim_adam_options, .lr = 0.02));
    heed_schedule *rates = heed_schedule_new_chained(
        adam, HEED_SCHEDULES(heed_schedule_new_step(nullptr, 100, 0.5), heed_schedule_new_step(nullptr, 1, 0.999)));
    double first = 0, last = 0;
    for (int step = 0; step < 200; step++) {
        heed_scope *scope = heed_scope_begin();
        heed_optimizer_zero_grad(adam);
        heed_tensor *loss = heed_mse_loss(heed_module_forward(&net->base, x), y, HEED_REDUCTION_MEAN);
        CHECK(heed_backward(loss) == HEED_OK && heed_optimizer_step(adam) == HEED_OK);
        CHECK(heed_schedule_step(rates) == HEED_OK);
        last = heed_item(loss);
        first = step == 0 ? last : first;
        heed_scope_end(scope);
    }
    CHECK(last < 0.1 * first);
    CHECK(heed_schedule_free(rates) == HEED_OK);
    heed_optimizer_free(adam);
    CHECK(heed_module_free(&net->base) == HEED_OK);
}

int main()
{
    CHECK(std::strcmp(heed_version(), HEED_VERSION) == 0);
    shapes();
    tensors();
    long_lists();
    options();
    most_options();
    train();
    CHECK(heed_error_code() == HEED_OK);
    return 0;
}
