/* system/posix/matrix_unit.c - permission to use AMX's tile registers, on Linux for x86-64. */

#include "system/posix/more.h"

#include "system/matrix_unit.h"

#if HEED_MATRIX_UNIT
#include <sys/syscall.h>
#include <unistd.h>

enum {
    REQUEST_PERMISSION = 0x1023,
    TILE_DATA = 18
}; /* ARCH_REQ_XCOMP_PERM of asm/prctl.h, since Linux 5.16; the number of the register state */
#endif

bool heed__request_matrix_unit(void)
{
#if HEED_MATRIX_UNIT
    return syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA) == 0;
#else
    return false;
#endif
}
