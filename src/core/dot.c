/* core/dot.c - writes the graph in Graphviz's language. */

#include <inttypes.h>

#include "base/escape.h"
#include "core/walk.h"

/* Writes an op's name for Graphviz, with a backslash before quotes and backslashes. */
static void write_name(const char *name, FILE *file)
{
    const heed__escaped_text shown = heed__escaped(name ? name : "an op");
    for (const char *c = shown.s; *c; c++) {
        if (*c == '"' || *c == '\\')
            fputc('\\', file);
        fputc(*c, file);
    }
}

static void write_node(const heed__node *node, FILE *file)
{
    fprintf(file, "  n%zu [shape=box, label=\"", node->first_grad);
    write_name(node->op->name, file);
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

static void write_leaf(const heed_tensor *leaf, size_t index, FILE *file)
{
    fprintf(file, "  l%zu [shape=ellipse, label=\"%s %s\"];\n", index, heed_dtype_name(leaf->dtype),
            heed_shape_text(leaf->shape).s);
}

heed_status heed_graph_dot(heed_tensor *t, FILE *file)
{
    if (!heed__check_tensor("graph_dot", t))
        return heed_error_code();
    if (!file)
        return heed_fail(HEED_ERR_ARGUMENT, "graph_dot", "the file is NULL");
    heed__walk walk;
    heed_status status = HEED_OK;
    if (heed__walk_begin(&walk, "graph_dot", &t, 1, false)) {
        fprintf(file, "digraph heed {\n  rankdir=BT;\n");
        for (size_t i = 0; i < walk.leaves.count; i++)
            write_leaf(heed__walk_leaves(&walk)[i].leaf, i, file);
        for (size_t i = walk.n_nodes; i-- > 0;)
            write_node(walk.nodes[i], file);
        fprintf(file, "}\n");
        if (fflush(file) != 0 || ferror(file))
            status = heed_fail(HEED_ERR_IO, "graph_dot", "cannot write to the file");
    } else {
        status = heed_error_code();
    }
    heed__walk_end(&walk);
    return status;
}
