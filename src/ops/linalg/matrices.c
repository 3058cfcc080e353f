/* ops/linalg/matrices.c - see matrices.h.
 *
 * Matrices of at most HEED_LINALG_BLOCK rows are shared by the threads; larger ones follow one another, and the threads
 * share their products.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <limits.h>

#include "kernels/simd/arena.h"
#include "ops/linalg/matrices.h"

/* -- Shapes -------------------------------------------------------------------------------------------------------- */

bool heed__check_square(const char *where, const heed_tensor *a)
{
    if (!heed__check_float(where, a))
        return false;
    if (a->shape.rank < 2 || heed__side(&a->shape, 1) != heed__side(&a->shape, 2))
        return heed_fail_false(HEED_ERR_SHAPE, where, "a is %s: must be square matrices, (..., n, n)",
                               heed_shape_text(a->shape).s);
    return true;
}

bool heed__infer_square(const heed_call *call, heed_meta *out, int dropped)
{
    const heed_tensor *a = call->inputs[0];
    if (!heed__check_square(call->op->name, a))
        return false;
    for (int i = 0; i < call->op->n_outputs; i++) {
        out[i] = (heed_meta){.dtype = a->dtype, .shape = a->shape};
        out[i].shape.rank -= dropped;
    }
    return true;
}

bool heed__infer_solution(const heed_call *call, bool right, heed_meta *out)
{
    const char *where = call->op->name;
    const heed_tensor *a = call->inputs[0], *b = call->inputs[1];
    if (!heed__check_pair(where, a, b) || !heed__check_square(where, a))
        return false;
    heed_shape of_a = a->shape, of_b = b->shape;
    if (of_b.rank < 2 || heed__side(&of_b, right ? 1 : 2) != heed__side(&of_a, 1))
        return heed_fail_false(HEED_ERR_SHAPE, where, "a %s does not fit b %s: b must be %s", heed_shape_text(of_a).s,
                               heed_shape_text(of_b).s, right ? "(..., k, n)" : "(..., n, k)");
    const int64_t rows = heed__side(&of_b, 2), columns = heed__side(&of_b, 1);
    of_a.rank -= 2;
    of_b.rank -= 2;
    out->dtype = a->dtype;
    if (!heed_shape_broadcast(of_a, of_b, &out->shape))
        return heed_fail_false(HEED_ERR_SHAPE, where, "the batch axes of a %s and b %s do not broadcast",
                               heed_shape_text(a->shape).s, heed_shape_text(b->shape).s);
    out->shape.dims[out->shape.rank++] = rows;
    out->shape.dims[out->shape.rank++] = columns;
    return true;
}

char *heed__matrix_of(const heed_tensor *t, const heed_tensor *result, int64_t batch)
{
    const int64_t elements = heed__side(&t->shape, 1) * heed__side(&t->shape, 2);
    int64_t index = 0, step = 1;
    for (int axis = t->shape.rank - 3, of = result->shape.rank - 3; axis >= 0; axis--, of--) {
        const int64_t size = t->shape.dims[axis], at = batch % result->shape.dims[of];
        batch /= result->shape.dims[of];
        index += size == 1 ? 0 : at * step;
        step *= size;
    }
    return t->data + index * elements * (int64_t)heed_dtype_size(t->dtype);
}

heed_tensor *heed__transposed(heed_tensor *a)
{
    return heed_transpose(a, -2, -1);
}

/* -- Work on every matrix ------------------------------------------------------------------------------------------ */

int64_t heed__failure_of(const heed__linalg *l, int64_t n, const char *a, int64_t pivot)
{
    if (pivot < 0)
        return pivot;
    return heed__failure_at(pivot,
                            isnan(heed__load(l->dtype, a + pivot * (n + 1) * (int64_t)heed_dtype_size(l->dtype))));
}

static int64_t take_scratch(const heed__matrices *m, void *base, heed__matrix_scratch *s)
{
    const size_t size = heed_dtype_size(m->out[0]->dtype);
    arena memory = {.base = base};
    s->l = (heed__linalg){m->call->op->name, m->out[0]->dtype, m->n <= HEED_LINALG_BLOCK && m->batches > 1,
                          take_array(&memory, heed__linalg_terms(m->n, m->count), size)};
    s->lu = take_array(&memory, m->with_lu ? m->n * m->n : 0, size);
    s->pivots = take_array(&memory, m->with_lu ? m->n : 0, sizeof *s->pivots);
    return memory.bytes;
}

static void record_failure(heed__matrices *m, long long failure)
{
    long long first = atomic_load(&m->failed);
    while (failure < first && !atomic_compare_exchange_weak(&m->failed, &first, failure)) {
    }
}

static void run_range(int64_t begin, int64_t end, char *memory, void *context)
{
    heed__matrices *m = context;
    heed__matrix_scratch s;
    (void)take_scratch(m, memory, &s);
    for (int64_t batch = begin; batch < end; batch++) {
        const int64_t result = m->run(m, &s, batch);
        if (result == HEED_FACTORED)
            continue;
        record_failure(m, result < 0 ? result : 2 * m->n * batch + result);
        return;
    }
}

static bool fail_matrix(const heed__matrices *m)
{
    const int64_t failed = m->failed, row = failed / 2 % m->n, batch = failed / 2 / m->n;
    const char *where = m->call->op->name;
    const heed_text a = heed_shape_text(m->call->inputs[0]->shape);
    if (failed < 0)
        return false;
    if (failed % 2)
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "matrix %" PRId64 " of a %s: NaN in row %" PRId64
                               ": the matrix contains NaN or infinity, or numbers too large for its dtype",
                               batch, a.s, row);
    return heed_fail_false(HEED_ERR_ARGUMENT, where, "matrix %" PRId64 " of a %s is %s: pivot %" PRId64 " is %s", batch,
                           a.s, m->lacking, row, m->pivot);
}

bool heed__for_matrices(heed__matrices *m)
{
    heed__matrix_scratch s;
    const bool small = m->n <= HEED_LINALG_BLOCK;
    const int64_t cost = small ? 1 + m->n * m->n + m->n * m->count : 1, grain = small ? 1 + 4096 / cost : m->batches;
    if (m->batches == 0)
        return true;
    m->failed = LLONG_MAX;
    if (!heed__parallel_for_scratch(m->call->op->name, m->batches, grain, cost, take_scratch(m, NULL, &s), run_range,
                                    m))
        return false;
    return m->failed == LLONG_MAX || fail_matrix(m);
}

char *heed__result_matrix(const heed__matrices *m, int64_t batch, int64_t elements)
{
    return m->out[0]->data + batch * elements * (int64_t)heed_dtype_size(m->out[0]->dtype);
}

heed__matrices heed__matrices_of(const heed_call *call, heed_tensor *const *out, heed__matrix_fn *run)
{
    const heed_tensor *a = call->inputs[0];
    const int64_t n = heed__side(&a->shape, 1);
    return (heed__matrices){.call = call,
                            .out = out,
                            .run = run,
                            .n = n,
                            .count = n,
                            .batches = a->numel == 0 ? 0 : a->numel / n / n,
                            .lacking = "singular",
                            .pivot = "0"};
}

heed__matrices heed__solutions_of(const heed_call *call, heed_tensor *const *out, bool right, heed__matrix_fn *run)
{
    heed__matrices m = heed__matrices_of(call, out, run);
    m.count = heed__side(&out[0]->shape, right ? 2 : 1);
    m.batches = out[0]->numel == 0 ? 0 : out[0]->numel / m.n / m.count;
    return m;
}

int64_t heed__solution_multiply_adds(const heed_call *call, int64_t n, int64_t per_matrix)
{
    const heed_shape a = heed_call_shape(call, 0), b = heed_call_shape(call, 1);
    const int64_t count = n > 0 ? heed__numel(&a) / n / n : 0;
    return call->outputs ? 0 : count * per_matrix + heed__numel(&b) * n;
}
