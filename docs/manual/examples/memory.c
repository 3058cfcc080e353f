/* memory.c - examples of include/heed/memory.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

/* [heed_set_allocator] */
static void *counted_alloc(size_t size, size_t alignment, void *user)
{
    ++*(int *)user;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void counted_free(void *block, size_t size, void *user)
{
    (void)size, (void)user;
    free(block);
}
/* [] */

static void example_allocator(void)
{
    /* [heed_set_allocator] */
    int calls = 0;
    if (heed_set_allocator(&(heed_allocator){counted_alloc, counted_free, &calls}) == HEED_OK) /* before all tensors */
        heed_zeros(HEED_F32, HEED_SHAPE(8));
    printf("%s\n", calls > 0 ? "called" : "not called"); /* -> called */
    /* [] */
    heed_thread_cleanup(); /* `calls` must outlive all calls */
    if (heed_set_allocator(NULL) != HEED_OK)
        puts(heed_error_message());
}

static void example_stats(void)
{
    /* [heed_memory_get_stats heed_memory_reset_peak] */
    heed_scope *step = heed_scope_begin();
    const int64_t before = heed_memory_get_stats().live_bytes;
    heed_memory_reset_peak();
    heed_zeros(HEED_F32, HEED_SHAPE(1024, 1024));
    heed_scope_end(step);
    heed_memory_stats now = heed_memory_get_stats();
    printf("%.1f MiB at most\n", (double)(now.peak_bytes - before) / 1048576); /* -> 4.5 MiB at most */
    /* [] */
}

static void example_cache(void)
{
    /* [heed_memory_set_cache_limit] */
    heed_free(heed_alloc(1000), 1000);                        /* the block is cached */
    size_t limit = heed_memory_set_cache_limit(0);            /* returns cached blocks to the system */
    printf("%d\n", heed_memory_get_stats().cached_bytes > 0); /* -> 0 */
    heed_memory_set_cache_limit(limit);
    /* [] */
}

static void example_blocks(void)
{
    /* [heed_alloc heed_calloc heed_free] */
    double *sums = heed_calloc(10, sizeof *sums), *copy = heed_alloc(10 * sizeof *copy);
    for (int i = 0; sums && copy && i < 10; i++)
        copy[i] = sums[i] + 1;
    printf("%g\n", copy ? copy[9] : 0); /* -> 1 */
    heed_free(copy, 10 * sizeof *copy);
    heed_free(sums, 10 * sizeof *sums);
    /* [] */
}

static void example_report(void)
{
    FILE *file = tmpfile();
    char line[80] = "";
    /* [heed_memory_report] */
    heed_memory_report(file);
    rewind(file);
    printf("%s\n", fgets(line, sizeof line, file) ? "the totals, and in debug mode the owners" : "nothing");
    /* -> the totals, and in debug mode the owners */
    /* [] */
    fclose(file);
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_allocator();
    example_stats();
    example_cache();
    example_blocks();
    example_report();
    return 0;
}
