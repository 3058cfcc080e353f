/* ops/logic/logical_xor.c    y = one of a and b, but not both, of bools, with broadcasting.    No gradient */

#include "ops/logic/logic.h"

HEED__LOGICAL(logical_xor, a ^ b)
