/* system/windows/matrix_unit.c - permission to use a matrix unit: never requested on Windows. */

#include "system/matrix_unit.h"

bool heed__request_matrix_unit(void)
{
    return false;
}
