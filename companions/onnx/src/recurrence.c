/* onnx/src/recurrence.c - ONNX form of recurrence: a Scan over the steps, whose body is one step of the cell. The nodes
 * RNN, GRU and LSTM do not fit, because they multiply by the input weights, and x already contains this product.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "forms.h"

enum { X, W, BEFORE, MORE };

typedef struct cell {
    heed_cell kind;
    int64_t hidden, states; /* 2 for the LSTM: h and c */
    heed_dtype dtype;
    heed__onnx_value w, b, lens; /* w is transposed; b and lens are NONE if absent */
    bool reverse;
} cell;

static cell cell_of(heed__onnx_graph *g, const heed__onnx_step *step)
{
    const bool has_b = heed__onnx_param(g, step, "has_b"), has_lens = heed__onnx_param(g, step, "has_lens");
    const heed_cell kind = (heed_cell)heed__onnx_param(g, step, "cell");
    return (cell){.kind = kind,
                  .hidden = heed__onnx_shape_in(step, W).dims[1],
                  .states = kind == HEED_CELL_LSTM ? 2 : 1,
                  .dtype = heed__onnx_dtype_in(step),
                  .w = heed__onnx_swap(g, heed__onnx_in(g, step, W), 2),
                  .b = has_b ? heed__onnx_in(g, step, MORE) : NONE,
                  .lens = has_lens ? heed__onnx_in(g, step, MORE + has_b) : NONE,
                  .reverse = heed__onnx_param(g, step, "reverse")};
}

/* -- One step of a cell; the formulas are in heed/ops/recurrence.h ------------------------------------------------- */

/* The columns of t, which is x or s = w h + b, that belong to a gate. */
static heed__onnx_value gate_columns(heed__onnx_graph *g, const cell *c, heed__onnx_value t, int64_t gate)
{
    return heed__onnx_slice(g, t, 1, gate * c->hidden, (gate + 1) * c->hidden, 1);
}

static heed__onnx_value gate(heed__onnx_graph *g, const cell *c, const char *type, heed__onnx_value sum, int64_t which)
{
    return heed__onnx_1(g, type, gate_columns(g, c, sum, which));
}

static heed__onnx_value mapped(heed__onnx_graph *g, const cell *c, heed__onnx_value h)
{
    heed__onnx_value s = heed__onnx_2(g, "MatMul", h, c->w);
    return c->b && *c->b ? heed__onnx_2(g, "Add", s, c->b) : s;
}

/* Returns the next state, (1 - z) n + z h. */
static heed__onnx_value gru(heed__onnx_graph *g, const cell *c, heed__onnx_value x, heed__onnx_value h)
{
    heed__onnx_value s = mapped(g, c, h), sum = heed__onnx_2(g, "Add", x, s);
    heed__onnx_value r = gate(g, c, "Sigmoid", sum, 0), z = gate(g, c, "Sigmoid", sum, 1);
    heed__onnx_value reset = heed__onnx_2(g, "Mul", r, gate_columns(g, c, s, 2));
    heed__onnx_value n = heed__onnx_1(g, "Tanh", heed__onnx_2(g, "Add", gate_columns(g, c, x, 2), reset));
    heed__onnx_value rest = heed__onnx_2(g, "Sub", heed__onnx_number(g, c->dtype, 1), z);
    return heed__onnx_2(g, "Add", heed__onnx_2(g, "Mul", rest, n), heed__onnx_2(g, "Mul", z, h));
}

/* Replaces the state {h, c} by the next one. */
static void lstm(heed__onnx_graph *g, const cell *c, heed__onnx_value x, heed__onnx_value state[2])
{
    heed__onnx_value sum = heed__onnx_2(g, "Add", x, mapped(g, c, state[0]));
    heed__onnx_value i = gate(g, c, "Sigmoid", sum, 0), f = gate(g, c, "Sigmoid", sum, 1);
    heed__onnx_value new = gate(g, c, "Tanh", sum, 2), o = gate(g, c, "Sigmoid", sum, 3);
    state[1] = heed__onnx_2(g, "Add", heed__onnx_2(g, "Mul", f, state[1]), heed__onnx_2(g, "Mul", i, new));
    state[0] = heed__onnx_2(g, "Mul", o, heed__onnx_1(g, "Tanh", state[1]));
}

static void advance(heed__onnx_graph *g, const cell *c, heed__onnx_value x, heed__onnx_value state[2])
{
    if (c->kind == HEED_CELL_LSTM)
        lstm(g, c, x, state);
    else if (c->kind == HEED_CELL_GRU)
        state[0] = gru(g, c, x, state[0]);
    else
        state[0] = heed__onnx_1(g, c->kind == HEED_CELL_RELU ? "Relu" : "Tanh",
                                heed__onnx_2(g, "Add", x, mapped(g, c, state[0])));
}

/* -- The body of the Scan: maps states, x and the number of the step to states and y ------------------------------- */

typedef struct body {
    heed__onnx_list inputs, outputs;
    heed__onnx_value state[2], x, t;
} body;

static heed__onnx_value body_input(heed__onnx_graph *g, body *b, heed_dtype dtype)
{
    heed__onnx_value name = heed__onnx_new_value(g, "step");
    return heed__onnx_add(g, &b->inputs, heed__onnx_typed(g, name, dtype, NULL)) ? name : NULL;
}

/* Adds an output through a node, because in ONNX no output may be an input or a repeated output. */
static bool body_output(heed__onnx_graph *g, body *b, heed__onnx_value value, heed_dtype dtype)
{
    heed__onnx_value output = heed__onnx_1(g, "Identity", value);
    return output && heed__onnx_add(g, &b->outputs, heed__onnx_typed(g, output, dtype, NULL));
}

/* Writes the nodes of one step. After its length a sequence retains its state, and y is 0. */
static bool write_step(heed__onnx_graph *g, const cell *c, body *b)
{
    heed__onnx_value next[2] = {b->state[0], b->state[1]};
    advance(g, c, b->x, next);
    heed__onnx_value y = next[0];
    if (!c->lens || *c->lens) {
        heed__onnx_value lives =
            heed__onnx_2(g, "Unsqueeze", heed__onnx_2(g, "Less", b->t, c->lens), heed__onnx_int64s(g, INT64S(1)));
        for (int64_t i = 0; i < c->states; i++)
            next[i] = heed__onnx_3(g, "Where", lives, next[i], b->state[i]);
        y = heed__onnx_3(g, "Where", lives, y, heed__onnx_number(g, c->dtype, 0));
    }
    bool good = true;
    for (int64_t i = 0; i < c->states; i++)
        good = good && body_output(g, b, next[i], c->dtype);
    return good && body_output(g, b, y, c->dtype);
}

/* Writes the graph of one step. Returns NULL after heed_fail. */
static Heed__Onnx__Graph *write_body(heed__onnx_graph *g, const cell *c)
{
    body b = {.inputs = {.n = 0}};
    const heed__onnx_list outer = g->nodes;
    Heed__Onnx__Graph *graph = heed__arena_alloc(&g->arena, 1, sizeof *graph);
    if (!graph)
        return NULL;
    g->nodes = (heed__onnx_list){.n = 0};
    for (int64_t i = 0; i < c->states; i++)
        b.state[i] = body_input(g, &b, c->dtype);
    b.x = body_input(g, &b, c->dtype);
    b.t = body_input(g, &b, HEED_I64);
    const bool good = b.x && b.t && write_step(g, c, &b);
    heed__onnx__graph__init(graph);
    graph->name = HEED__ONNX_READ(char, "step");
    graph->n_nodes = g->nodes.n;
    graph->nodes = (Heed__Onnx__Node **)g->nodes.items;
    graph->n_inputs = b.inputs.n;
    graph->inputs = (Heed__Onnx__Value **)b.inputs.items;
    graph->n_outputs = b.outputs.n;
    graph->outputs = (Heed__Onnx__Value **)b.outputs.items;
    g->nodes = outer;
    return good ? graph : NULL;
}

/* -- The form ------------------------------------------------------------------------------------------------------ */

static heed__onnx_value states_out(heed__onnx_graph *g, const cell *c, const heed__onnx_value *state)
{
    heed__onnx_value first = heed__onnx_int64s(g, INT64S(0)), h = heed__onnx_2(g, "Unsqueeze", state[0], first);
    if (c->states == 1)
        return h;
    return heed__onnx_node(g, "Concat", INPUTS(h, heed__onnx_2(g, "Unsqueeze", state[1], first)),
                           ATTRIBUTES(INT("axis", 0)));
}

heed__onnx_value heed__onnx_form_recurrence(heed__onnx_graph *g, heed__onnx_step *step)
{
    const cell c = cell_of(g, step);
    Heed__Onnx__Graph *steps = write_body(g, &c);
    const int64_t both[2] = {c.reverse, c.reverse};
    heed__onnx_value inputs[4], outputs[3];
    int n = 0;
    for (int64_t i = 0; i < c.states; i++)
        inputs[n++] = heed__onnx_node(g, "Gather", INPUTS(heed__onnx_in(g, step, BEFORE), heed__onnx_int64(g, i)),
                                      ATTRIBUTES(INT("axis", 0)));
    inputs[n++] = heed__onnx_in(g, step, X);
    inputs[n++] = heed__onnx_range(g, 0, heed__onnx_shape_in(step, X).dims[0], false);
    if (!steps ||
        !heed__onnx_nodes(g, "Scan", inputs, n,
                          ATTRIBUTES(GRAPH("body", steps), INT("num_scan_inputs", 2),
                                     INTS("scan_input_directions", both, 2), INTS("scan_output_directions", both, 1)),
                          outputs, n - 1))
        return NULL;
    step->values[1] = states_out(g, &c, outputs);
    return step->values[1] ? outputs[c.states] : NULL;
}
