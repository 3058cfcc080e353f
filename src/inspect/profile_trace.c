/* inspect/profile_trace.c - writes a profile as a Chrome trace, in the JSON array format. Events are built and written
 * one at a time, so that only one is in memory.
 *
 * Trace Event Format, N. Duca and D. Sinclair,
 *     docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <errno.h>
#include <string.h>

#include <heed/heed.h>
#include <jansson.h>

#include "base/utf8.h"
#include "inspect/profile.h"
#include "io/replace.h"
#include "system/system.h"

typedef struct trace {
    const heed__profile *profile;
    heed__output *out;
    bool first; /* the next event is the first one */
} trace;

/* -- Values (NULL without memory) ---------------------------------------------------------------------------------- */

/* Converts any text, with '?' in place of invalid UTF-8. */
static json_t *text_json(const char *text)
{
    if (heed__utf8_size(text) == strlen(text))
        return json_string(text);
    char copy[HEED_MODULE_PATH_MAX];
    size_t used = 0;
    while (*text && used + 4 < sizeof copy) {
        const size_t n = heed__utf8_character(text);
        memcpy(copy + used, n > 0 ? text : "?", n > 0 ? n : 1);
        used += n > 0 ? n : 1;
        text += n > 0 ? n : 1;
    }
    return json_stringn(copy, used);
}

/* Converts to microseconds, the unit of the format. */
static json_t *time_json(int64_t nanoseconds)
{
    return json_real((double)nanoseconds / 1e3);
}

/* Formats a tensor as "f32 (2, 3)", or null for NULL, and advances *at to the next one. */
static json_t *tensor_json(const heed__described_tensor **at)
{
    const int64_t what = *(*at)++;
    if (what < 0)
        return json_null();
    heed_shape shape = {.rank = (int)(what >> 8)};
    for (int axis = 0; axis < shape.rank; axis++)
        shape.dims[axis] = *(*at)++;
    return json_sprintf("%s %s", heed_dtype_name((heed_dtype)(what & 0xff)), heed_shape_text(shape).s);
}

static bool add_tensors(json_t *args, const char *name, int n, const heed__described_tensor **at)
{
    json_t *list = n > 0 ? json_array() : NULL;
    for (int i = 0; i < n; i++)
        if (json_array_append_new(list, tensor_json(at)) != 0) {
            json_decref(list);
            return false;
        }
    return n == 0 || json_object_set_new(args, name, list) == 0;
}

static bool add_text(json_t *args, const char *name, const char *text)
{
    return !text || !*text || json_object_set_new(args, name, text_json(text)) == 0;
}

/* Builds the event's arguments: shapes, lines, module. */
static json_t *args_json(const heed__profile_record *record, const char **path)
{
    const bool backward = record->kind == HEED_EVENT_BACKWARD;
    const heed__described_tensor *at = (const heed__described_tensor *)(const void *)(record + 1);
    json_t *args = json_object();
    bool ok = args && add_tensors(args, "inputs", record->n_inputs, &at) &&
              (!record->more_inputs || json_object_set_new(args, "more inputs", json_true()) == 0) &&
              add_tensors(args, backward ? "gradients" : "outputs", record->n_outputs, &at);
    *path = ok ? (const char *)at : "";
    ok = ok && add_text(args, "line", record->site) && add_text(args, "recorded at", record->recorded_at) &&
         add_text(args, "module", *path) &&
         (record->multiply_adds == 0 ||
          json_object_set_new(args, "multiply-adds", json_integer(record->multiply_adds)) == 0) &&
         (!record->failed || json_object_set_new(args, "failed", json_true()) == 0);
    if (ok)
        return args;
    json_decref(args);
    return NULL;
}

/* -- Events -------------------------------------------------------------------------------------------------------- */

static int write_trace_piece(const char *text, size_t size, void *user)
{
    return heed__write(user, text, size) ? 0 : -1;
}

/* Writes an event and frees it. The event may be NULL, which fails. */
static bool write_event(trace *t, json_t *event)
{
    errno = ENOMEM;
    const bool ok = event && heed__write(t->out, t->first ? "[\n" : ",\n", 2) &&
                    json_dump_callback(event, write_trace_piece, t->out, JSON_COMPACT | JSON_REAL_PRECISION(15)) == 0;
    t->first = false;
    json_decref(event);
    return ok;
}

/* Writes the display name of a process or thread. */
static bool write_name(trace *t, const char *what, int thread, json_t *name)
{
    return write_event(t,
                       json_pack("{s:s, s:s, s:i, s:i, s:{s:o}}", "name", what, "ph", "M", "pid", heed__process_id(),
                                 "tid", thread, "args", strcmp(what, "process_labels") == 0 ? "labels" : "name", name));
}

static bool write_record(trace *t, int thread, const heed__profile_record *record)
{
    static const char *const categories[] = {"forward", "backward", "module", "span", "task"};
    const char *path;
    json_t *args = args_json(record, &path);
    if (!args)
        return false;
    const bool module = record->kind == HEED_EVENT_MODULE, backward = record->kind == HEED_EVENT_BACKWARD;
    json_t *name = text_json(module && *path ? path : record->name);
    if (name && backward) {
        json_t *op = name;
        name = json_sprintf("%s backward", json_string_value(op));
        json_decref(op);
    }
    return write_event(t, json_pack("{s:o, s:s, s:s, s:o, s:o, s:i, s:i, s:o}", "name", name, "cat",
                                    categories[record->kind], "ph", "X", "ts", time_json(record->began), "dur",
                                    time_json(record->ended - record->began), "pid", heed__process_id(), "tid", thread,
                                    "args", args));
}

static bool write_chunk(trace *t, const heed__chunk *chunk)
{
    bool ok =
        !chunk->first || write_name(t, "thread_name", chunk->thread,
                                    json_sprintf(chunk->worker ? "heed's thread %d" : "thread %d", chunk->thread));
    for (const heed__profile_record *it = heed__next_record(chunk, NULL); it && ok; it = heed__next_record(chunk, it))
        ok = write_record(t, chunk->thread, it);
    return ok;
}

static bool write_trace(heed__output *out, void *user)
{
    trace t = {.profile = user, .out = out, .first = true};
    const int64_t dropped = atomic_load(&t.profile->dropped);
    bool ok = write_name(&t, "process_name", 0, json_string("heed " HEED_VERSION));
    if (ok && dropped > 0)
        ok = write_name(&t, "process_labels", 0, json_sprintf("%lld events dropped", (long long)dropped));
    for (size_t i = 0; i < heed__profile_chunks(t.profile) && ok; i++)
        ok = write_chunk(&t, heed__profile_chunk(t.profile, i));
    return ok && heed__write(out, "\n]\n", 3);
}

heed_status heed__profile_trace(heed__profile *p, const char *where, const char *path)
{
    return heed__replace_by(where, path, write_trace, p);
}
