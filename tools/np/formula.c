/* tools/np/formula.c - a small recursive-descent parser of formulas as in R:
 *     formula  = [ response ] "~" [ "-" ] item { ( "+" | "-" ) item }     "-" excludes a column from "."
 *     item     = "." | name | "I" "(" sum ")" | function "(" sum ")" | kind "(" name { "," text } ")"
 *     response = sum | "factor" "(" name ")"
 *     sum      = product { ( "+" | "-" ) product }     product = power { ( "*" | "/" ) power }
 *     power    = [ "-" ] operand [ "^" power ]          operand = number | name | function "(" sum ")" | "(" sum ")"
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "np/formula.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 32 };

typedef struct reader {
    const char *text, *at;
    char *error;
    size_t size;
    formula_term *term; /* the term that is read */
    int depth;          /* of nested brackets and signs */
} reader;

static bool refuse(const reader *r, const char *expected)
{
    (void)snprintf(r->error, r->size, "\"%s\", at character %d: expected %s", r->text, (int)(r->at - r->text) + 1,
                   expected);
    return false;
}

/* -- Characters and names ------------------------------------------------------------------------------------------ */

static char next_character(reader *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
    return *r->at;
}

static bool accept_character(reader *r, char c)
{
    if (next_character(r) != c)
        return false;
    r->at++;
    return true;
}

static bool is_name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || (unsigned char)c >= 0x80;
}

/* Appends to the text of the term. */
static bool append(reader *r, const char *text)
{
    const size_t used = strlen(r->term->text), size = strlen(text);
    if (used + size >= FORMULA_TEXT)
        return refuse(r, "a term of at most 271 bytes");
    memcpy(r->term->text + used, text, size + 1);
    return true;
}

static bool read_name(reader *r, char name[FORMULA_NAME])
{
    const bool quoted = accept_character(r, '`');
    const char *begin = r->at;
    while (*r->at && (quoted ? *r->at != '`' : is_name_character(*r->at)))
        r->at++;
    const size_t length = (size_t)(r->at - begin);
    if (length == 0 || length >= FORMULA_NAME)
        return refuse(r, "a column's name of at most 255 bytes");
    memcpy(name, begin, length);
    name[length] = '\0';
    return !quoted || accept_character(r, '`') || refuse(r, "` at the name's end");
}

/* Returns the index of a column in the term, and appends its name, between backquotes if it is unusual; -1 after an
 * error. */
static int add_name(reader *r, const char *name)
{
    formula_term *term = r->term;
    bool is_plain = true;
    for (const char *c = name; *c; c++)
        is_plain &= is_name_character(*c);
    if (!append(r, is_plain ? "" : "`") || !append(r, name) || !append(r, is_plain ? "" : "`"))
        return -1;
    for (int i = 0; i < term->name_count; i++)
        if (strcmp(term->names[i], name) == 0)
            return i;
    if (term->name_count == FORMULA_NAMES) {
        (void)refuse(r, "at most 4 columns in a term");
        return -1;
    }
    (void)snprintf(term->names[term->name_count], FORMULA_NAME, "%s", name);
    return term->name_count++;
}

/* -- Expressions --------------------------------------------------------------------------------------------------- */

static bool read_sum(reader *r);

static bool add_step(reader *r, formula_step step)
{
    if (r->term->step_count == FORMULA_STEPS)
        return refuse(r, "a shorter term");
    r->term->steps[r->term->step_count++] = step;
    return true;
}

static const char *const functions[] = {[FORMULA_LOG] = "log",
                                        [FORMULA_LOG1P] = "log1p",
                                        [FORMULA_SQRT] = "sqrt",
                                        [FORMULA_EXP] = "exp",
                                        [FORMULA_ABS] = "abs"};

/* Reads a sum in brackets; the opening one is already read. */
static bool read_bracket(reader *r)
{
    if (++r->depth > DEPTH)
        return refuse(r, "fewer brackets");
    const bool read = append(r, "(") && read_sum(r) && (accept_character(r, ')') || refuse(r, ")")) && append(r, ")");
    r->depth--;
    return read;
}

static bool read_function(reader *r, const char *name)
{
    if (strcmp(name, "I") == 0)
        return append(r, "I") && read_bracket(r);
    for (int i = FORMULA_LOG; i <= FORMULA_ABS; i++)
        if (strcmp(name, functions[i]) == 0)
            return append(r, name) && read_bracket(r) && add_step(r, (formula_step){(formula_operation)i, 0, 0});
    r->at--;
    return refuse(r, "log, log1p, sqrt, exp, abs, I, factor, ordered or date before a bracket");
}

static bool read_number(reader *r)
{
    char *end, text[48];
    const double number = strtod(r->at, &end);
    const size_t size = (size_t)(end - r->at);
    if (size == 0 || size >= sizeof text)
        return refuse(r, "a number");
    memcpy(text, r->at, size);
    text[size] = '\0';
    r->at = end;
    return append(r, text) && add_step(r, (formula_step){FORMULA_NUMBER, 0, number});
}

static bool read_operand(reader *r)
{
    char name[FORMULA_NAME];
    const char c = next_character(r);
    if (accept_character(r, '('))
        return read_bracket(r);
    if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)r->at[1])))
        return read_number(r);
    const bool quoted = c == '`';
    if (!read_name(r, name))
        return false;
    if (!quoted && accept_character(r, '('))
        return read_function(r, name);
    const int column = add_name(r, name);
    return column >= 0 && add_step(r, (formula_step){FORMULA_COLUMN, column, 0});
}

static bool read_power(reader *r)
{
    if (++r->depth > DEPTH)
        return refuse(r, "fewer brackets and signs");
    bool read;
    if (accept_character(r, '-'))
        read = append(r, "-") && read_power(r) && add_step(r, (formula_step){FORMULA_NEGATE, 0, 0});
    else
        read = read_operand(r) && (!accept_character(r, '^') || (append(r, "^") && read_power(r) &&
                                                                 add_step(r, (formula_step){FORMULA_POWER, 0, 0})));
    r->depth--;
    return read;
}

static bool read_product(reader *r)
{
    if (!read_power(r))
        return false;
    for (char c = next_character(r); c == '*' || c == '/'; c = next_character(r)) {
        r->at++;
        const formula_operation operation = c == '*' ? FORMULA_MULTIPLY : FORMULA_DIVIDE;
        if (!append(r, c == '*' ? "*" : "/") || !read_power(r) || !add_step(r, (formula_step){operation, 0, 0}))
            return false;
    }
    return true;
}

static bool read_sum(reader *r)
{
    if (!read_product(r))
        return false;
    for (char c = next_character(r); c == '+' || c == '-'; c = next_character(r)) {
        r->at++;
        const formula_operation operation = c == '+' ? FORMULA_ADD : FORMULA_SUBTRACT;
        if (!append(r, c == '+' ? "+" : "-") || !read_product(r) || !add_step(r, (formula_step){operation, 0, 0}))
            return false;
    }
    return true;
}

/* -- Terms --------------------------------------------------------------------------------------------------------- */

static const char *const kinds[] = {
    [FORMULA_FACTOR] = "factor", [FORMULA_ORDERED] = "ordered", [FORMULA_DATE] = "date"};

static bool read_level(reader *r)
{
    formula_term *term = r->term;
    size_t used = 0;
    for (int i = 0; i < term->level_count; i++)
        used += strlen(term->levels + used) + 1;
    const char quote = next_character(r), *begin = r->at;
    const bool quoted = quote == '"' || quote == '\'';
    r->at += quoted;
    begin += quoted;
    while (*r->at && (quoted ? *r->at != quote : is_name_character(*r->at)))
        r->at++;
    const size_t size = (size_t)(r->at - begin);
    if ((size == 0 && !quoted) || used + size >= FORMULA_LEVELS)
        return refuse(r, "a text such as \"low\", in all at most 1023 bytes");
    memcpy(term->levels + used, begin, size);
    term->levels[used + size] = '\0';
    term->level_count++;
    return !quoted || accept_character(r, quote) || refuse(r, "a quote at the text's end");
}

/* Reads factor(x), ordered(x, "a", "b") or date(x) from the bracket on. */
static bool read_kind(reader *r, formula_use use)
{
    char name[FORMULA_NAME];
    r->term->use = use;
    if (!append(r, kinds[use]) || !append(r, "(") || !read_name(r, name) || add_name(r, name) < 0 || !append(r, ")"))
        return false;
    while (use == FORMULA_ORDERED && accept_character(r, ','))
        if (!read_level(r))
            return false;
    return accept_character(r, ')') || refuse(r, use == FORMULA_ORDERED ? ", or )" : ")");
}

/* Reads "factor(" and so on; returns false without an error if the text begins differently. */
static bool accept_kind(reader *r, formula_use *use)
{
    (void)next_character(r);
    for (int i = FORMULA_FACTOR; i <= FORMULA_DATE; i++) {
        const size_t size = strlen(kinds[i]);
        if (strncmp(r->at, kinds[i], size) == 0 && r->at[size] == '(') {
            *use = (formula_use)i;
            r->at += size + 1;
            return true;
        }
    }
    return false;
}

/* Reads a term; `sum` allows sums and products outside brackets, as in a response. */
static bool read_term(reader *r, formula_term *term, bool sum)
{
    formula_use use;
    *term = (formula_term){.name_count = 0};
    r->term = term;
    if (accept_kind(r, &use) ? !read_kind(r, use) : sum ? !read_sum(r) : !read_operand(r))
        return false;
    if (term->use == FORMULA_EXPRESSION && term->name_count == 0)
        return refuse(r, "a term with a column; the fit needs no intercept, 1 or 0");
    if (formula_is_column(term) && term->text[0] == '`')
        (void)snprintf(term->text, sizeof term->text, "%s", term->names[0]);
    const char c = next_character(r);
    if (c == '*' || c == ':')
        return refuse(r, "+: a kernel regression contains all interactions of its columns; products are I(x*z)");
    return (c != '^' && c != '/') || refuse(r, "+ or the end; powers and quotients are I(x^2) and I(x/z)");
}

bool formula_column(formula_term *term, const char *name)
{
    *term = (formula_term){.name_count = 1, .step_count = 1, .steps = {{.operation = FORMULA_COLUMN}}};
    (void)snprintf(term->text, sizeof term->text, "%s", name);
    (void)snprintf(term->names[0], FORMULA_NAME, "%s", name);
    return strlen(name) < FORMULA_NAME;
}

static bool term_mentions(const formula_term *term, const char *name)
{
    for (int i = 0; i < term->name_count; i++)
        if (strcmp(term->names[i], name) == 0)
            return true;
    return false;
}

bool formula_mentions(const formula *f, const char *name)
{
    bool found = f->has_response && term_mentions(&f->response, name);
    for (int i = 0; i < f->count && !found; i++)
        found = term_mentions(&f->terms[i], name);
    for (int i = 0; i < f->excluded_count && !found; i++)
        found = strcmp(f->excluded[i], name) == 0;
    return found;
}

/* -- Formulas ------------------------------------------------------------------------------------------------------ */

/* A repeated term would have two bandwidths of which only the product matters. */
static bool is_new(const reader *r, const formula *f)
{
    const char *text = f->terms[f->count - 1].text;
    if (f->has_response && strcmp(f->response.text, text) == 0)
        return refuse(r, "columns other than the one before ~");
    for (int i = 0; i < f->count - 1; i++)
        if (strcmp(f->terms[i].text, text) == 0)
            return refuse(r, "each column once");
    return true;
}

static bool read_item(reader *r, formula *f, bool excluded)
{
    if (excluded && f->excluded_count == HEED_NP_MAX_COLUMNS)
        return refuse(r, "at most 16 columns after -");
    if (excluded)
        return read_name(r, f->excluded[f->excluded_count++]);
    if (next_character(r) == '.' && !is_name_character(r->at[1])) {
        r->at++;
        return f->has_dot ? refuse(r, ". once") : (f->has_dot = true);
    }
    if (f->count == HEED_NP_MAX_COLUMNS)
        return refuse(r, "no more columns");
    return read_term(r, &f->terms[f->count++], false) && is_new(r, f);
}

bool formula_parse(formula *f, const char *text, char *error, size_t size)
{
    reader r = {.text = text, .at = text, .error = error, .size = size};
    f->count = 0;
    f->has_response = !accept_character(&r, '~');
    if (f->has_response && !read_term(&r, &f->response, true))
        return false;
    if (f->has_response && (f->response.use == FORMULA_ORDERED || f->response.use == FORMULA_DATE))
        return refuse(&r, "numbers or factor() before ~");
    if (f->has_response && !accept_character(&r, '~'))
        return refuse(&r, "~");
    for (char c = next_character(&r) == '-' ? '-' : '+';; c = next_character(&r)) {
        const bool first = f->count == 0 && !f->has_dot && f->excluded_count == 0;
        if (c != '+' && c != '-')
            break;
        r.at += !first || c == '-';
        if (!read_item(&r, f, c == '-'))
            return false;
    }
    if (*r.at)
        return refuse(&r, "+, - or the end");
    if (f->excluded_count > 0 && !f->has_dot)
        return refuse(&r, "a . among the terms: - leaves out one of all columns");
    return true;
}
