/* tests/core/event_log.h - an observer that records its events.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_CORE_EVENT_LOG_H
#define TESTS_CORE_EVENT_LOG_H

#include "check_heed.h"

#include <stdatomic.h>
#include <stdio.h>

enum { MAX_EVENTS = 4096 };

typedef struct logged_event {
    heed_event_kind kind;
    char name[32], module[64], site[64], recorded_at[64];
    bool ended, fused, failed;
    int depth, n_inputs, n_outputs, n_returned, n_input_grads, n_grads;
    heed_shape shape; /* of the first input, or of the first result if there are no inputs */
    int64_t began, time, nested, multiply_adds;
} logged_event;

static struct {
    logged_event events[MAX_EVENTS];
    atomic_int n;
} log_;

static inline int count(heed_tensor *const *tensors, int n)
{
    int present = 0;
    for (int i = 0; tensors && i < n; i++)
        present += tensors[i] != NULL;
    return present;
}

static inline void note(const heed_event *event, bool ended)
{
    logged_event *t = &log_.events[atomic_fetch_add(&log_.n, 1) % MAX_EVENTS];
    const int n_inputs = event->call ? event->call->n_inputs : 0;
    *t = (logged_event){.kind = event->kind,
                        .ended = ended,
                        .fused = event->fused,
                        .failed = event->failed,
                        .depth = event->depth,
                        .n_inputs = n_inputs,
                        .n_outputs = event->n_outputs,
                        .n_returned = event->n_returned,
                        .n_grads = count(event->grads, event->n_outputs),
                        .n_input_grads = count(event->input_grads, n_inputs),
                        .began = event->began,
                        .time = event->ended - event->began,
                        .nested = event->nested,
                        .multiply_adds = event->multiply_adds};
    snprintf(t->name, sizeof t->name, "%s", event->name);
    snprintf(t->site, sizeof t->site, "%s", event->site ? event->site : "");
    snprintf(t->recorded_at, sizeof t->recorded_at, "%s", event->recorded_at ? event->recorded_at : "");
    snprintf(t->module, sizeof t->module, "%s", event->module_path);
    if (n_inputs > 0)
        t->shape = heed_call_shape(event->call, 0);
    else if (event->outputs)
        t->shape = heed_shape_of(event->outputs[0]);
}

static inline void note_began(const heed_event *event, void *user)
{
    (void)user;
    note(event, false);
}

static inline void note_ended(const heed_event *event, void *user)
{
    (void)user;
    note(event, true);
}

static inline int64_t watch(void)
{
    atomic_store(&log_.n, 0);
    int64_t id = heed_add_observer(&(heed_observer){.began = note_began, .ended = note_ended});
    ck_assert_int_gt(id, 0);
    return id;
}

/* Returns the number-th event of this kind and name: its end if `ended`, otherwise its begin. */
static inline const logged_event *event_of(heed_event_kind kind, const char *name, bool ended, int number)
{
    for (int i = 0; i < log_.n; i++) {
        const logged_event *t = &log_.events[i];
        if (t->kind == kind && t->ended == ended && strcmp(t->name, name) == 0 && number-- == 0)
            return t;
    }
    ck_abort_msg("the observer did not receive %s", name);
    return NULL;
}

#endif
