/* inspect/summary.c - summarises a module by a walk over it and an observer of one forward. */

#include "inspect/summary.h"

#include <string.h>

#include <heed/heed.h>

#include "base/mark.h"

static _Thread_local const heed__summary *running; /* the summary running in this thread; other threads' ops do not
                                                    * count */

/* -- Rows ---------------------------------------------------------------------------------------------------------- */

static bool reserve(heed__summary *s)
{
    if (s->n_rows < s->capacity)
        return true;
    const size_t capacity = s->capacity ? 2 * s->capacity : 16;
    heed__summary_row *rows = heed_alloc(capacity * sizeof *rows);
    if (!rows)
        return false;
    if (s->n_rows > 0)
        memcpy(rows, s->rows, s->n_rows * sizeof *rows);
    heed_free(s->rows, s->capacity * sizeof *rows);
    s->rows = rows;
    s->capacity = capacity;
    return true;
}

static heed_status add_row(const char *path, heed_module *m, void *user)
{
    heed__summary *s = user;
    if (!reserve(s))
        return heed_error_code();
    heed__summary_row *row = &s->rows[s->n_rows++];
    *row = (heed__summary_row){.module = m};
    (void)snprintf(row->path, sizeof row->path, "%s", path);
    return HEED_OK;
}

/* Returns the row of a module; the first row for NULL and for modules outside the tree. */
static heed__summary_row *row_of(heed__summary *s, const heed_module *m)
{
    for (size_t i = 0; i < s->n_rows; i++)
        if (s->rows[i].module == m)
            return &s->rows[i];
    return &s->rows[0];
}

static heed_status add_member(const heed_module_visit *visit, void *user)
{
    heed__summary *s = user;
    (void)heed__pointers_add(&s->stored, heed_storage_of(visit->tensor, NULL));
    if (visit->is_buffer || !heed__pointers_add(&s->counted, visit->tensor))
        return heed_error_code();
    const int64_t numel = heed_numel(visit->tensor);
    row_of(s, visit->owner)->parameters += numel;
    s->parameters += numel;
    s->trainable += heed_requires_grad(visit->tensor) ? numel : 0;
    return HEED_OK;
}

/* -- Observation --------------------------------------------------------------------------------------------------- */

static void count_kept(heed__summary *s, heed__summary_row *row, const heed_tensor *t)
{
    size_t bytes;
    if (!heed__pointers_add(&s->stored, heed_storage_of(t, &bytes)))
        return;
    row->kept += (int64_t)bytes;
    s->kept += (int64_t)bytes;
}

static bool is_saved(unsigned saved, int input)
{
    return (saved & HEED_SAVE_INPUTS) == HEED_SAVE_INPUTS || (input < 15 && (saved & HEED_SAVE_INPUT(input)));
}

/* Counts the tensors that the op's node saves, if the op was recorded. */
static void count_all_kept(heed__summary *s, heed__summary_row *row, const heed_event *event)
{
    bool recorded = false;
    for (int j = 0; j < event->n_outputs; j++)
        recorded = recorded || heed_requires_grad(event->outputs[j]);
    for (int i = 0; i < event->call->n_inputs && recorded; i++)
        if (is_saved(event->call->op->saved, i))
            count_kept(s, row, event->call->inputs[i]);
    for (int j = 0; j < event->n_outputs && recorded; j++)
        if (event->call->op->saved & HEED_SAVE_OUTPUTS)
            count_kept(s, row, event->outputs[j]);
}

static void count_op(heed__summary *s, const heed_event *event)
{
    heed__summary_row *row = row_of(s, event->module);
    const int64_t multiply_adds = heed_event_multiply_adds(event);
    row->multiply_adds += multiply_adds;
    s->multiply_adds += multiply_adds;
    if (event->depth > 0)
        return;
    s->ops++;
    s->dtype = heed_dtype_of(event->outputs[0]);
    s->shape = heed_shape_of(event->outputs[0]);
    count_all_kept(s, row, event);
}

/* A module's result is the one that it reports, or else the result of the last op in it. */
static void record_result(heed__summary *s, const heed_event *event)
{
    heed__summary_row *row = row_of(s, event->module);
    if (row->module != event->module || (!event->outputs && s->ops == row->ops))
        return;
    row->has_result = true;
    row->dtype = event->outputs ? heed_dtype_of(event->outputs[0]) : s->dtype;
    row->shape = event->outputs ? heed_shape_of(event->outputs[0]) : s->shape;
}

static void began(const heed_event *event, void *user)
{
    heed__summary *s = user;
    if (running == s && event->kind == HEED_EVENT_MODULE)
        row_of(s, event->module)->ops = s->ops;
}

static void ended(const heed_event *event, void *user)
{
    heed__summary *s = user;
    if (running != s || event->failed)
        return;
    if (event->kind == HEED_EVENT_FORWARD)
        count_op(s, event);
    else if (event->kind == HEED_EVENT_MODULE)
        record_result(s, event);
}

/* -- Restoring the state ------------------------------------------------------------------------------------------- */

/* Copies of the buffers. */
typedef struct saved_buffers {
    heed_tensor **buffers, **copies;
    size_t n, capacity;
} saved_buffers;

static heed_status count_buffer(const heed_module_visit *visit, void *user)
{
    ((saved_buffers *)user)->capacity += visit->is_buffer;
    return HEED_OK;
}

static heed_status save_buffer(const heed_module_visit *visit, void *user)
{
    saved_buffers *saved = user;
    if (!visit->is_buffer)
        return HEED_OK;
    heed_tensor *copy = heed_detach(heed_clone(visit->tensor));
    if (!copy)
        return heed_error_code();
    saved->buffers[saved->n] = visit->tensor;
    saved->copies[saved->n++] = heed_retain(copy);
    return HEED_OK;
}

static heed_status save_buffers(saved_buffers *saved, heed_module *m)
{
    const heed_status status = heed_module_walk(m, count_buffer, saved);
    if (status != HEED_OK || saved->capacity == 0)
        return status;
    saved->buffers = heed_alloc(2 * saved->capacity * sizeof *saved->buffers);
    if (!saved->buffers)
        return HEED_ERR_NOMEM;
    saved->copies = saved->buffers + saved->capacity;
    return heed_module_walk(m, save_buffer, saved);
}

/* Writes only to buffers that have changed, because a write would invalidate graphs that keep a buffer. */
static void restore_buffers(saved_buffers *saved)
{
    for (size_t i = 0; i < saved->n; i++) {
        const heed_tensor *now = heed_contiguous(saved->buffers[i]), *then = heed_contiguous(saved->copies[i]);
        const size_t bytes = (size_t)heed_numel(saved->copies[i]) * heed_dtype_size(heed_dtype_of(saved->copies[i]));
        const void *is = now ? heed_data_bytes(now) : NULL, *was = then ? heed_data_bytes(then) : NULL;
        if (!is || !was || memcmp(is, was, bytes) != 0)
            (void)heed_copy_(saved->buffers[i], saved->copies[i]);
        heed_release(saved->copies[i]);
    }
    heed_free(saved->buffers, 2 * saved->capacity * sizeof *saved->buffers);
}

/* -- The forward --------------------------------------------------------------------------------------------------- */

static heed_status run_observed(heed__summary *s, const char *where, heed_module *m, heed_summary_forward forward,
                                void *user)
{
    const int64_t observer = heed_add_observer(&(heed_observer){.began = began, .ended = ended, .user = s});
    if (!observer)
        return heed_error_code();
    const heed__summary *outer = running;
    const bool recording = heed_set_grad_enabled(true);
    running = s;
    heed_callback call = heed_callback_begin("the forward");
    const heed_tensor *y = forward(m, user);
    const bool ok = heed_callback_end(&call);
    running = outer;
    (void)heed_set_grad_enabled(recording);
    (void)heed_remove_observer(observer);
    if (ok && !y)
        return heed_fail(HEED_ERR_STATE, where, "the forward of %s returned NULL", m->type);
    return ok ? HEED_OK : heed_error_code();
}

/* Requires an open scope. */
static heed_status run(heed__summary *s, const char *where, heed_module *m, heed_summary_forward forward, void *user)
{
    saved_buffers saved = {.n = 0};
    uint64_t seed = 0, position = 0;
    (void)heed_generator_get_state(heed_generator_default(), &seed, &position);
    heed_status status = save_buffers(&saved, m);
    if (status == HEED_OK)
        status = run_observed(s, where, m, forward, user);
    (void)heed_generator_set_state(heed_generator_default(), seed, position);
    restore_buffers(&saved);
    return status;
}

static heed_status summarise(const char *where, heed_module *m, heed_tensor *input, heed_summary_forward forward,
                             void *user, FILE *file)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    heed__summary s = {.n_rows = 0};
    heed_status status = heed_module_walk_modules(m, add_row, &s);
    if (status == HEED_OK)
        status = heed_module_walk(m, add_member, &s);
    if (status == HEED_OK && input && !heed__pointers_add(&s.stored, heed_storage_of(input, NULL)))
        status = heed_error_code();
    if (status == HEED_OK)
        status = run(&s, where, m, forward, user);
    if (status == HEED_OK)
        status = heed__summary_write(&s, where, file);
    heed_free(s.rows, s.capacity * sizeof *s.rows);
    heed__pointers_free(&s.counted);
    heed__pointers_free(&s.stored);
    heed_scope_end(scope);
    return status;
}

static heed_status check(const char *where, const heed_module *m, const void *what, const char *name, const FILE *file)
{
    if (m && !heed__is_marked(m->serial, HEED_MODULE) && !heed_fail_freed(where, "the module", m))
        return heed_error_code();
    if (m && what && file)
        return HEED_OK;
    return heed_fail(HEED_ERR_ARGUMENT, where, "the %s is NULL", !m ? "module" : !what ? name : "file");
}

static heed_tensor *forward_input(heed_module *m, void *user)
{
    return heed_module_forward(m, user);
}

heed_status heed_module_summary(heed_module *m, heed_tensor *input, FILE *file)
{
    static const char where[] = "module_summary";
    HEED_ENTER(where);
    const heed_status status = check(where, m, input, "input", file);
    return status == HEED_OK ? summarise(where, m, input, forward_input, input, file) : status;
}

heed_status heed_module_summary_with(heed_module *m, heed_summary_forward forward, void *user, FILE *file)
{
    static const char where[] = "module_summary_with";
    HEED_ENTER(where);
    const heed_status status = check(where, m, (const void *)(uintptr_t)forward, "forward", file);
    return status == HEED_OK ? summarise(where, m, NULL, forward, user, file) : status;
}
