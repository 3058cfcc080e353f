/* system/windows/matrix_unit.c - not asked for on Windows. */

#include "system/matrix_unit.h"

bool heed__ask_for_matrix_unit(void)
{
    return false;
}
