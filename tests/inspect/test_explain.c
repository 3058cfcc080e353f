/* tests/inspect/test_explain.c - tests the description of a tensor by heed_explain.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define HEED_SITES
#include "text.h"

static const char *explain(const heed_tensor *t)
{
    FILE *file = text_file();
    ck_assert_int_eq(heed_explain(t, file), HEED_OK);
    return read_back(file);
}

/* "FILE:line" */
static const char *line_text(int line)
{
    static char text[8][128];
    static int next;
    char *at = text[next++ % 8];
    snprintf(at, sizeof text[0], "%s:%d", __FILE__, line);
    return at;
}

START_TEST(a_plain_tensor)
{
    heed_tensor *t = heed_zeros(HEED_F32, HEED_SHAPE(2, 3));
    ck_assert_str_eq(explain(t), "f32 (2, 3): 6 elements, strides (3, 1), contiguous\n"
                                 "storage: 24 bytes, its own; never written in place\n"
                                 "gradient: not required: no input required one, or recording was off\n");
}
END_TEST

START_TEST(a_view_and_writes)
{
    heed_tensor *t = heed_zeros(HEED_F64, HEED_SHAPE(4, 3));
    heed_fill_(t, 1);
    heed_fill_(t, 2);
    heed_tensor *view = heed_transpose(heed_slice(t, 0, 1, 3, 1), 0, 1);
    ck_assert_lines(explain(view), "f64 (3, 2): 6 elements, strides (1, 3)\n",
                    "storage: 96 bytes, created for a different tensor; this one is a view from element 3 on",
                    "; written in place (2)\n");
    ck_assert_lines(explain(t), "strides (3, 1), contiguous\n", "storage: 96 bytes, its own, with 2 more owners");
}
END_TEST

START_TEST(a_leaf_and_its_grad)
{
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SCALAR), true);
    ck_assert_lines(explain(x), "f32 (): 1 element, strides ()",
                    "gradient: required of this leaf by heed_set_requires_grad", ".grad is not set yet\n");
    ck_assert_int_eq(heed_backward(heed_square(x)), HEED_OK);
    ck_assert_lines(explain(x), ".grad is set\n");
}
END_TEST

START_TEST(a_result_names_its_ops_and_lines)
{
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2, 3)), true);
    heed_tensor *y = heed_exp(x);
    const int first = __LINE__ - 1;
    heed_tensor *z = heed_mul(y, heed_add(y, heed_ones(HEED_F32, HEED_SHAPE(3))));
    const int second = __LINE__ - 1;
    char text[1024];
    snprintf(text, sizeof text,
             "gradient: required, because an input requires one\n"
             "computed by\n"
             "  mul returned f32 (2, 3), recorded at %s\n"
             "    exp returned f32 (2, 3), recorded at %s\n"
             "      leaf f32 (2, 3)\n"
             "    add returned f32 (2, 3), recorded at %s\n"
             "      exp returned f32 (2, 3), recorded at %s: shown above\n"
             "      f32 (3), requires no gradient\n",
             line_text(second), line_text(first), line_text(second), line_text(first));
    const char *explanation = strstr(explain(z), "gradient:");
    ck_assert_ptr_nonnull(explanation);
    ck_assert_str_eq(explanation, text);
    ck_assert_int_eq(heed_backward(heed_sum(z)), HEED_OK);
    ck_assert_lines(explain(z), "computed by\n  mul returned f32 (2, 3), recorded at ", ": freed by a backward pass\n");
}
END_TEST

static void nothing(const heed_event *event, void *user)
{
    (void)event;
    (void)user;
}

START_TEST(modules_are_named_while_observed)
{
    int64_t id = heed_add_observer(&(heed_observer){.ended = nothing});
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(3, 2, NULL)));
    heed_tensor *y = heed_module_forward(&net->base, heed_ones(HEED_F32, HEED_SHAPE(1, 3)));
    const int line = __LINE__ - 1;
    heed_remove_observer(id);
    char text[256];
    snprintf(text, sizeof text, "  linear returned f32 (1, 2), recorded at %s in sequential.0\n", line_text(line));
    ck_assert_lines(explain(y), text, "    f32 (1, 3), requires no gradient\n    leaf f32 (2, 3)\n");
    heed_module_free(&net->base);
}
END_TEST

START_TEST(deep_and_wide_graphs_are_cut)
{
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SCALAR), true), *y = x;
    for (int i = 0; i < 1000; i++)
        y = heed_tanh(y);
    const char *explanation = explain(y);
    ck_assert_lines(explanation, "                tanh returned f32 ()", ": ...\n");
    ck_assert_ptr_null(strstr(explanation, "leaf f32"));
    heed_tensor *many[200];
    for (int i = 0; i < 200; i++)
        many[i] = heed_unsqueeze(heed_sin(x), 0);
    explanation = explain(heed_concat(many, 200, 0));
    ck_assert_lines(explanation, "concat returned f32 (200)", "  ... (at most 64 lines)\n");
    int lines = 0;
    for (const char *at = strstr(explanation, "computed by"); at; at = strchr(at + 1, '\n'))
        lines++;
    ck_assert_int_le(lines, 64 + 4);
}
END_TEST

START_TEST(invalid_arguments_of_explain)
{
    FILE *file = text_file();
    ck_assert_int_eq(heed_explain(NULL, file), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "explain: the tensor is NULL");
    heed_tensor *t = heed_ones(HEED_F32, HEED_SCALAR);
    ck_assert_int_eq(heed_explain(t, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "explain: the file is NULL");
    fclose(file);
    FILE *full = fopen("/dev/full", "w");
    if (full) {
        ck_assert_int_eq(heed_explain(t, full), HEED_ERR_IO);
        ck_assert_error(HEED_ERR_IO, "explain: cannot write to the file");
        fclose(full);
    }
}
END_TEST

START_TEST(storage_is_shared_by_views)
{
    heed_tensor *t = heed_zeros(HEED_F32, HEED_SHAPE(4)), *other = heed_zeros(HEED_F32, HEED_SHAPE(4));
    const heed_storage of_t = heed_storage_of(t), of_view = heed_storage_of(heed_slice(t, 0, 2, 4, 1));
    ck_assert_uint_eq(of_t.bytes, 16);
    ck_assert_ptr_eq(of_t.address, heed_data_f32(t));
    ck_assert_ptr_eq(of_view.address, of_t.address);
    ck_assert_uint_eq(of_view.bytes, 16);
    ck_assert_ptr_ne(heed_storage_of(other).address, of_t.address);
    ck_assert_int_eq(of_t.version, 0);
    heed_fill_(heed_slice(t, 0, 2, 4, 1), 1);
    ck_assert_int_eq(heed_storage_of(t).version, 1);
    ck_assert_ptr_null(heed_storage_of(NULL).address);
    ck_assert_error(HEED_ERR_ARGUMENT, "storage_of: the tensor is NULL");
}
END_TEST

HEED_TEST_MAIN("explain", a_plain_tensor, a_view_and_writes, a_leaf_and_its_grad, a_result_names_its_ops_and_lines,
               modules_are_named_while_observed, deep_and_wide_graphs_are_cut, invalid_arguments_of_explain,
               storage_is_shared_by_views)
