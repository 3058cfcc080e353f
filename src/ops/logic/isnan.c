/* ops/logic/isnan.c    y = true if x is NaN.    No gradient */

#include "ops/logic/logic.h"

HEED__PREDICATE(isnan, x != x, false)
