/* tests/promises/misuse/test_misuse_every_observer.c - every function of heed/observe.h and heed/inspect.h with
 * hostile arguments of every kind.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse_draw.h"

static void spoil(const heed_event *event, void *user)
{
    if (event->failed) /* its error would be cleared here */
        return;
    if (one_in(4)) {
        heed_fail(HEED_ERR_STATE, "spoil", "at times");
        return;
    }
    STATUS(heed_remove_observer(*(int64_t *)user));
    VALUE(heed_set_anomaly(any_flag()));
    VALUE(heed_profile_end(NULL));
}

static void observers(void)
{
    int64_t id = 0;
    heed_observer observer = {.began = any_flag() ? spoil : NULL, .ended = any_flag() ? spoil : NULL, .user = &id};
    id = heed_add_observer(one_in(4) ? NULL : &observer);
    ck_assert((id > 0) == (heed_error_code() == HEED_OK));
    judge_error("add_observer");
    POINTER(heed_exp(one_in(4) ? any_tensor() : drawn_from.animals[1]));
    STATUS(heed_remove_observer(one_in(3) ? id : any_count()));
    (void)heed_remove_observer(id);
    heed_error_clear();
}

static void spans(void)
{
    heed_span span = heed_span_begin(any_text());
    heed_span_end(one_in(4) ? NULL : &span);
    heed_span_end(&span);
}

static void anomalies(void)
{
    STATUS(heed_set_anomaly(any_flag()));
    POINTER(heed_log(any_tensor()));
    STATUS(heed_set_anomaly(false));
}

static heed_tensor *forward(heed_module *m, void *user)
{
    if (one_in(4))
        return NULL;
    return one_in(4) ? any_tensor() : heed_module_forward(m, user);
}

static heed_status stop_at_times(const char *path, heed_module *m, void *user)
{
    (void)path;
    (void)user;
    ck_assert_ptr_nonnull(m);
    return one_in(4) ? (heed_status)any_enum(HEED_ERR_FORMAT + 1) : HEED_OK;
}

static void summaries(void)
{
    static FILE *file;
    if (!file)
        file = tmpfile();
    rewind(file);
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(3, 2, NULL)));
    heed_module *some = one_in(4) ? NULL : &net->base;
    FILE *to = one_in(4) ? NULL : file;
    STATUS(heed_module_summary(some, any_tensor(), to));
    STATUS(heed_module_summary_with(some, one_in(4) ? NULL : forward, one_in(3) ? NULL : any_tensor(), to));
    STATUS(heed_module_summary_with(some, forward, any_tensor(), to));
    heed_status status = heed_module_walk_modules(some, one_in(4) ? NULL : stop_at_times, any_flag() ? net : NULL);
    ck_assert(heed_error_code() == HEED_OK || heed_error_code() == status);
    judge_error("module_walk_modules");
    STATUS(heed_explain(any_tensor(), to));
    VALUE(heed_storage_of(any_tensor()).address);
    ck_assert_int_eq(heed_module_free(&net->base), HEED_OK);
}

static void profiles(void)
{
    static const char *const paths[] = {NULL, "", "/", "/no/such/folder/trace", "/dev/null", ".", "\xff/\xff"};
    const heed_profile_options options = {.memory = one_in(3) ? 1 << 16 : any_count()};
    const char *path = ANY_OF(paths);
    STATUS(heed_profile_begin(path, one_in(8) ? NULL : &options));
    STATUS(heed_profile_begin(path, one_in(8) ? NULL : &options));
    (void)heed_exp(drawn_from.animals[1]);
    static FILE *file;
    if (!file)
        file = tmpfile();
    rewind(file);
    STATUS(heed_profile_end(one_in(4) ? NULL : file));
    STATUS(heed_profile_end(NULL));
}

ROUNDS_OF(observers)
ROUNDS_OF(spans)
ROUNDS_OF(anomalies)
ROUNDS_OF(summaries)
ROUNDS_OF(profiles)

MISUSE_MAIN("every observer misused", rounds_of_observers, rounds_of_spans, rounds_of_anomalies, rounds_of_summaries,
            rounds_of_profiles)
