/* core/random.c - random tensors.
 *
 * The stream. A generator with seed s is an endless sequence of 32-bit words: position q holds the four words of
 * Philox4x32-10 with the key (s mod 2^32, s / 2^32) and the counter (q mod 2^32, q / 2^32, 0, 0). A call that starts at
 * position q reads from there on; word w of the call is word w mod 4 of position q + w / 4. The call advances the
 * generator by the number of whole positions that its words occupy; positions wrap at 2^64.
 *
 *     element i of            is made of the words    as
 *     rand f32                i                       its upper 24 bits / 2^24
 *     rand f64                2i, 2i + 1              the upper 53 of their 64 bits / 2^53; the second word is the
 *                                                     high one, here and below
 *     randn f32, i even/odd   i, i + 1 / i - 1, i     r cos a / r sin a, with r = sqrt(-2 log(1 - u)), a = 2 pi v and
 *                                                     u, v = the two words / 2^32
 *     randn f64, i even/odd   4 words of the pair     the same from two 53-bit u, v
 *     normal                  as randn                mean + std randn
 *     exponential             as rand                 -log(1 - u) / rate, with u = the word / 2^32, or rand f64
 *     randint, permutation    2i, 2i + 1              the upper 64 bits of (their 64 bits * range)
 *     bernoulli               2i, 2i + 1              (rand f64) < p
 *
 * Every element, except in a permutation, depends only on seed, position and i. Normal and exponential numbers pass
 * through the C library's log, sqrt, sin and cos, whose last bit may depend on the library and the processor; all
 * others are exact.
 *
 * heed_dropout also takes one position but reads different words: the last half of its counter is never 0, see
 * kernels/elementwise/dropout.h.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/random.h>

#include <inttypes.h>
#include <math.h>

#include "core/generator.h"
#include "core/parallel.h"
#include "core/tensor.h"
#include "kernels/philox.h"

#define CHUNK_BLOCKS 64 /* positions generated at a time, on the stack */
#define CHUNK_WORDS (4 * CHUNK_BLOCKS)
#define CHUNKS_PER_RANGE 32 /* chunks that a thread takes at a time */

#define TWO_PI 6.283185307179586476925286766559

typedef struct draw draw;

/* Makes elements first .. first + count - 1 from their words. Words come in whole positions, so the last of an odd
 * number of elements also has a partner. */
typedef void convert_fn(const draw *d, const uint32_t *words, int64_t first, int64_t count);

/* The parameters of one call. */
struct draw {
    convert_fn *convert;
    int words; /* 32-bit words per element: 1 or 2 */
    int cost;  /* per element, for heed__parallel_for */
    uint64_t seed, position;
    int64_t n;
    void *out;
    int64_t low;      /* randint */
    uint64_t range;   /* randint */
    double p;         /* bernoulli */
    double mean, std; /* randn, normal */
    double rate;      /* exponential */
};

/* -- Words to elements ------------------------------------------------------------------------------------------ */

static uint64_t join_words(const uint32_t *words)
{
    return (uint64_t)words[1] << 32 | words[0];
}

static double unit53(const uint32_t *words)
{
    return (double)(join_words(words) >> 11) * 0x1p-53;
}

/* Returns the upper 64 bits of the 128-bit product a * b. */
static uint64_t multiply_high(uint64_t a, uint64_t b)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32;
    uint64_t b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    uint64_t carry = a0 * b1 + (uint32_t)middle;
    return a1 * b1 + (middle >> 32) + (carry >> 32);
}

static void convert_rand_f32(const draw *d, const uint32_t *words, int64_t first, int64_t count)
{
    float *out = (float *)d->out + first;
    for (int64_t i = 0; i < count; i++)
        out[i] = (float)(words[i] >> 8) * 0x1p-24f;
}

static void convert_rand_f64(const draw *d, const uint32_t *words, int64_t first, int64_t count)
{
    double *out = (double *)d->out + first;
    for (int64_t i = 0; i < count; i++)
        out[i] = unit53(words + 2 * i);
}

/* Makes two independent normal numbers from u and v, which are uniform in [0, 1). 1 - u is never 0. */
static void box_muller(double u, double v, double z[2])
{
    double r = sqrt(-2.0 * log(1.0 - u));
    z[0] = r * cos(TWO_PI * v);
    z[1] = r * sin(TWO_PI * v);
}

static void convert_randn_f32(const draw *d, const uint32_t *words, int64_t first, int64_t count)
{
    float *out = (float *)d->out + first;
    double z[2];
    for (int64_t i = 0; i < count; i += 2) {
        box_muller(words[i] * 0x1p-32, words[i + 1] * 0x1p-32, z);
        out[i] = (float)(d->mean + d->std * z[0]);
        if (i + 1 < count)
            out[i + 1] = (float)(d->mean + d->std * z[1]);
    }
}

static void convert_randn_f64(const draw *d, const uint32_t *words, int64_t first, int64_t count)
{
    double *out = (double *)d->out + first;
    double z[2];
    for (int64_t i = 0; i < count; i += 2) {
        box_muller(unit53(words + 2 * i), unit53(words + 2 * i + 2), z);
        out[i] = d->mean + d->std * z[0];
        if (i + 1 < count)
            out[i + 1] = d->mean + d->std * z[1];
    }
}

static void convert_exponential_f32(const draw *d, const uint32_t *words, int64_t first, int64_t count)
{
    float *out = (float *)d->out + first;
    for (int64_t i = 0; i < count; i++)
        out[i] = (float)(-log1p(words[i] * -0x1p-32) / d->rate);
}

static void convert_exponential_f64(const draw *d, const uint32_t *words, int64_t first, int64_t count)
{
    double *out = (double *)d->out + first;
    for (int64_t i = 0; i < count; i++)
        out[i] = -log1p(-unit53(words + 2 * i)) / d->rate;
}

static void convert_randint(const draw *d, const uint32_t *words, int64_t first, int64_t count)
{
    int64_t *out = (int64_t *)d->out + first;
    for (int64_t i = 0; i < count; i++)
        out[i] = (int64_t)((uint64_t)d->low + multiply_high(join_words(words + 2 * i), d->range));
}

static void convert_bits(const draw *d, const uint32_t *words, int64_t first, int64_t count)
{
    uint64_t *out = (uint64_t *)d->out + first;
    for (int64_t i = 0; i < count; i++)
        out[i] = join_words(words + 2 * i);
}

static void convert_bernoulli(const draw *d, const uint32_t *words, int64_t first, int64_t count)
{
    bool *out = (bool *)d->out + first;
    for (int64_t i = 0; i < count; i++)
        out[i] = unit53(words + 2 * i) < d->p;
}

/* -- Filling ---------------------------------------------------------------------------------------------------- */

static void fill_chunk(const draw *d, int64_t chunk)
{
    int64_t per_chunk = CHUNK_WORDS / d->words;
    int64_t first = chunk * per_chunk;
    int64_t count = d->n - first < per_chunk ? d->n - first : per_chunk;
    int64_t blocks = (count * d->words + 3) / 4;
    uint64_t position = d->position + (uint64_t)chunk * CHUNK_BLOCKS;
    uint32_t key[2] = {(uint32_t)d->seed, (uint32_t)(d->seed >> 32)};
    uint32_t words[CHUNK_WORDS];
    for (int64_t b = 0; b < blocks; b++) {
        uint64_t q = position + (uint64_t)b;
        heed__philox((uint32_t[4]){(uint32_t)q, (uint32_t)(q >> 32), 0, 0}, key, words + 4 * b);
    }
    d->convert(d, words, first, count);
}

static void fill_range(int64_t begin, int64_t end, void *context)
{
    for (int64_t chunk = begin; chunk < end; chunk++)
        fill_chunk(context, chunk);
}

/* Makes the tensor first, then takes the positions and fills it: a failure leaves the generator unchanged. */
static heed_tensor *draw_tensor(const char *where, heed_dtype dtype, heed_shape shape, draw *d)
{
    heed_generator *generator = heed__generator_current();
    if (!heed__generator_check(where, generator))
        return NULL;
    heed_tensor *t = heed__tensor_new(where, dtype, &shape);
    if (!t)
        return NULL;
    int64_t blocks = (t->numel * d->words + 3) / 4;
    heed__stream_position reserved;
    if (!heed__generator_reserve(where, generator, (uint64_t)blocks, &reserved))
        return NULL;
    d->n = t->numel;
    d->out = t->data;
    d->seed = reserved.seed;
    d->position = reserved.position;
    int64_t chunks = (blocks + CHUNK_BLOCKS - 1) / CHUNK_BLOCKS;
    heed__parallel_for(chunks, CHUNKS_PER_RANGE, (int64_t)d->cost * (CHUNK_WORDS / d->words), fill_range, d);
    return t;
}

static bool check_random(const char *where, heed_dtype dtype)
{
    if (heed_dtype_is_float(dtype))
        return true;
    return heed_fail_false(HEED_ERR_DTYPE, where, "dtype is %s: must be f32 or f64", heed_dtype_name(dtype));
}

/* -- Distributions ---------------------------------------------------------------------------------------------- */

static heed_tensor *draw_rand(const char *where, heed_dtype dtype, heed_shape shape)
{
    if (!check_random(where, dtype))
        return NULL;
    draw d = {.convert = convert_rand_f32, .words = 1, .cost = 4};
    if (dtype == HEED_F64)
        d = (draw){.convert = convert_rand_f64, .words = 2, .cost = 8};
    return draw_tensor(where, dtype, shape, &d);
}

heed_tensor *heed_rand(heed_dtype dtype, heed_shape shape)
{
    return draw_rand("rand", dtype, shape);
}

static heed_tensor *draw_normal(const char *where, heed_dtype dtype, heed_shape shape, double mean, double std)
{
    if (!check_random(where, dtype))
        return NULL;
    if (!isfinite(mean) || !(std >= 0 && isfinite(std)))
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "mean is %g and std %g: must be finite, and std not negative",
                              mean, std);
    draw d = {.convert = convert_randn_f32, .words = 1, .cost = 24, .mean = mean, .std = std};
    if (dtype == HEED_F64)
        d = (draw){.convert = convert_randn_f64, .words = 2, .cost = 28, .mean = mean, .std = std};
    return draw_tensor(where, dtype, shape, &d);
}

heed_tensor *heed_randn(heed_dtype dtype, heed_shape shape)
{
    return draw_normal("randn", dtype, shape, 0, 1);
}

heed_tensor *heed_normal(heed_dtype dtype, heed_shape shape, double mean, double std)
{
    return draw_normal("normal", dtype, shape, mean, std);
}

heed_tensor *heed_exponential(heed_dtype dtype, heed_shape shape, double rate)
{
    if (!check_random("exponential", dtype))
        return NULL;
    if (!(rate > 0 && isfinite(rate)))
        return heed_fail_null(HEED_ERR_ARGUMENT, "exponential", "rate is %g: must be finite and above 0", rate);
    draw d = {.convert = convert_exponential_f32, .words = 1, .cost = 16, .rate = rate};
    if (dtype == HEED_F64)
        d = (draw){.convert = convert_exponential_f64, .words = 2, .cost = 20, .rate = rate};
    return draw_tensor("exponential", dtype, shape, &d);
}

heed_tensor *heed_rand_like(const heed_tensor *t)
{
    return heed__check_tensor("rand_like", t) ? draw_rand("rand_like", t->dtype, t->shape) : NULL;
}

heed_tensor *heed_randn_like(const heed_tensor *t)
{
    return heed__check_tensor("randn_like", t) ? draw_normal("randn_like", t->dtype, t->shape, 0, 1) : NULL;
}

heed_tensor *heed_randint(int64_t low, int64_t high, heed_shape shape)
{
    if (low >= high)
        return heed_fail_null(HEED_ERR_ARGUMENT, "randint", "low is %" PRId64 ": must be less than high, %" PRId64, low,
                              high);
    draw d = {.convert = convert_randint, .words = 2, .cost = 8, .low = low, .range = (uint64_t)high - (uint64_t)low};
    return draw_tensor("randint", HEED_I64, shape, &d);
}

/* Fisher-Yates shuffle, inside out: step i puts i at a random position j <= i and moves the previous value there to the
 * end. The tensor initially holds the random bits; step i reads its own bits and writes only positions up to i. */
heed_tensor *heed_permutation(int64_t n)
{
    if (n < 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, "permutation", "n is %" PRId64 ": must be at least 0", n);
    draw d = {.convert = convert_bits, .words = 2, .cost = 8};
    heed_tensor *t = draw_tensor("permutation", HEED_I64, HEED_SHAPE(n), &d);
    if (!t)
        return NULL;
    int64_t *values = (int64_t *)d.out;
    for (int64_t i = 0; i < n; i++) {
        uint64_t j = multiply_high((uint64_t)values[i], (uint64_t)i + 1);
        values[i] = values[j];
        values[j] = i;
    }
    return t;
}

heed_tensor *heed_bernoulli(double p, heed_shape shape)
{
    if (!(p >= 0 && p <= 1))
        return heed_fail_null(HEED_ERR_ARGUMENT, "bernoulli", "p is %g: must be in [0, 1]", p);
    draw d = {.convert = convert_bernoulli, .words = 2, .cost = 8, .p = p};
    return draw_tensor("bernoulli", HEED_BOOL, shape, &d);
}
