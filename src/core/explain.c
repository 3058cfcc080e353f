/* core/explain.c - heed_explain describes a tensor and the ops that computed it; heed_graph_dot draws the graph.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/inspect.h>

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/escape.h"
#include "core/walk.h"

enum { LEVELS = 8, LINES = 64 };

/* -- Storage ------------------------------------------------------------------------------------------------------- */

heed_storage heed_storage_of(const heed_tensor *t)
{
    heed_storage of = {0};
    if (!heed__check_tensor("storage_of", t))
        return of;
    of.address = heed__storage_elements(t->storage, &of.bytes);
    of.version = (int64_t)atomic_load(&t->storage->version);
    return of;
}

/* -- Properties ---------------------------------------------------------------------------------------------------- */

static void write_strides(const heed_tensor *t, FILE *file)
{
    heed_shape strides = {.rank = t->shape.rank};
    for (int i = 0; i < t->shape.rank; i++)
        strides.dims[i] = t->strides[i];
    fprintf(file, "%s %s: %" PRId64 " element%s, strides %s%s\n", heed_dtype_name(t->dtype),
            heed_shape_text(t->shape).s, t->numel, t->numel == 1 ? "" : "s", heed_shape_text(strides).s,
            t->contiguous ? ", contiguous" : "");
}

static void write_storage(const heed_tensor *t, FILE *file)
{
    heed__storage *storage = t->storage;
    size_t bytes;
    const char *first = heed__storage_elements(storage, &bytes);
    fprintf(file, "storage: %zu bytes, ", bytes);
    if (storage == &t->own)
        fprintf(file, storage->foreign ? "external (heed_from_buffer, heed_from_dlpack)" : "its own");
    else
        fprintf(file, "created for a different tensor; this one is a view from element %" PRId64 " on",
                (int64_t)(t->data - first) / (int64_t)heed_dtype_size(t->dtype));
    const int64_t others = atomic_load(&storage->refs) - 1;
    if (others > 0)
        fprintf(file, ", with %" PRId64 " more owner%s (views, or nodes that keep it)", others, others == 1 ? "" : "s");
    const unsigned version = atomic_load(&storage->version);
    fprintf(file, version > 0 ? "; written in place (%u)\n" : "; never written in place\n", version);
}

static void write_gradient(const heed_tensor *t, FILE *file)
{
    if (!t->requires_grad)
        fprintf(file, "gradient: not required: no input required one, or recording was off\n");
    else if (t->producer)
        fprintf(file, "gradient: required, because an input requires one\n");
    else
        fprintf(file, "gradient: required of this leaf by heed_set_requires_grad; .grad is %s\n",
                t->grad ? "set" : "not set yet");
}

/* -- Graph --------------------------------------------------------------------------------------------------------- */

typedef struct tree {
    FILE *file;
    int lines;
    const heed__node *shown[LINES]; /* nodes already shown, at most one per line */
    int n_shown;
    struct {
        const heed__node *node;
        int next; /* next edge to show */
    } path[LEVELS];
    int depth;
} tree;

/* Writes a line, indented by the depth of the path. Returns false if the line limit is reached. */
HEED_PRINTF(2, 3) static bool line(tree *t, const char *format, ...)
{
    if (t->lines == LINES)
        return false;
    char raw[1024], text[1024];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(raw, sizeof raw, format, args);
    va_end(args);
    (void)heed__escape_copy(raw, strlen(raw), text, sizeof text);
    fprintf(t->file, "%*s%s\n", 2 * (t->depth + 1), "", text);
    return ++t->lines < LINES;
}

static bool was_shown(const tree *t, const heed__node *node)
{
    for (int i = 0; i < t->n_shown; i++)
        if (t->shown[i] == node)
            return true;
    return false;
}

/* Writes a node as "linear (2, 4), recorded at train.c:42 in net.3". Returns true if its inputs should follow. */
static bool write_node(tree *t, const heed__node *node, int output)
{
    const heed__tensor_meta *meta = &heed__node_results(node)[output].meta;
    const char *site = node->site, *module = heed__node_module(node);
    const bool shown = was_shown(t, node);
    const char *more = shown                                          ? ": shown above"
                       : node->spent                                  ? ": freed by a backward pass"
                       : t->depth + 1 == LEVELS && node->n_inputs > 0 ? ": ..."
                                                                      : "";
    const bool has_space = line(t, "%s returned %s %s%s%s%s%s%s%s", node->op->name ? node->op->name : "an op",
                                heed_dtype_name(meta->dtype), heed_shape_text(heed__meta_shape(meta)).s,
                                site || module ? ", recorded" : "", site ? " at " : "", site ? site : "",
                                module ? " in " : "", module ? module : "", more);
    if (!shown && has_space)
        t->shown[t->n_shown++] = node;
    return has_space && !*more;
}

static bool write_edge(tree *t, const heed__edge *edge)
{
    const char *dtype = heed_dtype_name(edge->meta.dtype);
    const heed_text shape = heed_shape_text(heed__meta_shape(&edge->meta));
    if (edge->leaf)
        return line(t, "leaf %s %s%s", dtype, shape.s, edge->leaf->grad ? ", with a .grad" : "");
    return line(t, "%s %s, requires no gradient", dtype, shape.s);
}

/* Writes the node and the graph below it. */
static void write_tree(tree *t, const heed__node *root, int output)
{
    if (!write_node(t, root, output))
        return;
    t->path[t->depth].node = root;
    t->path[t->depth++].next = 0;
    while (t->depth > 0 && t->lines < LINES) {
        const heed__node *node = t->path[t->depth - 1].node;
        const int i = t->path[t->depth - 1].next++;
        if (i == node->n_inputs) {
            t->depth--;
        } else if (!node->edges[i].node) {
            (void)write_edge(t, &node->edges[i]);
        } else if (write_node(t, node->edges[i].node, node->edges[i].output)) {
            t->path[t->depth].node = node->edges[i].node;
            t->path[t->depth++].next = 0;
        }
    }
    if (t->lines == LINES)
        fprintf(t->file, "  ... (at most %d lines)\n", LINES);
}

static bool flush_file(const char *where, FILE *file)
{
    return (fflush(file) == 0 && !ferror(file)) || heed_fail_false(HEED_ERR_IO, where, "cannot write to the file");
}

heed_status heed_explain(const heed_tensor *t, FILE *file)
{
    if (!heed__check_tensor("explain", t))
        return heed_error_code();
    if (!file)
        return heed_fail(HEED_ERR_ARGUMENT, "explain", "the file is NULL");
    write_strides(t, file);
    write_storage(t, file);
    write_gradient(t, file);
    if (t->producer) {
        tree below = {.file = file};
        fprintf(file, "computed by\n");
        write_tree(&below, t->producer, t->output_index);
    }
    return flush_file("explain", file) ? HEED_OK : heed_error_code();
}

/* -- heed_graph_dot: the graph in Graphviz's language -------------------------------------------------------------- */

/* Writes an op's name for Graphviz, with a backslash before quotes and backslashes. */
static void write_dot_name(const char *name, FILE *file)
{
    const heed__escaped_text shown = heed__escaped(name ? name : "an op");
    for (const char *c = shown.s; *c; c++) {
        if (*c == '"' || *c == '\\')
            fputc('\\', file);
        fputc(*c, file);
    }
}

static void write_dot_node(const heed__node *node, FILE *file)
{
    fprintf(file, "  n%zu [shape=box, label=\"", node->first_grad);
    write_dot_name(node->op->name, file);
    fprintf(file, "\"];\n");
    for (int i = 0; i < node->n_inputs; i++) {
        const heed__edge *edge = &node->edges[i];
        heed_shape shape = heed__meta_shape(&edge->meta);
        if (edge->node)
            fprintf(file, "  n%zu -> n%zu [label=\"%s\"];\n", edge->node->first_grad, node->first_grad,
                    heed_shape_text(shape).s);
        else if (edge->leaf)
            fprintf(file, "  l%zu -> n%zu;\n", edge->leaf_index, node->first_grad);
    }
}

heed_status heed_graph_dot(heed_tensor *t, FILE *file)
{
    if (!heed__check_tensor("graph_dot", t))
        return heed_error_code();
    if (!file)
        return heed_fail(HEED_ERR_ARGUMENT, "graph_dot", "the file is NULL");
    heed__walk walk;
    bool ok = heed__walk_begin(&walk, "graph_dot", &t, 1, false);
    if (ok) {
        fprintf(file, "digraph heed {\n  rankdir=BT;\n");
        for (size_t i = 0; i < walk.leaves.count; i++) {
            const heed_tensor *leaf = heed__walk_leaves(&walk)[i].leaf;
            fprintf(file, "  l%zu [shape=ellipse, label=\"%s %s\"];\n", i, heed_dtype_name(leaf->dtype),
                    heed_shape_text(leaf->shape).s);
        }
        for (size_t i = walk.n_nodes; i-- > 0;)
            write_dot_node(walk.nodes[i], file);
        fprintf(file, "}\n");
        ok = flush_file("graph_dot", file);
    }
    heed__walk_end(&walk);
    return ok ? HEED_OK : heed_error_code();
}
