/* tests/core/test_memory_report.c - tests of heed_memory_report: memory in use by line and by module, and its
 * owners.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define HEED_SITES
#include "check_heed.h"

static char text[1 << 16];

static const char *report(void)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(heed_memory_report(file), HEED_OK);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    return text;
}

/* Returns whether a line of the report begins with `start` and contains `rest` later. */
static bool has_line(const char *start, const char *rest)
{
    for (const char *at = text; (at = strstr(at, start)); at++) {
        const char *found = strstr(at, rest), *line_end = strchr(at, '\n');
        if (found && line_end && found <= line_end)
            return true;
    }
    return false;
}

/* "start ... FILE:line rest" */
#define ck_assert_line(start, line, rest)                                                                              \
    do {                                                                                                               \
        char expected[256];                                                                                            \
        snprintf(expected, sizeof expected, "%s:%d%s", __FILE__, (line), (rest));                                      \
        if (!has_line((start), expected))                                                                              \
            ck_abort_msg("no \"%s ... %s\" in\n%.3000s", (start), expected, text);                                     \
    } while (0)

START_TEST(without_debug_mode_the_totals)
{
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(1000));
    heed_memory_stats stats = heed_memory_get_stats();
    char first[64];
    snprintf(first, sizeof first, "%-12s in use, %lld blocks\n", "5.1 kB", (long long)stats.live_objects);
    ck_assert_int_eq(stats.live_bytes, 4608 + 512);
    ck_assert_msg(strncmp(report(), first, strlen(first)) == 0, "%.3000s", text);
    ck_assert_ptr_nonnull(strstr(text, "HEED_DEBUG=1"));
    ck_assert_ptr_null(strstr(text, "by line"));
    ck_assert_ptr_nonnull(t);
}
END_TEST

START_TEST(graphs_scopes_and_owners)
{
    heed_set_debug(true);
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(64, 64));
    const int line = __LINE__;
    heed_tensor *w = heed_set_requires_grad(heed_retain(heed_ones(HEED_F32, HEED_SHAPE(32, 64))), true);
    heed_scope *scope = heed_scope_begin();
    heed_tensor *y = heed_linear(x, w, NULL);
    heed_tensor *loss = heed_sum(heed_square(y));
    heed_tensor *kept = heed_retain(heed_zeros(HEED_F64, HEED_SHAPE(100)));
    ck_assert_int_eq(heed_backward_with(loss, &(heed_backward_options){.retain_graph = true}), HEED_OK);
    report();
    ck_assert_line("18.9 kB             2   ones at ", line - 1, "\n");
    ck_assert_line("f32 (64, 64), made by ones at ", line - 1, "\n");
    ck_assert_line("kept by the root scope, the graph of ", line + 3, " (linear)");
    ck_assert_line("f32 (64, 32), made by linear at ", line + 3, "\n");
    ck_assert_line("kept by a scope begun at ", line + 2, ", the graph of ");
    ck_assert_line("the graph of ", line + 4, " (square)");
    ck_assert_line("kept by the gradient of ", line + 1, " (ones)");
    heed_scope_end(scope);
    report();
    ck_assert_line("f64 (100), made by zeros at ", line + 5, "\n");
    ck_assert_msg(has_line("kept by a reference from", "heed_retain"), "%.3000s", text);
    ck_assert_ptr_null(strstr(text, "(64, 32)"));
    heed_release(kept);
    heed_release(w);
    heed_thread_cleanup();
    heed_set_debug(false);
}
END_TEST

START_TEST(modules_and_those_who_hold_tensors)
{
    heed_set_debug(true);
    heed_nn_linear *inner = heed_nn_linear_new(30, 40, NULL);
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(heed_nn_dropout_new(0.5), inner));
    heed_optimizer *o = heed_optim_adam(&net->base, NULL);
    heed_dataset *data = heed_dataset_new(HEED_TENSORS(heed_ones(HEED_F32, HEED_SHAPE(64, 30))));
    heed_tensor *batch[1];
    ck_assert_int_eq(heed_dataset_take(data, heed_arange(HEED_I64, 0, 64, 1), batch), HEED_OK);
    ck_assert_int_eq(heed_backward(heed_sum(heed_nn_sequential_forward(net, batch[0]))), HEED_OK);
    ck_assert_int_eq(heed_optimizer_step(o), HEED_OK);
    report();
    ck_assert_msg(has_line("kept by parameter or buffer sequential.1.weight", "\n"), "%.3000s", text);
    ck_assert_msg(has_line("kept by the gradient of sequential.1.weight", "\n"), "%.3000s", text);
    ck_assert_msg(has_line("kept by an optimizer's state", "\n"), "%.3000s", text);
    ck_assert_msg(has_line("kept by the root scope, a view of it in a dataset", "\n"), "%.3000s", text);
    const char *modules = strstr(text, "by module");
    ck_assert_ptr_nonnull(modules);
    ck_assert_ptr_nonnull(strstr(modules, "   sequential.1\n"));
    ck_assert_ptr_nonnull(strstr(modules, "   outside modules\n"));
    heed_tensor *weight = heed_retain(inner->weight);
    heed_optimizer_free(o);
    heed_dataset_free(data);
    heed_module_free(&net->base);
    report(); /* the module's name is freed with it */
    ck_assert_ptr_null(strstr(text, "kept by parameter"));
    heed_release(weight);
    heed_thread_cleanup();
    heed_set_debug(false);
}
END_TEST

START_TEST(a_file_that_accepts_no_bytes)
{
    ck_assert_int_eq(heed_memory_report(NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "memory_report: the file is NULL");
    FILE *full = fopen("/dev/full", "w");
    ck_assert_ptr_nonnull(full);
    ck_assert_int_eq(heed_memory_report(full), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "memory_report: cannot write to the file");
    (void)fclose(full);
}
END_TEST

HEED_TEST_MAIN("memory report", without_debug_mode_the_totals, graphs_scopes_and_owners,
               modules_and_those_who_hold_tensors, a_file_that_accepts_no_bytes)
