/* kernels/conv/weight.h - the gradient of a convolution by its weights: patches of x, one row per term, times g, whose
 * channels are the columns of the register tiles, summed over the positions of all images.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_CONV_WEIGHT_H
#define HEED_KERNELS_CONV_WEIGHT_H

#include "kernels/conv/conv.h"

enum { TERM_ROW = HEED_CONV_DEPTH + HEED_CONV_MARGIN };

/* to[panel][q][i] = g of row i at position q: panels of TILE_COLUMNS rows i. */
static void pack_g(const heed__conv_args *s, const heed__conv_weight_range *p, const conv_span *spans, int64_t n,
                   int64_t depth, T *to)
{
    const int64_t width = s->axis[1].positions;
    for (int64_t i = p->row_begin; i < p->row_end; i += TILE_COLUMNS, to += depth * TILE_COLUMNS)
        for (const conv_span *r = spans; r < spans + n; r++)
            pack((const T *)s->y + r->image * s->y_image + i * s->y_row + r->a * width + r->b, s->y_row, 1,
                 (int)min_i64(p->row_end - i, TILE_COLUMNS), r->length, to + r->at * TILE_COLUMNS, TILE_COLUMNS);
}

/* Joins consecutive spans of an image, as g's planes are contiguous. Returns the number of spans. */
static int64_t join_spans(conv_span *spans, int64_t n)
{
    int64_t joined = 0;
    for (int64_t i = 1; i < n; i++) {
        if (spans[i].image == spans[joined].image)
            spans[joined].length += spans[i].length;
        else
            spans[++joined] = spans[i];
    }
    return joined + 1;
}

/* c = patches g for the positions of the spans, where c is (terms, rows) of the range. */
static void multiply_terms(const heed__conv_weight_range *p, conv_patches *patches, int64_t depth, const T *panels,
                           T *rows_of_patches, T *c)
{
    const int64_t rows = p->row_end - p->row_begin, terms = p->k_end - p->k_begin, height = tile_height(terms);
    const int64_t c_row = row_of_sums(rows);
    conv_term term = conv_term_of(patches->s, p->k_begin);
    for (int64_t k = 0; k < terms; k += height) {
        const int64_t here = min_i64(terms - k, height);
        for (int64_t i = 0; i < here; i++, conv_next_term(patches->s, &term))
            pack_patch_row(patches, term, rows_of_patches + i * TERM_ROW);
        tile_args t = {.k = depth,
                       .a = rows_of_patches,
                       .a_row = TERM_ROW,
                       .a_col = 1,
                       .b = panels,
                       .b_row = TILE_COLUMNS,
                       .c = c + k * c_row,
                       .c_row = c_row,
                       .last = WIDTH};
        for (int64_t j = 0; j < rows; j += TILE_COLUMNS, t.b += depth * TILE_COLUMNS, t.c += TILE_COLUMNS)
            run_tile(tile_for(WHOLE_TILE, here, rows - j > WIDTH ? 2 : 1), &t, HEED_LONG_CHAIN);
    }
}

static int64_t conv_weight_kernel(const heed__conv_args *s, const heed__conv_weight_range *p, void *dw, void *scratch)
{
    const int64_t rows = p->row_end - p->row_begin, terms = p->k_end - p->k_begin, all = heed__conv_terms(s);
    const int64_t c_row = row_of_sums(rows), size = terms * c_row;
    arena a = {.base = scratch};
    conv_span *joined = take_array(&a, HEED_CONV_DEPTH, sizeof *joined);
    conv_patches patches = conv_patches_of(s, HEED_CONV_DEPTH, &a);
    T *panels = take_array(&a, HEED_CONV_DEPTH * c_row, sizeof(T));
    T *rows_of_patches = take_array(&a, TILE_ROWS * TERM_ROW, sizeof(T));
    T *c = take_array(&a, 3 * size, sizeof(T));
    if (!scratch)
        return a.bytes;
    T *sum = c + size, *lost = sum + size;
    memset(c, 0, 3 * (size_t)size * sizeof(T));
    for (int64_t q = p->q_begin, depth; q < p->q_end; q += depth) {
        depth = min_i64(p->q_end - q, HEED_CONV_DEPTH);
        select_positions(&patches, q, q + depth);
        memcpy(joined, patches.spans, (size_t)patches.n_spans * sizeof *joined);
        pack_g(s, p, joined, join_spans(joined, patches.n_spans), depth, panels);
        multiply_terms(p, &patches, depth, panels, rows_of_patches, c);
        total_add_row_kernel(size, c, sum, lost);
    }
    T *to = (T *)dw + p->row_begin * all + p->k_begin;
    for (int64_t k = 0; k < terms; k += WIDTH) {
        const int64_t here = min_i64(terms - k, WIDTH);
        if (here == WIDTH)
            pack(sum + k * c_row, c_row, 1, WIDTH, rows, to + k, all);
        for (int64_t i = 0; here < WIDTH && i < rows; i++)
            for (int64_t l = k; l < k + here; l++)
                to[i * all + l] = sum[l * c_row + i];
    }
    return a.bytes;
}

#endif
