/* tests/nn/test_nn_parametrizations.c - weight norm and spectral norm: values, removal, state, checkpointed functions,
 * threads, and errors.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "nn/parametrized.h"

/* The penalty on the gradient of a discriminator needs the second derivative while training. */
START_TEST(penalties_reach_the_original)
{
    heed_module *m = new_layer("linear");
    ck_assert_int_eq(heed_nn_spectral_norm(m, "weight", NULL), HEED_OK);
    heed_tensor *x = heed_set_requires_grad(new_input("linear"), true);
    heed_tensor *y = heed_sum(heed_tanh(heed_module_forward(m, x))), *g;
    ck_assert_int_eq(heed_grad(&y, 1, &x, 1, &g, &(heed_grad_options){.create_graph = true}), HEED_OK);
    ck_assert_int_eq(heed_backward(heed_sum(heed_square(g))), HEED_OK);
    ck_assert(heed_has_grad(heed_module_find(m, "parametrizations.weight.original")));
    heed_module_free(m);
}
END_TEST

/* -- Behaviour of modules ------------------------------------------------------------------------------------------ */

static heed_nn_sequential *new_net(void)
{
    heed_nn_linear_options o = {.dtype = HEED_F64};
    return heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(3, 4, &o), heed_nn_function_new("tanh", heed_tanh),
                                               heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(4, 2, &o)))));
}

static bool same_bits(heed_tensor *a, heed_tensor *b)
{
    a = heed_clone(heed_detach(a));
    b = heed_clone(heed_detach(b));
    const size_t size = (size_t)heed_numel(a) * heed_dtype_size(heed_dtype_of(a));
    return heed_shape_equal(heed_shape_of(a), heed_shape_of(b)) &&
           memcmp(heed_data_bytes(a), heed_data_bytes(b), size) == 0;
}

START_TEST(begins_with_the_same_values)
{
    heed_nn_linear *net = (heed_nn_linear *)(void *)new_layer("linear");
    heed_tensor *x = new_input("linear"), *w = net->weight, *before = heed_clone(heed_detach(w));
    heed_tensor *y = heed_nn_linear_forward(net, x);
    ck_assert_int_eq(heed_nn_weight_norm(&net->base, "weight", NULL), HEED_OK);
    ck_assert_ptr_eq(net->weight, w);
    ck_assert_ptr_eq(heed_module_find(&net->base, "weight"), w);
    ck_assert(heed_allclose(heed_clone(w), before, 1e-14, 0, false));
    ck_assert(heed_allclose(heed_nn_linear_forward(net, x), y, 1e-14, 0, false));
    ck_assert_int_eq(heed_module_parameter_count(&net->base), 3);
    ck_assert_int_eq(heed_module_parameter_numel(&net->base), 4 + 4 + 12);
    heed_module_free(&net->base);
}
END_TEST

/* 15 iterations from random vectors find the largest singular value of a matrix with a gap. */
START_TEST(finds_the_largest_singular_value)
{
    static const double w[] = {3, 0, 0, 0, 0.5, 0, 0, 0, 0.25, 0, 0, 0.1};
    heed_nn_linear *net = heed_nn_linear_new(3, 4, &(heed_nn_linear_options){.dtype = HEED_F64, .no_bias = true});
    heed_scope *scope = heed_no_grad_begin();
    heed_copy_(net->weight, heed_from_array(HEED_F64, HEED_SHAPE(4, 3), w, 12));
    heed_scope_end(scope);
    ck_assert_int_eq(heed_nn_spectral_norm(&net->base, "weight", NULL), HEED_OK);
    heed_module_eval(&net->base);
    heed_tensor *value = heed_clone(net->weight);
    for (int64_t i = 0; i < 12; i++)
        ck_assert_near(heed_get(value, HEED_INDEX(i / 3, i % 3)), w[i] / 3, 1e-12);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(iterates_only_while_training)
{
    heed_module *m = new_layer("conv");
    ck_assert_int_eq(heed_nn_spectral_norm(m, "weight", NULL), HEED_OK);
    heed_tensor *u = heed_module_find(m, "parametrizations.weight.0._u"), *x = new_input("conv");
    heed_module_walk(m, set_vector, NULL);
    heed_tensor *before = heed_clone(u);
    heed_module_eval(m);
    heed_tensor *y = heed_module_forward(m, x);
    ck_assert(same_bits(u, before) && same_bits(y, heed_module_forward(m, x)));
    heed_module_train(m);
    ck_assert(!same_bits(y, heed_module_forward(m, x)) && !same_bits(u, before));
    heed_module_free(m);
}
END_TEST

START_TEST(removal_keeps_the_value)
{
    heed_nn_sequential *net = new_net();
    heed_module *m = &net->base;
    heed_tensor *w = heed_module_find(m, "2.0.weight"), *x = new_input("linear");
    ck_assert_int_eq(heed_nn_spectral_norm(m, "2.0.weight", NULL), HEED_OK);
    ck_assert_int_eq(heed_nn_weight_norm(m, "2.0.bias", NULL), HEED_OK);
    heed_module_eval(m);
    heed_tensor *y = heed_module_forward(m, x), *value = heed_clone(w);
    ck_assert_int_eq(heed_nn_remove_parametrization(m, "2.0.weight"), HEED_OK);
    ck_assert_ptr_eq(heed_module_find(m, "2.0.weight"), w);
    ck_assert(same_bits(w, value) && heed_requires_grad(w) && heed_is_leaf(w));
    ck_assert(same_bits(y, heed_module_forward(m, x)));
    ck_assert_ptr_nonnull(heed_module_find(m, "2.0.parametrizations.bias.original0"));
    ck_assert_int_eq(heed_module_parameter_count(m), 2 + 3);
    heed_module_set_requires_grad(m, "*.bias.original?", false);
    ck_assert_int_eq(heed_nn_remove_parametrization(m, "2.0.bias"), HEED_OK);
    ck_assert(!heed_requires_grad(heed_module_find(m, "2.0.bias")));
    ck_assert_ptr_null(heed_module_find(m, "2.0.parametrizations"));
    ck_assert_error(HEED_ERR_ARGUMENT, "linear has: weight, bias");
    ck_assert_int_eq(heed_nn_weight_norm(m, "2.0.weight", NULL), HEED_OK); /* again */
    ck_assert_int_eq(heed_module_parameter_count(m), 2 + 3);
    heed_module_free(m);
}
END_TEST

/* Members of a module with an index of names are found after one is taken out. */
START_TEST(modules_with_many_members)
{
    enum { MANY = 40 };
    heed_module *m = heed_module_new("mine", sizeof *m);
    char name[8];
    for (int i = 0; i < MANY; i++) {
        (void)snprintf(name, sizeof name, "p%d", i);
        ck_assert_ptr_nonnull(heed_module_parameter(m, name, heed_full(HEED_F32, HEED_SHAPE(2, 2), i + 1)));
    }
    for (int i = 0; i < MANY; i++) {
        (void)snprintf(name, sizeof name, "p%d", i);
        ck_assert_int_eq(heed_nn_weight_norm(m, name, NULL), HEED_OK);
    }
    for (int i = 0; i < MANY; i += 2) {
        (void)snprintf(name, sizeof name, "p%d", i);
        ck_assert_int_eq(heed_nn_remove_parametrization(m, name), HEED_OK);
    }
    for (int i = 0; i < MANY; i++) {
        (void)snprintf(name, sizeof name, "p%d", i);
        ck_assert_near(heed_get(heed_clone(heed_module_find(m, name)), HEED_INDEX(0, 0)), i + 1, 1e-5);
    }
    heed_module_free(m);
}
END_TEST

START_TEST(frozen_parameters_stay_frozen)
{
    heed_nn_sequential *net = new_net();
    heed_module_set_requires_grad(&net->base, "*", false);
    ck_assert_int_eq(heed_nn_weight_norm(&net->base, "0.weight", NULL), HEED_OK);
    heed_tensor *y = heed_module_forward(&net->base, new_input("linear"));
    ck_assert(!heed_requires_grad(y));
    ck_assert_int_eq(heed_module_set_requires_grad(&net->base, "*.original0", true), 1);
    ck_assert(heed_requires_grad(heed_module_forward(&net->base, new_input("linear"))));
    heed_module_free(&net->base);
}
END_TEST

START_TEST(copies_of_modules)
{
    heed_nn_sequential *a = new_net(), *b = new_net();
    heed_tensor *x = new_input("linear");
    for (int i = 0; i < 2; i++) {
        heed_module *m = i == 0 ? &a->base : &b->base;
        ck_assert_int_eq(heed_nn_weight_norm(m, "0.weight", NULL), HEED_OK);
        ck_assert_int_eq(heed_nn_spectral_norm(m, "2.0.weight", NULL), HEED_OK);
        heed_module_eval(m);
    }
    ck_assert(!same_bits(heed_nn_sequential_forward(a, x), heed_nn_sequential_forward(b, x)));
    ck_assert_int_eq(heed_module_copy_state(&b->base, &a->base), HEED_OK);
    ck_assert(same_bits(heed_nn_sequential_forward(a, x), heed_nn_sequential_forward(b, x)));
    heed_module_free(&a->base);
    heed_module_free(&b->base);
}
END_TEST

/* A parent that reads the weight of a child without its forward, as additive attention does. */
START_TEST(parents_read_the_weight_of_a_child)
{
    heed_nn_additive_attention *net = heed_nn_additive_attention_new(2, 3, 4, NULL);
    heed_tensor *q = heed_randn(HEED_F32, HEED_SHAPE(1, 2, 3)), *k = heed_randn(HEED_F32, HEED_SHAPE(1, 5, 2));
    heed_module_eval(&net->base);
    heed_tensor *plain = heed_nn_additive_attention_forward(net, q, k, k, NULL, NULL);
    ck_assert_msg(plain != NULL, "%s", heed_error_message());
    ck_assert_int_eq(heed_nn_spectral_norm(&net->base, "W_q.weight", NULL), HEED_OK);
    heed_tensor *y = heed_nn_additive_attention_forward(net, q, k, k, NULL, NULL);
    ck_assert(y && !same_bits(plain, y));
    ck_assert_int_eq(heed_backward(heed_sum(heed_square(y))), HEED_OK);
    ck_assert(heed_has_grad(heed_module_find(&net->base, "W_q.parametrizations.weight.original")));
    heed_module_free(&net->base);
}
END_TEST

/* Queries, keys and values share one weight, which is computed once. */
START_TEST(attention_computes_its_weight_once)
{
    const heed_nn_multi_head_attention_options o = {.dtype = HEED_F64};
    heed_nn_multi_head_attention *net = heed_nn_multi_head_attention_new(4, 2, &o);
    ck_assert_msg(heed_nn_spectral_norm(&net->base, "in_proj_weight", NULL) == HEED_OK, "%s", heed_error_message());
    heed_module_walk(&net->base, set_vector, NULL);
    heed_tensor *v = heed_module_find(&net->base, "parametrizations.in_proj_weight.0._v"), *before = heed_clone(v);
    heed_tensor *w = heed_detach(heed_module_find(&net->base, "parametrizations.in_proj_weight.original"));
    heed_tensor *x = heed_randn(HEED_F64, HEED_SHAPE(1, 3, 4)), *wv = heed_matmul(w, before);
    ck_assert_ptr_nonnull(heed_nn_multi_head_attention_forward(net, x, x, x, NULL, NULL));
    heed_tensor *next = heed_matmul(wv, w); /* of one iteration, but for the norm */
    ck_assert(heed_allclose(v, heed_div(next, heed_norm(next, 2.0, HEED_SHAPE(0), true)), 1e-12, 1e-12, false));
    heed_module_free(&net->base);
}
END_TEST

static heed_tensor *forward_module(heed_tensor *const *in, void *m)
{
    return heed_module_forward(m, in[0]);
}

START_TEST(checkpointed_layers)
{
    heed_tensor *x = heed_set_requires_grad(new_input("linear"), true), *grads[2];
    for (int i = 0; i < 2; i++) {
        heed_module *m = new_layer("linear");
        ck_assert_int_eq(heed_nn_spectral_norm(m, "weight", NULL), HEED_OK);
        heed_module_walk(m, set_vector, NULL);
        heed_tensor *original = heed_module_find(m, "parametrizations.weight.original");
        heed_tensor *y = i == 0 ? heed_module_forward(m, x) : heed_checkpointed(forward_module, m, &x, 1);
        heed_tensor *u = heed_clone(heed_module_find(m, "parametrizations.weight.0._u"));
        ck_assert_msg(heed_backward(loss_of(y)) == HEED_OK, "%s", heed_error_message());
        ck_assert(same_bits(u, heed_module_find(m, "parametrizations.weight.0._u")));
        grads[i] = heed_grad_of(original);
        heed_module_free(m);
    }
    ck_assert(same_bits(grads[0], grads[1]));
    ck_assert(!heed_is_recomputing());
    heed_module *m = new_layer("linear");
    ck_assert_int_eq(heed_nn_spectral_norm(m, "weight", NULL), HEED_OK);
    heed_module_walk(m, set_vector, NULL);
    heed_tensor *y = heed_checkpointed(forward_module, m, &x, 1);
    heed_module_forward(m, x);
    ck_assert_int_eq(heed_backward(loss_of(y)), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "returned different numbers");
    heed_module_free(m);
}
END_TEST

/* -- Threads ------------------------------------------------------------------------------------------------------- */

enum { CALLS = 32 };

typedef struct shared {
    heed_module *m;
    heed_tensor *x, *original;
    heed_tensor *u, *v; /* buffers to copy, or NULL */
    double norms[CALLS];
} shared;

static heed_status differentiate(int64_t i, void *user)
{
    shared *s = user;
    heed_tensor *buffers[2] = {s->u, s->v}, *own[2], *g;
    for (int k = 0; k < 2 && s->u; k++)
        own[k] = heed_clone(buffers[k]);
    if (s->u && heed_parallel_own_buffers(buffers, own, 2) != HEED_OK)
        return heed_error_code();
    heed_tensor *y = heed_sum(heed_square(heed_module_forward(s->m, s->x)));
    if (heed_grad(&y, 1, &s->original, 1, &g, NULL) == HEED_OK)
        s->norms[i] = heed_item(heed_norm(g, 2.0, HEED_SHAPE(0, 1), false));
    return heed_error_code();
}

static void check_shared(shared *s)
{
    ck_assert_msg(heed_parallel_for(CALLS, differentiate, s) == HEED_OK, "%s", heed_error_message());
    for (int i = 0; i < CALLS; i++)
        ck_assert(s->norms[i] > 0 && s->norms[i] == s->norms[0]);
}

START_TEST(threads_share_a_module)
{
    heed_set_num_threads(4);
    shared s = {.m = new_layer("linear"), .x = new_input("linear")};
    ck_assert_int_eq(heed_nn_weight_norm(s.m, "weight", NULL), HEED_OK);
    s.original = heed_module_find(s.m, "parametrizations.weight.original1");
    check_shared(&s);
    ck_assert_int_eq(heed_nn_remove_parametrization(s.m, "weight"), HEED_OK);
    ck_assert_int_eq(heed_nn_spectral_norm(s.m, "weight", NULL), HEED_OK);
    s.original = heed_module_find(s.m, "parametrizations.weight.original");
    ck_assert_int_eq(heed_parallel_for(CALLS, differentiate, &s), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "would write the same buffer");
    s.u = heed_module_find(s.m, "parametrizations.weight.0._u");
    s.v = heed_module_find(s.m, "parametrizations.weight.0._v");
    check_shared(&s);
    s.u = NULL;
    heed_module_eval(s.m);
    check_shared(&s);
    heed_module_free(s.m);
    heed_set_num_threads(1);
}
END_TEST

static heed_tensor *loss_of_shard(heed_tensor *const *batch, double *count, void *m)
{
    (void)count;
    return heed_sum(heed_square(heed_module_forward(m, batch[0])));
}

/* Every shard iterates once from the same vectors, so a step of a team is one iteration. */
START_TEST(teams_iterate_once_per_step)
{
    heed_set_num_threads(2);
    heed_module *m = new_layer("linear"), *alone = new_layer("linear");
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(heed_nn_spectral_norm(i == 0 ? m : alone, "weight", NULL), HEED_OK);
        heed_module_walk(i == 0 ? m : alone, set_vector, NULL);
    }
    heed_tensor *x = heed_randn(HEED_F64, HEED_SHAPE(8, 3)),
                *loss = heed_sum(heed_square(heed_module_forward(alone, x)));
    heed_dataset *data = heed_dataset_new(HEED_TENSORS(x));
    heed_loader *loader = heed_loader_new(data, &(heed_loader_options){.batch_size = 8});
    heed_optimizer *sgd = new_optimizer(m, false);
    heed_comm *self = heed_comm_self();
    heed_data_parallel *team =
        heed_data_parallel_new(self, sgd, &(heed_data_parallel_options){.shards = 4, .module = m});
    ck_assert_msg(heed_data_parallel_gradients(team, loader, loss_of_shard, m) == HEED_OK, "%s", heed_error_message());
    ck_assert_int_eq(heed_data_parallel_step(team), HEED_OK);
    ck_assert_near(heed_data_parallel_loss(team), heed_item(loss) / 8, 1e-12);
    for (int i = 0; i < 2; i++) {
        const char *name = i == 0 ? "parametrizations.weight.0._u" : "parametrizations.weight.0._v";
        ck_assert(heed_allclose(heed_module_find(m, name), heed_module_find(alone, name), 1e-14, 1e-14, false));
    }
    heed_data_parallel_free(team);
    heed_comm_free(self);
    heed_optimizer_free(sgd);
    heed_loader_free(loader);
    heed_dataset_free(data);
    heed_module_free(alone);
    heed_module_free(m);
    heed_set_num_threads(1);
}
END_TEST

/* -- Errors -------------------------------------------------------------------------------------------------------- */

#define ck_assert_refused(call, code, text)                                                                            \
    do {                                                                                                               \
        ck_assert_int_eq(call, code);                                                                                  \
        ck_assert_error(code, text);                                                                                   \
    } while (0)

START_TEST(names_the_mistake)
{
    heed_nn_sequential *net = new_net();
    heed_module *m = &net->base;
    heed_nn_spectral_norm_options spectral = {.eps = -1};
    ck_assert_refused(heed_nn_weight_norm(NULL, "weight", NULL), HEED_ERR_ARGUMENT,
                      "nn_weight_norm: the module is NULL");
    ck_assert_refused(heed_nn_spectral_norm(m, NULL, NULL), HEED_ERR_ARGUMENT, "nn_spectral_norm: the path is NULL");
    ck_assert_refused(heed_nn_weight_norm(m, "0.wieght", NULL), HEED_ERR_ARGUMENT,
                      "nn_weight_norm: sequential has no parameter or buffer \"0.wieght\"; linear has: weight, bias");
    ck_assert_refused(heed_nn_weight_norm(m, "5.weight", NULL), HEED_ERR_ARGUMENT, "it has: 0, 1, 2");
    ck_assert_refused(heed_nn_weight_norm(m, "0", NULL), HEED_ERR_ARGUMENT, "no parameter or buffer \"0\"");
    ck_assert_refused(heed_nn_weight_norm(m, "0.weight", &(heed_nn_weight_norm_options){.dim = 2}), HEED_ERR_ARGUMENT,
                      "nn_weight_norm: dim is 2: \"weight\" is (4, 3), so dim must be -1 to 1");
    ck_assert_refused(heed_nn_weight_norm(m, "0.weight", &(heed_nn_weight_norm_options){.dim = -2}), HEED_ERR_ARGUMENT,
                      "dim is -2");
    ck_assert_refused(heed_nn_spectral_norm(m, "0.weight", &(heed_nn_spectral_norm_options){.dim = -3}),
                      HEED_ERR_ARGUMENT, "nn_spectral_norm: dim is -3: \"weight\" is (4, 3), so dim must be -2 to 1");
    ck_assert_refused(heed_nn_spectral_norm(m, "0.weight", &spectral), HEED_ERR_ARGUMENT, "eps is -1");
    spectral = (heed_nn_spectral_norm_options){.n_power_iterations = -1};
    ck_assert_refused(heed_nn_spectral_norm(m, "0.weight", &spectral), HEED_ERR_ARGUMENT,
                      "n_power_iterations is -1: must be 0 to 1000");
    ck_assert_int_eq(heed_nn_weight_norm(m, "0.weight", NULL), HEED_OK);
    ck_assert_refused(heed_nn_spectral_norm(m, "0.weight", NULL), HEED_ERR_STATE,
                      "nn_spectral_norm: \"weight\" of the linear already has weight_norm: call "
                      "heed_nn_remove_parametrization first");
    ck_assert_refused(heed_nn_remove_parametrization(m, "0.bias"), HEED_ERR_ARGUMENT,
                      "nn_remove_parametrization: \"bias\" of the linear has no parametrization");
    heed_module_free(m);
}
END_TEST

START_TEST(unsuitable_parameters)
{
    heed_module *m = heed_module_new("mine", sizeof *m), *below = heed_module_new("below", sizeof *below);
    heed_tensor *w = heed_module_parameter(m, "w", heed_ones(HEED_F32, HEED_SHAPE(2, 2)));
    heed_module_parameter(m, "scalar", heed_ones(HEED_F32, HEED_SCALAR));
    heed_module_parameter(m, "empty", heed_ones(HEED_F32, HEED_SHAPE(2, 0)));
    heed_module_buffer(m, "mean", heed_ones(HEED_F32, HEED_SHAPE(2)));
    heed_module_child(m, "below", below);
    heed_module_parameter(below, "tied", w);
    ck_assert_refused(heed_nn_weight_norm(m, "scalar", NULL), HEED_ERR_SHAPE, "\"scalar\" of the mine is ()");
    ck_assert_refused(heed_nn_spectral_norm(m, "empty", NULL), HEED_ERR_SHAPE, "\"empty\" of the mine is (2, 0)");
    ck_assert_refused(heed_nn_spectral_norm(m, "mean", NULL), HEED_ERR_ARGUMENT, "\"mean\" of the mine is a buffer");
    ck_assert_refused(heed_nn_weight_norm(m, "w", NULL), HEED_ERR_UNSUPPORTED,
                      "\"w\" of the mine is also \"tied\" of a below: a shared parameter cannot be parametrized");
    ck_assert_refused(heed_nn_weight_norm(below, "tied", NULL), HEED_ERR_UNSUPPORTED, "also \"w\" of a mine");
    heed_module_parameter(m, "second", heed_ones(HEED_F32, HEED_SHAPE(2, 2)));
    ck_assert_int_eq(heed_nn_weight_norm(m, "second", NULL), HEED_OK);
    ck_assert_ptr_null(heed_module_parameter(m, "second", heed_ones(HEED_F32, HEED_SHAPE(2, 2))));
    ck_assert_error(HEED_ERR_ARGUMENT, "the mine already has a member \"second\"");
    heed_module_free(m);
}
END_TEST

/* A program's own member of that name is not mistaken for the parametrizations. */
START_TEST(a_member_of_the_reserved_name)
{
    heed_module *m = heed_module_new("mine", sizeof *m), *below = heed_module_new("parametrizations", sizeof *below);
    heed_module_parameter(m, "w", heed_ones(HEED_F32, HEED_SHAPE(2, 2)));
    heed_module_child(m, "parametrizations", below);
    ck_assert_refused(heed_nn_weight_norm(m, "w", NULL), HEED_ERR_ARGUMENT,
                      "the mine already has a member \"parametrizations\"");
    ck_assert_int_eq(heed_module_parameter_count(m), 1);
    heed_module_free(m);
}
END_TEST

/* The tensor may outlive its module; it is then an ordinary tensor. */
START_TEST(the_tensor_outlives_its_module)
{
    heed_nn_linear *net = (heed_nn_linear *)(void *)new_layer("linear");
    ck_assert_int_eq(heed_nn_weight_norm(&net->base, "weight", NULL), HEED_OK);
    heed_tensor *w = heed_retain(net->weight);
    heed_module_free(&net->base);
    ck_assert(heed_is_leaf(w) && !heed_requires_grad(w));
    ck_assert_near(heed_get(w, HEED_INDEX(0, 0)), sin(1.0), 1e-15);
    heed_release(w);
}
END_TEST

HEED_TEST_MAIN("parametrizations", penalties_reach_the_original, begins_with_the_same_values,
               finds_the_largest_singular_value, iterates_only_while_training, removal_keeps_the_value,
               modules_with_many_members, frozen_parameters_stay_frozen, copies_of_modules,
               parents_read_the_weight_of_a_child, attention_computes_its_weight_once, checkpointed_layers,
               threads_share_a_module, teams_iterate_once_per_step, names_the_mistake, unsuitable_parameters,
               a_member_of_the_reserved_name, the_tensor_outlives_its_module)
