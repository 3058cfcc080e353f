/* system/matrix_unit.h - the registers of a processor's matrix unit, which a process has to ask for. */
#ifndef HEED_SYSTEM_MATRIX_UNIT_H
#define HEED_SYSTEM_MATRIX_UNIT_H

#include <stdbool.h>

/* Asks for AMX's tiles; whether all threads of the process may use them from now on. Linux refuses where a thread has
 * an alternate signal stack that is too small for them, and once it has agreed, refuses such stacks. */
bool heed__ask_for_matrix_unit(void);

#endif
