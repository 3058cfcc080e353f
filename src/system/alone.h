/* system/alone.h - whether this process is known never to have had a second thread. */
#ifndef HEED_SYSTEM_ALONE_H
#define HEED_SYSTEM_ALONE_H

#if defined(__has_include) && !defined(HEED_POSIX_ONLY)
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define HEED_ALONE (__libc_single_threaded != 0)
#endif
#endif
#ifndef HEED_ALONE
#define HEED_ALONE 0
#endif

#endif
