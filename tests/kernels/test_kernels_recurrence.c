/* tests/kernels/test_kernels_recurrence.c - tests the kernels of recurrences of every instruction set against their
 * reference, sequence by sequence.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernel_arrays.h"
#include "kernels/recurrence/reference_grad.h"

enum { MAX_HIDDEN = 67, MAX_STEPS = 6, MAX_BATCH = 37, MAX_GATES = 4 * MAX_HIDDEN };

static array x, w, b, before, y, after, saved, g, g_after, dx, ds, h_before, d_before, packed, scratch;
static int64_t lens[MAX_BATCH];

/* One sequence in the order of its steps: inputs as doubles, and the results of the reference. */
static struct {
    double x[MAX_STEPS * MAX_GATES], w[MAX_GATES * MAX_HIDDEN], b[MAX_GATES], g[MAX_STEPS * MAX_HIDDEN];
    double h[(MAX_STEPS + 1) * MAX_HIDDEN], c[(MAX_STEPS + 1) * MAX_HIDDEN], saved[MAX_STEPS * 5 * MAX_HIDDEN];
    double dx[MAX_STEPS * MAX_GATES], ds[MAX_STEPS * MAX_GATES], dh[MAX_HIDDEN], dc[MAX_HIDDEN];
} one;

/* -- Calls of the kernels ------------------------------------------------------------------------------------------ */

typedef struct sizes {
    int64_t steps, batch, hidden;
} sizes;

/* Some fill panels of hidden units, others do not; the rows of a call are few or as many as possible. */
static const sizes all_sizes[] = {{1, 1, 1}, {3, 2, 5}, {6, 3, 16}, {4, MAX_BATCH, 33}, {2, 5, MAX_HIDDEN}, {5, 9, 8}};
enum { SIZES = sizeof all_sizes / sizeof all_sizes[0] };

/* Small weights, so that errors do not grow from step to step. */
static void draw_numbers(int dtype, const heed__recurrence_args *s)
{
    const heed__cell_sizes cell = heed__cell_sizes_of(s->cell);
    const int64_t H = s->hidden, gates = cell.gates * H, states = cell.states * s->batch * H;
    const double largest = 1 / (double)H;
    array_draw(dtype, x.storage, s->steps * s->batch * gates, -2, 2, 1);
    array_draw(dtype, w.storage, gates * H, -largest, largest, 2);
    array_draw(dtype, b.storage, gates, -1, 1, 3);
    array_draw(dtype, before.storage, states, -1, 1, 4);
    array_draw(dtype, g.storage, s->steps * s->batch * H, -1, 1, 5);
    array_draw(dtype, g_after.storage, states, -1, 1, 6);
    for (int64_t n = 0; n < s->batch; n++)
        lens[n] = (n * 5 + 3) % (s->steps + 1);
}

/* Computes both directions in two ranges of the batch. Packs W for each of them first if `pack`. */
static void run(const table_walk *t, heed__recurrence_args *s, const heed__recurrence_grads *grads, bool pack)
{
    const int64_t groups = (s->hidden + HEED_MATMUL_COLUMNS - 1) / HEED_MATMUL_COLUMNS;
    const int64_t cut = s->batch > HEED_RECURRENCE_ROWS ? HEED_RECURRENCE_ROWS : s->batch / 2;
    ck_assert_int_le(heed__recurrence_packed(s), ARRAY_MAX);
    for (int backward = 0; backward < 2; backward++) {
        s->packed = pack ? packed.storage : NULL;
        if (pack)
            t->kernels->recurrence_pack(s, backward, 0, groups, packed.storage);
        for (int part = 0; part < 2; part++) {
            const int64_t begin = part ? cut : 0, end = part ? s->batch : cut;
            if (begin == end)
                continue;
            ck_assert_int_le(backward ? t->kernels->recurrence_grad(s, grads, begin, end, NULL)
                                      : t->kernels->recurrence(s, begin, end, NULL),
                             sizeof scratch.storage);
            if (backward)
                t->kernels->recurrence_grad(s, grads, begin, end, scratch.storage);
            else
                t->kernels->recurrence(s, begin, end, scratch.storage);
        }
    }
}

/* -- Comparing ----------------------------------------------------------------------------------------------------- */

/* Row i of an array (., n) as doubles. */
static void read_row(int dtype, const array *a, int64_t i, int64_t n, double *to)
{
    for (int64_t j = 0; j < n; j++)
        to[j] = array_get(dtype, a->storage, i * n + j);
}

static void expect_row(const table_walk *t, const char *what, const array *a, int64_t i, int64_t n,
                       const double *expected, double limit)
{
    for (int64_t j = 0; j < n; j++)
        expect_near(t, what, array_get(t->dtype, a->storage, i * n + j), expected ? expected[j] : 0, i * n + j,
                    expected ? limit : 0);
}

static int64_t steps_of(const heed__recurrence_args *s, int64_t n)
{
    return s->lens ? s->lens[n] : s->steps;
}

/* The row of step `step` of batch element n in the arrays (steps, batch, ...). */
static int64_t row_of(const heed__recurrence_args *s, int64_t n, int64_t step)
{
    return (s->reverse ? steps_of(s, n) - 1 - step : step) * s->batch + n;
}

/* Runs the reference for batch element n. */
static void expect_sequence(int dtype, const heed__recurrence_args *s, const heed__recurrence_grads *grads, int64_t n)
{
    const int64_t H = s->hidden, width = heed__cell_sizes_of(s->cell).gates * H;
    const bool two = heed__cell_sizes_of(s->cell).states > 1;
    const reference_recurrence r = {.cell = (int)s->cell,
                                    .steps = steps_of(s, n),
                                    .hidden = H,
                                    .x = one.x,
                                    .w = one.w,
                                    .b = one.b,
                                    .h = one.h,
                                    .c = one.c,
                                    .saved = one.saved,
                                    .g = one.g,
                                    .dx = one.dx,
                                    .ds = one.ds,
                                    .dh = one.dh,
                                    .dc = one.dc};
    memset(&one, 0, sizeof one);
    array_read(dtype, w.storage, width * H, one.w);
    if (s->b)
        array_read(dtype, b.storage, width, one.b);
    read_row(dtype, &before, n, H, one.h);
    if (two)
        read_row(dtype, &before, s->batch + n, H, one.c);
    if (grads->g_after)
        read_row(dtype, &g_after, n, H, one.dh);
    if (grads->g_after && two)
        read_row(dtype, &g_after, s->batch + n, H, one.dc);
    for (int64_t t = 0; t < r.steps; t++) {
        read_row(dtype, &x, row_of(s, n, t), width, one.x + t * width);
        if (grads->g)
            read_row(dtype, &g, row_of(s, n, t), H, one.g + t * H);
    }
    reference_recur(&r);
    reference_recur_grad(&r);
}

/* Results after the length of a sequence are 0. A number is the result of at most `steps` sums of H terms, or of gates
 * H terms in gradients, each with a few other roundings. */
static void check_sequence(const table_walk *t, const heed__recurrence_args *s, int64_t n, bool grad_x)
{
    const heed__cell_sizes cell = heed__cell_sizes_of(s->cell);
    const int64_t H = s->hidden, width = cell.gates * H, length = steps_of(s, n);
    const double limit = epsilon(t->dtype) * (double)s->steps * (16 + (double)width / 4);
    describe_case("cell %d, %d steps of %d, batch %d, element %d", (int)s->cell, (int)s->steps, (int)H, (int)s->batch,
                  (int)n);
    for (int64_t step = 0; step < s->steps; step++) {
        const bool is = step < length;
        const int64_t row = is ? row_of(s, n, step) : step * s->batch + n;
        expect_row(t, "y", &y, row, H, is ? one.h + (step + 1) * H : NULL, limit);
        expect_row(t, "ds", &ds, row, width, is ? one.ds + step * width : NULL, limit);
        if (grad_x)
            expect_row(t, "dx", &dx, row, width, is ? one.dx + step * width : NULL, limit);
        expect_row(t, "h_before", &h_before, row, H, is ? one.h + step * H : NULL, limit);
        expect_row(t, "saved", &saved, row, cell.saved * H, is ? one.saved + step * 5 * H : NULL, limit);
    }
    expect_row(t, "after", &after, n, H, one.h + length * H, limit);
    expect_row(t, "d_before", &d_before, n, H, one.dh, limit);
    if (cell.states > 1) {
        expect_row(t, "after", &after, s->batch + n, H, one.c + length * H, limit);
        expect_row(t, "d_before", &d_before, s->batch + n, H, one.dc, limit);
    }
}

/* The bits of `variant` choose W packed, lengths, the other direction, no b and no gradient of y. */
static void check(const table_walk *t, heed__cell cell, const sizes *n, int variant)
{
    const bool gru = cell == HEED__CELL_GRU;
    heed__recurrence_args s = {.cell = cell,
                               .steps = n->steps,
                               .batch = n->batch,
                               .hidden = n->hidden,
                               .reverse = variant & 4,
                               .lens = variant & 2 ? lens : NULL,
                               .x = x.storage,
                               .w = w.storage,
                               .b = variant & 8 ? NULL : b.storage,
                               .before = before.storage,
                               .y = y.storage,
                               .after = after.storage,
                               .saved = heed__cell_sizes_of(cell).saved > 0 ? saved.storage : NULL};
    const heed__recurrence_grads grads = {.g = variant & 8 ? NULL : g.storage,
                                          .g_after = variant & 4 ? NULL : g_after.storage,
                                          .dx = gru ? dx.storage : ds.storage,
                                          .ds = ds.storage,
                                          .h_before = h_before.storage,
                                          .d_before = d_before.storage};
    draw_numbers(t->dtype, &s);
    run(t, &s, &grads, variant & 1);
    for (int64_t i = 0; i < n->batch; i++) {
        expect_sequence(t->dtype, &s, &grads, i);
        check_sequence(t, &s, i, gru);
    }
}

START_TEST(recurrences_are_right)
{
    FOR_EACH_TABLE(t)
    for (int cell = 0; cell < HEED__CELLS; cell++)
        for (int i = 0; i < SIZES; i++)
            for (int variant = 0; variant < 16; variant++)
                check(&t, (heed__cell)cell, &all_sizes[i], variant);
}
END_TEST

HEED_TEST_MAIN("kernels of recurrences", recurrences_are_right)
