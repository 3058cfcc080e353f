/* plot/sink.h - a text buffer that grows.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_PLOT_SINK_H
#define HEED_PLOT_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct heed__sink {
    char *text; /* without a final NUL */
    size_t used, size;
    bool failed; /* memory ran out, and the error is pending; further text is dropped */
} heed__sink;

void heed__sink_free(heed__sink *sink);

void heed__sink_bytes(heed__sink *sink, const char *bytes, size_t count);
void heed__sink_text(heed__sink *sink, const char *text);

/* Appends a number with two decimals, without trailing zeros: "12.5", "-0.25". It is clamped to ±1e9. */
void heed__sink_number(heed__sink *sink, double value);

#endif
