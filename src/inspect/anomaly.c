/* inspect/anomaly.c - anomaly mode: an observer that checks all results and gradients for NaN and infinities.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/inspect.h>

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>

#include <heed/memory.h>
#include <heed/ops.h>

#include "base/decimal.h"

enum { MAX_SHOWN = 3 }; /* tensors of a kind that a message describes */

/* -- NaN and infinities in tensors --------------------------------------------------------------------------------- */

/* Kinds of non-finite numbers, combined with |. */
enum { KIND_NAN = 1, KIND_INFINITE = 2 };

typedef struct number_counts {
    int64_t count, nans, infinities;
    int64_t first;      /* row-major position of the first non-finite number */
    double first_value; /* its value */
    double low, high;   /* range of the finite numbers; low > high without any */
} number_counts;

/* Numbers per block. The loop over a block is branch-free, so that compilers vectorise it. */
enum { BLOCK = 1024 };

static bool finite_f32(const float *x, int64_t n)
{
    const uint32_t exponent = UINT32_C(0x7f800000);
    uint32_t bad = 0;
    for (int64_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, x + i, sizeof bits);
        bad |= (bits & exponent) == exponent;
    }
    return !bad;
}

static bool finite_f64(const double *x, int64_t n)
{
    const uint64_t exponent = UINT64_C(0x7ff0000000000000);
    uint64_t bad = 0;
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, x + i, sizeof bits);
        bad |= (bits & exponent) == exponent;
    }
    return !bad;
}

/* Returns true if every number of t is finite. Fast, and allocates nothing for contiguous tensors. Also returns true
 * for dtypes other than f32 and f64, for NULL, and after heed_fail. */
static bool numbers_finite(heed_tensor *t)
{
    if (!t || !heed_dtype_is_float(heed_dtype_of(t)))
        return true;
    const heed_tensor *dense = heed_is_contiguous(t) ? t : heed_contiguous(t);
    const bool single = heed_dtype_of(t) == HEED_F32;
    const float *f32 = dense && single ? heed_data_f32(dense) : NULL;
    const double *f64 = dense && !single ? heed_data_f64(dense) : NULL;
    const int64_t n = f32 || f64 ? heed_numel(t) : 0;
    bool finite = true;
    for (int64_t i = 0; i < n && finite; i += BLOCK) {
        const int64_t count = n - i < BLOCK ? n - i : BLOCK;
        finite = single ? finite_f32(f32 + i, count) : finite_f64(f64 + i, count);
    }
    return finite;
}

static void count_numbers(number_counts *n, double value, int64_t at)
{
    if (isfinite(value)) {
        n->low = value < n->low ? value : n->low;
        n->high = value > n->high ? value : n->high;
        return;
    }
    if (n->nans + n->infinities == 0) {
        n->first = at;
        n->first_value = value;
    }
    if (isnan(value))
        n->nans++;
    else
        n->infinities++;
}

/* Computes all statistics of an f32 or f64 tensor. Returns false after heed_fail. */
static bool count_tensor(heed_tensor *t, number_counts *numbers)
{
    *numbers = (number_counts){.count = heed_numel(t), .low = (double)INFINITY, .high = -(double)INFINITY};
    const heed_tensor *dense = heed_contiguous(t);
    if (!dense)
        return false;
    const float *f32 = heed_dtype_of(t) == HEED_F32 ? heed_data_f32(dense) : NULL;
    const double *f64 = heed_dtype_of(t) == HEED_F64 ? heed_data_f64(dense) : NULL;
    for (int64_t i = 0; i < numbers->count; i++)
        count_numbers(numbers, f32 ? (double)f32[i] : f64[i], i);
    return true;
}

/* Returns the kinds of t's non-finite numbers; 0 for other dtypes, for NULL, and after heed_fail. */
static unsigned kinds_of(heed_tensor *t)
{
    number_counts n;
    if (numbers_finite(t) || !count_tensor(t, &n))
        return 0;
    return (n.nans > 0 ? KIND_NAN : 0u) | (n.infinities > 0 ? KIND_INFINITE : 0u);
}

/* Returns a copy of t with 1 in place of non-finite numbers, or NULL after heed_fail. Returns t itself if all numbers
 * are finite, if the dtype is neither f32 nor f64, or if t is NULL. */
static heed_tensor *cleaned_copy(heed_tensor *t)
{
    if (numbers_finite(t))
        return t;
    heed_tensor *copy = heed_contiguous(heed_clone(t));
    float *f32 = copy && heed_dtype_of(t) == HEED_F32 ? heed_mutable_f32(copy) : NULL;
    double *f64 = copy && !f32 ? heed_mutable_f64(copy) : NULL;
    const int64_t n = copy ? heed_numel(copy) : 0;
    for (int64_t i = 0; i < n; i++) {
        if (f32 && !isfinite(f32[i]))
            f32[i] = 1.0F;
        if (f64 && !isfinite(f64[i]))
            f64[i] = 1.0;
    }
    return copy;
}

/* -- The origin of non-finite numbers ------------------------------------------------------------------------------ */

static int n_inputs(const heed_event *event)
{
    return event->call->n_inputs;
}

static unsigned kinds_in(heed_tensor *const *tensors, int n)
{
    unsigned kinds = 0;
    for (int i = 0; i < n && tensors; i++)
        kinds |= kinds_of(tensors[i]);
    return kinds;
}

/* The inputs of an op or rule with finite numbers in place of NaN and infinities. One block holds the lists. */
typedef struct cleaned {
    size_t bytes;
    heed_tensor **inputs, **input_grads;
    heed_tensor *outputs[HEED_MAX_OUTPUTS], *grads[HEED_MAX_OUTPUTS];
} cleaned;

static void clean_tensors(heed_tensor *const *from, int n, heed_tensor **into)
{
    for (int i = 0; i < n; i++)
        into[i] = from ? cleaned_copy(from[i]) : NULL;
}

static bool clean_all(const heed_event *event, cleaned *c)
{
    const size_t n = (size_t)n_inputs(event);
    c->bytes = 2 * n * sizeof(heed_tensor *);
    c->inputs = heed_alloc(c->bytes);
    if (!c->inputs)
        return false;
    c->input_grads = c->inputs + n;
    memset(c->input_grads, 0, n * sizeof(heed_tensor *));
    clean_tensors(event->call->inputs, n_inputs(event), c->inputs);
    if (event->kind == HEED_EVENT_BACKWARD) {
        clean_tensors(event->outputs, event->n_outputs, c->outputs);
        clean_tensors(event->grads, event->n_outputs, c->grads);
    }
    return true;
}

static bool all_tensors_finite(heed_tensor *const *tensors, int n)
{
    for (int i = 0; i < n; i++)
        if (!numbers_finite(tensors[i]))
            return false;
    return true;
}

/* Runs the op or rule again. Returns true if its results are finite, or if an op fails. */
static bool is_finite_again(const heed_event *event, cleaned *c)
{
    heed_call call = *event->call;
    call.inputs = c->inputs;
    if (event->kind == HEED_EVENT_FORWARD)
        return !heed_apply_all(call.op, c->inputs, call.n_inputs, call.params, c->outputs) ||
               all_tensors_finite(c->outputs, event->n_returned);
    call.outputs = c->outputs;
    (event->fused ? call.op->backward_fused : call.op->backward)(&call, c->grads, c->input_grads);
    return all_tensors_finite(c->input_grads, call.n_inputs);
}

/* Returns true if the op or rule makes non-finite numbers from finite ones. */
static bool makes_nonfinite(const heed_event *event)
{
    cleaned c;
    if (!clean_all(event, &c))
        return false;
    const bool makes = heed_error_code() == HEED_OK && !is_finite_again(event, &c);
    heed_free(c.inputs, c.bytes);
    return makes;
}

static bool is_new(const heed_event *event, heed_tensor *result)
{
    unsigned before = kinds_in(event->call->inputs, n_inputs(event));
    if (event->kind == HEED_EVENT_BACKWARD)
        before |= kinds_in(event->outputs, event->n_outputs) | kinds_in(event->grads, event->n_outputs);
    return (kinds_of(result) & ~before) != 0 || makes_nonfinite(event);
}

/* -- Messages ------------------------------------------------------------------------------------------------------ */

typedef struct message {
    char text[HEED_ERROR_MESSAGE_MAX];
    size_t used;
} message;

static void append_text(message *m, const char *format, ...) HEED_PRINTF(2, 3);

static void append_text(message *m, const char *format, ...)
{
    if (m->used >= sizeof m->text)
        return;
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(m->text + m->used, sizeof m->text - m->used, format, args);
    va_end(args);
    m->used += n > 0 ? (size_t)n : 0;
}

typedef struct number {
    char s[40];
} number;

static number number_text(double value)
{
    number n;
    (void)snprintf(n.s, sizeof n.s, "%.4g", isnan(value) ? (double)NAN : value);
    if (isfinite(value))
        heed__decimal_point(n.s);
    return n;
}

/* Appends "argument 1 (2, 3) is in [0, 4], with 2 NaN". */
static void append_range(message *m, const char *what, int position, heed_tensor *t)
{
    number_counts n;
    if (!t || !heed_dtype_is_float(heed_dtype_of(t)) || !count_tensor(t, &n))
        return;
    append_text(m, "; %s", what);
    if (position > 0)
        append_text(m, " %d", position);
    append_text(m, " %s", heed_shape_text(heed_shape_of(t)).s);
    if (n.low <= n.high)
        append_text(m, " is in [%s, %s]", number_text(n.low).s, number_text(n.high).s);
    else
        append_text(m, " has no finite number");
    if (n.nans > 0)
        append_text(m, ", with %" PRId64 " NaN", n.nans);
    if (n.infinities > 0)
        append_text(m, ", with %" PRId64 " infinite", n.infinities);
}

static void append_ranges(message *m, const char *what, heed_tensor *const *tensors, int n, bool numbered)
{
    int shown = 0;
    for (int i = 0; i < n && tensors && shown < MAX_SHOWN; i++) {
        if (!tensors[i] || !heed_dtype_is_float(heed_dtype_of(tensors[i])))
            continue;
        shown++;
        append_range(m, what, numbered ? i + 1 : 0, tensors[i]);
    }
}

/* Converts a row-major position to an index, "(0, 3)". */
static heed_shape position_in(int64_t at, heed_shape shape)
{
    heed_shape index = {.rank = shape.rank};
    for (int axis = shape.rank - 1; axis >= 0; axis--) {
        index.dims[axis] = at % shape.dims[axis];
        at /= shape.dims[axis];
    }
    return index;
}

/* Fails because `what` has non-finite numbers. position counts from 1; 0 omits it. */
static void report_anomaly(const heed_event *event, const char *what, int position, heed_tensor *t)
{
    message m = {.used = 0};
    number_counts n;
    if (!count_tensor(t, &n))
        return;
    const heed_shape shape = heed_shape_of(t);
    append_text(&m, "%s", what);
    if (position > 0)
        append_text(&m, " %d", position);
    append_text(&m, " %s has %" PRId64 " of %" PRId64 " elements that are not finite, the first %s at %s",
                heed_shape_text(shape).s, n.nans + n.infinities, n.count, number_text(n.first_value).s,
                heed_shape_text(position_in(n.first, shape)).s);
    append_ranges(&m, "argument", event->call->inputs, n_inputs(event), true);
    if (event->kind == HEED_EVENT_BACKWARD) {
        append_ranges(&m, "its result", event->outputs, 1, false); /* further results that ops keep are internal */
        append_ranges(&m, "the gradient of its result", event->grads, event->n_outputs, false);
    }
    heed_fail(HEED_ERR_STATE, event->name, "%s", m.text);
}

/* -- Observation --------------------------------------------------------------------------------------------------- */

/* Reports a parameter among the arguments into which an optimizer wrote NaN. Returns false without such a parameter. */
static bool report_bad_parameter(const heed_event *event)
{
    for (int i = 0; i < n_inputs(event); i++) {
        heed_tensor *x = event->call->inputs[i];
        if (!heed_is_leaf(x) || !heed_requires_grad(x) || heed_storage_of(x).version == 0 || !(kinds_of(x) & KIND_NAN))
            continue;
        report_anomaly(event, "before it is applied, the parameter that is argument", i + 1, x);
        return true;
    }
    return false;
}

static void check_op_outputs(const heed_event *event)
{
    if (event->call->op->view) { /* computes no numbers */
        if (!numbers_finite(event->outputs[0]))
            (void)report_bad_parameter(event);
        return;
    }
    for (int j = 0; j < event->n_returned; j++) {
        if (numbers_finite(event->outputs[j]))
            continue;
        if (!report_bad_parameter(event) && is_new(event, event->outputs[j]))
            report_anomaly(event, event->n_returned > 1 ? "result" : "the result", event->n_returned > 1 ? j + 1 : 0,
                           event->outputs[j]);
        return;
    }
}

static void check_backward(const heed_event *event)
{
    for (int i = 0; i < n_inputs(event); i++) {
        if (numbers_finite(event->input_grads[i]))
            continue;
        if (is_new(event, event->input_grads[i]))
            report_anomaly(event, "the gradient of argument", i + 1, event->input_grads[i]);
        return;
    }
}

/* Ignores nested ops: they may have infinities that do not reach the results of the enclosing op or rule. */
static void check_event(const heed_event *event, void *user)
{
    (void)user;
    if (event->failed || event->depth > 0 || heed_error_code() != HEED_OK)
        return;
    if (event->kind == HEED_EVENT_FORWARD)
        check_op_outputs(event);
    else if (event->kind == HEED_EVENT_BACKWARD)
        check_backward(event);
}

heed_status heed_set_anomaly(bool on)
{
    HEED_ENTER("set_anomaly");
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int64_t observer; /* 0 when anomaly mode is off */
    heed_status status = HEED_OK;
    pthread_mutex_lock(&lock);
    if (on && !observer) {
        observer = heed_add_observer(&(heed_observer){.ended = check_event});
        status = observer ? HEED_OK : heed_error_code();
    } else if (!on && observer) {
        status = heed_remove_observer(observer);
        observer = status == HEED_OK ? 0 : observer;
    }
    pthread_mutex_unlock(&lock);
    return status;
}
