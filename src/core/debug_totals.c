/* core/debug_totals.c - debug mode's reports on many blocks: a growing root scope, and blocks in use at exit. */

#include <string.h>

#include "core/debug.h"
#include "core/description.h"
#include "core/instrumentation.h"
#include "core/quarantine.h"
#include "core/thread.h"

#define GROWTH_LIMIT ((size_t)1000) /* tensors in the root scope */
#define MAX_LINES 10

/* -- A growing root scope ------------------------------------------------------------------------------------------ */

static atomic_int growth_reported; /* 0 or 1, in an int: RISC-V lacks an instruction that exchanges a byte */

void heed__debug_reset_growth(void)
{
    atomic_store(&growth_reported, 0);
}

/* Counts the tensors per origin. Returns their bytes. */
static size_t tally(heed_tensor *const *tensors, size_t n)
{
    size_t bytes = 0;
    for (heed__block_origin *o = heed__origin_next(NULL); o; o = heed__origin_next(o))
        o->tally = 0;
    for (size_t i = 0; i < n; i++) {
        const heed__block *block = tensors[i] ? heed__block_find(tensors[i]) : NULL;
        if (!block)
            continue;
        block->origin->tally++;
        bytes += block->bytes;
    }
    return bytes;
}

/* Returns true if a report should merge a and b: they have the same line or, without lines, the same call and
 * function. */
static bool same_origin(const heed__block_origin *a, const heed__block_origin *b)
{
    return strcmp(a->site, b->site) == 0 &&
           (*a->site || (strcmp(a->call, b->call) == 0 && strcmp(a->where, b->where) == 0));
}

/* Returns the origin that, together with all origins that a report merges with it, allocated most of the counted
 * tensors, and sets *most to their number. */
static const heed__block_origin *most_frequent_origin(size_t *most)
{
    const heed__block_origin *best = NULL;
    *most = 0;
    for (const heed__block_origin *o = heed__origin_next(NULL); o; o = heed__origin_next(o)) {
        size_t sum = 0;
        for (const heed__block_origin *other = o->tally ? heed__origin_next(NULL) : NULL; other;
             other = heed__origin_next(other))
            sum += same_origin(o, other) ? other->tally : 0;
        if (sum > *most) {
            *most = sum;
            best = o;
        }
    }
    return best;
}

void heed__debug_root_grows(heed_tensor *const *tensors, size_t n)
{
    if (n < GROWTH_LIMIT || atomic_exchange(&growth_reported, 1))
        return;
    char text[HEED_DESCRIPTION_MAX];
    heed__string_builder builder = {.text = text, .size = sizeof text};
    size_t most;
    heed__blocks_lock();
    heed__append(&builder, "the root scope holds %zu tensors (", n);
    heed__append_bytes(&builder, tally(tensors, n));
    heed__append(&builder, ") and is growing");
    const heed__block_origin *origin = most_frequent_origin(&most);
    if (origin) {
        heed__append(&builder, ": %zu of them come from ", most);
        if (*origin->site)
            heed__append(&builder, "%s", origin->site);
        else
            heed__append_functions(&builder, origin);
    }
    heed__blocks_unlock();
    heed__notice("%s; is there a loop without heed_scope_begin and heed_scope_end?", text);
}

/* -- Blocks in use at exit ----------------------------------------------------------------------------------------- */

static size_t count_in_use(size_t *bytes)
{
    size_t blocks = 0;
    *bytes = 0;
    for (heed__block_origin *o = heed__origin_next(NULL); o; o = heed__origin_next(o)) {
        o->tally = o->bytes;
        blocks += o->blocks;
        *bytes += o->bytes;
    }
    return blocks;
}

/* Appends the largest unreported origin. Returns false if all are reported. */
static bool append_largest(heed__string_builder *builder)
{
    heed__block_origin *largest = NULL;
    heed__blocks_lock();
    for (heed__block_origin *o = heed__origin_next(NULL); o; o = heed__origin_next(o))
        if (o->tally > 0 && (!largest || o->tally > largest->tally))
            largest = o;
    if (largest) {
        heed__append_bytes(builder, largest->bytes);
        heed__append(builder, " in %zu block%s: ", largest->blocks, largest->blocks == 1 ? "" : "s");
        heed__append_functions(builder, largest);
        if (*largest->site)
            heed__append(builder, " at %s", largest->site);
        if (*largest->module)
            heed__append(builder, " in %s", largest->module);
        largest->tally = 0;
    }
    heed__blocks_unlock();
    return largest != NULL;
}

static void report_in_use(void)
{
    char text[HEED_DESCRIPTION_MAX];
    heed__string_builder builder = {.text = text, .size = sizeof text};
    size_t bytes;
    heed__blocks_lock();
    const size_t blocks = count_in_use(&bytes);
    heed__append_bytes(&builder, bytes);
    heed__blocks_unlock();
    if (blocks == 0)
        return;
    heed__notice("at the end of the process %zu block%s (%s) %s still in use, which no scope of this thread holds:",
                 blocks, blocks == 1 ? "" : "s", text, blocks == 1 ? "is" : "are");
    for (int line = 0; line < MAX_LINES; line++) {
        builder = (heed__string_builder){.text = text, .size = sizeof text};
        if (!append_largest(&builder))
            return;
        heed__notice("    %s", text);
    }
    builder = (heed__string_builder){.text = text, .size = sizeof text};
    if (append_largest(&builder))
        heed__notice("    ...");
}

/* After an error the program has skipped its cleanup, so that only the pending error is reported. */
void heed__debug_at_exit(void)
{
    heed__quarantine_shrink(0, true);
    if (heed__thread()->status == HEED_OK)
        report_in_use();
    else
        heed__notice("at the end of the process an error is pending that was never cleared: %s (%s)",
                     heed_error_message(), heed_status_name(heed__thread()->status));
}
