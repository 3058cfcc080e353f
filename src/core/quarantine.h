/* core/quarantine.h - debug mode's quarantine for freed blocks. The oldest blocks leave when new ones arrive. */
#ifndef HEED_CORE_QUARANTINE_H
#define HEED_CORE_QUARANTINE_H

#include "core/blocks.h"

/* Fills a freed block and quarantines it. Requires the table's lock. */
void heed__quarantine_add(heed__block *block);

/* Frees the oldest blocks until all together have at most `bytes`. A block that was written to after it was freed
 * causes an error, or a notice if an error is pending or `by_notice` is set. */
void heed__quarantine_shrink(size_t bytes, bool by_notice);

/* Returns the bytes in quarantine. Requires the table's lock. */
size_t heed__quarantine_bytes(void);

#endif
