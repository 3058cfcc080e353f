/* tests/kernels/emulated_pairs.c - matmul and attention with pairs of bf16 on any CPU: the operations of AVX512_BF16 on
 * a pair and of AMX on tiles of pairs, written as loops.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define HEED_ISA scalar
#define HEED_ELEMENT_BITS 32
#include "kernels/isa/isa.h"

#include <fenv.h>

#define HAVE_PAIRS

/* Rounds to the nearest bf16, ties to even, for numbers in bf16's range. */
static BITS rounded(T x)
{
    BITS bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

static T pair(T first, T second)
{
    const BITS bits = rounded(first) | rounded(second) << 16;
    T both;
    memcpy(&both, &bits, sizeof both);
    return both;
}

static vec round_to_pairs(vec low, vec high)
{
    vec pairs;
    for (int i = 0; i < WIDTH; i++)
        pairs[i] =
            i < WIDTH / 2 ? pair(low[2 * i], low[2 * i + 1]) : pair(high[2 * i - WIDTH], high[2 * i + 1 - WIDTH]);
    return pairs;
}

static vec pair_up(vec first, vec second)
{
    vec pairs;
    for (int i = 0; i < WIDTH; i++)
        pairs[i] = pair(first[i], second[i]);
    return pairs;
}

static T flushed(T x)
{
    return fabsf(x) < FLT_MIN ? copysignf(0, x) : x;
}

/* The second product is added first, every sum is rounded once, and denormal numbers count as 0. */
static vec add_dot_of_pairs(vec a, vec b, vec c)
{
    const vec_bits high = {0xffff0000, 0xffff0000, 0xffff0000, 0xffff0000};
    const vec a_second = (vec)((vec_bits)a & high), b_second = (vec)((vec_bits)b & high);
    const vec a_first = (vec)((vec_bits)a << 16), b_first = (vec)((vec_bits)b << 16);
    vec sum;
    for (int i = 0; i < WIDTH; i++) {
        const T second = flushed(fmaf(a_second[i], b_second[i], flushed(c[i])));
        sum[i] = flushed(fmaf(a_first[i], b_first[i], second));
    }
    return sum;
}

/* -- Tiles --------------------------------------------------------------------------------------------------------- */

#define HAVE_UNIT

static T unit_tiles[8][16][16];

static void unit_begin(void)
{
    memset(unit_tiles, 0, sizeof unit_tiles);
}

static void unit_end(void)
{
    memset(unit_tiles, 0x5a, sizeof unit_tiles);
}

static void load_tile(int tile, const T *from, int64_t row)
{
    for (int i = 0; i < 16; i++)
        memcpy(unit_tiles[tile][i], from + i * row, sizeof unit_tiles[tile][i]);
}

static void store_tile(int tile, T *to, int64_t row)
{
    for (int i = 0; i < 16; i++)
        memcpy(to + i * row, unit_tiles[tile][i], sizeof unit_tiles[tile][i]);
}

static T half_of(T pair, int second)
{
    BITS bits;
    memcpy(&bits, &pair, sizeof bits);
    bits = second ? bits & 0xffff0000 : bits << 16;
    memcpy(&pair, &bits, sizeof bits);
    return flushed(pair);
}

/* Sums the first products of the pairs and the second products separately, from 0, then adds both sums, and adds the
 * result to c. */
static void add_tile_product(int c, int a, int b)
{
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) {
            T sum[2] = {0, 0};
            for (int k = 0; k < 16; k++)
                for (int second = 0; second < 2; second++)
                    sum[second] = flushed(
                        fmaf(half_of(unit_tiles[a][i][k], second), half_of(unit_tiles[b][k][j], second), sum[second]));
            unit_tiles[c][i][j] = flushed(flushed(unit_tiles[c][i][j]) + flushed(sum[0] + sum[1]));
        }
}

#define UNIT_ZERO(t) memset(unit_tiles[t], 0, sizeof unit_tiles[t])
#define UNIT_LOAD(t, from, row) load_tile(t, from, row)
#define UNIT_STORE(t, to, row) store_tile(t, to, row)
#define UNIT_ADD_PRODUCT(c, a, b) add_tile_product(c, a, b)

#include "kernels/attention/backward.h"
#include "kernels/attention/forward.h"
#include "kernels/matmul/matmul.h"

int64_t emulated_matmul(const heed__matmul_args *args, const heed__matmul_range *part, void *scratch)
{
    return matmul_kernel(args, part, scratch);
}

int64_t emulated_attention(const heed__attention_args *args, int64_t begin, int64_t end, void *scratch)
{
    return attend_by_blocks(args, begin, end, scratch);
}

int64_t emulated_attention_grad(const heed__attention_args *args, const heed__attention_grads *grads, int64_t begin,
                                int64_t end, void *scratch)
{
    if (scratch)
        clear_grads(args, grads, begin, end);
    return grad_by_blocks(args, grads, begin, end, scratch);
}
