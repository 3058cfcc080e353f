/* core/memory_report.c - heed_memory_report: memory in use by line and by module, and the largest blocks with their
 * owners. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/debug.h"
#include "core/node.h"
#include "core/place.h"
#include "core/quarantine.h"
#include "core/scope.h"
#include "core/story.h"
#include "core/thread.h"
#include "core/watch.h"

#define MOST 20        /* lines per table */
#define MOST_KEEPERS 4 /* named owners per tensor */
#define WIDTH 120

typedef struct size_text {
    char s[24];
} size_text;

static size_text in_bytes(size_t bytes)
{
    size_text text = {""};
    heed__words words = {.text = text.s, .size = sizeof text.s};
    heed__say_bytes(&words, bytes);
    return text;
}

/* -- Tables of origins --------------------------------------------------------------------------------------------- */

typedef bool alike(const heed__block_origin *a, const heed__block_origin *b);

static bool same_line(const heed__block_origin *a, const heed__block_origin *b)
{
    return strcmp(a->site, b->site) == 0 && strcmp(a->call, b->call) == 0 && strcmp(a->where, b->where) == 0;
}

static bool same_module(const heed__block_origin *a, const heed__block_origin *b)
{
    return strcmp(a->module, b->module) == 0;
}

/* Sums the bytes of alike origins in the `tally` of one of them; the others' tally is 0. */
static void sum_up(alike *are_alike)
{
    for (heed__block_origin *o = heed__origin_next(NULL); o; o = heed__origin_next(o))
        o->tally = 0;
    for (const heed__block_origin *o = heed__origin_next(NULL); o; o = heed__origin_next(o)) {
        heed__block_origin *first = heed__origin_next(NULL);
        while (!are_alike(first, o))
            first = heed__origin_next(first);
        first->tally += o->bytes;
    }
}

static size_t count_alike(alike *are_alike, const heed__block_origin *origin)
{
    size_t blocks = 0;
    for (const heed__block_origin *o = heed__origin_next(NULL); o; o = heed__origin_next(o))
        blocks += are_alike(origin, o) ? o->blocks : 0;
    return blocks;
}

/* Returns the origin with the largest tally, or NULL if all are 0. */
static heed__block_origin *largest_origin(void)
{
    heed__block_origin *largest = NULL;
    for (heed__block_origin *o = heed__origin_next(NULL); o; o = heed__origin_next(o))
        if (o->tally > (largest ? largest->tally : 0))
            largest = o;
    return largest;
}

static void say_line(heed__words *words, const heed__block_origin *o)
{
    heed__say_way(words, o);
    if (*o->site)
        heed__say(words, " at %s", o->site);
}

static void say_module(heed__words *words, const heed__block_origin *o)
{
    heed__say(words, "%s", *o->module ? o->module : "outside modules");
}

static void print_table(FILE *file, const char *title, alike *are_alike,
                        void (*say)(heed__words *, const heed__block_origin *))
{
    sum_up(are_alike);
    fprintf(file, "\n%-12s %8s   %s\n", "bytes", "blocks", title);
    heed__block_origin *o;
    for (int line = 0; (o = largest_origin()); line++) {
        if (line == MOST) {
            fprintf(file, "%12s\n", "...");
            return;
        }
        char text[WIDTH];
        heed__words words = {.text = text, .size = sizeof text};
        say(&words, o);
        fprintf(file, "%-12s %8zu   %s\n", in_bytes(o->tally).s, count_alike(are_alike, o), text);
        o->tally = 0;
    }
}

/* -- Owners of a tensor -------------------------------------------------------------------------------------------- */

/* The owners of a tensor, as text. */
typedef struct keepers {
    const heed_tensor *t;
    const heed__storage *storage;
    const heed__node *nodes[MOST_KEEPERS]; /* nodes of graphs that retain it, one per line and op */
    int times[MOST_KEEPERS], n_nodes;      /* number of such nodes, per line and op */
    heed__words words;
    int named, more;
} keepers;

static bool next_keeper(keepers *k)
{
    if (k->named == MOST_KEEPERS) {
        k->more++;
        return false;
    }
    heed__say(&k->words, "%s", k->named++ > 0 ? ", " : "");
    return true;
}

static void say_origin(keepers *k, const char *what, const char *site, const char *op)
{
    heed__say(&k->words, "%s%s", what, site ? site : op);
    if (site)
        heed__say(&k->words, " (%s)", op);
}

/* "net.3.weight" */
static void say_holder(heed__words *words, const heed__block *block)
{
    char path[HEED_MODULE_PATH_MAX];
    if (block->holder) {
        heed__module_path(block->holder, path, sizeof path);
        heed__say(words, "%s.", path);
    }
    heed__say(words, "%s", block->name);
}

static void count_node(keepers *k, const heed__node *node)
{
    int i = 0;
    while (i < k->n_nodes && !(k->nodes[i]->op == node->op && k->nodes[i]->site == node->site))
        i++;
    if (i == MOST_KEEPERS) {
        k->more++;
        return;
    }
    k->nodes[i] = node;
    k->times[i] = i < k->n_nodes ? k->times[i] + 1 : 1;
    k->n_nodes += i == k->n_nodes;
}

static void look_at_node(keepers *k, const heed__node *node)
{
    bool keeps = false;
    for (int i = 0; i < node->n_inputs; i++) {
        const heed_tensor *x = heed__node_kept(node)[i];
        keeps = keeps || (x && x->storage == k->storage) || node->edges[i].leaf == k->t;
    }
    for (int j = 0; j < node->n_outputs; j++)
        keeps = keeps || heed__node_results(node)[j].storage == k->storage;
    if (keeps)
        count_node(k, node);
}

static void name_nodes(keepers *k)
{
    for (int i = 0; i < k->n_nodes; i++) {
        if (!next_keeper(k))
            continue;
        say_origin(k, "the graph of ", k->nodes[i]->site, k->nodes[i]->op->name);
        if (k->times[i] > 1)
            heed__say(&k->words, " %d times", k->times[i]);
    }
}

static void name_tensor(keepers *k, const heed__block *block)
{
    const heed_tensor *t = block->address;
    if (block->gone)
        return;
    if (t->grad == k->t && next_keeper(k)) {
        heed__say(&k->words, "the gradient of ");
        if (block->name)
            say_holder(&k->words, block);
        else
            say_origin(k, "", *block->origin->site ? block->origin->site : NULL, block->origin->where);
    }
    if (t == k->t || t->storage != k->storage || !next_keeper(k))
        return;
    heed__say(&k->words, "a view of it %s", block->name ? "in " : "");
    if (block->name)
        say_holder(&k->words, block);
    else
        say_origin(k, "from ", *block->origin->site ? block->origin->site : NULL, block->origin->where);
}

/* Names the scopes of this thread that hold the tensor. */
static void name_scopes(keepers *k)
{
    const heed__thread_state *self = heed__thread();
    const heed_scope *last = NULL;
    bool named = false;
    for (size_t i = 0; i < self->count; i++) {
        if (self->tensors[i] != k->t)
            continue;
        const heed_scope *scope = heed__scope_of(i);
        if ((named && scope == last) || !next_keeper(k))
            continue;
        named = true;
        last = scope;
        const char *site = scope ? heed__scope_site(scope) : NULL;
        heed__say(&k->words, "%s%s", scope ? "a scope" : "the root scope", site ? " begun at " : "");
        heed__say(&k->words, "%s", site ? site : "");
    }
}

static void print_keepers(FILE *file, const heed__block *block)
{
    char text[4 * WIDTH];
    const heed_tensor *t = block->address;
    keepers k = {.t = t, .storage = t->storage, .words = {.text = text, .size = sizeof text}};
    if (block->name && next_keeper(&k)) {
        heed__say(&k.words, "%s", block->holder ? "parameter or buffer " : "");
        say_holder(&k.words, block);
    }
    name_scopes(&k);
    for (const heed__block *other = heed__block_next(NULL); other; other = heed__block_next(other)) {
        if (!other->freed && other->kind == HEED_BLOCK_NODE)
            look_at_node(&k, other->address);
        else if (!other->freed && other->kind == HEED_BLOCK_TENSOR)
            name_tensor(&k, other);
    }
    name_nodes(&k);
    if (k.more > 0)
        heed__say(&k.words, ", and %d more", k.more);
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
    for (int i = 0; i < MOST && (block = next_largest(block)); i++) {
        char story[HEED_STORY_MAX];
        heed__story(block, story, sizeof story);
        fprintf(file, "%-24s %s\n", in_bytes(block->bytes).s, story);
        if (block->kind == HEED_BLOCK_TENSOR)
            print_keepers(file, block);
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

/* Attributes parameters, buffers and their gradients to the module that holds them. */
static void count_for_modules(void)
{
    for (heed__block *block = heed__block_next(NULL); block; block = heed__block_next(block)) {
        if (block->freed || block->gone || !block->holder)
            continue;
        char path[HEED_MODULE_PATH_MAX];
        heed__module_path(block->holder, path, sizeof path);
        heed__block_belongs(block, path);
        const heed_tensor *t = block->address;
        heed__block *grad = t->grad ? heed__block_find(t->grad) : NULL;
        if (grad)
            heed__block_belongs(grad, path);
    }
}

static void print_details(FILE *file)
{
    count_for_modules();
    fprintf(file, "%-12s freed, in debug mode's quarantine\n", in_bytes(heed__quarantine_bytes()).s);
    print_table(file, "by line", same_line, say_line);
    print_table(file, "by module", same_module, say_module);
    print_largest(file);
}

heed_status heed_memory_report(FILE *file)
{
    if (!file)
        return heed_fail(HEED_ERR_ARGUMENT, "memory_report", "the file is NULL");
    print_totals(file);
    if (heed__is_watched(HEED_WATCH_DEBUG)) {
        heed__blocks_lock();
        print_details(file);
        heed__blocks_unlock();
    } else {
        fprintf(file, "set HEED_DEBUG=1, or call heed_set_debug(true) at the start, for a report by line and module\n");
    }
    if (fflush(file) != 0 || ferror(file))
        return heed_fail(HEED_ERR_IO, "memory_report", "cannot write to the file");
    return HEED_OK;
}
