/* core/debug_reports.c - debug mode's reports on many blocks, grouped by their origins: a growing root scope, blocks in
 * use at exit, and heed_memory_report.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/debug.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/node.h"

#define GROWTH_LIMIT ((size_t)1000) /* tensors in the root scope */
#define MAX_LINES_AT_EXIT 10
#define MAX_LINES 20 /* lines per table */
#define MAX_OWNERS 4 /* named owners per tensor */
#define WIDTH 120

/* -- Groups of origins --------------------------------------------------------------------------------------------- */

typedef bool same_group(const heed__block_origin *a, const heed__block_origin *b);

static bool same_origin(const heed__block_origin *a, const heed__block_origin *b)
{
    return a == b;
}

static bool same_call(const heed__block_origin *a, const heed__block_origin *b)
{
    return strcmp(a->call, b->call) == 0 && strcmp(a->where, b->where) == 0;
}

static bool same_line_and_call(const heed__block_origin *a, const heed__block_origin *b)
{
    return strcmp(a->site, b->site) == 0 && same_call(a, b);
}

/* The same line or, without lines, the same call. */
static bool same_line(const heed__block_origin *a, const heed__block_origin *b)
{
    return strcmp(a->site, b->site) == 0 && (*a->site || same_call(a, b));
}

static bool same_module(const heed__block_origin *a, const heed__block_origin *b)
{
    return strcmp(a->module, b->module) == 0;
}

/* Weighs every origin by its bytes in use. */
static void weigh_by_bytes(void)
{
    for (heed__block_origin *o = heed__origin_next(NULL); o; o = heed__origin_next(o))
        o->weight = o->bytes;
}

/* Divides all origins with a weight into groups. Stores the sums of a group's weights and blocks in the field `group`
 * of its first origin. */
static void group_by(same_group *same)
{
    for (heed__block_origin *o = heed__origin_next(NULL); o; o = heed__origin_next(o))
        o->group.weight = o->group.blocks = 0;
    for (const heed__block_origin *o = heed__origin_next(NULL); o; o = heed__origin_next(o)) {
        if (o->weight == 0)
            continue;
        heed__block_origin *first = heed__origin_next(NULL);
        while (first->weight == 0 || !same(first, o))
            first = heed__origin_next(first);
        first->group.weight += o->weight;
        first->group.blocks += o->blocks;
    }
}

/* Returns the first origin of the group with the largest weight, or NULL if all are 0. */
static heed__block_origin *largest_group(void)
{
    heed__block_origin *largest = NULL;
    for (heed__block_origin *o = heed__origin_next(NULL); o; o = heed__origin_next(o))
        if (o->group.weight > (largest ? largest->group.weight : 0))
            largest = o;
    return largest;
}

static void append_line(heed__string_builder *builder, const heed__block_origin *o)
{
    heed__append_functions(builder, o);
    if (*o->site)
        heed__append(builder, " at %s", o->site);
}

/* -- A growing root scope ------------------------------------------------------------------------------------------ */

static atomic_int growth_reported; /* 0 or 1, in an int: RISC-V lacks an instruction that exchanges a byte */

void heed__reset_growing_root(void)
{
    atomic_store(&growth_reported, 0);
}

/* Weighs every origin by its tensors in the list. Returns their bytes. */
static size_t weigh_by_tensors(heed_tensor *const *tensors, size_t n)
{
    size_t bytes = 0;
    for (heed__block_origin *o = heed__origin_next(NULL); o; o = heed__origin_next(o))
        o->weight = 0;
    for (size_t i = 0; i < n; i++) {
        const heed__block *block = tensors[i] ? heed__block_find(tensors[i]) : NULL;
        if (!block)
            continue;
        block->origin->weight++;
        bytes += block->bytes;
    }
    return bytes;
}

void heed__report_growing_root(heed_tensor *const *tensors, size_t n)
{
    if (n < GROWTH_LIMIT || atomic_exchange(&growth_reported, 1))
        return;
    char text[HEED_DESCRIPTION_MAX];
    heed__string_builder builder = {.text = text, .size = sizeof text};
    heed__instrumentation_lock();
    heed__append(&builder, "the root scope holds %zu tensors (", n);
    heed__append_bytes(&builder, weigh_by_tensors(tensors, n));
    heed__append(&builder, ") and is growing");
    group_by(same_line);
    const heed__block_origin *origin = largest_group();
    if (origin) {
        heed__append(&builder, ": %zu of them come from ", origin->group.weight);
        if (*origin->site)
            heed__append(&builder, "%s", origin->site);
        else
            heed__append_functions(&builder, origin);
    }
    heed__instrumentation_unlock();
    heed__notice("%s; is there a loop without heed_scope_begin and heed_scope_end?", text);
}

/* -- Blocks in use at exit ----------------------------------------------------------------------------------------- */

static size_t count_in_use(size_t *bytes)
{
    size_t blocks = 0;
    *bytes = 0;
    for (heed__block_origin *o = heed__origin_next(NULL); o; o = heed__origin_next(o)) {
        blocks += o->blocks;
        *bytes += o->bytes;
    }
    return blocks;
}

/* Appends the largest unreported origin. Returns false if all are reported. */
static bool append_largest(heed__string_builder *builder)
{
    heed__instrumentation_lock();
    heed__block_origin *largest = largest_group();
    if (largest) {
        heed__append_bytes(builder, largest->group.weight);
        heed__append(builder, " in %zu block%s: ", largest->group.blocks, largest->group.blocks == 1 ? "" : "s");
        append_line(builder, largest);
        if (*largest->module)
            heed__append(builder, " in %s", largest->module);
        largest->group.weight = 0;
    }
    heed__instrumentation_unlock();
    return largest != NULL;
}

static void report_in_use(void)
{
    char text[HEED_DESCRIPTION_MAX];
    heed__string_builder builder = {.text = text, .size = sizeof text};
    size_t bytes;
    heed__instrumentation_lock();
    const size_t blocks = count_in_use(&bytes);
    heed__append_bytes(&builder, bytes);
    weigh_by_bytes();
    group_by(same_origin);
    heed__instrumentation_unlock();
    if (blocks == 0)
        return;
    heed__notice("at the end of the process %zu block%s (%s) %s still in use, which no scope of this thread holds:",
                 blocks, blocks == 1 ? "" : "s", text, blocks == 1 ? "is" : "are");
    for (int line = 0; line < MAX_LINES_AT_EXIT; line++) {
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
void heed__report_at_exit(void)
{
    heed__quarantine_shrink(0, true);
    if (heed__thread()->status == HEED_OK)
        report_in_use();
    else
        heed__notice("at the end of the process an error is pending that was never cleared: %s (%s)",
                     heed_error_message(), heed_status_name(heed__thread()->status));
}

/* -- heed_memory_report: tables of origins ------------------------------------------------------------------------- */

typedef struct size_text {
    char s[24];
} size_text;

static size_text in_bytes(size_t bytes)
{
    size_text text = {""};
    heed__string_builder builder = {.text = text.s, .size = sizeof text.s};
    heed__append_bytes(&builder, bytes);
    return text;
}

static void append_module(heed__string_builder *builder, const heed__block_origin *o)
{
    heed__append(builder, "%s", *o->module ? o->module : "outside modules");
}

static void print_table(FILE *file, const char *title, same_group *same,
                        void (*append)(heed__string_builder *, const heed__block_origin *))
{
    weigh_by_bytes();
    group_by(same);
    fprintf(file, "\n%-12s %8s   %s\n", "bytes", "blocks", title);
    heed__block_origin *o;
    for (int line = 0; (o = largest_group()); line++) {
        if (line == MAX_LINES) {
            fprintf(file, "%12s\n", "...");
            return;
        }
        char text[WIDTH];
        heed__string_builder builder = {.text = text, .size = sizeof text};
        append(&builder, o);
        fprintf(file, "%-12s %8zu   %s\n", in_bytes(o->group.weight).s, o->group.blocks, text);
        o->group.weight = 0;
    }
}

/* -- Owners of a tensor -------------------------------------------------------------------------------------------- */

/* The owners of a tensor, as text. */
typedef struct owners {
    const heed_tensor *t;
    const heed__storage *storage;
    const heed__node *nodes[MAX_OWNERS];  /* nodes of graphs that retain it, one per line and op */
    int node_counts[MAX_OWNERS], n_nodes; /* number of such nodes, per line and op */
    heed__string_builder builder;
    int named, more;
} owners;

static bool next_owner(owners *k)
{
    if (k->named == MAX_OWNERS) {
        k->more++;
        return false;
    }
    heed__append(&k->builder, "%s", k->named++ > 0 ? ", " : "");
    return true;
}

static void append_origin(owners *k, const char *what, const char *site, const char *op)
{
    heed__append(&k->builder, "%s%s", what, site ? site : op);
    if (site)
        heed__append(&k->builder, " (%s)", op);
}

/* "net.3.weight" */
static void append_owner(heed__string_builder *builder, const heed__block *block)
{
    char path[HEED_MODULE_PATH_MAX];
    if (block->owner) {
        heed__module_path(block->owner, path, sizeof path);
        heed__append(builder, "%s.", path);
    }
    heed__append(builder, "%s", block->name);
}

static void count_node(owners *k, const heed__node *node)
{
    int i = 0;
    while (i < k->n_nodes && !(k->nodes[i]->op == node->op && k->nodes[i]->site == node->site))
        i++;
    if (i == MAX_OWNERS) {
        k->more++;
        return;
    }
    k->nodes[i] = node;
    k->node_counts[i] = i < k->n_nodes ? k->node_counts[i] + 1 : 1;
    k->n_nodes += i == k->n_nodes;
}

static void check_node(owners *k, const heed__node *node)
{
    bool retains = false;
    for (int i = 0; i < node->n_inputs; i++) {
        const heed_tensor *x = heed__node_saved(node)[i];
        retains = retains || (x && x->storage == k->storage) || node->edges[i].leaf == k->t;
    }
    for (int j = 0; j < node->n_outputs; j++)
        retains = retains || heed__node_results(node)[j].storage == k->storage;
    if (retains)
        count_node(k, node);
}

static void append_nodes(owners *k)
{
    for (int i = 0; i < k->n_nodes; i++) {
        if (!next_owner(k))
            continue;
        append_origin(k, "the graph of ", k->nodes[i]->site, k->nodes[i]->op->name);
        if (k->node_counts[i] > 1)
            heed__append(&k->builder, " %d times", k->node_counts[i]);
    }
}

static void append_tensor(owners *k, const heed__block *block)
{
    const heed_tensor *t = block->address;
    if (block->tensor_freed)
        return;
    if (t->grad == k->t && next_owner(k)) {
        heed__append(&k->builder, "the gradient of ");
        if (block->name)
            append_owner(&k->builder, block);
        else
            append_origin(k, "", *block->origin->site ? block->origin->site : NULL, block->origin->where);
    }
    if (t == k->t || t->storage != k->storage || !next_owner(k))
        return;
    heed__append(&k->builder, "a view of it %s", block->name ? "in " : "");
    if (block->name)
        append_owner(&k->builder, block);
    else
        append_origin(k, "from ", *block->origin->site ? block->origin->site : NULL, block->origin->where);
}

/* Names the scopes of this thread that hold the tensor. */
static void append_scopes(owners *k)
{
    const heed__thread_state *self = heed__thread();
    const heed_scope *last = NULL;
    bool named = false;
    for (size_t i = 0; i < self->count; i++) {
        if (self->tensors[i] != k->t)
            continue;
        const heed_scope *scope = heed__scope_of(i);
        if ((named && scope == last) || !next_owner(k))
            continue;
        named = true;
        last = scope;
        const char *site = scope ? heed__scope_site(scope) : NULL;
        heed__append(&k->builder, "%s%s", scope ? "a scope" : "the root scope", site ? " begun at " : "");
        heed__append(&k->builder, "%s", site ? site : "");
    }
}

static void print_owners(FILE *file, const heed__block *block)
{
    char text[4 * WIDTH];
    const heed_tensor *t = block->address;
    owners k = {.t = t, .storage = t->storage, .builder = {.text = text, .size = sizeof text}};
    if (block->name && next_owner(&k)) {
        heed__append(&k.builder, "%s", block->owner ? "parameter or buffer " : "");
        append_owner(&k.builder, block);
    }
    append_scopes(&k);
    for (const heed__block *other = heed__block_next(NULL); other; other = heed__block_next(other)) {
        if (!other->freed && other->kind == HEED_BLOCK_NODE)
            check_node(&k, other->address);
        else if (!other->freed && other->kind == HEED_BLOCK_TENSOR)
            append_tensor(&k, other);
    }
    append_nodes(&k);
    if (k.more > 0)
        heed__append(&k.builder, ", and %d more", k.more);
    fprintf(file, "%24s kept by %s\n", "", k.named > 0 ? text : "a reference from heed_retain");
}

/* -- The largest blocks -------------------------------------------------------------------------------------------- */

/* Returns true if a comes before b. */
static bool is_larger(const heed__block *a, const heed__block *b)
{
    return a->bytes > b->bytes || (a->bytes == b->bytes && a->number < b->number);
}

/* Returns the largest block after `last`, or NULL at the end. */
static const heed__block *next_largest(const heed__block *last)
{
    const heed__block *best = NULL;
    for (const heed__block *b = heed__block_next(NULL); b; b = heed__block_next(b))
        if (!b->freed && (!last || is_larger(last, b)) && (!best || is_larger(b, best)))
            best = b;
    return best;
}

static void print_largest(FILE *file)
{
    fprintf(file, "\nthe largest blocks\n");
    const heed__block *block = NULL;
    for (int i = 0; i < MAX_LINES && (block = next_largest(block)); i++) {
        char description[HEED_DESCRIPTION_MAX];
        heed__describe_block(block, description, sizeof description);
        fprintf(file, "%-24s %s\n", in_bytes(block->bytes).s, description);
        if (block->kind == HEED_BLOCK_TENSOR)
            print_owners(file, block);
    }
}

/* -- The report ---------------------------------------------------------------------------------------------------- */

static void print_totals(FILE *file)
{
    heed_memory_stats stats = heed_memory_get_stats();
    const struct {
        const char *what;
        int64_t bytes;
    } lines[] = {
        {"in use", stats.live_bytes}, {"at the peak", stats.peak_bytes}, {"kept for reuse", stats.cached_bytes}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        size_t bytes = lines[i].bytes > 0 ? (size_t)lines[i].bytes : 0;
        fprintf(file, "%-12s %s", in_bytes(bytes).s, lines[i].what);
        if (i == 0)
            fprintf(file, ", %" PRId64 " block%s", stats.live_objects, stats.live_objects == 1 ? "" : "s");
        fprintf(file, "\n");
    }
}

/* Attributes parameters, buffers and their gradients to the module that owns them. */
static void attribute_to_modules(void)
{
    for (heed__block *block = heed__block_next(NULL); block; block = heed__block_next(block)) {
        if (block->freed || block->tensor_freed || !block->owner)
            continue;
        char path[HEED_MODULE_PATH_MAX];
        heed__module_path(block->owner, path, sizeof path);
        heed__block_set_module(block, path);
        const heed_tensor *t = block->address;
        heed__block *grad = t->grad ? heed__block_find(t->grad) : NULL;
        if (grad)
            heed__block_set_module(grad, path);
    }
}

static void print_details(FILE *file)
{
    attribute_to_modules();
    fprintf(file, "%-12s freed, in debug mode's quarantine\n", in_bytes(heed__quarantine_bytes()).s);
    print_table(file, "by line", same_line_and_call, append_line);
    print_table(file, "by module", same_module, append_module);
    print_largest(file);
}

heed_status heed_memory_report(FILE *file)
{
    if (!file)
        return heed_fail(HEED_ERR_ARGUMENT, "memory_report", "the file is NULL");
    print_totals(file);
    if (heed__debugger_if_on()) {
        heed__instrumentation_lock();
        print_details(file);
        heed__instrumentation_unlock();
    } else {
        fprintf(file,
                "set HEED_DEBUG=1, or call heed_set_debug(true) at the start, to see lines, modules and owners\n");
    }
    if (fflush(file) != 0 || ferror(file))
        return heed_fail(HEED_ERR_IO, "memory_report", "cannot write to the file");
    return HEED_OK;
}
