/* kernels/kernels.h - the kernels: plain arrays in, plain arrays out.
 *
 * No tensors, no allocation, no errors, no threads. Arrays are of the kernel's dtype; strides and counts are in
 * elements. Outputs are contiguous. An input of an elementwise or a rows kernel may be the output (same first element
 * and stride); it may otherwise not overlap it. Elementwise inputs may have stride 0 (one number) or a negative one.
 * `p` are the kernel's numbers, NULL where it takes none.
 *
 * NaN gives NaN, in maxima and minima too; infinities give limits; denormals are kept. The order of sums depends on the
 * sizes alone. The same source is compiled once per instruction set (kernels/kernels.c); dispatch.c chooses at run
 * time.
 */
#ifndef HEED_KERNELS_H
#define HEED_KERNELS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sums of more than HEED_LONG_SUM terms, over inner indices, keys or rows, are made of blocks of at most
 * HEED_LONG_BLOCK, in which no number is rounded much more often than HEED_LONG_CHAIN times; the blocks are added up in
 * order, with what rounding loses carried along (kernels/simd/total.h). Shorter ones are summed as is fastest. */
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

/* C = activation(A B + bias) for `batches` batch elements, whose matrices lie a_batch, b_batch and c_batch apart. A (m,
 * k), B (k, n), C (m, n) contiguous and overwritten; element (i, j) of A lies at a[i * a_row + j * a_col], of B
 * likewise. bias (n), or (m) where it is `bias_of_rows`, and activation, one of the elementwise kernels of the same
 * version that take no numbers, may be NULL. Computes the part of each C with rows i0 .. i1 - 1 and columns j0 .. j1 -
 * 1; k = 0 gives sums of 0. `scratch` has room for heed__matmul_scratch elements, and is aligned to 64 bytes. */
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
    int64_t chain; /* at most so many terms are added up by themselves; 0: k */
    int unit;      /* 1 or 2, of heed__matmul_bf16: by the matrix unit, with so many bf16 for each number; 0: without */
} heed__matmul_args;
typedef struct heed__matmul_part {
    int64_t i0, i1, j0, j1; /* i0 is a multiple of HEED_MATMUL_GROUP, j0 of HEED_MATMUL_COLUMNS */
} heed__matmul_part;
typedef void heed__matmul_kernel(const heed__matmul_args *args, const heed__matmul_part *part, void *scratch);

/* Of heed__matmul_bf16. With fewer terms, or fewer uses of each number on average (of one that two bf16 stand for),
 * packing takes longer than it saves. */
enum { HEED_PAIRS_TERMS = 32, HEED_PAIRS_USES = 24, HEED_PIECES_USES = 96 };

/* At most so many inner indices are done at a time, for which a part of B (a multiple of so many columns) and a few
 * rows of A are packed. */
enum { HEED_MATMUL_K = 320, HEED_MATMUL_COLUMNS = 32, HEED_MATMUL_ROWS = 64, HEED_MATMUL_GROUP = 16 };

/* Up to so many rows of A or columns of B are packed whole. */
enum { HEED_MATMUL_FEW = 13 };

/* Inner indices that are packed at a time, by whole tiles of a matrix unit. */
static inline int64_t heed__matmul_depth(int64_t k)
{
    return k < HEED_MATMUL_K ? (k + 31) / 32 * 32 : HEED_MATMUL_K;
}

/* Of what is packed, for parts of at most so many columns; a multiple of 64 bytes where sums are long. */
static inline int64_t heed__matmul_packed(int64_t k, int64_t columns)
{
    const int64_t few = HEED_MATMUL_FEW * ((k < HEED_LONG_SUM ? k : HEED_LONG_SUM) + 16);
    const int64_t depth = heed__matmul_depth(k);
    columns = (columns + HEED_MATMUL_COLUMNS - 1) / HEED_MATMUL_COLUMNS * HEED_MATMUL_COLUMNS;
    return depth * (columns + HEED_MATMUL_ROWS) > few ? depth * (columns + HEED_MATMUL_ROWS) : few;
}

/* Elements of scratch for parts of at most so many rows and columns. */
static inline int64_t heed__matmul_scratch(const heed__matmul_args *args, int64_t rows, int64_t columns)
{
    return heed__matmul_packed(args->k, columns) + (heed__is_long(args->k) ? 2 * rows * columns : 0);
}

#include "kernels/recurrence/args.h"

/* y[i] = 0 where the word of element first + i is below the threshold, else x[i] factor; the words are those of
 * kernels/elementwise/dropout.h. A threshold of p 2^32 drops with probability p. */
typedef struct heed__dropout_numbers {
    uint64_t seed, position;
    uint64_t threshold; /* 0 .. 2^32 */
    double factor;      /* rounded to the dtype before it is used */
} heed__dropout_numbers;
typedef void heed__dropout_kernel(const heed__dropout_numbers *args, int64_t first, int64_t n, const void *x, void *y);

/* Rows of n logits and a class number each: y[row] = logsumexp(x) - sum t x with t = smoothing / n for every class and
 * 1 - smoothing more for the target; and dx[row, :] = g[row] (softmax(x) - t). A row whose target is `ignored` is not
 * read and gives 0. The other targets are in 0 .. n - 1. */
typedef struct heed__cross_entropy_args {
    int64_t n;
    int64_t ignored;
    double smoothing;
} heed__cross_entropy_args;
typedef void heed__cross_entropy_kernel(const heed__cross_entropy_args *args, int64_t rows, const void *x,
                                        const int64_t *targets, void *y);
typedef void heed__cross_entropy_grad_kernel(const heed__cross_entropy_args *args, int64_t rows, const void *x,
                                             const int64_t *targets, const void *g, void *dx);

/* Which keys each row of each batch element sees: the first ones up to its length, which is in 0 .. keys, and, where it
 * is causal, up to its place, which is offset + its number; of these the last `window` ones. Not causal, a window is of
 * the keys at less than that distance from its place. Or those that `seen` names, and then there is nothing else. */
typedef struct heed__lengths {
    const int64_t *at; /* NULL: every length is `keys` */
    int64_t batch_step,
        row_step;  /* from a length to that of the next batch element, and of the next row; 0: the same */
    int64_t heads; /* as many batch elements, one after another, have the same lengths */
    int64_t keys;
    bool causal;
    int64_t offset, window; /* in 0 .. HEED_FAR; a window of 0: none */
    const bool *seen;       /* (batch, rows, keys), batch_step from one to the next; NULL: none */
} heed__lengths;

/* No key and no query is so far off, and sums of a few of these do not overflow. */
#define HEED_FAR (INT64_MAX / 8)

/* Those of batch element n alone. */
static inline heed__lengths heed__lengths_in(const heed__lengths *lengths, int64_t n)
{
    heed__lengths own = *lengths;
    own.at = own.at ? own.at + n / own.heads * own.batch_step : NULL;
    own.seen = own.seen ? own.seen + n * own.batch_step : NULL;
    return own;
}

/* Of these and the following: not of rows with `seen`, but for heed__sees. The row sees the keys from heed__first_seen
 * to before heed__length, if that is less. */
static inline int64_t heed__first_seen(const heed__lengths *own, int64_t row)
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

static inline bool heed__sees(const heed__lengths *own, int64_t row, int64_t key)
{
    return own->seen ? own->seen[row * own->keys + key] : key < heed__length(own, row);
}

/* Whether two rows of a batch element may see different keys. */
static inline bool heed__lengths_differ(const heed__lengths *lengths)
{
    return lengths->causal || lengths->row_step != 0 || lengths->window > 0 || lengths->seen;
}

/* Rows of as many numbers as there are keys: y = softmax of what the row sees, and dx = y (g - sum(g y)); both are 0
 * behind that, where nothing is read. Computes the rows begin .. end - 1 of all batch elements. */
typedef struct heed__masked_args {
    int64_t rows; /* of a batch element */
    heed__lengths lengths;
} heed__masked_args;
typedef void heed__masked_softmax_kernel(const heed__masked_args *args, int64_t begin, int64_t end, const void *x,
                                         void *y);
typedef void heed__masked_softmax_grad_kernel(const heed__masked_args *args, int64_t begin, int64_t end, const void *y,
                                              const void *g, void *dx);

/* Rows of n: y = h weight + bias, with h = (x - mean) / sqrt(variance + eps). weight and bias (n) may be NULL: 1 and 0.
 * Uncentred (RMS norm) the mean counts as 0, so that the variance is the mean of x^2.
 * The gradient writes dx for every row, and over dweight (n) and dbias (n), which may be NULL, the sums of g h and of g
 * over these rows, in T: meant for few rows, whose sums are added up elsewhere. The array of dx must
 * differ from x and g. Rows whose squares overflow or underflow are scaled first: kernels/rows/scale.h. */
typedef struct heed__layer_norm_args {
    int64_t n;
    double eps;
    bool uncentred;
    const void *weight, *bias;
} heed__layer_norm_args;
typedef void heed__layer_norm_kernel(const heed__layer_norm_args *args, int64_t rows, const void *x, void *y);
typedef void heed__layer_norm_grad_kernel(const heed__layer_norm_args *args, int64_t rows, const void *x, const void *g,
                                          void *dx, void *dweight, void *dbias);

/* Rows of n numbers, of which the first 2 pairs are turned, a and b of pair i to a c - b s and b c + a s, or turned
 * back. The pairs are neighbours or `pairs` apart. table: c (pairs), then s (pairs), of the first row; table_row to the
 * next. */
typedef struct heed__rope_args {
    int64_t n, pairs, table_row;
    bool interleaved, back;
} heed__rope_args;
typedef void heed__rope_kernel(const heed__rope_args *args, int64_t rows, const void *table, const void *x, void *y);

#include "kernels/attention/args.h"

/* The scores of additive attention of some rows with the keys of their batch element: y_ij = sum over h of
 * w_h tanh(a_ih + b_jh) for the keys that row i sees, and 0 behind them.
 * a (rows, units), b (keys, units), w (units), y (rows, keys). What no row sees is not read. */
typedef struct heed__additive_args {
    int64_t rows, keys, units;
    const void *a, *b, *w;
    heed__lengths lengths; /* of this batch element alone, */
    int64_t first;         /* whose row number this is the first one */
    void *lost;            /* (rows, units) zeros, for gradients of more than HEED_LONG_SUM keys: by a's; else NULL */
} heed__additive_args;

/* At most HEED_ADDITIVE_ROWS rows. `scratch` is aligned to 64 bytes, with room for heed__additive_scratch elements. */
typedef void heed__additive_kernel(const heed__additive_args *args, void *y, void *scratch);

/* The gradients for the hidden units begin .. end - 1, HEED_ADDITIVE_UNITS at most: of a and b, which hold zeros
 * before, and of w. g (rows, keys) is read where it is seen. `scratch` has room for heed__additive_grad_scratch
 * elements. */
typedef void heed__additive_grad_kernel(const heed__additive_args *args, int64_t begin, int64_t end, const void *g,
                                        void *da, void *db, void *dw, void *scratch);

/* Rows of a call, hidden units of a call, and keys that are made ready at a time. */
enum { HEED_ADDITIVE_ROWS = 32, HEED_ADDITIVE_UNITS = 32, HEED_ADDITIVE_KEYS = 64 };

static inline int64_t heed__additive_scratch(int64_t units)
{
    return (units + HEED_ADDITIVE_UNITS - 1) / HEED_ADDITIVE_UNITS * HEED_ADDITIVE_UNITS *
           (1 + 4 * HEED_ADDITIVE_ROWS + 2 * HEED_ADDITIVE_KEYS);
}

static inline int64_t heed__additive_grad_scratch(void)
{
    return HEED_ADDITIVE_UNITS * (4 + 5 * HEED_ADDITIVE_KEYS);
}

/* Nadaraya-Watson kernel regression. For n queries q of d components, m keys k of d and values of v components:
 *
 *     f = sum_j a_j v_j    a_j = e^((top - u_j) / r^2) factor    u_j = sum_c (r w_c)^2 (d_jc^2 - near_c^2) / 2
 *     d_jc = q_c - k_jc    near_c = min_j |d_jc|    top = min_j u_j    1 / factor = sum_j e^((top - u_j) / r^2)
 *
 * near changes no weight: without it a query far from every key would lose its digits, or overflow. r is 1, but where
 * every u_j would be infinite: a power of 2 for which one is not. Keys (d, m) and values (v, m) are shared by the
 * queries, or there is one set for each. */
typedef struct heed__regression_args {
    int64_t n, m, d, v;
    bool shared;
    bool leave_one_out; /* query i does not see key i, which is not read; shared, and n = m */
    const void *queries;
    const void *keys, *values;
    const void *widths; /* (d), 1 / h: finite, not negative */
} heed__regression_args;

enum { HEED_REGRESSION_KEPT = 3 }; /* numbers of a row besides near */

/* Of queries begin .. end - 1: f (n, v), to rows (n, d + 3) near, top, r and factor, and, unless NULL, slopes (n, v),
 * the derivative of f when all widths grow alike, by ln w^2. What sees no key has zeros. For these kernels `scratch`
 * has room for heed__regression_scratch elements, for gradients of keys heed__regression_keys_scratch. */
typedef void heed__regression_kernel(const heed__regression_args *args, int64_t begin, int64_t end, void *f, void *rows,
                                     void *slopes, void *scratch);

/* What forward found, and g (n, v), the gradient of f. */
typedef struct heed__regression_found {
    const void *f, *rows, *g;
} heed__regression_found;

/* What some queries and some keys give each other: dq (n, d) and moments (n, d) of these queries, as far as these keys
 * make them, and of these keys, as far as these queries do, dk and dv, which are like the keys and the values. The
 * gradient of ln w_c^2 as each query has it is -moments. Results that are NULL are not wanted. */
typedef struct heed__regression_part {
    int64_t row_begin, row_end, key_begin, key_end;
} heed__regression_part;
typedef struct heed__regression_grads {
    void *dq, *moments, *dk, *dv;
} heed__regression_grads;
typedef void heed__regression_grad_kernel(const heed__regression_args *args, const heed__regression_found *found,
                                          const heed__regression_part *part, const heed__regression_grads *grads,
                                          void *scratch);

/* Two arrays for the keys that a query sees: two runs of neighbours where one is left out, each with room for a whole
 * register at its end. */
static inline int64_t heed__regression_room(const heed__regression_args *args)
{
    return args->m + 2 * 16;
}
static inline int64_t heed__regression_scratch(const heed__regression_args *args)
{
    return 2 * heed__regression_room(args) + args->v;
}

/* For gradients of so many keys: sums over many queries are made of blocks. */
static inline int64_t heed__regression_keys_scratch(const heed__regression_args *args, int64_t keys)
{
    const bool many = args->shared && heed__is_long(args->n);
    return heed__regression_scratch(args) + (many ? 2 * (args->d + args->v) * keys : 0);
}

/* Sums of keys around a query. With u_c = (x_c - q_c) w_c of each column c, the weight of a key is
 *
 *     W = factor prod_c K(u_c),   K(u) = e^(-u^2 / 2), or (1 - |u|^power)^times where |u| <= 1
 *
 * and with b_0 = 1, b_1 to b_c = u_0 to u_(c - 1), further b_k = b_(parent_k) u_(column_k), and the d slopes g_0, ...:
 * those of the columns, d ln K / d ln h, then the arrays given,
 *
 *     S_jk = sum W b_j b_k, k <= j     T_j = sum W b_j y     and for each slope the same with g W in place of W
 *
 * which follow one another: S row by row, T. Keys of weight 0 are skipped. */
typedef struct heed__moments_args {
    int columns, powers, slopes; /* slopes: 0, or columns + arrays */
    int power, times;            /* power 0: e^(-u^2 / 2) */
    const void *const *x;        /* (columns) arrays */
    const void *factors, *y;
    const void *const *given;    /* (slopes - columns) arrays */
    const int *parents, *column; /* (powers) */
} heed__moments_args;

#define HEED_MOMENTS_COLUMNS 6 /* slopes too */
#define HEED_MOMENTS_POWERS 10

static inline int heed__moments_count(const heed__moments_args *args)
{
    return (1 + args->slopes) * (args->powers * (args->powers + 1) / 2 + args->powers);
}

/* Of the keys begin_i .. end_i - 1 of n ranges, which lie in pairs. q and w are (columns). `scratch` has room for
 * heed__moments_scratch elements. */
typedef void heed__moments_kernel(const heed__moments_args *args, const void *q, const void *w, int64_t n,
                                  const int64_t *ranges, void *sums, void *scratch);

static inline int64_t heed__moments_scratch(const heed__moments_args *args)
{
    return (int64_t)heed__moments_count(args) * 16;
}

/* sum += x, with what rounding loses carried along in lost (kernels/simd/total.h). */
typedef void heed__total_add_kernel(int64_t n, const void *x, void *sum, void *lost);

/* sum of a b */
typedef double heed__total_product_kernel(int64_t n, const void *a, const void *b);

/* Of each kernel its versions, for the instruction sets that are built, in dispatch.c's order, and of each f32 (0) and
 * f64 (1): an array for each kernel, so that a linker leaves out those that a program does not use. kernels.c makes
 * what they point to. */
#define KERNEL(type, name)                                                                                             \
    extern type *const *const heed__kernel_##name[][2];                                                                \
    extern type *const heed__##name##_scalar_f32, *const heed__##name##_scalar_f64;                                    \
    extern type *const heed__##name##_avx2_f32, *const heed__##name##_avx2_f64;                                        \
    extern type *const heed__##name##_avx512_f32, *const heed__##name##_avx512_f64;                                    \
    extern type *const heed__##name##_neon_f32, *const heed__##name##_neon_f64;
#include "kernels/kernels.def"

/* The name of one of these, from heed__NAME: isa and bits may be macros, which NAME must not become. */
#define HEED__VERSION(name, isa, bits) HEED__VERSION_(name, isa, bits)
#define HEED__VERSION_(name, isa, bits) name##_##isa##_f##bits

/* The place of the instruction set in force: the best of this CPU, or the one that the environment variable HEED_ISA
 * names (scalar, avx2, avx512, neon). Below 0 until it is chosen. */
extern atomic_int heed__isa_in_force;

static inline int heed__isa(void)
{
    return atomic_load_explicit(&heed__isa_in_force, memory_order_acquire);
}

static inline bool heed__isa_chosen(void)
{
    return heed__isa() >= 0;
}

/* Chooses it. Else returns false and writes what HEED_ISA names: nothing that was built and that the CPU has. */
bool heed__choose_isa(const char **named);

/* The kernel `name` for f32 (0) or f64 (1), which are the dtypes' own numbers, once an instruction set is chosen:
 * heed_apply has done that before it calls an op's rules. */
#define HEED__KERNEL(name, dtype) (*heed__kernel_##name[heed__isa()][dtype])
#define HEED__RUN(name, dtype, ...) HEED__KERNEL(name, dtype)(__VA_ARGS__)

/* "scalar", "avx2", "avx512" or "neon": the one in force. */
const char *heed__isa_name(void);

/* "avx512, avx2, scalar": those there are, the best first. */
void heed__list_isas(char *text, size_t size);

/* The place of the one of that name; below 0 when it is not built or the CPU lacks it. */
int heed__isa_named(const char *name);

#endif
