/* io/ranges.h - the byte ranges that the tensors of a file occupy. */
#ifndef HEED_IO_RANGES_H
#define HEED_IO_RANGES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct heed__range {
    size_t begin, end;
} heed__range;

/* A list of ranges; {0} is empty. */
typedef struct heed__ranges {
    heed__range *list;
    size_t count, capacity;
} heed__ranges;

/* Appends a range. Returns false after heed_fail with HEED_ERR_NOMEM; the list is then unchanged. */
bool heed__ranges_add(heed__ranges *ranges, heed__range added);
void heed__ranges_free(heed__ranges *ranges);

/* Sorts by `begin` and then by `end`, in place, in O(n log n) for every input. */
void heed__sort_ranges(heed__range *ranges, size_t count);

#endif
