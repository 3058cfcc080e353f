/* core/precision.c - the precision of f32 products.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/precision.h"

#include <heed/precision.h>

#include "core/thread.h"
#include "system/system.h"

heed_status heed_set_matmul_precision(heed_precision precision)
{
    if ((unsigned)precision > HEED_PRECISION_MEDIUM)
        return heed_fail(HEED_ERR_ARGUMENT, "set_matmul_precision", "precision is %d: must be a heed_precision",
                         (int)precision);
    heed__thread()->precision = precision;
    return HEED_OK;
}

heed_precision heed_matmul_precision(void)
{
    return heed__thread()->precision;
}

/* Several threads may ask the system at the same time; all get the same answer. */
static bool may_use_unit(void)
{
    enum { UNASKED, GRANTED, REFUSED };
    static atomic_int answer = UNASKED;
    if (!heed__has_matrix_unit())
        return false;
    if (atomic_load_explicit(&answer, memory_order_relaxed) == UNASKED)
        atomic_store_explicit(&answer, heed__request_matrix_unit() ? GRANTED : REFUSED, memory_order_relaxed);
    return atomic_load_explicit(&answer, memory_order_relaxed) == GRANTED;
}

heed__rounding heed__rounding_allowed(void)
{
    const heed_precision precision = heed__thread()->precision;
    const int pieces = precision == HEED_PRECISION_HIGHEST ? 0 : precision == HEED_PRECISION_HIGH ? 2 : 1;
    if (pieces > 0 && may_use_unit())
        return (heed__rounding){heed__matmul_bf16(), pieces};
    return (heed__rounding){pieces == 1 ? heed__matmul_bf16() : NULL, 0};
}
