/* tests/promises/memory/test_oom_every_function.c - every allocating function of the core without memory: making
 * tensors, leaves and gradients, random numbers, user-defined ops, gradient checks.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/dlpack_abi.h"
#include "oom_inputs.h"

OOM_TENSOR(zeros, heed_zeros(HEED_F32, HEED_SHAPE(2, 3)))
OOM_TENSOR(ones, heed_ones(HEED_I64, HEED_SHAPE(2, 3)))
OOM_TENSOR(full, heed_full(HEED_F64, HEED_SHAPE(2, 3), 7))
OOM_TENSOR(zeros_like, heed_zeros_like(oom.w))
OOM_TENSOR(rand_like, (heed_manual_seed(1), heed_rand_like(oom.w)))
OOM_TENSOR(randn_like, (heed_manual_seed(1), heed_randn_like(oom.w)))
OOM_TENSOR(normal, (heed_manual_seed(1), heed_normal(HEED_F32, HEED_SHAPE(5), 1, 2)))
OOM_TENSOR(exponential, (heed_manual_seed(1), heed_exponential(HEED_F64, HEED_SHAPE(5), 2)))
OOM_TENSOR(multinomial, (heed_manual_seed(1), heed_multinomial(heed_square(oom.w), 3, true)))
OOM_TENSOR(multinomial_without, (heed_manual_seed(1), heed_multinomial(heed_square(oom.w), 1, false)))
OOM_TENSOR(arange, heed_arange(HEED_F64, 0, 5, 1))
OOM_TENSOR(linspace, heed_linspace(HEED_F64, 0, 1, 5))
OOM_TENSOR(eye, heed_eye(HEED_F32, 3, 2))
OOM_TENSOR(from_buffer, heed_from_buffer(HEED_I64, HEED_SHAPE(2), (int64_t[]){1, 2}, 2, NULL, NULL))
OOM_TENSOR(from_array, heed_from_array(HEED_I64, HEED_SHAPE(2), (int64_t[]){1, 2}, 2))
OOM_TENSOR(from_values, HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2), 1, 0))
OOM_TENSOR(detach, heed_detach(oom.w))
OOM_TENSOR(grad_of, heed_grad_of(oom.w))
OOM_TENSOR(rand_, (heed_manual_seed(1), heed_rand(HEED_F32, HEED_SHAPE(5))))
OOM_TENSOR(randn, (heed_manual_seed(1), heed_randn(HEED_F64, HEED_SHAPE(5))))
OOM_TENSOR(randint, (heed_manual_seed(1), heed_randint(0, 9, HEED_SHAPE(5))))
OOM_TENSOR(permutation, (heed_manual_seed(1), heed_permutation(5)))
OOM_TENSOR(bernoulli, (heed_manual_seed(1), heed_bernoulli(0.5, HEED_SHAPE(5))))
OOM_TENSOR(leave_one_out, heed_nn_leave_one_out(oom.v))

static bool empty(double *value)
{
    heed_tensor *t = heed_empty(HEED_F64, HEED_SHAPE(3)), *like = heed_zeros_like(oom.w);
    *value = 1;
    return t && like;
}

static bool to_dlpack(double *value)
{
    struct DLManagedTensor *m = heed_to_dlpack(oom.plain);
    if (!m)
        return false;
    *value = *(double *)m->tensor.data;
    m->deleter(m);
    return true;
}

/* The tensor is freed with the scope, and then needs the deleter: without this function's memory. */
static bool from_dlpack(double *value)
{
    static double x[] = {1, 2};
    static int64_t size = 2;
    static struct DLManagedTensor m = {.tensor = {.data = x,
                                                  .device = HEED_DL_CPU,
                                                  .ndim = 1,
                                                  .code = HEED_DL_FLOAT,
                                                  .bits = 64,
                                                  .lanes = 1,
                                                  .shape = &size}};
    return oom_take(heed_from_dlpack(&m), value);
}

static bool generators(double *value)
{
    heed_generator *g = heed_generator_new(5);
    heed_generator *outer = heed_generator_use(g);
    bool ok = g && oom_take(heed_rand(HEED_F32, HEED_SHAPE(3)), value) &&
              oom_take(heed_randn(HEED_F64, HEED_SHAPE(3)), value) &&
              oom_take(heed_normal(HEED_F64, HEED_SHAPE(3), 0, 1), value) &&
              oom_take(heed_exponential(HEED_F32, HEED_SHAPE(3), 1), value) &&
              oom_take(heed_multinomial(oom.one, 2, true), value) &&
              oom_take(heed_randint(0, 9, HEED_SHAPE(3)), value) && oom_take(heed_permutation(4), value) &&
              oom_take(heed_bernoulli(0.5, HEED_SHAPE(3)), value);
    heed_generator_use(outer);
    heed_generator_free(g);
    return ok;
}

/* All parts of a tensor, or none. */
static bool parts(double *value)
{
    static const int64_t sizes[] = {2, 3};
    heed_tensor *x = heed_ones(HEED_F64, HEED_SHAPE(5, 2)), *made[2];
    bool ok = x && heed_split(x, 0, NULL, made, 2) == HEED_OK && oom_take(made[1], value) &&
              heed_split(x, 0, sizes, made, 2) == HEED_OK && oom_take(made[0], value);
    heed_tensor *vectors[] = {ok ? heed_select(x, 1, 0) : NULL, ok ? heed_select(x, 0, 0) : NULL};
    return vectors[0] && vectors[1] && heed_meshgrid(vectors, 2, made) == HEED_OK && oom_take(made[0], value) &&
           heed_meshgrid_xy(vectors, 2, made) == HEED_OK && oom_take(made[0], value);
}

static bool blocks(double *value)
{
    void *a = heed_alloc(100), *b = heed_calloc(10, 10);
    heed_free(a, 100);
    heed_free(b, 100);
    *value = 1;
    return a && b;
}

/* Copies of in-place writes whose first write needs memory: of overlapping tensors, of different dtypes. */
static bool writing(double *value)
{
    heed_tensor *t = heed_clone(oom.plain);
    bool ok = t && heed_copy_(t, heed_transpose(t, 0, 1)) == HEED_OK && heed_fill_(t, 3) == HEED_OK &&
              heed_set_(t, HEED_INDEX(1, 1), 5) == HEED_OK &&
              heed_copy_(t, heed_to_dtype(oom.plain, HEED_F32)) == HEED_OK;
    return ok && oom_take(t, value);
}

static bool leaves(double *value)
{
    heed_tensor *t = heed_set_requires_grad(heed_clone(oom.plain), true);
    bool ok = t && heed_set_grad(t, oom.plain) == HEED_OK && oom_take(heed_grad_of(t), value);
    ck_assert(!t || heed_has_grad(t) || heed_error_code() != HEED_OK);
    return ok;
}

static heed_tensor *halve(heed_tensor *grad, void *user)
{
    (void)user;
    return heed_mul_scalar(grad, 0.5);
}

static bool hooks(double *value)
{
    heed_tensor *leaf = heed_set_requires_grad(heed_clone(oom.plain), true), *y = leaf ? heed_square(leaf) : NULL;
    bool ok = y && heed_add_hook(y, halve, NULL) > 0 && heed_add_hook(leaf, halve, NULL) > 0 &&
              heed_backward(heed_sum(y)) == HEED_OK;
    return ok && oom_take(heed_grad_of(leaf), value);
}

/* A pass that fails changes no .grad, which the inputs' hash shows. */
static bool backward(double *value)
{
    heed_tensor *loss = heed_sum(heed_mul(oom.w, oom.w));
    heed_tensor *before = heed_grad_of(oom.w);
    if (!loss || !before || heed_backward(loss) != HEED_OK)
        return false;
    bool ok = oom_take(heed_grad_of(oom.w), value);
    ck_assert(heed_set_grad(oom.w, before) == HEED_OK || !ok);
    return ok;
}

static bool backward_with(double *value)
{
    heed_tensor *leaf = heed_set_requires_grad(heed_clone(oom.plain), true), *y = leaf ? heed_exp(leaf) : NULL;
    heed_backward_options options = {.grad_output = oom.plain, .create_graph = true};
    bool ok = y && heed_backward_with(y, &options) == HEED_OK && oom_take(heed_grad_of(leaf), value);
    if (leaf)
        (void)heed_set_grad(leaf, NULL);
    return ok;
}

static bool grad(double *value)
{
    heed_tensor *y = heed_mul(heed_exp(oom.w), oom.v), *inputs[] = {oom.w, oom.v}, *grads[2] = {oom.w, oom.w};
    heed_grad_options options = {.grad_outputs = &oom.plain, .create_graph = true};
    bool ok = y && heed_grad(&y, 1, inputs, 2, grads, &options) == HEED_OK;
    ck_assert(!y || ok || (!grads[0] && !grads[1]));
    return ok && oom_take(grads[0], value) && oom_take(grads[1], value);
}

static bool drawn_graph(double *value)
{
    FILE *file = fopen("/dev/null", "w");
    bool ok = heed_graph_dot(heed_sum(heed_exp(oom.w)), file) == HEED_OK && heed_print(oom.w, file) == HEED_OK;
    (void)fclose(file);
    char text[8];
    *value = (double)heed_format(oom.w, text, sizeof text);
    return ok;
}

static heed_tensor *squared(void *t)
{
    return heed_square(t);
}

static bool computed(double *value)
{
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(2)), *of = heed_full(HEED_F32, HEED_SHAPE(2), 3.0);
    FILE *file = fopen("/dev/null", "w");
    const bool ok = t && of && heed_set_compute(t, squared, of) == HEED_OK && heed_print(t, file) == HEED_OK;
    (void)fclose(file);
    char text[80];
    const bool formatted = ok && heed_format(t, text, sizeof text) > 0 && heed_error_code() == HEED_OK;
    return formatted && oom_take(heed_detach(t), value);
}

static bool scopes(double *value)
{
    heed_scope *outer = heed_scope_begin(), *inner = outer ? heed_no_grad_begin() : NULL;
    heed_tensor *t = inner ? heed_clone(oom.w) : NULL;
    t = inner ? heed_scope_return(inner, t) : NULL;
    t = outer ? heed_scope_return(outer, t) : NULL;
    return oom_take(t, value);
}

/* The scope holds no tensor, so that a returned tensor needs a new list. */
static bool scope_return(double *value)
{
    heed_thread_cleanup();
    heed_scope *scope = heed_scope_begin();
    return scope && oom_take(heed_scope_return(scope, oom.w), value);
}

/* -- Ops of one's own --------------------------------------------------------------------------------------------- */

static bool twice(const heed_call *call, heed_tensor *const *out)
{
    for (int j = 0; j < 2; j++)
        if (heed_copy_(out[j], call->inputs[0]) != HEED_OK)
            return false;
    return true;
}

static bool infer_twice(const heed_call *call, heed_meta *out)
{
    return heed_infer_same(call, &out[0]) && heed_infer_broadcast(call, &out[1]);
}

static const heed_op own_op = {
    .name = "twice", .n_inputs = 1, .n_outputs = 2, .contiguous = true, .infer = infer_twice, .forward = twice};

static bool own(double *value)
{
    heed_tensor *view = oom.wide, *outputs[2] = {view, view};
    bool ok = heed_apply_all(&own_op, &view, 1, NULL, outputs);
    ck_assert(ok || (!outputs[0] && !outputs[1]));
    return ok && oom_take(outputs[1], value) && oom_take(heed_apply(&own_op, &view, 1, NULL), value);
}

/* -- Checks of gradients ------------------------------------------------------------------------------------------ */

static heed_tensor *cube(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_mul(in[0], heed_square(in[0]));
}

static bool checked(double *value)
{
    heed_gradcheck_result r = {.compared = 0};
    bool ok = heed_gradcheck(cube, NULL, &oom.v, 1, NULL, &r) == HEED_OK;
    *value = (double)r.compared + r.max_error;
    return ok;
}

static bool checked_twice(double *value)
{
    heed_gradcheck_result r = {.compared = 0};
    heed_gradcheck_options options = {.random_projection = true};
    bool ok = heed_gradgradcheck(cube, NULL, &oom.v, 1, &options, &r) == HEED_OK;
    *value = (double)r.compared + r.max_error;
    return ok;
}

static heed_tensor *sum_of_cubes(heed_tensor *const *in, void *user)
{
    return heed_sum(cube(in, user));
}

static bool derivatives(double *value)
{
    heed_tensor *d = oom.v;
    const heed_functional_options create = {.create_graph = true};
    bool ok = oom_take(heed_vjp(cube, NULL, &oom.v, 1, oom.v, &d, NULL), value) && oom_take(d, value) &&
              oom_take(heed_jvp(cube, NULL, &oom.v, 1, &oom.v, &d, &create), value) && oom_take(d, value) &&
              oom_take(heed_hvp(sum_of_cubes, NULL, &oom.v, 1, &oom.v, &d, NULL), value) && oom_take(d, value) &&
              oom_take(heed_jacobian(cube, NULL, &oom.v, 1, &d, &create), value) && oom_take(d, value) &&
              oom_take(heed_hessian(sum_of_cubes, NULL, &oom.v, 1, &d, NULL), value) && oom_take(d, value);
    ck_assert(ok || !d);
    return ok;
}

/* Runs twice: the drawn numbers are recorded, and then drawn again. */
static heed_tensor *drops(heed_tensor *const *in, void *user)
{
    return heed_mul(heed_dropout(heed_square(in[0]), 0.5, true), user);
}

static bool checkpointed(double *value)
{
    heed_manual_seed(1);
    heed_tensor *h = heed_exp(oom.w), *y = heed_checkpointed(drops, oom.v, &h, 1), *in[] = {oom.w, oom.v}, *g[2];
    heed_grad_options options = {.grad_outputs = &oom.plain};
    return oom_take(y, value) && heed_grad(&y, 1, in, 2, g, &options) == HEED_OK && oom_take(g[0], value) &&
           oom_take(g[1], value);
}

static bool silverman(double *value)
{
    *value = heed_nn_silverman_width(oom.v);
    return !isnan(*value);
}

static bool allclose(double *value)
{
    bool close = heed_allclose(oom.plain, oom.plain, 0, 0, false);
    *value = close;
    ck_assert(close || heed_error_code() != HEED_OK);
    return close;
}

/* Enough terms at one index that the rounding error is carried along. */
OOM_TENSOR(long_index_sum,
           heed_index_sum(heed_expand(oom.one, HEED_SHAPE(5000)), 0, heed_zeros(HEED_I64, HEED_SHAPE(5000)), 1))
OOM_TENSOR(long_scatter_sum, heed_scatter_sum(heed_expand(oom.one, HEED_SHAPE(5000)), 0,
                                              heed_zeros(HEED_I64, HEED_SHAPE(5000)), HEED_SHAPE(1)))

OOM_TENSOR(trapezoid, heed_trapezoid(oom.plain, NULL, 0.5, 0))

/* Enough channels that Winograd's algorithm pays. */
OOM_TENSOR(conv_in_tiles,
           heed_conv(heed_expand(oom.one, HEED_SHAPE(1, 16, 6, 6)), heed_expand(oom.one, HEED_SHAPE(16, 16, 3, 3)),
                     NULL, &(heed_conv_options){.same = true}))

/* A depthwise convolution is computed line by line. */
OOM_TENSOR(depthwise_conv,
           heed_conv(heed_expand(oom.one, HEED_SHAPE(1, 2, 6, 6)), heed_expand(oom.one, HEED_SHAPE(2, 1, 3, 3)), NULL,
                     &(heed_conv_options){.groups = 2}))

/* With a stride, a convolution of 1 x 1 gathers its positions for a product. */
OOM_TENSOR(conv_with_a_stride,
           heed_conv(heed_expand(oom.one, HEED_SHAPE(1, 1, 16, 16)), heed_expand(oom.one, HEED_SHAPE(1, 1, 1, 1)), NULL,
                     &(heed_conv_options){.stride = HEED_SHAPE(2)}))

/* The gradient of a kernel of `size` x `size` for square images. */
static heed_tensor *kernel_gradient(int64_t images, int64_t plane, int64_t size)
{
    heed_tensor *x = heed_expand(oom.one, HEED_SHAPE(images, 1, plane, plane)), *dw = NULL;
    heed_tensor *w = heed_zeros(heed_dtype_of(oom.one), HEED_SHAPE(1, 1, size, size));
    heed_tensor *loss = w ? heed_sum(heed_conv(x, heed_set_requires_grad(w, true), NULL, NULL)) : NULL;
    return loss && heed_grad(&loss, 1, &w, 1, &dw, NULL) == HEED_OK ? dw : NULL;
}

/* Enough positions that every image has its own product; and that they are summed in chunks. */
OOM_TENSOR(conv_weight_product, kernel_gradient(2, 8, 1))
OOM_TENSOR(long_conv_weight, kernel_gradient(1, 81, 2))

/* Enough steps that the weights are packed. */
OOM_TENSOR(many_steps, heed_recurrence(HEED_CELL_TANH, heed_expand(oom.one, HEED_SHAPE(10, 2, 1)),
                                       heed_expand(oom.one, HEED_SHAPE(1, 1)), NULL, NULL, NULL, false, NULL))

OOM_MAIN("oom_every_function", OOM(zeros), OOM(ones), OOM(full), OOM(zeros_like), OOM(rand_like), OOM(randn_like),
         OOM(normal), OOM(exponential), OOM(multinomial), OOM(multinomial_without), OOM(parts), OOM(arange),
         OOM(linspace), OOM(eye), OOM(from_array), OOM(from_buffer), OOM(to_dlpack), OOM(from_dlpack), OOM(from_values),
         OOM(detach), OOM(grad_of), OOM(rand_), OOM(randn), OOM(randint), OOM(permutation), OOM(bernoulli),
         OOM(leave_one_out), OOM(empty), OOM(generators), OOM(blocks), OOM(writing), OOM(leaves), OOM(hooks),
         OOM(backward), OOM(backward_with), OOM(grad), OOM(drawn_graph), OOM(computed), OOM(scopes), OOM(scope_return),
         OOM(own), OOM(checked), OOM(checked_twice), OOM(derivatives), OOM(checkpointed), OOM(silverman), OOM(allclose),
         OOM(long_index_sum), OOM(long_scatter_sum), OOM(trapezoid), OOM(conv_in_tiles), OOM(depthwise_conv),
         OOM(conv_with_a_stride), OOM(conv_weight_product), OOM(long_conv_weight), OOM(many_steps))
