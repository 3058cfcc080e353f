/* ops/registry.c - the list of ops, made from ops.def. */

#include "ops/support.h"

static const heed_op *const registry[] = {
#define HEED_OP(name) &heed_op_##name,
#define HEED_COMPOSITE(name)
#include "ops/ops.def"
#undef HEED_OP
#undef HEED_COMPOSITE
};

const heed_op *heed_op_at(int i)
{
    const int count = (int)(sizeof registry / sizeof registry[0]);
    return i >= 0 && i < count ? registry[i] : NULL;
}
