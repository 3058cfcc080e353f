/* ops/product/multiply.c - see multiply.h. The work is split into parts of C. A part is a block of one batch element;
 * small batch elements are not split. To compute a part, a thread packs columns of B and reads rows of A, so parts
 * should be large, but there must be enough for all threads. The split therefore depends on the number of threads. No
 * element of C depends on the split.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/product/multiply.h"

#include "core/parallel.h"
#include "core/precision.h"

enum {
    PACKED_BYTES = 640 << 10, /* maximum bytes of packed B, of heed__matmul_depth rows; they fit a second-level cache */
    LEAST_SIDE = 64,          /* a side of so few rows or columns is not split further */
    LONG_ROWS = 1024, /* maximum rows of a part with long sums, which need two numbers of scratch memory per element */
    PARTS_OF_THREAD = 2,  /* desired parts per thread */
    PART_WORK = 1 << 20,  /* minimum multiplications of a part */
    RANGE_WORK = 1 << 17, /* minimum multiplications of a range of batch elements */
    OPERATIONS = 16       /* multiplications that take as long as one operation of other work */
};

typedef struct product {
    heed__matmul_kernel *kernel;
    heed__matmul_args all;
    int64_t size; /* bytes per element */
    /* a batch element has down * across parts, `down` over its rows and `across` over its columns */
    int64_t down, across;
} product;

static int64_t times(int64_t a, int64_t b)
{
    int64_t both;
    return __builtin_mul_overflow(a, b, &both) ? INT64_MAX : both;
}

/* Elements of C per part. */
static int64_t area_of(const product *p)
{
    return times(heed__ceil_div(p->all.m, p->down), heed__ceil_div(p->all.n, p->across));
}

/* Multiplications per part, at least 1. */
static int64_t work_of(const product *p)
{
    return times(area_of(p), p->all.k > 0 ? p->all.k : 1);
}

/* Splits the longer side until there are enough parts. */
static void cut(product *p)
{
    const heed__matmul_args *s = &p->all;
    const int threads = heed_num_threads(), enough = threads > 1 ? PARTS_OF_THREAD * threads : 1;
    p->down = heed__is_long(s->k) ? heed__ceil_div(s->m, LONG_ROWS) : 1;
    const int64_t depth = heed__matmul_depth(s->k > 0 ? s->k : 1);
    p->across = heed__ceil_div(s->n, PACKED_BYTES / p->size / depth);
    while (times(s->batches, p->down * p->across) < enough && work_of(p) >= 2 * PART_WORK) {
        int64_t rows = heed__ceil_div(s->m, p->down), columns = heed__ceil_div(s->n, p->across);
        if (rows <= LEAST_SIDE && columns <= LEAST_SIDE)
            break;
        if (columns >= rows)
            p->across *= 2;
        else
            p->down *= 2;
    }
}

/* Returns the first element of part `at` if n elements are split into `count` parts of whole groups. */
static int64_t bound(int64_t n, int64_t group, int64_t at, int64_t count)
{
    int64_t begin = heed__ceil_div(n, group) * at / count * group;
    return begin < n ? begin : n;
}

/* Computes part i, counted over all batch elements. Parts with the same columns have consecutive numbers. */
static void multiply_part(const product *p, int64_t i, char *scratch)
{
    int64_t of_one = p->down * p->across, batch = i / of_one, across = i % of_one / p->down, down = i % p->down;
    heed__matmul_args args = p->all;
    args.a = (const char *)args.a + batch * args.a_batch * p->size;
    args.b = (const char *)args.b + batch * args.b_batch * p->size;
    args.c = (char *)args.c + batch * args.c_batch * p->size;
    args.batches = 1;
    heed__matmul_range part = {bound(args.m, HEED_MATMUL_GROUP, down, p->down),
                               bound(args.m, HEED_MATMUL_GROUP, down + 1, p->down),
                               bound(args.n, HEED_MATMUL_COLUMNS, across, p->across),
                               bound(args.n, HEED_MATMUL_COLUMNS, across + 1, p->across)};
    p->kernel(&args, &part, scratch);
}

static void multiply_parts(int64_t begin, int64_t end, char *scratch, void *context)
{
    const product *p = context;
    for (int64_t i = begin; i < end; i++)
        multiply_part(p, i, scratch);
}

/* Computes batch elements begin .. end - 1, which are not split. */
static void multiply_batch(int64_t begin, int64_t end, char *scratch, void *context)
{
    const product *p = context;
    heed__matmul_args args = p->all;
    args.a = (const char *)args.a + begin * args.a_batch * p->size;
    args.b = (const char *)args.b + begin * args.b_batch * p->size;
    args.c = (char *)args.c + begin * args.c_batch * p->size;
    args.batches = end - begin;
    p->kernel(&args, &(heed__matmul_range){0, args.m, 0, args.n}, scratch);
}

static bool has_uses(const heed__matmul_args *s, int64_t least)
{
    return times(s->m, s->n) >= times(least, s->m + s->n);
}

/* The rounding that the calling thread's precision setting allows for this product. */
static heed__rounding rounding_of(heed_dtype dtype, const heed__matmul_args *s)
{
    const heed__rounding none = {NULL, 0};
    if (dtype != HEED_F32 || s->k < HEED_PAIRS_TERMS || !has_uses(s, HEED_PAIRS_USES))
        return none;
    const heed__rounding allowed = heed__rounding_allowed();
    return allowed.unit > 1 && !has_uses(s, HEED_PIECES_USES) ? none : allowed;
}

static bool multiply(const char *where, heed_dtype dtype, const heed__matmul_args *args, heed__rounding rounding)
{
    if (args->batches == 0 || args->m == 0 || args->n == 0)
        return true;
    product p = {.kernel = rounding.kernel ? rounding.kernel : HEED__KERNEL(matmul, dtype),
                 .all = *args,
                 .size = (int64_t)heed_dtype_size(dtype)};
    p.all.unit = rounding.unit;
    cut(&p);
    int64_t n = args->batches * p.down * p.across, work = work_of(&p);
    int64_t grain = work < RANGE_WORK ? RANGE_WORK / work : 1, cost = work / OPERATIONS + area_of(&p);
    int64_t columns = heed__ceil_div(heed__ceil_div(args->n, HEED_MATMUL_COLUMNS), p.across) * HEED_MATMUL_COLUMNS;
    int64_t rows = heed__ceil_div(heed__ceil_div(args->m, HEED_MATMUL_GROUP), p.down) * HEED_MATMUL_GROUP;
    return heed__parallel_for_scratch(where, n, grain, cost,
                                      p.kernel(&p.all, &(heed__matmul_range){0, rows, 0, columns}, NULL),
                                      p.down * p.across == 1 ? multiply_batch : multiply_parts, &p);
}

bool heed__multiply(const char *where, heed_dtype dtype, const heed__matmul_args *args)
{
    return multiply(where, dtype, args, rounding_of(dtype, args));
}

bool heed__multiply_in_full(const char *where, heed_dtype dtype, const heed__matmul_args *args)
{
    return multiply(where, dtype, args, (heed__rounding){NULL, 0});
}
