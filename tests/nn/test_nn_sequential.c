/* tests/nn/test_nn_sequential.c - tests of modules applied one after the other: values, names, ownership and
 * freeing.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <pthread.h>

#include "check_heed.h"

/* A module that counts how often it is freed. */
typedef struct probe {
    heed_module base;
    int *freed;
    double factor;
} probe;

static void probe_on_free(heed_module *m)
{
    ++*((probe *)m)->freed;
}

static heed_tensor *probe_forward(heed_module *m, heed_tensor *x)
{
    return heed_mul_scalar(x, ((probe *)m)->factor);
}

static probe *probe_new(int *freed, double factor)
{
    probe *p = heed_module_new("probe", sizeof *p);
    p->base.on_free = probe_on_free;
    p->base.forward = probe_forward;
    p->freed = freed;
    p->factor = factor;
    return p;
}

static double value_of(void *net)
{
    heed_tensor *y = heed_module_forward(net, heed_ones(HEED_F64, HEED_SCALAR));
    ck_assert_msg(y != NULL, "%s", heed_error_message());
    return heed_item(y);
}

/* -- Running ------------------------------------------------------------------------------------------------------- */

START_TEST(runs_in_order)
{
    heed_nn_linear *first = heed_nn_linear_new(3, 4, NULL), *last = heed_nn_linear_new(4, 2, NULL);
    heed_nn_sequential *net =
        heed_nn_sequential_new(HEED_MODULES(first, heed_nn_function_new("tanh", heed_tanh), last));
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(5, 3));
    heed_tensor *y = heed_nn_sequential_forward(net, x);
    heed_tensor *expected = heed_nn_linear_forward(last, heed_tanh(heed_nn_linear_forward(first, x)));
    ck_assert(memcmp(heed_data_f32(y), heed_data_f32(expected), 10 * sizeof(float)) == 0);
    ck_assert_ptr_eq(heed_module_find(&net->base, "0.weight"), first->weight);
    ck_assert_ptr_eq(heed_module_find(&net->base, "2.bias"), last->bias);
    ck_assert_int_eq(heed_module_parameter_count(&net->base), 4);
    ck_assert_int_eq(heed_backward(heed_sum(y)), HEED_OK);
    ck_assert(heed_has_grad(first->weight) && heed_has_grad(last->bias));
    heed_module_free(&net->base);
}
END_TEST

START_TEST(empty_is_the_identity)
{
    heed_nn_sequential *net = heed_nn_sequential_new(NULL, 0);
    heed_tensor *x = heed_ones(HEED_F64, HEED_SHAPE(2));
    ck_assert_ptr_eq(heed_nn_sequential_forward(net, x), x);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(grows_in_a_loop)
{
    int freed = 0;
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(probe_new(&freed, 2)));
    for (int i = 0; i < 11; i++)
        ck_assert_int_eq(heed_nn_sequential_add(net, probe_new(&freed, 2)), HEED_OK);
    ck_assert(value_of(net) == 4096.0);
    heed_module_eval(&net->base);
    heed_module_free(&net->base);
    ck_assert_int_eq(freed, 12);
}
END_TEST

/* Sequentials, parameters and unused children in between. */
START_TEST(nested)
{
    int freed = 0;
    heed_nn_sequential *inner = heed_nn_sequential_new(HEED_MODULES(probe_new(&freed, 3), probe_new(&freed, 5)));
    heed_nn_sequential *middle =
        heed_nn_sequential_new(HEED_MODULES(heed_nn_sequential_new(NULL, 0), inner, heed_nn_sequential_new(NULL, 0)));
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(middle, probe_new(&freed, 7)));
    ck_assert_ptr_nonnull(heed_module_buffer(&inner->base, "note", heed_ones(HEED_F32, HEED_SCALAR)));
    ck_assert(value_of(net) == 105.0);
    ck_assert(value_of(middle) == 15.0);
    ck_assert(value_of(inner) == 15.0);
    heed_module_free(&net->base);
    ck_assert_int_eq(freed, 3);
}
END_TEST

static void *run_deep(void *net)
{
    double *value = heed_alloc(sizeof *value);
    *value = value_of(net);
    heed_thread_cleanup();
    return value;
}

/* 100,000 sequentials inside each other, on a stack of 256 KiB. */
START_TEST(deeply_nested)
{
    int freed = 0;
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(probe_new(&freed, 3)));
    for (int i = 0; i < 100000; i++)
        net = heed_nn_sequential_new(HEED_MODULES(net));
    ck_assert_ptr_nonnull(net);
    pthread_attr_t small;
    pthread_t thread;
    void *value;
    ck_assert_int_eq(pthread_attr_init(&small), 0);
    ck_assert_int_eq(pthread_attr_setstacksize(&small, 256 << 10), 0);
    ck_assert_int_eq(pthread_create(&thread, &small, run_deep, net), 0);
    ck_assert_int_eq(pthread_join(thread, &value), 0);
    ck_assert(*(double *)value == 3.0);
    heed_free(value, sizeof(double));
    (void)pthread_attr_destroy(&small);
    heed_module_free(&net->base);
    ck_assert_int_eq(freed, 1);
}
END_TEST

/* Without a graph, the result of a module is freed after the next module has run. */
START_TEST(keeps_no_intermediate_results)
{
    int freed = 0;
    heed_nn_sequential *net = heed_nn_sequential_new(NULL, 0);
    for (int i = 0; i < 50; i++)
        heed_nn_sequential_add(net, probe_new(&freed, 1));
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(1000, 100));
    int64_t before = heed_memory_get_stats().live_bytes;
    heed_memory_reset_peak();
    ck_assert_ptr_nonnull(heed_nn_sequential_forward(net, x));
    ck_assert_int_lt(heed_memory_get_stats().peak_bytes - before, 3 * 400000);
    ck_assert_int_lt(heed_memory_get_stats().live_bytes - before, 2 * 400000);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(a_failing_module_stops)
{
    heed_nn_sequential *net =
        heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(3, 4, NULL), heed_nn_linear_new(5, 2, NULL)));
    ck_assert_ptr_null(heed_nn_sequential_forward(net, heed_ones(HEED_F32, HEED_SHAPE(2, 3))));
    ck_assert_error(HEED_ERR_SHAPE, "(2, 4) has 4 features, w (2, 5)");
    heed_module_free(&net->base);
}
END_TEST

/* -- Ownership ----------------------------------------------------------------------------------------------------- */

START_TEST(null_in_the_list_frees_the_others)
{
    for (int position = 0; position < 3; position++) {
        int freed = 0;
        void *list[3] = {probe_new(&freed, 1), probe_new(&freed, 1), probe_new(&freed, 1)};
        heed_module_free(list[position]);
        list[position] = NULL;
        ck_assert_ptr_null(heed_nn_sequential_new(list, 3));
        ck_assert_error(HEED_ERR_ARGUMENT, position == 0   ? "nn_sequential_new: module 0 is NULL"
                                           : position == 1 ? "module 1 is NULL"
                                                           : "module 2 is NULL");
        ck_assert_int_eq(freed, 3);
    }
}
END_TEST

/* If a constructor in the list fails, its error stays the pending one. */
START_TEST(failing_constructor_in_the_list)
{
    int freed = 0;
    ck_assert_ptr_null(heed_nn_sequential_new(HEED_MODULES(probe_new(&freed, 1), heed_nn_linear_new(0, 4, NULL))));
    ck_assert_error(HEED_ERR_ARGUMENT, "nn_linear_new: in is 0");
    ck_assert_int_eq(freed, 1);
}
END_TEST

START_TEST(duplicate_is_freed_once)
{
    int freed = 0, other = 0;
    probe *p = probe_new(&freed, 1);
    ck_assert_ptr_null(heed_nn_sequential_new(HEED_MODULES(p, probe_new(&other, 1), p, p)));
    ck_assert_error(HEED_ERR_ARGUMENT, "module 2 already belongs to a sequential, as \"0\"");
    ck_assert_int_eq(freed, 1);
    ck_assert_int_eq(other, 1);
    p = probe_new(&freed, 1); /* after the failing module */
    ck_assert_ptr_null(heed_nn_sequential_new(HEED_MODULES(NULL, p, p)));
    ck_assert_error(HEED_ERR_ARGUMENT, "module 0 is NULL");
    ck_assert_int_eq(freed, 2);
}
END_TEST

START_TEST(owned_child_is_not_freed)
{
    int child_freed = 0, freed = 0;
    probe *child = probe_new(&child_freed, 3);
    heed_nn_sequential *owner = heed_nn_sequential_new(HEED_MODULES(child));
    ck_assert_ptr_null(heed_nn_sequential_new(HEED_MODULES(probe_new(&freed, 1), child, probe_new(&freed, 1))));
    ck_assert_error(HEED_ERR_ARGUMENT, "module 1 already belongs to a sequential, as \"0\"");
    ck_assert_int_eq(freed, 2);
    ck_assert_int_eq(child_freed, 0);
    ck_assert_int_eq(heed_nn_sequential_add(owner, child), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "nn_sequential_add: module 1 already belongs");
    ck_assert(value_of(owner) == 3.0);
    heed_module_free(&owner->base);
    ck_assert_int_eq(child_freed, 1);
}
END_TEST

/* The list also contains a module's owner, before or after the module: the owner is freed together with its child. */
START_TEST(an_owner_and_its_child)
{
    for (int order = 0; order < 2; order++) {
        int freed = 0;
        probe *child = probe_new(&freed, 1);
        heed_nn_sequential *owner = heed_nn_sequential_new(HEED_MODULES(child));
        void *list[2] = {order ? (void *)owner : child, order ? (void *)child : owner};
        ck_assert_ptr_null(heed_nn_sequential_new(list, 2));
        ck_assert_error(HEED_ERR_ARGUMENT, "already belongs to a sequential");
        ck_assert_int_eq(freed, 1);
    }
}
END_TEST

START_TEST(module_with_several_inputs_fails)
{
    int freed = 0;
    heed_nn_nw_kernel_regression *regression = heed_nn_nw_kernel_regression_new(NULL);
    ck_assert_ptr_null(heed_nn_sequential_new(HEED_MODULES(probe_new(&freed, 1), regression)));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "module 1 is a nw_kernel_regression, which takes more than one tensor");
    ck_assert_int_eq(freed, 1);
    heed_nn_sequential *net = heed_nn_sequential_new(NULL, 0);
    ck_assert_int_eq(heed_nn_sequential_add(net, heed_nn_nw_kernel_regression_new(NULL)), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "nn_sequential_add: module 0");
    heed_module_free(&net->base);
}
END_TEST

START_TEST(failed_add_frees_the_module)
{
    int freed = 0;
    ck_assert_int_eq(heed_nn_sequential_add(NULL, probe_new(&freed, 1)), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "nn_sequential_add: the sequential is NULL");
    ck_assert_int_eq(freed, 1);
    ck_assert_int_eq(heed_nn_sequential_add(NULL, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "nn_sequential_add");
    heed_nn_sequential *net = heed_nn_sequential_new(NULL, 0);
    ck_assert_int_eq(heed_nn_sequential_add(net, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "module 0 is NULL");
    heed_module_free(&net->base);
}
END_TEST

START_TEST(never_its_own_descendant)
{
    heed_nn_sequential *inner = heed_nn_sequential_new(NULL, 0);
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(inner));
    ck_assert_int_eq(heed_nn_sequential_add(net, net), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "cannot be its own descendant");
    ck_assert_int_eq(heed_nn_sequential_add(inner, net), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "cannot be its own descendant");
    ck_assert(value_of(net) == 1.0);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(bad_lists)
{
    ck_assert_ptr_null(heed_nn_sequential_new(NULL, 1));
    ck_assert_error(HEED_ERR_ARGUMENT, "modules is NULL");
    ck_assert_ptr_null(heed_nn_sequential_new(NULL, -1));
    ck_assert_error(HEED_ERR_ARGUMENT, "n is -1: must be 0 or more");
}
END_TEST

HEED_TEST_MAIN("nn_sequential", runs_in_order, empty_is_the_identity, grows_in_a_loop, nested, deeply_nested,
               keeps_no_intermediate_results, a_failing_module_stops, null_in_the_list_frees_the_others,
               failing_constructor_in_the_list, duplicate_is_freed_once, owned_child_is_not_freed,
               an_owner_and_its_child, module_with_several_inputs_fails, failed_add_frees_the_module,
               never_its_own_descendant, bad_lists)
