/* ops/logic/logical_xor.c    y = a exclusive or b, for bool, with broadcasting.    No gradient */

#include "ops/logic/logic.h"

HEED__LOGICAL(logical_xor, a ^ b)
