/* ops/product/einsum.c    y = sums of products, described by an equation such as "bqd,bkd->bqk".
 *
 * This file parses the equation. Operands are multiplied from left to right. A letter is summed over as soon as neither
 * the output nor a remaining operand uses it (einsum_product.c). The gradient comes from the ops that einsum is
 * composed of. */

#include "ops/product/einsum.h"

#include <inttypes.h>
#include <string.h>

/* The labels of one operand, or of the output. */
typedef struct term {
    int n, labels[HEED_MAX_RANK]; /* the letters */
    int dots;                     /* number of letters before "...", or -1 */
} term;

typedef struct einsum_equation {
    const char *text, *at;       /* at: the next character to read */
    int64_t sizes[HEED__LABELS]; /* sizes of the labels; -1 if absent */
    int uses[HEED__LABELS];      /* number of operands, plus the output, that use the label */
    int times[HEED__LABELS];     /* number of occurrences in operands */
    int dots;                    /* maximum number of axes that "..." stands for */
    int output[HEED_MAX_RANK], rank;
} einsum_equation;

/* -- Parsing ------------------------------------------------------------------------------------------------------- */

static int label_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    return c >= 'a' && c <= 'z' ? 26 + c - 'a' : -1;
}

static bool is_end(char c)
{
    return c == '\0' || c == ',' || c == '-';
}

/* Reads a term, up to a comma, an arrow or the end of the text. Returns false after heed_fail. */
static bool read_term(einsum_equation *e, term *t)
{
    *t = (term){.dots = -1};
    for (; !is_end(*e->at); e->at++) {
        if (*e->at == ' ')
            continue;
        int label = label_of(*e->at);
        if (label >= 0 && t->n < HEED_MAX_RANK) {
            t->labels[t->n++] = label;
        } else if (t->dots < 0 && strncmp(e->at, "...", 3) == 0) {
            t->dots = t->n;
            e->at += 2;
        } else
            return heed_fail_false(HEED_ERR_ARGUMENT, "einsum",
                                   label >= 0 ? "more than 8 letters at \"%.40s\"" : "cannot parse \"%.40s\"", e->at);
    }
    return true;
}

/* Writes the labels of the axes of a tensor of this rank. Returns false if the term does not fit the rank. */
static bool spread(const term *t, int rank, int *labels)
{
    int more = rank - t->n, n = 0;
    if (more < 0 || (t->dots < 0 && more > 0))
        return false;
    for (int i = 0; i <= t->n; i++) {
        for (int j = more; i == t->dots && j > 0; j--)
            labels[n++] = HEED__LETTERS + j - 1;
        if (i < t->n)
            labels[n++] = t->labels[i];
    }
    return true;
}

/* Returns the name of a label for messages: "letter k", or "axis -1 of ...". */
static heed_text name_of(int label)
{
    heed_text name = {"letter ?"};
    if (label < HEED__LETTERS)
        name.s[7] = (char)(label < 26 ? 'A' + label : 'a' + label - 26);
    else
        memcpy(name.s, "axis -? of ...", sizeof "axis -? of ...");
    if (label >= HEED__LETTERS)
        name.s[6] = (char)('1' + label - HEED__LETTERS);
    return name;
}

/* Parses the term of operand i and labels the axes of x. Returns false after heed_fail. */
static bool read_operand(einsum_equation *e, heed_tensor *x, int i, heed__labelled *operand)
{
    term t;
    const char *text = e->at;
    if (!read_term(e, &t))
        return false;
    operand->x = x;
    if (!spread(&t, x->shape.rank, operand->labels))
        return heed_fail_false(HEED_ERR_SHAPE, "einsum", "operand %d is %s, but \"%.*s\" has %d letters", i,
                               heed_shape_text(x->shape).s, (int)(e->at - text), text, t.n);
    return true;
}

/* Skips the comma after operand i of n; after the last operand, checks for the arrow or the end. Returns false after
 * heed_fail. */
static bool read_separator(einsum_equation *e, int i, int n)
{
    if ((i < n - 1) != (*e->at == ','))
        return heed_fail_false(HEED_ERR_ARGUMENT, "einsum", "\"%.100s\" is not an equation for %d operands", e->text,
                               n);
    e->at += i < n - 1;
    return true;
}

/* -- Sizes --------------------------------------------------------------------------------------------------------- */

static bool check_size(einsum_equation *e, const heed__labelled *operand, int i, int axis)
{
    int label = operand->labels[axis], first = 0;
    int64_t size = operand->x->shape.dims[axis], before = e->sizes[label];
    while (operand->labels[first] != label)
        first++;
    if (first < axis) /* a diagonal: its axes must have equal sizes, without broadcasting */
        before = operand->x->shape.dims[first];
    else if (before < 0 || before == 1 || size == 1) {
        e->sizes[label] = before > 1 || before == 0 ? before : size;
        return true;
    }
    if (before != size)
        return heed_fail_false(HEED_ERR_SHAPE, "einsum", "%s has size %" PRId64 ", but %" PRId64 " in operand %d %s",
                               name_of(label).s, before, size, i, heed_shape_text(operand->x->shape).s);
    return true;
}

static bool count(einsum_equation *e, const heed__labelled *operand, int i)
{
    int rank = operand->x->shape.rank, dots = 0;
    bool present[HEED__LABELS] = {false};
    for (int axis = 0; axis < rank; axis++) {
        int label = operand->labels[axis];
        if (!check_size(e, operand, i, axis))
            return false;
        e->uses[label] += !present[label];
        e->times[label]++;
        dots += label >= HEED__LETTERS;
        present[label] = true;
    }
    e->dots = dots > e->dots ? dots : e->dots;
    return true;
}

/* -- The output ---------------------------------------------------------------------------------------------------- */

/* Writes the output term of an equation without an arrow: the axes of "...", then every letter that occurs once, in
 * alphabetical order. */
static bool implied_term(const einsum_equation *e, term *t)
{
    *t = (term){.dots = 0};
    for (int label = 0; label < HEED__LETTERS; label++) {
        if (e->times[label] != 1)
            continue;
        if (t->n == HEED_MAX_RANK)
            return heed_fail_false(HEED_ERR_SHAPE, "einsum", "\"%.100s\" gives more than %d axes", e->text,
                                   HEED_MAX_RANK);
        t->labels[t->n++] = label;
    }
    return true;
}

static bool read_output_term(einsum_equation *e, term *t)
{
    if (*e->at == '\0')
        return implied_term(e, t);
    if (strncmp(e->at, "->", 2) != 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, "einsum", "cannot parse \"%.40s\"", e->at);
    e->at += 2;
    if (!read_term(e, t))
        return false;
    return *e->at == '\0' || heed_fail_false(HEED_ERR_ARGUMENT, "einsum", "cannot parse \"%.40s\"", e->at);
}

static bool read_output(einsum_equation *e)
{
    term t;
    if (!read_output_term(e, &t))
        return false;
    e->rank = t.n + (t.dots >= 0 ? e->dots : 0);
    if (e->rank > HEED_MAX_RANK)
        return heed_fail_false(HEED_ERR_SHAPE, "einsum", "\"%.100s\" gives %d axes: must be at most %d", e->text,
                               e->rank, HEED_MAX_RANK);
    (void)spread(&t, e->rank, e->output);
    bool present[HEED__LABELS] = {false};
    for (int i = 0; i < e->rank; i++) {
        int label = e->output[i];
        if (present[label] || e->times[label] == 0)
            return heed_fail_false(HEED_ERR_ARGUMENT, "einsum", "%s of the output %s", name_of(label).s,
                                   present[label] ? "occurs twice" : "is in no operand");
        present[label] = true;
        e->uses[label]++;
    }
    return true;
}

/* -- Evaluation ---------------------------------------------------------------------------------------------------- */

static bool read_equation(einsum_equation *e, heed_tensor *const *operands, int n)
{
    heed__labelled operand;
    for (int label = 0; label < HEED__LABELS; label++)
        e->sizes[label] = -1;
    for (int i = 0; i < n; i++)
        if (!read_operand(e, operands[i], i, &operand) || !read_separator(e, i, n) || !count(e, &operand, i))
            return false;
    return read_output(e);
}

/* Parses the next operand again and removes its labels from the use counts. */
static heed__labelled next_operand(einsum_equation *e, heed_tensor *x, int i)
{
    heed__labelled operand;
    (void)read_operand(e, x, i, &operand);
    e->at++;
    operand = heed__label_once(operand);
    for (int axis = 0; operand.x && axis < operand.x->shape.rank; axis++)
        e->uses[operand.labels[axis]]--;
    return operand;
}

static heed_tensor *evaluate(einsum_equation *e, heed_tensor *const *operands, int n)
{
    e->at = e->text;
    heed__labelled product = next_operand(e, operands[0], 0);
    for (int i = 1; product.x && i < n; i++) {
        heed__labelled operand = next_operand(e, operands[i], i);
        product = heed__labelled_product(product, operand, e->uses);
    }
    return product.x ? heed__labelled_result(product, e->uses, e->output, e->rank) : NULL;
}

static bool check(const char *text, heed_tensor *const *operands, int n)
{
    if (!text)
        return heed_fail_false(HEED_ERR_ARGUMENT, "einsum", "equation is NULL");
    if (!heed__check_list("einsum", operands, n) || !heed__check_float("einsum", operands[0]))
        return false;
    for (int i = 1; i < n; i++)
        if (!heed__check_pair("einsum", operands[0], operands[i]))
            return false;
    return true;
}

heed_tensor *heed_einsum(const char *equation, heed_tensor *const *operands, int n)
{
    HEED_ENTER("einsum");
    einsum_equation e = {.text = equation, .at = equation};
    if (!check(equation, operands, n) || !read_equation(&e, operands, n))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, evaluate(&e, operands, n)) : NULL;
}
