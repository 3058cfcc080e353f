/* kernels/dropout.h - which elements dropout drops: a word for each, from Philox4x32-10.
 *
 * In a call of dropout with seed s at position q, element i (row-major) has word i mod 4 of the block with the key
 * (s mod 2^32, s / 2^32) and the counter (q mod 2^32, q / 2^32, b mod 2^32, b / 2^32), where b = 1 + i / 4. Since b is
 * never 0, no word is one of the generator's own stream at any position (core/random.c), nor of another call's.
 *
 * Included once per instruction set by isa.c; blocks are made as many at a time as registers hold. */
#ifndef HEED_KERNELS_DROPOUT_H
#define HEED_KERNELS_DROPOUT_H

/* One of a counter's four words of as many blocks as fit, in the low halves. What is in the high halves is of no
 * account. */
typedef uint64_t counters __attribute__((vector_size(VECTOR_BYTES)));

#if !defined(MULTIPLY_LOW)
#define MULTIPLY_LOW(a, b) (((a)&UINT32_MAX) * ((b)&UINT32_MAX))
#endif

/* The words a and b, in memory one behind the other. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SIDE_BY_SIDE(a, b) (((a)&UINT32_MAX) | (b) << 32)
#else
#define SIDE_BY_SIDE(a, b) ((a) << 32 | ((b)&UINT32_MAX))
#endif

static const uint64_t one_to_eight[] = {1, 2, 3, 4, 5, 6, 7, 8};

enum {
    COUNTERS = VECTOR_BYTES / 8,
    PAIR = 2,            /* vectors that are worked on side by side: one alone would wait for its own products */
    DROPOUT_WORDS = 256, /* a multiple of 4 * PAIR * COUNTERS */
};

/* Words of the blocks of elements 4 block, ...: PAIR * COUNTERS blocks. */
static void dropout_pair(const heed_dropout_args *args, uint64_t block, uint32_t *words)
{
    counters c0[PAIR], c1[PAIR], c2[PAIR], c3[PAIR];
    const counters zero = {0};
    counters first;
    memcpy(&first, one_to_eight, sizeof first);
    UNROLL for (int v = 0; v < PAIR; v++)
    {
        c2[v] = first + (block + (uint64_t)(v * COUNTERS));
        c3[v] = c2[v] >> 32;
        c0[v] = zero + args->position;
        c1[v] = c0[v] >> 32;
    }
    const counters multiplier_0 = zero + HEED_PHILOX_MULTIPLIER_0, multiplier_1 = zero + HEED_PHILOX_MULTIPLIER_1;
    uint32_t k0 = (uint32_t)args->seed, k1 = (uint32_t)(args->seed >> 32);
    for (int round = 0; round < HEED_PHILOX_ROUNDS; round++) {
        UNROLL for (int v = 0; v < PAIR; v++)
        {
            counters a = MULTIPLY_LOW(c0[v], multiplier_0), b = MULTIPLY_LOW(c2[v], multiplier_1);
            c0[v] = (b >> 32) ^ c1[v] ^ k0;
            c1[v] = b;
            c2[v] = (a >> 32) ^ c3[v] ^ k1;
            c3[v] = a;
        }
        k0 += HEED_PHILOX_STEP_0;
        k1 += HEED_PHILOX_STEP_1;
    }
    UNROLL for (int v = 0; v < PAIR; v++)
    {
        uint64_t front[COUNTERS], back[COUNTERS];
        counters words_0_1 = SIDE_BY_SIDE(c0[v], c1[v]), words_2_3 = SIDE_BY_SIDE(c2[v], c3[v]);
        memcpy(front, &words_0_1, sizeof front);
        memcpy(back, &words_2_3, sizeof back);
        for (int l = 0; l < COUNTERS; l++, words += 4) {
            memcpy(words, &front[l], 8);
            memcpy(words + 2, &back[l], 8);
        }
    }
}

/* Words of the elements 4 block, 4 block + 1, ...: 4 * blocks of them at least, DROPOUT_WORDS at most. */
static void dropout_words(const heed_dropout_args *args, int64_t block, int64_t blocks, uint32_t *words)
{
    for (int64_t b = 0; b < blocks; b += PAIR * COUNTERS)
        dropout_pair(args, (uint64_t)(block + b), words + 4 * b);
}

#endif
