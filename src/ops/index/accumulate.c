/* ops/index/accumulate.c - see accumulate.h. */

#include "ops/index/accumulate.h"

#include <string.h>

#include "core/memory.h"

static size_t bytes_of(const heed_tensor *y)
{
    return (size_t)y->numel * heed_dtype_size(y->dtype);
}

bool heed__accumulate_begin(const char *where, heed_tensor *y, int64_t terms, heed__accumulator *sums)
{
    *sums = (heed__accumulator){.y = y};
    memset(y->data, 0, bytes_of(y));
    if (!heed__is_long(terms) || y->dtype == HEED_I64 || y->numel == 0)
        return true;
    sums->lost = heed__alloc(where, bytes_of(y));
    if (sums->lost)
        memset(sums->lost, 0, bytes_of(y));
    return sums->lost;
}

#define ADD(type)                                                                                                      \
    do {                                                                                                               \
        type *to = (void *)y;                                                                                          \
        const type *from = x;                                                                                          \
        for (int64_t i = 0; i < n; i++)                                                                                \
            to[i] += from[i];                                                                                          \
    } while (0)

void heed__accumulate(const heed__accumulator *sums, int64_t at, int64_t n, const void *x)
{
    const heed_dtype dtype = sums->y->dtype;
    at *= (int64_t)heed_dtype_size(dtype);
    char *y = sums->y->data + at;
    if (sums->lost)
        HEED__RUN(total_add_row, dtype, n, x, y, sums->lost + at);
    else if (dtype == HEED_F32)
        ADD(float);
    else if (dtype == HEED_F64)
        ADD(double);
    else
        ADD(uint64_t);
}

#define ADD_EACH(type)                                                                                                 \
    do {                                                                                                               \
        type *to = (type *)(void *)sums->y->data + from;                                                               \
        const type *terms = x;                                                                                         \
        for (int64_t i = 0; i < n; i++)                                                                                \
            to[index[i]] += terms[i];                                                                                  \
    } while (0)

void heed__accumulate_each(const heed__accumulator *sums, int64_t from, const int64_t *index, int64_t n, const void *x)
{
    const heed_dtype dtype = sums->y->dtype;
    if (sums->lost)
        for (int64_t i = 0; i < n; i++)
            heed__accumulate(sums, from + index[i], 1, (const char *)x + (size_t)i * heed_dtype_size(dtype));
    else if (dtype == HEED_F32)
        ADD_EACH(float);
    else if (dtype == HEED_F64)
        ADD_EACH(double);
    else
        ADD_EACH(uint64_t);
}

void heed__accumulate_end(heed__accumulator *sums)
{
    heed_free(sums->lost, sums->lost ? bytes_of(sums->y) : 0);
}
