/* tests/core/test_checkpointed.c - tests that heed_checkpointed returns the same bits as the plain call, in less
 * memory.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "from.h"
#include "hash.h"

enum { WIDTH = 24, BATCH = 8, BLOCKS = 12 };

/* -- A net with and without ---------------------------------------------------------------------------------------- */

typedef struct net {
    heed_tensor *w[BLOCKS], *b[BLOCKS], *shared;
    heed_tensor *(*run)(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs);
    heed_generator *generator;
    int calls;
} net;

typedef struct part {
    net *net;
    int first, count;
} part;

static heed_tensor *plain(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs)
{
    (void)n_inputs;
    return fn(inputs, user);
}

static heed_tensor *parameter(heed_shape shape)
{
    return heed_set_requires_grad(heed_mul_scalar(heed_randn(HEED_F32, shape), 0.3), true);
}

static net new_net(void)
{
    heed_manual_seed(7);
    net n = {.run = plain, .shared = parameter(HEED_SHAPE(WIDTH, WIDTH)), .generator = heed_generator_default()};
    for (int i = 0; i < BLOCKS; i++) {
        n.w[i] = parameter(HEED_SHAPE(WIDTH, WIDTH));
        n.b[i] = parameter(HEED_SHAPE(WIDTH));
    }
    return n;
}

/* Uses its input three times and a weight shared by all blocks twice, so that a changed order of sums is noticed. */
static heed_tensor *block(heed_tensor *const *in, void *user)
{
    const part *p = user;
    net *n = p->net;
    n->calls++;
    heed_tensor *h = heed_tanh(heed_linear(in[0], n->w[p->first], n->b[p->first]));
    h = FROM(n->generator, heed_dropout(h, 0.3, true));
    h = heed_mul(h, heed_sigmoid(heed_matmul(in[0], n->shared)));
    h = heed_gelu(heed_matmul(h, n->shared));
    return heed_add(heed_mul(h, heed_randn_like(h)), in[0]);
}

/* Applies blocks one after the other, each checkpointed by itself. */
static heed_tensor *several(heed_tensor *const *in, void *user)
{
    const part *p = user;
    heed_tensor *h = in[0];
    static part parts[BLOCKS];
    for (int i = p->first; i < p->first + p->count; i++) {
        parts[i] = (part){p->net, i, 1};
        h = p->net->run(block, &parts[i], &h, 1);
    }
    return h;
}

static heed_tensor *loss_of(net *n, heed_tensor *x, bool nested)
{
    static part parts[BLOCKS];
    heed_tensor *h = heed_matmul(x, n->shared);
    for (int i = 0; i < BLOCKS; i += nested ? 3 : 1) {
        parts[i] = (part){n, i, 3};
        heed_tensor *y = n->run(nested ? several : block, &parts[i], &h, 1);
        h = heed_add(y, heed_mul_scalar(h, 0.5));
    }
    return heed_mean(heed_square(h));
}

static uint64_t bits_of(heed_tensor *t)
{
    return hash_tensor(HASH_BEGIN, t);
}

typedef struct outcome {
    uint64_t loss, x, gradients[2 * BLOCKS + 1], position;
} outcome;

static outcome train(heed_tensor *(*how)(heed_function, void *, heed_tensor *const *, int), bool nested, bool create)
{
    net n = new_net();
    n.run = how;
    heed_tensor *x = heed_set_requires_grad(heed_randn(HEED_F32, HEED_SHAPE(BATCH, WIDTH)), true);
    heed_tensor *loss = loss_of(&n, x, nested);
    outcome o = {.loss = bits_of(loss)};
    ck_assert_int_eq(heed_backward_with(loss, &(heed_backward_options){.create_graph = create}), HEED_OK);
    for (int i = 0; i < BLOCKS; i++) {
        o.gradients[i] = bits_of(heed_grad_of(n.w[i]));
        o.gradients[BLOCKS + i] = bits_of(heed_grad_of(n.b[i]));
        heed_set_grad(n.w[i], NULL);
        heed_set_grad(n.b[i], NULL);
    }
    o.gradients[2 * BLOCKS] = bits_of(heed_grad_of(n.shared));
    o.x = bits_of(heed_grad_of(x));
    heed_set_grad(n.shared, NULL);
    heed_set_grad(x, NULL);
    uint64_t seed;
    heed_generator_get_state(heed_generator_default(), &seed, &o.position);
    return o;
}

START_TEST(the_same_bits_as_without)
{
    for (int nested = 0; nested < 2; nested++) {
        for (int create = 0; create < 2; create++) {
            const outcome a = train(plain, nested, create), b = train(heed_checkpointed, nested, create);
            ck_assert_uint_eq(a.loss, b.loss);
            ck_assert_uint_eq(a.x, b.x);
            ck_assert_uint_eq(a.position, b.position);
            for (int i = 0; i <= 2 * BLOCKS; i++)
                ck_assert_msg(a.gradients[i] == b.gradients[i], "parameter %d, nested %d, create_graph %d", i, nested,
                              create);
        }
    }
}
END_TEST

/* A retained graph can be traversed again, also by heed_grad, even if the generator has drawn in between. */
START_TEST(passes_over_a_graph_that_is_kept)
{
    net n = new_net();
    heed_tensor *x = heed_set_requires_grad(heed_randn(HEED_F32, HEED_SHAPE(BATCH, WIDTH)), true), *g[3];
    n.run = heed_checkpointed;
    heed_tensor *loss = loss_of(&n, x, true), *of[] = {n.w[4], x, n.b[0]};
    ck_assert_int_eq(heed_grad(&loss, 1, of, 3, g, &(heed_grad_options){.retain_graph = true}), HEED_OK);
    const uint64_t w = bits_of(g[0]), dx = bits_of(g[1]), b = bits_of(g[2]);
    (void)heed_randn(HEED_F32, HEED_SHAPE(100));
    ck_assert_int_eq(heed_backward(loss), HEED_OK);
    ck_assert_uint_eq(bits_of(heed_grad_of(n.w[4])), w);
    ck_assert_uint_eq(bits_of(heed_grad_of(x)), dx);
    ck_assert_uint_eq(bits_of(heed_grad_of(n.b[0])), b);
    ck_assert_int_eq(heed_backward(loss), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "the graph at");
}
END_TEST

/* -- Memory -------------------------------------------------------------------------------------------------------- */

static heed_tensor *wide(heed_tensor *const *in, void *user)
{
    heed_tensor *h = in[0], *w = user;
    for (int i = 0; i < 4; i++)
        h = heed_tanh(heed_matmul(h, w));
    return h;
}

static int64_t peak_of(heed_tensor *(*how)(heed_function, void *, heed_tensor *const *, int), int depth)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *w = heed_set_requires_grad(heed_eye(HEED_F32, 32, 32), true);
    heed_tensor *h = heed_ones(HEED_F32, HEED_SHAPE(128, 32));
    heed_memory_reset_peak();
    const int64_t before = heed_memory_get_stats().live_bytes;
    heed_scope *forward = heed_scope_begin();
    for (int i = 0; i < depth; i++)
        h = how(wide, w, &h, 1);
    h = heed_scope_return(forward, heed_sum(h));
    ck_assert_int_eq(heed_backward(h), HEED_OK);
    const int64_t peak = heed_memory_get_stats().peak_bytes - before;
    heed_scope_end(scope);
    return peak;
}

/* A segment has eight results of 16 KiB in its scope and its graph; after checkpointing, one result and a node remain.
 * Block sizes are rounded up. */
START_TEST(memory_of_one_part_and_of_all_results)
{
    const int64_t result = 128 * 32 * 4;
    const int64_t a = peak_of(plain, 8), b = peak_of(plain, 16), c = peak_of(heed_checkpointed, 8),
                  d = peak_of(heed_checkpointed, 16);
    ck_assert_int_ge(b - a, 8 * 8 * result);
    ck_assert_int_le(d - c, 8 * (result + result / 4));
    ck_assert_int_le(d, (16 + 16) * result);
}
END_TEST

/* -- Hooks, higher order, inputs ----------------------------------------------------------------------------------- */

static heed_tensor *count(heed_tensor *grad, void *user)
{
    ++*(int *)user;
    return grad;
}

START_TEST(hooks_of_leaves_run_once)
{
    net n = new_net();
    n.run = heed_checkpointed;
    int calls = 0;
    ck_assert(heed_add_hook(n.shared, count, &calls) > 0);
    ck_assert_int_eq(heed_backward(loss_of(&n, heed_ones(HEED_F32, HEED_SHAPE(BATCH, WIDTH)), true)), HEED_OK);
    ck_assert_int_eq(calls, 1);
    ck_assert_int_eq(n.calls, 3 * BLOCKS); /* nested segments are recomputed at every level */
}
END_TEST

/* in[0] in[1]^3 user; in[2] is NULL and in[3] needs no gradient. */
static heed_tensor *product(heed_tensor *const *in, void *user)
{
    return heed_mul(heed_mul(heed_mul(in[0], heed_mul(in[1], heed_square(in[1]))), user), in[3]);
}

static heed_tensor *checked(heed_tensor *const *in, void *user)
{
    heed_tensor *inputs[] = {heed_square(in[0]), in[1], heed_square(in[1]), user};
    return heed_square(heed_checkpointed(product, in[2], inputs, 4));
}

START_TEST(derivatives_of_both_orders)
{
    heed_tensor *in[3], *factor = heed_rand(HEED_F64, HEED_SHAPE(3));
    for (int i = 0; i < 3; i++)
        in[i] = heed_set_requires_grad(heed_rand(HEED_F64, HEED_SHAPE(3)), true);
    heed_gradcheck_result r;
    ck_assert_msg(heed_gradcheck(checked, factor, in, 3, NULL, &r) == HEED_OK, "%s", r.report);
    ck_assert_msg(heed_gradgradcheck(checked, factor, in, 3, NULL, &r) == HEED_OK, "%s", r.report);
}
END_TEST

START_TEST(no_graph_without_need)
{
    net n = new_net();
    part p = {&n, 0, 1};
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(BATCH, WIDTH)), *in[] = {x, x, x, x};
    heed_scope *scope = heed_no_grad_begin();
    ck_assert(!heed_requires_grad(heed_checkpointed(block, &p, &x, 1)));
    heed_scope_end(scope);
    ck_assert(!heed_requires_grad(heed_checkpointed(product, x, in, 4)));
    ck_assert_int_eq(n.calls, 1);
}
END_TEST

/* -- Errors -------------------------------------------------------------------------------------------------------- */

static heed_tensor *other_leaf;

/* Misbehaves in its second run, in the way that *user selects. */
static heed_tensor *fickle(heed_tensor *const *in, void *user)
{
    static heed_tensor *extra;
    switch (*(int *)user) {
    case 1:
        return NULL;
    case 2:
        return heed_reshape(in[0], HEED_SHAPE(77));
    case 3:
        return heed_sum(heed_square(in[0]));
    case 4:
        return in[0];
    case 5:
        return heed_mul(heed_square(in[0]), heed_rand(HEED_F64, HEED_SHAPE(2)));
    case 6:
        extra = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true);
        return heed_mul(in[0], extra);
    case 7:
        heed_dropout(in[0], 0.5, true);
        break;
    case 8:
        return heed_exp(in[0]);
    case 9: /* the same numbers, and half the gradient */
        return heed_mul(in[0], heed_detach(in[0]));
    case 10: /* one bit differs */
        return heed_mul_scalar(heed_square(in[0]), 1 + 0x1p-52);
    case 11: /* the same numbers and ops, from a different tensor */
        return heed_square(other_leaf);
    }
    return heed_square(in[0]);
}

START_TEST(errors_are_described)
{
    static const struct {
        int what;
        heed_status status;
        const char *text;
    } cases[] = {
        {1, HEED_ERR_STATE, "checkpointed: fn returned NULL"},
        {2, HEED_ERR_SHAPE, "reshape:"},
        {3, HEED_ERR_STATE, "returned f64 (2) in its first run, but f64 () in its second"},
        {4, HEED_ERR_STATE, "computes nothing in its second run"},
        {5, HEED_ERR_STATE, "draws more often than in its first run, which drew 0 times"},
        {6, HEED_ERR_STATE, "by different ops, or from different tensors, in its second run"},
        {8, HEED_ERR_STATE, "returned different numbers in f64 (2) in its second run"},
        {9, HEED_ERR_STATE, "by different ops, or from different tensors, in its second run"},
        {10, HEED_ERR_STATE, "returned different numbers in f64 (2) in its second run"},
        {11, HEED_ERR_STATE, "by different ops, or from different tensors, in its second run"},
    };
    other_leaf = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true);
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int what = 0;
        heed_tensor *y = heed_sum(heed_checkpointed(fickle, &what, &x, 1));
        what = cases[i].what;
        ck_assert_int_eq(heed_backward(y), cases[i].status);
        ck_assert_ptr_nonnull(strstr(heed_error_message(), "backward: "));
        ck_assert_error(cases[i].status, cases[i].text);
        ck_assert(!heed_has_grad(x));
    }
    int what = 7;
    heed_tensor *y = heed_sum(heed_checkpointed(fickle, &what, &x, 1));
    what = 0;
    ck_assert_int_eq(heed_backward(y), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "drew 1 times in its first run, but 0 times in its second");
    heed_tensor *h = heed_square(x), *in[] = {x, x, x, x};
    ck_assert_ptr_null(heed_checkpointed(product, h, in, 4));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "checkpointed: fn uses a result of square, of shape (2), that is not among");
    ck_assert_ptr_null(heed_checkpointed(NULL, NULL, &x, 1));
    ck_assert_error(HEED_ERR_ARGUMENT, "checkpointed: fn is NULL");
    ck_assert_ptr_null(heed_checkpointed(fickle, &what, &x, 0));
    ck_assert_error(HEED_ERR_ARGUMENT, "checkpointed: 0 inputs");
}
END_TEST

static heed_tensor *notes_precision(heed_tensor *const *in, void *user)
{
    *(heed_precision *)user = heed_matmul_precision();
    return heed_square(in[0]);
}

START_TEST(precision_is_that_of_the_first_time)
{
    heed_precision observed = HEED_PRECISION_HIGHEST;
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2)), true);
    heed_scope *scope = heed_scope_begin();
    ck_assert_int_eq(heed_set_matmul_precision(HEED_PRECISION_MEDIUM), HEED_OK);
    heed_tensor *y = heed_scope_return(scope, heed_sum(heed_checkpointed(notes_precision, &observed, &x, 1)));
    observed = HEED_PRECISION_HIGHEST;
    ck_assert_int_eq(heed_backward(y), HEED_OK);
    ck_assert_int_eq(observed, HEED_PRECISION_MEDIUM);
    ck_assert_int_eq(heed_matmul_precision(), HEED_PRECISION_HIGHEST);
}
END_TEST

START_TEST(an_input_that_is_written_shows)
{
    int what = 0;
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true), *h = heed_square(x);
    heed_tensor *y = heed_sum(heed_checkpointed(fickle, &what, &h, 1));
    heed_fill_(heed_detach(h), 3);
    ck_assert_int_eq(heed_backward(y), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "argument 1 of checkpointed, of shape (2), was written in place");
}
END_TEST

/* (x - y) y z, where several of the inputs may be the same tensor. */
static heed_tensor *of_three(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_sum(heed_mul(heed_mul(heed_sub(in[0], in[1]), in[1]), heed_exp(in[2])));
}

typedef heed_tensor *runner(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs);

/* Calls of_three with one leaf three times, or with one result twice; *user selects. */
static heed_tensor *of_one(heed_tensor *const *in, void *user)
{
    runner *const *run = user;
    heed_tensor *h = heed_sin(in[0]);
    heed_tensor *const all[] = {in[0], in[0], in[0]}, *const some[] = {h, in[0], h};
    heed_tensor *one = (*run)(of_three, NULL, all, 3), *other = (*run)(of_three, NULL, some, 3);
    return one && other ? heed_add(one, heed_square(other)) : NULL;
}

START_TEST(one_tensor_as_several_inputs)
{
    runner *const with[] = {heed_checkpointed}, *const without[] = {plain};
    heed_tensor *x = heed_rand(HEED_F64, HEED_SHAPE(3)), *g[2], *h[2];
    heed_jacobian(of_one, (void *)(uintptr_t)with, &x, 1, &g[0], NULL);
    heed_jacobian(of_one, (void *)(uintptr_t)without, &x, 1, &g[1], NULL);
    ck_assert_mem_eq(heed_data_bytes(g[0]), heed_data_bytes(g[1]), 3 * sizeof(double));
    heed_hessian(of_one, (void *)(uintptr_t)with, &x, 1, &h[0], NULL);
    heed_hessian(of_one, (void *)(uintptr_t)without, &x, 1, &h[1], NULL);
    ck_assert(heed_allclose(h[0], h[1], 1e-14, 0.0, false));
}
END_TEST

HEED_TEST_MAIN("checkpointed", one_tensor_as_several_inputs, the_same_bits_as_without, passes_over_a_graph_that_is_kept,
               memory_of_one_part_and_of_all_results, hooks_of_leaves_run_once, derivatives_of_both_orders,
               no_graph_without_need, errors_are_described, precision_is_that_of_the_first_time,
               an_input_that_is_written_shows)
