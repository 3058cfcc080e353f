/* system/matrix_unit.h - permission to use the registers of a processor's matrix unit. */
#ifndef HEED_SYSTEM_MATRIX_UNIT_H
#define HEED_SYSTEM_MATRIX_UNIT_H

#include <stdbool.h>

/* Requests AMX's tile registers. Returns whether all threads of the process may use them from now on. Linux refuses if
 * a thread has an alternate signal stack that is too small for them; after it has agreed, it refuses such stacks. */
bool heed__request_matrix_unit(void);

#endif
