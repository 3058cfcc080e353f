/* ops/logic/logical_or.c    y = a or b, for bool, with broadcasting.    No gradient */

#include "ops/logic/logic.h"

HEED__LOGICAL(logical_or, a | b)
