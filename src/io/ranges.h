/* io/ranges.h - which bytes of a file its tensors have. */
#ifndef HEED_IO_RANGES_H
#define HEED_IO_RANGES_H

#include <stddef.h>

typedef struct heed__range {
    size_t begin, end;
} heed__range;

/* By begin, then by end: in place, n log n whatever the order. */
void heed__sort_ranges(heed__range *ranges, size_t count);

#endif
