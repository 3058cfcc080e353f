/* inspect/summary.c - summarises a module, as a table, by a walk over it and an observer of one forward.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <heed/heed.h>

#include "base/decimal.h"
#include "base/escape.h"
#include "base/mark.h"

/* -- A set of addresses, with open addressing ---------------------------------------------------------------------- */

/* All zeros represent the empty set. */
typedef struct addresses {
    const void **slots; /* n_slots slots, a power of 2; NULL for a free slot */
    size_t n, n_slots;
} addresses;

/* Returns the slot that holds the address, or the free slot for it. */
static size_t address_slot(const addresses *set, const void *pointer)
{
    const uint64_t mixed = (uint64_t)(uintptr_t)pointer * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(mixed >> 32) & (set->n_slots - 1);
    while (set->slots[at] && set->slots[at] != pointer)
        at = (at + 1) & (set->n_slots - 1);
    return at;
}

static void free_addresses(addresses *set)
{
    heed_free(set->slots, set->n_slots * sizeof *set->slots);
    *set = (addresses){.n = 0};
}

/* Keeps at least half of the slots free. */
static bool reserve_address(addresses *set)
{
    if (2 * set->n < set->n_slots)
        return true;
    addresses larger = {.n = set->n, .n_slots = set->n_slots ? 2 * set->n_slots : 64};
    larger.slots = heed_calloc(larger.n_slots, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < set->n_slots; i++)
        if (set->slots[i])
            larger.slots[address_slot(&larger, set->slots[i])] = set->slots[i];
    free_addresses(set);
    *set = larger;
    return true;
}

/* Adds an address other than NULL. Returns true if it is new, false if it is known or after heed_fail. */
static bool add_address(addresses *set, const void *pointer)
{
    if (!reserve_address(set))
        return false;
    const size_t at = address_slot(set, pointer);
    if (set->slots[at])
        return false;
    set->slots[at] = pointer;
    set->n++;
    return true;
}

/* -- Rows ---------------------------------------------------------------------------------------------------------- */

/* A module of the tree. */
typedef struct summary_row {
    const heed_module *module;
    char path[HEED_MODULE_PATH_MAX + 1]; /* "" for the top module */
    int64_t parameters, multiply_adds, kept;
    bool has_result;
    heed_dtype dtype;
    heed_shape shape;
    int64_t ops; /* number of ops applied before the module ran */
} summary_row;

typedef struct summary {
    summary_row *rows;
    size_t n_rows, capacity;
    int64_t parameters, trainable, multiply_adds, kept;
    addresses counted; /* parameters */
    addresses stored;  /* storages already counted, or not to be counted */
    int64_t ops;       /* number of ops applied so far */
    heed_dtype dtype;  /* of the last result */
    heed_shape shape;
} summary;

/* The summary running in this thread; the ops of other threads do not count. */
static _Thread_local const summary *running;

static bool reserve_module_row(summary *s)
{
    if (s->n_rows < s->capacity)
        return true;
    const size_t capacity = s->capacity ? 2 * s->capacity : 16;
    summary_row *rows = heed_alloc(capacity * sizeof *rows);
    if (!rows)
        return false;
    if (s->n_rows > 0)
        memcpy(rows, s->rows, s->n_rows * sizeof *rows);
    heed_free(s->rows, s->capacity * sizeof *rows);
    s->rows = rows;
    s->capacity = capacity;
    return true;
}

static heed_status add_module_row(const char *path, heed_module *m, void *user)
{
    summary *s = user;
    if (!reserve_module_row(s))
        return heed_error_code();
    summary_row *row = &s->rows[s->n_rows++];
    *row = (summary_row){.module = m};
    (void)snprintf(row->path, sizeof row->path, "%s", path);
    return HEED_OK;
}

/* Returns the row of a module; the first row for NULL and for modules outside the tree. */
static summary_row *module_row(summary *s, const heed_module *m)
{
    for (size_t i = 0; i < s->n_rows; i++)
        if (s->rows[i].module == m)
            return &s->rows[i];
    return &s->rows[0];
}

static heed_status add_member(const heed_module_visit *visit, void *user)
{
    summary *s = user;
    (void)add_address(&s->stored, heed_storage_of(visit->tensor).address);
    if (visit->is_buffer || !add_address(&s->counted, visit->tensor))
        return heed_error_code();
    const int64_t numel = heed_numel(visit->tensor);
    module_row(s, visit->owner)->parameters += numel;
    s->parameters += numel;
    s->trainable += heed_requires_grad(visit->tensor) ? numel : 0;
    return HEED_OK;
}

/* -- Observation --------------------------------------------------------------------------------------------------- */

static void count_kept(summary *s, summary_row *row, const heed_tensor *t)
{
    const heed_storage storage = heed_storage_of(t);
    if (!add_address(&s->stored, storage.address))
        return;
    row->kept += (int64_t)storage.bytes;
    s->kept += (int64_t)storage.bytes;
}

/* Counts the tensors that the op's node saves, if the op was recorded. */
static void count_all_kept(summary *s, summary_row *row, const heed_event *event)
{
    const unsigned saved = event->call->op->saved;
    bool recorded = false;
    for (int j = 0; j < event->n_outputs; j++)
        recorded = recorded || heed_requires_grad(event->outputs[j]);
    for (int i = 0; i < event->call->n_inputs && recorded; i++)
        if ((saved & HEED_SAVE_INPUTS) == HEED_SAVE_INPUTS || (i < 15 && (saved & HEED_SAVE_INPUT(i))))
            count_kept(s, row, event->call->inputs[i]);
    for (int j = 0; j < event->n_outputs && recorded; j++)
        if (saved & HEED_SAVE_OUTPUTS)
            count_kept(s, row, event->outputs[j]);
}

static void count_op(summary *s, const heed_event *event)
{
    summary_row *row = module_row(s, event->module);
    row->multiply_adds += event->multiply_adds;
    s->multiply_adds += event->multiply_adds;
    if (event->depth > 0)
        return;
    s->ops++;
    s->dtype = heed_dtype_of(event->outputs[0]);
    s->shape = heed_shape_of(event->outputs[0]);
    count_all_kept(s, row, event);
}

/* A module's result is the one that it reports, or else the result of the last op in it. */
static void record_result(summary *s, const heed_event *event)
{
    summary_row *row = module_row(s, event->module);
    if (row->module != event->module || (!event->outputs && s->ops == row->ops))
        return;
    row->has_result = true;
    row->dtype = event->outputs ? heed_dtype_of(event->outputs[0]) : s->dtype;
    row->shape = event->outputs ? heed_shape_of(event->outputs[0]) : s->shape;
}

static void summary_began(const heed_event *event, void *user)
{
    summary *s = user;
    if (running == s && event->kind == HEED_EVENT_MODULE)
        module_row(s, event->module)->ops = s->ops;
}

static void summary_ended(const heed_event *event, void *user)
{
    summary *s = user;
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

/* -- The table ----------------------------------------------------------------------------------------------------- */

typedef struct widths {
    int path, type, result;
} widths;

typedef struct cell {
    char s[2 * HEED_MODULE_PATH_MAX];
} cell;

/* Returns the path as in error messages: "transformer.encoder.0", which begins with the type of the top module. */
static cell path_cell(const summary *s, const summary_row *row)
{
    char raw[2 * HEED_MODULE_PATH_MAX];
    const char *dot = strlen(row->path) > 0 ? "." : "";
    (void)snprintf(raw, sizeof raw, "%.200s%s%s", s->rows[0].module->type, dot, row->path);
    cell c = {""};
    (void)heed__escape_copy(raw, strlen(raw), c.s, sizeof c.s);
    return c;
}

static cell result_cell(const summary_row *row)
{
    cell c = {"-"};
    if (row->has_result)
        (void)snprintf(c.s, sizeof c.s, "%s %s", heed_dtype_name(row->dtype), heed_shape_text(row->shape).s);
    return c;
}

static int longer(int width, const char *text)
{
    const int length = (int)strlen(text);
    return length > width ? length : width;
}

/* The texts of a line of the table. */
typedef struct module_line {
    const char *path, *type, *result, *parameters, *multiply_adds, *kept;
} module_line;

static void write_module_line(FILE *file, const widths *w, const module_line *l)
{
    fprintf(file, "%-*s  %-*s  %-*s  %14s  %16s  %10s\n", w->path, l->path, w->type, l->type, w->result, l->result,
            l->parameters, l->multiply_adds, l->kept);
}

static heed_status write_summary(const summary *s, const char *where, FILE *file)
{
    widths w = {6, 4, 6};
    for (size_t i = 0; i < s->n_rows; i++) {
        w.path = longer(w.path, path_cell(s, &s->rows[i]).s);
        w.type = longer(w.type, heed__escaped(s->rows[i].module->type).s);
        w.result = longer(w.result, result_cell(&s->rows[i]).s);
    }
    write_module_line(file, &w, &(module_line){"module", "type", "result", "parameters", "multiply-adds", "kept"});
    for (size_t i = 0; i < s->n_rows; i++) {
        const summary_row *row = &s->rows[i];
        write_module_line(file, &w,
                          &(module_line){path_cell(s, row).s, heed__escaped(row->module->type).s, result_cell(row).s,
                                         heed__grouped(row->parameters).s, heed__grouped(row->multiply_adds).s,
                                         heed__bytes(row->kept).s});
    }
    write_module_line(file, &w,
                      &(module_line){"total", "", "", heed__grouped(s->parameters).s, heed__grouped(s->multiply_adds).s,
                                     heed__bytes(s->kept).s});
    if (s->trainable < s->parameters)
        fprintf(file, "%s parameters require a gradient\n", s->trainable ? heed__grouped(s->trainable).s : "no");
    return fflush(file) == 0 && !ferror(file) ? HEED_OK
                                              : heed_fail(HEED_ERR_IO, where, "cannot write the table to the file");
}

/* -- The forward --------------------------------------------------------------------------------------------------- */

static heed_status run_summarised(summary *s, const char *where, heed_module *m, heed_summary_forward forward,
                                  void *user)
{
    const int64_t observer =
        heed_add_observer(&(heed_observer){.began = summary_began, .ended = summary_ended, .user = s});
    if (!observer)
        return heed_error_code();
    const summary *outer = running;
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
static heed_status run_and_restore(summary *s, const char *where, heed_module *m, heed_summary_forward forward,
                                   void *user)
{
    saved_buffers saved = {.n = 0};
    uint64_t seed = 0, position = 0;
    (void)heed_generator_get_state(NULL, &seed, &position);
    heed_status status = save_buffers(&saved, m);
    if (status == HEED_OK)
        status = run_summarised(s, where, m, forward, user);
    (void)heed_generator_set_state(NULL, seed, position);
    restore_buffers(&saved);
    return status;
}

static heed_status summarise(const char *where, heed_module *m, heed_tensor *input, heed_summary_forward forward,
                             void *user, FILE *file)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    summary s = {.n_rows = 0};
    heed_status status = heed_module_walk_modules(m, add_module_row, &s);
    if (status == HEED_OK)
        status = heed_module_walk(m, add_member, &s);
    if (status == HEED_OK && input && !add_address(&s.stored, heed_storage_of(input).address))
        status = heed_error_code();
    if (status == HEED_OK)
        status = run_and_restore(&s, where, m, forward, user);
    if (status == HEED_OK)
        status = write_summary(&s, where, file);
    heed_free(s.rows, s.capacity * sizeof *s.rows);
    free_addresses(&s.counted);
    free_addresses(&s.stored);
    heed_scope_end(scope);
    return status;
}

static heed_status check_summary(const char *where, const heed_module *m, const void *what, const char *name,
                                 const FILE *file)
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
    const heed_status status = check_summary(where, m, input, "input", file);
    return status == HEED_OK ? summarise(where, m, input, forward_input, input, file) : status;
}

heed_status heed_module_summary_with(heed_module *m, heed_summary_forward forward, void *user, FILE *file)
{
    static const char where[] = "module_summary_with";
    HEED_ENTER(where);
    const heed_status status = check_summary(where, m, (const void *)(uintptr_t)forward, "forward", file);
    return status == HEED_OK ? summarise(where, m, NULL, forward, user, file) : status;
}
