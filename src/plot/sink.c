/* plot/sink.c - appends text and numbers to a growing buffer.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <heed/memory.h>

#include "plot/sink.h"

#define FIRST_SIZE 4096
#define LIMIT 1e9

void heed__sink_free(heed__sink *sink)
{
    heed_free(sink->text, sink->size);
    *sink = (heed__sink){.text = NULL};
}

static bool reserve_bytes(heed__sink *sink, size_t count)
{
    if (sink->failed)
        return false;
    if (count <= sink->size - sink->used)
        return true;
    size_t size = sink->size ? sink->size : FIRST_SIZE;
    while (size - sink->used < count)
        if (__builtin_mul_overflow(size, (size_t)2, &size))
            size = SIZE_MAX; /* heed_alloc fails for this size */
    char *text = heed_alloc(size);
    sink->failed = !text;
    if (!text)
        return false;
    if (sink->used)
        memcpy(text, sink->text, sink->used);
    heed_free(sink->text, sink->size);
    sink->text = text;
    sink->size = size;
    return true;
}

void heed__sink_bytes(heed__sink *sink, const char *bytes, size_t count)
{
    if (count == 0 || !reserve_bytes(sink, count))
        return;
    memcpy(sink->text + sink->used, bytes, count);
    sink->used += count;
}

void heed__sink_text(heed__sink *sink, const char *text)
{
    heed__sink_bytes(sink, text, strlen(text));
}

/* Prints only integers, so that the result does not depend on the locale. */
void heed__sink_number(heed__sink *sink, double value)
{
    char text[32];
    double clamped = fmin(fmax(value, -LIMIT), LIMIT);
    int64_t hundredths = (int64_t)floor(fabs(clamped) * 100 + 0.5);
    int whole = snprintf(text, sizeof text, "%s%" PRId64, clamped < 0 && hundredths ? "-" : "", hundredths / 100);
    int rest = (int)(hundredths % 100);
    heed__sink_bytes(sink, text, (size_t)whole);
    if (rest == 0)
        return;
    const char digits[] = {'.', (char)('0' + rest / 10), (char)('0' + rest % 10)};
    heed__sink_bytes(sink, digits, rest % 10 ? 3 : 2);
}
