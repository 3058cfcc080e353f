/* ops/linalg/blocks.c - see blocks.h.
 *
 * A kernel solves or factors a block of HEED_LINALG_BLOCK unknowns or columns after the terms of all earlier blocks
 * were subtracted from it as matrix products. Within a panel of PANEL unknowns, the products double in size as in a
 * recursive division, but without recursion: the terms of the last 1, 2, 1, 4 ... blocks are subtracted from the next
 * 1, 2, 1, 4 ... blocks. At the end of a panel, the terms of all earlier unknowns are subtracted from the next panel.
 * Blocks and panels are fixed, and a product has the same bits for any number of threads.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include "ops/linalg/blocks.h"
#include "ops/product/multiply.h"

/* A panel is wider than the sides for which products become dot products (kernels/matmul/path.h). */
enum { PANEL = 6 * HEED_LINALG_BLOCK, GRAIN = 64 /* right-hand sides per range of a parallel loop */ };

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t heed__linalg_terms(int64_t n, int64_t count)
{
    const int64_t most = n > count ? n : count;
    return n > HEED_LINALG_BLOCK ? least(n, PANEL) * most : 0;
}

static char *element(const heed__linalg *l, char *a, int64_t at)
{
    return a + at * (int64_t)heed_dtype_size(l->dtype);
}

/* The terms of unknowns first .. done - 1 are subtracted from unknowns done .. end - 1. */
typedef struct step {
    int64_t first, done, end;
} step;

static step step_after(int64_t done, int64_t n)
{
    const int64_t within = done % PANEL, last = within & -within;
    if (within == 0)
        return (step){0, done, least(done + PANEL, n)};
    return (step){done - last, done, least(done + least(last, PANEL - within), n)};
}

/* C = A B for `rows` rows and `columns` columns, with k terms, into l->terms; strides as in heed__matmul_args. */
static bool multiply(const heed__linalg *l, heed__matmul_args args)
{
    args.c = l->terms;
    args.batches = 1;
    return heed__multiply_in_full(l->where, l->dtype, &args);
}

/* Subtracts l->terms, `rows` rows of `columns` elements, from rows of x that are `row` elements apart. */
static void subtract_terms(const heed__linalg *l, int64_t rows, int64_t columns, char *x, int64_t row)
{
    for (int64_t i = 0; i < rows; i++) {
        char *to = element(l, x, i * row);
        HEED__RUN(sub, l->dtype, columns, to, 1, element(l, l->terms, i * columns), 1, to, NULL);
    }
}

/* -- Triangular solves --------------------------------------------------------------------------------------------- */

typedef struct block_solve {
    heed__triangular_kernel *kernel;
    heed__triangular_args args;
} block_solve;

static void solve_range(int64_t begin, int64_t end, void *context)
{
    const block_solve *s = context;
    s->kernel(&s->args, begin, end);
}

/* Solves for the unknowns first .. first + n - 1, at most HEED_LINALG_BLOCK. */
static void solve_block(const heed__linalg *l, const heed__triangle *t, const heed__right_sides *b, int64_t first,
                        int64_t n)
{
    const int64_t start = t->upper ? first + n - 1 : first, sign = t->upper ? -1 : 1;
    block_solve s = {HEED__KERNEL(triangular, l->dtype),
                     {.n = n,
                      .a = element(l, t->a, start * (t->row + t->column)),
                      .row = sign * t->row,
                      .column = sign * t->column,
                      .unit = t->unit,
                      .x = element(l, b->x, start * b->step),
                      .step = sign * b->step,
                      .next = b->next}};
    if (l->alone)
        solve_range(0, b->count, &s);
    else
        heed__parallel_for(b->count, GRAIN, n * n, solve_range, &s);
}

/* The terms of the unknowns from .. from + k - 1 for the unknowns to .. to + n - 1. */
static bool subtract_unknowns(const heed__linalg *l, const heed__triangle *t, const heed__right_sides *b, int64_t from,
                              int64_t k, int64_t to, int64_t n)
{
    const void *a = element(l, t->a, to * t->row + from * t->column), *x = element(l, b->x, from * b->step);
    const bool by_rows = b->next == 1; /* an unknown is a row */
    const heed__matmul_args rows = {.m = n,
                                    .n = b->count,
                                    .k = k,
                                    .a = a,
                                    .a_row = t->row,
                                    .a_col = t->column,
                                    .b = x,
                                    .b_row = b->step,
                                    .b_col = 1},
                            columns = {.m = b->count,
                                       .n = n,
                                       .k = k,
                                       .a = x,
                                       .a_row = b->next,
                                       .a_col = 1,
                                       .b = a,
                                       .b_row = t->column,
                                       .b_col = t->row};
    const heed__matmul_args *args = by_rows ? &rows : &columns;
    if (!multiply(l, *args))
        return false;
    subtract_terms(l, args->m, args->n, element(l, b->x, to * b->step), by_rows ? b->step : b->next);
    return true;
}

/* An upper triangle is solved from its last unknown to its first: unknowns are counted from the end. */
bool heed__solve_triangle(const heed__linalg *l, const heed__triangle *t, const heed__right_sides *b)
{
    for (int64_t at = 0; at < t->n && b->count > 0; at += HEED_LINALG_BLOCK) {
        const int64_t done = least(at + HEED_LINALG_BLOCK, t->n);
        solve_block(l, t, b, t->upper ? t->n - done : at, done - at);
        const step s = step_after(done, t->n);
        const int64_t k = s.done - s.first, n = s.end - s.done;
        if (n > 0 &&
            !subtract_unknowns(l, t, b, t->upper ? t->n - s.done : s.first, k, t->upper ? t->n - s.end : s.done, n))
            return false;
    }
    return true;
}

/* -- Factors ------------------------------------------------------------------------------------------------------- */

/* Subtracts from the columns s.done .. s.end - 1, in the rows from s.done on, the products of the columns before. */
static bool subtract_columns(const heed__linalg *l, int64_t n, char *a, step s, bool symmetric)
{
    const int64_t columns = s.end - s.done;
    const heed__matmul_args args = {.m = n - s.done,
                                    .n = columns,
                                    .k = s.done - s.first,
                                    .a = element(l, a, s.done * n + s.first),
                                    .a_row = n,
                                    .a_col = 1,
                                    .b = element(l, a, symmetric ? s.done * n + s.first : s.first * n + s.done),
                                    .b_row = symmetric ? 1 : n,
                                    .b_col = symmetric ? n : 1};
    if (!multiply(l, args))
        return false;
    subtract_terms(l, args.m, columns, element(l, a, s.done * n + s.done), n);
    return true;
}

int64_t heed__factor_cholesky(const heed__linalg *l, int64_t n, char *a)
{
    for (int64_t at = 0; at < n; at += HEED_LINALG_BLOCK) {
        const int64_t done = least(at + HEED_LINALG_BLOCK, n);
        const heed__triangle t = {.a = element(l, a, at * n + at), .n = done - at, .row = n, .column = 1};
        const int64_t failed = HEED__RUN(cholesky, l->dtype, t.n, element(l, t.a, 0), n);
        if (failed >= 0)
            return at + failed;
        if (done == n)
            break;
        solve_block(l, &t, &(heed__right_sides){element(l, a, done * n + at), n - done, 1, n}, 0, t.n);
        if (!subtract_columns(l, n, a, step_after(done, n), true))
            return HEED_NOT_FACTORED;
    }
    return HEED_FACTORED;
}

static void exchange(char *a, char *b, int64_t bytes)
{
    char x[256];
    for (int64_t here; a != b && bytes > 0; bytes -= here, a += here, b += here) {
        here = least(bytes, (int64_t)sizeof x);
        memcpy(x, a, (size_t)here);
        memcpy(a, b, (size_t)here);
        memcpy(b, x, (size_t)here);
    }
}

/* Exchanges the rows from `at` to `done` - 1 in all columns except these, as the kernel did in these. */
static void exchange_others(const heed__linalg *l, int64_t n, char *a, int64_t at, int64_t done, int64_t *pivots)
{
    const int64_t size = (int64_t)heed_dtype_size(l->dtype);
    for (int64_t j = at; j < done; j++) {
        pivots[j] += at;
        exchange(element(l, a, j * n), element(l, a, pivots[j] * n), at * size);
        exchange(element(l, a, j * n + done), element(l, a, pivots[j] * n + done), (n - done) * size);
    }
}

int64_t heed__factor_lu(const heed__linalg *l, int64_t n, char *a, int64_t *pivots)
{
    for (int64_t at = 0; at < n; at += HEED_LINALG_BLOCK) {
        const int64_t done = least(at + HEED_LINALG_BLOCK, n);
        const int64_t failed = HEED__RUN(lu, l->dtype, n - at, done - at, element(l, a, at * n + at), n, pivots + at);
        if (failed >= 0)
            return at + failed;
        exchange_others(l, n, a, at, done, pivots);
        if (done == n)
            break;
        const step s = step_after(done, n);
        const heed__triangle lower = {
            .a = element(l, a, s.first * n + s.first), .n = done - s.first, .row = n, .column = 1, .unit = true};
        const heed__right_sides above = {element(l, a, s.first * n + done), s.end - done, n, 1};
        if (!heed__solve_triangle(l, &lower, &above) || !subtract_columns(l, n, a, s, false))
            return HEED_NOT_FACTORED;
    }
    return HEED_FACTORED;
}

void heed__permute_rows(const heed__linalg *l, int64_t n, const int64_t *pivots, bool back, char *x, int64_t columns)
{
    const int64_t bytes = columns * (int64_t)heed_dtype_size(l->dtype);
    for (int64_t i = 0; i < n; i++) {
        const int64_t j = back ? n - 1 - i : i;
        exchange(x + j * bytes, x + pivots[j] * bytes, bytes);
    }
}
