/* tests/core/test_computed.c - computed tensors: their values, gradients, elements and errors.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

static int calls;

static heed_tensor *exponential(void *x)
{
    calls++;
    return heed_exp(x);
}

static heed_tensor *itself(void *x)
{
    return x;
}

/* exp x, as a computed tensor whose own elements are 7. */
static heed_tensor *new_computed(heed_tensor *x)
{
    heed_tensor *t = heed_full(heed_dtype_of(x), heed_shape_of(x), 7);
    ck_assert_int_eq(heed_set_compute(t, exponential, x), HEED_OK);
    calls = 0;
    return t;
}

static heed_tensor *new_leaf(void)
{
    return heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 0, 1), true);
}

START_TEST(ops_read_the_value)
{
    heed_tensor *x = new_leaf(), *t = new_computed(x);
    heed_tensor *y = heed_mul(t, heed_mul_scalar(t, 3));
    ck_assert_int_eq(calls, 2);
    ck_assert_near(heed_get(y, HEED_INDEX(1)), 3 * exp(2.0), 1e-14);
    ck_assert_int_eq(heed_backward(heed_sum(y)), HEED_OK);
    ck_assert_near(heed_get(heed_grad_of(x), HEED_INDEX(1)), 6 * exp(2.0), 1e-13);
    ck_assert(!heed_has_grad(t));
}
END_TEST

/* The graph keeps the values of its forward pass. */
START_TEST(values_belong_to_their_graph)
{
    heed_tensor *x = new_leaf(), *t = new_computed(x), *y = heed_sum(heed_square(t)), *g, *h;
    ck_assert_int_eq(heed_grad(&y, 1, &x, 1, &g, &(heed_grad_options){.create_graph = true}), HEED_OK);
    ck_assert_int_eq(calls, 1);
    heed_tensor *sum = heed_sum(g);
    ck_assert_int_eq(heed_grad(&sum, 1, &x, 1, &h, NULL), HEED_OK);
    ck_assert_near(heed_get(h, HEED_INDEX(1)), 4 * exp(2.0), 1e-13);
    ck_assert_int_eq(calls, 1);
}
END_TEST

START_TEST(copies_have_the_value)
{
    heed_tensor *x = new_leaf(), *t = new_computed(x), *to = heed_zeros(HEED_F64, HEED_SHAPE(2));
    ck_assert_near(heed_get(heed_detach(t), HEED_INDEX(1)), exp(1.0), 1e-15);
    ck_assert(!heed_requires_grad(heed_detach(t)));
    ck_assert_near(heed_get(heed_contiguous(t), HEED_INDEX(1)), exp(1.0), 1e-15);
    ck_assert_near(heed_get(heed_to_dtype(t, HEED_F32), HEED_INDEX(1)), exp(1.0), 1e-6);
    ck_assert_near(heed_get(heed_reshape(t, HEED_SHAPE(2, 1)), HEED_INDEX(1, 0)), exp(1.0), 1e-15);
    ck_assert_int_eq(heed_copy_(to, t), HEED_OK);
    ck_assert_near(heed_get(to, HEED_INDEX(1)), exp(1.0), 1e-15);
    char text[100];
    ck_assert_uint_eq(heed_format(t, text, sizeof text), strlen(text));
    ck_assert_ptr_nonnull(strstr(text, "tensor([1.0000, 2.7183]"));
    heed_scope *quiet = heed_no_grad_begin();
    ck_assert(!heed_requires_grad(heed_mul(t, t)));
    heed_scope_end(quiet);
}
END_TEST

START_TEST(their_elements_are_out_of_reach)
{
    heed_tensor *x = new_leaf(), *t = new_computed(x);
    heed_scope *scope = heed_no_grad_begin();
    ck_assert_ptr_null(heed_data_f64(t));
    ck_assert_error(HEED_ERR_STATE, "data_f64: the tensor of shape (2) is computed from others at each use");
    ck_assert(isnan(heed_get(t, HEED_INDEX(0))));
    ck_assert_error(HEED_ERR_STATE, "get: the tensor");
    ck_assert_int_eq(heed_fill_(t, 1), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "fill_: the tensor");
    ck_assert_int_eq(heed_copy_(t, x), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "copy_: the tensor");
    ck_assert_ptr_null(heed_mutable_f64(t));
    ck_assert_error(HEED_ERR_STATE, "mutable_f64: the tensor");
    ck_assert_ptr_null(heed_set_requires_grad(t, false));
    ck_assert_error(HEED_ERR_STATE, "set_requires_grad: the tensor");
    ck_assert(!heed_is_leaf(t));
    ck_assert_ptr_null(heed_nn_parameter_list_new(&t, 1));
    ck_assert_error(HEED_ERR_STATE, "\"0\" is the result of a recorded op");
    heed_scope_end(scope);
}
END_TEST

START_TEST(ends)
{
    heed_tensor *x = new_leaf(), *t = new_computed(x);
    ck_assert_int_eq(heed_set_compute(t, NULL, NULL), HEED_OK);
    ck_assert(heed_is_leaf(t) && !heed_requires_grad(t));
    ck_assert(heed_get(t, HEED_INDEX(1)) == 7 && heed_get(heed_mul(t, t), HEED_INDEX(1)) == 49);
    ck_assert_int_eq(calls, 0);
}
END_TEST

static heed_tensor *nothing(void *user)
{
    (void)user;
    return NULL;
}

static heed_tensor *failing(void *user)
{
    (void)user;
    return heed_fail_null(HEED_ERR_IO, "weights", "no such file");
}

static heed_tensor *reading(void *t)
{
    return heed_square(t);
}

typedef struct mistake {
    heed_compute compute;
    heed_tensor *user; /* NULL: the tensor itself */
    heed_status status;
    const char *message;
} mistake;

START_TEST(functions_with_mistakes)
{
    heed_tensor *t = heed_ones(HEED_F64, HEED_SHAPE(2));
    const mistake mistakes[] = {
        {nothing, NULL, HEED_ERR_STATE, "mul: the function of a computed tensor of shape (2) returned NULL"},
        {failing, NULL, HEED_ERR_IO, "weights: no such file"},
        {itself, NULL, HEED_ERR_STATE, "mul: the tensor of shape (2) is computed"},
        {reading, NULL, HEED_ERR_STATE, "the function of a computed tensor of shape (2) reads this tensor"},
        {itself, heed_ones(HEED_F64, HEED_SHAPE(3)), HEED_ERR_SHAPE,
         "mul: the function of a computed tensor returned f64 (3): must be f64 (2)"},
        {itself, heed_ones(HEED_F32, HEED_SHAPE(2)), HEED_ERR_DTYPE, "returned f32 (2): must be f64 (2)"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const mistake *m = &mistakes[i];
        ck_assert_int_eq(heed_set_compute(t, m->compute, m->user ? m->user : t), HEED_OK);
        ck_assert_ptr_null(heed_mul(t, t));
        ck_assert_error(m->status, m->message);
    }
    ck_assert_int_eq(heed_set_compute(t, itself, heed_full(HEED_F64, HEED_SHAPE(2), 3)), HEED_OK);
    ck_assert_near(heed_item(heed_sum(heed_mul(t, t))), 18, 0);
}
END_TEST

START_TEST(tensors_that_cannot_be_computed)
{
    ck_assert_int_eq(heed_set_compute(NULL, itself, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "set_compute: the tensor is NULL");
    ck_assert_int_eq(heed_set_compute(heed_zeros(HEED_I64, HEED_SHAPE(2)), itself, NULL), HEED_ERR_DTYPE);
    ck_assert_error(HEED_ERR_DTYPE, "set_compute: the tensor is i64: must be f32 or f64");
    ck_assert_int_eq(heed_set_compute(heed_exp(new_leaf()), itself, NULL), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "set_compute: the tensor of shape (2) is the result of a recorded op");
}
END_TEST

/* Many inputs of one op; temporaries of the function do not stay. */
START_TEST(many_inputs)
{
    enum { MANY = 300 };
    heed_tensor *x = new_leaf(), *t = new_computed(x), *list[MANY];
    for (int i = 0; i < MANY; i++)
        list[i] = i % 2 ? t : x;
    heed_tensor *y = heed_concat(list, MANY, 0);
    ck_assert_int_eq(calls, MANY / 2);
    ck_assert_near(heed_item(heed_sum(y)), MANY / 2 * (1 + 1 + exp(1.0)), 1e-9);
    const int64_t before = heed_memory_get_stats().live_objects;
    heed_tensor *z = heed_mul(t, x);
    ck_assert_int_le(heed_memory_get_stats().live_objects - before, 4); /* z, the value, and their nodes */
    ck_assert_ptr_nonnull(z);
}
END_TEST

HEED_TEST_MAIN("computed tensors", ops_read_the_value, values_belong_to_their_graph, copies_have_the_value,
               their_elements_are_out_of_reach, ends, functions_with_mistakes, tensors_that_cannot_be_computed,
               many_inputs)
