/* plot/sink.h - text that grows. */
#ifndef HEED_PLOT_SINK_H
#define HEED_PLOT_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct heed__sink {
    char *text; /* not ended by a NUL */
    size_t used, size;
    bool failed; /* there was no memory, and the error is pending: what is added is dropped */
} heed__sink;

void heed__sink_free(heed__sink *sink);

void heed__sink_bytes(heed__sink *sink, const char *bytes, size_t count);
void heed__sink_text(heed__sink *sink, const char *text);

/* A number with two digits after the point, without zeros at the end: "12.5", "-0.25". It is held within ±1e9. */
void heed__sink_number(heed__sink *sink, double value);

/* ` name="12.5"` and ` name="#1f77b4"`. */
void heed__sink_attribute(heed__sink *sink, const char *name, double value);
void heed__sink_color(heed__sink *sink, const char *name, uint32_t color);

/* Text between tags: what XML cannot hold becomes U+FFFD, the replacement character. */
void heed__sink_escaped(heed__sink *sink, const char *text);

/* RFC 4648. */
void heed__sink_base64(heed__sink *sink, const uint8_t *bytes, size_t count);

#endif
