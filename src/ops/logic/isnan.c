/* ops/logic/isnan.c    y = is x NaN?    No gradient */

#include "ops/logic/logic.h"

HEED__PREDICATE(isnan, x != x, false)
