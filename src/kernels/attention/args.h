/* kernels/attention/args.h - the part of kernels.h that is dot-product attention's. */
#ifndef HEED_KERNELS_ATTENTION_ARGS_H
#define HEED_KERNELS_ATTENTION_ARGS_H

#include "kernels/kernels.h"

/* What is added to the scores of a batch element, bias_ij + by_distance_(j - i), and what besides its lengths says that
 * query i does not see key j: a mask_ij of false, or -inf in one of these. Steps are in elements. */
typedef struct heed__attention_terms {
    bool any; /* whether there are any, or a window; without, nothing here is looked at */
    const bool *mask;
    int64_t mask_row, mask_key;
    const void *bias;
    int64_t bias_row, bias_key;
    const void *by_distance; /* that of 0 among those of 1 - queries .. keys - 1 */
} heed__attention_terms;

/* Dot-product attention of one batch element: y_i = sum_j w_ij v_j with w_i = softmax of scale q_i . k_j over the keys
 * that query i sees, of which some may be dropped. Rows are contiguous, and so far apart as is said.
 *
 * Forward writes y, and to statistics (2, queries) of each row m, the largest score, and 1 / sum of e^(score - m), of
 * which backward makes the weights again. */
typedef struct heed__attention_args {
    int64_t queries, keys, d, e;
    const void *q, *k, *v; /* (queries, d), (keys, d), (keys, e) */
    int64_t q_row, k_row, v_row;
    void *y; /* (queries, e) */
    int64_t y_row;
    void *statistics;
    double scale;
    heed__lengths lengths;                /* of this batch element alone */
    const heed__dropout_numbers *dropout; /* of the weights, whose elements are counted on from `first`; NULL: none */
    int64_t first;
    heed__attention_terms terms;
    bool pairs; /* products by pairs of bf16: for heed__attention_bf16 and heed__attention_grad_bf16 alone */
} heed__attention_args;

/* Backward, with D_i = g_i . y_i:  dw_ij = g_i . v_j  ds_ij = w_ij (dw_ij - D_i) scale  dq_i = sum_j ds_ij k_j
 * dk_j = sum_i ds_ij q_i  dv_j = sum_i w_ij g_i. Results that are NULL are not wanted. */
typedef struct heed__attention_grads {
    const void *g;
    int64_t g_row;
    void *dq, *dk, *dv;
    int64_t dq_row, dk_row, dv_row;
    void *dbias;                        /* (queries, keys), to which w_ij (dw_ij - D_i) is added; NULL without terms */
    void *distance_sum, *distance_lost; /* its total over the pairs of each distance j - i, at 0; NULL without terms */
} heed__attention_grads;

/* Queries begin .. end - 1. `scratch`, here and below, has room for heed__attention_scratch elements. */
typedef void heed__attention_kernel(const heed__attention_args *args, int64_t begin, int64_t end, void *scratch);

/* Writes the rows begin .. end - 1 of dk and dv, and to dq, every row, what these keys add to it. */
typedef void heed__attention_grad_kernel(const heed__attention_args *args, const heed__attention_grads *grads,
                                         int64_t begin, int64_t end, void *scratch);

/* Keys that are done at a time; queries at most, which are fewer where rows are long, and elements of theirs. Below so
 * many products a query is done at a time; with as many queries, keys and columns of q and v together, pairs pay. */
enum {
    HEED_ATTENTION_KEYS = 112,
    HEED_ATTENTION_QUERIES = 128,
    HEED_ATTENTION_ELEMENTS = 65536,
    HEED_ATTENTION_FEW = 1024,
    HEED_ATTENTION_PAIRS_ROWS = 24,
    HEED_ATTENTION_PAIRS_COLUMNS = 48,
};

static inline int64_t heed__attention_queries(const heed__attention_args *args)
{
    int64_t most = (args->queries + HEED_MATMUL_COLUMNS - 1) / HEED_MATMUL_COLUMNS * HEED_MATMUL_COLUMNS;
    int64_t n = HEED_ATTENTION_QUERIES;
    while (n > HEED_MATMUL_COLUMNS && n * (args->d + args->e) > HEED_ATTENTION_ELEMENTS)
        n /= 2;
    return n < most ? n : most;
}

/* Whether a query is done at a time, which takes room for each of its keys. */
static inline bool heed__attention_by_query(const heed__attention_args *args)
{
    if (args->queries == 1 && args->keys <= HEED_ATTENTION_ELEMENTS)
        return true;
    return args->keys <= HEED_ATTENTION_KEYS && args->queries <= HEED_ATTENTION_FEW &&
           args->d + args->e <= HEED_ATTENTION_FEW &&
           args->queries * args->keys * (args->d + args->e) <= HEED_ATTENTION_FEW;
}

static inline int64_t heed__pairs_in(int64_t n)
{
    return (n + 1) / 2;
}

/* With room for the end of the last register. */
static inline int64_t heed__whole_columns(int64_t n)
{
    return (n + HEED_MATMUL_COLUMNS - 1) / HEED_MATMUL_COLUMNS * HEED_MATMUL_COLUMNS;
}

/* Room for pairs of q, k and v; for gradients of g and of weights, too, and of q and k, across rows. */
static inline int64_t heed__attention_pairs(const heed__attention_args *args, bool for_gradients)
{
    enum { KEYS = HEED_ATTENTION_KEYS };
    const int64_t queries = heed__attention_queries(args);
    const int64_t d = heed__pairs_in(args->d), e = heed__pairs_in(args->e);
    const int64_t across = heed__whole_columns(args->d), e_across = heed__whole_columns(args->e);
    if (!args->pairs)
        return 0;
    if (!for_gradients)
        return (queries + KEYS) * d + KEYS / 2 * e_across;
    return (queries + KEYS) * (d + e) + queries / 2 * (across + e_across) + KEYS / 2 * (across + queries);
}

/* `chunk`: the keys of a call, for gradients; 0 for forward. */
static inline int64_t heed__attention_scratch(const heed__attention_args *args, int64_t chunk)
{
    const int64_t d = args->d, e = args->e, widest = d > e ? d : e;
    const bool long_keys = heed__is_long(args->keys), long_queries = chunk > 0 && heed__is_long(args->queries);
    if (heed__attention_by_query(args))
        return 3 * (args->keys + HEED_MATMUL_COLUMNS) + (long_keys ? 2 * widest : 0);
    int64_t keys = args->keys < HEED_ATTENTION_KEYS ? args->keys : HEED_ATTENTION_KEYS;
    int64_t queries = heed__attention_queries(args), sizes = d + e;
    bool border = args->terms.any || heed__lengths_differ(&args->lengths);
    int64_t n = heed__attention_pairs(args, chunk > 0);
    n += queries * (sizes + 3) + keys * (chunk > 0 ? 2 * queries : HEED_MATMUL_COLUMNS);
    n += HEED_MATMUL_COLUMNS * HEED_ATTENTION_KEYS *
         ((args->dropout || args->terms.any) + (args->dropout ? 1 : 0) + args->terms.any);
    n += border ? (chunk > 0 ? queries + keys : keys) * sizes : 0;
    if (chunk == 0)
        return n + (long_keys ? queries * (e + 1) + e * HEED_MATMUL_COLUMNS : 0);
    n += long_keys ? queries * d : 0;
    n += long_queries ? chunk * sizes : 0;
    return n + (long_keys || long_queries ? HEED_ATTENTION_QUERIES * widest : 0);
}

#endif
