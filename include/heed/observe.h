/* heed/observe.h - observers, which are called for every op, gradient rule and module forward, and for spans that the
 * program names. heed/inspect.h is built on them, and your own tools can be too.
 *
 *     static void count(const heed_event *event, void *user)
 *     {
 *         if (event->kind == HEED_EVENT_FORWARD)
 *             atomic_fetch_add((atomic_int *)user, 1);
 *     }
 *     ...
 *     int64_t id = heed_add_observer(&(heed_observer){.ended = count, .user = &ops});
 *     train();
 *     heed_remove_observer(id);
 *
 * Observers are called for the work of all threads, in the thread that does the work, so several threads may be in an
 * observer's functions at once. Computations in these functions are neither observed nor recorded, and tensors that
 * they create are released when they return. Without observers, the cost per op is one predictable branch.
 *
 * Stability: experimental
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OBSERVE_H
#define HEED_OBSERVE_H

#include <heed/module.h>
#include <heed/op.h>

HEED_BEGIN_DECLS

/* -- Spans --------------------------------------------------------------------------------------------------------- */

/* A running span; all fields are private. */
typedef struct heed_span {
    const char *name, *site;
    int64_t began, nested;
} heed_span;

/* Begins a span that ends with the enclosing block, on any path: HEED_SPAN("validation"). Use it once per block.
 * With compilers other than gcc and clang it does nothing.
 * torch: torch.profiler.record_function */
#if defined(__GNUC__)
#define HEED_SPAN(name) heed_span heed_spanned __attribute__((cleanup(heed_span_end), unused)) = heed_span_begin(name)
#else
#define HEED_SPAN(name) (void)(name)
#endif

/* Begins a span, a named interval of the calling thread's work that observers receive and profiles show:
 *
 *     heed_span span = heed_span_begin("validation");
 *     ...
 *     heed_span_end(&span);
 *
 * `name` must remain valid as long as the observers. Without observers, or with a NULL name, the call has no effect.
 * torch: torch.profiler.record_function */
HEED_API heed_span heed_span_begin(const char *name);

/* Ends a span. Spans of a thread must end in the reverse order of their beginning. NULL and ended spans are ignored. */
HEED_API void heed_span_end(heed_span *span);

/* -- Observers ----------------------------------------------------------------------------------------------------- */

typedef enum heed_event_kind {
    HEED_EVENT_FORWARD,  /* an op is applied */
    HEED_EVENT_BACKWARD, /* an op's gradient rule is applied */
    HEED_EVENT_MODULE,   /* a module's forward */
    HEED_EVENT_SPAN,     /* between heed_span_begin and heed_span_end, such as an optimizer's step */
    HEED_EVENT_TASK,     /* a thread of the library's pool computes a part of an op or a span */
} heed_event_kind;

/* The argument of an observer's functions. Valid during the call; fields that do not apply to its kind are NULL or
 * 0. */
typedef struct heed_event {
    heed_event_kind kind;
    const char *name; /* name of the op or span, or the module's type. Not copied: valid while the op exists */

    /* FORWARD and BACKWARD: the op, its params and inputs, for heed_call_shape and similar functions. In BACKWARD an
     * input that was not saved is NULL. */
    const heed_call *call;
    int n_outputs;
    int n_returned;                  /* the number of outputs that the caller receives: 1 for heed_apply */
    heed_tensor *const *outputs;     /* FORWARD: results, at the end; MODULE: one result, if heed_module_forward ran it;
                                        BACKWARD: results, NULL unless saved */
    heed_tensor *const *grads;       /* BACKWARD: gradients of the outputs; NULL if an output received no gradient */
    heed_tensor *const *input_grads; /* BACKWARD, at the end: gradients of the inputs; NULL if not requested. A gradient
                                        may have a shape that the input's shape broadcasts to */
    bool fused;                      /* BACKWARD: true if heed_op.backward_fused computes it */
    bool failed;                     /* at the end: true if an error occurred and there is no result */
    int depth;                       /* number of ops and gradient rules that enclose the event in this thread */
    const char *site;                /* the line of the program's call, "train.c:42" (heed/site.h) */
    const char *recorded_at;         /* BACKWARD: the line that recorded the op */
    const heed_module *module;       /* the module whose forward runs; MODULE: the module itself */
    const char *module_path;         /* its path, "transformer.encoder.3", or "" outside of modules; BACKWARD: the path
                                        of the module that recorded the op, if observers were installed then */
    int64_t multiply_adds;           /* FORWARD and fused BACKWARD: as the op counts them (heed_op.multiply_adds). The
                                        ops that an unfused gradient rule applies are events themselves. A multiply-add
                                        is two floating-point operations. INT64_MAX for counts near 2^63, which only
                                        expanded views reach */
    int64_t began, ended;            /* nanoseconds of CLOCK_MONOTONIC */
    int64_t nested;                  /* nanoseconds of nested ops, rules and spans */
} heed_event;

/* An observer: functions that are called at the beginning and end of every event; either may be NULL. An error that a
 * function leaves pending fails the op or the rule. At the end of a module or a span it stays pending; in a task it is
 * dropped. */
typedef struct heed_observer {
    void (*began)(const heed_event *event, void *user); /* at the beginning: no outputs, no input_grads */
    void (*ended)(const heed_event *event, void *user); /* at the end, also after a failure */
    void *user;
    HEED_RESERVED;
} heed_observer;

/* The maximum number of observers at once. */
#define HEED_MAX_OBSERVERS 16

/* Adds an observer, which is copied, to the process's observers; they are called in no particular order.
 * For events that are already running in other threads, either only the end is reported or nothing.
 *
 * Returns an id above 0 for heed_remove_observer, or 0 on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL and if both functions are NULL, HEED_ERR_STATE if HEED_MAX_OBSERVERS are already
 * installed. */
HEED_API int64_t heed_add_observer(const heed_observer *observer);

/* Removes an observer; when the call returns, no thread is in its functions any more.
 * Errors: HEED_ERR_ARGUMENT for an unknown id, HEED_ERR_STATE if called from an observer's function. */
HEED_API heed_status heed_remove_observer(int64_t id);

HEED_END_DECLS

#endif
