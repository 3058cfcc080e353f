/* bench/kernels.c - micro-benchmarks made from the list of kernels: billions of elements per second of every kernel,
 * for every instruction set of this CPU and every dtype, at several sizes. The best of many short samples counts.
 * Products, fused attention and convolutions are in heed_bench: W1, W3, W4, W5, W10.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../tests/kernels/kernel_table.h"

enum { SIZES = 4, MOST = 1 << 20, ROWS_TOGETHER = 16384, COLUMNS = 64 };

static const int64_t sizes[SIZES] = {16, 256, 4096, MOST};
static _Alignas(64) double a[MOST], b[MOST], y[MOST]; /* hold floats, too */
static int64_t classes[MOST];
static const double p[] = {0.5, 2};

/* One call of a kernel: on n elements, or on rows of n elements. */
typedef struct job {
    const kernel_table *kernels;
    size_t offset; /* of the kernel in the table */
    int64_t rows, n;
} job;

#define CALL(type, j) (*(type *const *)(const void *)((const char *)(j)->kernels + (j)->offset))

static void run_heed__unary_kernel(const job *j)
{
    CALL(heed__unary_kernel, j)(j->n, a, 1, y, p);
}

static void run_heed__binary_kernel(const job *j)
{
    CALL(heed__binary_kernel, j)(j->n, a, 1, b, 1, y, p);
}

static void run_heed__ternary_kernel(const job *j)
{
    CALL(heed__ternary_kernel, j)(j->n, classes, 1, a, 1, b, 1, y);
}

static void run_heed__dropout_kernel(const job *j)
{
    CALL(heed__dropout_kernel, j)(&(heed__dropout_numbers){.threshold = 1U << 30, .factor = 4.0 / 3}, 0, j->n, a, y);
}

static void run_heed__reduce_kernel(const job *j)
{
    CALL(heed__reduce_kernel, j)(j->rows, j->n, 1, a, y);
}

static void run_columns(const job *j)
{
    CALL(heed__reduce_kernel, j)(1, j->rows * j->n / COLUMNS, COLUMNS, a, y);
}

static void run_heed__rows_kernel(const job *j)
{
    CALL(heed__rows_kernel, j)(j->rows, j->n, a, y);
}

static void run_heed__rows_grad_kernel(const job *j)
{
    CALL(heed__rows_grad_kernel, j)(j->rows, j->n, a, b, y);
}

/* Three quarters of every row are valid. */
static void run_heed__masked_softmax_kernel(const job *j)
{
    const int64_t length = j->n * 3 / 4;
    const heed__masked_args args = {.rows = j->rows, .visibility = {.lengths = &length, .heads = 1, .keys = j->n}};
    CALL(heed__masked_softmax_kernel, j)(&args, 0, j->rows, a, y);
}

static void run_heed__masked_softmax_grad_kernel(const job *j)
{
    const int64_t length = j->n * 3 / 4;
    const heed__masked_args args = {.rows = j->rows, .visibility = {.lengths = &length, .heads = 1, .keys = j->n}};
    CALL(heed__masked_softmax_grad_kernel, j)(&args, 0, j->rows, a, b, y);
}

static void run_heed__layer_norm_kernel(const job *j)
{
    CALL(heed__layer_norm_kernel, j)(&(heed__layer_norm_args){.n = j->n, .weight = b, .bias = b}, j->rows, a, y);
}

static void run_heed__layer_norm_grad_kernel(const job *j)
{
    static double dweight[MOST], dbias[MOST];
    const heed__layer_norm_args args = {.n = j->n, .weight = b};
    CALL(heed__layer_norm_grad_kernel, j)(&args, j->rows, &(heed__norm_grads){a, b, y, dweight, dbias});
}

static void run_heed__batch_norm_kernel(const job *j)
{
    const heed__batch_norm_args args = {.outer = 1, .channels = j->rows, .inner = j->n, .eps = 1};
    CALL(heed__batch_norm_kernel, j)(&args, 0, j->rows, a, y);
}

static void run_heed__batch_norm_grad_kernel(const job *j)
{
    static double dweight[MOST], dbias[MOST];
    const heed__batch_norm_args args = {.outer = 1, .channels = j->rows, .inner = j->n, .eps = 1};
    CALL(heed__batch_norm_grad_kernel, j)(&args, 0, j->rows, &(heed__norm_grads){a, b, y, dweight, dbias});
}

static void run_heed__rope_kernel(const job *j)
{
    const heed__rope_args args = {.n = j->n, .pairs = j->n / 2, .table_row = 0};
    CALL(heed__rope_kernel, j)(&args, j->rows, b, a, y);
}

static void run_heed__cross_entropy_kernel(const job *j)
{
    CALL(heed__cross_entropy_kernel, j)(&(heed__cross_entropy_args){.n = j->n, .ignored = -1}, j->rows, a, classes, y);
}

static void run_heed__cross_entropy_grad_kernel(const job *j)
{
    const heed__cross_entropy_args args = {.n = j->n, .ignored = -1};
    CALL(heed__cross_entropy_grad_kernel, j)(&args, j->rows, a, classes, b, y);
}

/* -- The list ------------------------------------------------------------------------------------------------------ */

/* Kernels of these types are timed elsewhere. */
#define run_heed__matmul_kernel NULL
#define run_heed__additive_kernel NULL
#define run_heed__additive_grad_kernel NULL
#define run_heed__attention_kernel NULL
#define run_heed__attention_grad_kernel NULL
#define run_heed__recurrence_kernel NULL
#define run_heed__recurrence_grad_kernel NULL
#define run_heed__recurrence_pack_kernel NULL
#define run_heed__regression_kernel NULL
#define run_heed__moments_kernel NULL
#define run_heed__conv_kernel NULL
#define run_heed__conv_pack_kernel NULL
#define run_heed__conv_weight_kernel NULL
#define run_heed__conv_band_kernel NULL
#define run_heed__conv_by_channel_kernel NULL
#define run_heed__conv_lines_kernel NULL
#define run_heed__conv_gather_kernel NULL
#define run_heed__conv_spread_kernel NULL
#define run_heed__conv_weight_band_kernel NULL
#define run_heed__winograd_kernel NULL
#define run_heed__winograd_pack_kernel NULL
#define run_heed__winograd_weight_kernel NULL
#define run_heed__max_pool_kernel NULL
#define run_heed__max_pool_grad_kernel NULL
#define run_heed__avg_pool_kernel NULL
#define run_heed__regression_grad_kernel NULL
#define run_heed__triangular_kernel NULL
#define run_heed__cholesky_kernel NULL
#define run_heed__lu_kernel NULL
#define run_heed__total_add_kernel NULL
#define run_heed__total_product_kernel NULL

typedef struct entry {
    const char *name;
    size_t offset;
    void (*run)(const job *j);
} entry;

static const entry entries[] = {
#define KERNEL(type, name) {#name, offsetof(kernel_table, name), run_##type},
#include "kernels/kernels.def"
    {"sum of columns", offsetof(kernel_table, sum), run_columns},
};

/* Whether a kernel takes many rows in one call. */
static bool takes_rows(const entry *e)
{
    return e->run != run_heed__unary_kernel && e->run != run_heed__binary_kernel &&
           e->run != run_heed__ternary_kernel && e->run != run_heed__dropout_kernel;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds per call: the least of `samples` of at least 50 microseconds each. */
static double best_time(const entry *e, const job *j, int samples)
{
    double best = 1e9;
    int64_t calls = 1;
    for (int s = 0; s < samples; s++) {
        double start = now();
        for (int64_t c = 0; c < calls; c++)
            e->run(j);
        double took = (now() - start) / (double)calls;
        best = took < best ? took : best;
        calls = 1 + (int64_t)(50e-6 / (best + 1e-9));
    }
    return best;
}

static void fill(int dtype)
{
    uint64_t state = 1;
    for (int64_t i = 0; i < MOST; i++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        const double x = (double)(state >> 11) * 0x1p-52 - 1, g = 0.5 + x * x;
        if (dtype == 1) {
            a[i] = 3 * x;
            b[i] = g;
        } else {
            const float pair[2] = {(float)(3 * x), (float)g};
            memcpy((char *)a + (size_t)i * sizeof *pair, &pair[0], sizeof *pair);
            memcpy((char *)b + (size_t)i * sizeof *pair, &pair[1], sizeof *pair);
        }
        classes[i] = i % sizes[0];
    }
}

static void time_all(const char *wanted, bool quick)
{
    static const char *const isas[] = {"scalar", "avx2", "avx512", "neon"};
    printf("%-22s %-5s %-7s", "10^9 elements/s", "", "");
    for (int s = 0; s < SIZES; s++)
        printf(" %9lld", (long long)sizes[s]);
    printf("\n");
    for (int dtype = 0; dtype < 2; dtype++) {
        fill(dtype);
        for (size_t e = 0; e < sizeof entries / sizeof entries[0]; e++)
            for (int i = 0; i < (int)(sizeof isas / sizeof isas[0]); i++) {
                const kernel_table *kernels = kernels_of(isas[i], (unsigned)dtype);
                if (!kernels || !entries[e].run || !strstr(entries[e].name, wanted))
                    continue;
                printf("%-22s %-5s %-7s", entries[e].name, dtype ? "f64" : "f32", isas[i]);
                for (int s = 0; s < (quick ? 2 : SIZES); s++) {
                    const bool several = takes_rows(&entries[e]) && sizes[s] < ROWS_TOGETHER;
                    const job j = {kernels, entries[e].offset, several ? ROWS_TOGETHER / sizes[s] : 1, sizes[s]};
                    const double seconds = best_time(&entries[e], &j, quick ? 1 : 100);
                    printf(" %9.3f", (double)(j.rows * j.n) / seconds * 1e-9);
                }
                printf("\n");
            }
    }
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"kernel", required_argument, NULL, 'k'}, {"quick", no_argument, NULL, 'q'}, {NULL, 0, NULL, 0}};
    const char *wanted = "";
    bool quick = false;
    for (int c; (c = getopt_long(argc, argv, "k:q", options, NULL)) != -1;) {
        if (c == 'k')
            wanted = optarg;
        else if (c == 'q')
            quick = true;
        else {
            fputs("usage: bench_kernels [-k NAME, part of a kernel's name] [--quick]\n", stderr);
            return 2;
        }
    }
    time_all(wanted, quick);
    return 0;
}
