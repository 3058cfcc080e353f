/* io/ranges.c - a growing list of ranges, and a heapsort. The ranges come from a file, possibly an attacker's. Heapsort
 * does not allocate and always takes O(n log n) time, while qsort may allocate or be slow. */

#include "io/ranges.h"

#include <string.h>

#include <heed/memory.h>

static bool grow(heed__ranges *ranges)
{
    const size_t capacity = ranges->capacity > 0 ? 2 * ranges->capacity : 64;
    heed__range *list = heed_alloc(capacity * sizeof *list);
    if (!list)
        return false;
    if (ranges->count > 0)
        memcpy(list, ranges->list, ranges->count * sizeof *list);
    heed__ranges_free(ranges);
    ranges->list = list;
    ranges->capacity = capacity;
    return true;
}

bool heed__ranges_add(heed__ranges *ranges, heed__range added)
{
    if (ranges->count == ranges->capacity && !grow(ranges))
        return false;
    ranges->list[ranges->count++] = added;
    return true;
}

void heed__ranges_free(heed__ranges *ranges)
{
    heed_free(ranges->list, ranges->capacity * sizeof *ranges->list);
}

static bool less(heed__range a, heed__range b)
{
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
}

/* Moves ranges[at] down the heap until neither child is larger. */
static void sift_down(heed__range *ranges, size_t at, size_t count)
{
    heed__range moved = ranges[at];
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && less(ranges[child], ranges[child + 1]))
            child++;
        if (!less(moved, ranges[child]))
            break;
        ranges[at] = ranges[child];
        at = child;
    }
    ranges[at] = moved;
}

void heed__sort_ranges(heed__range *ranges, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sift_down(ranges, i, count);
    for (size_t n = count; n-- > 1;) {
        heed__range largest = ranges[0];
        ranges[0] = ranges[n];
        ranges[n] = largest;
        sift_down(ranges, 0, n);
    }
}
