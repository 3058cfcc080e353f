/* tests/optim/test_average.c - tests averages of a module against PyTorch's (tests/reference/average_reference.py),
 * swapping them in and out, and resuming from a checkpoint.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <unistd.h>

#include "reference/average_reference.h"

/* A module with a parameter w under two names, an empty one, and buffers of two dtypes. */
typedef struct net {
    heed_module base;
    heed_tensor *w, *none, *running, *count;
} net;

static net *new_net(heed_dtype dtype)
{
    net *m = heed_module_new("net", sizeof *m);
    m->w = heed_module_parameter(&m->base, "w",
                                 heed_from_values(dtype, HEED_SHAPE(AVERAGE_SIZE), average_start, AVERAGE_SIZE));
    heed_module_parameter(&m->base, "tied", m->w);
    m->none = heed_module_parameter(&m->base, "none", heed_zeros(dtype, HEED_SHAPE(0, 2)));
    m->running = heed_module_buffer(&m->base, "running", heed_ones(dtype, HEED_SHAPE(2)));
    m->count = heed_module_buffer(&m->base, "count", heed_ones(HEED_I64, HEED_SCALAR));
    return m;
}

/* Simulates a step of training: w = sin(start + t), and the buffers are t. */
static void train(net *m, int t)
{
    heed_scope *scope = heed_no_grad_begin();
    heed_tensor *start = heed_from_values(heed_dtype_of(m->w), HEED_SHAPE(AVERAGE_SIZE), average_start, AVERAGE_SIZE);
    heed_copy_(m->w, heed_sin(heed_add_scalar(start, t)));
    heed_fill_(m->running, t);
    heed_fill_(m->count, t);
    heed_scope_end(scope);
}

static double first(const heed_tensor *t)
{
    return heed_get(t, HEED_INDEX(0));
}

/* -- Values -------------------------------------------------------------------------------------------------------- */

static void check_case(const struct average_case *expected, heed_dtype dtype, double tolerance)
{
    net *m = new_net(dtype);
    heed_average *average = heed_average_new(&m->base, &(heed_average_options){.decay = expected->decay});
    ck_assert_msg(average != NULL, "%s", heed_error_message());
    for (int t = 1; t <= AVERAGE_STEPS; t++) {
        train(m, t);
        ck_assert_int_eq(heed_average_update(average), HEED_OK);
    }
    ck_assert_int_eq(heed_average_swap(average), HEED_OK);
    for (int i = 0; i < AVERAGE_SIZE; i++)
        ck_assert_near(heed_get(m->w, HEED_INDEX(i)), dtype == HEED_F64 ? expected->f64[i] : expected->f32[i],
                       tolerance);
    heed_average_free(average);
    heed_module_free(&m->base);
}

START_TEST(follows_pytorch)
{
    for (size_t i = 0; i < sizeof average_cases / sizeof average_cases[0]; i++) {
        check_case(&average_cases[i], HEED_F64, 1e-15);
        check_case(&average_cases[i], HEED_F32, 1e-6);
    }
}
END_TEST

/* The average of unchanging values has their bits, after any number of updates and from any start. */
START_TEST(averages_of_constants_are_exact)
{
    net *m = new_net(HEED_F32);
    heed_scope *scope = heed_no_grad_begin();
    heed_fill_(m->w, 1e30);
    heed_average *average = heed_average_new(&m->base, NULL);
    heed_fill_(m->w, 0.1);
    heed_scope_end(scope);
    for (int t = 0; t < 100; t++)
        heed_average_update(average);
    heed_average_swap(average);
    for (int i = 0; i < AVERAGE_SIZE; i++)
        ck_assert_double_eq(heed_get(m->w, HEED_INDEX(i)), (double)0.1F);
    heed_average_free(average);
    heed_module_free(&m->base);
}
END_TEST

/* -- Swapping ------------------------------------------------------------------------------------------------------ */

START_TEST(swapped_in_and_out)
{
    net *m = new_net(HEED_F64);
    heed_average *average = heed_average_new(&m->base, NULL);
    heed_average_swap(average); /* the averages are still copies of the start */
    ck_assert_double_eq(first(m->w), average_start[0]);
    heed_average_swap(average);
    for (int t = 1; t <= 2; t++) {
        train(m, t);
        heed_average_update(average);
    }
    const double trained = first(m->w);
    ck_assert_int_eq(heed_average_swap(average), HEED_OK);
    ck_assert_near(first(m->w), (sin(2.5) + sin(3.5)) / 2.0, 1e-15);
    ck_assert_double_eq(first(m->running), 2.0); /* the module's own buffer */
    ck_assert_int_eq(heed_item_i64(m->count), 2);
    ck_assert_int_eq(heed_average_update(average), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "average_update: the module holds the averages: call heed_average_swap first");
    ck_assert_ptr_null(heed_average_state(average));
    ck_assert_error(HEED_ERR_STATE, "average_state: the module holds the averages");
    ck_assert_int_eq(heed_average_swap(average), HEED_OK);
    ck_assert_double_eq(first(m->w), trained);
    ck_assert(heed_requires_grad(m->w));
    heed_average_free(average);
    heed_module_free(&m->base);
}
END_TEST

/* More than one block of bytes, and a remainder. */
START_TEST(a_large_parameter)
{
    enum { SIZE = 3001 };
    heed_module *m = heed_module_new("m", sizeof *m);
    heed_tensor *w = heed_module_parameter(m, "w", heed_arange(HEED_F32, 0, SIZE, 1));
    heed_average *average = heed_average_new(m, NULL);
    heed_scope *scope = heed_no_grad_begin();
    heed_fill_(w, -1);
    heed_scope_end(scope);
    for (int round = 0; round < 2; round++) {
        heed_average_swap(average);
        for (int i = 0; i < SIZE; i++)
            ck_assert_double_eq(heed_get(w, HEED_INDEX(i)), round == 0 ? i : -1);
    }
    heed_average_free(average);
    heed_module_free(m);
}
END_TEST

/* Backward detects that the values it saved have changed. */
START_TEST(backward_detects_the_swap)
{
    net *m = new_net(HEED_F64);
    heed_average *average = heed_average_new(&m->base, NULL);
    heed_tensor *loss = heed_sum(heed_square(m->w));
    heed_average_swap(average);
    ck_assert_int_eq(heed_backward(loss), HEED_ERR_STATE);
    heed_error_clear();
    heed_average_free(average);
    heed_module_free(&m->base);
}
END_TEST

START_TEST(buffers)
{
    net *m = new_net(HEED_F64);
    heed_average *average = heed_average_new(&m->base, &(heed_average_options){.buffers = true});
    for (int t = 1; t <= 4; t++) {
        train(m, t);
        heed_average_update(average);
    }
    heed_average_swap(average);
    ck_assert_double_eq(first(m->running), 2.5);
    ck_assert_int_eq(heed_item_i64(m->count), 4); /* integer buffers are not averaged */
    heed_average_free(average);
    heed_module_free(&m->base);
}
END_TEST

/* -- State --------------------------------------------------------------------------------------------------------- */

START_TEST(contents_of_the_state)
{
    net *m = new_net(HEED_F32);
    heed_average *average = heed_average_new(&m->base, &(heed_average_options){.buffers = true});
    heed_average_update(average);
    heed_dict *state = heed_average_state(average);
    static const char *const names[] = {"n_averaged", "module.w", "module.none", "module.running"};
    ck_assert_int_eq(heed_dict_size(state), 4);
    for (int i = 0; i < 4; i++)
        ck_assert_str_eq(heed_dict_name(state, i), names[i]);
    ck_assert_int_eq(heed_item_i64(heed_dict_get(state, "n_averaged")), 1);
    heed_average_update(average); /* the state shares its tensors */
    ck_assert_int_eq(heed_item_i64(heed_dict_get(state, "n_averaged")), 2);
    heed_mutable_i64(heed_dict_get(state, "n_averaged"))[0] = -7;
    ck_assert_int_eq(heed_average_update(average), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "average_update: n_averaged is -7: must be 0 to 9223372036854775806");
    heed_dict_free(state);
    heed_average_free(average);
    heed_module_free(&m->base);
}
END_TEST

START_TEST(resumes_from_a_checkpoint)
{
    char path[] = "/tmp/heed_average_XXXXXX";
    close(mkstemp(path));
    for (int decay = 0; decay < 2; decay++) {
        heed_average_options options = {.decay = 0.75 * decay};
        net *whole = new_net(HEED_F64), *second = new_net(HEED_F64);
        heed_average *a = heed_average_new(&whole->base, &options), *b = heed_average_new(&second->base, &options);
        heed_dict *of_a = heed_average_state(a), *of_b = heed_average_state(b);
        heed_checkpoint saved = {.module = &whole->base, .extra = of_a},
                        loaded = {.module = &second->base, .extra = of_b};
        for (int t = 1; t <= 7; t++) {
            train(whole, t);
            heed_average_update(a);
            if (t == 4)
                ck_assert_int_eq(heed_checkpoint_save(path, &saved, NULL), HEED_OK);
        }
        ck_assert_msg(heed_checkpoint_load(path, &loaded) == HEED_OK, "%s", heed_error_message());
        for (int t = 5; t <= 7; t++) {
            train(second, t);
            heed_average_update(b);
        }
        ck_assert_int_eq(heed_item_i64(heed_dict_get(of_b, "n_averaged")), 7);
        ck_assert_mem_eq(heed_data_f64(heed_dict_get(of_a, "module.w")), heed_data_f64(heed_dict_get(of_b, "module.w")),
                         AVERAGE_SIZE * sizeof(double));
        heed_dict_free(of_a);
        heed_dict_free(of_b);
        heed_average_free(a);
        heed_average_free(b);
        heed_module_free(&whole->base);
        heed_module_free(&second->base);
    }
    remove(path);
}
END_TEST

/* -- Errors -------------------------------------------------------------------------------------------------------- */

START_TEST(misuse)
{
    heed_module *empty = heed_module_new("empty", sizeof *empty);
    ck_assert_ptr_null(heed_average_new(NULL, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "average_new: the module is NULL");
    ck_assert_ptr_null(heed_average_new(empty, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "average_new: the module has no parameters to average");
    ck_assert_ptr_null(heed_average_new(empty, &(heed_average_options){.decay = 1.0}));
    ck_assert_error(HEED_ERR_ARGUMENT, "average_new: decay is 1: must be in [0, 1)");
    heed_module_buffer(empty, "wide", heed_transpose(heed_ones(HEED_F32, HEED_SHAPE(2, 3)), 0, 1));
    ck_assert_ptr_null(heed_average_new(empty, &(heed_average_options){.buffers = true}));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "average_new: wide must be contiguous");
    ck_assert_int_eq(heed_average_update(NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "average_update: the average is NULL");
    ck_assert_int_eq(heed_average_swap(NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "average_swap: the average is NULL");
    ck_assert_ptr_null(heed_average_state(NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "average_state: the average is NULL");
    heed_average_free(NULL);
    heed_module_free(empty);
}
END_TEST

/* The averages may outlive their module. */
START_TEST(module_may_be_freed_first)
{
    net *m = new_net(HEED_F32);
    heed_average *average = heed_average_new(&m->base, NULL);
    heed_module_free(&m->base);
    ck_assert_int_eq(heed_average_update(average), HEED_OK);
    ck_assert_int_eq(heed_average_swap(average), HEED_OK);
    heed_average_free(average);
}
END_TEST

HEED_TEST_MAIN("average", follows_pytorch, averages_of_constants_are_exact, swapped_in_and_out, a_large_parameter,
               backward_detects_the_swap, buffers, contents_of_the_state, resumes_from_a_checkpoint, misuse,
               module_may_be_freed_first)
