/* plot/sink.c - appends text, numbers and XML to a growing buffer. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <heed/memory.h>

#include "base/utf8.h"
#include "plot/sink.h"

#define FIRST_SIZE 4096
#define LIMIT 1e9

void heed__sink_free(heed__sink *sink)
{
    heed_free(sink->text, sink->size);
    *sink = (heed__sink){.text = NULL};
}

static bool reserve(heed__sink *sink, size_t count)
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
    if (count == 0 || !reserve(sink, count))
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

static void begin_attribute(heed__sink *sink, const char *name)
{
    heed__sink_text(sink, " ");
    heed__sink_text(sink, name);
    heed__sink_text(sink, "=\"");
}

void heed__sink_attribute(heed__sink *sink, const char *name, double value)
{
    begin_attribute(sink, name);
    heed__sink_number(sink, value);
    heed__sink_text(sink, "\"");
}

void heed__sink_color(heed__sink *sink, const char *name, uint32_t color)
{
    char text[16];
    (void)snprintf(text, sizeof text, "#%06" PRIx32 "\"", color & 0xffffff);
    begin_attribute(sink, name);
    heed__sink_text(sink, text);
}

/* Returns true for the characters that XML 1.0 allows (section 2.2). */
static bool is_allowed(uint32_t c)
{
    return c >= 0x20 ? c != 0xfffe && c != 0xffff : c == '\t' || c == '\n' || c == '\r';
}

void heed__sink_escaped(heed__sink *sink, const char *text)
{
    while (*text) {
        const char *from = text;
        uint32_t c = heed__utf8_next(&text);
        if (c == '&')
            heed__sink_text(sink, "&amp;");
        else if (c == '<')
            heed__sink_text(sink, "&lt;");
        else if (c == '>')
            heed__sink_text(sink, "&gt;");
        else if (c == 0xfffd || !is_allowed(c))
            heed__sink_text(sink, "\xef\xbf\xbd");
        else
            heed__sink_bytes(sink, from, (size_t)(text - from));
    }
}

void heed__sink_base64(heed__sink *sink, const uint8_t *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        size_t left = count - i;
        uint32_t b1 = left > 1 ? bytes[i + 1] : 0, b2 = left > 2 ? bytes[i + 2] : 0;
        uint32_t bits = (uint32_t)bytes[i] << 16 | b1 << 8 | b2;
        const char text[] = {digits[bits >> 18], digits[bits >> 12 & 63], left > 1 ? digits[bits >> 6 & 63] : '=',
                             left > 2 ? digits[bits & 63] : '='};
        heed__sink_bytes(sink, text, sizeof text);
    }
}
