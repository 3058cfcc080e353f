/* tests/inspect/test_profile.c - tests of profiles: the trace as viewers read it, the table, limits, threads.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define HEED_SITES
#include "text.h"

#include <pthread.h>
#include <unistd.h>

#include <jansson.h>

static char folder[] = "/tmp/heed-profile-XXXXXX", path[64];

static void make_folder(void)
{
    heed_test_setup();
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/trace.json", folder);
}

static void remove_folder(void)
{
    (void)unlink(path);
    ck_assert_int_eq(rmdir(folder), 0); /* all temporary files are gone */
    heed_test_teardown();
}

static json_t *read_trace(void)
{
    json_error_t error;
    json_t *trace = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(json_is_array(trace), "%d: %s", error.line, error.text);
    return trace;
}

static const char *text_of(const json_t *event, const char *key)
{
    const char *text = json_string_value(json_object_get(event, key));
    return text ? text : "";
}

/* Returns the number-th event of this name and category. */
static json_t *event_of(const json_t *trace, const char *name, const char *category, int number)
{
    size_t i;
    json_t *event;
    json_array_foreach(trace, i, event)
    {
        if (strcmp(text_of(event, "name"), name) == 0 && strcmp(text_of(event, "cat"), category) == 0 && number-- == 0)
            return event;
    }
    ck_abort_msg("there is no %s event %s", category, name);
    return NULL;
}

static double number_of(const json_t *event, const char *key)
{
    const json_t *value = json_object_get(event, key);
    ck_assert(json_is_number(value));
    return json_number_value(value);
}

/* Checks the fields that the trace format requires in every event. */
static void check_form(const json_t *trace)
{
    size_t i;
    json_t *event;
    json_array_foreach(trace, i, event)
    {
        ck_assert(json_is_object(event) && *text_of(event, "name"));
        ck_assert_int_eq((int)number_of(event, "pid"), (int)getpid());
        ck_assert(json_is_integer(json_object_get(event, "tid")));
        const char *phase = text_of(event, "ph");
        if (strcmp(phase, "X") == 0)
            ck_assert(number_of(event, "ts") >= -1 && number_of(event, "dur") >= 0);
        else
            ck_assert_str_eq(phase, "M");
    }
}

static bool holds(const json_t *outer, const json_t *inner)
{
    const double begin = number_of(outer, "ts"), end = begin + number_of(outer, "dur"), slack = 0.01;
    return number_of(inner, "ts") >= begin - slack && number_of(inner, "ts") + number_of(inner, "dur") <= end + slack;
}

static void train(heed_module *net, heed_tensor *x)
{
    HEED_SPAN("training");
    heed_scope *step = heed_scope_begin();
    ck_assert_int_eq(heed_backward(heed_sum(heed_module_forward(net, x))), HEED_OK);
    heed_scope_end(step);
}

static heed_nn_sequential *new_net(void)
{
    return heed_nn_sequential_new(
        HEED_MODULES(heed_nn_linear_new(3, 8, NULL), heed_nn_function_new("tanh", heed_tanh)));
}

START_TEST(viewers_read_a_trace)
{
    heed_nn_sequential *net = new_net();
    ck_assert_int_eq(heed_profile_begin(path, NULL), HEED_OK);
    train(&net->base, heed_ones(HEED_F32, HEED_SHAPE(2, 3)));
    ck_assert_int_eq(access(path, F_OK), -1);
    ck_assert_int_eq(heed_profile_end(NULL), HEED_OK);
    json_t *trace = read_trace();
    check_form(trace);
    const json_t *span = event_of(trace, "training", "span", 0), *pass = event_of(trace, "backward", "span", 0);
    const json_t *op = event_of(trace, "linear", "forward", 0),
                 *rule = event_of(trace, "linear backward", "backward", 0);
    ck_assert(holds(span, pass) && holds(pass, rule) && holds(span, op) && !holds(pass, op));
    ck_assert(holds(event_of(trace, "sequential.0", "module", 0), op));
    const json_t *args = json_object_get(span, "args");
    ck_assert_ptr_nonnull(strstr(text_of(args, "line"), "test_profile.c:"));
    args = json_object_get(op, "args");
    ck_assert_str_eq(text_of(args, "module"), "sequential.0");
    ck_assert_ptr_nonnull(strstr(text_of(args, "line"), "test_profile.c:"));
    ck_assert_int_eq((int)number_of(args, "multiply-adds"), 48);
    const json_t *inputs = json_object_get(args, "inputs");
    ck_assert_uint_eq(json_array_size(inputs), 3);
    ck_assert_str_eq(json_string_value(json_array_get(inputs, 1)), "f32 (8, 3)");
    ck_assert_str_eq(json_string_value(json_array_get(json_object_get(args, "outputs"), 0)), "f32 (2, 8)");
    args = json_object_get(rule, "args");
    ck_assert_str_eq(text_of(args, "module"), "sequential.0");
    ck_assert_ptr_nonnull(strstr(text_of(args, "recorded at"), "test_profile.c:"));
    ck_assert_str_eq(json_string_value(json_array_get(json_object_get(args, "inputs"), 2)), "f32 (8)");
    json_decref(trace);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(a_table_adds_up)
{
    heed_nn_sequential *net = new_net();
    FILE *file = text_file();
    ck_assert_int_eq(heed_profile_begin(NULL, NULL), HEED_OK);
    for (int i = 0; i < 3; i++)
        train(&net->base, heed_ones(HEED_F32, HEED_SHAPE(2, 3)));
    ck_assert_int_eq(heed_profile_end(file), HEED_OK);
    char *text = (char *)(uintptr_t)read_back(file);
    ck_assert_lines(text, "op  ", "calls", "total ms", "self ms", "share", "GFLOP/s\n", " ms in total");
    double shares = 0, self = 0, last = (double)INFINITY;
    int rows = 0;
    for (char *line = strchr(text, '\n') + 1; strstr(line, "%"); line = strchr(line, '\n') + 1) {
        char name[64], rate[32];
        int calls;
        double total, own, share;
        ck_assert_int_eq(sscanf(line, "%43c %d %lf %lf %lf %% %31s", name, &calls, &total, &own, &share, rate), 6);
        ck_assert(own <= total && own <= last);
        ck_assert_int_eq(calls, strncmp(name, "add ", 4) == 0 ? 4 : 3); /* the first gradients need no add */
        ck_assert((rate[0] != '-') == (strncmp(name, "linear", 6) == 0));
        last = own;
        shares += share;
        self += own;
        rows++;
    }
    ck_assert_int_ge(rows, 8);
    ck_assert_near(shares, 100, 0.1 * rows);
    double all = 0, passed = 0;
    const char *sums = strstr(text, " ms in these rows");
    ck_assert_ptr_nonnull(sums);
    while (sums[-1] != '\n')
        sums--;
    ck_assert_int_eq(sscanf(sums, "%lf ms in these rows, of %lf ms in total", &all, &passed), 2);
    ck_assert_near(self, all, 0.001 * rows);
    ck_assert(all <= passed);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(dropped_events_are_counted)
{
    heed_tensor *x = heed_ones(HEED_F32, HEED_SCALAR);
    FILE *file = text_file();
    ck_assert_int_eq(heed_profile_begin(path, &(heed_profile_options){.memory = 1 << 17}), HEED_OK);
    for (int i = 0; i < 5000; i++) {
        heed_scope *scope = heed_scope_begin();
        ck_assert_ptr_nonnull(heed_exp(x));
        heed_scope_end(scope);
    }
    ck_assert_int_eq(heed_profile_end(file), HEED_OK);
    json_t *trace = read_trace(), *event;
    check_form(trace);
    int events = 0, dropped = 0;
    size_t i;
    json_array_foreach(trace, i, event)
    {
        events += strcmp(text_of(event, "ph"), "X") == 0;
        if (strcmp(text_of(event, "name"), "process_labels") == 0)
            dropped = atoi(text_of(json_object_get(event, "args"), "labels"));
    }
    ck_assert_int_gt(events, 500);
    ck_assert_int_eq(events + dropped, 5000);
    char line[64];
    snprintf(line, sizeof line, "%d events dropped", dropped);
    ck_assert_lines(read_back(file), line);
    json_decref(trace);
}
END_TEST

static void *compute(void *unused)
{
    (void)unused;
    for (int i = 0; i < 100; i++)
        ck_assert_ptr_nonnull(heed_exp(heed_ones(HEED_F32, HEED_SHAPE(3))));
    return NULL;
}

START_TEST(threads_have_lines_of_their_own)
{
    for (int run = 0; run < 2; run++) {
        ck_assert_int_eq(heed_profile_begin(path, NULL), HEED_OK);
        pthread_t threads[3];
        for (int i = 0; i < 3; i++)
            pthread_create(&threads[i], NULL, compute, NULL);
        compute(NULL);
        for (int i = 0; i < 3; i++)
            pthread_join(threads[i], NULL);
        ck_assert_int_eq(heed_profile_end(NULL), HEED_OK);
        json_t *trace = read_trace(), *event;
        check_form(trace);
        int of[64] = {0}, names = 0, used = 0;
        size_t i;
        json_array_foreach(trace, i, event)
        {
            names += strcmp(text_of(event, "name"), "thread_name") == 0;
            if (strcmp(text_of(event, "cat"), "forward") == 0)
                of[(int)number_of(event, "tid") % 64]++;
        }
        for (int t = 0; t < 64; t++) {
            ck_assert(of[t] == 0 || of[t] == 100);
            used += of[t] > 0;
        }
        ck_assert_int_eq(used, 4);
        ck_assert_int_ge(names, 4);
        json_decref(trace);
    }
}
END_TEST

static bool odd_infer(const heed_call *call, heed_meta *out)
{
    (void)call;
    *out = (heed_meta){HEED_F32, HEED_SCALAR};
    return true;
}

static bool odd_forward(const heed_call *call, heed_tensor *const *out)
{
    return call && heed_fill_(out[0], 1) == HEED_OK;
}

static const heed_op odd = {
    .name = "\xff \"quoted\" \xc3\xa4", .max_inputs = 20, .n_outputs = 1, .infer = odd_infer, .forward = odd_forward};

START_TEST(odd_names_and_many_inputs)
{
    heed_tensor *inputs[20];
    for (int i = 0; i < 20; i++)
        inputs[i] = heed_ones(HEED_F32, HEED_SHAPE(1, 1, 1, 1, 1, 1, 1, 1));
    ck_assert_int_eq(heed_profile_begin(path, NULL), HEED_OK);
    ck_assert_ptr_nonnull(heed_apply(&odd, inputs, 20, NULL));
    ck_assert_ptr_nonnull(heed_apply(&odd, NULL, 0, NULL));
    ck_assert_int_eq(heed_profile_end(NULL), HEED_OK);
    json_t *trace = read_trace();
    const json_t *event = event_of(trace, "? \"quoted\" \xc3\xa4", "forward", 0),
                 *args = json_object_get(event, "args");
    ck_assert_uint_eq(json_array_size(json_object_get(args, "inputs")), 8);
    ck_assert(json_is_true(json_object_get(args, "more inputs")));
    json_decref(trace);
}
END_TEST

START_TEST(failures)
{
    ck_assert_int_eq(heed_profile_end(NULL), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "profile_end: no profile is running");
    ck_assert_int_eq(heed_profile_begin(path, &(heed_profile_options){.memory = -1}), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "profile_begin: memory is -1 bytes: must be 65536 or more");
    ck_assert_int_eq(heed_profile_begin("/no/such/folder/trace.json", NULL), HEED_OK);
    ck_assert_int_eq(heed_profile_begin(path, NULL), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "profile_begin: a profile is running");
    FILE *file = text_file();
    ck_assert_int_eq(heed_profile_end(file), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "profile_end: cannot open the folder of /no/such/folder/trace.json: No such file");
    ck_assert_lines(read_back(file), "op  ", "0.000 ms in these rows");
    ck_assert_int_eq(heed_profile_end(NULL), HEED_ERR_STATE);
    heed_error_clear();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {viewers_read_a_trace,       a_table_adds_up,
                                  dropped_events_are_counted, threads_have_lines_of_their_own,
                                  odd_names_and_many_inputs,  failures};
    TCase *tcase = tcase_create("profile");
    tcase_add_checked_fixture(tcase, make_folder, remove_folder);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(tcase, tests[i]);
    return heed_run_case("profile", tcase);
}
