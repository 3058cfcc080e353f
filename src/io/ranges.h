/* io/ranges.h - which bytes of a file its tensors have. */
#ifndef HEED_IO_RANGES_H
#define HEED_IO_RANGES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct heed__range {
    size_t begin, end;
} heed__range;

/* All of them; {0}: none so far. */
typedef struct heed__ranges {
    heed__range *list;
    size_t count, room;
} heed__ranges;

/* False after heed_fail with HEED_ERR_NOMEM: then they are as they were. */
bool heed__ranges_add(heed__ranges *ranges, heed__range added);
void heed__ranges_free(heed__ranges *ranges);

/* By begin, then by end: in place, n log n whatever the order. */
void heed__sort_ranges(heed__range *ranges, size_t count);

#endif
