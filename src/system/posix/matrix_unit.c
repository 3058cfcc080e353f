/* system/posix/matrix_unit.c - AMX's tiles, of Linux on x86-64. */

#include "system/posix/more.h"

#include "system/matrix_unit.h"

#if HEED_MATRIX_UNIT
#include <sys/syscall.h>
#include <unistd.h>

enum {
    ASK_PERMISSION = 0x1023,
    TILE_DATA = 18
}; /* ARCH_REQ_XCOMP_PERM of asm/prctl.h from Linux 5.16 on; the state's number */
#endif

bool heed__ask_for_matrix_unit(void)
{
#if HEED_MATRIX_UNIT
    return syscall(SYS_arch_prctl, ASK_PERMISSION, TILE_DATA) == 0;
#else
    return false;
#endif
}
