/* tools/np/column.c - the values of a term: numbers, dates, or texts as codes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "np/column.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/iso8601.h"

/* -- Errors -------------------------------------------------------------------------------------------------------- */

/* Options that repair a problem, by a part of the library's message. */
static const struct {
    const char *part, *advice;
} advices[] = {
    {"is ',' the decimal sign, or does", " (--decimal , or --thousands ,)"},
    {"is '.' the decimal sign, or does", " (--decimal . or --thousands .)"},
    {"is ',' the decimal sign?", " (--decimal ,)"},
    {"is '.' the decimal sign?", " (--decimal .)"},
    {"does ',' separate thousands?", " (--thousands ,)"},
    {"does '.' separate thousands?", " (--thousands .)"},
    {"is a tab the separator?", " (--separator tab)"},
    {"do blanks separate fields?", " (--separator space)"},
    {"the separator?", " (--separator C)"},
    {"set date_order to", " (--date-order day or --date-order month)"},
    {"columns are \"sep=\"", " (--skip-lines 1 ignores the line for Excel)"},
    {"than the header has", "; --skip-lines N ignores lines before the header, --comment C comments"},
};

/* Prints the pending error of the library and a text after it. */
static bool print_error_and(const char *more)
{
    const char *message = heed_error_code() == HEED_OK ? "cannot write" : heed_error_message();
    const size_t name = strspn(message, "abcdefghijklmnopqrstuvwxyz_0123456789");
    const char *advice = "";
    for (size_t i = 0; i < sizeof advices / sizeof advices[0] && !*advice; i++)
        advice = strstr(message, advices[i].part) ? advices[i].advice : "";
    if (name > 0 && message[name] == ':' && message[name + 1] == ' ')
        message += name + 2; /* the name of the function */
    (void)fprintf(stderr, "heed-np: %s%s%s\n", message, advice, more);
    return false;
}

bool print_error(void)
{
    return print_error_and("");
}

static heed_tensor *fail(void)
{
    (void)print_error();
    return NULL;
}

/* -- Numbers ------------------------------------------------------------------------------------------------------- */

static heed_tensor *apply(formula_operation operation, heed_tensor *a, heed_tensor *b)
{
    switch (operation) {
    case FORMULA_ADD:
        return heed_add(a, b);
    case FORMULA_SUBTRACT:
        return heed_sub(a, b);
    case FORMULA_MULTIPLY:
        return heed_mul(a, b);
    case FORMULA_DIVIDE:
        return heed_div(a, b);
    case FORMULA_POWER:
        return heed_pow(a, b);
    case FORMULA_NEGATE:
        return heed_neg(a);
    case FORMULA_LOG:
        return heed_log(a);
    case FORMULA_LOG1P:
        return heed_log1p(a);
    case FORMULA_SQRT:
        return heed_sqrt(a);
    case FORMULA_EXP:
        return heed_exp(a);
    case FORMULA_ABS:
    default:
        return heed_abs(a);
    }
}

/* Computes an expression; a column or number becomes the top of the stack. Returns NULL after an error of the
 * library. */
static heed_tensor *evaluate(const formula_term *term, const heed_io_csv *csv)
{
    heed_tensor *stack[FORMULA_STEPS + 1];
    int depth = 0;
    for (int i = 0; i < term->step_count; i++) {
        const formula_step *step = &term->steps[i];
        const bool binary = step->operation >= FORMULA_ADD && step->operation <= FORMULA_POWER;
        heed_tensor *result;
        if (step->operation == FORMULA_COLUMN) {
            result = heed_io_csv_column(csv, term->names[step->column], HEED_F64);
            depth++;
        } else if (step->operation == FORMULA_NUMBER) {
            result = heed_full(HEED_F64, HEED_SHAPE(heed_io_csv_get_facts(csv).rows), step->number);
            depth++;
        } else {
            depth -= binary;
            result = apply(step->operation, stack[depth - 1], binary ? stack[depth] : NULL);
        }
        if (!result)
            return NULL;
        stack[depth - 1] = result;
    }
    return stack[0];
}

/* -- Texts --------------------------------------------------------------------------------------------------------- */

static void list_labels(const heed_categories *labels, char *list, size_t size)
{
    size_t used = 0;
    list[0] = '\0';
    for (int64_t i = 0; i < heed_categories_count(labels) && used < size; i++)
        used += (size_t)snprintf(list + used, size - used, "%s\"%s\"", i ? ", " : "",
                                 heed__escaped(heed_categories_name(labels, i)).s);
    if (used >= size)
        memcpy(list + size - sizeof "...", "...", sizeof "...");
}

static int index_of(const heed_io_csv *csv, const char *name)
{
    const int count = heed_io_csv_get_facts(csv).columns;
    for (int i = 0; i < count; i++)
        if (strcmp(heed_io_csv_name(csv, i), name) == 0)
            return i;
    return -1;
}

/* Reads codes, NaN for a missing text. A text that the labels lack is an error that lists the labels. */
static heed_tensor *codes_of(const column *c, const formula_term *term, const heed_io_csv *csv)
{
    heed_tensor *codes = heed_io_csv_codes(csv, term->names[0], c->labels);
    if (!codes && heed_error_code() == HEED_ERR_FORMAT) {
        char known[400] = ": ";
        list_labels(c->labels, known + strlen(known), sizeof known - strlen(known));
        (void)print_error_and(known);
        return NULL;
    }
    heed_tensor *values = heed_to_dtype(codes, HEED_F64);
    double *v = values ? heed_mutable_f64(values) : NULL;
    for (int64_t i = 0; v && i < heed_numel(values); i++)
        v[i] = v[i] < 0 ? (double)NAN : v[i];
    return v ? values : fail();
}

static heed_tensor *texts_of(column *c, const formula_term *term, const heed_io_csv *csv)
{
    c->kind = HEED_NP_UNORDERED;
    c->labels = heed_io_csv_categories(csv, term->names[0]);
    return c->labels ? codes_of(c, term, csv) : fail();
}

/* Makes the labels of ordered(x, "a", "b"). */
static bool set_levels(column *c, const formula_term *term)
{
    const char *levels[COLUMN_LEVELS], *at = term->levels;
    if (term->level_count > COLUMN_LEVELS) {
        (void)fprintf(stderr, "heed-np: %s has %d texts: must be at most %d\n", heed__escaped(term->text).s,
                      term->level_count, COLUMN_LEVELS);
        return false;
    }
    for (int i = 0; i < term->level_count; i++, at += strlen(at) + 1)
        levels[i] = at;
    c->labels = heed_categories_new(levels, term->level_count);
    if (!c->labels)
        return print_error();
    for (int i = 0; i < term->level_count; i++)
        c->codes[i] = heed_categories_find(c->labels, levels[i]);
    c->has_levels = true;
    if (heed_categories_count(c->labels) == term->level_count)
        return true;
    (void)fprintf(stderr, "heed-np: %s lists a text twice\n", heed__escaped(term->text).s);
    return false;
}

static heed_tensor *ordered_texts(column *c, const formula_term *term, const heed_io_csv *csv)
{
    int64_t ranks[COLUMN_LEVELS];
    if (!c->known && !set_levels(c, term))
        return NULL;
    heed_tensor *codes = codes_of(c, term, csv);
    if (!codes)
        return NULL;
    for (int i = 0; i < term->level_count; i++)
        ranks[c->codes[i]] = i;
    double *values = heed_mutable_f64(codes);
    for (int64_t row = 0; row < heed_numel(codes); row++)
        values[row] = isnan(values[row]) ? values[row] : (double)ranks[(int64_t)values[row]];
    return codes;
}

static bool are_whole(heed_tensor *numbers)
{
    const double *x = heed_data_f64(numbers);
    for (int64_t i = 0; i < heed_numel(numbers); i++)
        if (x[i] != floor(x[i]))
            return false;
    return true;
}

static heed_tensor *ordered_of(column *c, const formula_term *term, const heed_io_csv *csv)
{
    const char *name = term->names[0];
    char list[400];
    c->kind = HEED_NP_ORDERED;
    if (term->level_count > 0)
        return ordered_texts(c, term, csv);
    heed_tensor *x = heed_io_csv_column(csv, name, HEED_F64);
    if (x ? c->known || are_whole(x) : heed_error_code() != HEED_ERR_FORMAT)
        return x ? x : fail();
    heed_error_clear();
    heed_categories *labels = heed_io_csv_categories(csv, name);
    if (!labels)
        return fail();
    list_labels(labels, list, sizeof list);
    heed_categories_free(labels);
    (void)fprintf(stderr, "heed-np: %s needs the order of its texts: ordered(%s, %s), in this or a different order\n",
                  heed__escaped(term->text).s, heed__escaped(name).s, list);
    return NULL;
}

/* -- Recognition --------------------------------------------------------------------------------------------------- */

/* Returns true if a text has a digit and otherwise only characters of numbers, and the signs that tables have next to
 * them: 12 %, $1,200, 1'000, <0.5, 13:45, 2024/01. It compares bytes, so a text of other characters that consist of
 * these bytes counts, too. */
static bool looks_like_number(const char *text)
{
    static const char characters[] = "0123456789.,eE+- \t%$<>~':/"
                                     "\u20AC\u00A3\u00A5\u00B0\u2212\u00A0\u202F";
    return text[strspn(text, characters)] == '\0' && strpbrk(text, "0123456789");
}

/* Returns true if a column that could not be read as numbers holds texts: most fields do not look like numbers, and
 * some text occurs twice. */
static bool holds_texts(const heed_io_csv *csv, const formula_term *term)
{
    const int index = index_of(csv, term->names[0]);
    const int64_t rows = heed_io_csv_get_facts(csv).rows;
    int64_t numbers = 0;
    for (int64_t row = 0; row < rows; row++)
        numbers += looks_like_number(heed_io_csv_field(csv, row, index));
    return 2 * numbers < rows;
}

static bool check_distinct(const column *c, const formula_term *term, const heed_io_csv *csv)
{
    if (heed_categories_count(c->labels) < heed_io_csv_get_facts(csv).rows || heed_io_csv_get_facts(csv).rows < 3)
        return true;
    (void)fprintf(stderr,
                  "heed-np: %s has a different text in every row, such as \"%s\" on line %" PRId64
                  "; leave it out, remove the text around numbers, or use factor(%s)\n",
                  heed__escaped(term->text).s,
                  heed__escaped(heed_io_csv_field(csv, 0, index_of(csv, term->names[0]))).s, heed_io_csv_line(csv, 0),
                  heed__escaped(term->names[0]).s);
    return false;
}

/* Reads a column alone: numbers, dates or texts, the first of these that all its fields are. */
static heed_tensor *recognise(column *c, const formula_term *term, const heed_io_csv *csv)
{
    char message[HEED_ERROR_MESSAGE_MAX];
    c->kind = HEED_NP_CONTINUOUS;
    heed_tensor *x = heed_io_csv_column(csv, term->names[0], HEED_F64);
    if (x || heed_error_code() != HEED_ERR_FORMAT)
        return x ? x : fail();
    (void)snprintf(message, sizeof message, "%s", heed_error_message());
    heed_error_clear();
    x = heed_io_csv_dates(csv, term->names[0], HEED_IO_DAYS, HEED_F64);
    c->is_date = x != NULL;
    if (x || strstr(heed_error_message(), "ambiguous"))
        return x ? x : fail();
    heed_error_clear();
    if (holds_texts(csv, term)) {
        x = texts_of(c, term, csv);
        return x && check_distinct(c, term, csv) ? x : NULL;
    }
    (void)heed_io_csv_column(csv, term->names[0], HEED_F64); /* the first error again */
    (void)print_error();
    (void)fprintf(stderr,
                  "heed-np: (--missing TEXT if the text means a missing value; factor(%s) if the values are "
                  "labels)\n",
                  heed__escaped(term->names[0]).s);
    return NULL;
}

heed_tensor *column_values(column *c, const formula_term *term, const heed_io_csv *csv)
{
    heed_tensor *x = NULL;
    if (c->labels && !c->has_levels)
        x = codes_of(c, term, csv);
    else if (term->use == FORMULA_FACTOR)
        x = texts_of(c, term, csv);
    else if (term->use == FORMULA_ORDERED)
        x = ordered_of(c, term, csv);
    else if (term->use == FORMULA_DATE || c->is_date) {
        c->is_date = true;
        x = heed_io_csv_dates(csv, term->names[0], HEED_IO_DAYS, HEED_F64);
        x = x ? x : fail();
    } else if (formula_is_column(term) && !c->known) {
        x = recognise(c, term, csv);
    } else {
        x = evaluate(term, csv);
        x = x ? x : fail();
    }
    c->known = c->known || x != NULL;
    return x;
}

/* -- Output -------------------------------------------------------------------------------------------------------- */

const char *column_label(const column *c, double value)
{
    return heed_categories_name(c->labels, c->has_levels ? c->codes[(int)value] : (int64_t)value);
}

date_text date_of_days(double days)
{
    const int64_t seconds = (int64_t)floor(days * 86400 + 0.5), second = ((seconds % 86400) + 86400) % 86400;
    const heed__date date = heed__date_of_day((seconds - second) / 86400);
    date_text text;
    const int size = snprintf(text.s, sizeof text.s, "%04d-%02d-%02d", date.year, date.month, date.day);
    if (second != 0)
        (void)snprintf(text.s + size, sizeof text.s - (size_t)size, "T%02d:%02d:%02d", (int)(second / 3600),
                       (int)(second / 60 % 60), (int)(second % 60));
    return text;
}

/* Dates are written as codes of their texts. */
static heed_tensor *dates_as_texts(heed_tensor *values, heed_categories **owned)
{
    const int64_t n = heed_numel(values);
    const double *days = heed_data_f64(values);
    heed_tensor *codes = heed_zeros(HEED_I64, HEED_SHAPE(n));
    date_text *texts = codes ? heed_alloc(((size_t)n + 1) * sizeof *texts) : NULL;
    const char **pointers = texts ? heed_alloc(((size_t)n + 1) * sizeof *pointers) : NULL;
    int64_t count = 0;
    for (int64_t i = 0; pointers && i < n; i++) {
        if (isnan(days[i]))
            continue;
        texts[i] = date_of_days(days[i]);
        pointers[count++] = texts[i].s;
    }
    *owned = pointers ? heed_categories_new(pointers, count) : NULL;
    for (int64_t i = 0; *owned && i < n; i++)
        heed_mutable_i64(codes)[i] = isnan(days[i]) ? -1 : heed_categories_find(*owned, texts[i].s);
    heed_free(pointers, ((size_t)n + 1) * sizeof *pointers);
    heed_free(texts, ((size_t)n + 1) * sizeof *texts);
    return *owned ? codes : NULL;
}

heed_tensor *column_output(const column *c, heed_tensor *values, const heed_categories **labels,
                           heed_categories **owned)
{
    *labels = c->labels;
    *owned = NULL;
    values = heed_contiguous(values);
    if (c->is_date && values) {
        heed_tensor *codes = dates_as_texts(values, owned);
        *labels = *owned;
        return codes;
    }
    if (!c->labels)
        return values;
    heed_tensor *codes = heed_to_dtype(heed_masked_fill(values, heed_isnan(values), -1), HEED_I64);
    int64_t *code = codes && c->has_levels ? heed_mutable_i64(codes) : NULL;
    for (int64_t i = 0; code && i < heed_numel(codes); i++)
        code[i] = code[i] < 0 ? -1 : c->codes[code[i]];
    return codes;
}

void column_free(column *c)
{
    heed_categories_free(c->labels);
    *c = (column){.known = false};
}
