/* system/single_threaded.h - HEED_SINGLE_THREADED: true if this process certainly never had a second thread. */
#ifndef HEED_SYSTEM_SINGLE_THREADED_H
#define HEED_SYSTEM_SINGLE_THREADED_H

#if defined(__has_include) && !defined(HEED_POSIX_ONLY)
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define HEED_SINGLE_THREADED (__libc_single_threaded != 0)
#endif
#endif
#ifndef HEED_SINGLE_THREADED
#define HEED_SINGLE_THREADED 0
#endif

#endif
