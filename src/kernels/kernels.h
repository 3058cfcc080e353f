/* kernels/kernels.h - the interface of the kernels: plain arrays in, plain arrays out.
 *
 * The kernels know no tensors, allocation, errors or threads. Arrays have the kernel's dtype; strides and counts are in
 * elements. Outputs are contiguous. An input of an elementwise or a rows kernel may be the output (same first element
 * and stride); apart from that, inputs and outputs may not overlap. Elementwise inputs may have stride 0 (one number)
 * or a negative stride. `p` points to the kernel's numbers; it is NULL for a kernel without numbers.
 *
 * NaN gives NaN, also in maxima and minima; infinities give limits; denormals are kept. The order of sums depends only
 * on the sizes.
 *
 * A kernel with `scratch` returns the bytes of scratch that it uses. With NULL as scratch it only returns their number;
 * a smaller range needs at most as many. The base of scratch is aligned to 64 bytes.
 *
 * The same source is compiled once per instruction set (kernels/kernels.c); dispatch.c selects one at run time.
 */
#ifndef HEED_KERNELS_H
#define HEED_KERNELS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A sum of more than HEED_LONG_SUM terms (over inner indices, keys or rows) is split into blocks of at most
 * HEED_LONG_BLOCK terms. Within a block, a term is rounded about HEED_LONG_CHAIN times at most. The sums of the blocks
 * are added in order, by compensated summation (kernels/simd/total.h). Shorter sums use the fastest order. */
enum { HEED_LONG_SUM = 4096, HEED_LONG_BLOCK = 2048, HEED_LONG_CHAIN = 64 };

static inline bool heed__is_long(int64_t terms)
{
    return terms > HEED_LONG_SUM;
}

#include "kernels/conv/args.h"
#include "kernels/conv/winograd_args.h"
#include "kernels/rows/args.h"

typedef void heed__unary_kernel(int64_t n, const void *x, int64_t sx, void *y, const double *p);
typedef void heed__binary_kernel(int64_t n, const void *a, int64_t sa, const void *b, int64_t sb, void *y,
                                 const double *p);
typedef void heed__ternary_kernel(int64_t n, const void *a, int64_t sa, const void *b, int64_t sb, const void *c,
                                  int64_t sc, void *y);
typedef void heed__reduce_kernel(int64_t outer, int64_t r, int64_t inner, const void *x, void *y);
typedef void heed__rows_kernel(int64_t rows, int64_t n, const void *x, void *y);
typedef void heed__rows_grad_kernel(int64_t rows, int64_t n, const void *y, const void *g, void *dx);

/* C = activation(A B + bias) for `batches` batch elements. Their matrices are a_batch, b_batch and c_batch elements
 * apart. A is (m, k), B is (k, n), and C (m, n) is contiguous and overwritten. Element (i, j) of A is at a[i * a_row +
 * j * a_col], and element (i, j) of B is at b[i * b_row + j * b_col]. bias is (n), or (m) if `bias_of_rows`. activation
 * is an elementwise kernel without numbers, for the same instruction set and dtype. bias and activation may be NULL.
 * Computes rows i0 .. i1 - 1 and columns j0 .. j1 - 1 of every C; k = 0 gives sums of 0. `scratch` holds
 * heed__matmul_scratch elements and is aligned to 64 bytes. */
typedef struct heed__matmul_args {
    int64_t m, n, k;
    const void *a;
    int64_t a_row, a_col;
    const void *b;
    int64_t b_row, b_col;
    void *c;
    int64_t batches, a_batch, b_batch, c_batch;
    const void *bias;
    bool bias_of_rows;
    heed__unary_kernel *activation;
    int64_t chain; /* the maximal number of terms summed before their sum is added to the others; 0: k */
    int unit;      /* for heed__matmul_bf16: a matrix unit with 1 or 2 bf16 per number; 0: no matrix unit */
} heed__matmul_args;
typedef struct heed__matmul_range {
    int64_t i0, i1, j0, j1; /* i0 is a multiple of HEED_MATMUL_GROUP, j0 of HEED_MATMUL_COLUMNS */
} heed__matmul_range;
typedef int64_t heed__matmul_kernel(const heed__matmul_args *args, const heed__matmul_range *range, void *scratch);

/* Thresholds of heed__matmul_bf16. Packing pays only for sums of at least HEED_PAIRS_TERMS terms, and if a number is
 * used at least HEED_PAIRS_USES times on average, or HEED_PIECES_USES times if it is split into two bf16. */
enum { HEED_PAIRS_TERMS = 32, HEED_PAIRS_USES = 24, HEED_PIECES_USES = 96 };

/* HEED_MATMUL_K is the maximal number of inner indices per pass, for which a range of B's columns (a multiple of
 * HEED_MATMUL_COLUMNS) and a few rows of A are packed. */
enum { HEED_MATMUL_K = 320, HEED_MATMUL_COLUMNS = 32, HEED_MATMUL_GROUP = 16 };

/* The number of inner indices packed per pass, rounded up to whole tiles of a matrix unit. */
static inline int64_t heed__matmul_depth(int64_t k)
{
    return k < HEED_MATMUL_K ? (k + 31) / 32 * 32 : HEED_MATMUL_K;
}

#include "kernels/recurrence/args.h"

/* y[i] = 0 if the random word of element first + i is below the threshold, else x[i] factor;
 * kernels/elementwise/dropout.h defines the words. A threshold of p 2^32 drops with probability p. */
typedef struct heed__dropout_numbers {
    uint64_t seed, position;
    uint64_t threshold; /* 0 .. 2^32 */
    double factor;      /* rounded to the dtype before it is used */
} heed__dropout_numbers;
typedef void heed__dropout_kernel(const heed__dropout_numbers *args, int64_t first, int64_t n, const void *x, void *y);

/* Cross entropy of rows of n logits with one class number per row: y[row] = logsumexp(x) - sum t x, where t is
 * smoothing / n for every class, plus 1 - smoothing for the target; and dx[row, :] = g[row] (softmax(x) - t). A row
 * whose target is `ignored` is not read and gives 0. All other targets are in 0 .. n - 1. */
typedef struct heed__cross_entropy_args {
    int64_t n;
    int64_t ignored;
    double smoothing;
} heed__cross_entropy_args;
typedef void heed__cross_entropy_kernel(const heed__cross_entropy_args *args, int64_t rows, const void *x,
                                        const int64_t *targets, void *y);
typedef void heed__cross_entropy_grad_kernel(const heed__cross_entropy_args *args, int64_t rows, const void *x,
                                             const int64_t *targets, const void *g, void *dx);

/* The keys that the rows of the batch elements see. A row sees the keys before its length, which is in 0 .. keys. If
 * causal, it sees only keys up to its position, which is its number plus `offset`. With a window, it sees only keys at
 * a distance of less than `window` from its position. If `visible` is not NULL, it alone determines the visible
 * keys. */
typedef struct heed__lengths {
    const int64_t *at;            /* NULL: every length is `keys` */
    int64_t batch_step, row_step; /* elements of `at` between two batch elements, and between two rows; 0: one length */
    int64_t heads;                /* number of successive batch elements that share their lengths */
    int64_t keys;
    bool causal;
    int64_t offset, window; /* in 0 .. HEED_FAR; window = 0: no window */
    const bool *visible;    /* (batch, rows, keys), with batch_step between batch elements; may be NULL */
} heed__lengths;

/* More than any number of keys or queries. The sum of a few such numbers does not overflow int64_t. */
#define HEED_FAR (INT64_MAX / 8)

/* The lengths with `at` and `visible` moved to batch element n. */
static inline heed__lengths heed__lengths_in(const heed__lengths *lengths, int64_t n)
{
    heed__lengths own = *lengths;
    own.at = own.at ? own.at + n / own.heads * own.batch_step : NULL;
    own.visible = own.visible ? own.visible + n * own.batch_step : NULL;
    return own;
}

/* heed__first_visible and heed__length apply only if `visible` is NULL. The row then sees the keys heed__first_visible
 * .. heed__length - 1; this range may be empty. */
static inline int64_t heed__first_visible(const heed__lengths *own, int64_t row)
{
    int64_t first = own->window > 0 ? row + own->offset - own->window + 1 : 0;
    return first > 0 ? first : 0;
}

static inline int64_t heed__length(const heed__lengths *own, int64_t row)
{
    int64_t length = own->at ? own->at[row * own->row_step] : own->keys;
    int64_t most = own->causal ? row + own->offset + 1 : own->window > 0 ? row + own->offset + own->window : length;
    return most < length ? most : length;
}

static inline bool heed__is_visible(const heed__lengths *own, int64_t row, int64_t key)
{
    return own->visible ? own->visible[row * own->keys + key] : key < heed__length(own, row);
}

/* True if two rows of a batch element may see different keys. */
static inline bool heed__lengths_differ(const heed__lengths *lengths)
{
    return lengths->causal || lengths->row_step != 0 || lengths->window > 0 || lengths->visible;
}

/* Masked softmax of rows with one number per key: y is the softmax over the keys that the row sees, and dx = y (g -
 * sum(g y)). y and dx are 0 for all other keys, whose inputs are not read. Computes the rows begin .. end - 1 of all
 * batch elements. */
typedef struct heed__masked_args {
    int64_t rows; /* per batch element */
    heed__lengths lengths;
} heed__masked_args;
typedef void heed__masked_softmax_kernel(const heed__masked_args *args, int64_t begin, int64_t end, const void *x,
                                         void *y);
typedef void heed__masked_softmax_grad_kernel(const heed__masked_args *args, int64_t begin, int64_t end, const void *y,
                                              const void *g, void *dx);

/* Layer norm of rows of n: y = h weight + bias, with h = (x - mean) / sqrt(variance + eps). weight and bias (n) may be
 * NULL, for 1 and 0. If uncentred (RMS norm), the mean counts as 0, so that the variance is the mean of x^2. The
 * gradient writes dx for every row, and the sums of g h and of g over these rows to dweight (n) and dbias (n), unless
 * they are NULL. These sums are in T, so a call should have few rows; the caller adds up the sums of its calls. The
 * array of dx must differ from x and g. Rows whose squares overflow or underflow are scaled first:
 * kernels/rows/scale.h. */
typedef struct heed__layer_norm_args {
    int64_t n;
    double eps;
    bool uncentred;
    const void *weight, *bias;
} heed__layer_norm_args;
typedef void heed__layer_norm_kernel(const heed__layer_norm_args *args, int64_t rows, const void *x, void *y);
typedef void heed__layer_norm_grad_kernel(const heed__layer_norm_args *args, int64_t rows, const void *x, const void *g,
                                          void *dx, void *dweight, void *dbias);

/* Rotates the first 2 * pairs numbers of rows of n as pairs, and copies the others. The numbers a and b of pair i
 * become a c - b s and b c + a s with c = c[i] and s = s[i]; if `back`, the inverse rotation is applied. The two
 * numbers of a pair are neighbours if `interleaved`, else `pairs` apart. table holds c (pairs), then s (pairs), of the
 * first row; table_row is the number of elements from one row of the table to the next. */
typedef struct heed__rope_args {
    int64_t n, pairs, table_row;
    bool interleaved, back;
} heed__rope_args;
typedef void heed__rope_kernel(const heed__rope_args *args, int64_t rows, const void *table, const void *x, void *y);

#include "kernels/attention/args.h"

/* The scores of additive attention between some rows and the keys of their batch element: y_ij = sum over h of w_h
 * tanh(a_ih + b_jh) for the keys that row i sees, and 0 for the other keys. a is (rows, units), b (keys, units), w
 * (units), y (rows, keys). Keys that no row sees are not read. */
typedef struct heed__additive_args {
    int64_t rows, keys, units;
    const void *a, *b, *w;
    heed__lengths lengths; /* of this batch element only */
    int64_t first;         /* number of the first row within the batch element */
    void *lost; /* for more than HEED_LONG_SUM keys: rounding errors of da, (rows, units), initially 0; else NULL */
} heed__additive_args;

/* Computes at most HEED_ADDITIVE_ROWS rows. */
typedef int64_t heed__additive_kernel(const heed__additive_args *args, void *y, void *scratch);

/* The gradients for the hidden units begin .. end - 1, at most HEED_ADDITIVE_UNITS: of a and b, whose arrays must hold
 * zeros, and of w. g (rows, keys) is read only where the row sees the key. */
typedef int64_t heed__additive_grad_kernel(const heed__additive_args *args, int64_t begin, int64_t end, const void *g,
                                           void *da, void *db, void *dw, void *scratch);

/* heed__additive_kernel computes at most HEED_ADDITIVE_ROWS rows per call, heed__additive_grad_kernel at most
 * HEED_ADDITIVE_UNITS hidden units. Both prepare HEED_ADDITIVE_KEYS keys at a time. */
enum { HEED_ADDITIVE_ROWS = 32, HEED_ADDITIVE_UNITS = 32, HEED_ADDITIVE_KEYS = 64 };

/* Nadaraya-Watson kernel regression, for n queries q of d components, m keys k of d and values of v components:
 *
 *     f = sum_j a_j v_j    a_j = e^((top - u_j) / r^2) factor    u_j = sum_c (r w_c)^2 (d_jc^2 - near_c^2) / 2
 *     d_jc = q_c - k_jc    near_c = min_j |d_jc|    top = min_j u_j    1 / factor = sum_j e^((top - u_j) / r^2)
 *
 * Subtracting near_c^2 does not change the weights; without it a query far from every key would lose its digits, or
 * overflow. r is 1, unless every u_j would then be infinite; in this case r is a power of 2 for which at least one u_j
 * is finite. The keys (d, m) and values (v, m) are shared by all queries, or every query has its own set. */
typedef struct heed__regression_args {
    int64_t n, m, d, v;
    bool shared;
    bool leave_one_out; /* query i does not see key i, which is not read; requires shared, and n = m */
    const void *queries;
    const void *keys, *values;
    const void *widths; /* (d), 1 / h: finite and not negative */
} heed__regression_args;

enum { HEED_REGRESSION_SAVED = 3 }; /* numbers saved per query in addition to the d numbers near_c: top, r and factor */

/* Computes for queries begin .. end - 1: f (n, v); near, top, r and factor, stored in rows (n, d + 3); and, unless
 * NULL, slopes (n, v), the derivative of f by ln w^2 when all widths grow by the same factor. A query that sees no key
 * has zeros. */
typedef int64_t heed__regression_kernel(const heed__regression_args *args, int64_t begin, int64_t end, void *f,
                                        void *rows, void *slopes, void *scratch);

/* Results of the forward kernel, and g (n, v), the gradient of f. */
typedef struct heed__regression_saved {
    const void *f, *rows, *g;
} heed__regression_saved;

/* The gradients for a range of queries and a range of keys. dq (n, d) and moments (n, d) are written for these queries,
 * as sums over these keys only. dk and dv, with the shapes of the keys and values, are written for these keys, as sums
 * over these queries only. Query i contributes -moments[i, c] to the gradient of ln w_c^2. NULL results are not
 * computed. */
typedef struct heed__regression_range {
    int64_t row_begin, row_end, key_begin, key_end;
} heed__regression_range;
typedef struct heed__regression_grads {
    void *dq, *moments, *dk, *dv;
} heed__regression_grads;
typedef int64_t heed__regression_grad_kernel(const heed__regression_args *args, const heed__regression_saved *saved,
                                             const heed__regression_range *range, const heed__regression_grads *grads,
                                             void *scratch);

/* Weighted sums over the keys around a query. With u_c = (x_c - q_c) w_c for every column c, the weight of a key is
 *
 *     W = factor prod_c K(u_c),   K(u) = e^(-u^2 / 2), or (1 - |u|^power)^times for |u| <= 1
 *
 * A key has `powers` numbers b: b_0 = 1, then u_c for every column c, then products of these, b_k = b_i u_c with i =
 * parents[k] and c = column[k]. The results are
 *
 *     S_jk = sum W b_j b_k for k <= j, row by row, then T_j = sum W b_j y
 *
 * The same sums follow with g W instead of W for each of the `slopes` numbers g of a key: d ln K / d ln h for every
 * column, then the elements of the given arrays. A key of weight 0 adds 0, however far it is. */
typedef struct heed__moments_args {
    int columns, powers, slopes; /* slopes: 0, or `columns` plus the number of given arrays */
    int power, times;            /* power 0: K(u) is e^(-u^2 / 2) */
    const void *const *x;        /* (columns) arrays */
    const void *factors, *y;
    const void *const *given;    /* (slopes - columns) arrays */
    const int *parents, *column; /* (powers) */
} heed__moments_args;

#define HEED_MOMENTS_COLUMNS 6 /* the maximum of `columns`, and of `slopes` */
#define HEED_MOMENTS_POWERS 10

static inline int heed__moments_count(const heed__moments_args *args)
{
    return (1 + args->slopes) * (args->powers * (args->powers + 1) / 2 + args->powers);
}

/* Computes the sums over the keys of n ranges. Range i has the keys ranges[2 i] .. ranges[2 i + 1] - 1. q and w are
 * (columns). `scratch` holds heed__moments_scratch elements. */
typedef void heed__moments_kernel(const heed__moments_args *args, const void *q, const void *w, int64_t n,
                                  const int64_t *ranges, void *sums, void *scratch);

static inline int64_t heed__moments_scratch(const heed__moments_args *args)
{
    return (int64_t)heed__moments_count(args) * 16;
}

/* Adds the elements of x to those of `sum` by compensated summation, and the rounding errors to `lost`
 * (kernels/simd/total.h). */
typedef void heed__total_add_kernel(int64_t n, const void *x, void *sum, void *lost);

/* The sum of a[i] b[i]. */
typedef double heed__total_product_kernel(int64_t n, const void *a, const void *b);

/* The versions of every kernel: by instruction set, in the order of dispatch.c, then for f32 (0) and f64 (1). Every
 * kernel has its own array, so that a linker leaves out kernels that a program does not use. kernels.c defines the
 * pointers in these arrays. */
#define KERNEL(type, name)                                                                                             \
    extern type *const *const heed__kernel_##name[][2];                                                                \
    extern type *const heed__##name##_scalar_f32, *const heed__##name##_scalar_f64;                                    \
    extern type *const heed__##name##_avx2_f32, *const heed__##name##_avx2_f64;                                        \
    extern type *const heed__##name##_avx512_f32, *const heed__##name##_avx512_f64;                                    \
    extern type *const heed__##name##_neon_f32, *const heed__##name##_neon_f64;
#include "kernels/kernels.def"

/* The name of a version of heed__NAME. isa and bits may be macros, which are expanded; NAME is not expanded. */
#define HEED__VERSION(name, isa, bits) HEED__VERSION_(name, isa, bits)
#define HEED__VERSION_(name, isa, bits) name##_##isa##_f##bits

/* The index of the selected instruction set: the best that the CPU supports, or the one that the environment variable
 * HEED_ISA names (scalar, avx2, avx512, neon). Negative until it is selected. */
extern atomic_int heed__isa_in_force;

static inline int heed__isa(void)
{
    return atomic_load_explicit(&heed__isa_in_force, memory_order_acquire);
}

static inline bool heed__isa_chosen(void)
{
    return heed__isa() >= 0;
}

/* Selects the instruction set. Sets *named to the value of HEED_ISA, or NULL. Returns false if HEED_ISA names an
 * instruction set that was not built or that the CPU lacks. */
bool heed__choose_isa(const char **named);

/* The kernel `name` for f32 (0) or f64 (1), the numeric values of the dtypes. Requires a selected instruction set;
 * heed_apply selects it before it calls an op's rules. */
#define HEED__KERNEL(name, dtype) (*heed__kernel_##name[heed__isa()][dtype])
#define HEED__RUN(name, dtype, ...) HEED__KERNEL(name, dtype)(__VA_ARGS__)

/* The name of the selected instruction set: "scalar", "avx2", "avx512" or "neon". */
const char *heed__isa_name(void);

/* Lists the available instruction sets, the best first: "avx512, avx2, scalar". */
void heed__list_isas(char *text, size_t size);

/* The index of the instruction set `name`; negative if it was not built or the CPU lacks it. */
int heed__isa_named(const char *name);

#endif
