/* core/quarantine.h - freed blocks that are kept aside in debug mode, the oldest of which make room for new ones. */
#ifndef HEED_CORE_QUARANTINE_H
#define HEED_CORE_QUARANTINE_H

#include "core/blocks.h"

/* Fills a block that is in use no longer and keeps it. Under the table's lock. */
void heed__quarantine_add(heed__block *block);

/* Frees the oldest blocks until all together have at most `bytes`. What was written to them since they were freed is an
 * error; or a notice, if an error is pending or `by_notice` says so. */
void heed__quarantine_shrink(size_t bytes, bool by_notice);

/* What is kept. Under the table's lock. */
size_t heed__quarantine_bytes(void);

#endif
