/* tests/test_misuse_apply.c - heed_apply on the ops of the library. What users' own ops may get wrong is in
 * test_misuse_op.c. */

#include "misuse.h"

/* -- The ops of the library, applied by hand ----------------------------------------------------------------------- */

static const char no_params[4096];

static const heed_op *library_op(const char *name)
{
    int k = 0;
    while (heed_op_at(k) && strcmp(heed_op_at(k)->name, name) != 0)
        k++;
    return heed_op_at(k);
}

START_TEST(a_sum_of_bools)
{
    heed_tensor *x = heed_ones(HEED_BOOL, HEED_SHAPE(2, 3));
    ck_assert_null_fails("sum_to", HEED_ERR_DTYPE, "bool", heed_apply(library_op("sum_to"), &x, 1, no_params));
}
END_TEST

MISUSE_MAIN("misuse of heed_apply", a_sum_of_bools)
