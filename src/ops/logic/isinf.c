/* ops/logic/isinf.c    y = true if x is inf or -inf; 0 x is NaN only for these and for NaN.    No gradient */

#include "ops/logic/logic.h"

HEED__PREDICATE(isinf, (x == x) & (0 * x != 0), false)
