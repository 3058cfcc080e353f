/* tools/np/formula.c - a small recursive-descent parser of formulas as in R:
 *     formula = term "~" term { "+" term }        term = name | function "(" name ")" */

#include "np/formula.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef struct reader {
    const char *text, *at;
    char *error;
    size_t size;
} reader;

static bool refuse(const reader *r, const char *expected)
{
    (void)snprintf(r->error, r->size, "\"%s\", at character %d: expected %s", r->text, (int)(r->at - r->text) + 1,
                   expected);
    return false;
}

static void skip_spaces(reader *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
}

static bool accept_character(reader *r, char c)
{
    skip_spaces(r);
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static bool is_name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || (unsigned char)c >= 0x80;
}

static bool read_name(reader *r, char name[256])
{
    const bool quoted = accept_character(r, '`');
    const char *begin = r->at;
    while (*r->at && (quoted ? *r->at != '`' : is_name_character(*r->at)))
        r->at++;
    const size_t length = (size_t)(r->at - begin);
    if (length == 0 || length >= 256)
        return refuse(r, "a column's name of at most 255 bytes");
    memcpy(name, begin, length);
    name[length] = '\0';
    return !quoted || accept_character(r, '`') || refuse(r, "` at the name's end");
}

static const char *const functions[] = {
    [FORMULA_LOG] = "log", [FORMULA_FACTOR] = "factor", [FORMULA_ORDERED] = "ordered"};

/* Writes a term as R does: a plain column is its name; in a function an unusual name is put between backquotes. */
static void write_term(formula_term *term)
{
    bool is_plain = true;
    for (const char *c = term->name; *c; c++)
        is_plain &= is_name_character(*c);
    const char *quote = is_plain ? "" : "`";
    if (term->use == FORMULA_AS_IS)
        (void)snprintf(term->text, sizeof term->text, "%s", term->name);
    else
        (void)snprintf(term->text, sizeof term->text, "%s(%s%s%s)", functions[term->use], quote, term->name, quote);
}

static bool read_function(reader *r, formula_term *term)
{
    for (int use = FORMULA_LOG; use <= FORMULA_ORDERED; use++)
        if (strcmp(term->name, functions[use]) == 0)
            term->use = (formula_use)use;
    if (term->use == FORMULA_AS_IS)
        return refuse(r, "log, factor or ordered before a bracket");
    return read_name(r, term->name) && (accept_character(r, ')') || refuse(r, ")"));
}

static bool read_term(reader *r, formula_term *term)
{
    term->use = FORMULA_AS_IS;
    if (!read_name(r, term->name) || (accept_character(r, '(') && !read_function(r, term)))
        return false;
    write_term(term);
    return true;
}

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

bool formula_parse(formula *f, const char *text, char *error, size_t size)
{
    reader r = {text, text, error, size};
    f->count = 0;
    f->has_response = !accept_character(&r, '~');
    if (f->has_response && !read_term(&r, &f->response))
        return false;
    if (f->has_response && f->response.use > FORMULA_LOG)
        return refuse(&r, "a column of numbers before ~");
    if (f->has_response && !accept_character(&r, '~'))
        return refuse(&r, "~");
    do {
        if (f->count == HEED_NP_MAX_COLUMNS)
            return refuse(&r, "no more columns");
        if (!read_term(&r, &f->terms[f->count++]) || !is_new(&r, f))
            return false;
    } while (accept_character(&r, '+'));
    skip_spaces(&r);
    return *r.at == '\0' || refuse(&r, "+ or the end");
}
