/* heed/observe.h - being told of what is computed: each op as it is applied, each gradient rule, each module's forward,
 * and stretches of a program that it names itself. heed/inspect.h is made of this; a tool of your own can be, too.
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
 * Observers are told of all threads' work, in the thread that does it, so several threads may be in an observer's
 * functions at once. What these compute themselves is not observed and not recorded, and what they make is released
 * when they return. With no observer an op takes one predictable branch for all this.
 */
#ifndef HEED_OBSERVE_H
#define HEED_OBSERVE_H

#include <heed/module.h>
#include <heed/op.h>

HEED_BEGIN_DECLS

typedef enum heed_event_kind {
    HEED_EVENT_FORWARD,  /* an op is applied */
    HEED_EVENT_BACKWARD, /* an op's rule gives gradients */
    HEED_EVENT_MODULE,   /* a module's forward */
    HEED_EVENT_SPAN,     /* between heed_span_begin and heed_span_end: a loader's batch, an optimizer's step, yours */
    HEED_EVENT_SHARE,    /* one of the library's threads does a share of an op's work, or of a span's */
} heed_event_kind;

/* What an observer is told. Valid during the call; what a kind does not have is NULL or 0. */
typedef struct heed_event {
    heed_event_kind kind;
    const char *name; /* the op's, the module's type, the span's. Not copied: lives as long as the op */

    /* FORWARD and BACKWARD: op, params and inputs, for heed_call_shape and its like, too. In BACKWARD an input that was
     * not kept is NULL. */
    const heed_call *call;
    int n_outputs;
    int n_returned;                  /* how many of them the caller gets: heed_apply returns the first one */
    heed_tensor *const *outputs;     /* FORWARD: results, at the end; MODULE: one result, if heed_module_forward ran it;
                                       BACKWARD: results, each NULL unless kept */
    heed_tensor *const *grads;       /* BACKWARD: of each output; NULL where none came */
    heed_tensor *const *input_grads; /* BACKWARD, at the end: of each input; NULL where none is wanted. One may have a
                                       shape that the input's broadcasts to */
    bool fused;                      /* BACKWARD: by backward_fused */
    bool failed;                     /* at the end: it gave no result */
    int depth;                       /* ops and rules of this thread that are under way around it */
    const char *site;                /* the line of the program's call, "train.c:42" (heed/site.h) */
    const char *recorded_at;         /* BACKWARD: the line that recorded the op */
    const heed_module *module;   /* whose forward runs; MODULE: the module itself. heed_event_module gives the path */
    const char *recorded_module; /* BACKWARD: the path of the module that recorded the op, if that was observed */
    int64_t began, ended;        /* nanoseconds of CLOCK_MONOTONIC */
    int64_t nested;              /* of them, nanoseconds in ops, rules and spans inside of it */
} heed_event;

/* What to call, each in pairs of a beginning and an end; a NULL is not called. An error that a function leaves pending
 * fails the op or the rule. In the end of a module or a span it stays pending; in a share it is dropped. */
typedef struct heed_observer {
    void (*began)(const heed_event *event, void *user); /* before it is done: no outputs, no input_grads */
    void (*ended)(const heed_event *event, void *user); /* when it is done, or has failed */
    void *user;
    HEED_RESERVED;
} heed_observer;

/* The most observers that there can be at once. */
#define HEED_MAX_OBSERVERS 16

/* Adds an observer, which is copied, to those of the process; they are called in no particular order. What is under way
 * in other threads is not told, or only its end. Returns an id above 0 for heed_remove_observer; 0 on failure:
 * HEED_ERR_ARGUMENT for NULL and where both functions are, HEED_ERR_STATE where HEED_MAX_OBSERVERS are there. */
HEED_API int64_t heed_add_observer(const heed_observer *observer);

/* Removes it: no thread is in its functions any more when this returns. HEED_ERR_ARGUMENT where there is no such
 * observer, HEED_ERR_STATE from an observer's function. */
HEED_API heed_status heed_remove_observer(int64_t id);

/* Writes the path of the event's module, "transformer.encoder.3", as snprintf does: at most `size` bytes with the NUL
 * (text may be NULL when size is 0), "" where there is none; returns the length of the whole text. 0 for NULL, with
 * HEED_ERR_ARGUMENT. */
HEED_API size_t heed_event_module(const heed_event *event, char *text, size_t size);

/* Multiply-adds of a FORWARD or of a fused BACKWARD, as the op counts them (heed_op.multiply_adds); 0 for other events:
 * the ops that a rule is made of are events of their own. Each is two floating-point operations. 0 for NULL, with
 * HEED_ERR_ARGUMENT. */
HEED_API int64_t heed_event_multiply_adds(const heed_event *event);

/* -- Spans --------------------------------------------------------------------------------------------------------- */

/* A stretch of the program under way; all private. */
typedef struct heed_span {
    const char *name, *site;
    int64_t began, nested;
} heed_span;

/* Begins a stretch of the calling thread's work that observers are told of, and profiles show:
 *
 *     heed_span span = heed_span_begin("validation");
 *     ...
 *     heed_span_end(&span);
 *
 * `name` must live as long as the observers. Without observers, or with a NULL name, nothing is done.
 * torch: torch.profiler.record_function */
HEED_API heed_span heed_span_begin(const char *name);

/* Ends it. Spans of a thread end in the reverse order of their beginning. NULL, and a span that has ended, are
 * ignored. */
HEED_API void heed_span_end(heed_span *span);

/* A span to the end of the block, on any path out of it: HEED_SPAN("validation"); one in a block. With compilers other
 * than gcc and clang it does nothing.
 * torch: torch.profiler.record_function */
#if defined(__GNUC__)
#define HEED_SPAN(name) heed_span heed_spanned __attribute__((cleanup(heed_span_end), unused)) = heed_span_begin(name)
#else
#define HEED_SPAN(name) (void)(name)
#endif

HEED_END_DECLS

#endif
