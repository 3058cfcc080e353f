/* ops/logic/logical_and.c    y = a and b, for bool, with broadcasting.    No gradient */

#include "ops/logic/logic.h"

HEED__LOGICAL(logical_and, a &b)
