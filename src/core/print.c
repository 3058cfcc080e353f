/* core/print.c - prints tensors in the layout of PyTorch 1.13 (torch/_tensor_str.py).
 *
 *     tensor([[ 1.0000,  2.5000],
 *             [-3.0000,     nan]], shape=(2, 2), dtype=f32)
 *
 * One notation and one width serve the whole tensor. Whole numbers are written "3.", others with 4 digits after the
 * decimal point, and both in scientific notation if their magnitudes differ too much. The printed elements are visited
 * three times: for the notation, for the width, and to write them. No memory is allocated.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "core/tensor.h"

#define LINE_WIDTH 80
#define SUMMARY_ABOVE 1000 /* tensors with more elements are abbreviated */
#define EDGE 3             /* elements printed at each end of an axis of an abbreviated tensor */
#define SHOWN_MAX 10000    /* if more would be printed in total (from 6 axes on), fewer than EDGE are printed */
#define ELEMENT_MAX 32     /* longest element is -9223372036854775808 */

static const char prefix[] = "tensor(";
#define INDENT ((int)sizeof prefix - 1)

/* -- Output ----------------------------------------------------------------------------------------------------- */

typedef struct sink {
    char *text;    /* the caller's buffer, or a buffer in front of `file` */
    size_t size;   /* capacity in bytes */
    size_t used;   /* bytes in use */
    FILE *file;    /* if NULL, text beyond `size` is only counted */
    bool failed;   /* writing to the file failed */
    size_t length; /* length of the whole text so far */
    int column;    /* characters since the last newline */
} sink;

static void flush_sink(sink *s)
{
    if (s->file && fwrite(s->text, 1, s->used, s->file) != s->used)
        s->failed = true;
    s->used = 0;
}

static void put_char(sink *s, char c)
{
    if (s->file && s->used == s->size)
        flush_sink(s);
    if (s->used < s->size)
        s->text[s->used++] = c;
    s->length++;
    s->column = c == '\n' ? 0 : s->column + 1;
}

static void put_text(sink *s, const char *text)
{
    while (*text)
        put_char(s, *text++);
}

static void put_repeated(sink *s, char c, int n)
{
    for (int i = 0; i < n; i++)
        put_char(s, c);
}

/* -- One element ------------------------------------------------------------------------------------------------ */

typedef struct printer {
    sink *sink;
    const heed_tensor *t;
    int64_t edge;             /* number of elements printed at each end of an axis; 0 means all */
    bool any;                 /* there are finite nonzero numbers, which the next three fields describe */
    bool whole;               /* all are whole */
    double smallest, largest; /* their magnitudes */
    bool scientific;
    int width;
} printer;

static double float_at(const printer *p, const char *element)
{
    return p->t->dtype == HEED_F32 ? (double)*(const float *)(const void *)element
                                   : *(const double *)(const void *)element;
}

static void format_float(const printer *p, double value, char text[ELEMENT_MAX])
{
    if (isnan(value)) {
        memcpy(text, "nan", sizeof "nan");
    } else if (isinf(value)) {
        (void)snprintf(text, ELEMENT_MAX, "%s", value < 0 ? "-inf" : "inf");
    } else if (p->scientific) {
        (void)snprintf(text, ELEMENT_MAX, "%.4e", value);
        heed__decimal_point(text);
    } else if (p->whole) {
        (void)snprintf(text, ELEMENT_MAX, "%.0f.", value);
    } else {
        (void)snprintf(text, ELEMENT_MAX, "%.4f", value);
        heed__decimal_point(text);
    }
}

static void format_element(const printer *p, const char *element, char text[ELEMENT_MAX])
{
    if (p->t->dtype == HEED_I64)
        (void)snprintf(text, ELEMENT_MAX, "%" PRId64, *(const int64_t *)(const void *)element);
    else if (p->t->dtype == HEED_BOOL)
        (void)snprintf(text, ELEMENT_MAX, "%s", *(const bool *)(const void *)element ? "True" : "False");
    else
        format_float(p, float_at(p, element), text);
}

/* -- Notation and width ----------------------------------------------------------------------------------------- */

typedef void visit_fn(printer *p, const char *element);

static bool is_elided(const printer *p, int axis)
{
    return p->edge > 0 && p->t->shape.dims[axis] > 2 * p->edge;
}

static int64_t shown(const printer *p, int axis)
{
    return is_elided(p, axis) ? 2 * p->edge : p->t->shape.dims[axis];
}

static int64_t count_shown(const printer *p)
{
    int64_t elements = 1;
    for (int axis = 0; axis < p->t->shape.rank; axis++)
        elements *= shown(p, axis);
    return elements;
}

static void choose_edge(printer *p)
{
    if (p->t->numel <= SUMMARY_ABOVE)
        return;
    p->edge = EDGE;
    while (p->edge > 1 && count_shown(p) > SHOWN_MAX)
        p->edge--;
}

/* Returns the k-th printed element of an axis that begins at `first`. */
static const char *nth(const printer *p, int axis, const char *first, int64_t k)
{
    int64_t i = is_elided(p, axis) && k >= p->edge ? p->t->shape.dims[axis] - 2 * p->edge + k : k;
    return first + i * p->t->strides[axis] * (int64_t)heed_dtype_size(p->t->dtype);
}

static void visit_shown(printer *p, int axis, const char *first, visit_fn *visit)
{
    if (axis == p->t->shape.rank) {
        visit(p, first);
        return;
    }
    for (int64_t k = 0; k < shown(p, axis); k++)
        visit_shown(p, axis + 1, nth(p, axis, first, k), visit);
}

static void extend_range(printer *p, const char *element)
{
    double value = float_at(p, element);
    if (!isfinite(value) || value == 0)
        return;
    double magnitude = fabs(value);
    if (!p->any || magnitude < p->smallest)
        p->smallest = magnitude;
    if (!p->any || magnitude > p->largest)
        p->largest = magnitude;
    p->any = true;
    p->whole = p->whole && value == ceil(value);
}

static void extend_width(printer *p, const char *element)
{
    if (heed_dtype_is_float(p->t->dtype)) {
        double value = float_at(p, element);
        if (!isfinite(value) || value == 0)
            return;
    }
    char text[ELEMENT_MAX];
    format_element(p, element, text);
    if ((int)strlen(text) > p->width)
        p->width = (int)strlen(text);
}

static void choose_notation(printer *p)
{
    p->whole = true;
    p->width = 1;
    if (heed_dtype_is_float(p->t->dtype)) {
        visit_shown(p, 0, p->t->data, extend_range);
        p->scientific =
            p->any && (p->largest / p->smallest > 1000.0 || p->largest > 1e8 || (!p->whole && p->smallest < 1e-4));
    }
    visit_shown(p, 0, p->t->data, extend_width);
}

/* -- Whole tensors ---------------------------------------------------------------------------------------------- */

/* Writes the separator between two entries of an axis. `i` is the index of the second entry, counting the dots as
 * one. */
static void put_separator(printer *p, int axis, int64_t i)
{
    int rank = p->t->shape.rank, indent = INDENT + axis;
    if (axis == rank - 1) {
        int per_line = (LINE_WIDTH - indent) / (p->width + 2);
        if (i % (per_line > 1 ? per_line : 1) != 0) {
            put_text(p->sink, ", ");
            return;
        }
    }
    put_text(p->sink, ",\n");
    put_repeated(p->sink, '\n', rank - axis - 2);
    put_repeated(p->sink, ' ', indent + 1);
}

static void put_axis(printer *p, int axis, const char *first)
{
    int rank = p->t->shape.rank;
    if (axis == rank) {
        char text[ELEMENT_MAX];
        format_element(p, first, text);
        put_repeated(p->sink, ' ', p->width - (int)strlen(text));
        put_text(p->sink, text);
        return;
    }
    int64_t written = 0;
    put_text(p->sink, "[");
    for (int64_t k = 0; k < shown(p, axis); k++) {
        if (k > 0)
            put_separator(p, axis, written);
        if (k == p->edge && is_elided(p, axis)) {
            put_text(p->sink, axis == rank - 1 ? " ..." : "...");
            put_separator(p, axis, ++written);
        }
        put_axis(p, axis + 1, nth(p, axis, first, k));
        written++;
    }
    put_text(p->sink, "]");
}

/* `end` is PyTorch's value of the last line's length, which is two larger than the actual length. */
static void put_suffix(sink *s, const char *suffix, int *end)
{
    int length = (int)strlen(suffix);
    if (*end + length + 2 > LINE_WIDTH) {
        put_text(s, ",\n");
        put_repeated(s, ' ', INDENT);
        *end = INDENT + length;
    } else {
        put_text(s, ", ");
        *end += length + 2;
    }
    put_text(s, suffix);
}

static void put_tensor(sink *s, const heed_tensor *t)
{
    if (!t) {
        put_text(s, "heed_tensor(NULL)");
        return;
    }
    printer p = {.sink = s, .t = t};
    choose_edge(&p);
    put_text(s, prefix);
    if (t->numel == 0) {
        put_text(s, "[]");
    } else {
        choose_notation(&p);
        put_axis(&p, 0, t->data);
    }
    char text[sizeof(heed_text) + 8];
    int end = s->column + 2;
    (void)snprintf(text, sizeof text, "shape=%s", heed_shape_text(t->shape).s);
    put_suffix(s, text, &end);
    (void)snprintf(text, sizeof text, "dtype=%s", heed_dtype_name(t->dtype));
    put_suffix(s, text, &end);
    if (t->requires_grad)
        put_suffix(s, "requires_grad=True", &end);
    put_text(s, ")");
}

size_t heed_format(const heed_tensor *t, char *text, size_t size)
{
    if (t && !heed__check_tensor("format", t))
        return (size_t)snprintf(text, text ? size : 0, "heed_tensor(freed)");
    bool writes = text && size > 0;
    heed_tensor *value = t && t->computed ? heed__computed_value("format", t) : NULL;
    if (t && t->computed && !value)
        return (size_t)snprintf(text, text ? size : 0, "heed_tensor(failed)");
    sink s = {.text = text, .size = writes ? size - 1 : 0};
    put_tensor(&s, value ? value : t);
    heed_release(value);
    if (writes)
        text[s.used] = '\0';
    return s.length;
}

heed_status heed_print(const heed_tensor *t, FILE *file)
{
    if (!file)
        return heed_fail(HEED_ERR_ARGUMENT, "print", "file is NULL");
    if (t && !heed__check_tensor("print", t))
        return heed_error_code();
    heed_tensor *value = t && t->computed ? heed__computed_value("print", t) : NULL;
    if (t && t->computed && !value)
        return heed_error_code();
    char buffer[512];
    sink s = {.text = buffer, .size = sizeof buffer, .file = file};
    put_tensor(&s, value ? value : t);
    heed_release(value);
    put_char(&s, '\n');
    flush_sink(&s);
    /* stdio would hold back the text, and the error, until the file is closed. */
    if (fflush(file) != 0)
        s.failed = true;
    return s.failed ? heed_fail(HEED_ERR_IO, "print", "cannot write to the file") : HEED_OK;
}
