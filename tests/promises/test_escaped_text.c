/* tests/promises/test_escaped_text.c - no text of a file or of a program puts characters that control a terminal
 * into a message, a report or a plot in text: every function that writes for people gets such names.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "from_memory.h"

#include <stdio.h>
#include <stdlib.h>

#include <heed/debug.h>
#include <heed/inspect.h>
#include <heed/observe.h>

#include "../src/base/escape.h"

static const char *const hostile[] = {"a\x1b[2Jb",  "a\x07z",         "a\x7fz",         "a\302\23331mz",
                                      "a\xc2\x85z", "a\xe2\x80\xaez", "a\xe2\x80\xa8z", "a\xe2\x81\xa6z",
                                      "a\xd8\x9cz", "a\xe2\x80\x8fz", "a\nz\r\t"};
enum { HOSTILE = sizeof hostile / sizeof hostile[0] };

/* Checks that the text is not escaped, except for its line ends if `lines`. */
static void check_shown(const char *what, const char *text, bool lines)
{
    for (size_t at = 0, size = strlen(text); at < size;) {
        const heed__escape_piece p = heed__escape_next(text + at, size - at);
        ck_assert_msg(!p.escaped || (lines && text[at] == '\n'), "%s shows %s", what, p.s);
        at += p.consumed;
    }
}

static void check_message(const char *what)
{
    ck_assert_msg(heed_error_code() != HEED_OK, "%s", what);
    check_shown(what, heed_error_message(), false);
    heed_error_clear();
}

/* -- Messages ------------------------------------------------------------------------------------------------------ */

static void csv_errors(const char *name)
{
    char text[128];
    (void)snprintf(text, sizeof text, "\"%s\",b\n\"%s\",2\n", name, name);
    heed_io_csv *csv = csv_from_memory(text, strlen(text), NULL);
    ck_assert_ptr_nonnull(csv);
    ck_assert_ptr_null(heed_io_csv_column(csv, name, HEED_F64));
    check_message("a field");
    ck_assert_ptr_null(heed_io_csv_column(csv, "c", HEED_F64));
    check_message("a list of names");
    ck_assert_ptr_null(heed_io_csv_dates(csv, name, HEED_IO_DAYS, HEED_F64));
    check_message("a date");
    heed_io_csv_free(csv);
}

START_TEST(messages)
{
    for (int i = 0; i < HOSTILE; i++) {
        const char *name = hostile[i];
        csv_errors(name);
        heed_dict *dict = heed_dict_new(), *none = heed_dict_new();
        heed_dict_set(dict, name, heed_ones(HEED_F32, HEED_SHAPE(1)));
        ck_assert_int_eq(heed_dict_load(none, dict, NULL), HEED_ERR_ARGUMENT);
        check_message("a dict");
        ck_assert_ptr_null(heed_dict_get(none, name));
        check_message("a name that is asked for");
        ck_assert_ptr_null(heed_io_npy_read(name, NULL));
        check_message("a path");
        ck_assert_int_eq(heed_io_safetensors_write("/nowhere/\x1b\xc2\x9b", dict), HEED_ERR_IO);
        check_message("a path to write");
        heed_fail(HEED_ERR_IO, name, "%s", name);
        check_message("a message of the program's own");
        heed_dict_free(dict);
        heed_dict_free(none);
    }
}
END_TEST

/* A path in Latin-1, of which only the end is shown: 0xE4 is not UTF-8. */
START_TEST(paths)
{
    char path[400];
    memset(path, '\xe4', sizeof path);
    path[sizeof path - 1] = '\0';
    ck_assert_ptr_null(heed_io_npy_read(path, NULL));
    ck_assert_ptr_nonnull(strstr(heed_error_message(), " ...\\xe4\\xe4"));
    check_message("a path that is cut");
}
END_TEST

/* -- Reports ------------------------------------------------------------------------------------------------------- */

static heed_tensor *run_op(heed_module *m, heed_tensor *x)
{
    return heed_apply(*(const heed_op **)(m + 1), &x, 1, NULL);
}

static bool infer(const heed_call *call, heed_meta *out)
{
    *out = (heed_meta){heed_dtype_of(call->inputs[0]), heed_shape_of(call->inputs[0])};
    return true;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    return heed_copy_(out[0], call->inputs[0]) == HEED_OK;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)call;
    dx[0] = g[0];
}

typedef struct report {
    FILE *file;
    char *text;
    size_t size;
} report;

static void begin(report *r)
{
    r->file = open_memstream(&r->text, &r->size);
    ck_assert_ptr_nonnull(r->file);
}

static void end(report *r, const char *what)
{
    ck_assert_int_eq(fclose(r->file), 0);
    ck_assert_msg(heed_error_code() == HEED_OK, "%s: %s", what, heed_error_message());
    check_shown(what, r->text, true);
    ck_assert_msg(strstr(r->text, "\\") != NULL, "%s does not name it: %s", what, r->text);
    free(r->text);
}

/* A module, an op and a parameter of that name. */
static void report_all(const char *name)
{
    report r;
    const heed_op op = {
        .name = name, .n_inputs = 1, .n_outputs = 1, .infer = infer, .forward = forward, .backward = backward};
    heed_module *m = heed_module_new(name, sizeof *m + sizeof(const heed_op *));
    *(const heed_op **)(m + 1) = &op;
    m->forward = run_op;
    heed_tensor *w = heed_module_parameter(m, "w", heed_ones(HEED_F32, HEED_SHAPE(2)));
    begin(&r);
    (void)heed_module_summary(m, heed_ones(HEED_F32, HEED_SHAPE(2)), r.file);
    end(&r, "the summary");
    ck_assert_int_eq(heed_profile_begin(NULL, NULL), HEED_OK);
    heed_span span = heed_span_begin(name);
    heed_tensor *y = heed_module_forward(m, w);
    heed_span_end(&span);
    begin(&r);
    (void)heed_profile_end(r.file);
    end(&r, "the profile");
    begin(&r);
    (void)heed_explain(y, r.file);
    end(&r, "explain");
    begin(&r);
    ck_assert_int_eq(heed_graph_dot(y, r.file), HEED_OK);
    end(&r, "the graph");
    ck_assert_ptr_null(heed_apply(&op, NULL, 1, NULL));
    check_message("an op");
    heed_module_free(m);
}

START_TEST(reports)
{
    for (int i = 0; i < HOSTILE; i++) {
        heed_scope *scope = heed_scope_begin();
        report_all(hostile[i]);
        heed_scope_end(scope);
    }
}
END_TEST

static void on_message(const char *message, void *user)
{
    ++*(int *)user;
    check_shown("a notice", message, false);
}

/* The debug mode's records of memory, and its messages. */
START_TEST(memory)
{
    for (int i = 0; i < HOSTILE; i++) {
        report r;
        int notices = 0;
        (void)heed_set_debug(true);
        heed_set_notice_handler(on_message, &notices);
        heed_scope *scope = heed_scope_begin();
        heed_module *m = heed_module_new(hostile[i], sizeof *m);
        heed_tensor *w = heed_module_parameter(m, "w", heed_ones(HEED_F32, HEED_SHAPE(2)));
        heed_debug_set_owner(w, m, hostile[i]);
        begin(&r);
        (void)heed_memory_report(r.file);
        end(&r, "the memory report");
        heed_module_free(m);
        heed_scope_end(scope);
        heed_set_notice_handler(NULL, NULL);
        (void)heed_set_debug(false);
    }
}
END_TEST

START_TEST(plots_and_progress)
{
    for (int i = 0; i < HOSTILE; i++) {
        report r;
        heed_plot_series s = {.y = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, 2), .label = hostile[i]};
        begin(&r);
        (void)heed_plot_text(
            &s, 1, r.file, &(heed_plot_text_options){.title = hostile[i], .xlabel = hostile[i], .ylabel = hostile[i]});
        end(&r, "a plot");
        begin(&r);
        heed_progress *p = heed_progress_new(r.file, &(heed_progress_options){.steps = 1, .unit = hostile[i]});
        ck_assert_int_eq(heed_progress_step(p, 0.5, 1), HEED_OK);
        heed_progress_free(p);
        ck_assert_int_eq(fclose(r.file), 0);
        check_shown("a progress", r.text, true);
        free(r.text);
    }
}
END_TEST

HEED_TEST_MAIN("text of files and programs", messages, paths, reports, memory, plots_and_progress)
