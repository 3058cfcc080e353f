/* ops/logic/isinf.c    y = is x inf or -inf?    No gradient. 0 x is NaN of these, and of NaN itself. */

#include "ops/logic/logic.h"

HEED__PREDICATE(isinf, (x == x) & (0 * x != 0), false)
