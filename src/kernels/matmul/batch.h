/* kernels/matmul/batch.h - batches of small products: tiles have the same offsets in every batch element, so they are
 * planned only once. */
#ifndef HEED_KERNELS_MATMUL_BATCH_H
#define HEED_KERNELS_MATMUL_BATCH_H

#include "kernels/kernels.h"
#include "kernels/matmul/by_tiles.h"

enum { BATCH_TILES = 8 };

/* The offsets of a tile in a batch element. */
typedef struct batch_tile {
    tile_fn *run;
    int64_t a, b, c;
    int last;
} batch_tile;

/* Plans the tiles of a batch element and returns their number. Returns 0 if there are more than BATCH_TILES tiles, if A
 * must be packed, or if B must be packed in more than one pass. */
static int plan_batch_tiles(const heed__matmul_args *s, const heed__matmul_range *p, matmul_plan plan,
                            batch_tile *tiles)
{
    const int64_t columns = p->j1 - p->j0, rows = p->i1 - p->i0;
    const int64_t a_panels = tiles_in(rows), b_panels = b_panels_in(columns);
    if (a_panels > BATCH_TILES || b_panels > BATCH_TILES || a_panels * b_panels > BATCH_TILES ||
        (plan.pack_b && (plan.pack_a || s->k > HEED_MATMUL_K)))
        return 0;
    int n = 0;
    for (int64_t a_panel = 0, i = p->i0; a_panel < a_panels; a_panel++) {
        int64_t here = rows / a_panels + (a_panel < rows % a_panels);
        const wide_tile wide = wide_tile_for(here);
        for (int64_t j = p->j0, done; j < p->j1; j += done, n++) {
            batch_tile *t = &tiles[n];
            done = min_i64(p->j1 - j, TILE_COLUMNS);
            const int vectors = registers_for(done, &t->last);
            t->run = tile_for(here, vectors, plan.pack_b || t->last == WIDTH);
            if (!plan.pack_b && wide.run && p->j1 - j >= wide.vectors * WIDTH) {
                done = wide.vectors * WIDTH;
                t->run = wide.run;
            }
            t->a = i * s->a_row;
            t->b = plan.pack_b ? (j - p->j0) * s->k : j;
            t->c = i * s->n + j;
        }
        i += here;
    }
    return n;
}

static void multiply_batch_tiles(heed__matmul_args s, const heed__matmul_range *p, matmul_plan plan,
                                 const batch_tile *tiles, int n, T *scratch)
{
    tile_args t = {.k = s.k, .a_row = s.a_row, .a_col = s.a_col, .b_row = tile_b_row(&s, plan), .c_row = s.n};
    const bool finish = s.bias || s.activation;
    for (int64_t batch = 0; batch < s.batches; batch++) {
        if (plan.pack_b)
            pack_b(&s, p, 0, s.k, plan.half_width, scratch);
        for (int i = 0; i < n; i++) {
            t.a = (const T *)s.a + tiles[i].a;
            t.b = (plan.pack_b ? scratch : (const T *)s.b) + tiles[i].b;
            t.c = (T *)s.c + tiles[i].c;
            t.last = tiles[i].last;
            run_tile(tiles[i].run, &t, plan.chain);
        }
        if (finish)
            epilogue(&s, p, p->i0, p->i1 - p->i0);
        next_batch(&s);
    }
}

#endif
