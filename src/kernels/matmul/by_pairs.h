/* kernels/matmul/by_pairs.h - products of f32 rounded to bf16, for a processor that multiplies two of them where it
 * multiplies one f32: A's rows and B's columns are packed as pairs of neighbours along k, each as wide as an f32, and the
 * register tiles of tile.h sum dot products of pairs. Sums are f32.
 *
 * Groups of rows of A and panels of B with numbers that bf16 cannot represent (NaN, infinity, above 2^126, denormal) are
 * found while they are packed, and the elements they contribute to are computed again in f32. So which way an element is
 * computed depends on the numbers in its group and panel alone, not on the part. */
#ifndef HEED_KERNELS_MATMUL_BY_PAIRS_H
#define HEED_KERNELS_MATMUL_BY_PAIRS_H

#include "kernels/kernels.h"
#include "kernels/matmul/by_tiles.h"

enum {
    PAIRS_USES = 24,   /* of each packed number, on average: with fewer, */
    PAIRS_TERMS = 32,  /* or with fewer terms, packing takes longer than it saves */
    STRIP_ROWS = 1024, /* and columns of C that are done before what is odd in them is computed again */
    STRIP_COLUMNS = 1024,
};

static bool by_pairs(const heed__matmul_args *s)
{
    return s->k >= PAIRS_TERMS && s->m * s->n >= PAIRS_USES * (s->m + s->n);
}

/* All else is the plain kernel's, of the same instruction set: in a program once. */
static void multiply_plain(const heed__matmul_args *s, const heed__matmul_part *p, T *scratch)
{
    HEED__VERSION(heed__matmul, HEED_ISA, HEED_ELEMENT_BITS)(s, p, scratch);
}

/* -- Packing ------------------------------------------------------------------------------------------------------- */

/* Lanes whose number bf16 cannot represent. */
static ALWAYS_INLINE vec_mask is_odd(vec x)
{
    const BITS least = (BITS)1 << MANTISSA_BITS, most = (127 + 126) << MANTISSA_BITS;
    const vec_bits size = (vec_bits)x & ~SIGN_BIT;
    return (vec_mask)((size != 0) & (size - least > most - least));
}

/* WIDTH pairs of up to 2 WIDTH numbers, `column` apart. */
static ALWAYS_INLINE vec pairs_of_row(const T *from, int64_t column, int64_t count, vec_mask *odd)
{
    T copied[2 * WIDTH];
    if (column != 1) {
        count = min_i64(count, 2 * WIDTH);
        for (int64_t i = 0; i < count; i++)
            copied[i] = from[i * column];
        from = copied;
    }
    const vec low = load_at(from, 0, count);
    const vec high = count > WIDTH ? load_at(from, WIDTH, count) : (vec){0};
    *odd |= is_odd(low) | is_odd(high);
    return round_to_pairs(low, high);
}

static bool any_lane(vec_mask mask)
{
    SIGNED_BITS any = 0;
    for (int i = 0; i < WIDTH; i++)
        any |= mask[i];
    return any != 0;
}

/* to[c * to_row + i] = the pair (from(i, 2 c), from(i, 2 c + 1)), of up to WIDTH rows of k numbers. Notes the odd rows. */
static void pack_pairs_along(const T *from, int64_t row, int64_t column, int rows, int64_t k, T *to, int64_t to_row,
                             bool *odd)
{
    _Alignas(VECTOR_BYTES) T pairs[WIDTH * WIDTH];
    vec_mask found[WIDTH] = {{0}};
    for (int64_t c = 0; c < k; c += 2 * WIDTH) {
        for (int i = 0; i < rows; i++)
            store(pairs + i * WIDTH, pairs_of_row(from + i * row + c * column, column, k - c, &found[i]));
        transpose_to_rows(pairs, WIDTH, rows, min_i64((k - c + 1) / 2, WIDTH), to + c / 2 * to_row, to_row);
    }
    for (int i = 0; i < rows; i++)
        odd[i] |= any_lane(found[i]);
}

/* The same where a column's numbers lie side by side. */
static void pack_pairs_across(const T *from, int64_t column, int rows, int64_t k, T *to, int64_t to_row, bool *odd)
{
    vec_mask found = {0};
    for (int64_t c = 0; c < k; c += 2) {
        const T *at = from + c * column;
        const vec first = load_at(at, 0, rows), second = c + 1 < k ? load_at(at + column, 0, rows) : (vec){0};
        found |= is_odd(first) | is_odd(second);
        store(to + c / 2 * to_row, pair_up(first, second));
    }
    for (int i = 0; i < WIDTH && i < rows; i++)
        odd[i] |= found[i] != 0;
}

/* A panel, WIDTH rows at a time. */
static void pack_pairs(const T *from, int64_t row, int64_t column, int rows, int64_t k, T *to, int64_t to_row,
                       bool *odd)
{
    for (int i = 0; i < rows; i += WIDTH) {
        if (row == 1)
            pack_pairs_across(from + i, column, rows - i, k, to + i, to_row, odd + i);
        else
            pack_pairs_along(from + i * row, row, column, (int)min_i64(rows - i, WIDTH), k, to + i, to_row, odd + i);
    }
}

/* -- Tiles --------------------------------------------------------------------------------------------------------- */

/* A strip of C, and what was found in the rows and panels that lead to it. */
typedef struct strip {
    heed__matmul_args args; /* of one batch element, without bias and activation */
    heed__matmul_part part;
    bool odd_rows[STRIP_ROWS], odd_panels[STRIP_COLUMNS / TILE_COLUMNS];
} strip;

static void pack_b_pairs(strip *s, int64_t k, int64_t terms, T *panels)
{
    const heed__matmul_args *a = &s->args;
    for (int64_t j = s->part.j0, panel = 0; j < s->part.j1; j += TILE_COLUMNS, panel++) {
        bool odd[TILE_COLUMNS] = {0};
        pack_pairs((const T *)a->b + k * a->b_row + j * a->b_col, a->b_col, a->b_row,
                   (int)min_i64(s->part.j1 - j, TILE_COLUMNS), terms, panels, TILE_COLUMNS, odd);
        for (int l = 0; l < TILE_COLUMNS; l++)
            s->odd_panels[panel] |= odd[l];
        panels += (terms + 1) / 2 * TILE_COLUMNS;
    }
}

/* Inner indices k .. k + terms - 1 of all rows of the strip, a register tile's height at a time. Apart, for the size of frames. */
__attribute__((noinline)) static void multiply_pairs(strip *s, int64_t k, int64_t terms, T *scratch)
{
    const heed__matmul_args *a = &s->args;
    const int64_t pairs = (terms + 1) / 2, rows = s->part.i1 - s->part.i0, columns = s->part.j1 - s->part.j0;
    const int64_t panels = tiles_in(rows), height = (rows + panels - 1) / panels;
    T *packed = scratch + b_panels_in(columns) * TILE_COLUMNS * pairs;
    pack_b_pairs(s, k, terms, scratch);
    for (int64_t i = 0; i < rows; i += height) {
        const int here = (int)min_i64(rows - i, height);
        pack_pairs((const T *)a->a + (s->part.i0 + i) * a->a_row + k * a->a_col, a->a_row, a->a_col, here, terms,
                   packed, PACKED_ROWS, s->odd_rows + i);
        tile_args t = {.k = pairs,
                       .a = packed,
                       .a_row = 1,
                       .a_col = PACKED_ROWS,
                       .b = scratch,
                       .b_row = TILE_COLUMNS,
                       .c = (T *)a->c + (s->part.i0 + i) * a->n + s->part.j0,
                       .c_row = a->n,
                       .add = k > 0};
        for (int64_t j = 0; j < columns; j += TILE_COLUMNS, t.b += pairs * TILE_COLUMNS, t.c += TILE_COLUMNS) {
            const int vectors = registers_for(min_i64(columns - j, TILE_COLUMNS), &t.last);
            pair_tile_for(here, vectors)(&t);
        }
    }
}

/* -- Strips of C --------------------------------------------------------------------------------------------------- */

static bool any_odd(const bool *odd, int64_t n)
{
    bool any = false;
    for (int64_t i = 0; i < n; i++)
        any |= odd[i];
    return any;
}

/* Computes again what groups of rows and panels with odd numbers contribute to. */
static void repair_odd(const strip *s, T *scratch)
{
    const heed__matmul_part all = s->part;
    const int64_t rows = all.i1 - all.i0, panels = b_panels_in(all.j1 - all.j0);
    for (int64_t i = 0; i < rows; i += HEED_MATMUL_GROUP) {
        const int64_t end = min_i64(i + HEED_MATMUL_GROUP, rows);
        if (any_odd(s->odd_rows + i, end - i))
            multiply_plain(&s->args, &(heed__matmul_part){all.i0 + i, all.i0 + end, all.j0, all.j1}, scratch);
    }
    for (int64_t j = 0; j < panels; j++) {
        const int64_t begin = all.j0 + j * TILE_COLUMNS;
        if (s->odd_panels[j])
            multiply_plain(&s->args, &(heed__matmul_part){all.i0, all.i1, begin, min_i64(begin + TILE_COLUMNS, all.j1)},
                           scratch);
    }
}

static void multiply_strip(const heed__matmul_args *args, heed__matmul_part part, T *scratch)
{
    strip s = {.args = *args, .part = part};
    s.args.batches = 1;
    s.args.bias = NULL;
    s.args.activation = NULL;
    const int64_t most = 2 * HEED_MATMUL_K, blocks = (args->k + most - 1) / most;
    for (int64_t block = 0, k = 0; block < blocks; block++) {
        const int64_t terms = min_i64(((args->k - k) / (blocks - block) + 1) / 2 * 2, args->k - k);
        multiply_pairs(&s, k, terms, scratch);
        k += terms;
    }
    repair_odd(&s, scratch);
    epilogue(args, &part, part.i0, part.i1 - part.i0);
}

static void multiply_by_pairs(const heed__matmul_args *args, const heed__matmul_part *part, T *scratch)
{
    heed__matmul_args s = *args;
    for (int64_t batch = 0; batch < args->batches; batch++, next_batch(&s))
        for (int64_t i = part->i0; i < part->i1; i += STRIP_ROWS)
            for (int64_t j = part->j0; j < part->j1; j += STRIP_COLUMNS)
                multiply_strip(
                    &s,
                    (heed__matmul_part){i, min_i64(i + STRIP_ROWS, part->i1), j, min_i64(j + STRIP_COLUMNS, part->j1)},
                    scratch);
}

#endif
